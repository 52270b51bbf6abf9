//! The order and equality of JSON values.

use std::cmp::Ordering;

use super::{Json, JsonObject};
use crate::decimal::Decimal;
use crate::temporal::DateTime;

impl Json {
    /// The reference's order: null, numbers, strings, objects, arrays, booleans, then dates and times; numbers by value whatever
    /// their kind, strings by bytes, arrays element by element, objects as [`compare_objects`] says.
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
            Json::Double(number) => Decimal::from_f64(*number),
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

/// Fewer members first; then, in the order of the keys, the first difference of a key or of the values under a common key.
fn compare_objects(left: &JsonObject, right: &JsonObject) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| {
        let unequal =
            left.iter().zip(right.iter()).map(|((a_key, a), (b_key, b))| a_key.cmp(b_key).then_with(|| a.compare(b)));
        unequal.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    })
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
            "{\"a\":1}",
            "{\"a\":2}",
            "{\"b\":0}",
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
        for (i, a) in values.iter().enumerate() {
            for (j, b) in values.iter().enumerate() {
                assert_eq!(a.compare(b), i.cmp(&j), "{a} {b}");
            }
        }
        assert_eq!(Json::parse("1").unwrap(), Json::Int(1));
        assert_eq!(Json::Decimal("1.50".parse().unwrap()), Json::Double(1.5));
    }
}
