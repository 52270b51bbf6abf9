//! Predicate push-down: moves conditions towards the tables, so that fewer rows are passed on.

use super::common_conjuncts;
use super::equivalence::{also_of_partner, holds_for_equals};
use crate::expr::{Expr, ExprKind};
use crate::optimizer::subquery::{materialized_cte, memoization};
use crate::plan::repeatable::is_movable;
use crate::plan::{
    Aggregate, ColumnId, ColumnSet, Join, JoinKind, JoinStrategy, Plan, SetKind, SetOperation, column_set, columns_of,
};

pub fn push_down(plan: &mut Plan) {
    push(plan, Vec::new());
}

fn reads_only(expr: &Expr, columns: &ColumnSet) -> bool {
    expr.columns().iter().all(|id| columns.contains(&id))
}

/// Puts `predicate` as deep into `plan` as it may go.
fn push(plan: &mut Plan, mut predicate: Vec<Expr>) {
    match plan {
        Plan::Filter(input, own) => {
            // The outer conditions come after the inner ones: those may guard against errors in these.
            let mut all = std::mem::take(own);
            all.append(&mut predicate);
            *plan = input.take();
            push(plan, all);
        }
        Plan::Project(input, columns) => {
            let here = push_projected(input, columns, predicate);
            plan.add_filter(here);
        }
        Plan::Join(join) => {
            let here = push_join(join, predicate);
            plan.add_filter(here);
        }
        Plan::Scan(scan) => {
            let here = predicate.extract_if(.., |term| !is_movable(term)).collect();
            match scan.filter.is_empty() {
                true => scan.filter = predicate,
                false => scan.filter.append(&mut predicate),
            }
            plan.add_filter(here);
        }
        Plan::Aggregate(aggregate) => {
            let here = push_grouped(aggregate, predicate);
            plan.add_filter(here);
        }
        Plan::Apply(apply) => {
            if memoization::is_sunk(apply, &predicate) {
                memoization::sink(plan);
                return push(plan, predicate);
            }
            let inner = column_set(&apply.input);
            let here = predicate.extract_if(.., |term| !(reads_only(term, &inner) && is_movable(term))).collect();
            push(&mut apply.input, predicate);
            plan.add_filter(here);
        }
        Plan::Sort(input, _) => push(input, predicate),
        Plan::Distinct(input) => {
            let here = predicate.extract_if(.., |term| !holds_for_equals(term)).collect();
            push(input, predicate);
            plan.add_filter(here);
        }
        Plan::Window(window) => {
            // Conditions on what all windows are divided by leave out whole parts.
            let divides = |id: ColumnId| {
                window.calls.iter().all(|(_, call)| call.partition.iter().any(|expr| expr.as_column() == Some(id)))
            };
            let on_parts = |term: &Expr| {
                let read = term.columns();
                !read.is_empty() && read.iter().all(divides) && is_movable(term) && holds_for_equals(term)
            };
            let here = predicate.extract_if(.., |term| !on_parts(term)).collect();
            push(&mut window.input, predicate);
            plan.add_filter(here);
        }
        Plan::MaterializedCte(cte)
            if predicate.iter().any(|term| materialized_cte::reaches(&cte.plan, &term.columns())) =>
        {
            *plan = cte.plan.take();
            push(plan, predicate);
        }
        Plan::SetOperation(operation) => {
            let here = push_sides(operation, predicate);
            plan.add_filter(here);
        }
        other => {
            other.inputs_mut(&mut |input| push(input, Vec::new()));
            other.add_filter(predicate);
        }
    }
}

/// Puts conditions below a projection; gives those that stay above it.
fn push_projected(input: &mut Plan, columns: &[(ColumnId, Expr)], mut predicate: Vec<Expr>) -> Vec<Expr> {
    let is_high = !predicate.is_empty() && columns.iter().any(|(_, expr)| expr.is_higher_than(Expr::HEIGHT_MAX / 2));
    let is_moved = |term: &Expr| {
        let mut read = term.columns();
        // Through many projections a condition would become higher than the stack.
        if (is_high && !read.is_empty()) || term.is_higher_than(Expr::HEIGHT_MAX / 2) {
            return false;
        }
        columns.iter().filter(|(_, expr)| is_movable(expr)).for_each(|(output, _)| read.remove(output));
        read.is_empty() && is_movable(term)
    };
    let here = predicate.extract_if(.., |term| !is_moved(term)).collect();
    for term in &mut predicate {
        term.substitute(&|id| columns.iter().find(|(output, _)| *output == id).map(|(_, expr)| expr.clone()));
    }
    push(input, predicate);
    here
}

/// Conditions on group columns hold for whole groups; gives those that stay above them.
fn push_grouped(aggregate: &mut Aggregate, mut predicate: Vec<Expr>) -> Vec<Expr> {
    let on_groups = |term: &Expr| {
        let read = term.columns();
        !read.is_empty()
            && read.iter().all(|id| aggregate.groups.iter().any(|(group, _)| *group == id))
            && is_movable(term)
            && holds_for_equals(term)
    };
    let here = predicate.extract_if(.., |term| !on_groups(term)).collect();
    for term in &mut predicate {
        term.substitute(&|id| aggregate.groups.iter().find(|(group, _)| *group == id).map(|(_, expr)| expr.clone()));
    }
    push(&mut aggregate.input, predicate);
    here
}

/// Puts conditions into both sides; gives those that stay above.
fn push_sides(operation: &mut SetOperation, mut predicate: Vec<Expr>) -> Vec<Expr> {
    let is_kept = |term: &Expr| (operation.all && operation.kind == SetKind::Union) || holds_for_equals(term);
    let here = predicate.extract_if(.., |term| !(is_movable(term) && is_kept(term))).collect();
    for side in [&mut operation.left, &mut operation.right] {
        let columns = columns_of(side);
        let of_side = |mut term: Expr| {
            term.rewrite(&mut |part| {
                if let ExprKind::Column(id) = &mut part.kind
                    && let Some(at) = operation.columns.iter().position(|column| column == id)
                {
                    *id = columns[at];
                }
            });
            term
        };
        push(side, predicate.iter().cloned().map(of_side).collect());
    }
    here
}

/// The same of a join; gives the conditions that stay above it.
fn push_join(join: &mut Join, predicate: Vec<Expr>) -> Vec<Expr> {
    let (left, right) = (column_set(&join.left), column_set(&join.right));
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
    // What an OR over both sides says about one of them; it stays.
    for term in &join.on {
        if join.kind == JoinKind::Inner {
            to_left.extend(common_conjuncts::about(term, &left));
        }
        if join.kind != JoinKind::Full && join.kind != JoinKind::Right && !dependent {
            to_right.extend(common_conjuncts::about(term, &right));
        }
    }
    // What an equality hands on from one side to the other.
    let (of_left, of_right) = (to_left.len(), to_right.len());
    if !dependent && join.kind != JoinKind::Full && join.kind != JoinKind::Right {
        also_of_partner(&join.on, &to_left[..of_left], &right, &mut to_right);
    }
    if matches!(join.kind, JoinKind::Inner | JoinKind::Semi) {
        also_of_partner(&join.on, &to_right[..of_right], &left, &mut to_left);
    }
    push(&mut join.left, to_left);
    push(&mut join.right, if dependent { Vec::new() } else { std::mem::take(&mut to_right) });
    join.on.append(&mut to_right);
    here
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
