//! EXPLAIN as MySQL's table: a row for each table that is read.

use value::{SqlType, Value};

use super::text::scan_of;
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
pub fn of(plan: Option<&Plan>, changing: Option<(&'static str, &str)>) -> Listing {
    let mut table = Table {
        listing: Listing::new(&COLUMNS).with(SqlType::BIGINT, &[0, 9]).with(SqlType::Double, &[10]),
        changing: changing.map(|(kind, _)| kind),
        selects: 1,
        notes: Vec::new(),
        rows: 0,
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
    keys: Option<String>,
    rows: Option<u64>,
    is_filtered: bool,
    ref_: Option<String>,
}

struct Table {
    listing: Listing,
    changing: Option<&'static str>,
    /// Selects that have a number.
    selects: i64,
    /// What the operators above a table do.
    notes: Vec<&'static str>,
    rows: usize,
}

impl Table {
    fn visit(&mut self, plan: &Plan, select: i64, kind: &'static str) {
        if let Some(scan) = scan_of(plan) {
            let access = access(scan);
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
            Value::Null,
            optional(access.ref_.clone()),
            access.rows.map_or(Value::Null, |rows| Value::Int(rows.min(i64::MAX as u64) as i64)),
            if table.is_some() { Value::Double(100.0) } else { Value::Null },
            if notes.is_empty() { Value::Null } else { Value::text(notes.join("; ")) },
        ]);
    }
}

fn has_subqueries(plan: &Plan) -> bool {
    let mut found = matches!(plan, Plan::Apply(_) | Plan::SetOperation(_));
    plan.inputs(&mut |input| found |= has_subqueries(input));
    found
}

fn access(scan: &Scan) -> Access {
    let relation = &*scan.relation;
    let all = Access { kind: "ALL", is_filtered: !scan.filter.is_empty(), ..Access::default() };
    let counted = scan.estimate.map(|rows| rows.ceil() as u64).or(relation.row_count());
    let Some(index) = scan.access.index.map(|at| &relation.indexes()[at]) else {
        return Access { rows: counted, ..all };
    };
    let name = index.name.to_string();
    let Some(ranges) = &scan.access.ranges else {
        return match &*name {
            "PRIMARY" => Access { rows: counted, ..all },
            _ => Access { kind: "index", key: Some(name), rows: counted, ..all },
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
    let rows = if is_one { Some(1) } else { counted };
    Access { kind, keys: Some(name.clone()), key: Some(name), rows, ref_: values, ..all }
}
