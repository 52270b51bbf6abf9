//! EXPLAIN as MySQL's table: a row for each table that is read.

use value::{SqlType, Value};

use super::key_length::key_length;
use super::text::scan_of;
use crate::catalog::KeyRange;
use crate::expr::Context;
use crate::optimizer::cost::cardinality;
use crate::plan::{Plan, Scan};
use crate::statements::listing::Listing;

const COLUMNS: [&str; 12] = [
    "id",
    "select_type",
    "table",
    "partitions",
    "type",
    "possible_keys",
    "key",
    "key_len",
    "ref",
    "rows",
    "filtered",
    "Extra",
];

/// What is read for a statement, whose rows are all of one kind where it is `changing`: INSERT, UPDATE or DELETE.
pub fn of(plan: Option<&Plan>, changing: Option<(&'static str, &str)>, context: &Context) -> Listing {
    let mut table = Table {
        listing: Listing::new(&COLUMNS).with(SqlType::BIGINT, &[0, 9]).with(SqlType::Double, &[10]),
        changing: changing.map(|(kind, _)| kind),
        selects: 1,
        notes: Vec::new(),
        rows: 0,
        context,
    };
    if let Some(("INSERT", name)) = changing {
        table.push(1, "INSERT", Some(name), &Access { kind: "ALL", ..Access::default() });
        table.changing = None;
    }
    if let Some(plan) = plan {
        let has_several = has_subqueries(plan);
        table.visit(plan, 1, if has_several { "PRIMARY" } else { "SIMPLE" });
    }
    if table.rows == 0 {
        table.notes.push("No tables used");
        table.push(1, "SIMPLE", None, &Access::default());
    }
    table.listing
}

/// How a table is read.
#[derive(Default)]
struct Access {
    /// `const`, `ref`, `range`, `index`, `ALL`.
    kind: &'static str,
    key: Option<String>,
    /// In bytes.
    key_length: Option<u64>,
    keys: Option<String>,
    rows: Option<u64>,
    is_filtered: bool,
    /// Of the rows that are read about so many percent pass; all of them where nothing says how many.
    passing: Option<f64>,
    ref_: Option<String>,
}

struct Table<'a> {
    context: &'a Context,
    listing: Listing,
    changing: Option<&'static str>,
    /// Selects that have a number.
    selects: i64,
    /// What the operators above a table do.
    notes: Vec<&'static str>,
    rows: usize,
}

impl Table<'_> {
    fn visit(&mut self, plan: &Plan, select: i64, kind: &'static str) {
        if let Some(scan) = scan_of(plan) {
            let access = access(scan, self.context);
            let kind = self.changing.unwrap_or(kind);
            self.push(select, kind, Some(&scan.alias), &access);
            return;
        }
        match plan {
            Plan::Sort(..) => self.notes.push("Using filesort"),
            Plan::Aggregate(aggregate) if !aggregate.groups.is_empty() && !aggregate.in_order => {
                self.notes.push("Using temporary");
            }
            Plan::Distinct(_) => self.notes.push("Using temporary"),
            _ => {}
        }
        match plan {
            Plan::SetOperation(operation) => {
                self.visit(&operation.left, select, kind);
                self.selects += 1;
                self.visit(&operation.right, self.selects, "UNION");
            }
            Plan::Apply(apply) => {
                self.visit(&apply.input, select, kind);
                self.selects += 1;
                let kind = if apply.subquery.outer.is_empty() { "SUBQUERY" } else { "DEPENDENT SUBQUERY" };
                self.visit(&apply.subquery.plan, self.selects, kind);
            }
            _ => plan.inputs(&mut |input| self.visit(input, select, kind)),
        }
    }

    fn push(&mut self, select: i64, kind: &'static str, table: Option<&str>, access: &Access) {
        let mut notes: Vec<&str> = if access.is_filtered { vec!["Using where"] } else { Vec::new() };
        notes.append(&mut self.notes);
        notes.dedup();
        let optional = |text: Option<String>| text.map_or(Value::Null, Value::text);
        self.rows += 1;
        self.listing.push(vec![
            Value::Int(select),
            Value::text(kind),
            table.map_or(Value::Null, |name| Value::text(name.to_owned())),
            Value::Null,
            if access.kind.is_empty() { Value::Null } else { Value::text(access.kind) },
            optional(access.keys.clone()),
            optional(access.key.clone()),
            optional(access.key_length.map(|bytes| bytes.to_string())),
            optional(access.ref_.clone()),
            access.rows.map_or(Value::Null, |rows| Value::Int(rows.min(i64::MAX as u64) as i64)),
            if table.is_some() { Value::Double(access.passing.unwrap_or(100.0)) } else { Value::Null },
            if notes.is_empty() { Value::Null } else { Value::text(notes.join("; ")) },
        ]);
    }
}

fn has_subqueries(plan: &Plan) -> bool {
    let mut found = matches!(plan, Plan::Apply(_) | Plan::SetOperation(_));
    plan.inputs(&mut |input| found |= has_subqueries(input));
    found
}

fn access(scan: &Scan, context: &Context) -> Access {
    let relation = &*scan.relation;
    let (read, fixed) = cardinality::rows_read(scan, context);
    let rows = read.map(|rows| rows.ceil() as u64);
    let passing = if scan.filter.len() > fixed { percent_passing(scan, read, context) } else { None };
    let all = Access { kind: "ALL", is_filtered: !scan.filter.is_empty(), rows, passing, ..Access::default() };
    let Some(index) = scan.access.index.map(|at| &relation.indexes()[at]) else {
        return all;
    };
    let name = index.name.to_string();
    let length = |parts| key_length(relation, &index.columns, parts);
    let Some(ranges) = &scan.access.ranges else {
        return match &*name {
            "PRIMARY" => all,
            _ => Access { kind: "index", key: Some(name), key_length: length(usize::MAX), ..all },
        };
    };
    let is_exact = ranges.iter().all(|range| range.lower.is_none() && range.upper.is_none() && !range.is_not_null);
    let is_one = ranges.len() == 1 && is_exact && ranges[0].equal.len() == index.columns.len() && index.unique;
    let reads_outer = ranges.iter().any(|range| range.reads_outer());
    let kind = match (is_one, reads_outer) {
        (true, true) => "eq_ref",
        (true, false) => "const",
        _ if is_exact && ranges.len() == 1 => "ref",
        _ => "range",
    };
    let values = ranges.first().filter(|_| kind != "range").map(|range| {
        let sources = range.equal.iter().map(|value| if value.reads_outer() { "func" } else { "const" });
        sources.collect::<Vec<_>>().join(",")
    });
    let has_bound = |range: &KeyRange| range.lower.is_some() || range.upper.is_some() || range.is_not_null;
    let parts = ranges.iter().map(|range| range.equal.len() + usize::from(has_bound(range))).max().unwrap_or(0);
    let rows = if is_one { Some(1) } else { rows };
    let (keys, key) = (Some(name.clone()), Some(name));
    Access { kind, keys, key, key_length: length(parts), rows, ref_: values, ..all }
}

/// How many percent of the rows that a scan reads pass its conditions, as far as a look at some of them says.
fn percent_passing(scan: &Scan, read: Option<f64>, context: &Context) -> Option<f64> {
    let read = read.filter(|rows| *rows > 0.0)?;
    let passed = scan.estimate.or_else(|| cardinality::sampled(scan, context))?;
    // MySQL never says that hardly any row passes.
    let percent = (100.0 * passed.max(0.05) / read).min(100.0);
    Some((percent * 100.0).round() / 100.0)
}
