//! `dolt_rebase`: the commits of a branch again, on top of another one (docs/format/database.md, section 10.8).
//!
//! It happens on a branch of its own, `dolt_rebase_<branch>`, whose working set keeps how far it is.

use std::rc::Rc;

use value::Value;
use vcs::{Commit, RebaseState, RootDelta, Roots, WorkingSet};

use super::branch::{self, Existing};
use super::cherry_pick::{self, Empty, Pick, Picked};
use super::commit::{self, Committed};
use super::rebase_plan::{self, Action, Step};
use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call, State, number_column, text_column};
use crate::procedures::entry::Entry;
use crate::procedures::working_set::reset::with_untracked;
use crate::transaction::Next;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_rebase", rebase).help(
    "dolt_rebase('-i', upstream)",
    "Makes the commits of the branch anew upon another one",
    &[("--continue", "goes on"), ("--abort", "gives up")],
)];

const SYNTAX: Syntax = Syntax {
    command: "rebase",
    flags: &[("abort", ""), ("continue", ""), ("interactive", "i"), ("skip-verification", "")],
    values: &[("empty", "")],
    positional_max: Some(1),
    too_many: Some("rebase takes at most one positional argument."),
};

/// As the working set numbers what is done with empty commits.
const DROP_EMPTY: u8 = 1;
const KEEP_EMPTY: u8 = 2;

pub fn rebase(call: &Call) -> Result<Answer> {
    call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    let state = call.state()?;
    if arguments.has("abort") {
        let rebase = in_progress(&state)?.clone();
        abort(call, &state)?;
        return Ok(answer("Interactive rebase aborted").on(&state, &rebase.branch));
    }
    if arguments.has("continue") {
        return go_on(call, &state);
    }
    let becomes_empty = match arguments.value("empty") {
        None => DROP_EMPTY,
        Some(text) if text.eq_ignore_ascii_case("drop") => DROP_EMPTY,
        Some(text) if text.eq_ignore_ascii_case("keep") => KEEP_EMPTY,
        Some(text) => {
            let text = format!("unsupported option for the empty flag ({text}); only 'keep' or 'drop' are allowed");
            return Err(SqlError::general(text));
        }
    };
    let upstream = arguments.positional.first().ok_or_else(|| SqlError::general("not enough args"))?;
    let started = start(call, &state, upstream, becomes_empty, arguments.has("skip-verification"))?;
    if !arguments.has("interactive") {
        return go_on(call, &started);
    }
    let text = format!(
        "interactive rebase started on branch {}; adjust the rebase plan in the dolt_rebase table, then continue rebasing by \
         calling dolt_rebase('--continue')",
        started.branch
    );
    Ok(answer(&text).on(&started, &started.branch))
}

/// Rebases the branch of `state` onto a commit, without an editable plan.
pub fn onto(call: &Call, state: &State, upstream: &str, skips_verification: bool) -> Result<Answer> {
    go_on(call, &start(call, state, upstream, DROP_EMPTY, skips_verification)?)
}

fn answer(message: &str) -> Answer {
    let columns = vec![number_column("status"), text_column("message")];
    Answer::new(columns, vec![Value::Int(0), Value::text(message.to_owned())])
}

impl Answer {
    /// Commits, and switches the session to a branch.
    fn on(self, state: &State, branch: &str) -> Answer {
        Answer { moves_to: Some((state.attached.name.clone(), branch.into())), commits: Some(Next::AtOnce), ..self }
    }

    /// The statement fails, but what it has done stays.
    fn failing(self, error: SqlError) -> Answer {
        Answer { error: Some(error), ..self }
    }
}

fn in_progress(state: &State) -> Result<&RebaseState> {
    state.set.rebase.as_ref().ok_or_else(|| SqlError::general("no rebase in progress"))
}

/// Makes the branch of the rebase with the plan; gives its state.
fn start(call: &Call, state: &State, upstream: &str, becomes_empty: u8, skips_verification: bool) -> Result<State> {
    if upstream.is_empty() {
        return Err(SqlError::general("no upstream branch specified"));
    }
    let active = |what: &str| {
        let text =
            format!("unable to start rebase while {what} is in progress – abort the current {what} before proceeding");
        Err(SqlError::general(
            text.replace("the current a ", "the current ").replace("the current another ", "the current "),
        ))
    };
    if state.set.merge.is_some() {
        return active("a merge");
    }
    if state.set.rebase.is_some() {
        return active("another rebase");
    }
    if !state.roots()?.is_clean()? {
        return Err(SqlError::general("cannot start a rebase with uncommitted changes"));
    }
    let onto = state.commit(upstream)?;
    let name = format!("dolt_rebase_{}", state.branch);
    branch::create(call, &call.place()?, &name, upstream, Existing::Keep)?;
    let mut commits = Vec::new();
    for commit in state.refs.objects().log(&[state.head.address], &[onto.address])? {
        let commit: Rc<Commit> = commit?;
        if commit.parents.len() == 1 {
            commits.push(commit);
        }
    }
    if commits.is_empty() {
        return Err(SqlError::general("didn't identify any commits!"));
    }
    commits.reverse();
    let started = call.state_of(&state.attached, &name)?;
    let working = rebase_plan::write(&started.working()?, &started.root(&onto.root)?, &commits)?;
    let rebase = RebaseState {
        pre_working_root: state.set.working,
        branch: state.branch.clone(),
        onto_commit: onto.address,
        empty_commit_handling: KEEP_EMPTY,
        commit_becomes_empty_handling: becomes_empty,
        last_attempted_step: 0.0,
        started: false,
        skip_verification: skips_verification,
    };
    let set = WorkingSet { working: working.address(), rebase: Some(rebase), ..started.set.clone() };
    call.set_working_set(&started, &set)?;
    call.state_of(&state.attached, &name)
}

/// Removes the branch of the rebase.
fn abort(call: &Call, state: &State) -> Result<()> {
    let mut draft = call.context.catalog.transaction.refs(&state.attached)?.draft();
    draft.set_branch(&state.branch, None);
    draft.set_working_set(&state.branch, None)?;
    call.set_refs(&state.attached, draft)
}

/// Does the steps of the plan from where it is.
fn go_on(call: &Call, state: &State) -> Result<Answer> {
    in_progress(state)?;
    let [_, conflicted] = vcs::tables_with_artifacts(&state.working()?)?;
    if !conflicted.is_empty() {
        let tables = conflicted.join(", ");
        let text = format!("conflicts detected in tables {tables}; resolve conflicts before continuing the rebase");
        return Err(SqlError::general(text));
    }
    do_steps(call, state, rebase_plan::read(&state.working()?)?.into(), 0, None)
}

/// A step that has begun: the branch since then, and the rebase before it.
type Begun = (State, RebaseState);

/// Does the steps from this one, which may have begun.
fn do_steps(call: &Call, state: &State, steps: Rc<[Step]>, from: usize, mut begun: Option<Begun>) -> Result<Answer> {
    let goes_on = |at: usize, begun: Option<Begun>| {
        let (state, steps) = (state.clone(), steps.clone());
        move |call: &Call| do_steps(call, &state, steps, at, begun)
    };
    for (at, step) in steps.iter().enumerate().skip(from) {
        let Some(step_begun) = begun.take().map_or_else(|| begin(call, state, step), |begun| Ok(Some(begun)))? else {
            continue;
        };
        let done = run(call, &step_begun.0, step, &step_begun.1);
        call.continuing(&done, goes_on(at, Some(step_begun)));
        if let Some(halted) = done? {
            return Ok(halted);
        }
        let paused = call.pause();
        call.continuing(&paused, goes_on(at + 1, None));
        paused?;
    }
    finish(call, state)
}

/// Begins a step. `None` where it was done before.
fn begin(call: &Call, state: &State, step: &Step) -> Result<Option<Begun>> {
    let state = call.state_of(&state.attached, &state.branch)?;
    let rebase = in_progress(&state)?.clone();
    let (is_staged, is_unstaged) = changes(&state.roots()?)?;
    if !rebase.started && (is_staged || is_unstaged) {
        return Err(SqlError::general("cannot start a rebase with uncommitted changes"));
    }
    if rebase.started && step.order < rebase.last_attempted_step {
        return Ok(None);
    }
    if is_unstaged {
        let text = "cannot continue a rebase with unstaged changes. Use dolt_add() to stage tables and then continue the \
                    rebase";
        return Err(SqlError::general(text));
    }
    if rebase.started && step.order == rebase.last_attempted_step && is_staged {
        return commit_by_hand(call, &state, step, &rebase).map(|()| None);
    }
    if rebase.started && step.order <= rebase.last_attempted_step {
        return Ok(None);
    }
    let begun = RebaseState { last_attempted_step: step.order, started: true, ..rebase.clone() };
    call.set_working_set(&state, &WorkingSet { rebase: Some(begun), ..state.set.clone() })?;
    Ok(Some((call.state_of(&state.attached, &state.branch)?, rebase)))
}

/// Whether something is staged, and whether something that is not ignored is not.
fn changes(roots: &Roots) -> Result<(bool, bool)> {
    let is_staged = !RootDelta::between(&roots.head, &roots.staged)?.tables.is_empty();
    let unstaged = RootDelta::between(&roots.staged, &roots.working)?;
    let names: Vec<Box<str>> = unstaged.tables.iter().map(|table| table.name().into()).collect();
    let unstaged = Roots { head: roots.staged.clone(), staged: roots.staged.clone(), working: roots.working.clone() };
    Ok((is_staged, !unstaged.without_ignored(&names)?.is_empty()))
}

/// How the commit of a step is picked.
fn pick(state: &State, step: &Step, rebase: &RebaseState) -> Result<Pick> {
    let empty = |handling: u8| if handling == KEEP_EMPTY { Empty::Keep } else { Empty::Drop };
    let message = match step.action {
        Action::Reword => Some(step.message.to_string()),
        Action::Squash => {
            let next = state.commit(&step.commit)?;
            Some(format!("{}\n\n{}", state.head.meta.description, next.meta.description))
        }
        _ => None,
    };
    Ok(Pick {
        amends: matches!(step.action, Action::Squash | Action::Fixup),
        message,
        empty: empty(rebase.empty_commit_handling),
        becomes_empty: empty(rebase.commit_becomes_empty_handling),
        skips_verification: rebase.skip_verification,
    })
}

/// Does one step. An answer when the rebase stops here.
fn run(call: &Call, state: &State, step: &Step, rebase: &RebaseState) -> Result<Option<Answer>> {
    if step.action == Action::Drop {
        return Ok(None);
    }
    match cherry_pick::pick_commit(call, state, &step.commit, &pick(state, step, rebase)?, call.pausing()) {
        Err(error) if error.message.starts_with("merge aborted: schema conflict") => {
            abort(call, state)?;
            let text = format!(
                "schema conflict detected while rebasing commit {}. the rebase has been automatically aborted",
                step.commit
            );
            Ok(Some(answer("").on(state, &rebase.branch).failing(SqlError::general(text))))
        }
        Err(error) => Err(error),
        Ok(Picked::Unverified(failure)) => Ok(Some(answer("").on(state, &state.branch).failing(failure))),
        Ok(Picked::Halted(_)) => halt(call, state, step, rebase).map(Some),
        Ok(Picked::Made(_) | Picked::Dropped) if step.action == Action::Edit => {
            let text = format!(
                "edit action paused at commit {} ({}). \n\nYou can now modify the working directory and stage changes. When \
                 ready, continue the rebase by calling dolt_rebase('--continue')",
                step.commit, step.message
            );
            Ok(Some(answer(&text).on(state, &state.branch)))
        }
        Ok(Picked::Made(_) | Picked::Dropped) => Ok(None),
    }
}

/// Conflicts stop a rebase, if the session can keep them.
fn halt(call: &Call, state: &State, step: &Step, rebase: &RebaseState) -> Result<Answer> {
    let is_kept = call.is_on("dolt_allow_commit_conflicts");
    if call.context.session.variables.borrow().is_autocommit() && !is_kept {
        abort(call, state)?;
        let text = "data conflicts from rebase, but session settings do not allow preserving conflicts, so they cannot be \
                    resolved. The rebase has been aborted. Set @@autocommit to 0 or set @@dolt_allow_commit_conflicts to 1 \
                    and try the rebase again to resolve the conflicts.";
        return Ok(answer("").on(state, &rebase.branch).failing(SqlError::general(text)));
    }
    let text = format!(
        "data conflict detected while rebasing commit {} ({}). \n\nResolve the conflicts and remove them from the \
         dolt_conflicts_<table> tables, then continue the rebase by calling dolt_rebase('--continue')",
        step.commit, step.message
    );
    let stopped = answer("").on(state, &state.branch).failing(SqlError::general(text));
    Ok(Answer { commits: stopped.commits.filter(|_| is_kept), ..stopped })
}

/// Commits what was staged by hand where a step had stopped.
fn commit_by_hand(call: &Call, state: &State, step: &Step, rebase: &RebaseState) -> Result<()> {
    let pick = pick(state, step, rebase)?;
    let original = state.commit(&step.commit)?;
    let message = match (&pick.message, step.action) {
        (Some(message), _) => message.clone(),
        (None, Action::Fixup) => state.head.meta.description.to_string(),
        (None, _) => step.message.to_string(),
    };
    let new = cherry_pick::new_commit(call, &original, message, &pick)?;
    match commit::make(call, state, &new)? {
        Committed::Made(_) | Committed::Skipped => Ok(()),
        Committed::Unverified(failure) => Err(failure),
        Committed::Nothing => Err(commit::nothing_to_commit()),
    }
}

/// The rebased branch gets the new commits; the branch of the rebase goes.
fn finish(call: &Call, state: &State) -> Result<Answer> {
    let done = call.state_of(&state.attached, &state.branch)?;
    let rebase = in_progress(&done)?.clone();
    let target = call.state_of(&state.attached, &rebase.branch)?;
    let before = target.root(&rebase.pre_working_root)?;
    let now = target.roots()?;
    let changed = vcs::changed_tables(&before, &now.working)?;
    if !now.without_ignored(&changed)?.is_empty() {
        return Err(SqlError::general(format!("rebase aborted due to changes in branch {}", rebase.branch)));
    }
    let root = target.root(&done.head.root)?;
    let working = with_untracked(&now.working, &now.staged, &root)?;
    let set = WorkingSet {
        working: working.address(),
        staged: root.address(),
        merge: None,
        rebase: None,
        ..target.set.clone()
    };
    call.context.catalog.transaction.will_write();
    let mut draft = call.context.catalog.transaction.refs(&state.attached)?.draft();
    draft.set_branch(&rebase.branch, Some(done.head.address));
    draft.set_working_set(&rebase.branch, Some(&call.written(&set)))?;
    draft.set_branch(&done.branch, None);
    draft.set_working_set(&done.branch, None)?;
    call.set_refs(&state.attached, draft)?;
    let text = format!("Successfully rebased and updated refs/heads/{}", rebase.branch);
    Ok(answer(&text).on(state, &rebase.branch))
}
