//! `repo_state.json`: unversioned state beside the store (docs/format/store.md, section 2.1).

use std::collections::BTreeMap;

use codec::CompactSort;
use value::Json;
use value::json::JsonObject;

use crate::error::{Result, VcsReason};
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

impl Remote {
    /// A remote whose branches are all fetched.
    pub fn new(name: &str, url: &str) -> Remote {
        let fetch_specs = vec![format!("refs/heads/*:refs/remotes/{name}/*").into()];
        Remote { name: name.into(), url: url.into(), fetch_specs, params: BTreeMap::new() }
    }
}

impl RepoState {
    /// Reads the file's text. Members that this version does not know are ignored, as Dolt does.
    ///
    /// # Errors
    /// [`VcsReason::RepoState`] when it is no JSON object or its head is no branch.
    pub fn parse(text: &[u8]) -> Result<RepoState> {
        let wrong = |what: String| VcsReason::RepoState { path: REPO_STATE_PATH, what: what.into() }.into();
        let text = core::str::from_utf8(text).map_err(|error| wrong(error.to_string()))?;
        let json = Json::parse(text).map_err(|error| wrong(error.to_string()))?;
        let head = member(&json, "head").and_then(text_of).ok_or_else(|| wrong("has no head".to_owned()))?;
        let default_branch = head.strip_prefix(BRANCHES).unwrap_or(head);
        if default_branch.is_empty() || default_branch.starts_with("refs/") {
            return Err(wrong(format!("head {head} is no branch")));
        }
        let upstream = |(name, upstream): (&str, &Json)| {
            let head = member(upstream, "head").and_then(text_of)?;
            let branch = head.strip_prefix(BRANCHES).unwrap_or(head).into();
            let remote = member(upstream, "remote").and_then(text_of)?.into();
            Some((name.into(), Upstream { remote, branch }))
        };
        Ok(RepoState {
            default_branch: default_branch.into(),
            remotes: remotes(member(&json, "remotes")),
            backups: remotes(member(&json, "backups")),
            upstreams: by_name(member(&json, "branches").into_iter().flat_map(members).filter_map(upstream)),
        })
    }

    /// The text that native Dolt reads.
    pub fn text(&self) -> String {
        let head = |branch: &str| match branch.starts_with("refs/") {
            true => Json::string(branch),
            false => Json::string(format!("{BRANCHES}{branch}")),
        };
        let remote = |remote: &Remote| {
            let specs = remote.fetch_specs.iter().cloned().map(Json::String).collect();
            let params = object(remote.params.iter().map(|(name, value)| (&**name, Json::String(value.clone()))));
            let members = [
                ("name", Json::String(remote.name.clone())),
                ("url", Json::String(remote.url.clone())),
                ("fetch_specs", Json::Array(specs)),
                ("params", params),
            ];
            object(members)
        };
        let remotes = |known: &[Remote]| object(known.iter().map(|known| (&*known.name, remote(known))));
        let upstream = |upstream: &Upstream| {
            object([("head", head(&upstream.branch)), ("remote", Json::String(upstream.remote.clone()))])
        };
        let members = [
            ("head", head(&self.default_branch)),
            ("remotes", remotes(&self.remotes)),
            ("backups", remotes(&self.backups)),
            ("branches", object(self.upstreams.iter().map(|(name, followed)| (&**name, upstream(followed))))),
        ];
        object(members).pretty()
    }

    /// A remote by its name.
    pub fn remote(&self, name: &str) -> Option<&Remote> {
        self.remotes.iter().find(|remote| &*remote.name == name)
    }
}

/// `collect` would sort the items first, by a routine that is compiled for each type.
fn by_name<T>(named: impl Iterator<Item = (Box<str>, T)>) -> BTreeMap<Box<str>, T> {
    let mut map = BTreeMap::new();
    map.extend(named);
    map
}

fn object<K: Into<Box<str>>>(members: impl IntoIterator<Item = (K, Json)>) -> Json {
    let mut object = JsonObject::new();
    for (name, value) in members {
        object.insert(name, value);
    }
    Json::Object(object)
}

fn members(json: &Json) -> impl Iterator<Item = (&str, &Json)> {
    let object = if let Json::Object(object) = json { Some(object) } else { None };
    object.into_iter().flat_map(JsonObject::iter)
}

fn member<'a>(json: &'a Json, name: &str) -> Option<&'a Json> {
    if let Json::Object(object) = json { object.get(name) } else { None }
}

fn text_of(json: &Json) -> Option<&str> {
    if let Json::String(text) = json { Some(text) } else { None }
}

fn remotes(json: Option<&Json>) -> Vec<Remote> {
    let owned = |json: &Json| text_of(json).map(Box::from);
    let remote = |(name, remote): (&str, &Json)| {
        let specs = if let Some(Json::Array(specs)) = member(remote, "fetch_specs") { &specs[..] } else { &[] };
        Some(Remote {
            name: name.into(),
            url: member(remote, "url").and_then(owned)?,
            fetch_specs: specs.iter().filter_map(owned).collect(),
            params: by_name(
                member(remote, "params")
                    .into_iter()
                    .flat_map(members)
                    .filter_map(|(name, value)| Some((name.into(), owned(value)?))),
            ),
        })
    };
    let mut remotes: Vec<Remote> = json.into_iter().flat_map(members).filter_map(remote).collect();
    remotes.compact_sort_by(|a, b| a.name.cmp(&b.name));
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
        assert_eq!(RepoState::parse(state.text().as_bytes()).unwrap(), state);
    }

    #[test]
    fn damage_is_an_error() {
        assert!(RepoState::parse(b"").is_err());
        assert!(RepoState::parse(b"[]").is_err());
        assert!(RepoState::parse(br#"{"head": "refs/tags/v1"}"#).is_err());
        assert!(RepoState::parse(br#"{"head": "refs/heads/main"}"#).is_ok());
    }
}
