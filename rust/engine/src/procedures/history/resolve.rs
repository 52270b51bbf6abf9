//! `dolt_conflicts_resolve`: takes one side of all conflicts of tables (docs/format/database.md, section 10.7).

use vcs::{NamedConflicts, TableNames, WorkingSet};

use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call};
use crate::procedures::entry::Entry;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_conflicts_resolve", resolve).help(
    "dolt_conflicts_resolve('--ours' | '--theirs', table, …)",
    "Takes one side of all conflicts of tables",
    &[],
)];

const SYNTAX: Syntax = Syntax {
    command: "conflicts resolve",
    flags: &[("ours", ""), ("theirs", "")],
    values: &[],
    positional_max: None,
    too_many: None,
};

const SCHEMA_CONFLICTS: &str = "Unable to automatically resolve schema conflicts since data changes may not have been fully \
     merged yet. To continue, abort this merge (dolt merge --abort) then apply ALTER TABLE statements to one side of this \
     merge to get the two schemas in sync with the desired schema, then rerun the merge. To track resolution of this \
     limitation, follow https://github.com/dolthub/dolt/issues/6616";

pub fn resolve(call: &Call) -> Result<Answer> {
    let arguments = SYNTAX.parse(&call.arguments)?;
    let state = call.state()?;
    let takes_ours = match (arguments.has("ours"), arguments.has("theirs")) {
        (true, true) => return Err(SqlError::general("specify only either --ours or --theirs")),
        (false, false) => return Err(SqlError::general("--ours or --theirs must be supplied")),
        (takes_ours, _) => takes_ours,
    };
    let mut root = state.working()?;
    let names = match &arguments.positional[..] {
        [] => return Err(SqlError::general("specify at least one table to resolve conflicts")),
        [dot] if dot == "." => vcs::tables_with_artifacts(&root)?[1].clone(),
        names => {
            let mut stored = Vec::new();
            for name in names {
                let found = root.find_table(name)?;
                stored.push(found.ok_or_else(|| SqlError::general("table not found"))?.0);
            }
            stored
        }
    };
    if state.set.merge.as_ref().is_some_and(|merge| !merge.unmergable_tables.is_empty()) {
        return Err(SqlError::general(SCHEMA_CONFLICTS));
    }
    call.context.catalog.transaction.will_write();
    let expressions = call.expressions();
    let at = state.at();
    for name in names {
        let Some(conflicts) = NamedConflicts::of(&root, &name)? else { continue };
        let resolved = if takes_ours { conflicts.take_ours()? } else { conflicts.take_theirs(expressions)? };
        if vcs::has_new_dangling_rows(&root, &resolved, TableNames { refs: &state.refs, head: &at }, expressions)? {
            let text = format!("resolving conflicts for table {name} created foreign key violations");
            return Err(SqlError::general(text));
        }
        root = resolved;
    }
    let set = WorkingSet { working: root.address(), ..state.set.clone() };
    call.set_working_set(&state, &set)?;
    Ok(Answer::status(0))
}
