//! Subquery extraction: takes subqueries out of expressions. Each becomes a column that an Apply computes before.

use std::rc::Rc;

use value::Value;

use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprKind, ExprType, IsTest};
use crate::plan::repeatable::is_movable;
use crate::plan::{
    Apply, ColumnId, ColumnSet, Join, JoinKind, JoinStrategy, OuterSlot, Plan, Stage, Staged, Subquery, Values,
    columns_of,
};

/// Applies above each other in one stage of a plan.
const APPLIES_MAX: usize = 32;

pub fn extract(plan: Plan, types: &mut Vec<ExprType>, slots: &mut OuterSlot) -> Result<Plan> {
    let mut plan = plan;
    let mut result = Ok(());
    plan.inputs_mut(&mut |input| {
        if result.is_ok() {
            let taken = std::mem::replace(input, Plan::Unit);
            match extract(taken, types, slots) {
                Ok(done) => *input = done,
                Err(error) => result = Err(error),
            }
        }
    });
    result?;
    if let Plan::Join(join) = &mut plan {
        return from_join(std::mem::replace(&mut **join, empty_join()), types, slots);
    }
    if let Plan::Values(values) = &mut plan
        && values.rows.iter().flatten().any(Expr::has_subquery)
    {
        return from_values(std::mem::take(&mut values.rows), &values.columns, types, slots);
    }
    if let Plan::Filter(input, predicate) = &mut plan
        && predicate.iter().map(subqueries_in).sum::<usize>() > APPLIES_MAX
    {
        return from_long_filter(input.take(), std::mem::take(predicate), types, slots);
    }
    from_expressions(plan, types, slots)
}

/// The same of the plan's own expressions alone.
fn from_expressions(mut plan: Plan, types: &mut Vec<ExprType>, slots: &mut OuterSlot) -> Result<Plan> {
    let mut found: Vec<(ColumnId, Subquery)> = Vec::new();
    plan.exprs_mut(&mut |expr| take(expr, types, &mut found));
    if found.is_empty() {
        return Ok(plan);
    }
    let shown = columns_of(&plan);
    match &mut plan {
        Plan::Filter(input, _) | Plan::Project(input, _) | Plan::Sort(input, _) => {
            let taken = std::mem::replace(&mut **input, Plan::Unit);
            **input = apply_all(taken, found, types, slots)?;
        }
        Plan::Aggregate(aggregate) => {
            let taken = std::mem::replace(&mut aggregate.input, Plan::Unit);
            aggregate.input = apply_all(taken, found, types, slots)?;
        }
        Plan::Window(window) => {
            let taken = std::mem::replace(&mut window.input, Plan::Unit);
            window.input = apply_all(taken, found, types, slots)?;
        }
        _ => return Err(SqlError::unsupported("a subquery in this place")),
    }
    // A filter or sort passes all columns on; the helpers must not be seen further up.
    if matches!(plan, Plan::Filter(..) | Plan::Sort(..) | Plan::Window(_)) {
        let columns = shown.into_iter().map(|id| (id, Expr::column(id, types[id as usize].clone()))).collect();
        return Ok(plan.project(columns));
    }
    Ok(plan)
}

fn subqueries_in(expr: &Expr) -> usize {
    let mut count = usize::from(matches!(expr.kind, ExprKind::Subquery(_)));
    expr.children(|child| count += subqueries_in(child));
    count
}

/// Takes expressions off the end that have [`APPLIES_MAX`] subqueries together, or the last one.
fn take_part(exprs: &mut Vec<Expr>, part: &mut Vec<Expr>) {
    let mut count = 0;
    while let Some(expr) = exprs.pop() {
        count += subqueries_in(&expr);
        part.push(expr);
        if exprs.last().is_none_or(|next| count + subqueries_in(next) > APPLIES_MAX) {
            break;
        }
    }
}

/// Makes what there is a stage, and its rows the plan.
fn end_stage(plan: &mut Plan, stages: &mut Vec<Stage>) {
    let name: Rc<str> = "subqueries".into();
    let rows = Plan::StageRows(name.clone(), columns_of(plan));
    stages.push(Stage { name, plan: std::mem::replace(plan, rows) });
}

fn after(stages: Vec<Stage>, plan: Plan) -> Plan {
    if stages.is_empty() { plan } else { Plan::Staged(Box::new(Staged { stages, plan })) }
}

/// A condition with many subqueries: a stage for each part of its terms, and for each part of a long OR a column that says whether one
/// of the alternatives so far is true. No stage passes on the answers of subqueries, so that the plan is as long as the condition.
fn from_long_filter(
    mut plan: Plan,
    predicate: Vec<Expr>,
    types: &mut Vec<ExprType>,
    slots: &mut OuterSlot,
) -> Result<Plan> {
    let shown = columns_of(&plan);
    let columns = |types: &[ExprType]| -> Vec<(ColumnId, Expr)> {
        shown.iter().map(|id| (*id, Expr::column(*id, types[*id as usize].clone()))).collect()
    };
    // No condition goes down through a stage.
    let mut terms = predicate;
    plan.add_filter(terms.extract_if(.., |term| !term.has_subquery() && is_movable(term)).collect());
    terms.reverse();
    let mut stages = Vec::new();
    while !terms.is_empty() {
        let mut part = Vec::new();
        take_part(&mut terms, &mut part);
        if let [Expr { kind: ExprKind::Or(alternatives), .. }] = &mut part[..]
            && alternatives.iter().map(subqueries_in).sum::<usize>() > APPLIES_MAX
        {
            let mut alternatives = std::mem::take(alternatives);
            alternatives.reverse();
            part.clear();
            while !alternatives.is_empty() {
                take_part(&mut alternatives, &mut part);
                let any = Expr::new(ExprKind::Or(std::mem::take(&mut part)), ExprType::boolean());
                types.push(any.ty.clone());
                let found = types.len() as ColumnId - 1;
                part.push(Expr::column(found, any.ty.clone()));
                let mut with_found = columns(types);
                with_found.push((found, any));
                plan = from_expressions(plan.project(with_found), types, slots)?;
                end_stage(&mut plan, &mut stages);
            }
        }
        plan = from_expressions(plan.filter(part), types, slots)?.project(columns(types));
        if !terms.is_empty() {
            end_stage(&mut plan, &mut stages);
        }
    }
    Ok(after(stages, plan))
}

/// Rows of the statement as a union: each row with subqueries is computed over its own applies.
fn from_values(
    rows: Vec<Vec<Expr>>,
    columns: &[ColumnId],
    types: &mut Vec<ExprType>,
    slots: &mut OuterSlot,
) -> Result<Plan> {
    let mut branches: Vec<Plan> = Vec::new();
    for mut row in rows {
        let mut found = Vec::new();
        row.iter_mut().for_each(|expr| take(expr, types, &mut found));
        match branches.last_mut() {
            Some(Plan::Values(plain)) if found.is_empty() => plain.rows.push(row),
            _ if found.is_empty() => {
                branches.push(Plan::Values(Values { columns: columns.to_vec(), rows: vec![row], is_counted: false }));
            }
            _ => {
                let row = columns.iter().copied().zip(row).collect();
                branches.push(apply_all(Plan::Unit, found, types, slots)?.project(row));
            }
        }
    }
    Ok(Plan::union_all(branches, columns).unwrap_or_else(|| Plan::Empty(columns.to_vec())))
}

fn empty_join() -> Join {
    Join {
        kind: JoinKind::Inner,
        left: Plan::Unit,
        right: Plan::Unit,
        on: Vec::new(),
        strategy: Default::default(),
        straight: false,
        estimate: None,
    }
}

/// A condition with a subquery moves above an inner join. For an outer join one that reads only the right side moves
/// below it.
fn from_join(mut join: Join, types: &mut Vec<ExprType>, slots: &mut OuterSlot) -> Result<Plan> {
    let (moved, kept): (Vec<Expr>, Vec<Expr>) = std::mem::take(&mut join.on).into_iter().partition(Expr::has_subquery);
    join.on = kept;
    if moved.is_empty() {
        return Ok(Plan::Join(Box::new(join)));
    }
    match join.kind {
        JoinKind::Inner => extract(Plan::Join(Box::new(join)).filter(moved), types, slots),
        JoinKind::Left => {
            let right = columns_of(&join.right);
            if moved.iter().all(|expr| expr.columns().iter().all(|id| right.contains(&id))) {
                let taken = std::mem::replace(&mut join.right, Plan::Unit);
                join.right = extract(taken.filter(moved), types, slots)?;
                return Ok(Plan::Join(Box::new(join)));
            }
            for_each_left_row(join, moved, types, slots)
        }
        JoinKind::Right => {
            join.on.extend(moved);
            std::mem::swap(&mut join.left, &mut join.right);
            join.kind = JoinKind::Left;
            let order = columns_of(&join.right).into_iter().chain(columns_of(&join.left));
            let order = order.map(|id| (id, Expr::column(id, types[id as usize].clone()))).collect();
            Ok(from_join(join, types, slots)?.project(order))
        }
        JoinKind::Full => match moved.iter().all(|term| reads_sides(term, &join)) {
            true => on_sides(join, moved, types, slots),
            false => both_ways(join, moved, types, slots),
        },
        _ => Err(SqlError::unsupported("a subquery in the condition of this join")),
    }
}

/// The columns of the outer row that a subquery reads.
fn read_by(subquery: &Subquery) -> ColumnSet {
    let mut read = ColumnSet::default();
    subquery.outer.iter().for_each(|(_, id)| read.insert(*id));
    subquery.tested.iter().for_each(|tested| tested.collect_columns(&mut read));
    read
}

/// Whether each subquery of a condition reads one side of the join alone.
fn reads_sides(term: &Expr, join: &Join) -> bool {
    let (left, right) = (columns_of(&join.left), columns_of(&join.right));
    !term.any(&|expr| match &expr.kind {
        ExprKind::Subquery(subquery) => {
            let read = read_by(subquery);
            ![&left, &right].iter().any(|side| read.iter().all(|id| side.contains(&id)))
        }
        _ => false,
    })
}

/// A join that keeps the rows of both sides, whose subqueries read both: the LEFT JOIN, and the rows of the right side that find none.
fn both_ways(mut join: Join, condition: Vec<Expr>, types: &mut Vec<ExprType>, slots: &mut OuterSlot) -> Result<Plan> {
    let (left, right) = (columns_of(&join.left), columns_of(&join.right));
    let columns: Vec<ColumnId> = left.iter().chain(&right).copied().collect();
    types.push(ExprType::boolean());
    let found = types.len() as ColumnId - 1;
    let column = |id: ColumnId| (id, Expr::column(id, types[id as usize].clone()));
    let known = |ids: &[ColumnId]| ids.iter().map(|id| column(*id)).collect::<Vec<_>>();
    let marker = Expr::literal(Value::boolean(true), ExprType::boolean());
    let (mut marked, shown, kept) = (known(&left), known(&columns), known(&right));
    marked.push((found, marker));
    let missing = Expr::new(ExprKind::Is(Box::new(column(found).1), IsTest::Null), ExprType::boolean());
    let nothing = left.iter().map(|id| (*id, Expr::literal(Value::Null, types[*id as usize].clone())));
    let alone = nothing.chain(kept).collect();
    join.kind = JoinKind::Left;
    let mut back = join.clone();
    std::mem::swap(&mut back.left, &mut back.right);
    back.right = back.right.project(marked);
    let pairs = for_each_left_row(join, condition.clone(), types, slots)?.project(shown);
    let others = for_each_left_row(back, condition, types, slots)?.filter(vec![missing]).project(alone);
    Ok(Plan::union_all(vec![pairs, others], &columns).unwrap_or(Plan::Empty(columns)))
}

/// A join that keeps the rows of both sides: a subquery becomes a column of the side whose columns it reads.
fn on_sides(mut join: Join, condition: Vec<Expr>, types: &mut Vec<ExprType>, slots: &mut OuterSlot) -> Result<Plan> {
    let mut found = Vec::new();
    for mut term in condition {
        take(&mut term, types, &mut found);
        join.on.push(term);
    }
    let left = columns_of(&join.left);
    let reads_left = |(_, subquery): &(ColumnId, Subquery)| read_by(subquery).iter().all(|id| left.contains(&id));
    let (of_left, of_right) = found.into_iter().partition(reads_left);
    join.left = apply_all(join.left.take(), of_left, types, slots)?;
    join.right = apply_all(join.right.take(), of_right, types, slots)?;
    Ok(Plan::Join(Box::new(join)))
}

/// An outer join whose condition has subqueries over both sides: the right side is run for each left row, with that row's
/// values as columns beside its own, so that the condition is a filter of it.
fn for_each_left_row(
    mut join: Join,
    condition: Vec<Expr>,
    types: &mut Vec<ExprType>,
    slots: &mut OuterSlot,
) -> Result<Plan> {
    let (left, right) = (columns_of(&join.left), columns_of(&join.right));
    let mut read = ColumnSet::default();
    condition.iter().for_each(|term| term.collect_columns(&mut read));
    let column = |id: ColumnId, types: &[ExprType]| (id, Expr::column(id, types[id as usize].clone()));
    let mut columns: Vec<_> = right.iter().map(|&id| column(id, types)).collect();
    // The right side of a lateral join takes values of the left row already.
    let mut outer = match std::mem::take(&mut join.strategy) {
        JoinStrategy::Lookup { outer } => outer,
        JoinStrategy::Nested | JoinStrategy::Hash { .. } => Vec::new(),
    };
    let mut copies = Vec::new();
    for id in left.into_iter().filter(|id| read.contains(id)) {
        let ty = types[id as usize].clone();
        types.push(ty.clone());
        let copy = types.len() as ColumnId - 1;
        columns.push((copy, Expr::new(ExprKind::Outer(*slots), ty)));
        outer.push((*slots, id));
        copies.push((id, copy));
        *slots += 1;
    }
    let copy_of = |id: ColumnId| copies.iter().find(|(known, _)| *known == id).map_or(id, |(_, copy)| *copy);
    let condition = condition.into_iter().map(|mut expr| {
        expr.rewrite(&mut |expr| match &mut expr.kind {
            ExprKind::Column(id) => *id = copy_of(*id),
            ExprKind::Subquery(subquery) => subquery.outer.iter_mut().for_each(|(_, id)| *id = copy_of(*id)),
            _ => {}
        });
        expr
    });
    let condition = condition.collect();
    let taken = std::mem::replace(&mut join.right, Plan::Unit);
    let filtered = extract(taken.project(columns).filter(condition), types, slots)?;
    join.right = filtered.project(right.into_iter().map(|id| column(id, types)).collect());
    join.strategy = JoinStrategy::Lookup { outer };
    Ok(Plan::Join(Box::new(join)))
}

fn take(expr: &mut Expr, types: &mut Vec<ExprType>, found: &mut Vec<(ColumnId, Subquery)>) {
    expr.rewrite(&mut |expr| {
        if !matches!(expr.kind, ExprKind::Subquery(_)) {
            return;
        }
        types.push(expr.ty.clone());
        let id = types.len() as ColumnId - 1;
        let taken = std::mem::replace(expr, Expr::column(id, types[id as usize].clone()));
        if let ExprKind::Subquery(subquery) = taken.kind {
            found.push((id, *subquery));
        }
    });
}

fn apply_all(
    mut plan: Plan,
    found: Vec<(ColumnId, Subquery)>,
    types: &mut Vec<ExprType>,
    slots: &mut OuterSlot,
) -> Result<Plan> {
    let mut stages = Vec::new();
    for (number, (output, mut subquery)) in found.into_iter().enumerate() {
        if number > 0 && number % APPLIES_MAX == 0 {
            end_stage(&mut plan, &mut stages);
        }
        subquery.plan = extract(subquery.plan, types, slots)?;
        plan = Plan::Apply(Box::new(Apply { input: plan, subquery, output, repeats: false, decorrelated: None }));
    }
    Ok(after(stages, plan))
}
