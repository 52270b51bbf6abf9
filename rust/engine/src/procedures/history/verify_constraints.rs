//! `dolt_verify_constraints`: looks for rows that violate constraints (docs/format/database.md, section 10.7).

use value::Value;
use vcs::{MergeOptions, RootValue, TableNames, WorkingSet};

use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call, number_column};
use crate::procedures::entry::Entry;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_verify_constraints", verify)];

const SYNTAX: Syntax = Syntax {
    command: "doltVerifyConstraints",
    flags: &[("all", "a"), ("output-only", "o")],
    values: &[],
    positional_max: None,
    too_many: None,
};

pub fn verify(call: &Call) -> Result<Answer> {
    let arguments = SYNTAX.parse(&call.arguments)?;
    let state = call.state()?;
    call.context.catalog.transaction.will_write();
    let working = state.working()?;
    let mut tables = Vec::new();
    for name in &arguments.positional {
        match working.find_table(name)? {
            Some((stored, _)) => tables.push(stored),
            None => return Err(SqlError::table_not_found(name)),
        }
    }
    let base = match arguments.has("all") {
        true => RootValue::empty(state.refs.objects(), working.collation())?,
        false => state.root(&state.head.root)?,
    };
    let expressions = call.expressions();
    let at = state.at();
    let options = MergeOptions {
        their_source: working.address(),
        base_source: base.address(),
        expressions,
        names: TableNames { refs: &state.refs, head: &at },
        merges_json: true,
        keeps_schema_conflicts: true,
        is_cherry_pick: false,
        records_violations: true,
        progress: call.pausing(),
    };
    let limit = (!tables.is_empty()).then_some(&tables[..]);
    let verified = vcs::verify(&working, &base, &options, limit)?;
    if !arguments.has("output-only") {
        let set = WorkingSet { working: verified.address(), ..state.set.clone() };
        call.set_working_set(&state, &set)?;
    }
    let [violated, _] = vcs::tables_with_artifacts(&verified)?;
    let is_found = violated.iter().any(|table| tables.is_empty() || tables.contains(table));
    Ok(Answer::new(vec![number_column("violations")], vec![Value::Int(is_found.into())]))
}
