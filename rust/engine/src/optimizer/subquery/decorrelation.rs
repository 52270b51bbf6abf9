//! Decorrelation: `(SELECT SUM(x) FROM b WHERE b.g = a.g)` for many rows of `a` is also planned for all of them at once, with the compared
//! columns as keys. Which of the two plans runs is decided during execution, by the number of outer rows.

use std::rc::Rc;

use value::SqlType;

use crate::catalog::{KeyRange, Tree};
use crate::expr::{AggregateCall, CompareOp, Comparison, Context, Expr, ExprKind};
use crate::optimizer::access::sort_elimination::is_of_any_order;
use crate::optimizer::cost::cardinality::{LOOKUP_ROWS, rows_of};
use crate::optimizer::join::semi_joins::is_independent;
use crate::plan::repeatable::is_movable;
use crate::plan::{
    Aggregate, Apply, ColumnId, ColumnSet, Decorrelated, OuterSlot, Plan, Scan, Subquery, SubqueryTest, column_set,
};

/// Without an index so many scans cost as much as all answers.
const SCANS: u64 = 2;

/// Where it is taken to pay to find all answers, so much less than what would pay is done before.
const EARLY: f64 = 8.0;

/// A row that is put among those of its key costs about as much as reading so many.
const KEYED_ROW: f64 = 2.0;

/// Gives subqueries their other plan, where they have one.
pub fn add(plan: &mut Plan) {
    if let Plan::Apply(apply) = plan {
        apply.decorrelated = decorrelated(apply).map(Box::new);
    }
    plan.inputs_mut(&mut add);
}

/// Says after how many rows it pays; the other plan goes where it would add up numbers in another order.
pub fn settle(plan: &mut Plan, context: &Context) {
    if let Plan::Apply(apply) = plan {
        apply
            .decorrelated
            .take_if(|decorrelated| decorrelated.in_order && !reads_alike(&apply.subquery.plan, decorrelated));
    }
    if let Plan::Apply(apply) = plan
        && let Some(decorrelated) = &mut apply.decorrelated
    {
        let all = rows_read(&decorrelated.plan, context).max(rows_of(&decorrelated.plan, context));
        let pays_after = all * KEYED_ROW / (LOOKUP_ROWS + rows_read(&apply.subquery.plan, context));
        let is_expected = rows_of(&apply.input, context) > pays_after;
        decorrelated.after = match is_looked_up(&apply.subquery.plan) {
            true if is_expected => (pays_after / EARLY) as u64,
            true => pays_after as u64,
            false => SCANS,
        };
    }
    plan.inputs_mut(&mut |input| settle(input, context));
}

/// Rows that are read of tables.
fn rows_read(plan: &Plan, context: &Context) -> f64 {
    if let Plan::Scan(scan) = plan {
        let all = scan.relation.row_count().filter(|_| scan.access.ranges.is_none());
        return all.map_or_else(|| rows_of(plan, context), |rows| rows as f64);
    }
    let mut rows = 0.0;
    plan.inputs(&mut |input| rows += rows_read(input, context));
    rows
}

/// Whether the rows of a key come in the same order, one by one and all at once.
fn reads_alike(one_by_one: &Plan, decorrelated: &Decorrelated) -> bool {
    match (added_up(one_by_one), added_up(&decorrelated.plan)) {
        (Some(Plan::MaterializedCte(one)), Some(Plan::MaterializedCte(other))) => Rc::ptr_eq(&one.name, &other.name),
        (Some(Plan::Scan(one)), Some(Plan::Scan(other))) => {
            let order = |scan| order_in_key(scan, &decorrelated.keys);
            order(one).is_some() && order(one) == order(other)
        }
        _ => false,
    }
}

/// What is read in the order in which numbers are added up. Groups of groups have none that is sure.
fn added_up(mut plan: &Plan) -> Option<&Plan> {
    while let Plan::Project(input, _) = plan {
        plan = input;
    }
    let Plan::Aggregate(aggregate) = plan else { return None };
    plan = &aggregate.input;
    while let Plan::Filter(input, _) | Plan::Project(input, _) = plan {
        plan = input;
    }
    matches!(plan, Plan::Scan(_) | Plan::MaterializedCte(_)).then_some(plan)
}

/// By which index the rows of a key are in order, `Some(None)` for that of the table: also behind an index of nothing but the key.
fn order_in_key(scan: &Scan, keys: &[Expr]) -> Option<Option<usize>> {
    let is_one_range = scan.access.ranges.as_ref().is_none_or(|ranges| ranges.len() == 1);
    if scan.reverse || scan.access.nearest.is_some() || !is_one_range {
        return None;
    }
    let table = scan.relation.base()?;
    if table.tree(scan.access.index) == Tree::Primary {
        return Some(None);
    }
    let is_key = |position: &usize| {
        let id = scan.columns.iter().find(|(_, known)| known == position).map(|(id, _)| *id);
        id.is_some() && keys.iter().any(|key| key.as_column() == id)
    };
    let index = scan.relation.indexes().get(scan.access.index?)?;
    let is_of_key = index.columns.iter().all(is_key);
    (!table.schema().is_keyless()).then_some(scan.access.index.filter(|_| !is_of_key))
}

/// Whether an index finds rows by values of the outer row.
fn is_looked_up(plan: &Plan) -> bool {
    let mut is_found = match plan {
        Plan::Scan(scan) => scan.access.ranges.iter().flatten().any(KeyRange::reads_outer),
        _ => false,
    };
    plan.inputs(&mut |input| is_found |= is_looked_up(input));
    is_found
}

/// A column of the subquery equals a value of the outer row.
struct Key {
    column: Expr,
    value: Expr,
    comparison: Comparison,
}

fn decorrelated(apply: &Apply) -> Option<Decorrelated> {
    let Subquery { plan, outer, test, .. } = &apply.subquery;
    let (mut below, answer) = match (test, plan) {
        _ if !apply.repeats => return None,
        (SubqueryTest::Scalar, Plan::Project(input, answer)) => (&**input, answer.clone()),
        (SubqueryTest::Exists, plan) => (plan, Vec::new()),
        _ => return None,
    };
    if answer.iter().any(|(_, expr)| expr.reads_outer()) {
        return None;
    }
    // Which columns there are is all the same to EXISTS.
    while let (SubqueryTest::Exists, Plan::Project(input, _)) = (test, below) {
        below = input;
    }
    let mut in_order = false;
    let (rows, keys) = match below {
        Plan::Aggregate(aggregate) if aggregate.groups.is_empty() => {
            in_order = !aggregate.calls.iter().all(|(_, call)| is_of_no_order(call, &aggregate.input));
            grouped(aggregate, outer)?
        }
        plan => keyed(plan, outer)?,
    };
    let shown = keys.iter().filter_map(|key| Some((key.column.as_column()?, key.column.clone())));
    let plan = rows.project(shown.chain(answer).collect());
    let comparisons = keys.iter().map(|key| key.comparison).collect();
    let (keys, values) = keys.into_iter().map(|key| (key.column, key.value)).unzip();
    Some(Decorrelated { plan, keys, values, comparisons, in_order, after: 0, name: "decorrelated".into() })
}

/// One group for each key, where those that are equal are one group.
fn grouped(aggregate: &Aggregate, outer: &[(OuterSlot, ColumnId)]) -> Option<(Plan, Vec<Key>)> {
    let is_same = |(_, call): &(ColumnId, AggregateCall)| {
        let adds_doubles =
            call.function.adds() && call.args.iter().all(|arg| matches!(arg.ty.sql, SqlType::Double | SqlType::Float));
        (adds_doubles || is_of_no_order(call, &aggregate.input)) && !call.args.iter().any(Expr::reads_outer)
    };
    let (input, keys) = keyed(&aggregate.input, outer)?;
    if !aggregate.calls.iter().all(is_same) || !keys.iter().all(Key::is_group) {
        return None;
    }
    let groups = keys.iter().filter_map(|key| Some((key.column.as_column()?, key.column.clone())));
    let (groups, calls) = (groups.collect(), aggregate.calls.clone());
    Some((Plan::Aggregate(Box::new(Aggregate { input, groups, calls, in_order: false })), keys))
}

/// Whether a call has the same answer in whichever order it sees its rows.
fn is_of_no_order(call: &AggregateCall, input: &Plan) -> bool {
    let is_exact = |arg: &Expr| arg.as_column().is_some_and(|id| sums_decimals(input, id));
    is_of_any_order(call) || call.function.adds() && call.args.iter().all(is_exact)
}

/// Whether a column has sums of decimals, which are decimals though they are called doubles.
fn sums_decimals(plan: &Plan, id: ColumnId) -> bool {
    match plan {
        Plan::Project(input, columns) => {
            let below = columns.iter().find(|(output, _)| *output == id).and_then(|(_, expr)| expr.as_column());
            below.is_some_and(|id| sums_decimals(input, id))
        }
        Plan::Filter(input, _) | Plan::Sort(input, _) | Plan::Distinct(input) => sums_decimals(input, id),
        Plan::MaterializedCte(cte) => sums_decimals(&cte.plan, id),
        Plan::Aggregate(aggregate) => aggregate.calls.iter().any(|(output, call)| {
            let is_decimal = |arg: &Expr| matches!(arg.ty.sql, SqlType::Decimal { .. });
            *output == id && call.function.adds() && call.args.iter().all(is_decimal)
        }),
        _ => false,
    }
}

/// What a subquery selects from, and its conditions on the outer row. `None` where these are not all equalities in its WHERE.
fn keyed(plan: &Plan, outer: &[(OuterSlot, ColumnId)]) -> Option<(Plan, Vec<Key>)> {
    let Plan::Filter(input, predicate) = plan else { return None };
    let mut input = (**input).clone();
    let inner = column_set(&input);
    let (asked, own): (Vec<&Expr>, Vec<&Expr>) = predicate.iter().partition(|term| term.reads_outer());
    let keys: Vec<Key> = asked.into_iter().map(|term| Key::of(term, &inner, outer)).collect::<Option<_>>()?;
    let mut columns = ColumnSet::default();
    columns.extend(keys.iter().filter_map(|key| key.column.as_column()));
    let is_usable = !keys.is_empty() && columns.iter().count() == keys.len() && is_independent(&mut input);
    is_usable.then(|| (input.filter(own.into_iter().cloned().collect()), keys))
}

impl Key {
    fn of(term: &Expr, inner: &ColumnSet, outer: &[(OuterSlot, ColumnId)]) -> Option<Key> {
        let ExprKind::Compare(CompareOp::Equal, comparison, sides) = &term.kind else { return None };
        let [left, right] = &**sides;
        let is_own = |side: &Expr| side.as_column().is_some_and(|id| inner.contains(&id));
        let (column, value) = if is_own(left) { (left, right) } else { (right, left) };
        if !is_own(column) || !value.columns().is_empty() || !is_movable(value) {
            return None;
        }
        let mut value = value.clone();
        value.rewrite(&mut |part| {
            if let ExprKind::Outer(slot) = part.kind
                && let Some((_, id)) = outer.iter().find(|(known, _)| *known == slot)
            {
                part.kind = ExprKind::Column(*id);
            }
        });
        // Where values of two kinds are compared, a table of keys has to make others of them.
        let is_hashed = comparison.hashed(&left.ty, &right.ty) == Some(*comparison);
        let key = Key { column: column.clone(), value, comparison: *comparison };
        (is_hashed && !key.value.reads_outer()).then_some(key)
    }

    /// Whether what equals a value is one group.
    fn is_group(&self) -> bool {
        let is_whole = matches!(self.column.ty.sql, SqlType::Integer(_)) && self.comparison == Comparison::Decimal;
        is_whole
            || !matches!(self.comparison, Comparison::Double)
                && Comparison::of_groups(&self.column.ty) == self.comparison
    }
}
