//! Memoized subquery results: by the values that the subquery reads of the outer row, and for `IN` by the members.

use std::rc::Rc;

use hashbrown::HashMap;
use value::Value;

use crate::batch::Batch;
use crate::exec::batches::key_set::KeySet;
use crate::exec::batches::row_keys::RowKeys;
use crate::expr::Comparison;
use crate::vector::Vector;

/// Answers that are kept at most.
const ANSWERS_MAX: usize = 10_000;

/// After so many questions there have to be some that were asked before.
const TRIED: usize = 4_000;

/// Answers by the values that a subquery reads of a row.
#[derive(Default)]
pub struct Answers {
    known: HashMap<Box<[u8]>, Value<'static>>,
    asked: usize,
    found: usize,
}

impl Answers {
    /// The bytes of these values, which are the same for no others; `None` where there are values that are not kept, or it does
    /// not pay.
    pub fn key<'a>(&self, values: impl Iterator<Item = Value<'a>>) -> Option<Vec<u8>> {
        if self.asked >= TRIED && self.found < self.asked / 8 {
            return None;
        }
        let mut key = Vec::new();
        for value in values {
            let digits;
            let (tag, bytes): (u8, &[u8]) = match &value {
                Value::Null => (0, &[]),
                Value::Int(number) => (1, &number.to_le_bytes()),
                Value::UInt(number) => (2, &number.to_le_bytes()),
                Value::Text(text) => (3, text.as_bytes()),
                Value::Bytes(bytes) => (4, bytes),
                Value::Date(date) => (5, &date.days().to_le_bytes()),
                Value::DateTime(moment) => (6, &moment.microseconds().to_le_bytes()),
                Value::Time(time) => (7, &time.microseconds().to_le_bytes()),
                Value::Year(year) => (8, &year.to_le_bytes()),
                Value::Bit(bits) => (9, &bits.to_le_bytes()),
                Value::Double(number) => (10, &number.to_bits().to_le_bytes()),
                Value::Float(number) => (11, &number.to_bits().to_le_bytes()),
                // With its digits: an answer may show them.
                Value::Decimal(number) => {
                    digits = number.to_string();
                    (12, digits.as_bytes())
                }
                Value::Enum(_) | Value::Set(_) | Value::Json(_) | Value::Geometry(_) => return None,
            };
            key.push(tag);
            key.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            key.extend_from_slice(bytes);
        }
        Some(key)
    }

    pub fn get(&mut self, key: &[u8]) -> Option<Value<'static>> {
        self.asked += 1;
        let known = self.known.get(key).cloned();
        self.found += usize::from(known.is_some());
        known
    }

    pub fn keep(&mut self, key: Vec<u8>, answer: &Value<'static>) {
        if self.known.len() < ANSWERS_MAX {
            self.known.insert(key.into(), answer.clone());
        }
    }
}

/// The rows among which `IN` looks.
pub struct Members {
    keys: KeySet,
    rows: usize,
    has_null: bool,
}

impl Members {
    pub fn of(batches: &[Batch], comparisons: &[Comparison]) -> Members {
        let mut members = Members { keys: KeySet::default(), rows: 0, has_null: false };
        for batch in batches {
            members.rows += batch.rows;
            let keys = RowKeys::of(&batch.columns, comparisons, batch.rows);
            for row in 0..batch.rows {
                if keys.has_null(row) {
                    members.has_null = true;
                } else {
                    members.keys.insert(keys.get(row));
                }
            }
        }
        members
    }

    /// For each row of tested values whether it is among them; `None` where a NULL beside other values leaves that to be looked at.
    pub fn find(&self, tested: &[Rc<Vector>], comparisons: &[Comparison], rows: usize) -> Vec<Option<Value<'static>>> {
        let keys = RowKeys::of(tested, comparisons, rows);
        let answer = |row: usize| match (self.rows, keys.has_null(row)) {
            (0, _) => Some(Value::Int(0)),
            (_, false) if self.keys.contains(keys.get(row)) => Some(Value::Int(1)),
            (_, false) if !self.has_null => Some(Value::Int(0)),
            _ if tested.len() == 1 => Some(Value::Null),
            _ => None,
        };
        (0..rows).map(answer).collect()
    }
}
