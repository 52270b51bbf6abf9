//! Loose index scan: for `SELECT DISTINCT status`, `SELECT status, COUNT(*), MAX(at) … GROUP BY status`, where an index begins with the
//! columns of the groups and these are few, one entry of each group is read and not all rows.

use super::sort_elimination::Ordering;
use super::sort_elimination::is_end;
use crate::catalog::{IndexChoice, Tree};
use crate::exec;
use crate::expr::{AggregateCall, Context, Expr, ExprType};
use crate::functions::Role;
use crate::optimizer::cost::cardinality::LOOKUP_ROWS;
use crate::optimizer::rewrite::equivalence::is_told_apart;
use crate::plan::{Aggregate, ColumnId, GroupEnd, LooseIndexScan, Plan, Scan, columns_of};

/// `wanted` is the number of rows that are read of what the plan gives, where it is known.
pub fn by_index(plan: &mut Plan, wanted: Option<f64>, types: &[ExprType], ordering: &mut Ordering<'_>) {
    match plan {
        Plan::Limit(limit) => {
            let wanted = crate::optimizer::cost::cardinality::rows_wanted(limit, ordering.context);
            return by_index(&mut limit.input, wanted, types, ordering);
        }
        Plan::Project(input, _) => return by_index(input, wanted, types, ordering),
        Plan::Sort(input, keys) => {
            // The first groups of their order, if they come in it.
            if wanted.is_some() {
                let mut tried = (**input).clone();
                by_index(&mut tried, wanted, types, ordering);
                if ordering.gives_keys(&mut tried, keys, None) {
                    *plan = tried;
                    return;
                }
            }
            return by_index(input, None, types, ordering);
        }
        _ => {}
    }
    plan.inputs_mut(&mut |input| by_index(input, None, types, ordering));
    let grouped = match plan {
        Plan::Aggregate(aggregate) => of_aggregate(aggregate, wanted, types, ordering.context),
        Plan::Distinct(input) => {
            let columns = columns_of(input);
            with_groups(input, &columns, Vec::new(), wanted, types, ordering.context)
        }
        _ => None,
    };
    if let Some(grouped) = grouped {
        *plan = grouped;
    }
}

fn of_aggregate(aggregate: &Aggregate, wanted: Option<f64>, types: &[ExprType], context: &Context) -> Option<Plan> {
    let groups: Vec<ColumnId> = aggregate.groups.iter().map(|(_, expr)| expr.as_column()).collect::<Option<_>>()?;
    let input = &aggregate.input;
    if !groups.is_empty()
        && let Some(ends) = aggregate.calls.iter().map(|(id, call)| end_of(*id, call, input)).collect()
        && let Some(plan) = with_groups(input, &groups, ends, wanted, types, context)
    {
        let shown = |id: ColumnId| (id, Expr::column(id, types[id as usize].clone()));
        let outputs = aggregate.groups.iter().map(|(id, expr)| (*id, expr.clone()));
        return Some(plan.project(outputs.chain(aggregate.calls.iter().map(|(id, _)| shown(*id))).collect()));
    }
    // What looks at different values only needs each combination once.
    let mut read = groups;
    for (_, call) in &aggregate.calls {
        let is_of_values = call.distinct && call.function.counts() || call.function.is_extreme();
        let args = call.args.iter().map(Expr::as_column).collect::<Option<Vec<ColumnId>>>()?;
        if !is_of_values || args.is_empty() {
            return None;
        }
        read.extend(args);
    }
    let input = with_groups(input, &read, Vec::new(), None, types, context)?;
    Some(Plan::Aggregate(Box::new(Aggregate { input, ..aggregate.clone() })))
}

/// What a call asks of its group, if that is known at an end of it.
fn end_of(id: ColumnId, call: &AggregateCall, input: &Plan) -> Option<(ColumnId, GroupEnd)> {
    let position = |arg: &Expr| input.position_below(arg.as_column()?);
    let never_null = |arg: &Expr| match arg.as_literal() {
        Some(value) => !value.is_null(),
        None => {
            input.scan_below().zip(position(arg)).is_some_and(|(scan, at)| !scan.relation.columns()[at].ty.nullable)
        }
    };
    match (call.function.role, &call.args[..]) {
        (Role::Count, args) if !call.distinct && args.iter().all(never_null) => Some((id, GroupEnd::Count)),
        (Role::Maximum, [arg]) if is_end(call) => Some((id, GroupEnd::Greatest(position(arg)?))),
        (Role::Minimum, [arg]) if is_end(call) => Some((id, GroupEnd::Least(position(arg)?))),
        _ => None,
    }
}

/// The plan over one row for each combination of values of `columns`, and what `ends` ask for beside them.
fn with_groups(
    plan: &Plan,
    columns: &[ColumnId],
    ends: Vec<(ColumnId, GroupEnd)>,
    wanted: Option<f64>,
    types: &[ExprType],
    context: &Context,
) -> Option<Plan> {
    let scan = plan.scan_below()?;
    let positions: Vec<usize> = columns.iter().map(|&id| plan.position_below(id)).collect::<Option<_>>()?;
    let groups = loose_index_scan(scan, &positions, &ends, wanted, context)?;
    let mut shown: Vec<(ColumnId, Expr)> = Vec::new();
    for (&id, &position) in columns.iter().zip(&positions) {
        let (below, _) = *groups.scan.columns.iter().find(|(_, at)| *at == position)?;
        if shown.iter().all(|(known, _)| *known != id) {
            shown.push((id, Expr::column(below, types[below as usize].clone())));
        }
    }
    shown.extend(ends.iter().map(|(id, _)| (*id, Expr::column(*id, types[*id as usize].clone()))));
    let groups = LooseIndexScan { ends, ..groups };
    Some(Plan::LooseIndexScan(Box::new(groups)).project(shown))
}

/// The index by which groups by these columns cost least, if that is less than to read their rows.
fn loose_index_scan(
    scan: &Scan,
    positions: &[usize],
    ends: &[(ColumnId, GroupEnd)],
    wanted: Option<f64>,
    context: &Context,
) -> Option<LooseIndexScan> {
    let table = scan.relation.base()?;
    let ranges = scan.access.ranges.as_deref().unwrap_or_default();
    let is_told = |&position: &usize| is_told_apart(&scan.relation.columns()[position].ty);
    let is_small = table.table.rows().root.level() == 0;
    if !scan.filter.is_empty() || ranges.len() > 1 || scan.access.nearest.is_some() || is_small {
        return None;
    }
    let all = scan.relation.row_count()?;
    let read = match ranges {
        [] => all as f64,
        _ => exec::count_ranges(scan, &scan.relation, context)?.0 as f64,
    };
    if !positions.iter().all(is_told) || positions.is_empty() {
        return None;
    }
    let numbers = match scan.access.index {
        Some(number) => number..number + 1,
        None => 0..scan.relation.indexes().len(),
    };
    let mut best: Option<(f64, LooseIndexScan)> = None;
    for number in numbers.filter(|&number| scan.relation.indexes()[number].ordered) {
        let fields: Vec<Option<usize>> = match table.tree(Some(number)) {
            Tree::Primary => table.schema().primary_key.iter().map(|&column| Some(column)).collect(),
            Tree::Secondary(at) => table.schema().indexes[at].fields.iter().map(|field| field.column).collect(),
        };
        let equal = ranges.first().map_or(0, |range| range.equal.len());
        let Some(common) = common_fields(&fields, equal, positions) else { continue };
        let is_next = |end: &GroupEnd| match end {
            GroupEnd::Count => true,
            GroupEnd::Least(position) | GroupEnd::Greatest(position) => fields.get(common) == Some(&Some(*position)),
        };
        if !ends.iter().all(|(_, end)| is_next(end)) {
            continue;
        }
        let access = IndexChoice { index: Some(number), ..scan.access.clone() };
        let mut scan = Scan { access, ..scan.clone() };
        scan.columns.retain(|(_, position)| positions.contains(position));
        let Some(count) = exec::estimate_groups(&scan, common, context) else { continue };
        let looked_up = 1 + ends.iter().filter(|(_, end)| *end != GroupEnd::Count).count();
        let cost = wanted.map_or(count, |wanted| wanted.min(count)) * LOOKUP_ROWS * looked_up as f64;
        if cost < read && best.as_ref().is_none_or(|(known, _)| cost < *known) {
            best = Some((cost, LooseIndexScan { scan, fields: common, ends: Vec::new() }));
        }
    }
    best.map(|(_, groups)| groups)
}

/// How many fields at the beginning of an index are those of the groups, with those before them that a range fixes.
fn common_fields(fields: &[Option<usize>], fixed: usize, positions: &[usize]) -> Option<usize> {
    let is_group = |field: &Option<usize>| field.is_some_and(|column| positions.contains(&column));
    let grouped = fields.iter().enumerate().take_while(|(at, field)| *at < fixed || is_group(field)).count();
    let missing = positions.iter().any(|position| !fields[..grouped].contains(&Some(*position)));
    (!missing && grouped > 0).then_some(grouped)
}
