//! `dolt_commit`: a commit of what is staged (docs/format/database.md, section 4.2).

use std::rc::Rc;

use value::Value;
use vcs::{Commit, Ignored, RootDelta, TableNames, WorkingSet};

use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call, State, table_error, text_column};
use crate::procedures::entry::Entry;
use crate::state::Authorship;

pub const ENTRIES: &[Entry] = &[
    Entry::new("dolt_commit", commit).help(
        "dolt_commit('-m', message)",
        "Makes a commit of what is staged",
        &[
            ("-a", "stages changed tables first"),
            ("-A", "stages new ones, too"),
            ("--amend", "replaces the last commit"),
        ],
    ),
    Entry::new("dolt_commit_hash_out", commit).setting_variable(),
];

const SYNTAX: Syntax = Syntax {
    command: "commit",
    flags: &[
        ("allow-empty", ""),
        ("skip-empty", ""),
        ("force", "f"),
        ("all", "a"),
        ("ALL", "A"),
        ("amend", ""),
        ("skip-verification", ""),
    ],
    values: &[("message", "m"), ("date", ""), ("author", ""), ("gpg-sign", "S"), ("branch", "")],
    positional_max: Some(0),
    too_many: None,
};

/// A commit that is to be made.
pub struct NewCommit {
    pub message: String,
    pub authorship: Authorship,
    pub amends: bool,
    pub allows_empty: bool,
    /// An empty one is no error and not made.
    pub skips_empty: bool,
    /// Conflicts and violations are committed.
    pub is_forced: bool,
    /// The tests that commits have to pass are not run.
    pub skips_verification: bool,
}

impl NewCommit {
    /// As `dolt_commit` makes one without options.
    pub fn new(message: String, authorship: Authorship) -> NewCommit {
        NewCommit {
            message,
            authorship,
            amends: false,
            allows_empty: false,
            skips_empty: false,
            is_forced: false,
            skips_verification: false,
        }
    }
}

/// What became of it.
pub enum Committed {
    Made(Rc<Commit>),
    Skipped,
    /// Nothing is staged.
    Nothing,
    /// Tests fail that commits have to pass. The working set is in place.
    Unverified(SqlError),
}

impl Committed {
    /// The commit, where something must have been staged.
    pub fn required(self) -> Result<Rc<Commit>> {
        match self {
            Committed::Made(commit) => Ok(commit),
            Committed::Skipped | Committed::Nothing => Err(nothing_to_commit()),
            Committed::Unverified(error) => Err(error),
        }
    }
}

pub fn nothing_to_commit() -> SqlError {
    SqlError::general("nothing to commit")
}

pub fn commit(call: &Call) -> Result<Answer> {
    let arguments = SYNTAX.parse(&call.arguments)?;
    arguments
        .exclude("allow-empty", "skip-empty", || "error: cannot use both --allow-empty and --skip-empty".to_owned())?;
    let mut state = call.state_at(arguments.value("branch"))?;
    if arguments.has("ALL") {
        state.set = state.with_roots(&state.roots()?.stage_all(Ignored::LeftOut)?);
    } else if arguments.has("all") {
        state.set = state.with_roots(&state.roots()?.stage_tracked()?);
    }
    let amends = arguments.has("amend");
    let message = match arguments.value("message") {
        Some(message) if !(amends && message.is_empty()) => message.to_owned(),
        _ if amends => state.head.meta.description.to_string(),
        _ => return Err(SqlError::general("Must provide commit message.")),
    };
    let mut authorship = Authorship::of(&call.context.session)?;
    if let Some(author) = arguments.value("author") {
        authorship.set_author(author)?;
    }
    if let Some(date) = arguments.value("date") {
        authorship.set_date(date)?;
    }
    if arguments.value("gpg-sign").is_some() {
        return Err(SqlError::general("commits cannot be signed here: there is no GPG"));
    }
    let is_forced = arguments.has("force");
    if is_forced {
        call.context.session.variables.borrow_mut().set("dolt_force_transaction_commit", Value::Int(1));
    }
    let new = NewCommit {
        message,
        authorship,
        amends,
        allows_empty: arguments.has("allow-empty"),
        skips_empty: arguments.has("skip-empty"),
        is_forced,
        skips_verification: arguments.has("skip-verification"),
    };
    let columns = vec![text_column("hash")];
    match make(call, &state, &new)? {
        Committed::Made(commit) => Ok(Answer::new(columns, vec![Value::text(commit.address.to_string())]).committing()),
        Committed::Unverified(error) => Err(error),
        skipped => {
            let error = matches!(skipped, Committed::Nothing).then(nothing_to_commit);
            // What was staged on the way stays unstaged, and the transaction ends.
            Ok(Answer { rows: Vec::new(), error, ..Answer::new(columns, Vec::new()).committing() })
        }
    }
}

/// Makes a commit of what is staged in `state`, whose working set it puts in place.
pub fn make(call: &Call, state: &State, new: &NewCommit) -> Result<Committed> {
    if new.message.is_empty() {
        return Err(SqlError::general("Aborting commit due to empty commit message."));
    }
    let allows_empty = state.set.merge.is_some() || new.allows_empty || new.amends;
    let roots = state.roots()?;
    let delta = RootDelta::between(&roots.head, &roots.staged)?;
    if delta.tables.is_empty() && !delta.collation_changed {
        if new.skips_empty {
            return Ok(Committed::Skipped);
        }
        if !allows_empty {
            return Ok(Committed::Nothing);
        }
    }
    if !new.is_forced {
        refuse_artifacts(state, &roots.working)?;
    }
    let behind = !new.amends && call.context.catalog.transaction.is_behind(&state.attached)?;
    let state = if behind { &following_others(call, state)? } else { state };
    let mut staged = state.root(&state.set.staged)?;
    if !new.is_forced && call.is_on("foreign_key_checks") {
        staged = staged.with_valid_foreign_keys(TableNames { refs: &state.refs, head: &state.at() })?;
    }
    if !new.skips_verification
        && let Some(failure) = verification_failure(call, state)?
    {
        return Ok(Committed::Unverified(failure));
    }
    let merge = state.set.merge.as_ref();
    let parents = match merge.filter(|merge| !merge.is_cherry_pick && !merge.is_revert) {
        Some(merge) => vec![state.head.clone(), state.refs.objects().commit(&merge.from_commit)?],
        None if new.amends => {
            let parents = state.head.parents.iter();
            parents.map(|parent| state.refs.objects().commit(parent)).collect::<vcs::Result<_>>()?
        }
        None => vec![state.head.clone()],
    };
    call.context.catalog.transaction.will_write();
    let meta = new.authorship.meta(&new.message, &parents);
    let commit = Commit::write(state.refs.objects(), &parents, staged.address(), meta)?;
    let set = WorkingSet { staged: staged.address(), merge: None, ..state.set.clone() };
    let mut draft = call.context.catalog.transaction.refs(&state.attached)?.draft();
    draft.set_branch(&state.branch, Some(commit.address));
    draft.set_working_set(&state.branch, Some(&call.written(&set)))?;
    call.set_refs(&state.attached, draft)?;
    Ok(Committed::Made(commit))
}

/// Runs the tests that commits have to pass over the working set that is to be committed.
fn verification_failure(call: &Call, state: &State) -> Result<Option<SqlError>> {
    let catalog = &call.context.catalog;
    if !catalog.has_verification() {
        return Ok(None);
    }
    call.set_working_set(state, &state.set)?;
    catalog.standing_on(&state.attached.name, &state.branch, || catalog.verification_failure())
}

/// The branch with what others have committed since the transaction began: their commits come before this one, what they have
/// staged is in it.
fn following_others(call: &Call, state: &State) -> Result<State> {
    call.set_working_set(state, &state.set)?;
    call.context.catalog.transaction.catch_up(&state.attached)?;
    call.state_of(&state.attached, &state.branch)
}

/// Conflicts and violations have to be resolved first.
pub fn refuse_artifacts(state: &State, working: &vcs::RootValue) -> Result<()> {
    let [violated, conflicted] = vcs::tables_with_artifacts(working)?;
    if !conflicted.is_empty() {
        return Err(table_error(&conflicted, "are in conflict"));
    }
    if !violated.is_empty() {
        return Err(table_error(&violated, "have constraint violations"));
    }
    match &state.set.merge {
        Some(merge) if !merge.unmergable_tables.is_empty() => {
            Err(table_error(&merge.unmergable_tables, "have schema conflicts"))
        }
        _ => Ok(()),
    }
}
