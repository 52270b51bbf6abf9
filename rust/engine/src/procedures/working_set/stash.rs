//! `dolt_stash`: puts changes aside (docs/format/database.md, sections 3.3 and 10.8).

use codec::CompactSort;
use vcs::{Ignored, ListedStash, RootDelta, Roots, Stash, changed_tables};

use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call, State};
use crate::procedures::entry::Entry;
use crate::procedures::history::merge::ThreeWay;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_stash", stash).help(
    "dolt_stash('push' | 'pop' | 'drop' | 'clear', name)",
    "Puts changes aside and takes them back",
    &[],
)];

const SYNTAX: Syntax = Syntax {
    command: "stash",
    flags: &[("include-untracked", "u"), ("all", "a")],
    values: &[],
    positional_max: Some(3),
    too_many: None,
};

/// Whose changes are put aside: each of these takes those before along.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Tracked,
    Untracked,
    Ignored,
}

pub fn stash(call: &Call) -> Result<Answer> {
    call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    let state = call.state()?;
    let [command, name, rest @ ..] = &arguments.positional[..] else {
        let text = "error: invalid arguments. Must provide valid subcommand and stash name";
        return Err(SqlError::general(text));
    };
    let index = match rest {
        [] => 0,
        [index, ..] => {
            let number = index.trim_start_matches("stash@{").trim_end_matches('}');
            let wrong = || SqlError::general(format!("error: {number} is not a valid reference"));
            number.parse().map_err(|_| wrong())?
        }
    };
    let only_two = |what: &str| match rest {
        [] => Ok(()),
        _ => {
            let text = format!("error: invalid arguments. {what} takes only subcommand and stash name");
            Err(SqlError::general(text))
        }
    };
    match &**command {
        "push" => {
            only_two("Push")?;
            let extent = if arguments.has("all") {
                Extent::Ignored
            } else if arguments.has("include-untracked") {
                Extent::Untracked
            } else {
                Extent::Tracked
            };
            push(call, &state, name, extent)?;
        }
        "pop" => {
            apply(call, &state, name, index)?;
            remove(call, &state, name, index)?;
        }
        "apply" => apply(call, &state, name, index)?,
        "drop" => remove(call, &state, name, index)?,
        "clear" => {
            only_two("Clear")?;
            let mut draft = current(call, &state)?.draft();
            draft.set_stashes(name, &[])?;
            call.set_refs(&state.attached, draft)?;
        }
        other => return Err(SqlError::general(format!("unknown stash subcommand {other}"))),
    }
    Ok(Answer::status(0))
}

/// The names as the statement has made them so far.
fn current(call: &Call, state: &State) -> Result<vcs::Refs> {
    call.context.catalog.transaction.refs(&state.attached)
}

/// The stashes of a list, the newest first.
fn stashes(call: &Call, state: &State, list: &str) -> Result<Vec<ListedStash>> {
    let mut stashes = current(call, state)?.stashes()?;
    stashes.retain(|stash| &*stash.list == list);
    Ok(stashes)
}

fn find(call: &Call, state: &State, list: &str, index: usize) -> Result<ListedStash> {
    let stashes = stashes(call, state, list)?;
    if stashes.is_empty() {
        return Err(SqlError::general("No stash entries found."));
    }
    let missing = || SqlError::general(format!("stash index stash@{{{index}}} does not exist"));
    stashes.into_iter().nth(index).ok_or_else(missing)
}

fn push(call: &Call, state: &State, list: &str, extent: Extent) -> Result<()> {
    let roots = state.roots()?;
    if !has_changes(&roots, extent)? {
        return Err(SqlError::general("No local changes to save"));
    }
    let head = roots.head.clone();
    let mut roots = roots.stage_tracked()?;
    let staged = RootDelta::between(&roots.head, &roots.staged)?;
    let mut stashed: Vec<Box<str>> = staged.tables.iter().map(|table| table.name().into()).collect();
    let is_new = |table: &&vcs::TableDelta| table.kind() == vcs::DeltaKind::Added;
    let added: Vec<Box<str>> = staged.tables.iter().filter(is_new).map(|table| table.name().into()).collect();
    if extent != Extent::Tracked {
        let ignored = if extent == Extent::Ignored { Ignored::Included } else { Ignored::NewLeftOut };
        let names = changed_tables(&roots.staged, &roots.working)?;
        stashed.extend(names.iter().cloned());
        // As in native Dolt, tables that were dropped do not come back then; those that have another name now do.
        let mut kept = Vec::with_capacity(stashed.len());
        for name in stashed {
            if roots.working.table_address(&name)?.is_some() || roots.staged.table_address(&name)?.is_some() {
                kept.push(name);
            }
        }
        stashed = kept;
        roots = roots.stage(&names, ignored)?;
    }
    let stash = Stash {
        root: roots.staged.address(),
        head_commit: state.head.address,
        branch: format!("refs/heads/{}", state.branch).into(),
        description: state.head.meta.description.clone(),
        tables_to_stage: Some(added).filter(|added| !added.is_empty()),
    };
    call.context.catalog.transaction.will_write();
    let known = stashes(call, state, list)?;
    let id = known.first().map_or(0, |newest| newest.id + 1);
    let mut all: Vec<(u64, Stash)> = known.into_iter().map(|stash| (stash.id, stash.stash)).collect();
    all.push((id, stash));
    stashed.compact_sort();
    stashed.dedup();
    let roots = Roots { staged: head, ..roots };
    let working = roots.restore(&stashed)?;
    let set = state.with_roots(&Roots { working, ..roots });
    let mut draft = current(call, state)?.draft();
    draft.set_stashes(list, &all)?;
    draft.set_working_set(&state.branch, Some(&call.written(&set)))?;
    call.set_refs(&state.attached, draft)
}

/// Whether there is something that would be stashed.
fn has_changes(roots: &Roots, extent: Extent) -> Result<bool> {
    if roots.head.address() != roots.staged.address() {
        return Ok(true);
    }
    if roots.head.address() == roots.working.address() {
        return Ok(false);
    }
    if extent == Extent::Ignored {
        return Ok(true);
    }
    if roots.has_only_ignored_changes()? {
        return Ok(false);
    }
    let unstaged = RootDelta::between(&roots.staged, &roots.working)?;
    Ok(extent == Extent::Untracked || unstaged.tables.iter().any(|table| table.kind() != vcs::DeltaKind::Added))
}

/// Merges a stash into the working root.
fn apply(call: &Call, state: &State, list: &str, index: usize) -> Result<()> {
    let ListedStash { stash, .. } = find(call, state, list, index)?;
    let base = state.refs.objects().commit(&stash.head_commit)?;
    let merge = ThreeWay {
        ours: state.working()?,
        their_source: stash.root,
        their_root: stash.root,
        base: &base,
        keeps_schema_conflicts: false,
        is_cherry_pick: false,
        progress: call.pausing(),
    };
    let merged = merge.run(call, state)?;
    let conflicted: Vec<&str> = merged.conflicted_tables().collect();
    if !conflicted.is_empty() {
        return Err(SqlError::general(format!(
            "error: Your local changes to the following tables would be overwritten by applying stash {index}:\n\t{{'{}'}}\n\
             Please commit your changes or stash them before you merge.\nAborting\nThe stash entry is kept in case you need \
             it again.\n",
            conflicted.join("', '")
        )));
    }
    let roots = Roots { working: merged.root, ..state.roots()? };
    let added = stash.tables_to_stage.unwrap_or_default();
    let roots = roots.stage(&added, Ignored::Included)?;
    call.set_working_set(state, &state.with_roots(&roots))
}

fn remove(call: &Call, state: &State, list: &str, index: usize) -> Result<()> {
    let gone = find(call, state, list, index)?;
    call.context.catalog.transaction.will_write();
    let kept: Vec<(u64, Stash)> = stashes(call, state, list)?
        .into_iter()
        .filter(|stash| stash.id != gone.id)
        .map(|stash| (stash.id, stash.stash))
        .collect();
    let mut draft = current(call, state)?.draft();
    draft.set_stashes(list, &kept)?;
    call.set_refs(&state.attached, draft)
}
