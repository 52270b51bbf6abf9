//! `repo_state.json`, which lies next to the store and is not versioned (format: store.md, section 2.1).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::error::{Result, VcsError};
use crate::refs::BRANCHES;

/// Path below the directory that holds `.dolt`.
pub const REPO_STATE_PATH: &str = ".dolt/repo_state.json";
/// The branch of a new database.
pub const DEFAULT_BRANCH: &str = "main";

/// What a clone knows besides its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepoState {
    /// The branch that the shell has checked out and a server starts on.
    pub default_branch: Box<str>,
    /// In the order of their names.
    pub remotes: Vec<Remote>,
    pub backups: Vec<Remote>,
    /// By local branch.
    pub upstreams: BTreeMap<Box<str>, Upstream>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    pub name: Box<str>,
    pub url: Box<str>,
    /// As `refs/heads/*:refs/remotes/origin/*`.
    pub fetch_specs: Vec<Box<str>>,
    pub params: BTreeMap<Box<str>, Box<str>>,
}

/// Where a branch is pushed to and pulled from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstream {
    pub remote: Box<str>,
    /// The branch there.
    pub branch: Box<str>,
}

impl Default for RepoState {
    /// The state of a store that comes without the file, as a remote directory does.
    fn default() -> RepoState {
        RepoState {
            default_branch: DEFAULT_BRANCH.into(),
            remotes: Vec::new(),
            backups: Vec::new(),
            upstreams: BTreeMap::new(),
        }
    }
}

impl RepoState {
    /// Reads the file's text. Members that this version does not know are ignored, as Dolt does.
    ///
    /// # Errors
    /// [`VcsError::RepoState`] when it is no JSON object or its head is no branch.
    pub fn parse(text: &[u8]) -> Result<RepoState> {
        let wrong = |what: String| VcsError::RepoState { path: REPO_STATE_PATH, what: what.into() };
        let json: Value = serde_json::from_slice(text).map_err(|error| wrong(error.to_string()))?;
        let head = json["head"].as_str().ok_or_else(|| wrong("has no head".to_owned()))?;
        let upstream = |(name, upstream): (&String, &Value)| {
            let branch = branch_name(upstream["head"].as_str()?)?;
            Some((
                name.as_str().into(),
                Upstream { remote: upstream["remote"].as_str()?.into(), branch: branch.into() },
            ))
        };
        Ok(RepoState {
            default_branch: branch_name(head).ok_or_else(|| wrong(format!("head {head} is no branch")))?.into(),
            remotes: remotes(&json["remotes"]),
            backups: remotes(&json["backups"]),
            upstreams: json["branches"].as_object().into_iter().flatten().filter_map(upstream).collect(),
        })
    }
}

/// A ref without its prefix; text without any prefix names a branch.
fn branch_name(text: &str) -> Option<&str> {
    let name = text.strip_prefix(BRANCHES).unwrap_or(text);
    (!name.is_empty() && !name.starts_with("refs/")).then_some(name)
}

fn remotes(json: &Value) -> Vec<Remote> {
    let text = |value: &Value| value.as_str().map(Box::from);
    let remote = |(name, remote): (&String, &Value)| {
        Some(Remote {
            name: name.as_str().into(),
            url: text(&remote["url"])?,
            fetch_specs: remote["fetch_specs"].as_array().into_iter().flatten().filter_map(text).collect(),
            params: remote["params"]
                .as_object()
                .into_iter()
                .flatten()
                .filter_map(|(name, value)| Some((name.as_str().into(), text(value)?)))
                .collect(),
        })
    };
    let mut remotes: Vec<Remote> = json.as_object().into_iter().flatten().filter_map(remote).collect();
    remotes.sort_by(|a, b| a.name.cmp(&b.name));
    remotes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_has_remotes_and_upstreams() {
        let state = RepoState::parse(
            br#"{"head": "refs/heads/dev", "remotes": {"origin": {"name": "origin", "url": "file:///tmp/x",
                 "fetch_specs": ["refs/heads/*:refs/remotes/origin/*"], "params": {"a": "b"}}}, "backups": {},
                 "branches": {"dev": {"head": "refs/heads/theirs", "remote": "origin"}}, "newer": 1}"#,
        )
        .unwrap();
        assert_eq!(&*state.default_branch, "dev");
        assert_eq!(state.remotes.len(), 1);
        assert_eq!(&*state.remotes[0].fetch_specs[0], "refs/heads/*:refs/remotes/origin/*");
        assert_eq!(&*state.upstreams["dev"].branch, "theirs");
    }

    #[test]
    fn damage_is_an_error() {
        assert!(RepoState::parse(b"").is_err());
        assert!(RepoState::parse(b"[]").is_err());
        assert!(RepoState::parse(br#"{"head": "refs/tags/v1"}"#).is_err());
        assert!(RepoState::parse(br#"{"head": "refs/heads/main"}"#).is_ok());
    }
}
