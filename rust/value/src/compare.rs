//! Comparison of values of any two types, by the reference's rules (docs/format/sql-surface.md, section 10).

use std::cmp::Ordering;
use std::rc::Rc;

use crate::collation::Collation;
use crate::convert::{to_bytes, to_decimal, to_f64, to_moment_relaxed, to_string, to_time};
use crate::error::ValueError;
use crate::json::Json as JsonValue;
use crate::members::{EnumType, SetType};
use crate::temporal::DateTime as Moment;
use crate::value::Value;

/// The order of two values as `=`, `<` and their kin see it; `None` when one is NULL. Text compares by `collation`.
///
/// In short: members of an ENUM or SET by position where the other side names one, else as text; TIME with what can be one; dates
/// with text that must be one; JSON with everything, by type; binary strings by bytes; numbers with text as numbers; text
/// with text by the collation.
///
/// # Errors
/// [`ValueError::IncorrectDateTime`] for a date and text that is none.
pub fn compare(left: &Value<'_>, right: &Value<'_>, collation: Collation) -> Result<Option<Ordering>, ValueError> {
    use Value::*;
    let order = match (left, right) {
        (Null, _) | (_, Null) => return Ok(None),
        (Int(a), Int(b)) => a.cmp(b),
        (UInt(a), UInt(b)) => a.cmp(b),
        (Text(a), Text(b)) => collation.compare(a.as_bytes(), b.as_bytes()),
        (Double(a), Double(b)) => double_order(*a, *b),
        (Decimal(a), Decimal(b)) => a.cmp(b),
        (DateTime(a), DateTime(b)) => a.cmp(b),
        (Date(a), Date(b)) => a.cmp(b),
        (Time(a), Time(b)) => a.cmp(b),
        (Year(a), Year(b)) => a.cmp(b),
        (Bit(a), Bit(b)) => a.cmp(b),
        (Bytes(a), Bytes(b)) | (Geometry(a), Geometry(b)) => a.cmp(b),
        (Float(a), Float(b)) => double_order(f64::from(*a), f64::from(*b)),
        (Json(a), Json(b)) => a.compare(b),
        (Enum(a), Enum(b)) if same(&a.kind, &b.kind) => a.index.cmp(&b.index),
        (Set(a), Set(b)) if same(&a.kind, &b.kind) => a.bits.cmp(&b.bits),
        _ => return mixed(left, right, collation).map(Some),
    };
    Ok(Some(order))
}

/// The order ORDER BY, GROUP BY and indexes use within one type: NULL first.
///
/// # Errors
/// As [`compare`].
pub fn sort_order(left: &Value<'_>, right: &Value<'_>, collation: Collation) -> Result<Ordering, ValueError> {
    Ok(match compare(left, right, collation)? {
        Some(order) => order,
        None => right.is_null().cmp(&left.is_null()),
    })
}

fn same<T: PartialEq>(left: &Rc<T>, right: &Rc<T>) -> bool {
    Rc::ptr_eq(left, right) || left == right
}

fn double_order(left: f64, right: f64) -> Ordering {
    // Not-a-number, which no expression yields, would equal itself and come last.
    left.partial_cmp(&right).unwrap_or_else(|| left.is_nan().cmp(&right.is_nan()))
}

fn is_number(value: &Value<'_>) -> bool {
    use Value::*;
    matches!(value, Int(_) | UInt(_) | Float(_) | Double(_) | Decimal(_) | Year(_) | Bit(_))
}

fn mixed(left: &Value<'_>, right: &Value<'_>, collation: Collation) -> Result<Ordering, ValueError> {
    use Value::*;
    if let Some(order) = members(left, right) {
        return Ok(order);
    }
    if let Some(order) = member_fallback(left, right, collation) {
        return Ok(order);
    }
    if matches!(left, Time(_)) || matches!(right, Time(_)) {
        if let (Ok(a), Ok(b)) = (to_time(left), to_time(right)) {
            return Ok(a.cmp(&b));
        }
        // The reference has no text for a TIME; what has none comes last.
        let dated = matches!(left, Date(_) | DateTime(_)) || matches!(right, Date(_) | DateTime(_));
        if !dated {
            return Ok(matches!(left, Time(_)).cmp(&matches!(right, Time(_))));
        }
    }
    if matches!(left, Date(_) | DateTime(_)) || matches!(right, Date(_) | DateTime(_)) {
        return Ok(match (moment(left)?, moment(right)?) {
            (Some(a), Some(b)) => a.cmp(&b),
            // What is no date comes last.
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
    }
    if matches!(left, Json(_)) || matches!(right, Json(_)) {
        return compare_json(left, right);
    }
    if matches!(left, Bytes(_) | Geometry(_)) || matches!(right, Bytes(_) | Geometry(_)) {
        return Ok(to_bytes(left)?.cmp(&to_bytes(right)?));
    }
    if is_number(left) || is_number(right) {
        return compare_numbers(left, right);
    }
    Ok(collation.compare(to_string(left)?.as_bytes(), to_string(right)?.as_bytes()))
}

/// An ENUM or SET against text or a number that names one of its members.
fn members(left: &Value<'_>, right: &Value<'_>) -> Option<Ordering> {
    use Value::*;
    match (left, right) {
        (Enum(member), other) if !matches!(other, Enum(_) | Set(_)) => {
            Some(member.index.cmp(&enum_index(&member.kind, other)?))
        }
        (Set(chosen), other) if !matches!(other, Enum(_) | Set(_)) => {
            Some(chosen.bits.cmp(&set_bits(&chosen.kind, other)?))
        }
        (other, Enum(_) | Set(_)) if !matches!(other, Enum(_) | Set(_)) => members(right, left).map(Ordering::reverse),
        _ => None,
    }
}

fn enum_index(kind: &EnumType, value: &Value<'_>) -> Option<u16> {
    use Value::*;
    match value {
        Text(text) => kind.index_of(text),
        Int(number) => kind.valid_index(*number),
        UInt(number) | Bit(number) => kind.valid_index(i64::try_from(*number).ok()?),
        Float(number) => kind.valid_index(*number as i64),
        Double(number) => kind.valid_index(*number as i64),
        Decimal(number) => kind.valid_index(number.to_i64()?),
        Year(year) => kind.valid_index(i64::from(*year)),
        _ => None,
    }
}

fn set_bits(kind: &SetType, value: &Value<'_>) -> Option<u64> {
    use Value::*;
    let within = |bits: u64| (bits & !kind.all_bits() == 0).then_some(bits);
    match value {
        Text(text) => kind.parse(text).ok(),
        Int(number) => within(u64::try_from(*number).ok()?),
        UInt(number) | Bit(number) => within(*number),
        Float(number) if *number >= 0.0 => within(*number as u64),
        Double(number) if *number >= 0.0 => within(*number as u64),
        Decimal(number) => within(number.to_u64()?),
        Year(year) => within(u64::from(*year)),
        _ => None,
    }
}

/// An ENUM or SET against text or a number that names no member: as text, or as the number of its index or bits.
fn member_fallback(left: &Value<'_>, right: &Value<'_>, collation: Collation) -> Option<Ordering> {
    use Value::*;
    let is_member = |value: &Value<'_>| matches!(value, Enum(_) | Set(_));
    if is_member(left) == is_member(right) {
        return None;
    }
    let other = if is_member(left) { right } else { left };
    if is_number(other) {
        return compare_numbers(left, right).ok();
    }
    if let Text(_) = other {
        return Some(collation.compare(to_string(left).ok()?.as_bytes(), to_string(right).ok()?.as_bytes()));
    }
    None
}

/// A date, or text that must be one; `None` for other values, which the reference takes for NULL here.
fn moment(value: &Value<'_>) -> Result<Option<Moment>, ValueError> {
    match value {
        Value::Date(_) | Value::DateTime(_) | Value::Text(_) | Value::Bytes(_) => {
            Ok(to_moment_relaxed(value)?.round(6))
        }
        _ => Ok(None),
    }
}

fn compare_json(left: &Value<'_>, right: &Value<'_>) -> Result<Ordering, ValueError> {
    let json = |value: &Value<'_>| match value {
        Value::Json(json) => Ok(Rc::clone(json)),
        Value::Enum(member) => Ok(Rc::new(JsonValue::string(member.text()).into())),
        Value::Set(members) => Ok(Rc::new(JsonValue::string(members.text()).into())),
        other => JsonValue::from_scalar(other).map(|json| Rc::new(json.into())),
    };
    Ok(json(left)?.compare(&*json(right)?))
}

fn compare_numbers(left: &Value<'_>, right: &Value<'_>) -> Result<Ordering, ValueError> {
    use Value::*;
    if let (Some(a), Some(b)) = (integer(left), integer(right)) {
        return Ok(a.cmp(&b));
    }
    // Warnings of text that is not wholly a number are the caller's when it converts; a comparison gives none.
    let mut ignored = Vec::new();
    if matches!(left, Decimal(_)) || matches!(right, Decimal(_)) {
        // A double beyond every decimal is compared as a double.
        if let (Ok(a), Ok(b)) = (to_decimal(left, &mut ignored), to_decimal(right, &mut ignored)) {
            return Ok(a.cmp(&b));
        }
    }
    Ok(double_order(to_f64(left, &mut ignored)?, to_f64(right, &mut ignored)?))
}

/// Integers of both signs side by side.
fn integer(value: &Value<'_>) -> Option<i128> {
    use Value::*;
    match value {
        Int(number) => Some(i128::from(*number)),
        UInt(number) | Bit(number) => Some(i128::from(*number)),
        Year(year) => Some(i128::from(*year)),
        Enum(member) => Some(i128::from(member.index)),
        Set(members) => Some(i128::from(members.bits)),
        _ => None,
    }
}

/// Appends a key that is equal for values of one type that compare equal, for GROUP BY, DISTINCT, hash joins and unique checks.
///
/// Numbers of any type that are equal have equal keys; text is keyed by its weights.
pub fn hash_key(value: &Value<'_>, collation: Collation, key: &mut Vec<u8>) {
    use Value::*;
    let mut number = |decimal: crate::decimal::Decimal| {
        key.push(b'n');
        decimal.normalized().encode(key);
    };
    match value {
        Null => key.push(0),
        Int(value) => number((*value).into()),
        UInt(value) | Bit(value) => number((*value).into()),
        Year(value) => number(i64::from(*value).into()),
        Decimal(value) => number(*value),
        Float(_) | Double(_) => {
            let double = if let Float(float) = value {
                f64::from(*float)
            } else {
                to_f64(value, &mut Vec::new()).unwrap_or(0.0)
            };
            // A double too small or large for a decimal keys as itself.
            match crate::decimal::Decimal::from_f64(double).filter(|decimal| decimal.to_f64() == double) {
                Some(decimal) => number(decimal),
                None => {
                    key.push(b'f');
                    key.extend_from_slice(&double.to_le_bytes());
                }
            }
        }
        Text(text) => hash_text_key(text.as_bytes(), collation, key),
        Bytes(bytes) | Geometry(bytes) => {
            key.push(b'b');
            key.extend_from_slice(bytes);
        }
        Date(date) => {
            key.push(b'd');
            key.extend_from_slice(&Moment::from(*date).microseconds().to_le_bytes());
        }
        DateTime(moment) => {
            key.push(b'd');
            key.extend_from_slice(&moment.microseconds().to_le_bytes());
        }
        Time(time) => {
            key.push(b'h');
            key.extend_from_slice(&time.microseconds().to_le_bytes());
        }
        Enum(member) => {
            key.push(b'e');
            key.extend_from_slice(&member.index.to_le_bytes());
        }
        Set(members) => {
            key.push(b's');
            key.extend_from_slice(&members.bits.to_le_bytes());
        }
        Json(json) => {
            key.push(b'j');
            json.hash_key(key);
        }
    }
}

/// A key of a whole number, short for a small one: how many bytes it needs, and these. Short keys are hashed and compared several
/// times as fast as ones of sixteen bytes a number.
pub fn hash_whole_key(number: i128, key: &mut Vec<u8>) {
    let sign_bits = if number < 0 { number.leading_ones() } else { number.leading_zeros() };
    let len = (i128::BITS - sign_bits) as usize / 8 + 1;
    key.push(len as u8);
    let start = key.len();
    key.extend_from_slice(&number.to_le_bytes());
    key.truncate(start + len);
}

/// As [`hash_key`] of a text.
pub fn hash_text_key(text: &[u8], collation: Collation, key: &mut Vec<u8>) {
    key.push(b't');
    collation.hash_key(text, key);
}
