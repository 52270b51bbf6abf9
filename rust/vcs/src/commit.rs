//! Commits (format: database.md, section 3).

use std::rc::Rc;

use codec::Address;
use tree::NodeStore;
use tree::message::commit as message;

use crate::error::{Result, VcsError};

/// A commit. Its hash is [`Commit::address`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub address: Address,
    /// The root value.
    pub root: Address,
    /// One more than the highest parent's; 1 without parents.
    pub height: u64,
    /// In order: the first parent is the branch that was merged into.
    pub parents: Vec<Address>,
    /// Closure of all proper ancestors; absent without parents.
    pub closure: Option<Address>,
    pub meta: CommitMeta,
}

/// Who made a commit, when and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitMeta {
    pub author: Identity,
    pub committer: Identity,
    /// Milliseconds since 1970 UTC.
    pub author_millis: i64,
    /// Milliseconds since 1970 UTC.
    pub committer_millis: i64,
    pub description: Box<str>,
    /// GPG armor.
    pub signature: Option<Box<str>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub name: Box<str>,
    pub email: Box<str>,
}

impl Commit {
    /// # Errors
    /// Besides errors of the store, `WrongMessage` when the chunk at `address` is no commit.
    pub(crate) fn read(nodes: &NodeStore, address: &Address) -> Result<Rc<Commit>> {
        let chunk = nodes.message(address)?;
        let commit = message::Commit::decode(&chunk).map_err(|error| error.in_chunk(address))?;
        Ok(Rc::new(Commit::from_message(*address, commit)?))
    }

    fn from_message(address: Address, commit: message::Commit) -> Result<Commit> {
        if (commit.height == 1) != commit.parents.is_empty() || commit.height == 0 {
            return Err(VcsError::corrupt("commit", "height and parents do not fit"));
        }
        let author = Identity { name: commit.author_name, email: commit.author_email };
        let committer = Identity {
            name: commit.committer_name.unwrap_or_else(|| author.name.clone()),
            email: commit.committer_email.unwrap_or_else(|| author.email.clone()),
        };
        Ok(Commit {
            address,
            root: commit.root,
            height: commit.height,
            parents: commit.parents,
            closure: commit.parent_closure,
            meta: CommitMeta {
                author,
                committer,
                author_millis: commit.author_millis,
                // A date past the year 292 million is no date.
                committer_millis: i64::try_from(commit.committer_millis).unwrap_or(i64::MAX),
                description: commit.description,
                signature: commit.signature,
            },
        })
    }
}
