//! Row comparison for ORDER BY, windows and top-N.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::batch::Batch;
use crate::error::Result;
use crate::expr::{Comparison, Context, Expr, SortKey};
use crate::vector::{Data, Vector};

/// One column of an order.
pub struct Key {
    pub expr: Expr,
    pub descending: bool,
    pub comparison: Comparison,
}

impl Key {
    pub fn of(key: &SortKey) -> Key {
        Key { expr: key.expr.clone(), descending: key.descending, comparison: Comparison::within(&key.expr.ty) }
    }
}

/// The columns that `keys` order by.
pub fn key_columns(batch: &Batch, keys: &[Key], context: &Context) -> Result<Vec<Rc<Vector>>> {
    keys.iter().map(|key| key.expr.eval(batch, context)).collect()
}

/// A number for each row that is in the order of the key, as far as 64 bits can tell, and whether they tell everything.
pub fn prefixes(column: &Vector, key: &Key, rows: usize) -> (Vec<u64>, bool) {
    const SIGN: u64 = 1 << 63;
    let mut exact = column.validity.is_none();
    let mut numbers: Vec<u64> = match (&column.data, &key.comparison) {
        (Data::Int(values), Comparison::Int) => values.iter().map(|value| *value as u64 ^ SIGN).collect(),
        (Data::UInt(values), Comparison::Int) => values.clone(),
        (Data::Double(values), Comparison::Double) => values.iter().map(|value| double_prefix(*value)).collect(),
        (Data::Decimal(values), _) => {
            exact = false;
            values.iter().map(|value| double_prefix(value.to_f64())).collect()
        }
        (Data::DateTime(values), Comparison::Moment) => {
            values.iter().map(|value| value.microseconds() as u64 ^ SIGN).collect()
        }
        (Data::Date(values), Comparison::Moment) => values.iter().map(|value| u64::from(value.packed())).collect(),
        (Data::Text(values), Comparison::Text(collation)) if collation.is_code_point_order() => {
            exact = false;
            (0..rows).map(|row| text_prefix(values.get(row))).collect()
        }
        (Data::Bytes(values), Comparison::Bytes) => {
            exact = false;
            (0..rows).map(|row| text_prefix(values.get(row))).collect()
        }
        _ => return (vec![0; rows], false),
    };
    if column.validity.is_some() {
        // NULL sorts before everything; what has the same number is compared in full.
        numbers.iter_mut().enumerate().filter(|(row, _)| column.is_null(*row)).for_each(|(_, number)| *number = 0);
    }
    if key.descending {
        numbers.iter_mut().for_each(|number| *number = !*number);
    }
    (numbers, exact)
}

/// A number in the order of doubles; −0 is 0.
fn double_prefix(value: f64) -> u64 {
    let bits = (if value == 0.0 { 0.0 } else { value }).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn text_prefix(bytes: &[u8]) -> u64 {
    let mut first = [0; 8];
    let len = bytes.len().min(8);
    first[..len].copy_from_slice(&bytes[..len]);
    u64::from_be_bytes(first)
}

/// The order of row `a` of the columns `left` and row `b` of `right`; NULL sorts before everything.
pub fn compare_rows(left: &[Rc<Vector>], a: usize, right: &[Rc<Vector>], b: usize, keys: &[Key]) -> Ordering {
    for ((left, right), key) in left.iter().zip(right).zip(keys) {
        let order = match (left.is_null(a), right.is_null(b)) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => key.comparison.order(left, a, right, b),
        };
        let order = if key.descending { order.reverse() } else { order };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_in_for_doubles() {
        let values = [f64::NEG_INFINITY, -1e300, -2.5, -1e-300, 0.0, 1e-300, 1.0, 7.25, 1e300, f64::INFINITY];
        assert!(values.is_sorted_by_key(|value| double_prefix(*value)));
        assert_eq!(double_prefix(-0.0), double_prefix(0.0));
    }
}
