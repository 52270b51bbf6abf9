//! `x IN (a, b, …)`: a short list is compared element by element, a long one of constants is a hash set.

use std::rc::Rc;

use codec::CompactSort;
use hashbrown::HashSet;
use value::{Collation, Date, DateTime, Value};

use super::compare::{Comparison, append_text_key, constant_moment, whole_number};
use super::evaluated::Evaluated;
use super::{Context, Expr, ExprKind, InList};
use crate::batch::Batch;
use crate::error::Result;
use crate::vector::{Bitmap, Data, Vector, VectorBuilder};

impl InList {
    pub(super) fn evaluate(&self, batch: &Batch, context: &Context) -> Result<Evaluated> {
        let value = self.value.evaluate(batch, context)?;
        if let Evaluated::Rows(column) = &value
            && let Some(found) = self.members(column, context)?.and_then(|members| members.test(column, self))
        {
            return Ok(Evaluated::Rows(Rc::new(found)));
        }
        let list = super::evaluate_all(&self.list, batch, context)?;
        let warn = super::compare::warn_of_text;
        let warns_of_items = matches!(&value, Evaluated::Constant(value) if !matches!(value, Value::Text(_)));
        if matches!(value, Evaluated::Rows(_)) && batch.rows > 0 && !matches!(value.value(0), Value::Text(_)) {
            // The items are made numbers once.
            list.iter().for_each(|item| warn(&item.value(0), &value.value(0), context));
        }
        // As the reference: a value of another column that cannot be compared is not the one; a constant is an error.
        let is_constant = list.iter().all(|item| matches!(item, Evaluated::Constant(_)));
        let test = |row: usize| -> Result<Value<'static>> {
            let tested = value.value(row);
            if tested.is_null() {
                return Ok(Value::Null);
            }
            if matches!(tested, Value::Text(_))
                && let Some(item) = list.first()
            {
                warn(&tested, &item.value(row), context);
            }
            let mut unknown = false;
            for item in &list {
                if warns_of_items {
                    warn(&item.value(row), &tested, context);
                }
                match super::CompareOp::Equal.test(&self.comparison, &tested, &item.value(row)) {
                    Ok(Some(true)) => return Ok(Value::boolean(!self.negated)),
                    Ok(None) => unknown = true,
                    Err(error) if is_constant => return Err(error),
                    Ok(Some(false)) | Err(_) => {}
                }
            }
            Ok(if unknown { Value::Null } else { Value::boolean(self.negated) })
        };
        if matches!(value, Evaluated::Constant(_)) && is_constant {
            return Ok(Evaluated::Constant(test(0)?));
        }
        let mut result = VectorBuilder::with_capacity(batch.rows);
        for row in 0..batch.rows {
            result.push(test(row)?);
            context.spend_work(list.len() * TEST_WORK);
            context.row_done(row + 1, batch.rows, 0)?;
        }
        Ok(Evaluated::Rows(Rc::new(result.finish())))
    }

    /// What a long list of constants holds, where the kind of its values and of those in the column has keys.
    fn members(&self, column: &Vector, context: &Context) -> Result<Option<Rc<Members>>> {
        if self.list.len() < LOOKED_UP_MIN {
            return Ok(None);
        }
        if let Some(known) = self.known.get() {
            return Ok(Some(known.clone()));
        }
        let is_constant = |item: &Expr| matches!(item.kind, ExprKind::Literal(_) | ExprKind::Param(_));
        if self.comparison.ready().is_err() || !self.list.iter().all(is_constant) {
            return Ok(None);
        }
        let items: Vec<Value<'_>> =
            self.list.iter().map(|item| item.eval_constant(context)).collect::<Result<Vec<_>>>()?;
        let members = Members::of(&items, &self.comparison, column).map(Rc::new);
        if let Some(members) = &members
            && self.list.iter().all(|item| item.as_literal().is_some())
        {
            let _ = self.known.set(members.clone());
        }
        Ok(members)
    }
}

/// What it costs to compare a value with one of the list.
const TEST_WORK: usize = 32;

/// Fewer items are compared one by one.
const LOOKED_UP_MIN: usize = 8;

/// The keys of the items of a list: numbers in their order.
#[derive(Debug)]
pub(super) struct Members {
    keys: Keys,
    has_null: bool,
}

#[derive(Debug)]
enum Keys {
    Numbers(Vec<i64>),
    /// Microseconds.
    Moments(Vec<i64>),
    /// Sorting many takes several times as long as hashing them.
    Texts(Collation, HashSet<Vec<u8>>),
}

impl Members {
    /// `None` where an item is of another kind than the column, whose values it may equal all the same.
    fn of(items: &[Value<'_>], comparison: &Comparison, column: &Vector) -> Option<Members> {
        let present = || items.iter().filter(|item| !item.is_null());
        let numbers = |number: &dyn Fn(&Value<'_>) -> Option<i64>| {
            let mut numbers = present().map(number).collect::<Option<Vec<i64>>>()?;
            numbers.compact_sort();
            Some(numbers)
        };
        let keys = match (&column.data, comparison) {
            (Data::Int(_) | Data::UInt(_), Comparison::Int) => {
                Keys::Numbers(numbers(&|item| i64::try_from(whole_number(item)?).ok())?)
            }
            (Data::Date(_) | Data::DateTime(_), Comparison::Moment | Comparison::Mixed(_)) => {
                Keys::Moments(numbers(&|item| Some(constant_moment(item)?.microseconds()))?)
            }
            (Data::Text(_), Comparison::Text(collation)) => {
                let key = |item: &Value<'_>| match item {
                    Value::Text(text) => Some(text_key(text.as_bytes(), *collation)),
                    _ => None,
                };
                Keys::Texts(*collation, present().map(key).collect::<Option<_>>()?)
            }
            _ => return None,
        };
        Some(Members { keys, has_null: present().count() < items.len() })
    }

    /// `None` for a column of another kind.
    fn test(&self, column: &Vector, list: &InList) -> Option<Vector> {
        let rows = column.len();
        let mut is_found = vec![false; rows];
        match (&column.data, &self.keys) {
            (Data::Int(values), Keys::Numbers(keys)) => {
                values.iter().zip(&mut is_found).for_each(|(value, found)| *found = keys.binary_search(value).is_ok());
            }
            (Data::UInt(values), Keys::Numbers(keys)) => {
                let has = |value: u64| i64::try_from(value).is_ok_and(|value| keys.binary_search(&value).is_ok());
                values.iter().zip(&mut is_found).for_each(|(value, found)| *found = has(*value));
            }
            (Data::Date(values), Keys::Moments(keys)) => {
                let has = |value: Date| keys.binary_search(&DateTime::from(value).microseconds()).is_ok();
                values.iter().zip(&mut is_found).for_each(|(value, found)| *found = has(*value));
            }
            (Data::DateTime(values), Keys::Moments(keys)) => {
                let has = |value: DateTime| keys.binary_search(&value.microseconds()).is_ok();
                values.iter().zip(&mut is_found).for_each(|(value, found)| *found = has(*value));
            }
            (Data::Text(values), Keys::Texts(collation, keys)) => {
                let mut key = Vec::new();
                values.for_each(|row, text| {
                    key.clear();
                    append_text_key(text, *collation, &mut key);
                    is_found[row] = keys.contains(&key);
                });
            }
            _ => return None,
        }
        let answers = is_found.iter().map(|found| i64::from(*found != list.negated)).collect();
        let mut validity = column.validity.clone();
        if self.has_null {
            // A value that is not found may equal the NULL.
            let known = validity.get_or_insert_with(|| Bitmap::filled(rows, true));
            is_found.iter().enumerate().filter(|(_, found)| !**found).for_each(|(row, _)| known.set(row, false));
        }
        Some(Vector { data: Data::Int(answers), validity })
    }
}

fn text_key(text: &[u8], collation: Collation) -> Vec<u8> {
    let mut key = Vec::new();
    append_text_key(text, collation, &mut key);
    key
}
