//! `dolt_remote`: adds and removes remotes.

use vcs::Remote;

use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call};
use crate::procedures::entry::Entry;

pub const ENTRIES: &[Entry] =
    &[Entry::new("dolt_remote", remote).help("dolt_remote('add', name, url)", "Adds and removes remotes", &[])];

/// Whether the database has a remote of this name.
fn is_known(call: &Call, name: &str) -> Result<bool> {
    Ok(call.place()?.attached.database.state()?.remote(name).is_some())
}

pub fn unknown(name: &str) -> SqlError {
    SqlError::general(format!("fatal: remote '{name}' not found.\nPlease make sure the remote exists."))
}

const REMOTE: Syntax =
    Syntax { command: "remote", flags: &[], values: &[("ref", "")], positional_max: None, too_many: None };

/// What the name of a remote must not have.
const NO_NAME: &str = " \t\n\r./\\!@#$%^&*(){}[],<>'\"?=+|";
/// The directory of a remote that is named by a path only.
const DEFAULT_HOST: &str = "https://doltremoteapi.dolthub.com";

pub fn remote(call: &Call) -> Result<Answer> {
    let attached = call.place()?.attached;
    let arguments = REMOTE.parse(&call.arguments)?;
    let words: Vec<&str> = arguments.positional.iter().map(String::as_str).collect();
    match words[..] {
        [] => Err(SqlError::general("error: invalid argument, use 'dolt_remotes' system table to list remotes")),
        ["add", name, url] => {
            let remote = new_remote(name.trim(), url, arguments.value("ref"))?;
            let state = attached.database.state()?;
            if state.remote(&remote.name).is_some() {
                return Err(SqlError::general("remote already exists"));
            }
            if is_no_name(&remote.name) {
                return Err(SqlError::general("remote name invalid"));
            }
            check_address(&remote, &state.backups)?;
            Ok(Answer::status(0).changing_state(&attached, move |state| put(&mut state.remotes, remote.clone())))
        }
        ["remove" | "rm", name] => {
            let name: Box<str> = name.trim().into();
            if !is_known(call, &name)? {
                return Err(SqlError::general(format!("error: unknown remote: '{name}'")));
            }
            let mut branches = Vec::new();
            for branch in call.place()?.refs.remote_branches() {
                let branch = branch?;
                if branch.remote == name {
                    branches.push(format!("refs/remotes/{name}/{}", branch.branch));
                }
            }
            call.context.catalog.transaction.change_refs_now(&attached, &|draft| {
                branches.iter().for_each(|branch| draft.set(branch.clone(), None));
                Ok(())
            })?;
            Ok(Answer::status(0).changing_state(&attached, move |state| {
                state.remotes.retain(|remote| remote.name != name);
                let upstreams = state.upstreams.values_mut();
                upstreams.filter(|upstream| upstream.remote == name).for_each(|upstream| upstream.remote = "".into());
            }))
        }
        _ => Err(SqlError::general("error: invalid argument")),
    }
}

pub fn is_no_name(name: &str) -> bool {
    name.contains(|letter| NO_NAME.contains(letter))
}

/// # Errors
/// When one of these has the address already.
pub fn check_address<'r>(remote: &Remote, known: impl IntoIterator<Item = &'r Remote>) -> Result<()> {
    match known.into_iter().find(|known| known.url == remote.url) {
        Some(Remote { name, url, .. }) => {
            Err(SqlError::general(format!("address conflict with a remote: '{name}' -> {url}")))
        }
        None => Ok(()),
    }
}

/// Adds a remote, in the order of names.
pub fn put(remotes: &mut Vec<Remote>, remote: Remote) {
    let at = remotes.partition_point(|known| known.name < remote.name);
    remotes.insert(at, remote);
}

/// A remote with the address that `url` is short for.
///
/// # Errors
/// At a Git ref of a remote of another kind.
pub fn new_remote(name: &str, url: &str, git_ref: Option<&str>) -> Result<Remote> {
    let mut remote = Remote::new(name, &whole_url(url));
    if let Some(git_ref) = git_ref {
        let wrong = match git_ref.trim() {
            "" => "error: --ref cannot be empty",
            _ if !remote.url.starts_with("git+") => "error: --ref is only supported for git remotes",
            git_ref => {
                remote.params.insert("git_ref".into(), git_ref.into());
                return Ok(remote);
            }
        };
        return Err(SqlError::general(wrong));
    }
    Ok(remote)
}

/// A remote's address with its scheme: `host/path`, `owner/name` of DoltHub, and Git's own forms are short for others.
pub fn whole_url(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let is_git = path.ends_with(".git");
    let (host, rest) = url.split_once('/').unwrap_or((url, ""));
    match (url.split_once("://"), host.split_once(':')) {
        (Some(("http" | "https" | "ssh" | "file", _)), _) if is_git => format!("git+{url}"),
        (Some((scheme, path)), _) if scheme.eq_ignore_ascii_case("file") => format!("file://{}", cleaned(path)),
        (Some((scheme, rest)), _) => format!("{}://{rest}", scheme.to_ascii_lowercase()),
        (None, Some((host, first))) if is_git => match first {
            "" => format!("git+ssh://{host}/{rest}"),
            _ => format!("git+ssh://{host}/./{first}/{rest}"),
        },
        (None, _) if is_git && host.is_empty() => format!("git+file://{url}"),
        (None, _) if is_git => format!("git+https://{url}"),
        (None, port) if port.is_some() || host.contains('.') => format!("https://{url}"),
        (None, _) => format!("{DEFAULT_HOST}/{}", url.trim_matches('/')).trim_end_matches('/').to_owned(),
    }
}

/// A path without `.`, `..` and empty parts. One that is not absolute stays so: what it begins at is not known here.
fn cleaned(path: &str) -> String {
    let root = if path.starts_with('/') { "/" } else { "" };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if !root.is_empty() => {}
            part => parts.push(part),
        }
    }
    format!("{root}{}", parts.join("/"))
}
