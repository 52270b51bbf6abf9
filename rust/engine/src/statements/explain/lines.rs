//! Plans as text, for EXPLAIN.

use crate::catalog::Relation;
use crate::exec::{Measure, Measures};
use crate::plan::{Join, JoinKind, JoinStrategy, Plan, Scan, SetKind};

/// One line an operator, inputs indented below it; with measures each tells what it did, its inputs included.
pub fn of(plan: &Plan, measures: Option<&Measures>) -> Vec<String> {
    let mut lines = Vec::new();
    describe(plan, measures, 0, &mut lines);
    lines
}

/// The same below a line that says what becomes of the rows.
pub fn below(first: String, plan: &Plan) -> Vec<String> {
    let mut lines = vec![first];
    describe(plan, None, 1, &mut lines);
    lines
}

/// `1 key`, `2 keys`.
fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The count behind `before`; nothing where there are none.
fn counted_if_any(before: &str, count: usize, noun: &str) -> String {
    if count == 0 { String::new() } else { format!("{before}{}", counted(count as u64, noun)) }
}

/// `, 12 rows given, 0.34 ms, 2 pages read`.
fn done(measure: &Measure) -> String {
    let milliseconds = measure.microseconds.get() as f64 / 1000.0;
    let mut text = format!(", {} given, {milliseconds:.2} ms", counted(measure.rows.get(), "row"));
    if measure.starts.get() != 1 {
        text.push_str(&format!(", started {} times", measure.starts.get()));
    }
    if measure.pages.get() > 0 {
        text.push_str(&format!(", {} read", counted(measure.pages.get(), "page")));
    }
    text
}

fn describe(plan: &Plan, measures: Option<&Measures>, depth: usize, lines: &mut Vec<String>) {
    let done = measures.and_then(|measures| measures.of(plan)).map_or(String::new(), done);
    let columns = match plan {
        Plan::Scan(scan) => columns_read(scan),
        Plan::KeyedScan(keyed) => columns_read(&keyed.scan),
        _ => String::new(),
    };
    lines.push(format!("{}{}{done}{columns}", "  ".repeat(depth), operator(plan)));
    if let Plan::Apply(apply) = plan {
        describe(&apply.subquery.plan, measures, depth + 2, lines);
    }
    plan.inputs(&mut |input| describe(input, measures, depth + 1, lines));
}

fn operator(plan: &Plan) -> String {
    match plan {
        Plan::Scan(scan) => scanned(scan),
        Plan::KeyedScan(keyed) => {
            format!("{}, hash on {}", scanned(&keyed.scan), counted(keyed.keys.len() as u64, "key"))
        }
        Plan::IndexGroups(groups) => {
            let scan = &groups.scan;
            let order = if scan.reverse { ", backwards" } else { "" };
            let index = scan.access.index.map_or("", |index| &*scan.relation.indexes()[index].name);
            let range = if scan.access.ranges.is_some() { ", 1 range" } else { "" };
            format!("Scan groups of {} by {index}{range}{order}", scan.relation.name())
        }
        Plan::Unit => "One row".to_owned(),
        Plan::Empty(_) => "No rows".to_owned(),
        Plan::Values(values) => format!("Values, {}", counted(values.rows.len() as u64, "row")),
        Plan::JsonTable(table) => format!("Rows of a document, {}", counted(table.columns.len() as u64, "column")),
        Plan::TableFunction(function) => format!("Rows of {}", function.name.name.text),
        Plan::Filter(_, predicate) => format!("Filter, {}", counted(predicate.len() as u64, "condition")),
        Plan::Project(_, columns) => format!("Project {}", counted(columns.len() as u64, "column")),
        Plan::Join(join) => joined(join),
        Plan::Aggregate(aggregate) => {
            let by = counted_if_any(" by ", aggregate.groups.len(), "key");
            format!("Aggregate {}{by}", counted(aggregate.calls.len() as u64, "call"))
        }
        Plan::Window(window) => format!("Window, {}", counted(window.calls.len() as u64, "call")),
        Plan::Sort(_, keys) => format!("Sort by {}", counted(keys.len() as u64, "key")),
        Plan::Limit(limit) => {
            let first = if matches!(limit.input, Plan::Sort(..)) { "Limit, keeping the first rows" } else { "Limit" };
            first.to_owned()
        }
        Plan::Distinct(_) => "Distinct".to_owned(),
        Plan::SetOperation(operation) => {
            let kind = match operation.kind {
                SetKind::Union => "Union",
                SetKind::Intersect => "Intersect",
                SetKind::Except => "Except",
            };
            format!("{kind}{}", if operation.all { " all" } else { "" })
        }
        Plan::Apply(apply) => {
            let when = if apply.subquery.outer.is_empty() { "once" } else { "for each row" };
            format!("Apply a subquery {when}")
        }
        Plan::Shared(shared) => format!("Rows of {}, found once", shared.name),
        Plan::Recursive(_) => "Recursive".to_owned(),
        Plan::RecursiveRows(..) => "Rows of the last round".to_owned(),
    }
}

fn scanned(scan: &Scan) -> String {
    let relation: &dyn Relation = &*scan.relation;
    let index = match (scan.access.index, &scan.access.ranges) {
        (Some(index), Some(ranges)) => {
            let name = &relation.indexes()[index].name;
            format!(" by {name}, {}", counted(ranges.len() as u64, "range"))
        }
        (Some(index), None) => {
            let nearest = if scan.access.nearest.is_some() { ", the nearest" } else { "" };
            format!(" by {}{nearest}", relation.indexes()[index].name)
        }
        _ => String::new(),
    };
    let rows = relation.row_count().map_or(String::new(), |rows| format!(" of {}", counted(rows, "row")));
    let filter = counted_if_any(", ", scan.filter.len(), "condition");
    let order = if scan.reverse { ", backwards" } else { "" };
    format!("Scan {}{index}{rows}{filter}{order}", relation.name())
}

/// `: id, name`.
fn columns_read(scan: &Scan) -> String {
    let columns: Vec<&str> = scan.columns.iter().map(|(_, at)| &*scan.relation.columns()[*at].name).collect();
    if columns.is_empty() { String::new() } else { format!(": {}", columns.join(", ")) }
}

fn joined(join: &Join) -> String {
    let kind = match join.kind {
        JoinKind::Inner => "Inner",
        JoinKind::Left => "Left",
        JoinKind::Right => "Right",
        JoinKind::Full => "Full",
        JoinKind::Semi => "Semi",
        JoinKind::Anti => "Anti",
    };
    let strategy = match &join.strategy {
        JoinStrategy::Nested => "nested loops".to_owned(),
        JoinStrategy::Hash { left, .. } => format!("hash on {}", counted(left.len() as u64, "key")),
        JoinStrategy::Lookup { .. } => "lookup for each row".to_owned(),
    };
    let further = counted_if_any(", ", join.on.len(), "further condition");
    format!("{kind} join, {strategy}{further}")
}
