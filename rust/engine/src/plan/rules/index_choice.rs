//! Which index a scan reads, and what part of it.

use crate::catalog::{Index, IndexChoice, KeyRange};
use crate::expr::{CompareOp, Expr, ExprKind, IsTest};
use crate::plan::{ColumnId, Plan, Scan};

/// An IN list or OR chain may become this many ranges.
const RANGES_MAX: usize = 10_000;

pub fn choose(mut plan: Plan) -> Plan {
    plan.inputs_mut(&mut |input| {
        let taken = std::mem::replace(input, Plan::Unit);
        *input = choose(taken);
    });
    if let Plan::Scan(scan) = &mut plan
        && scan.relation.base().is_some()
        && scan.access.index.is_none()
        && !scan.filter.is_empty()
    {
        choose_for(scan);
    }
    plan
}

/// A condition on one column.
enum Condition {
    Equal(Vec<Expr>),
    Null,
    Lower(Expr, bool),
    Upper(Expr, bool),
}

fn choose_for(scan: &mut Scan) {
    let conditions: Vec<(usize, Condition)> =
        scan.filter.iter().filter_map(|term| condition(term, &scan.columns)).collect();
    let mut best: Option<(f64, IndexChoice)> = None;
    for (number, index) in scan.relation.indexes().iter().enumerate().filter(|(_, index)| index.ordered) {
        let Some((ranges, score)) = ranges_of(index, &conditions) else { continue };
        let score = score + bonus(scan, number, index);
        if best.as_ref().is_none_or(|(known, _)| score > *known) {
            best = Some((score, IndexChoice { index: Some(number), ranges: Some(ranges) }));
        }
    }
    if let Some((_, choice)) = best {
        scan.access = choice;
    }
}

/// The primary index needs no lookup of rows, nor does one that has all columns.
fn bonus(scan: &Scan, number: usize, index: &Index) -> f64 {
    let has =
        |position: usize| index.columns.contains(&position) || scan.relation.indexes()[0].columns.contains(&position);
    let primary = scan.relation.columns().iter().any(|column| column.primary);
    match number {
        0 if primary => 0.5,
        _ if primary && scan.columns.iter().all(|(_, position)| has(*position)) => 0.4,
        _ => 0.0,
    }
}

/// The ranges of an index that the conditions leave, and how narrow they are: 2 for each equal column, 1 for a bound.
fn ranges_of(index: &Index, conditions: &[(usize, Condition)]) -> Option<(Vec<KeyRange>, f64)> {
    let mut ranges = vec![KeyRange::default()];
    let mut score = 0.0;
    for &column in &index.columns {
        let on = || conditions.iter().filter(move |(on, _)| *on == column).map(|(_, condition)| condition);
        let equal = on().find_map(|condition| match condition {
            Condition::Equal(values) if ranges.len() * values.len() <= RANGES_MAX => Some(values),
            _ => None,
        });
        if let Some(values) = equal {
            ranges = ranges
                .iter()
                .flat_map(|range| {
                    values.iter().map(|value| {
                        let mut range = range.clone();
                        range.equal.push(value.clone());
                        range
                    })
                })
                .collect();
            score += 2.0;
            continue;
        }
        if on().any(|condition| matches!(condition, Condition::Null)) {
            for range in &mut ranges {
                range.null_safe.push(range.equal.len());
                range.equal.push(Expr::null());
            }
            score += 1.8;
            continue;
        }
        let lower = on()
            .find_map(|c| if let Condition::Lower(e, inclusive) = c { Some((e.clone(), *inclusive)) } else { None });
        let upper = on()
            .find_map(|c| if let Condition::Upper(e, inclusive) = c { Some((e.clone(), *inclusive)) } else { None });
        score += 0.5 * (u8::from(lower.is_some()) + u8::from(upper.is_some())) as f64
            + if lower.is_some() || upper.is_some() { 0.3 } else { 0.0 };
        for range in &mut ranges {
            (range.lower, range.upper) = (lower.clone(), upper.clone());
        }
        break;
    }
    // All columns of a unique index: one row at most.
    if index.unique && score >= 2.0 * index.columns.len() as f64 {
        score += 10.0;
    }
    (score > 0.0).then_some((ranges, score))
}

/// What a conjunct says about a column of the relation.
fn condition(term: &Expr, columns: &[(ColumnId, usize)]) -> Option<(usize, Condition)> {
    let position = |expr: &Expr| {
        let id = expr.as_column()?;
        columns.iter().find(|(column, _)| *column == id).map(|(_, position)| *position)
    };
    match &term.kind {
        ExprKind::Compare(op, _, sides) => {
            let [left, right] = &**sides;
            let (position, op, constant) = match (position(left), position(right)) {
                (Some(position), None) if right.is_row_independent() => (position, *op, right),
                (None, Some(position)) if left.is_row_independent() => (position, op.mirrored(), left),
                _ => return None,
            };
            let constant = constant.clone();
            let condition = match op {
                CompareOp::Equal => Condition::Equal(vec![constant]),
                CompareOp::Less => Condition::Upper(constant, false),
                CompareOp::LessOrEqual => Condition::Upper(constant, true),
                CompareOp::Greater => Condition::Lower(constant, false),
                CompareOp::GreaterOrEqual => Condition::Lower(constant, true),
                CompareOp::NotEqual | CompareOp::NullSafeEqual => return None,
            };
            Some((position, condition))
        }
        ExprKind::In(list) if !list.negated && list.list.iter().all(Expr::is_row_independent) => {
            Some((position(&list.value)?, Condition::Equal(list.list.clone())))
        }
        ExprKind::Is(inner, IsTest::Null) => Some((position(inner)?, Condition::Null)),
        _ => None,
    }
}
