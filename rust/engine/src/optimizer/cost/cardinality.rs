//! Cardinality estimates. Counts of tables and of key ranges are exact; the number of distinct values of a column is exact for unique
//! indexes, and sampled for others.

use crate::catalog::{IndexChoice, KeyRange};
use crate::exec;
use crate::exec::sort::limit::row_number;
use crate::expr::{CompareOp, Context, Expr, ExprKind, to_double};
use crate::plan::{ColumnId, Join, JoinKind, JoinStrategy, Limit, Plan, Scan};

/// Of the rows that a condition is tested for, about so many pass.
const PASSING: f64 = 0.3;

/// A lookup costs about as much as reading this many rows in order.
pub const LOOKUP_ROWS: f64 = 20.0;

/// Rows of a relation that does not know them.
const ROWS: f64 = 1000.0;

/// Rows that are looked at to see how many pass.
const SAMPLE_ROWS: u64 = 32;

/// All rows of a table of no more than these are looked at.
const SMALL_ROWS: u64 = 256;

/// So few rows of a small table are looked up while there is no plan yet.
const FEW_ROWS: f64 = 4.0;

/// A guess at the rows of a plan.
pub fn rows_of(plan: &Plan, context: &Context) -> f64 {
    let rows_of = |plan: &Plan| rows_of(plan, context);
    match plan {
        Plan::Unit => 1.0,
        Plan::Empty(_) => 0.0,
        Plan::Scan(scan) => rows_of_scan(scan, context),
        Plan::HashIndexedScan(keyed) => rows_of_scan(&keyed.scan, context) * passing(keyed.keys.len()),
        Plan::LooseIndexScan(groups) => exec::estimate_groups(&groups.scan, groups.fields, context).unwrap_or(ROWS),
        Plan::Values(values) => values.rows.len() as f64,
        Plan::JsonTable(_) | Plan::TableFunction(_) => 10.0,
        Plan::Filter(input, predicate) => rows_of(input) * passing(predicate.len()),
        Plan::Project(input, _) | Plan::Sort(input, _) => rows_of(input),
        Plan::Distinct(input) => rows_of(input) * 0.5,
        Plan::Join(join) => rows_of_join(join, context),
        Plan::Aggregate(aggregate) if aggregate.groups.is_empty() => 1.0,
        Plan::Aggregate(aggregate) => rows_of(&aggregate.input) * 0.2,
        Plan::Window(window) => rows_of(&window.input),
        Plan::Limit(limit) => {
            let rows = limit.rows.as_ref().and_then(|rows| rows.as_literal().map(to_double));
            rows.unwrap_or(ROWS).min(rows_of(&limit.input))
        }
        Plan::SetOperation(operation) => rows_of(&operation.left) + rows_of(&operation.right),
        Plan::Apply(apply) => rows_of(&apply.input),
        Plan::MaterializedCte(cte) => rows_of(&cte.plan),
        Plan::Staged(staged) => rows_of(&staged.plan),
        Plan::Recursive(_) | Plan::RecursiveRows(..) | Plan::StageRows(..) => ROWS,
    }
}

fn passing(terms: usize) -> f64 {
    PASSING.powi(terms.min(4) as i32)
}

fn rows_of_scan(scan: &Scan, context: &Context) -> f64 {
    if let Some(rows) = scan.estimate {
        return rows;
    }
    let (rows, fixed) = rows_read(scan, context);
    rows.unwrap_or(ROWS) * passing(scan.filter.len().saturating_sub(fixed))
}

/// About how many rows a scan reads before its conditions are tested, and how many of these its ranges cover.
pub fn rows_read(scan: &Scan, context: &Context) -> (Option<f64>, usize) {
    let counted = exec::count_ranges(scan, &scan.relation, context).map(|(rows, fixed)| (rows as f64, fixed));
    let counted = counted.or_else(|| found_by_lookup(scan, context));
    match counted {
        Some((rows, fixed)) => (Some(rows), fixed),
        None => (scan.relation.row_count().map(|rows| rows as f64), 0),
    }
}

/// About how many rows have the values with which ranges begin, whatever these are, and how many conditions say so.
fn found_by_lookup(scan: &Scan, context: &Context) -> Option<(f64, usize)> {
    let (number, ranges) = (scan.access.index?, scan.access.ranges.as_ref()?);
    let fields = ranges.iter().map(|range| range.equal.len()).min().filter(|fields| *fields > 0)?;
    let positions = scan.relation.indexes().get(number)?.columns.get(..fields)?;
    let all = scan.relation.row_count()? as f64;
    let different =
        unique_values(scan, positions).or_else(|| different_prefixes(scan, number, fields, context))?.max(1.0);
    Some((ranges.len() as f64 * all / different, fields))
}

/// Rows that pass the conditions of a scan of a whole table, by a look at some of them; `None` where there is nothing to look at, or
/// it would reveal the values of parameters.
pub fn sampled(scan: &Scan, context: &Context) -> Option<f64> {
    let table = scan.relation.base()?;
    let is_unknown = |part: &Expr| matches!(part.kind, ExprKind::Param(_) | ExprKind::Outer(_));
    if scan.filter.is_empty() || scan.access.ranges.is_some() || scan.filter.iter().any(|term| term.any(&is_unknown)) {
        return None;
    }
    let all = scan.relation.row_count()?;
    if all <= SMALL_ROWS {
        return Some(exec::all_passing(scan, context)?.rows as f64);
    }
    if table.table.rows().root.level() == 0 {
        return None;
    }
    let places: Vec<u64> = (0..SAMPLE_ROWS).map(|number| number * all / SAMPLE_ROWS).collect();
    let passed = exec::count_passing(scan, None, &places, context)?;
    // A share that is seen in few rows may be smaller, and one that is not seen is no nothing.
    Some(all as f64 * (passed as f64 + 0.25) / (SAMPLE_ROWS as f64 + 0.25))
}

/// How many rows of a table the few rows of a small one lead to by an index: the values that are seldom or frequent are known then.
/// `key` is a column of the small table.
pub fn partners_of_few(few: &Scan, key: ColumnId, scan: &Scan, index: usize, context: &Context) -> Option<f64> {
    let is_small =
        few.relation.base().is_some() && few.access.ranges.is_none() && few.relation.row_count()? <= SMALL_ROWS;
    if !is_small || few.estimate.is_none_or(|rows| rows > FEW_ROWS) {
        return None;
    }
    let column = few.columns.iter().position(|(id, _)| *id == key)?;
    let rows = exec::all_passing(few, context)?;
    let ty = &few.relation.columns()[few.columns[column].1].ty;
    let range = |row| KeyRange {
        equal: vec![Expr::new(ExprKind::Literal(rows.value(column, row).into_owned()), ty.clone())],
        ..KeyRange::default()
    };
    let ranges = (0..rows.rows).filter(|&row| !rows.columns[column].is_null(row)).map(range).collect();
    let access = IndexChoice { index: Some(index), ranges: Some(ranges), nearest: None };
    let found = Scan { access, filter: Vec::new(), ..scan.clone() };
    Some(exec::count_ranges(&found, &found.relation, context)?.0 as f64)
}

/// Of all rows of a table at least about this share passes the conditions of a scan, as far as a look at some of them tells; `None`
/// where hardly any does. It may depend on the values of parameters: then the plan is for these.
pub fn share_passing(scan: &Scan, context: &Context) -> Option<f64> {
    let table = scan.relation.base()?;
    let reads = |test: &dyn Fn(&Expr) -> bool| scan.filter.iter().any(|term| term.any(test));
    let is_whole = scan.access.ranges.is_none() && table.table.rows().root.level() > 0;
    if !is_whole || reads(&|part| matches!(part.kind, ExprKind::Outer(_))) {
        return None;
    }
    if reads(&|part| matches!(part.kind, ExprKind::Param(_))) {
        context.plans_for_values.set(true);
    }
    let all = scan.relation.row_count()?;
    let places: Vec<u64> = (0..SAMPLE_ROWS).map(|number| number * all / SAMPLE_ROWS).collect();
    let passed = exec::count_passing(scan, None, &places, context)?;
    (passed > 1).then(|| (passed - 1) as f64 / SAMPLE_ROWS as f64)
}

fn rows_of_join(join: &Join, context: &Context) -> f64 {
    if let Some(rows) = join.estimate {
        return rows;
    }
    let (left, right) = (rows_of(&join.left, context), rows_of(&join.right, context));
    if matches!(join.kind, JoinKind::Semi | JoinKind::Anti) {
        return left * 0.5;
    }
    if matches!(join.strategy, JoinStrategy::Lookup { .. }) {
        let rows = left * right;
        return if join.kind == JoinKind::Inner { rows } else { rows.max(left) };
    }
    let is_crossed = matches!(join.strategy, JoinStrategy::Nested) && join.on.is_empty();
    let pairs = equal_columns(join);
    let (lefts, rights): (Vec<ColumnId>, Vec<ColumnId>) = pairs.into_iter().unzip();
    let share = different_keys((&join.left, &lefts), (&join.right, &rights), context);
    let rows = match share {
        _ if is_crossed => left * right,
        Some(different) => left * right / different.max(1.0),
        None => left.max(right),
    };
    if join.kind == JoinKind::Inner { rows } else { rows.max(left) }
}

/// How many different values two sides have in the columns by which they are joined: of one pair of rows in so many they are equal.
pub fn different_keys(left: (&Plan, &[ColumnId]), right: (&Plan, &[ColumnId]), context: &Context) -> Option<f64> {
    if left.1.is_empty() {
        return None;
    }
    let greater = |one: Option<f64>, other: Option<f64>| match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    };
    // Of a reference to a row the rows are counted, which takes no look at any.
    let known = |(plan, columns): (&Plan, &[ColumnId])| different_values(plan, columns, &unique_values);
    let seen = |(plan, columns): (&Plan, &[ColumnId])| {
        different_values(plan, columns, &|scan, positions| different_in(scan, positions, context))
    };
    greater(known(left), known(right)).or_else(|| greater(seen(left), seen(right)))
}

/// The columns of both sides that a join finds equal.
fn equal_columns(join: &Join) -> Vec<(ColumnId, ColumnId)> {
    if let JoinStrategy::Hash { left, right, .. } = &join.strategy {
        return left
            .iter()
            .zip(right)
            .filter_map(|(left, right)| Some((left.as_column()?, right.as_column()?)))
            .collect();
    }
    let rights = crate::plan::column_set(&join.right);
    let sides = join.on.iter().filter_map(equated);
    sides.map(|(one, other)| if rights.contains(&other) { (one, other) } else { (other, one) }).collect()
}

/// The two columns that a condition says are equal.
pub fn equated(term: &Expr) -> Option<(ColumnId, ColumnId)> {
    match &term.kind {
        ExprKind::Compare(CompareOp::Equal, _, sides) => Some((sides[0].as_column()?, sides[1].as_column()?)),
        _ => None,
    }
}

/// About how many different combinations of values the tables have in these columns of a plan, before any conditions.
fn different_values(
    plan: &Plan,
    columns: &[ColumnId],
    of_scan: &dyn Fn(&Scan, &[usize]) -> Option<f64>,
) -> Option<f64> {
    let mut scans: Vec<(&Scan, Vec<usize>)> = Vec::new();
    for &column in columns {
        let (scan, position) = origin(plan, column)?;
        match scans.iter_mut().find(|(known, _)| std::ptr::eq(*known, scan)) {
            Some((_, positions)) => positions.push(position),
            None => scans.push((scan, vec![position])),
        }
    }
    scans.into_iter().map(|(scan, positions)| of_scan(scan, &positions)).product()
}

/// The rows of a table of which these columns tell each from all others.
fn unique_values(scan: &Scan, positions: &[usize]) -> Option<f64> {
    let is_told = |columns: &[usize]| !columns.is_empty() && columns.iter().all(|column| positions.contains(column));
    let mut indexes = scan.relation.indexes().iter();
    let is_unique = indexes.any(|index| index.unique && is_told(&index.columns));
    if is_unique { scan.relation.row_count().map(|rows| rows as f64) } else { None }
}

fn different_in(scan: &Scan, positions: &[usize], context: &Context) -> Option<f64> {
    let rows = scan.relation.row_count()? as f64;
    if let Some(values) = unique_values(scan, positions) {
        return Some(values);
    }
    let indexes = scan.relation.indexes();
    let of_one = |position: &usize| {
        let number = indexes.iter().position(|index| index.ordered && index.columns.first() == Some(position))?;
        different_prefixes(scan, number, 1, context)
    };
    let different = positions.iter().map(of_one).product::<Option<f64>>()?;
    Some(different.min(rows))
}

/// About how many different beginnings of so many fields the entries of an index have.
pub fn different_prefixes(scan: &Scan, number: usize, fields: usize, context: &Context) -> Option<f64> {
    scan.relation.base()?;
    let access = IndexChoice { index: Some(number), ..IndexChoice::default() };
    exec::estimate_groups(&Scan { access, filter: Vec::new(), ..scan.clone() }, fields, context)
}

/// The scan that a column comes from, and its position there.
fn origin(plan: &Plan, column: ColumnId) -> Option<(&Scan, usize)> {
    match plan {
        Plan::Scan(scan) => {
            let (_, position) = scan.columns.iter().find(|(id, _)| *id == column)?;
            Some((scan, *position))
        }
        Plan::Project(input, columns) => {
            let (_, expr) = columns.iter().find(|(id, _)| *id == column)?;
            origin(input, expr.as_column()?)
        }
        Plan::Filter(input, _) | Plan::Sort(input, _) | Plan::Distinct(input) => origin(input, column),
        Plan::Apply(apply) => origin(&apply.input, column),
        Plan::Join(join) => origin(&join.left, column).or_else(|| origin(&join.right, column)),
        _ => None,
    }
}

/// How many rows a limit takes of its input, as far as that is known.
pub fn rows_wanted(limit: &Limit, context: &Context) -> Option<f64> {
    let number = |expr: &Option<Expr>| row_number(expr, 0, context).ok();
    let is_known = limit.rows.is_some() && !limit.counts_all;
    is_known.then(|| Some(number(&limit.rows)?.saturating_add(number(&limit.offset)?) as f64)).flatten()
}
