//! Range exclusions: conditions that leave out few ranges of an index, as `<>`, NOT IN, IS NOT NULL do. Mostly a table scan is cheaper, as
//! nearly every row stays. An index is read where few rows are left, and where the table is one leaf: then the costs are the same, and the
//! index that native Dolt takes gives the rows in the order of native Dolt.

use std::cmp::{Ordering, Reverse};

use codec::CompactSort;
use value::{Collation, Value};

use super::index_choice::RANGES_MAX;
use super::key_conditions::is_of_collation;
use crate::catalog::{BaseTable, Index, IndexChoice, KeyRange};
use crate::exec;
use crate::expr::{CompareOp, Context, Expr, ExprKind, IsTest};
use crate::optimizer::cost::cardinality::LOOKUP_ROWS;
use crate::plan::{ColumnId, Scan};

/// What a condition leaves out of a column: NULL, and these values in ascending order.
struct Exclusion {
    column: usize,
    values: Vec<Expr>,
}

/// Chooses an index for a scan whose conditions ask for no place of one.
pub fn choose_for(scan: &mut Scan, context: &Context) {
    let exclusions: Vec<Exclusion> = scan.filter.iter().filter_map(|term| exclusion(term, scan)).collect();
    let Some(table) = scan.relation.base().filter(|_| !exclusions.is_empty()) else { return };
    if table.table.rows().root.level() == 0 {
        if let Some(access) = as_native(table, scan.relation.indexes(), &exclusions) {
            scan.access = access;
        }
        return;
    }
    // Another value of a parameter may leave out fewer rows.
    let is_literal = |exclusion: &Exclusion| exclusion.values.iter().all(|value| value.as_literal().is_some());
    let Some(rows) = scan.relation.row_count().filter(|_| exclusions.iter().all(is_literal)) else { return };
    let taken = std::mem::take(&mut scan.access);
    let mut best: Option<(u64, IndexChoice)> = None;
    for (number, index) in scan.relation.indexes().iter().enumerate().filter(|(_, index)| index.ordered) {
        let Some(ranges) = leading(index, &exclusions) else { continue };
        scan.access = IndexChoice { index: Some(number), ranges: Some(ranges), nearest: None };
        let Some((left, _)) = exec::count_ranges(scan, &scan.relation, context) else { continue };
        if (left as f64) * LOOKUP_ROWS < rows as f64 && best.as_ref().is_none_or(|(known, _)| left < *known) {
            best = Some((left, std::mem::take(&mut scan.access)));
        }
    }
    scan.access = best.map_or(taken, |(_, access)| access);
}

/// The index of native Dolt: with most of the conditions, then the primary, then by name.
fn as_native(table: &BaseTable, indexes: &[Index], exclusions: &[Exclusion]) -> Option<IndexChoice> {
    let used = |index: &Index| exclusions.iter().filter(|exclusion| index.columns.contains(&exclusion.column)).count();
    let is_primary = |number: usize| number == 0 && !table.schema().is_keyless();
    let (number, index) = indexes
        .iter()
        .enumerate()
        .filter(|(_, index)| index.ordered && used(index) > 0)
        .min_by_key(|(number, index)| (Reverse(used(index)), !is_primary(*number), &index.name))?;
    if is_primary(number) {
        return None;
    }
    let ranges = leading(index, exclusions);
    // What is left of a later column counts only where it is in pieces.
    let is_in_pieces =
        || exclusions.iter().any(|exclusion| index.columns.contains(&exclusion.column) && !exclusion.values.is_empty());
    (ranges.is_some() || is_in_pieces()).then_some(IndexChoice { index: Some(number), ranges, nearest: None })
}

/// The ranges that are left of the first column of an index.
fn leading(index: &Index, exclusions: &[Exclusion]) -> Option<Vec<KeyRange>> {
    let first = index.columns.first()?;
    let exclusion = exclusions.iter().find(|exclusion| exclusion.column == *first)?;
    let mut ranges = Vec::with_capacity(exclusion.values.len() + 1);
    let mut lower = None;
    for value in &exclusion.values {
        ranges.push(KeyRange { lower: lower.take(), upper: Some((value.clone(), false)), ..KeyRange::default() });
        lower = Some((value.clone(), false));
    }
    ranges.push(KeyRange { lower, is_not_null: exclusion.values.is_empty(), ..KeyRange::default() });
    Some(ranges)
}

fn exclusion(term: &Expr, scan: &Scan) -> Option<Exclusion> {
    let position = |expr: &Expr| {
        let id: ColumnId = expr.as_column()?;
        scan.columns.iter().find(|(column, _)| *column == id).map(|(_, position)| *position)
    };
    let is_indexed = |column: usize| scan.relation.indexes().iter().any(|index| index.columns.contains(&column));
    let (column, values) = match &term.kind {
        ExprKind::Compare(CompareOp::NotEqual, _, sides) => {
            let [left, right] = &**sides;
            match (position(left), position(right)) {
                (Some(column), None) if right.is_row_independent() => (column, vec![right.clone()]),
                (None, Some(column)) if left.is_row_independent() => (column, vec![left.clone()]),
                _ => return None,
            }
        }
        ExprKind::In(list) if list.negated && list.list.len() <= RANGES_MAX => {
            let column = position(&list.value).filter(|column| is_indexed(*column))?;
            (column, ascending(&list.list, scan.relation.columns()[column].ty.collation())?)
        }
        ExprKind::Is(inner, IsTest::NotNull) => (position(inner)?, Vec::new()),
        _ => return None,
    };
    is_of_collation(term, &scan.relation.columns()[column].ty).then_some(Exclusion { column, values })
}

/// Literals in their order, each once; `None` where they have none.
pub fn ascending(list: &[Expr], collation: Collation) -> Option<Vec<Expr>> {
    let first = list.first()?.as_literal()?;
    let is_exact = |value: &Value<'_>| matches!(value, Value::Int(_) | Value::UInt(_) | Value::Decimal(_));
    let is_alike = |value: &Value<'_>| {
        std::mem::discriminant(value) == std::mem::discriminant(first) || (is_exact(value) && is_exact(first))
    };
    let is_placed = |value: &Expr| value.as_literal().is_some_and(|value| !value.is_null() && is_alike(value));
    if !list.iter().all(is_placed) {
        return None;
    }
    let order = |left: &Expr, right: &Expr| -> core::result::Result<Ordering, ()> {
        let (Some(left), Some(right)) = (left.as_literal(), right.as_literal()) else { return Err(()) };
        value::compare(left, right, collation).ok().flatten().ok_or(())
    };
    // Of equal ones the first stays.
    let mut sorted: Vec<(usize, &Expr)> = list.iter().enumerate().collect();
    let compared: core::result::Result<(), ()> =
        sorted.try_compact_sort_by(|left, right| Ok(order(left.1, right.1)?.then(left.0.cmp(&right.0))));
    compared.ok()?;
    sorted.dedup_by(|later, first| order(later.1, first.1) == Ok(Ordering::Equal));
    Some(sorted.into_iter().map(|(_, value)| value.clone()).collect())
}
