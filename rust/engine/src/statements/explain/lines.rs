//! Plans as text, for EXPLAIN.

use crate::catalog::Relation;
use crate::exec::{Measure, Measures};
use crate::plan::{JoinKind, JoinStrategy, Plan, SetKind};

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
    let push = |text: String, lines: &mut Vec<String>| lines.push(format!("{}{text}{done}", "  ".repeat(depth)));
    match plan {
        Plan::Scan(scan) => {
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
            let filter = match scan.filter.len() {
                0 => String::new(),
                some => format!(", {}", counted(some as u64, "condition")),
            };
            let order = if scan.reverse { ", backwards" } else { "" };
            let columns: Vec<&str> = scan.columns.iter().map(|(_, at)| &*relation.columns()[*at].name).collect();
            let columns = if columns.is_empty() { String::new() } else { format!(": {}", columns.join(", ")) };
            let indent = "  ".repeat(depth);
            lines.push(format!("{indent}Scan {}{index}{rows}{filter}{order}{done}{columns}", relation.name()));
        }
        Plan::Unit => push("One row".to_owned(), lines),
        Plan::Empty(_) => push("No rows".to_owned(), lines),
        Plan::Values(values) => push(format!("Values, {}", counted(values.rows.len() as u64, "row")), lines),
        Plan::JsonTable(table) => {
            push(format!("Rows of a document, {}", counted(table.columns.len() as u64, "column")), lines)
        }
        Plan::Filter(_, predicate) => push(format!("Filter, {}", counted(predicate.len() as u64, "condition")), lines),
        Plan::Project(_, columns) => push(format!("Project {}", counted(columns.len() as u64, "column")), lines),
        Plan::Join(join) => {
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
            let further = match join.on.len() {
                0 => String::new(),
                some => format!(", {}", counted(some as u64, "further condition")),
            };
            push(format!("{kind} join, {strategy}{further}"), lines);
        }
        Plan::Aggregate(aggregate) => {
            let by = match aggregate.groups.len() {
                0 => String::new(),
                some => format!(" by {}", counted(some as u64, "key")),
            };
            push(format!("Aggregate {}{by}", counted(aggregate.calls.len() as u64, "call")), lines);
        }
        Plan::Window(window) => push(format!("Window, {}", counted(window.calls.len() as u64, "call")), lines),
        Plan::Sort(_, keys) => push(format!("Sort by {}", counted(keys.len() as u64, "key")), lines),
        Plan::Limit(limit) => {
            let first = if matches!(limit.input, Plan::Sort(..)) { "Limit, keeping the first rows" } else { "Limit" };
            push(first.to_owned(), lines);
        }
        Plan::Distinct(_) => push("Distinct".to_owned(), lines),
        Plan::SetOperation(operation) => {
            let kind = match operation.kind {
                SetKind::Union => "Union",
                SetKind::Intersect => "Intersect",
                SetKind::Except => "Except",
            };
            push(format!("{kind}{}", if operation.all { " all" } else { "" }), lines);
        }
        Plan::Apply(apply) => {
            let when = if apply.subquery.outer.is_empty() { "once" } else { "for each row" };
            push(format!("Apply a subquery {when}"), lines);
            describe(&apply.subquery.plan, measures, depth + 2, lines);
        }
        Plan::Recursive(_) => push("Recursive".to_owned(), lines),
        Plan::RecursiveRows(..) => push("Rows of the last round".to_owned(), lines),
    }
    plan.inputs(&mut |input| describe(input, measures, depth + 1, lines));
}
