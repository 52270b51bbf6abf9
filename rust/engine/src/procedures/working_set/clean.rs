//! `dolt_clean` and `dolt_rm`: remove tables.

use vcs::{NonlocalTables, RootDelta, RootValue, WorkingSet, remove_tables};

use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call, find_table, table_error};
use crate::procedures::entry::Entry;

pub const ENTRIES: &[Entry] = &[
    Entry::new("dolt_clean", clean).help(
        "dolt_clean([--dry-run] [table, …])",
        "Drops tables that no commit has",
        &[("-x", "ignored ones, too")],
    ),
    Entry::new("dolt_rm", rm).help(
        "dolt_rm(table, …)",
        "Drops tables and stages that",
        &[("--cached", "stages alone")],
    ),
];

const CLEAN: Syntax = Syntax {
    command: "clean",
    flags: &[("dry-run", ""), ("x", "")],
    values: &[],
    positional_max: None,
    too_many: None,
};

/// Removes tables that are not staged.
pub fn clean(call: &Call) -> Result<Answer> {
    call.place()?;
    let arguments = CLEAN.parse(&call.arguments)?;
    let state = call.state()?;
    let roots = state.roots()?;
    let failed = |error: String| SqlError::general(format!("failed to clean; {error}"));
    let mut untracked = Vec::new();
    for name in &arguments.positional {
        match roots.working.find_table(name)? {
            Some((stored, _)) => untracked.push(stored),
            None => return Err(failed(format!("table not found: '{name}'"))),
        }
    }
    if arguments.positional.is_empty() {
        let nonlocal = NonlocalTables::read(&roots.working)?;
        for name in vcs::changed_tables(&roots.staged, &roots.working)? {
            if roots.working.table_address(&name)?.is_some() && nonlocal.about(&name).is_none() {
                untracked.push(name);
            }
        }
        if !arguments.has("x") {
            untracked = roots.without_ignored(&untracked)?;
        }
    }
    let mut gone = Vec::new();
    for name in untracked {
        if roots.staged.table_address(&name)?.is_none() {
            gone.push(name);
        }
    }
    if !arguments.has("dry-run") && !gone.is_empty() {
        let working = remove_tables(&roots.working, &gone);
        let working = working.map_err(|error| failed(format!("failed to remove tables; {error}")))?;
        call.set_working_set(&state, &WorkingSet { working: working.address(), ..state.set.clone() })?;
    }
    Ok(Answer::status(0))
}

const RM: Syntax =
    Syntax { command: "rm", flags: &[("cached", "")], values: &[], positional_max: None, too_many: None };

/// Removes tables and stages that.
pub fn rm(call: &Call) -> Result<Answer> {
    call.place()?;
    let arguments = RM.parse(&call.arguments)?;
    if arguments.positional.is_empty() {
        return Err(SqlError::general("Nothing specified, nothing removed. Which tables should I remove?"));
    }
    let state = call.state().map_err(|_| SqlError::general("unable to rm in read-only databases"))?;
    let roots = state.roots()?;
    let is_cached = arguments.has("cached");
    let (mut names, mut missing, mut in_index, mut unstaged) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for name in &arguments.positional {
        let head = find_table(name, &[&roots.head])?;
        let staged = find_table(name, &[&roots.staged])?;
        // What the index has is compared with it, and what HEAD has with HEAD; a new table with both.
        let is_changed = |is_compared: bool, side: &RootValue| -> Result<bool> {
            let delta = if is_compared { RootDelta::between(side, &roots.working)?.tables } else { Vec::new() };
            let mut now = delta.iter().filter_map(|table| table.to.as_ref());
            Ok(now.any(|table| table.name.eq_ignore_ascii_case(name)))
        };
        if !is_cached
            && (is_changed(staged.is_some() || head.is_none(), &roots.staged)?
                || is_changed(head.is_some() || staged.is_none(), &roots.head)?)
        {
            unstaged.push(Box::from(&**name));
            continue;
        }
        match (staged, head) {
            (Some(stored), head) if head.is_some() || is_cached => names.push(stored),
            (Some(stored), _) => in_index.push(stored),
            (None, Some(stored)) => names.push(stored),
            (None, None) => missing.push(Box::from(&**name)),
        }
    }
    if !missing.is_empty() {
        return Err(table_error(&missing, "do not exist"));
    }
    if !unstaged.is_empty() {
        return Err(table_error(&unstaged, "have unstaged changes."));
    }
    if !in_index.is_empty() {
        return Err(table_error(&in_index, "have changes saved in the index. Use --cached or commit."));
    }
    for name in &names {
        if roots.staged.table_address(name)?.is_none() || (!is_cached && roots.working.table_address(name)?.is_none()) {
            return Err(SqlError::general(format!("table not found: '{name}'")));
        }
    }
    let staged = remove_tables(&roots.staged, &names)?;
    // A table that only stays in the working state may not be one that others refer to there, either.
    let removed = remove_tables(&roots.working, &names)?;
    let working = if is_cached { roots.working.clone() } else { removed };
    let set = WorkingSet { staged: staged.address(), working: working.address(), ..state.set.clone() };
    call.set_working_set(&state, &set)?;
    Ok(Answer::status(0).renewing())
}
