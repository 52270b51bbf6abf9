//! `dolt_pull`: a fetch, then a merge of the branch that is followed, or a rebase onto it.

use value::Value;
use vcs::{Remote, VcsReason};

use super::exchange::{Absent, Exchange, Peer};
use super::fetch::{Fetching, default_remote};
use super::remotes::unknown;
use crate::error::{Result, SqlError};
use crate::procedures::arguments::{Arguments, Syntax};
use crate::procedures::call::{Answer, Call, State, number_column, text_column};
use crate::procedures::entry::Entry;
use crate::procedures::history::merge::{Options, merge_into};
use crate::procedures::history::rebase;
use crate::state::Authorship;

pub const ENTRIES: &[Entry] =
    &[Entry::exchange("dolt_pull", pull).help("dolt_pull([remote])", "Fetches and merges", &[])];

const SYNTAX: Syntax = Syntax {
    command: "pull",
    flags: &[
        ("squash", ""),
        ("no-ff", ""),
        ("ff-only", ""),
        ("force", "f"),
        ("commit", ""),
        ("no-commit", ""),
        ("no-edit", ""),
        ("prune", "p"),
        ("rebase", "r"),
        ("silent", ""),
        ("skip-verification", ""),
    ],
    values: &[("user", "")],
    positional_max: Some(2),
    too_many: None,
};

const NO_TRACKING: &str = "There is no tracking information for the current branch.\nPlease specify which branch you want to merge \
     with.\n\n\tdolt pull <remote> <branch>\n\nIf you wish to set tracking information for this branch you can do so with:\n\n\t dolt \
     push --set-upstream <remote> <branch>\n";

const CONFLICTING: [(&str, &str); 6] = [
    ("ff-only", "no-ff"),
    ("ff-only", "squash"),
    ("rebase", "squash"),
    ("rebase", "no-ff"),
    ("rebase", "ff-only"),
    ("rebase", "no-commit"),
];

struct Pulling {
    arguments: Arguments,
    /// The branch of the remote that is merged.
    branch: Box<str>,
    fetching: Fetching,
    is_fetched: bool,
    is_rebasing: bool,
}

pub fn pull(call: &Call) -> Result<Box<dyn Exchange>> {
    let place = call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    for (one, other) in CONFLICTING {
        arguments.exclude(one, other, || format!("error: Flags '--{one}' and '--{other}' cannot be used together"))?;
    }
    let known = place.attached.database.state()?;
    let name = arguments.positional.first().map(|name| &**name).filter(|name| !name.is_empty());
    let remote = match name {
        Some(name) => known.remote(name).ok_or_else(|| unknown(name))?,
        None => default_remote(&known.remotes)?,
    };
    let state = call.state()?;
    let upstream = known.upstreams.get(&state.branch).filter(|upstream| !upstream.remote.is_empty());
    let branch: Box<str> = match (arguments.positional.get(1), upstream, name) {
        (Some(branch), ..) => branch.as_str().into(),
        (None, Some(upstream), _) => upstream.branch.clone(),
        (None, None, None) => return Err(SqlError::general(NO_TRACKING)),
        (None, None, Some(name)) => {
            return Err(SqlError::general(format!(
                "You asked to pull from the remote '{name}', but did not specify a branch. Because this is not the default configured \
                 remote for your current branch, you must specify a branch."
            )));
        }
    };
    arguments.exclude("no-commit", "commit", || {
        "cannot define both 'commit' and 'no-commit' flags at the same time".to_owned()
    })?;
    let remote: Remote = match (name, upstream) {
        (None, Some(upstream)) => known.remote(&upstream.remote).unwrap_or(remote).clone(),
        _ => remote.clone(),
    };
    let peer = Peer::new(&remote, arguments.value("user"), Absent::IsEmpty);
    let fetching = Fetching::new(place.attached, remote, peer, None, arguments.has("prune"))?;
    Ok(Box::new(Pulling { arguments, branch, fetching, is_fetched: false, is_rebasing: false }))
}

impl Exchange for Pulling {
    fn step(&mut self, call: &Call) -> Result<Option<Answer>> {
        if !self.is_fetched {
            let fetching = &mut self.fetching;
            if fetching.is_new() {
                let source = fetching.peer.open(call, told)?;
                source.refresh()?;
                if source.refs()?.branch(&self.branch)?.is_none() {
                    return Err(SqlError::general(format!("branch \"{}\" not found on remote", self.branch)));
                }
            }
            self.is_fetched = fetching.advance(call, told)?;
            return Ok(None);
        }
        if self.arguments.has("rebase") && !self.is_rebasing {
            match self.divergence(call)? {
                Divergence::None => return Ok(Some(told_as(Value::text("Everything up-to-date".to_owned())))),
                Divergence::Behind => {}
                Divergence::Both => self.is_rebasing = true,
            }
        }
        if !self.is_rebasing {
            return self.merge(call).map(Some);
        }
        // A rebase that paused has changed the branch, and goes on.
        let skips_verification = self.arguments.has("skip-verification");
        let answer = call.run(|call| rebase::onto(call, &call.state()?, &self.upstream(), skips_verification))?;
        let message = answer.rows.first().and_then(|row| row.last()).cloned().unwrap_or(Value::Null);
        let Answer { columns, rows, .. } = told_as(message);
        Ok(Some(Answer { columns, rows, ..answer }))
    }
}

/// What a pull answers after a rebase, or without one.
fn told_as(message: Value<'static>) -> Answer {
    let columns = vec![number_column("fast_forward"), number_column("conflicts"), text_column("message")];
    Answer::new(columns, vec![Value::Int(0), Value::Int(0), message])
}

/// Which side has commits that the other one lacks.
enum Divergence {
    /// None, or only the branch here.
    None,
    /// Only the branch of the remote.
    Behind,
    Both,
}

impl Pulling {
    fn merge(&self, call: &Call) -> Result<Answer> {
        let state = call.state()?;
        let remote = &self.fetching.remote;
        let theirs = state.commit(&self.upstream())?;
        if is_changed(&state)? {
            return Err(SqlError::general("cannot merge with uncommitted changes"));
        }
        let message = format!("Merge branch '{}' of {} into {}", self.branch, remote.url, state.branch);
        let authorship = Authorship::of(&call.context.session)?;
        let options = Options::of(&self.arguments);
        let mut answer = merge_into(call, &state, &theirs, &self.branch, message, authorship, options)?;
        // A pull does not tell the commit.
        answer.columns.remove(0);
        for row in &mut answer.rows {
            row.remove(0);
        }
        Ok(answer)
    }
}

impl Pulling {
    /// The remote-tracking branch.
    fn upstream(&self) -> String {
        format!("{}/{}", self.fetching.remote.name, self.branch)
    }

    fn divergence(&self, call: &Call) -> Result<Divergence> {
        let state = call.state()?;
        let theirs = state.commit(&self.upstream())?;
        let base = state.refs.objects().merge_base(&state.head, &theirs)?.ok_or(VcsReason::NoCommonAncestor)?;
        Ok(match base {
            base if base == theirs.address => Divergence::None,
            base if base == state.head.address => Divergence::Behind,
            _ => Divergence::Both,
        })
    }
}

fn is_changed(state: &State) -> Result<bool> {
    let roots = state.roots()?;
    Ok(!vcs::changed_tables(&roots.head, &roots.working)?.is_empty())
}

fn told(words: &str) -> String {
    format!("failed to get remote db; {words}")
}
