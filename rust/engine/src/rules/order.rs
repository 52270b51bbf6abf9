//! Leaves sorting out where rows come in the wanted order already.

use super::lookup::{self, LOOKUP_ROWS};
use crate::exec::limit::row_number;
use crate::exec::table_scan::ranges::has_place;
use crate::expr::{Context, Expr, SortKey};
use crate::plan::{ColumnId, Join, JoinStrategy, Limit, OuterSlot, Plan, Scan, column_set};

/// Where few rows are wanted, in the order of some index, the scan that they begin with reads that index, and joins above it look
/// their partners up: then nothing reads more than the rows that are given.
pub fn use_index_order(plan: &mut Plan, slots: &mut OuterSlot, context: &Context) {
    Ordering { slots, context }.visit(plan, None);
}

/// Puts limits right above the sorts whose rows they take, where only a projection is between: such a sort keeps no more rows.
pub fn sink_limits(plan: &mut Plan) {
    if let Plan::Limit(limit) = plan
        && !limit.counts_all
        && is_sorted(&limit.input)
        && let Plan::Project(below, columns) = limit.input.take()
    {
        limit.input = *below;
        let mut below = plan.take();
        sink_limits(&mut below);
        *plan = below.project(columns);
        return;
    }
    plan.inputs_mut(&mut sink_limits);
}

/// Projections, one at least, over a sort.
fn is_sorted(plan: &Plan) -> bool {
    let Plan::Project(input, _) = plan else { return false };
    matches!(**input, Plan::Sort(..)) || is_sorted(input)
}

/// How many rows a limit takes of its input, as far as that is known.
pub fn rows_wanted(limit: &Limit, context: &Context) -> Option<f64> {
    let number = |expr: &Option<Expr>| row_number(expr, 0, context).ok();
    let is_known = limit.rows.is_some() && !limit.counts_all;
    is_known.then(|| Some(number(&limit.rows)?.saturating_add(number(&limit.offset)?) as f64)).flatten()
}

/// Looks for an index that gives rows in an order.
pub struct Ordering<'a> {
    pub slots: &'a mut OuterSlot,
    pub context: &'a Context,
}

fn plain_columns(keys: &[SortKey]) -> Option<Vec<ColumnId>> {
    keys.iter().map(|key| key.expr.as_column()).collect()
}

fn same_direction(keys: &[SortKey]) -> Option<bool> {
    let first = keys.first()?.descending;
    keys.iter().all(|key| key.descending == first).then_some(first)
}

impl Ordering<'_> {
    /// `wanted` is the number of rows that are read of what the plan gives, where it is known.
    fn visit(&mut self, plan: &mut Plan, wanted: Option<f64>) {
        match plan {
            Plan::Limit(limit) => {
                let wanted = rows_wanted(limit, self.context);
                self.visit(&mut limit.input, wanted);
            }
            Plan::Project(input, _) => self.visit(input, wanted),
            Plan::Sort(input, keys) => {
                self.visit(input, None);
                if let Some(columns) = plain_columns(keys)
                    && let Some(reverse) = same_direction(keys)
                    && self.gives_order(input, &columns, reverse, wanted)
                {
                    *plan = input.take();
                }
            }
            other => other.inputs_mut(&mut |input| self.visit(input, None)),
        }
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
            Plan::Filter(input, _) => self.gives_order(input, columns, reverse, None),
            Plan::Join(join) => self.join_gives_order(join, columns, reverse, wanted),
            Plan::Scan(scan) => scan_gives_order(scan, columns, reverse, wanted),
            _ => false,
        }
    }

    /// A join by lookup gives its rows in the order of its left side. What is joined by hash becomes one if so few rows are wanted
    /// that this pays, and each row of the left side has a partner.
    fn join_gives_order(&mut self, join: &mut Join, columns: &[ColumnId], reverse: bool, wanted: Option<f64>) -> bool {
        let is_left = |join: &Join| {
            let left = column_set(&join.left);
            columns.iter().all(|id| left.contains(id))
        };
        if matches!(join.strategy, JoinStrategy::Lookup { .. }) {
            let wanted = wanted.filter(|_| lookup::keeps_rows(join));
            return is_left(join) && self.gives_order(&mut join.left, columns, reverse, wanted);
        }
        let Some(rows) = wanted else { return false };
        let mut tried = join.clone();
        if !is_left(&tried) && lookup::is_symmetric(&tried) {
            lookup::exchange(&mut tried);
        }
        let gives_order = is_left(&tried)
            && tried.on.is_empty()
            && lookup::by_lookup(&mut tried, rows, self.slots)
            && lookup::keeps_rows(&tried)
            && self.gives_order(&mut tried.left, columns, reverse, wanted);
        if gives_order {
            *join = tried;
        }
        gives_order
    }
}

fn scan_gives_order(scan: &mut Scan, columns: &[ColumnId], reverse: bool, wanted: Option<f64>) -> bool {
    if scan.relation.base().is_none() {
        return false;
    }
    let positions: Option<Vec<usize>> = columns
        .iter()
        .map(|id| scan.columns.iter().find(|(column, _)| column == id).map(|(_, position)| *position))
        .collect();
    let Some(wanted_columns) = positions else { return false };
    let indexes = scan.relation.indexes();
    let primary: &[usize] = match indexes.first() {
        Some(index) if scan.relation.columns().iter().any(|column| column.primary) => &index.columns,
        _ => &[],
    };
    let chosen = match (scan.access.index, primary.is_empty()) {
        (None, false) => Some(0),
        (index, _) => index,
    };
    // Columns that the ranges fix to one value do not disturb the order.
    let fixed: Vec<usize> = match (&scan.access.ranges, chosen) {
        (Some(ranges), Some(number)) if ranges.len() == 1 => {
            let columns = indexes[number].columns.iter().copied().zip(&ranges[0].equal);
            let is_fixed = |&(column, expr): &(usize, &Expr)| has_place(expr, &scan.relation.columns()[column].ty.sql);
            columns.take_while(is_fixed).map(|(column, _)| column).collect()
        }
        _ => Vec::new(),
    };
    let fits = |number: usize| {
        let mut order = indexes[number].columns.iter().chain(if number == 0 { &[] } else { primary }).copied();
        wanted_columns.iter().all(|position| {
            if fixed.contains(position) {
                return true;
            }
            loop {
                match order.next() {
                    Some(next) if next == *position => return true,
                    Some(next) if fixed.contains(&next) => {}
                    _ => return false,
                }
            }
        })
    };
    if chosen.is_some_and(fits) {
        scan.reverse = reverse;
        return true;
    }
    // Each row that another index leads to is looked up.
    let all = scan.filter.is_empty() && scan.access.index.is_none() && scan.access.ranges.is_none();
    let is_cheap = |rows: u64| wanted.is_some_and(|wanted| wanted * LOOKUP_ROWS < rows as f64);
    if !all || !scan.relation.row_count().is_some_and(is_cheap) {
        return false;
    }
    let other = (0..indexes.len()).find(|&number| indexes[number].ordered && fits(number));
    if other.is_some() {
        (scan.access.index, scan.reverse) = (other, reverse);
    }
    other.is_some()
}
