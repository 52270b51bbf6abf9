//! Moves conditions towards the tables, so that fewer rows travel.

use crate::expr::{Expr, ExprKind};
use crate::plan::{ColumnSet, JoinKind, JoinStrategy, Plan, columns_of};

pub fn push_down(plan: Plan) -> Plan {
    push(plan, Vec::new())
}

fn set_of(plan: &Plan) -> ColumnSet {
    columns_of(plan).into_iter().collect()
}

fn reads_only(expr: &Expr, columns: &ColumnSet) -> bool {
    expr.columns().iter().all(|id| columns.contains(&id))
}

fn is_movable(expr: &Expr) -> bool {
    !expr.any(&|e| match &e.kind {
        ExprKind::Call(call) => call.function.is_volatile(),
        ExprKind::SetUserVariable(..) | ExprKind::UserVariable(_) => true,
        _ => false,
    })
}

/// Puts `predicate` as deep into `plan` as it may go.
fn push(plan: Plan, mut predicate: Vec<Expr>) -> Plan {
    match plan {
        Plan::Filter(input, own) => {
            // The outer conditions come after the inner ones: those may guard against errors in these.
            let mut all = own;
            all.append(&mut predicate);
            push(*input, all)
        }
        Plan::Project(input, columns) => {
            let (mut down, mut here) = (Vec::new(), Vec::new());
            for mut term in predicate {
                let simple = term
                    .columns()
                    .iter()
                    .all(|id| columns.iter().any(|(output, expr)| *output == id && is_movable(expr)));
                if simple && is_movable(&term) {
                    term.substitute(&|id| {
                        columns.iter().find(|(output, _)| *output == id).map(|(_, expr)| expr.clone())
                    });
                    down.push(term);
                } else {
                    here.push(term);
                }
            }
            push(*input, down).project(columns).filter(here)
        }
        Plan::Join(join) => push_join(*join, predicate),
        Plan::Scan(mut scan) => {
            let (own, here): (Vec<_>, Vec<_>) = predicate.into_iter().partition(is_movable);
            scan.filter.extend(own);
            Plan::Scan(scan).filter(here)
        }
        Plan::Aggregate(mut aggregate) => {
            // Conditions on group columns hold for whole groups.
            let (mut down, mut here) = (Vec::new(), Vec::new());
            for mut term in predicate {
                let on_groups = !aggregate.groups.is_empty()
                    && !term.columns().is_empty()
                    && term.columns().iter().all(|id| aggregate.groups.iter().any(|(group, _)| *group == id));
                if on_groups && is_movable(&term) {
                    term.substitute(&|id| {
                        aggregate.groups.iter().find(|(group, _)| *group == id).map(|(_, expr)| expr.clone())
                    });
                    down.push(term);
                } else {
                    here.push(term);
                }
            }
            aggregate.input = push(aggregate.input, down);
            Plan::Aggregate(aggregate).filter(here)
        }
        Plan::Apply(mut apply) => {
            let inner = set_of(&apply.input);
            let (down, here): (Vec<_>, Vec<_>) =
                predicate.into_iter().partition(|term| reads_only(term, &inner) && is_movable(term));
            apply.input = push(apply.input, down);
            Plan::Apply(apply).filter(here)
        }
        Plan::Sort(input, keys) => Plan::Sort(Box::new(push(*input, predicate)), keys),
        Plan::Distinct(input) => Plan::Distinct(Box::new(push(*input, predicate))),
        mut other => {
            other.inputs_mut(&mut |input| {
                let taken = std::mem::replace(input, Plan::Unit);
                *input = push(taken, Vec::new());
            });
            other.filter(predicate)
        }
    }
}

fn push_join(mut join: crate::plan::Join, predicate: Vec<Expr>) -> Plan {
    let (left, right) = (set_of(&join.left), set_of(&join.right));
    let dependent = matches!(join.strategy, JoinStrategy::Lookup { .. });
    let (mut to_left, mut to_right, mut here) = (Vec::new(), Vec::new(), Vec::new());
    // An outer join whose missing rows would be dropped anyway is an inner one.
    if join.kind == JoinKind::Left
        && predicate
            .iter()
            .any(|term| term.columns().iter().any(|id| right.contains(&id)) && rejects_nulls(term, &right))
    {
        join.kind = JoinKind::Inner;
    }
    for term in predicate {
        match join.kind {
            _ if !is_movable(&term) => here.push(term),
            _ if reads_only(&term, &left) && join.kind != JoinKind::Full => to_left.push(term),
            JoinKind::Inner if reads_only(&term, &right) && !term.columns().is_empty() => to_right.push(term),
            JoinKind::Inner => join.on.push(term),
            _ => here.push(term),
        }
    }
    let mut on = Vec::new();
    for term in std::mem::take(&mut join.on) {
        match join.kind {
            JoinKind::Inner if is_movable(&term) && reads_only(&term, &left) => to_left.push(term),
            JoinKind::Inner | JoinKind::Left | JoinKind::Semi | JoinKind::Anti
                if is_movable(&term) && reads_only(&term, &right) && !term.columns().is_empty() =>
            {
                to_right.push(term);
            }
            _ => on.push(term),
        }
    }
    join.on = on;
    join.left = push(join.left, to_left);
    join.right = push(join.right, if dependent { Vec::new() } else { std::mem::take(&mut to_right) });
    join.on.append(&mut to_right);
    Plan::Join(Box::new(join)).filter(here)
}

/// Whether a condition is never true when all of `columns` are NULL.
fn rejects_nulls(term: &Expr, columns: &ColumnSet) -> bool {
    match &term.kind {
        ExprKind::Compare(op, _, sides) if *op != crate::expr::CompareOp::NullSafeEqual => {
            sides.iter().any(|side| passes_null(side, columns))
        }
        ExprKind::Is(inner, crate::expr::IsTest::NotNull | crate::expr::IsTest::True | crate::expr::IsTest::False) => {
            passes_null(inner, columns)
        }
        ExprKind::In(list) => passes_null(&list.value, columns),
        ExprKind::Like(like) => passes_null(&like.text, columns),
        _ => false,
    }
}

/// Whether an expression is NULL when all of `columns` are.
fn passes_null(expr: &Expr, columns: &ColumnSet) -> bool {
    match &expr.kind {
        ExprKind::Column(id) => columns.contains(id),
        ExprKind::Arithmetic(_, sides) => sides.iter().any(|side| passes_null(side, columns)),
        ExprKind::Cast(inner, _) | ExprKind::Negate(inner) => passes_null(inner, columns),
        _ => false,
    }
}
