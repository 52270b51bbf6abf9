//! Ref specs: the mapping of names of one side to names of the other.

use super::tracking_ref;
use crate::refs::{BRANCHES, REMOTE_BRANCHES, TAGS};

/// A refspec, as native Dolt reads them. A `*` matches any part of a name, at most one on each side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefSpec {
    /// A branch of the remote, and the remote-tracking branch that follows it.
    Tracking {
        branch: Box<str>,
        remote: Box<str>,
        tracked: Box<str>,
    },
    /// A branch, and the branch that it is pushed to. Nothing is pushed to one that is deleted: `from` is empty then.
    Branch {
        from: Box<str>,
        to: Box<str>,
    },
    Tag {
        from: Box<str>,
        to: Box<str>,
    },
}

enum Name<'a> {
    Branch(&'a str),
    Tag(&'a str),
    /// Remote and branch.
    Remote(&'a str, &'a str),
}

impl RefSpec {
    /// Reads `from:to`, `:to` or one name for both sides. `None` where native Dolt says "invalid ref spec" or "unsupported mapping".
    pub fn parse(text: &str) -> Option<RefSpec> {
        if text.is_empty() {
            return None;
        }
        let (from, to) = match text.split_once(':') {
            Some((_, to)) if to.contains(':') => return None,
            Some(sides) => sides,
            None => (text, text),
        };
        match (name(from)?, name(to)?) {
            (Name::Branch(branch), Name::Remote(remote, tracked)) => {
                let stars = |text: &str| text.matches('*').count();
                let is_one_for_one = stars(branch) == stars(tracked) && stars(branch) <= 1 && !remote.contains('*');
                let [branch, remote, tracked] = [branch, remote, tracked].map(Box::from);
                is_one_for_one.then_some(RefSpec::Tracking { branch, remote, tracked })
            }
            (Name::Branch(from), Name::Branch(to)) => Some(RefSpec::Branch { from: from.into(), to: to.into() }),
            (Name::Tag(from), Name::Tag(to)) => Some(RefSpec::Tag { from: from.into(), to: to.into() }),
            _ => None,
        }
    }

    /// As [`RefSpec::parse`], of what `dolt_fetch` gets behind the name of the remote: a branch means its remote-tracking one.
    pub fn of_fetch(remote: &str, text: &str) -> Option<RefSpec> {
        match RefSpec::parse(text)? {
            RefSpec::Branch { .. } => RefSpec::parse(&format!("{BRANCHES}{text}:{}", tracking_ref(remote, text))),
            spec => Some(spec),
        }
    }

    /// What a name of the remote becomes here, both as whole names; `None` where the spec is not about it.
    pub fn target(&self, name: &str) -> Option<String> {
        match self {
            RefSpec::Tracking { branch, remote, tracked } => {
                let found = captured(branch, name.strip_prefix(BRANCHES)?)?;
                Some(tracking_ref(remote, &tracked.replacen('*', found, 1)))
            }
            RefSpec::Tag { from, to } => (name.strip_prefix(TAGS)? == &**from).then(|| format!("{TAGS}{to}")),
            RefSpec::Branch { .. } => None,
        }
    }

    /// What the spec asks the remote for.
    pub(super) fn asked(&self) -> &str {
        match self {
            RefSpec::Tracking { branch, .. } => branch,
            RefSpec::Branch { from, .. } | RefSpec::Tag { from, .. } => from,
        }
    }
}

fn name(text: &str) -> Option<Name<'_>> {
    let remote = text.strip_prefix(REMOTE_BRANCHES).or_else(|| text.strip_prefix("remotes/"));
    if let Some(remote) = remote {
        let (remote, branch) = remote.split_once('/')?;
        return Some(Name::Remote(remote, branch));
    }
    match (text.strip_prefix(BRANCHES), text.strip_prefix(TAGS)) {
        (Some(branch), _) => Some(Name::Branch(branch)),
        (_, Some(tag)) => Some(Name::Tag(tag)),
        _ if text.starts_with("refs/") => None,
        _ => Some(Name::Branch(text)),
    }
}

/// What the `*` of a pattern matches in a name; nothing in a pattern without.
fn captured<'a>(pattern: &str, name: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        Some((begin, end)) => name.strip_prefix(begin)?.strip_suffix(end),
        None => (pattern == name).then_some(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read_as_by_native_dolt() {
        let tracked = |spec: &str, branch: &str| RefSpec::parse(spec)?.target(&format!("{BRANCHES}{branch}"));
        let all = "refs/heads/*:refs/remotes/origin/*";
        assert_eq!(tracked(all, "a/b").as_deref(), Some("refs/remotes/origin/a/b"));
        assert_eq!(tracked("refs/heads/x-*:refs/remotes/o/y-*", "x-1").as_deref(), Some("refs/remotes/o/y-1"));
        assert_eq!(tracked("refs/heads/x-*:refs/remotes/o/y-*", "z"), None);
        assert_eq!(tracked("main:remotes/o/main", "main").as_deref(), Some("refs/remotes/o/main"));
        assert_eq!(RefSpec::parse("refs/heads/*:refs/remotes/origin/x"), None);
        assert_eq!(RefSpec::parse("a:b:c"), None);
        assert_eq!(RefSpec::parse("refs/tags/a:b"), None);
        assert_eq!(RefSpec::parse(""), None);
        assert_eq!(RefSpec::parse(":x"), Some(RefSpec::Branch { from: "".into(), to: "x".into() }));
        let of_fetch = RefSpec::of_fetch("origin", "main").unwrap();
        assert_eq!(of_fetch.target("refs/heads/main").as_deref(), Some("refs/remotes/origin/main"));
        assert_eq!(RefSpec::of_fetch("origin", "a:b"), None);
        let tag = RefSpec::of_fetch("origin", "refs/tags/v1").unwrap();
        assert_eq!(tag.target("refs/tags/v1").as_deref(), Some("refs/tags/v1"));
    }
}
