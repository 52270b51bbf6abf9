//! Plans as text, for EXPLAIN.

use super::reads::Reads;
use super::text::{Names, scan_of};
use crate::catalog::Relation;
use crate::exec::{Measure, Measures};
use crate::plan::{Join, JoinKind, JoinStrategy, Plan, Scan, SetKind, columns_of};

/// A line an operator and further ones, `name: …`, about it; its inputs are indented below. With measures each tells what it did, its
/// inputs included.
pub fn of(plan: &Plan, measures: Option<&Measures>, reads: Option<&Reads>) -> Vec<String> {
    let mut lines = Lines { names: Names::of(plan), measures, reads, lines: Vec::new() };
    lines.describe(plan, 0);
    lines.lines
}

/// The same below a line that says what becomes of the rows.
pub fn below(first: String, plan: &Plan, reads: Option<&Reads>) -> Vec<String> {
    let mut lines = Lines { names: Names::of(plan), measures: None, reads, lines: vec![first] };
    lines.describe(plan, 1);
    lines.lines
}

struct Lines<'a> {
    names: Names,
    measures: Option<&'a Measures>,
    /// Of databases on a network.
    reads: Option<&'a Reads<'a>>,
    lines: Vec<String>,
}

impl Lines<'_> {
    fn push(&mut self, depth: usize, line: &str) {
        self.lines.push(format!("{}{line}", "  ".repeat(depth)));
    }

    fn describe(&mut self, plan: &Plan, depth: usize) {
        let done = self.measures.and_then(|measures| measures.of(plan)).map_or(String::new(), done);
        self.push(depth, &format!("{}{done}", operator(plan)));
        for (name, text) in self.about(plan) {
            if !text.is_empty() {
                self.push(depth + 1, &format!("{name}: {text}"));
            }
        }
        if let Plan::Apply(apply) = plan {
            self.describe(&apply.subquery.plan, depth + 2);
            if let Some(decorrelated) = &apply.decorrelated {
                let rows = counted(decorrelated.after, "row");
                self.push(depth + 2, &format!("All answers at once, after {rows}"));
                self.push(depth + 3, &format!("keys: {}", self.names.equal(&decorrelated.keys, &decorrelated.values)));
                self.describe(&decorrelated.plan, depth + 3);
            }
        }
        plan.inputs(&mut |input| self.describe(input, depth + 1));
    }

    /// By what an operator does what it does, with the name of each.
    fn about(&self, plan: &Plan) -> Vec<(&'static str, String)> {
        let names = &self.names;
        if let Some(scan) = scan_of(plan) {
            let keys = match plan {
                Plan::HashIndexedScan(keyed) => names.all(keyed.keys.iter().map(|key| &key.condition)),
                _ => String::new(),
            };
            let columns = names.columns(&mut columns_of(plan).into_iter());
            return vec![
                ("range", names.ranges(scan)),
                ("keys", keys),
                ("where", names.all(&scan.filter)),
                ("columns", columns),
                ("reads", self.reads.and_then(|reads| reads.of_scan(scan)).unwrap_or_default()),
            ];
        }
        match plan {
            Plan::JsonTable(table) => vec![("document", names.text(&table.document))],
            Plan::TableFunction(function) => vec![("arguments", names.list(&function.arguments))],
            Plan::Filter(_, predicate) => vec![("where", names.all(predicate))],
            Plan::Project(_, columns) => vec![("columns", names.list(columns.iter().map(|(_, expr)| expr)))],
            Plan::Join(join) => {
                let keys = match &join.strategy {
                    JoinStrategy::Hash { left, right, .. } => names.equal(left, right),
                    _ => String::new(),
                };
                vec![("keys", keys), ("on", names.all(&join.on))]
            }
            Plan::Aggregate(aggregate) => {
                let groups = names.list(aggregate.groups.iter().map(|(_, expr)| expr));
                vec![("groups", groups), ("calls", names.columns(&mut aggregate.calls.iter().map(|(id, _)| *id)))]
            }
            Plan::Window(window) => vec![("calls", names.columns(&mut window.calls.iter().map(|(id, _)| *id)))],
            Plan::Sort(_, keys) => vec![("keys", names.order(keys))],
            Plan::Limit(limit) => vec![("rows", names.list(&limit.rows)), ("offset", names.list(&limit.offset))],
            Plan::Apply(apply) => vec![("gives", names.columns(&mut std::iter::once(apply.output)))],
            _ => Vec::new(),
        }
    }
}

/// `1 key`, `2 keys`.
pub(super) fn counted(count: u64, noun: &str) -> String {
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

fn operator(plan: &Plan) -> String {
    match plan {
        Plan::Scan(scan) => scanned(scan),
        Plan::HashIndexedScan(keyed) => format!("{}, hash", scanned(&keyed.scan)),
        Plan::LooseIndexScan(groups) => {
            let scan = &groups.scan;
            let order = if scan.reverse { ", backwards" } else { "" };
            let index = scan.access.index.map_or("", |index| &*scan.relation.indexes()[index].name);
            let range = if scan.access.ranges.is_some() { ", 1 range" } else { "" };
            format!("Scan groups of {} by {index}{range}{order}", called(scan))
        }
        Plan::Unit => "One row".to_owned(),
        Plan::Empty(_) => "No rows".to_owned(),
        Plan::Values(values) => format!("Values, {}", counted(values.rows.len() as u64, "row")),
        Plan::JsonTable(table) => format!("Rows of a document, {}", counted(table.columns.len() as u64, "column")),
        Plan::TableFunction(function) => format!("Rows of {}", function.name.name.text),
        Plan::Filter(..) => "Filter".to_owned(),
        Plan::Project(..) => "Project".to_owned(),
        Plan::Join(join) => joined(join),
        Plan::Aggregate(_) => "Aggregate".to_owned(),
        Plan::Window(_) => "Window".to_owned(),
        Plan::Sort(..) => "Sort".to_owned(),
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
        Plan::MaterializedCte(cte) => format!("Rows of {}, found once", cte.name),
        Plan::Recursive(_) => "Recursive".to_owned(),
        Plan::RecursiveRows(..) => "Rows of the last round".to_owned(),
        Plan::Staged(staged) => format!("In {} stages", staged.stages.len() + 1),
        Plan::StageRows(..) => "Rows of a stage".to_owned(),
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
    let order = if scan.reverse { ", backwards" } else { "" };
    format!("Scan {}{index}{rows}{order}", called(scan))
}

/// `orders`, `orders o`.
fn called(scan: &Scan) -> String {
    let (name, alias) = (scan.relation.name(), &scan.alias);
    if name == alias { name.to_string() } else { format!("{name} {alias}") }
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
        JoinStrategy::Nested => "nested loops",
        JoinStrategy::Hash { .. } => "hash",
        JoinStrategy::Lookup { .. } => "lookup for each row",
    };
    format!("{kind} join, {strategy}")
}
