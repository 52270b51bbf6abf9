//! `dolt_revert`: takes changes of commits back (docs/format/database.md, section 10.8).

use std::rc::Rc;

use vcs::{Commit, DeltaKind, MergeState, RootDelta, WorkingSet};

use super::commit::{self, NewCommit};
use super::merge;
use super::replay::{Replay, Unresolved, halted, parent, staged};
use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call, State};
use crate::procedures::entry::Entry;
use crate::state::Authorship;

pub const ENTRIES: &[Entry] =
    &[Entry::new("dolt_revert", revert).help("dolt_revert(commit, …)", "Makes commits that undo others", &[])];

const SYNTAX: Syntax = Syntax {
    command: "revert",
    flags: &[("abort", ""), ("continue", "")],
    values: &[("author", "")],
    positional_max: None,
    too_many: None,
};

pub fn revert(call: &Call) -> Result<Answer> {
    call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    arguments.exclude("abort", "continue", || "error: --continue and --abort are mutually exclusive".to_owned())?;
    let state = call.state()?;
    if arguments.has("abort") {
        return abort(call, &state);
    }
    let mut authorship = Authorship::of(&call.context.session)?;
    if let Some(author) = arguments.value("author") {
        authorship.set_author(author)?;
    }
    if arguments.has("continue") {
        return go_on(call, &state, &authorship);
    }
    if arguments.positional.is_empty() {
        return Err(SqlError::general("error: nothing specified to revert"));
    }
    // All of them before the first: each revert moves HEAD.
    let commits: Vec<Rc<Commit>> = arguments.positional.iter().map(|spec| state.commit(spec)).collect::<Result<_>>()?;
    for commit in &commits {
        refuse_local_changes(&state, commit)?;
    }
    if state.set.merge.is_some() {
        // What waits to be resolved would be forgotten for the revert.
        commit::refuse_artifacts(&state, &state.working()?)?;
    }
    series(call, &state, &state.head.clone(), &commits, &authorship, None)
}

/// Takes back one commit after the other, until one has conflicts.
fn series(
    call: &Call,
    state: &State,
    first_head: &Commit,
    commits: &[Rc<Commit>],
    authorship: &Authorship,
    made: Option<Rc<Commit>>,
) -> Result<Answer> {
    let mut last = made;
    for (i, commit) in commits.iter().enumerate() {
        let state = call.state_of(&state.attached, &state.branch)?;
        let base = parent(&state, commit)?;
        let text = || SqlError::general(format!("cannot revert commit with no parents ({})", commit.address));
        let theirs = base.ok_or_else(text)?;
        let progress = call.pausing();
        let merged = Replay { theirs: &theirs, base: commit, is_cherry_pick: false, progress }.merge(call, &state);
        let (head, rest, author, made) = (first_head.clone(), commits[i..].to_vec(), authorship.clone(), last.clone());
        let branch = state.clone();
        call.continuing(&merged, move |call| series(call, &branch, &head, &rest, &author, made));
        let merged = merged?;
        let unresolved = Unresolved::of(&merged)?;
        let set = staged(&state, &merged)?;
        if !unresolved.is_none() {
            let pending = commits[i + 1..].iter().map(|commit| commit.address.to_string().into()).collect();
            let merge = MergeState {
                is_revert: true,
                pre_merge_head: Some(first_head.address),
                pending_commits: pending,
                ..halted(&state, commit, &commit.address.to_string())
            };
            call.set_working_set(&state, &WorkingSet { merge: Some(merge), ..set })?;
            return Ok(unresolved.answer(None));
        }
        let state = State { set, ..state };
        last = Some(commit::make(call, &state, &revert_of(commit, authorship))?.required()?);
    }
    Ok(Unresolved::default().answer(last.as_ref().map(|commit| &commit.address)).committing())
}

fn revert_of(reverted: &Commit, authorship: &Authorship) -> NewCommit {
    NewCommit::new(format!("Revert {}", quoted(&reverted.meta.description)), authorship.clone())
}

/// A message between quotes, as the reference prints one.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Nothing may be staged, and no table that the revert touches may have changes.
fn refuse_local_changes(state: &State, commit: &Commit) -> Result<()> {
    let roots = state.roots()?;
    let text = "error: Your local changes would be overwritten by revert.\nhint: Please commit your changes before you revert.";
    if !RootDelta::between(&roots.head, &roots.staged)?.tables.is_empty() {
        return Err(SqlError::general(text));
    }
    let unstaged = RootDelta::between(&roots.staged, &roots.working)?;
    let mut dirty = Vec::new();
    for delta in &unstaged.tables {
        let names = [&delta.from, &delta.to].into_iter().flatten().map(|side| side.name.clone());
        let names: Vec<Box<str>> = names.collect();
        let is_new = delta.kind() == DeltaKind::Added;
        if !is_new || !roots.without_ignored(&names)?.is_empty() {
            dirty.extend(names);
        }
    }
    if dirty.is_empty() {
        return Ok(());
    }
    let Some(parent) = parent(state, commit)? else { return Err(SqlError::general(text)) };
    let touched = vcs::changed_tables(&state.root(&parent.root)?, &state.root(&commit.root)?)?;
    match touched.iter().any(|table| dirty.contains(table)) {
        true => Err(SqlError::general(text)),
        false => Ok(()),
    }
}

fn in_progress(state: &State) -> Result<&MergeState> {
    let merge = state.set.merge.as_ref().filter(|merge| merge.is_revert);
    merge.ok_or_else(|| SqlError::general("error: There is no revert in progress"))
}

/// Back to where the first of the reverts began.
fn abort(call: &Call, state: &State) -> Result<Answer> {
    let merge = in_progress(state)?;
    let mut set = merge::aborted(state)?;
    let mut draft = state.refs.draft();
    if let Some(head) = &merge.pre_merge_head {
        let root = state.refs.objects().commit(head)?.root;
        (set.working, set.staged) = (root, root);
        draft.set_branch(&state.branch, Some(*head));
    }
    call.context.catalog.transaction.will_write();
    draft.set_working_set(&state.branch, Some(&call.written(&set)))?;
    call.set_refs(&state.attached, draft)?;
    Ok(Unresolved::default().answer(None).committing())
}

/// Commits a revert whose conflicts are resolved, then does those that were to follow.
fn go_on(call: &Call, state: &State, authorship: &Authorship) -> Result<Answer> {
    let merge = in_progress(state)?.clone();
    let unresolved = Unresolved::of_state(state)?;
    if !unresolved.is_none() {
        return Ok(unresolved.answer(None));
    }
    let roots = state.roots()?;
    let unstaged = vcs::Roots { head: roots.staged.clone(), ..roots };
    if !unstaged.has_only_ignored_changes()? {
        return Err(SqlError::general("error: cannot continue revert with unstaged changes"));
    }
    let objects = state.refs.objects();
    let reverted = objects.commit(&merge.from_commit)?;
    let cleared = State { set: WorkingSet { merge: None, ..state.set.clone() }, ..state.clone() };
    let new = NewCommit { allows_empty: true, ..revert_of(&reverted, authorship) };
    let made = commit::make(call, &cleared, &new)?.required()?;
    let pending: Vec<Rc<Commit>> =
        merge.pending_commits.iter().map(|hash| state.commit(hash)).collect::<Result<_>>()?;
    let first_head = match &merge.pre_merge_head {
        Some(head) => objects.commit(head)?,
        None => state.head.clone(),
    };
    series(call, state, &first_head, &pending, authorship, Some(made))
}
