//! `dolt_merge`: another commit into the branch (docs/format/database.md, section 10.2).

use codec::Address;
use value::Value;
use vcs::{Commit, MergeOptions, MergeProgress, MergeState, Merged, RootValue, TableNames, WorkingSet};

use super::commit::{self, Committed, NewCommit};
use crate::error::{Result, SqlError};
use crate::procedures::arguments::{Arguments, Syntax};
use crate::procedures::call::{Answer, Call, State, number_column, text_column};
use crate::procedures::entry::Entry;
use crate::state::Authorship;
use crate::write::full_text::AfterMerge;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_merge", merge).help(
    "dolt_merge(branch)",
    "Merges a branch into this one",
    &[("--no-ff", "always makes a commit"), ("--squash", "leaves the history out"), ("--abort", "gives up")],
)];

const SYNTAX: Syntax = Syntax {
    command: "merge",
    flags: &[
        ("no-ff", ""),
        ("ff-only", ""),
        ("squash", ""),
        ("abort", ""),
        ("commit", ""),
        ("no-commit", ""),
        ("no-edit", ""),
        ("skip-verification", ""),
    ],
    values: &[("message", "m"), ("author", "")],
    positional_max: Some(1),
    too_many: Some(
        "Error: Dolt does not support merging from multiple commits. You probably meant to checkout one and then merge from \
         the other.",
    ),
};

/// What a merge with conflicts or violations leaves behind, as a warning says.
const UNRESOLVED: &str = "merge has unresolved conflicts or constraint violations";

pub fn merge(call: &Call) -> Result<Answer> {
    call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    if call.arguments.is_empty() {
        return Err(SqlError::general("error: Please specify a branch to merge"));
    }
    for (one, two) in [("squash", "no-ff"), ("ff-only", "no-ff"), ("ff-only", "squash")] {
        arguments.exclude(one, two, || format!("error: Flags '--{one}' and '--{two}' cannot be used together"))?;
    }
    let state = call.state()?;
    if arguments.has("abort") {
        return abort(call, &state);
    }
    let other = arguments.positional.first().map_or("", |name| name);
    arguments.exclude("no-commit", "commit", || {
        "cannot define both 'commit' and 'no-commit' flags at the same time".to_owned()
    })?;
    let theirs = state.commit(other)?;
    if state.set.merge.is_some() {
        return Err(SqlError::general("merging is not possible because you have not committed an active merge"));
    }
    let mut authorship = Authorship::of(&call.context.session)?;
    if let Some(author) = arguments.value("author") {
        authorship.set_author(author)?;
    }
    let options = Options::of(&arguments);
    let message = match arguments.value("message") {
        Some(message) => message.to_owned(),
        None => format!("Merge branch '{other}' into {}", state.branch),
    };
    merge_into(call, &state, &theirs, other, message, authorship, options)
}

/// What flags of `dolt_merge` and `dolt_pull` ask for.
pub struct Options {
    is_squashed: bool,
    fast_forward: FastForward,
    commits: bool,
    skips_verification: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FastForward {
    WherePossible,
    Never,
    Only,
}

impl Options {
    pub fn of(arguments: &Arguments) -> Options {
        let fast_forward = match (arguments.has("no-ff"), arguments.has("ff-only")) {
            (true, _) => FastForward::Never,
            (_, true) => FastForward::Only,
            _ => FastForward::WherePossible,
        };
        Options {
            is_squashed: arguments.has("squash"),
            fast_forward,
            commits: !arguments.has("no-commit"),
            skips_verification: arguments.has("skip-verification"),
        }
    }
}

/// Merges a commit into the branch of `state`.
///
/// `other` is what the user calls the commit.
pub fn merge_into(
    call: &Call,
    state: &State,
    theirs: &Commit,
    other: &str,
    message: String,
    authorship: Authorship,
    options: Options,
) -> Result<Answer> {
    let fast_forward = options.fast_forward;
    let local = LocalChanges::new(state, theirs)?;
    let merge = Merge { call, state, theirs, other, message, authorship, local, options };
    let base = state.refs.objects().merge_base(&state.head, theirs)?;
    let base = base.ok_or(vcs::VcsReason::NoCommonAncestor)?;
    if base == theirs.address {
        let text = match base == state.head.address {
            true => "Everything up-to-date",
            false => "cannot fast forward from a to b. a is ahead of b already",
        };
        call.warn(text);
        return Ok(Told::of(text).answer());
    }
    if base == state.head.address {
        if fast_forward != FastForward::Never {
            return merge.fast_forward();
        }
        let root = state.root(&theirs.root)?;
        return merge.finish(Merged { root, schema_conflicts: Vec::new(), artifacts: Default::default() });
    }
    if fast_forward == FastForward::Only {
        return Err(SqlError::general("fatal: Not possible to fast-forward, aborting"));
    }
    merge.finish(merge_commits(call, state, theirs, &base)?)
}

fn abort(call: &Call, state: &State) -> Result<Answer> {
    if state.set.merge.is_none() {
        return Err(SqlError::general("fatal: There is no merge to abort"));
    }
    call.set_working_set(state, &aborted(state)?)?;
    Ok(Told::of("merge aborted").answer().committing())
}

/// The row that `dolt_merge` answers.
struct Told<'a> {
    hash: Option<Address>,
    is_fast_forward: bool,
    has_conflicts: bool,
    message: &'a str,
}

impl<'a> Told<'a> {
    fn of(message: &'a str) -> Told<'a> {
        Told { hash: None, is_fast_forward: false, has_conflicts: false, message }
    }

    fn answer(&self) -> Answer {
        let columns = ["fast_forward", "conflicts"].map(number_column);
        let columns = [text_column("hash")].into_iter().chain(columns).chain([text_column("message")]);
        let hash = self.hash.as_ref().map(Address::to_string).unwrap_or_default();
        let flag = |is: bool| Value::Int(is.into());
        let (fast_forward, conflicts) = (flag(self.is_fast_forward), flag(self.has_conflicts));
        let row = vec![Value::text(hash), fast_forward, conflicts, Value::text(self.message.to_owned())];
        Answer::new(columns.collect(), row)
    }
}

/// Tables that are not as in HEAD. A merge that changes one of them is refused, the others stay as they are.
struct LocalChanges(Vec<(Box<str>, Option<Address>)>);

impl LocalChanges {
    fn new(state: &State, theirs: &Commit) -> Result<LocalChanges> {
        let roots = state.roots()?;
        let their_root = state.root(&theirs.root)?;
        let (mut changes, mut stomped) = (Vec::new(), Vec::new());
        for name in vcs::changed_tables(&roots.head, &roots.working)? {
            let before = roots.head.table_address(&name)?;
            if before != their_root.table_address(&name)? {
                stomped.push(name.clone());
            }
            changes.push((name.clone(), roots.working.table_address(&name)?));
        }
        if stomped.is_empty() {
            return Ok(LocalChanges(changes));
        }
        let tables = stomped.join("\n\t");
        let text = format!(
            "error: local changes would be stomped by merge:\n\t{tables}\n Please commit your changes before you merge."
        );
        Err(SqlError::general(text))
    }

    /// A root with these changes.
    fn over(&self, root: &RootValue) -> Result<RootValue> {
        Ok(root.with_tables_at(&self.0)?)
    }
}

/// The three-way merge of a commit into the head of a branch.
pub fn merge_commits(call: &Call, state: &State, theirs: &Commit, base: &Address) -> Result<Merged> {
    let base = state.refs.objects().commit(base)?;
    let merge = ThreeWay {
        ours: state.root(&state.head.root)?,
        their_source: theirs.address,
        their_root: theirs.root,
        base: &base,
        keeps_schema_conflicts: true,
        is_cherry_pick: false,
        progress: call.pausing(),
    };
    merge.run(call, state)
}

/// A merge with what happened since a commit. The other fields of its options are the session's.
pub struct ThreeWay<'a> {
    pub ours: RootValue,
    /// What artifacts name their side by.
    pub their_source: Address,
    pub their_root: Address,
    pub base: &'a Commit,
    pub keeps_schema_conflicts: bool,
    pub is_cherry_pick: bool,
    /// See [`Call::pausing`].
    pub progress: Option<&'a MergeProgress>,
}

impl ThreeWay<'_> {
    pub fn run(&self, call: &Call, state: &State) -> Result<Merged> {
        call.context.catalog.transaction.will_write();
        let expressions = call.expressions();
        let at = state.at();
        let options = MergeOptions {
            their_source: self.their_source,
            base_source: self.base.address,
            expressions,
            names: TableNames { refs: &state.refs, head: &at },
            merges_json: !call.is_on("dolt_dont_merge_json"),
            keeps_schema_conflicts: self.keeps_schema_conflicts,
            is_cherry_pick: self.is_cherry_pick,
            records_violations: true,
            progress: self.progress,
        };
        let base = state.root(&self.base.root)?;
        let merged = vcs::merge(&self.ours, &state.root(&self.their_root)?, &base, &options)?;
        let exempt = (!self.is_cherry_pick).then_some(&base);
        let address = merged.root.address();
        let mut words = match call.take_words(address) {
            Some(words) => words,
            None => AfterMerge::new(merged.root.clone(), &self.ours, exempt)?,
        };
        let is_done = words.step(&|steps| {
            call.context.work(steps)?;
            Ok(self.progress.is_some_and(MergeProgress::pauses))
        });
        if !is_done? {
            call.keep_words(address, words);
            return Err(SqlError::interrupted());
        }
        Ok(Merged { root: words.finish()?, ..merged })
    }
}

/// A merge that may be made, and how it is to end.
struct Merge<'a> {
    call: &'a Call,
    state: &'a State,
    theirs: &'a Commit,
    /// As the user names theirs.
    other: &'a str,
    message: String,
    authorship: Authorship,
    local: LocalChanges,
    options: Options,
}

impl Merge<'_> {
    fn fast_forward(&self) -> Result<Answer> {
        let Merge { call, state, theirs, .. } = self;
        call.context.catalog.transaction.will_write();
        let staged = state.root(&theirs.root)?;
        let working = self.local.over(&staged)?.address();
        let set = WorkingSet { working, staged: theirs.root, ..state.set.clone() };
        let mut draft = state.refs.draft();
        if !self.options.is_squashed {
            draft.set_branch(&state.branch, Some(theirs.address));
        }
        draft.set_working_set(&state.branch, Some(&call.written(&set)))?;
        call.set_refs(&state.attached, draft)?;
        let told = Told { hash: Some(theirs.address), is_fast_forward: true, ..Told::of("merge successful") };
        Ok(if self.options.is_squashed { told.answer() } else { told.answer().committing() })
    }

    /// Puts the merged root into the working set, and commits it unless something has to be resolved.
    fn finish(&self, merged: Merged) -> Result<Answer> {
        let Merge { call, state, theirs, .. } = self;
        call.context.catalog.transaction.will_write();
        let working = self.local.over(&merged.root)?;
        let is_clean = merged.is_clean();
        let has_state = !self.options.is_squashed || !merged.schema_conflicts.is_empty();
        let merge = has_state.then(|| MergeState {
            pre_working_root: state.set.working,
            from_commit: theirs.address,
            from_spec: self.other.into(),
            unmergable_tables: merged.schema_conflicts.iter().map(|conflict| conflict.table.clone()).collect(),
            is_cherry_pick: false,
            is_revert: false,
            pre_merge_head: Some(state.head.address),
            pending_commits: Vec::new(),
        });
        let staged = if is_clean { merged.root.address() } else { state.set.staged };
        let set = WorkingSet { working: working.address(), staged, merge, ..state.set.clone() };
        if !is_clean {
            call.set_working_set(state, &set)?;
            call.warn(UNRESOLVED);
            return Ok(Told { has_conflicts: true, ..Told::of("conflicts found") }.answer());
        }
        if !self.options.commits {
            call.set_working_set(state, &set)?;
            return Ok(Told::of("merge successful").answer());
        }
        let state = State { set, ..(*state).clone() };
        let new = NewCommit {
            skips_verification: self.options.skips_verification,
            ..NewCommit::new(self.message.clone(), self.authorship.clone())
        };
        let commit = match commit::make(call, &state, &new)? {
            // The merge waits for the tests to be mended, and is committed then.
            Committed::Unverified(failure) => return Ok(Told::of(&failure.message).answer()),
            made => made.required()?,
        };
        Ok(Told { hash: Some(commit.address), ..Told::of("merge successful") }.answer().committing())
    }
}

/// The working set as it was before a merge, cherry-pick or revert; ignored tables stay as they are.
pub fn aborted(state: &State) -> Result<WorkingSet> {
    let Some(merge) = &state.set.merge else { return Ok(state.set.clone()) };
    let before = state.root(&merge.pre_working_root)?;
    let roots = state.roots()?;
    let mut names = Vec::new();
    for entry in before.tables() {
        names.push(entry?.0);
    }
    let kept = roots.without_ignored(&names)?;
    names.retain(|name| !kept.contains(name));
    let working = vcs::move_tables(&names, &roots.working, &before)?;
    Ok(WorkingSet { working: working.address(), staged: state.head.root, merge: None, ..state.set.clone() })
}
