//! The order and equality of JSON values.

use std::cmp::Ordering;

use super::{Json, JsonObject};
use crate::decimal::Decimal;
use crate::temporal::DateTime;
use codec::CompactSort;

impl Json {
    /// The reference's order: null, numbers, strings, objects, arrays, booleans, then dates and times; numbers by value whatever
    /// their kind, strings by bytes, arrays element by element, objects as `compare_objects` says.
    pub fn compare(&self, other: &Json) -> Ordering {
        let precedence = self.precedence().cmp(&other.precedence());
        if precedence.is_ne() {
            return precedence;
        }
        match (self, other) {
            (Json::Bool(a), Json::Bool(b)) => a.cmp(b),
            (Json::String(a), Json::String(b)) => a.cmp(b),
            (Json::Array(a), Json::Array(b)) => {
                let unequal = a.iter().zip(b).map(|(a, b)| a.compare(b)).find(|order| order.is_ne());
                unequal.unwrap_or_else(|| a.len().cmp(&b.len()))
            }
            (Json::Object(a), Json::Object(b)) => compare_objects(a, b),
            (Json::Time(a), Json::Time(b)) => a.cmp(b),
            _ => match (self.moment(), other.moment()) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => self.compare_numbers(other),
            },
        }
    }

    /// Appends a key that is equal exactly for values that compare equal.
    pub fn hash_key(&self, key: &mut Vec<u8>) {
        key.push(self.precedence());
        match self {
            Json::Null => {}
            Json::Bool(truth) => key.push(u8::from(*truth)),
            Json::String(text) => push_text(text, key),
            Json::Array(items) => {
                key.extend_from_slice(&(items.len() as u32).to_le_bytes());
                items.iter().for_each(|item| item.hash_key(key));
            }
            Json::Object(members) => {
                key.extend_from_slice(&(members.len() as u32).to_le_bytes());
                for (name, value) in members.iter() {
                    push_text(name, key);
                    value.hash_key(key);
                }
            }
            Json::Time(time) => key.extend_from_slice(&time.microseconds().to_le_bytes()),
            Json::Date(_) | Json::DateTime(_) => {
                key.extend_from_slice(&self.moment().map_or(0, DateTime::microseconds).to_le_bytes());
            }
            Json::Int(_) | Json::UInt(_) | Json::Double(_) | Json::Decimal(_) => match self.exact() {
                // The length of the stored form varies, but its own bytes tell it.
                Some(number) => {
                    let from = key.len();
                    number.normalized().encode(key);
                    key.push((key.len() - from) as u8);
                }
                None => key.extend_from_slice(&self.double().to_le_bytes()),
            },
        }
    }

    fn precedence(&self) -> u8 {
        match self {
            Json::Null => 0,
            Json::Int(_) | Json::UInt(_) | Json::Double(_) | Json::Decimal(_) => 1,
            Json::String(_) => 2,
            Json::Object(_) => 3,
            Json::Array(_) => 4,
            Json::Bool(_) => 5,
            Json::Date(_) | Json::DateTime(_) => 6,
            Json::Time(_) => 7,
        }
    }

    fn moment(&self) -> Option<DateTime> {
        match self {
            Json::Date(date) => Some(DateTime::from(*date)),
            Json::DateTime(moment) => Some(*moment),
            _ => None,
        }
    }

    fn compare_numbers(&self, other: &Json) -> Ordering {
        if let (Json::Double(a), Json::Double(b)) = (self, other) {
            return a.partial_cmp(b).unwrap_or(Ordering::Equal);
        }
        match (self.exact(), other.exact()) {
            (Some(a), Some(b)) => a.cmp(&b),
            // A double beyond every decimal.
            _ => self.double().partial_cmp(&other.double()).unwrap_or(Ordering::Equal),
        }
    }

    fn exact(&self) -> Option<Decimal> {
        match self {
            Json::Int(number) => Some(Decimal::from(*number)),
            Json::UInt(number) => Some(Decimal::from(*number)),
            // A large whole one is the integer that it holds, not that of its shortest digits.
            Json::Double(number) if (LARGE_WHOLE..i64::MAX as f64).contains(&number.abs()) => {
                Some(Decimal::from(*number as i64))
            }
            // Not those too small or large for a decimal.
            Json::Double(number) => Decimal::from_f64(*number).filter(|decimal| decimal.to_f64() == *number),
            Json::Decimal(number) => Some(*number),
            _ => None,
        }
    }

    fn double(&self) -> f64 {
        match self {
            Json::Int(number) => *number as f64,
            Json::UInt(number) => *number as f64,
            Json::Double(number) => *number,
            Json::Decimal(number) => number.to_f64(),
            _ => 0.0,
        }
    }
}

/// From here on a double is a whole number.
const LARGE_WHOLE: f64 = (1u64 << 53) as f64;

fn push_text(text: &str, key: &mut Vec<u8>) {
    key.extend_from_slice(&(text.len() as u32).to_le_bytes());
    key.extend_from_slice(text.as_bytes());
}

/// Members in the order of their keys' bytes: where the keys differ the smaller one is the greater object, then values under
/// common keys, then the number of members.
fn compare_objects(left: &JsonObject, right: &JsonObject) -> Ordering {
    fn sorted(object: &JsonObject) -> Vec<(&str, &Json)> {
        let mut members: Vec<_> = object.iter().collect();
        members.compact_sort_by_key(|(key, _)| *key);
        members
    }
    let unequal = sorted(left)
        .into_iter()
        .zip(sorted(right))
        .map(|((a_key, a), (b_key, b))| b_key.cmp(a_key).then_with(|| a.compare(b)))
        .find(|order| order.is_ne());
    unequal.unwrap_or_else(|| left.len().cmp(&right.len()))
}

impl PartialEq for Json {
    fn eq(&self, other: &Json) -> bool {
        self.compare(other).is_eq()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_the_references_order() {
        let ordered = [
            "null",
            "-1",
            "0",
            "1.5",
            "2",
            "1e300",
            "\"B\"",
            "\"a\"",
            "\"z\"",
            "{}",
            "{\"b\":0}",
            "{\"a\":1}",
            "{\"a\":1,\"b\":0}",
            "{\"a\":2}",
            "[]",
            "[1]",
            "[1,0]",
            "[1,2]",
            "[1,3]",
            "[2]",
            "false",
            "true",
        ];
        let values: Vec<Json> = ordered.iter().map(|text| Json::parse(text).unwrap()).collect();
        let key = |json: &Json| {
            let mut key = Vec::new();
            json.hash_key(&mut key);
            key
        };
        assert_eq!(key(&Json::Int(1)), key(&Json::Double(1.0)));
        for (i, a) in values.iter().enumerate() {
            for (j, b) in values.iter().enumerate() {
                assert_eq!(a.compare(b), i.cmp(&j), "{a} {b}");
                assert_eq!(key(a) == key(b), i == j, "{a} {b}");
            }
        }
        assert_eq!(Json::parse("1").unwrap(), Json::Int(1));
        assert_eq!(Json::Decimal("1.50".parse().unwrap()), Json::Double(1.5));
    }
}
