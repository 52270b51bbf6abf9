//! Key ranges as bounds of a tree.

use std::cmp::Ordering;

use codec::CompactSort;
use tree::{Bound, Direction, FieldType, KeyList, Map, Side, Sides, TupleBuilder, tuple};
use value::{Collation, SqlType, Value};

use crate::catalog::KeyRange;
use crate::error::{Result, SqlError};
use crate::expr::{Context, Expr, ExprKind};

/// A bound with the bytes that it needs.
pub struct OwnedBound {
    key: KeyBytes,
    fields: usize,
    side: Side,
}

/// The bytes of a key. A statement may have many bounds, and most keys are short: those need no memory of their own.
enum KeyBytes {
    Short(u8, [u8; SHORT_KEY]),
    Long(Box<[u8]>),
}

const SHORT_KEY: usize = 22;

impl KeyBytes {
    fn of(bytes: &[u8]) -> KeyBytes {
        let mut short = [0; SHORT_KEY];
        match short.get_mut(..bytes.len()) {
            Some(place) => {
                place.copy_from_slice(bytes);
                KeyBytes::Short(bytes.len() as u8, short)
            }
            None => KeyBytes::Long(bytes.into()),
        }
    }

    fn get(&self) -> &[u8] {
        match self {
            KeyBytes::Short(length, bytes) => &bytes[..usize::from(*length)],
            KeyBytes::Long(bytes) => bytes,
        }
    }
}

impl OwnedBound {
    fn bound(&self) -> Bound<'_> {
        Bound { key: self.key.get(), fields: self.fields, side: self.side }
    }
}

/// A part of a tree; an open side is `None`.
#[derive(Default)]
pub struct Bounds {
    lower: Option<OwnedBound>,
    upper: Option<OwnedBound>,
}

impl Bounds {
    pub fn sides(&self) -> Sides<'_> {
        (self.lower.as_ref().map(OwnedBound::bound), self.upper.as_ref().map(OwnedBound::bound))
    }

    /// The key, if the bounds hold nothing but the entry with it.
    pub fn whole_key(&self, fields: usize) -> Option<&[u8]> {
        let (lower, upper) = (self.lower.as_ref()?, self.upper.as_ref()?);
        let whole = lower.fields == fields && upper.fields == fields && lower.key.get() == upper.key.get();
        let around = matches!((&lower.side, &upper.side), (Side::Before, Side::After));
        (whole && around && fields > 0).then_some(lower.key.get())
    }
}

/// The position of a value of another type in a column's order.
enum Converted {
    Exact(Value<'static>),
    /// No value of the column equals it; this is the nearest one above.
    Above(Value<'static>),
    /// … below.
    Below(Value<'static>),
    /// Its place in the order is not known.
    Unknown,
}

fn convert(value: &Value<'static>, ty: &SqlType) -> Converted {
    if let (Value::Int(number), SqlType::Integer(kind)) = (value, ty)
        && *number >= kind.min()
        && u64::try_from(*number).is_ok_and(|number| number <= kind.max()) | (*number < 0)
    {
        return Converted::Exact(if kind.unsigned { Value::UInt(*number as u64) } else { Value::Int(*number) });
    }
    // Text compares with numbers and dates by rules of its own; only where a comparison by the column's order says the
    // same may the index be used.
    let said = said_by_text(value, ty);
    let value = said.as_ref().unwrap_or(value);
    let same_family = match (value, ty) {
        (Value::Text(_), ty) => ty.is_text(),
        (Value::Bytes(_), ty) => ty.is_binary(),
        // Years of fewer digits are others, bits of negative numbers too.
        (Value::Int(year), SqlType::Year) => (1901..=2155).contains(year),
        (Value::Int(bits), SqlType::Bit(_)) => *bits >= 0,
        (Value::Int(_) | Value::UInt(_) | Value::Decimal(_) | Value::Double(_), ty) => {
            matches!(ty, SqlType::Integer(_) | SqlType::Decimal { .. })
                || (matches!(ty, SqlType::Double | SqlType::Float) && !matches!(value, Value::Decimal(_)))
        }
        (Value::Date(_) | Value::DateTime(_), ty) => ty.is_date(),
        (Value::Time(_), SqlType::Time) => true,
        (Value::Enum(member), SqlType::Enum(kind)) => member.kind == *kind,
        _ => false,
    };
    if !same_family {
        return Converted::Unknown;
    }
    let order =
        |one: &Value<'static>| value::compare(one, value, ty.collation().unwrap_or(Collation::BINARY)).ok().flatten();
    if let Some(text) = longer_than_any(value, ty) {
        return text;
    }
    // What does not fit is beyond all values of a whole number's type; of others it may be anywhere.
    let Ok(nearest) = value::assign(value, ty) else {
        let SqlType::Integer(kind) = ty else { return Converted::Unknown };
        let greatest = Value::UInt(kind.max());
        let least = if kind.unsigned { Value::UInt(0) } else { Value::Int(kind.min()) };
        return match (order(&least), order(&greatest)) {
            (Some(Ordering::Greater), _) => Converted::Above(least),
            (_, Some(Ordering::Less)) if kind.unsigned => Converted::Below(greatest),
            (_, Some(Ordering::Less)) => Converted::Below(Value::Int(kind.max() as i64)),
            _ => Converted::Unknown,
        };
    };
    match order(&nearest) {
        Some(Ordering::Equal) => Converted::Exact(nearest),
        Some(Ordering::Greater) => Converted::Above(nearest),
        Some(Ordering::Less) => Converted::Below(nearest),
        None => Converted::Unknown,
    }
}

/// The position of text that is longer than the column allows: right after the prefix that fits.
fn longer_than_any(value: &Value<'static>, ty: &SqlType) -> Option<Converted> {
    let (Value::Text(text), SqlType::Char { length, collation } | SqlType::VarChar { length, collation }) = (value, ty)
    else {
        return None;
    };
    let (end, _) = text.char_indices().nth(*length as usize)?;
    collation.is_code_point_order().then(|| Converted::Below(Value::text(text[..end].to_owned())))
}

/// Whether a value beside a column has one place in the column's order, whatever value of its type it is; a literal only needs its own.
pub fn has_place(expr: &Expr, ty: &SqlType) -> bool {
    if let ExprKind::Literal(value) = &expr.kind {
        return !matches!(convert(value, ty), Converted::Unknown);
    }
    let given = &expr.ty.sql;
    match ty {
        SqlType::Integer(_) | SqlType::Decimal { .. } => {
            matches!(given, SqlType::Integer(_) | SqlType::Decimal { .. })
        }
        SqlType::Time => matches!(given, SqlType::Time),
        ty if ty.is_date() => given.is_date(),
        ty if ty.is_text() => given.is_text(),
        ty if ty.is_binary() => given.is_binary(),
        _ => false,
    }
}

/// Whole numbers up to this are doubles exactly: by those text compares with numbers.
const EXACT_MAX: i64 = 1 << 53;

/// The moment or the number that a text beside a column of such is compared as: `'2024-02-29'`, `'12'`.
pub fn said_by_text(value: &Value<'static>, ty: &SqlType) -> Option<Value<'static>> {
    let Value::Text(text) = value else { return None };
    let mut warnings = Vec::new();
    let said = match ty {
        SqlType::Integer(_) => {
            text.parse().ok().filter(|number: &i64| (-EXACT_MAX..=EXACT_MAX).contains(number)).map(Value::Int)?
        }
        SqlType::Decimal { .. } => Value::Decimal(value::convert::to_decimal(value, &mut warnings).ok()?),
        SqlType::Double | SqlType::Float => Value::Double(value::convert::to_f64(value, &mut warnings).ok()?),
        ty if ty.is_date() => value::cast(value, &SqlType::DateTime { decimals: 6 }, &mut warnings).ok()?,
        _ => return None,
    };
    let order = value::compare(&said, value, Collation::BINARY).ok().flatten();
    (warnings.is_empty() && order == Some(Ordering::Equal)).then_some(said)
}

/// The bounds of all ranges. A range that can hold nothing is left out; `None` means that some place is not known and the
/// whole index must be read.
pub fn evaluate(ranges: &[KeyRange], map: &Map, types: &[SqlType], context: &Context) -> Result<Option<Vec<Bounds>>> {
    let mut all = Vec::with_capacity(ranges.len());
    let mut evaluation = Evaluation {
        fields: map.key.fields(),
        types,
        context,
        builder: TupleBuilder::new(),
        prefix: Vec::new(),
        ends: Vec::new(),
        last: Vec::new(),
        key: Vec::new(),
    };
    for range in ranges {
        match evaluation.range(range)? {
            Evaluated::Bounds(bounds) => all.push(bounds),
            Evaluated::Nothing => {}
            Evaluated::Unknown => return Ok(None),
        }
    }
    Ok(Some(all))
}

enum Evaluated {
    Bounds(Bounds),
    Nothing,
    Unknown,
}

/// Makes bounds of the values of ranges, in memory that serves one range after the other.
struct Evaluation<'a> {
    fields: &'a [FieldType],
    types: &'a [SqlType],
    context: &'a Context,
    builder: TupleBuilder,
    /// The fields that all keys of the range begin with, and where each ends.
    prefix: Vec<u8>,
    ends: Vec<usize>,
    last: Vec<u8>,
    key: Vec<u8>,
}

/// A value in the order of its column.
enum Placed {
    /// Written after the prefix; how the value compares to it.
    At(Ordering),
    Null,
    Unknown,
}

impl Evaluation<'_> {
    /// Writes the value of `expr` as field `at` to the end of `self.last`.
    fn place(&mut self, at: usize, expr: &Expr) -> Result<Placed> {
        let value = match &expr.kind {
            ExprKind::Param(n) => self.context.param(*n)?,
            _ => expr.eval_constant(self.context)?,
        };
        if value.is_null() {
            return Ok(Placed::Null);
        }
        let (value, nearest_to_value) = match convert(&value, &self.types[at]) {
            Converted::Exact(value) => (value, Ordering::Equal),
            Converted::Above(value) => (value, Ordering::Greater),
            Converted::Below(value) => (value, Ordering::Less),
            Converted::Unknown => return Ok(Placed::Unknown),
        };
        let kind = self.fields.get(at).ok_or_else(|| SqlError::internal("a key has too few fields"))?;
        self.last.clear();
        tuple::encode(kind, &value, &mut self.last)?;
        Ok(Placed::At(nearest_to_value))
    }

    /// A bound of the prefix, and of `self.last` unless it is of the prefix alone.
    fn bound(&mut self, is_prefix: bool, side: Side) -> Result<OwnedBound> {
        let mut start = 0;
        for &end in &self.ends {
            self.builder.push(Some(&self.prefix[start..end]).filter(|bytes| !bytes.is_empty()));
            start = end;
        }
        if !is_prefix {
            self.builder.push(Some(self.last.as_slice()).filter(|bytes| !bytes.is_empty()));
        }
        self.builder.finish_into(&mut self.key)?;
        Ok(OwnedBound { key: KeyBytes::of(&self.key), fields: self.ends.len() + usize::from(!is_prefix), side })
    }

    fn range(&mut self, range: &KeyRange) -> Result<Evaluated> {
        self.prefix.clear();
        self.ends.clear();
        for (at, expr) in range.equal.iter().enumerate() {
            match self.place(at, expr)? {
                Placed::At(Ordering::Equal) => self.prefix.extend_from_slice(&self.last),
                Placed::Null if range.null_safe.contains(&at) => {}
                Placed::At(_) | Placed::Null => return Ok(Evaluated::Nothing),
                Placed::Unknown => return Ok(Evaluated::Unknown),
            }
            self.ends.push(self.prefix.len());
        }
        let equal = range.equal.len();
        let mut bounds = Bounds::default();
        match &range.lower {
            Some((expr, inclusive)) => {
                let inclusive = match self.place(equal, expr)? {
                    Placed::At(nearest) => nearest.is_gt() || (nearest.is_eq() && *inclusive),
                    Placed::Null => return Ok(Evaluated::Nothing),
                    Placed::Unknown => return Ok(Evaluated::Unknown),
                };
                let side = if inclusive { Side::Before } else { Side::After };
                bounds.lower = Some(self.bound(false, side)?);
            }
            // NULLs sort first and match no comparison.
            None if range.upper.is_some() || range.is_not_null => {
                self.last.clear();
                bounds.lower = Some(self.bound(false, Side::After)?);
            }
            None if equal > 0 => bounds.lower = Some(self.bound(true, Side::Before)?),
            None => {}
        }
        match &range.upper {
            Some((expr, inclusive)) => {
                let inclusive = match self.place(equal, expr)? {
                    Placed::At(nearest) => nearest.is_lt() || (nearest.is_eq() && *inclusive),
                    Placed::Null => return Ok(Evaluated::Nothing),
                    Placed::Unknown => return Ok(Evaluated::Unknown),
                };
                let side = if inclusive { Side::After } else { Side::Before };
                bounds.upper = Some(self.bound(false, side)?);
            }
            None if equal > 0 => bounds.upper = Some(self.bound(true, Side::After)?),
            None => {}
        }
        Ok(Evaluated::Bounds(bounds))
    }
}

/// The keys of ranges of one whole number each, without bounds between: lists of IN are long. `None` where it is not
/// that.
pub fn integer_keys(
    ranges: &[KeyRange],
    map: &Map,
    types: &[SqlType],
    context: &Context,
    direction: Direction,
) -> Result<Option<KeyList>> {
    let ([field], [SqlType::Integer(integer), ..]) = (map.key.fields(), types) else { return Ok(None) };
    if ranges.len() < 2 || field.nullable {
        return Ok(None);
    }
    let mut numbers = Vec::with_capacity(ranges.len());
    for range in ranges {
        let ([expr], None, None) = (&range.equal[..], &range.lower, &range.upper) else { return Ok(None) };
        let number = match &expr.kind {
            ExprKind::Literal(Value::Int(number)) => i128::from(*number),
            ExprKind::Literal(Value::UInt(number)) => i128::from(*number),
            ExprKind::Literal(Value::Null) => continue,
            ExprKind::Param(n) => match context.param(*n)? {
                Value::Int(number) => i128::from(number),
                Value::UInt(number) => i128::from(number),
                Value::Null => continue,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        if number >= i128::from(integer.min()) && number <= i128::from(integer.max()) {
            numbers.push(number);
        }
    }
    numbers.compact_sort();
    numbers.dedup();
    if direction == Direction::Backward {
        numbers.reverse();
    }
    let mut keys = KeyList::default();
    let (mut builder, mut bytes, mut key) = (TupleBuilder::new(), Vec::new(), Vec::new());
    for number in numbers {
        let value = if integer.unsigned { Value::UInt(number as u64) } else { Value::Int(number as i64) };
        bytes.clear();
        tuple::encode(field, &value, &mut bytes)?;
        builder.push(Some(&bytes)).finish_into(&mut key)?;
        keys.push(&key);
    }
    Ok(Some(keys))
}
