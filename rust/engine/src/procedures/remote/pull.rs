//! `dolt_pull`: a fetch, then a merge of the branch that is followed.

use vcs::Remote;

use super::exchange::{Absent, Exchange, Peer};
use super::fetch::{Fetching, default_remote};
use super::remotes::unknown;
use crate::error::{Result, SqlError};
use crate::procedures::arguments::{Arguments, Syntax};
use crate::procedures::call::{Answer, Call, State};
use crate::procedures::history::merge::{Options, merge_into};
use crate::state::Authorship;

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

struct Pulling {
    arguments: Arguments,
    /// The branch of the remote that is merged.
    branch: Box<str>,
    fetching: Fetching,
    is_fetched: bool,
}

pub fn pull(call: &Call) -> Result<Box<dyn Exchange>> {
    let place = call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    if arguments.has("rebase") {
        return Err(SqlError::unsupported("dolt_pull with --rebase"));
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
    Ok(Box::new(Pulling { arguments, branch, fetching, is_fetched: false }))
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
        self.merge(call).map(Some)
    }
}

impl Pulling {
    fn merge(&self, call: &Call) -> Result<Answer> {
        let state = call.state()?;
        let remote = &self.fetching.remote;
        let theirs = state.commit(&format!("{}/{}", remote.name, self.branch))?;
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

fn is_changed(state: &State) -> Result<bool> {
    let roots = state.roots()?;
    Ok(!vcs::changed_tables(&roots.head, &roots.working)?.is_empty())
}

fn told(words: &str) -> String {
    format!("failed to get remote db; {words}")
}
