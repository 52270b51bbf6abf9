//! Index order: the order of the entries of an index, or of ranges of it.

use crate::catalog::{IndexChoice, KeyRange};
use crate::exec::scan::table_scan::ranges::has_place;
use crate::expr::{Expr, SortKey};
use crate::plan::{ColumnId, Scan};

/// The positions of columns in the relation of a scan; `None` where one is not of it.
pub fn positions(scan: &Scan, columns: &[ColumnId]) -> Option<Vec<usize>> {
    let position = |id: &ColumnId| scan.columns.iter().find(|(column, _)| column == id).map(|(_, position)| *position);
    columns.iter().map(position).collect()
}

/// Whether what is read of an index comes in the order of the columns at these positions.
pub fn gives(scan: &Scan, access: &IndexChoice, wanted: &[usize]) -> bool {
    let indexes = scan.relation.indexes();
    let primary: &[usize] = match indexes.first() {
        Some(index) if scan.relation.columns().iter().any(|column| column.primary) => &index.columns,
        _ => &[],
    };
    let number = match (access.index, primary.is_empty()) {
        (Some(number), _) => number,
        (None, false) => 0,
        (None, true) => return false,
    };
    if !indexes[number].ordered || access.nearest.is_some() {
        return false;
    }
    let ranges = access.ranges.as_deref().unwrap_or_default();
    let fixed = match ranges {
        [range] => fixed(scan, number, range),
        _ => Vec::new(),
    };
    let mut order = indexes[number].columns.iter().chain(if number == 0 { &[] } else { primary }).copied();
    let mut passed = Vec::new();
    wanted.iter().all(|position| {
        // Behind a whole key nothing is left to be put in order.
        let is_one_row = !primary.is_empty() && primary.iter().all(|key| passed.contains(key) || fixed.contains(key));
        if is_one_row || fixed.contains(position) || passed.contains(position) {
            return true;
        }
        loop {
            match order.next() {
                Some(next) if next == *position => {
                    passed.push(next);
                    return true;
                }
                Some(next) if fixed.contains(&next) || passed.contains(&next) => {}
                _ => return false,
            }
        }
    })
}

/// The columns that a range fixes to one value each: they do not disturb the order.
fn fixed(scan: &Scan, number: usize, range: &KeyRange) -> Vec<usize> {
    let columns = scan.relation.indexes()[number].columns.iter().copied().zip(&range.equal);
    let is_fixed = |&(column, expr): &(usize, &Expr)| has_place(expr, &scan.relation.columns()[column].ty.sql);
    columns.take_while(is_fixed).map(|(column, _)| column).collect()
}

/// The columns that an order is by, if it is by nothing else.
pub fn plain_columns(keys: &[SortKey]) -> Option<Vec<ColumnId>> {
    keys.iter().map(|key| key.expr.as_column()).collect()
}

/// Whether all keys descend, or none.
pub fn same_direction(keys: &[SortKey]) -> Option<bool> {
    let first = keys.first()?.descending;
    keys.iter().all(|key| key.descending == first).then_some(first)
}
