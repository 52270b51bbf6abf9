//! Commits (docs/format/database.md, section 3).

pub mod ancestors;
pub mod log;
pub mod walk;

use std::rc::Rc;

use codec::Address;
use tree::message::commit as message;
use tree::{Ancestor, CommitClosure, NodeStore, Parent};

use crate::error::{Result, VcsError};
use crate::objects::{Decoded, Kind, Objects};
use log::Log;
use walk::Walk;

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

    /// Writes a commit of `root` on top of `parents`, the branch that is committed to first, with the closure of its ancestors.
    ///
    /// # Errors
    /// What is wrong with a parent; [`store::StoreError::ReadOnly`] where nothing can be written.
    pub fn write(objects: &Objects, parents: &[Rc<Commit>], root: Address, meta: CommitMeta) -> Result<Rc<Commit>> {
        let known: Vec<Parent> = parents
            .iter()
            .map(|parent| Parent {
                commit: Ancestor { height: parent.height, address: parent.address },
                closure: parent.closure.unwrap_or_default(),
            })
            .collect();
        let closure = CommitClosure::of_parents(objects.nodes(), &known, &mut &**objects.nodes())?;
        let CommitMeta { author, committer, .. } = meta;
        let other = |committer: Box<str>, author: &str| (*committer != *author).then_some(committer);
        let commit = message::Commit {
            root,
            height: 1 + parents.iter().map(|parent| parent.height).max().unwrap_or_default(),
            parents: parents.iter().map(|parent| parent.address).collect(),
            parent_closure: Some(closure).filter(|closure| !closure.is_empty()),
            description: meta.description,
            committer_millis: meta.committer_millis.unsigned_abs(),
            author_millis: meta.author_millis,
            signature: meta.signature,
            committer_name: other(committer.name, &author.name),
            committer_email: other(committer.email, &author.email),
            author_name: author.name,
            author_email: author.email,
        };
        objects.commit(&objects.put(&commit.encode()?)?)
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

/// About 2 MB: tables of history read a commit for itself and as a parent.
impl Decoded for Rc<Commit> {
    const KIND: Kind = Kind::Commit;
    const COUNT_MAX: usize = 4_096;
}

impl Objects {
    pub fn commit(&self, address: &Address) -> Result<Rc<Commit>> {
        self.cache().get(address, || Commit::read(self.nodes(), address))
    }

    /// The history of the commits `from`, without that of `excluded` (`git log from ^excluded`).
    pub fn log(self: &Rc<Objects>, from: &[Address], excluded: &[Address]) -> Result<Log> {
        Log::new(self, from, excluded)
    }

    /// How many commits the history of `one` has that the history of `other` has not.
    pub fn commits_ahead(self: &Rc<Objects>, one: &Address, other: &Address) -> Result<u64> {
        self.log(&[*one], &[*other])?.try_fold(0, |count, commit| commit.map(|_| count + 1))
    }

    /// The history of `head`.
    pub fn log_of(self: &Rc<Objects>, head: Rc<Commit>) -> Log {
        Log::of(self, head)
    }

    /// The same commits depth first, the order of the tables of history.
    pub fn walk(self: &Rc<Objects>, from: &[Address]) -> Walk {
        Walk::new(self, from)
    }

    /// The best common ancestor of two commits; `None` when they are not related.
    pub fn merge_base(&self, left: &Commit, right: &Commit) -> Result<Option<Address>> {
        ancestors::merge_base(self.nodes(), left, right)
    }

    /// Whether `ancestor` is in the history of `commit`, itself included.
    pub fn has_ancestor(&self, commit: &Commit, ancestor: &Commit) -> Result<bool> {
        ancestors::has_ancestor(self.nodes(), commit, ancestor)
    }
}
