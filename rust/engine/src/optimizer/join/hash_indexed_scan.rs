//! Hash-indexed scans: correlated scans without an index get a hash table.

use std::rc::Rc;

use crate::catalog::{IndexChoice, KeyRange};
use crate::expr::{CompareOp, Expr, ExprKind};
use crate::plan::repeatable::is_movable;
use crate::plan::{HashIndexedScan, KeyOfRow, Plan, Scan};

/// Chooses them in all parts of a plan; it is the last rule, for no other knows what comes of it.
pub fn choose(plan: &mut Plan) {
    if let Plan::Apply(apply) = plan {
        choose(&mut apply.subquery.plan);
    }
    plan.inputs_mut(&mut choose);
    if let Plan::Scan(scan) = plan
        && let Some((keyed, rest)) = keyed(scan)
    {
        *plan = Plan::HashIndexedScan(Box::new(keyed)).filter(rest);
    }
}

/// The scan by its keys, and the conditions that stay above it.
fn keyed(scan: &Scan) -> Option<(HashIndexedScan, Vec<Expr>)> {
    let is_asked = scan.filter.iter().any(|term| key_of(term).is_some());
    if !is_asked || scan.relation.base().is_none() || is_looked_up(&scan.access) {
        return None;
    }
    let mut scan = scan.clone();
    let (mut keys, mut rest, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for term in std::mem::take(&mut scan.filter) {
        match key_of(&term) {
            Some(key) => keys.push(key),
            None if term.reads_outer() => rest.push(term),
            None => own.push(term),
        }
    }
    scan.filter = own;
    Some((HashIndexedScan { scan, keys, name: Rc::from("keyed") }, rest))
}

/// Both sides of `column = value of the outer row`.
fn key_of(condition: &Expr) -> Option<KeyOfRow> {
    let ExprKind::Compare(CompareOp::Equal, comparison, sides) = &condition.kind else { return None };
    let [left, right] = &**sides;
    let comparison = comparison.hashed(&left.ty, &right.ty)?;
    let is_value = |expr: &Expr| expr.columns().is_empty() && expr.reads_outer() && is_movable(expr);
    let (column, value) = match (left.as_column(), right.as_column()) {
        (Some(_), None) if is_value(right) => (left, right),
        (None, Some(_)) if is_value(left) => (right, left),
        _ => return None,
    };
    let [column, value] = [column, value].map(|side| super::join_method::key(side, comparison));
    Some(KeyOfRow { condition: condition.clone(), column, value, comparison })
}

/// Whether an index finds the rows of each outer row.
fn is_looked_up(access: &IndexChoice) -> bool {
    access.nearest.is_some() || access.ranges.iter().flatten().any(KeyRange::reads_outer)
}
