//! Upstream branches, for push and pull. They are in the state beside the store.

use std::rc::Rc;

use vcs::{RepoState, Upstream};

use crate::catalog::Place;
use crate::engine::Attached;
use crate::error::{Result, SqlError};
use crate::procedures::call::Answer;

/// `origin/main` or `remotes/origin/main`: a remote and a branch of it.
pub fn parts(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix("remotes/").unwrap_or(text).split_once('/')
}

pub fn of(remote: &str, branch: &str) -> Result<Upstream> {
    match branch {
        "" => Err(SqlError::general("invalid ref spec")),
        branch => Ok(Upstream { remote: remote.into(), branch: branch.into() }),
    }
}

/// What `--track` and `--set-upstream-to` of `dolt_branch` name: a branch of a remote, or one that is here.
pub fn named(place: &Place, text: &str, branch: &str) -> Result<Upstream> {
    if let Some((remote, theirs)) = parts(text).filter(|(remote, theirs)| !remote.is_empty() && !theirs.is_empty())
        && place.refs.commit(text, &place.head).is_ok()
    {
        return of(remote, theirs);
    }
    if place.refs.branch(text)?.is_none() {
        return Err(SqlError::general(format!("branch not found: '{text}'")));
    }
    if text == branch {
        return Err(SqlError::general(format!("\tnot setting '{branch}' as its own upstream")));
    }
    of("", text)
}

/// The answer of a procedure that also lets `branch` follow `upstream`.
pub fn set(answer: Answer, attached: &Rc<Attached>, branch: &str, upstream: Option<Upstream>) -> Answer {
    let Some(upstream) = upstream else { return answer };
    let branch: Box<str> = branch.into();
    answer.changing_state(attached, move |state: &mut RepoState| {
        state.upstreams.insert(branch.clone(), upstream.clone());
    })
}
