//! `dolt_reset`: resets the head of the branch, the staged root and the working root.

use hashbrown::HashSet;

use vcs::{Commit, RootValue, WorkingSet, move_tables};

use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call, State, find_table};
use crate::procedures::entry::Entry;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_reset", reset).help(
    "dolt_reset([--hard | --soft] [revision])",
    "Unstages tables, or moves the branch to a revision",
    &[("--hard", "forgets all changes"), ("--soft", "moves the branch alone")],
)];

const SYNTAX: Syntax = Syntax {
    command: "reset",
    flags: &[("hard", ""), ("soft", "")],
    values: &[],
    positional_max: None,
    too_many: None,
};

pub fn reset(call: &Call) -> Result<Answer> {
    call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    arguments.exclude("hard", "soft", || "error: --hard and --soft are mutually exclusive options.".to_owned())?;
    let state = match call.state() {
        Err(_) => return Err(SqlError::general("unable to reset HEAD in read-only databases")),
        Ok(state) => state,
    };
    let one = |what: &str| match &arguments.positional[..] {
        [] => Ok(None),
        [only] => Ok(Some(only)),
        _ => Err(SqlError::general(format!("--{what} supports at most one additional param"))),
    };
    let cleared = |set: WorkingSet| WorkingSet { merge: None, rebase: None, ..set };
    if arguments.has("hard") {
        let commit = one("hard")?.map(|revision| state.commit(revision)).transpose()?;
        let roots = state.roots()?;
        let head = match &commit {
            Some(commit) => state.root(&commit.root)?,
            None => roots.head.clone(),
        };
        let working = with_untracked(&roots.working, &roots.staged, &head)?.address();
        let set = WorkingSet { working, staged: head.address(), ..state.set.clone() };
        put(call, &state, commit.as_deref(), &cleared(set))?;
    } else if arguments.has("soft") {
        if let Some(revision) = one("soft")?.filter(|revision| !revision.is_empty()) {
            let commit = state.commit(revision)?;
            put(call, &state, Some(&commit), &cleared(state.set.clone()))?;
        }
    } else {
        let roots = state.roots()?;
        let only = match &arguments.positional[..] {
            [only] if only != "." => Some(only),
            _ => None,
        };
        let table = match only {
            Some(name) => find_table(name, &[&roots.head, &roots.staged, &roots.working])?,
            None => None,
        };
        match (only, table) {
            (Some(_), Some(table)) => {
                if roots.staged.table_address(&table)?.is_none() && roots.head.table_address(&table)?.is_none() {
                    return Err(crate::procedures::call::table_error(&[table], "do not exist"));
                }
                let staged = move_tables(&[table], &roots.head, &roots.staged)?;
                put(call, &state, None, &WorkingSet { staged: staged.address(), ..state.set.clone() })?;
            }
            (Some(revision), None) => {
                let commit = state.commit(revision)?;
                let set = WorkingSet { staged: commit.root, ..state.set.clone() };
                put(call, &state, Some(&commit), &cleared(set))?;
            }
            (None, _) => {
                let names = vcs::changed_tables(&roots.staged, &roots.head)?;
                let staged = move_tables(&names, &roots.head, &roots.staged)?;
                put(call, &state, None, &WorkingSet { staged: staged.address(), ..state.set.clone() })?;
            }
        }
    }
    Ok(Answer::status(0).renewing())
}

/// Writes the working set, and the head if it moves.
fn put(call: &Call, state: &State, head: Option<&Commit>, set: &WorkingSet) -> Result<()> {
    call.context.catalog.transaction.will_write();
    let mut draft = state.refs.draft();
    if let Some(head) = head {
        draft.set_branch(&state.branch, Some(head.address));
    }
    draft.set_working_set(&state.branch, Some(&call.written(set)))?;
    call.set_refs(&state.attached, draft)
}

/// `target` with the tables of the working root that are not staged. One of the same name, or with a column that a table of
/// the target has, is lost.
pub fn with_untracked(working: &RootValue, staged: &RootValue, target: &RootValue) -> Result<RootValue> {
    let mut untracked = Vec::new();
    for entry in working.tables() {
        let (name, address) = entry?;
        if staged.table_address(&name)?.is_none() && target.table_address(&name)?.is_none() {
            untracked.push((name, address));
        }
    }
    if untracked.is_empty() {
        return Ok(target.clone());
    }
    let mut tags = HashSet::new();
    for entry in target.tables() {
        let (_, address) = entry?;
        tags.extend(target.objects().table(&address)?.schema().columns.iter().map(|column| column.tag));
    }
    let mut edits = Vec::new();
    for (name, address) in untracked {
        let table = working.objects().table(&address)?;
        if !table.schema().columns.iter().any(|column| tags.contains(&column.tag)) {
            edits.push((name, Some(address)));
        }
    }
    Ok(target.with_tables_at(&edits)?)
}
