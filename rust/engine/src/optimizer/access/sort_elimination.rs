//! Sort elimination: removes sorts where rows already come in the requested order.

use value::SqlType;

use super::covering::is_covering;
use super::index_order::{self, plain_columns, same_direction};
use crate::catalog::IndexChoice;
use crate::exec::sort::limit::row_number;
use crate::expr::{AggregateCall, Context, Expr, SortKey};
use crate::optimizer::cost::cardinality;
use crate::optimizer::cost::cardinality::{LOOKUP_ROWS, rows_wanted};
use crate::optimizer::join::lookup_join;
use crate::optimizer::rewrite::equivalence::is_told_apart;
use crate::plan::repeatable::is_movable;
use crate::plan::{Aggregate, ColumnId, Join, JoinKind, JoinStrategy, Limit, OuterSlot, Plan, Scan, column_set};

/// Where few rows are wanted, in the order of some index, the scan that they begin with reads that index, and joins above it look
/// their partners up: then nothing reads more than the rows that are given.
pub fn use_index_order(plan: &mut Plan, slots: &mut OuterSlot, context: &Context) {
    Ordering { slots, context }.visit(plan, None);
}

/// Puts limits, and the sorts whose first rows they take, below what gives as many rows as it gets: a subquery is run for the rows
/// that are shown and not for those that are sorted out, and a sort right below its limit keeps no more rows than are wanted.
pub fn sink_limits(plan: &mut Plan) {
    if matches!(plan, Plan::Limit(limit) if !limit.counts_all)
        && let Plan::Limit(limit) = plan.take()
    {
        *plan = sunk(limit);
    }
    plan.inputs_mut(&mut sink_limits);
}

fn sunk(mut limit: Box<Limit>) -> Plan {
    match limit.input.take() {
        Plan::Project(below, columns) if pays_below(&below) => {
            limit.input = *below;
            sunk(limit).project(columns)
        }
        Plan::Apply(mut apply) => {
            limit.input = apply.input.take();
            apply.input = sunk(limit);
            Plan::Apply(apply)
        }
        Plan::Sort(input, keys) => match sorted_below(*input, keys) {
            Ok(exchanged) => {
                limit.input = exchanged;
                sunk(limit)
            }
            Err(sort) => {
                limit.input = sort;
                Plan::Limit(limit)
            }
        },
        other => {
            limit.input = other;
            Plan::Limit(limit)
        }
    }
}

/// Projections over a sort or a subquery.
fn pays_below(plan: &Plan) -> bool {
    match plan {
        Plan::Sort(..) | Plan::Apply(_) => true,
        Plan::Project(input, _) => pays_below(input),
        _ => false,
    }
}

/// A sort of rows that subqueries add columns to, below these; the sort itself where it reads such a column.
fn sorted_below(input: Plan, mut keys: Vec<SortKey>) -> Result<Plan, Plan> {
    match input {
        Plan::Apply(mut apply) if keys.iter().all(|key| !key.expr.columns().contains(&apply.output)) => {
            apply.input = Plan::Sort(Box::new(apply.input.take()), keys);
            Ok(Plan::Apply(apply))
        }
        Plan::Project(below, columns) if has_applies(&below) && columns.iter().all(|(_, expr)| is_movable(expr)) => {
            let below_of = |key: &SortKey| {
                let id = key.expr.as_column()?;
                let (_, expr) = columns.iter().find(|(output, _)| *output == id)?;
                expr.as_column().map(|_| expr.clone())
            };
            let Some(exprs) = keys.iter().map(below_of).collect::<Option<Vec<Expr>>>() else {
                return Err(Plan::Sort(Box::new(Plan::Project(below, columns)), keys));
            };
            keys.iter_mut().zip(exprs).for_each(|(key, expr)| key.expr = expr);
            Ok(Plan::Sort(below, keys).project(columns))
        }
        other => Err(Plan::Sort(Box::new(other), keys)),
    }
}

/// Projections over a subquery.
fn has_applies(plan: &Plan) -> bool {
    match plan {
        Plan::Apply(_) => true,
        Plan::Project(input, _) => has_applies(input),
        _ => false,
    }
}

/// Whether a plan gives the rows of a stored table, all of them.
fn is_table(plan: &Plan) -> bool {
    match plan {
        Plan::Project(input, _) | Plan::Sort(input, _) => is_table(input),
        Plan::Scan(scan) => {
            scan.filter.is_empty() && scan.relation.base().is_some_and(|base| !base.schema().is_keyless())
        }
        _ => false,
    }
}

/// So many rows are read for one that passes a condition.
const TESTED: f64 = 3.0;

/// A group is taken for one of so many rows.
const GROUP_ROWS: f64 = 10.0;

/// Looks for an index that gives rows in an order.
pub struct Ordering<'a> {
    pub slots: &'a mut OuterSlot,
    pub context: &'a Context,
}

impl Ordering<'_> {
    /// `wanted` is the number of rows that are read of what the plan gives, where it is known.
    fn visit(&mut self, plan: &mut Plan, wanted: Option<f64>) {
        match plan {
            Plan::Limit(limit) => {
                // Rows of a table that are skipped are counted, not read.
                let wanted = rows_wanted(limit, self.context).map(|rows| match is_table(&limit.input) {
                    true => rows - row_number(&limit.offset, 0, self.context).unwrap_or(0) as f64,
                    false => rows,
                });
                self.visit(&mut limit.input, wanted);
            }
            Plan::Project(input, _) => self.visit(input, wanted),
            Plan::Filter(input, _) => self.visit(input, wanted.map(|rows| rows * TESTED)),
            Plan::Aggregate(aggregate) => {
                self.visit(&mut aggregate.input, None);
                if let Some(rows) = wanted
                    && !aggregate.in_order
                {
                    self.groups_in_order(aggregate, &[], false, rows);
                }
            }
            Plan::Sort(input, keys) => {
                self.visit(input, None);
                if self.gives_keys(input, keys, wanted) {
                    *plan = input.take();
                }
            }
            other => other.inputs_mut(&mut |input| self.visit(input, None)),
        }
    }

    /// The same for the keys of a sort.
    pub fn gives_keys(&mut self, plan: &mut Plan, keys: &[SortKey], wanted: Option<f64>) -> bool {
        let (columns, reverse) = (plain_columns(keys), same_direction(keys));
        columns.zip(reverse).is_some_and(|(columns, reverse)| self.gives_order(plan, &columns, reverse, wanted))
    }

    /// Makes `plan` give its rows in the order of `columns`, if a scan below can.
    pub fn gives_order(&mut self, plan: &mut Plan, columns: &[ColumnId], reverse: bool, wanted: Option<f64>) -> bool {
        match plan {
            Plan::Project(input, projected) => {
                let below: Option<Vec<ColumnId>> = columns
                    .iter()
                    .map(|id| {
                        let (_, expr) = projected.iter().find(|(output, _)| output == id)?;
                        expr.as_column()
                    })
                    .collect();
                below.is_some_and(|below| self.gives_order(input, &below, reverse, wanted))
            }
            Plan::Filter(input, _) => self.gives_order(input, columns, reverse, wanted.map(|rows| rows * TESTED)),
            Plan::Join(join) => self.join_gives_order(join, columns, reverse, wanted),
            Plan::Apply(apply) => self.gives_order(&mut apply.input, columns, reverse, wanted),
            // Groups that come in some order anyway may come in this one.
            Plan::Aggregate(aggregate) => match wanted.or(aggregate.in_order.then_some(f64::INFINITY)) {
                Some(rows) => self.groups_in_order(aggregate, columns, reverse, rows),
                None => false,
            },
            Plan::LooseIndexScan(groups) => {
                let scan = &mut groups.scan;
                let is_given = index_order::positions(scan, columns)
                    .is_some_and(|positions| index_order::gives(scan, &scan.access, &positions));
                scan.reverse |= is_given && reverse;
                is_given
            }
            Plan::Scan(scan) => scan_gives_order(scan, columns, reverse, wanted),
            _ => false,
        }
    }

    /// Groups come in the order of `columns`, which are some of theirs, where the rows come in the order of these and then of the
    /// other groups: then each is given when it is complete, and what follows those wanted is not read.
    fn groups_in_order(&mut self, aggregate: &mut Aggregate, columns: &[ColumnId], reverse: bool, wanted: f64) -> bool {
        let group = |id: &ColumnId| aggregate.groups.iter().find(|(group, _)| group == id)?.1.as_column();
        // Of other rows first, some calls answer otherwise.
        if !aggregate.calls.iter().all(|(_, call)| is_of_any_order(call)) {
            return false;
        }
        let is_told = aggregate.groups.iter().all(|(_, expr)| expr.as_column().is_some() && is_told_apart(&expr.ty));
        let Some(mut order) = columns.iter().map(group).collect::<Option<Vec<ColumnId>>>() else { return false };
        for (_, expr) in aggregate.groups.iter().filter(|_| is_told) {
            order.extend(expr.as_column().filter(|id| !order.contains(id)));
        }
        let rows = wanted * GROUP_ROWS;
        if order.is_empty() || !is_told || !self.gives_order(&mut aggregate.input, &order, reverse, Some(rows)) {
            return false;
        }
        aggregate.in_order = true;
        true
    }

    /// A join by lookup gives its rows in the order of its left side. What is joined by hash becomes one if so few rows are wanted
    /// that this pays, and each row of the left side has a partner.
    fn join_gives_order(&mut self, join: &mut Join, columns: &[ColumnId], reverse: bool, wanted: Option<f64>) -> bool {
        let is_left = |join: &Join| {
            let left = column_set(&join.left);
            columns.iter().all(|id| left.contains(id))
        };
        if matches!(join.strategy, JoinStrategy::Lookup { .. }) {
            let wanted = wanted.filter(|_| lookup_join::keeps_rows(join));
            return is_left(join) && self.gives_order(&mut join.left, columns, reverse, wanted);
        }
        let Some(rows) = wanted else { return false };
        let mut tried = join.clone();
        // Of the rows that are only tested, some do not pass.
        let is_test = matches!(join.kind, JoinKind::Semi | JoinKind::Anti);
        let rows = if is_test { rows * TESTED } else { rows };
        if !is_left(&tried) && lookup_join::is_symmetric(&tried) {
            lookup_join::exchange(&mut tried);
        }
        if !is_left(&tried) || !tried.on.is_empty() {
            return false;
        }
        // Where partners have to pass conditions, so many more are looked up, until enough have.
        let (rows, others) = match &tried.right {
            Plan::Scan(scan) if tried.kind == JoinKind::Inner && !scan.filter.is_empty() => {
                let Some(share) = cardinality::share_passing(scan, self.context) else { return false };
                (rows / share, cardinality::rows_of(&tried.left, self.context))
            }
            _ => (rows, 0.0),
        };
        let gives_order = lookup_join::by_lookup_beside(&mut tried, rows, others, self.slots, self.context)
            && (is_test || lookup_join::finds_one(&tried))
            && self.gives_order(&mut tried.left, columns, reverse, Some(rows));
        if gives_order {
            *join = tried;
        }
        gives_order
    }
}

/// Whether the answer of a call is the same in whichever order it sees its rows.
pub fn is_of_any_order(call: &AggregateCall) -> bool {
    let is_exact = |arg: &Expr| matches!(arg.ty.sql, SqlType::Integer(_) | SqlType::Decimal { .. });
    call.function.counts() || call.function.adds() && call.args.iter().all(is_exact) || is_end(call)
}

fn scan_gives_order(scan: &mut Scan, columns: &[ColumnId], reverse: bool, wanted: Option<f64>) -> bool {
    if scan.relation.base().is_none() {
        return false;
    }
    let Some(positions) = index_order::positions(scan, columns) else { return false };
    if index_order::gives(scan, &scan.access, &positions) {
        scan.reverse = reverse;
        return true;
    }
    if scan.access.index.is_some() || scan.access.ranges.is_some() {
        return false;
    }
    // Each row that another index leads to is looked up, unless its entries have all that is read.
    let is_cheap = |rows: u64| wanted.is_some_and(|wanted| wanted * LOOKUP_ROWS < rows as f64);
    let looks_up = scan.filter.is_empty() && scan.relation.row_count().is_some_and(is_cheap);
    let whole = |number: usize| IndexChoice { index: Some(number), ..IndexChoice::default() };
    let fits = |&number: &usize| {
        (looks_up || is_covering(scan, number)) && index_order::gives(scan, &whole(number), &positions)
    };
    let numbers = 0..scan.relation.indexes().len();
    let other = numbers.filter(fits).min_by_key(|&number| !is_covering(scan, number));
    if other.is_some() {
        (scan.access.index, scan.reverse) = (other, reverse);
    }
    other.is_some()
}

/// Whether the answer is the value of one end of an order; of texts that are equal any is.
pub fn is_end(call: &AggregateCall) -> bool {
    let [arg] = &call.args[..] else { return false };
    if !call.function.is_extreme() {
        return false;
    }
    let is_told_apart = !arg.ty.sql.is_text() || arg.ty.collation().is_code_point_order();
    let is_ordered = arg.ty.sql.is_number() || arg.ty.sql.is_date() || arg.ty.sql.is_text();
    is_ordered && is_told_apart
}
