//! `dolt_branch`: makes, renames, copies and deletes branches.

use codec::Address;
use vcs::{Refs, RefsDraft, Upstream, VcsReason, WorkingSet, Written, is_valid_branch_name};

use crate::catalog::Place;
use crate::error::{Result, SqlError};
use crate::procedures::arguments::{Arguments, Syntax};
use crate::procedures::call::{Answer, Call};
use crate::procedures::entry::Entry;
use crate::procedures::remote::upstream;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_branch", branch).help(
    "dolt_branch(name [, start])",
    "Makes, copies, renames and deletes branches",
    &[("-c", "copies"), ("-m", "renames"), ("-d", "deletes what is merged"), ("-D", "deletes")],
)];

const SYNTAX: Syntax = Syntax {
    command: "branch",
    flags: &[("force", "f"), ("copy", "c"), ("move", "m"), ("delete", "d"), ("D", ""), ("track", "t"), ("remote", "r")],
    values: &[("set-upstream-to", "u")],
    positional_max: None,
    too_many: None,
};

pub fn branch(call: &Call) -> Result<Answer> {
    let place = call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    let existing = Existing::replace_if(arguments.has("force"));
    let mut answer = Answer::status(0).renewing();
    if arguments.has("copy") {
        let [from, to] = two_names(&arguments)?;
        let mut draft = place.refs.draft();
        copy(call, &place.refs, &mut draft, from, to, existing)?;
        call.set_refs(&place.attached, draft)?;
    } else if arguments.has("move") {
        let [from, to] = two_names(&arguments)?;
        rename(call, &place, from, to, existing)?;
        let stands_on = |branch: &str| branch == from;
        if place.branch().is_some_and(stands_on) {
            answer.moves_to = Some((place.attached.name.clone(), to.into()));
        }
        if stands_on(&place.attached.database.state()?.default_branch) {
            let to: Box<str> = to.into();
            answer = answer.changing_state(&place.attached, move |state| state.default_branch = to.clone());
        }
    } else if arguments.has("delete") || arguments.has("D") {
        delete(call, &place, &arguments)?;
    } else if let Some((branch, upstream)) = upstream_of_known(&place, &arguments)? {
        answer = upstream::set(answer, &place.attached, &branch, Some(upstream));
    } else {
        let (name, start) = match &arguments.positional[..] {
            [name] => (name, "HEAD"),
            [name, start] => (name, &**start),
            _ => return Err(invalid_usage()),
        };
        if name.is_empty() {
            return Err(empty_name());
        }
        arguments.exclude("set-upstream-to", "track", || {
            "error: --set-upstream-to and --track are mutually exclusive options.".to_owned()
        })?;
        let tracked = match (arguments.has("track"), arguments.positional.get(1)) {
            (false, _) => arguments.value("set-upstream-to"),
            (true, None) => Some(checked_out(&place)?),
            (true, Some(tracked)) => Some(&**tracked),
        };
        // What is tracked is not where the branch begins: so native Dolt does it.
        let start = if arguments.has("track") { "HEAD" } else { start };
        if start.is_empty() {
            return Err(invalid_usage());
        }
        let upstream = tracked.map(|tracked| upstream::named(&place, tracked, name)).transpose()?;
        create(call, &place, name, start, existing)?;
        answer = upstream::set(answer, &place.attached, name, upstream);
    }
    Ok(answer)
}

fn checked_out(place: &Place) -> Result<&str> {
    Ok(place.branch().ok_or(VcsReason::DetachedHead)?)
}

/// The branch that `--set-upstream-to` is about and what it is to follow; `None` for one that is to be made.
fn upstream_of_known(place: &Place, arguments: &Arguments) -> Result<Option<(Box<str>, Upstream)>> {
    let Some(tracked) = arguments.value("set-upstream-to") else { return Ok(None) };
    let branch = match arguments.positional.first() {
        None => checked_out(place)?,
        Some(name) if place.refs.branch(name)?.is_none() => return Ok(None),
        Some(_) if arguments.positional.len() > 2 => return Err(invalid_usage()),
        Some(name) => name,
    };
    Ok(Some((branch.into(), upstream::named(place, tracked, branch)?)))
}

fn invalid_usage() -> SqlError {
    SqlError::general("error: invalid usage")
}

fn empty_name() -> SqlError {
    SqlError::general("error: cannot branch empty string")
}

fn two_names(arguments: &Arguments) -> Result<[&str; 2]> {
    match &arguments.positional[..] {
        [from, to] if from.is_empty() || to.is_empty() => Err(empty_name()),
        [from, to] => Ok([from, to]),
        _ => Err(invalid_usage()),
    }
}

/// What becomes of a branch that has the name of a new one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and the new one is refused.
    Keep,
    Replace,
}

impl Existing {
    /// `--force` replaces.
    pub fn replace_if(is_forced: bool) -> Existing {
        if is_forced { Existing::Replace } else { Existing::Keep }
    }
}

/// Makes a branch at a commit, with a clean working set.
pub fn create(call: &Call, place: &Place, name: &str, start: &str, existing: Existing) -> Result<()> {
    if existing == Existing::Keep && place.refs.branch(name)?.is_some() {
        return Err(SqlError::general(format!("fatal: A branch named '{name}' already exists.")));
    }
    if !is_valid_branch_name(name) {
        return Err(SqlError::general(format!("fatal: '{name}' is an invalid branch name.")));
    }
    let commit = place.refs.commit(start, &place.head).map_err(|error| {
        SqlError::general(match error.reason() {
            VcsReason::InvalidRevision | VcsReason::CommitNotFound(_) | VcsReason::BranchNotFound(_) => {
                format!("fatal: '{start}' is not a commit and a branch '{name}' cannot be created from it")
            }
            _ => format!("fatal: Unexpected error creating branch '{name}' : {error}"),
        })
    })?;
    let mut draft = place.refs.draft();
    put(call, &mut draft, name, commit.address, commit.root)?;
    call.set_refs(&place.attached, draft)
}

/// What native Dolt writes as the description of a new branch's working set: a word its authors left there.
const NEW_BRANCH: &str = "TODO";

/// A branch and its clean working set.
fn put(call: &Call, draft: &mut RefsDraft, name: &str, head: Address, root: Address) -> Result<()> {
    call.context.catalog.transaction.will_write();
    let written = Written {
        name: "".into(),
        email: "".into(),
        description: NEW_BRANCH.into(),
        seconds: call.context.session.now_seconds(),
    };
    let set =
        WorkingSet { address: None, working: root, staged: root, written: Some(written), merge: None, rebase: None };
    draft.set_branch(name, Some(head));
    draft.set_working_set(name, Some(&set))?;
    Ok(())
}

/// Makes a branch at the head of another one.
pub fn copy(call: &Call, refs: &Refs, draft: &mut RefsDraft, from: &str, to: &str, existing: Existing) -> Result<()> {
    if refs.branch(from)?.is_none() {
        return Err(SqlError::general(format!("fatal: A branch named '{from}' not found")));
    }
    if existing == Existing::Keep && refs.branch(to)?.is_some() {
        return Err(SqlError::general(format!("fatal: A branch named '{to}' already exists.")));
    }
    if !is_valid_branch_name(to) {
        return Err(SqlError::general(format!("fatal: '{to}' is not a valid branch name.")));
    }
    let head = refs.branch_head(from)?;
    put(call, draft, to, head.address, head.root)
}

fn rename(call: &Call, place: &Place, from: &str, to: &str, existing: Existing) -> Result<()> {
    let refs = &place.refs;
    if refs.branch(from)?.is_none() {
        return Err(SqlError::general("branch not found"));
    }
    if existing == Existing::Keep && refs.branch(to)?.is_some() {
        return Err(SqlError::general("already exists"));
    }
    if !is_valid_branch_name(to) {
        return Err(SqlError::general("not a valid user branch name"));
    }
    if from == to {
        // Native Dolt deletes it.
        return Ok(());
    }
    let mut draft = refs.draft();
    copy(call, refs, &mut draft, from, to, Existing::Replace)?;
    draft.set_working_set(to, Some(&refs.working_set(from)?))?;
    draft.set_branch(from, None);
    draft.set_working_set(from, None)?;
    call.set_refs(&place.attached, draft)
}

fn delete(call: &Call, place: &Place, arguments: &Arguments) -> Result<()> {
    if arguments.positional.is_empty() {
        return Err(invalid_usage());
    }
    let is_forced = arguments.has("D") || arguments.has("force");
    let mut draft = place.refs.draft();
    for name in &arguments.positional {
        if name.is_empty() {
            return Err(empty_name());
        }
        if arguments.has("remote") {
            let dataset = format!("refs/remotes/{name}");
            if place.refs.dataset(&dataset)?.is_none() {
                return Err(SqlError::general("branch not found"));
            }
            draft.set(dataset, None);
            continue;
        }
        if place.branch() == Some(name) {
            return Err(SqlError::general(format!("Cannot delete checked out branch '{name}'")));
        }
        let Some(head) = place.refs.branch(name)? else { return Err(SqlError::general("branch not found")) };
        if !is_forced {
            let objects = place.refs.objects();
            let (current, head) = (place.refs.head(&place.head)?, objects.commit(&head)?);
            if !objects.has_ancestor(&current, &head)? {
                objects.merge_base(&current, &head)?.ok_or(VcsReason::NoCommonAncestor)?;
                return Err(SqlError::general(format!("branch '{name}' is not fully merged")));
            }
        }
        draft.set_branch(name, None);
        draft.set_working_set(name, None)?;
    }
    call.set_refs(&place.attached, draft)
}
