//! Value ranges of system variables.

use value::{Decimal, Value};

use super::variables::{Default, Definition};

/// Of the values of a variable's kind those that it can have. Both ends are in a range.
#[derive(Debug, Clone, Copy)]
pub enum Range {
    All,
    Int(i64, i64),
    /// Also -1.
    IntOrNone(i64, i64),
    UInt(u64, u64),
    Double(f64, f64),
    /// One of the words between commas, in any case, or its number from 0 on.
    OneOf(&'static str),
    /// Some of the words between commas.
    SomeOf(&'static str),
}

impl Definition {
    /// The value as the variable keeps it.
    ///
    /// # Errors
    /// The text of a value that it cannot have.
    pub fn accept(&self, value: &Value<'_>) -> Result<Value<'static>, String> {
        let refused = || match value {
            Value::Null => "NULL".to_owned(),
            value => value::convert::to_string(value).unwrap_or_default().into_owned(),
        };
        match (self.range, self.default) {
            (Range::UInt(least, most), _) => {
                let number = unsigned(value).ok_or_else(refused)?;
                (least <= number && number <= most).then_some(Value::UInt(number)).ok_or_else(|| number.to_string())
            }
            (Range::OneOf(words), _) => one_of(words, value).ok_or_else(refused),
            (Range::SomeOf(words), _) => some_of(words, value).ok_or_else(refused),
            (Range::Int(least, most), _) => {
                integer(value).filter(|n| least <= *n && *n <= most).map(Value::Int).ok_or_else(refused)
            }
            (Range::IntOrNone(least, most), _) => {
                integer(value).filter(|n| least <= *n && *n <= most || *n == -1).map(Value::Int).ok_or_else(refused)
            }
            (Range::Double(least, most), _) => {
                double(value).filter(|n| least <= *n && *n <= most).map(Value::Double).ok_or_else(refused)
            }
            (Range::All, Default::Bool(_)) => truth(value).map(Value::boolean).ok_or_else(refused),
            (Range::All, Default::Int(_) | Default::UInt(_)) => integer(value).map(Value::Int).ok_or_else(refused),
            (Range::All, Default::Double(_)) => double(value).map(Value::Double).ok_or_else(refused),
            (Range::All, Default::Text(_)) => match value {
                Value::Null => Ok(Value::text("")),
                Value::Text(_) | Value::Bytes(_) => Ok(Value::text(refused())),
                _ => Err(refused()),
            },
        }
    }
}

fn truth(value: &Value<'_>) -> Option<bool> {
    match value {
        Value::Text(text) => match text.trim() {
            word if word.eq_ignore_ascii_case("on") || word.eq_ignore_ascii_case("true") => Some(true),
            word if word.eq_ignore_ascii_case("off") || word.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        },
        value => integer(value).filter(|number| matches!(number, 0 | 1)).map(|number| number == 1),
    }
}

/// A whole number; fractions are none.
fn integer(value: &Value<'_>) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        Value::UInt(number) => Some(*number as i64),
        Value::Text(text) => text.trim().parse().ok(),
        Value::Decimal(_) | Value::Double(_) | Value::Float(_) => {
            double(value).filter(|number| *number == (*number as i64) as f64).map(|number| number as i64)
        }
        _ => None,
    }
}

/// As native Dolt has it decimals are rounded, and what is below zero is far above.
fn unsigned(value: &Value<'_>) -> Option<u64> {
    match value {
        Value::Decimal(number) => Decimal::round(number, 0).to_string().parse().ok(),
        Value::Text(_) => None,
        value => integer(value).map(|number| number as u64),
    }
}

fn double(value: &Value<'_>) -> Option<f64> {
    match value {
        Value::Null => None,
        value => value::convert::to_string(value).ok()?.trim().parse().ok(),
    }
}

fn one_of(words: &'static str, value: &Value<'_>) -> Option<Value<'static>> {
    let mut words = words.split(',');
    let word = match value {
        Value::Text(text) => words.find(|word| word.eq_ignore_ascii_case(text)),
        value => words.nth(usize::try_from(integer(value)?).ok()?),
    };
    word.map(Value::text)
}

fn some_of(words: &'static str, value: &Value<'_>) -> Option<Value<'static>> {
    let text = match value {
        Value::Text(text) => text.to_string(),
        value => {
            let bits = u64::try_from(integer(value)?).ok()?;
            let chosen = words.split(',').enumerate().filter(|(at, _)| bits >> at & 1 == 1);
            chosen.map(|(_, word)| word).collect::<Vec<_>>().join(",")
        }
    };
    let is_chosen = |word: &&str| text.split(',').any(|chosen| chosen.trim().eq_ignore_ascii_case(word));
    let chosen: Vec<&str> = words.split(',').filter(is_chosen).collect();
    let asked = text.split(',').filter(|word| !word.trim().is_empty()).count();
    (chosen.len() == asked).then(|| Value::text(chosen.join(",")))
}
