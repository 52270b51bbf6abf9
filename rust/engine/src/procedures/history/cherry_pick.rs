//! `dolt_cherry_pick`: the change of one commit on top of the branch (docs/format/database.md, section 10.8).

use std::rc::Rc;

use vcs::{Commit, MergeProgress, MergeState, WorkingSet};

use super::commit::{self, Committed, NewCommit};
use super::merge;
use super::replay::{Replay, Unresolved, halted, parent, staged};
use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call, State};
use crate::procedures::entry::Entry;
use crate::state::Authorship;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_cherry_pick", cherry_pick).help(
    "dolt_cherry_pick(commit)",
    "Makes the changes of a commit once more here",
    &[],
)];

const SYNTAX: Syntax = Syntax {
    command: "cherrypick",
    flags: &[("abort", ""), ("continue", ""), ("allow-empty", ""), ("skip-verification", "")],
    values: &[],
    positional_max: Some(1),
    too_many: Some("cherry-picking multiple commits is not supported yet."),
};

/// What shall become of a commit that has no change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Empty {
    Refuse,
    Drop,
    Keep,
}

/// How a commit is picked.
#[derive(Debug, Clone)]
pub struct Pick {
    /// The commit at the head is replaced by one with both changes.
    pub amends: bool,
    /// The message; that of the commit when `None`.
    pub message: Option<String>,
    /// The commit has no change.
    pub empty: Empty,
    /// Its change is there already.
    pub becomes_empty: Empty,
    /// The tests that commits have to pass are not run.
    pub skips_verification: bool,
}

/// What a pick came to.
pub enum Picked {
    Made(Rc<Commit>),
    Dropped,
    Halted(Unresolved),
    /// Tests fail that commits have to pass; the pick waits for them to be mended.
    Unverified(SqlError),
}

pub fn cherry_pick(call: &Call) -> Result<Answer> {
    call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    arguments.exclude("abort", "continue", || "error: --continue and --abort are mutually exclusive".to_owned())?;
    let state = call.state()?;
    if arguments.has("abort") {
        if state.set.merge.is_none() {
            return Err(SqlError::general("error: There is no cherry-pick merge to abort"));
        }
        call.set_working_set(&state, &merge::aborted(&state)?)?;
        return Ok(Unresolved::default().answer(None));
    }
    if arguments.has("continue") {
        return go_on(call, &state);
    }
    let spec = arguments.positional.first().filter(|spec| !spec.is_empty());
    let spec = spec.ok_or_else(|| SqlError::general("cannot cherry-pick empty string"))?;
    let empty = if arguments.has("allow-empty") { Empty::Keep } else { Empty::Refuse };
    let skips_verification = arguments.has("skip-verification");
    let pick = Pick { amends: false, message: None, empty, becomes_empty: Empty::Refuse, skips_verification };
    match pick_commit(call, &state, spec, &pick, call.pausing())? {
        Picked::Made(commit) => Ok(Unresolved::default().answer(Some(&commit.address)).committing()),
        Picked::Dropped => Ok(Unresolved::default().answer(None)),
        Picked::Halted(unresolved) => Ok(unresolved.answer(None)),
        Picked::Unverified(error) => {
            Ok(Answer { error: Some(error), ..Unresolved::default().answer(None).committing() })
        }
    }
}

/// Makes the change of a commit again on top of a branch.
pub fn pick_commit(
    call: &Call,
    state: &State,
    spec: &str,
    pick: &Pick,
    progress: Option<&MergeProgress>,
) -> Result<Picked> {
    if !state.roots()?.is_clean()? {
        return Err(SqlError::general("cannot cherry-pick with uncommitted changes"));
    }
    let commit = state.commit(spec)?;
    if commit.parents.len() > 1 {
        return Err(SqlError::general("cherry-picking a merge commit is not supported"));
    }
    let base = parent(state, &commit)?;
    let base = base.ok_or_else(|| SqlError::general("cherry-picking a commit without parents is not supported"))?;
    let is_empty = commit.root == base.root;
    match pick.empty {
        Empty::Drop if is_empty => return Ok(Picked::Dropped),
        Empty::Refuse if is_empty => {
            let text = "The previous cherry-pick commit is empty. Use --allow-empty to cherry-pick empty commits.";
            return Err(SqlError::general(text));
        }
        _ => {}
    }
    let merged = Replay { theirs: &commit, base: &base, is_cherry_pick: true, progress }.merge(call, state)?;
    if merged.root.address() == state.head.root && !is_empty && pick.becomes_empty == Empty::Refuse {
        return Err(SqlError::general("no changes were made, nothing to commit"));
    }
    let unresolved = Unresolved::of(&merged)?;
    let set = staged(state, &merged)?;
    if !unresolved.is_none() {
        let merge = MergeState { is_cherry_pick: true, ..halted(state, &commit, spec) };
        call.set_working_set(state, &WorkingSet { merge: Some(merge), ..set })?;
        return Ok(Picked::Halted(unresolved));
    }
    let message = match (&pick.message, pick.amends) {
        (Some(message), _) => message.clone(),
        (None, true) => state.head.meta.description.to_string(),
        (None, false) => commit.meta.description.to_string(),
    };
    let new = new_commit(call, &commit, message, pick)?;
    let before = state;
    let state = State { set, ..state.clone() };
    match commit::make(call, &state, &new)? {
        Committed::Made(commit) => Ok(Picked::Made(commit)),
        Committed::Unverified(failure) => {
            let merge = MergeState { is_cherry_pick: true, ..halted(before, &commit, spec) };
            call.set_working_set(&state, &WorkingSet { merge: Some(merge), ..state.set.clone() })?;
            Ok(Picked::Unverified(failure))
        }
        Committed::Skipped => Ok(Picked::Dropped),
        Committed::Nothing => Err(commit::nothing_to_commit()),
    }
}

/// The commit of a picked one: its author, the session's committer.
pub fn new_commit(call: &Call, original: &Commit, message: String, pick: &Pick) -> Result<NewCommit> {
    let mut authorship = Authorship::of(&call.context.session)?;
    authorship.author = original.meta.author.clone();
    authorship.author_millis = original.meta.author_millis;
    Ok(NewCommit {
        amends: pick.amends,
        allows_empty: pick.empty == Empty::Keep || pick.becomes_empty == Empty::Keep,
        skips_empty: pick.becomes_empty == Empty::Drop,
        skips_verification: pick.skips_verification,
        ..NewCommit::new(message, authorship)
    })
}

/// Commits a pick whose conflicts are resolved.
fn go_on(call: &Call, state: &State) -> Result<Answer> {
    let Some(merge) = &state.set.merge else {
        return Err(SqlError::general("error: There is no cherry-pick merge to continue"));
    };
    let unresolved = Unresolved::of_state(state)?;
    if !unresolved.is_none() {
        return Ok(unresolved.answer(None));
    }
    if state.set.staged != state.set.working {
        return Err(SqlError::general("error: cannot continue cherry-pick with unstaged changes"));
    }
    let original = state.refs.objects().commit(&merge.from_commit)?;
    let pick = Pick {
        amends: false,
        message: None,
        empty: Empty::Refuse,
        becomes_empty: Empty::Refuse,
        skips_verification: false,
    };
    let new = new_commit(call, &original, original.meta.description.to_string(), &pick)?;
    match commit::make(call, state, &new)? {
        Committed::Made(commit) => Ok(Unresolved::default().answer(Some(&commit.address)).committing()),
        Committed::Unverified(failure) => Err(failure),
        _ => Err(SqlError::general("error: no changes to commit")),
    }
}
