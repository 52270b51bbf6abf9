//! The error type of this crate.

pub mod merge;

use codec::Address;
use store::{Obstacle, StoreError};
use tree::{TreeError, TreeReason};

use merge::MergeError;

/// Why a version, a table or a schema could not be read. The texts of the revision errors are Dolt's.
///
/// It is a [`VcsReason`], of which results carry the address only.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct VcsError(Box<VcsReason>);

#[derive(Debug, thiserror::Error)]
pub enum VcsReason {
    #[error(transparent)]
    Tree(TreeError),
    #[error("branch not found: {0}")]
    BranchNotFound(Box<str>),
    #[error("invalid ancestor spec")]
    InvalidAncestorSpec,
    #[error("invalid ref spec")]
    InvalidRefSpec,
    #[error("string is not a valid branch or hash")]
    InvalidRevision,
    #[error("target commit not found")]
    CommitNotFound(Address),
    /// HEAD, WORKING or STAGED where no branch is checked out.
    #[error("this operation is not supported while in a detached head state")]
    DetachedHead,
    #[error("no common ancestor")]
    NoCommonAncestor,
    #[error("the database was written by a newer Dolt: feature version {found}, this version knows {known}")]
    FeatureVersion { found: i64, known: i64 },
    #[error("error: the table(s) {} do not exist", .0.join(", "))]
    NoSuchTables(Vec<Box<str>>),
    /// A table cannot go while a foreign key refers to it.
    #[error("unable to remove `{table}` since it is referenced from table `{child}`")]
    Referenced { table: Box<str>, child: Box<str> },
    #[error("foreign key `{key}` requires the referenced table `{table}`")]
    MissingParent { key: Box<str>, table: Box<str> },
    #[error(transparent)]
    Merge(MergeError),
    /// Something that every writer keeps true does not hold.
    #[error("{part}: {what}")]
    Corrupt { part: &'static str, what: &'static str },
    /// A column type, default or encoding that this version cannot read.
    #[error("column {column}: {what}")]
    Column { column: Box<str>, what: Box<str> },
    #[error("{path}: {what}")]
    RepoState { path: &'static str, what: Box<str> },
    /// A row of dolt_nonlocal_tables that says nothing we know.
    #[error("Invalid nonlocal table options {0}: only valid value is 'immediate'.")]
    NonlocalOptions(Box<str>),
    #[error("no branches found in remote '{0}'")]
    NoRemoteBranches(Box<str>),
    /// A refspec that no branch of the remote matches.
    #[error("invalid ref spec: '{0}'")]
    UnmatchedRefSpec(Box<str>),
    #[error("remote at that url contains no Dolt data")]
    NoRemoteData,
    /// The commit of a push lost every race.
    #[error("the remote is being changed all the time: try again later")]
    RemoteBusy,
    #[error("shallow repository missing chunks to complete push")]
    ShallowPush,
    #[error("invalid depth: {0}")]
    InvalidDepth(u32),
    #[error(
        "a lazy clone has all of the history, whose rows come when they are needed: leave out either --lazy or --depth"
    )]
    LazyDepth,
    /// Who asked for a merge wants it no more.
    #[error("the merge was interrupted")]
    Interrupted,
    /// Two patterns of dolt_ignore disagree about a table and neither is more specific.
    #[error("the table {table} matches conflicting patterns in dolt_ignore: {ignored} and {included}")]
    IgnoreConflict { table: Box<str>, ignored: Box<str>, included: Box<str> },
}

impl VcsError {
    pub fn reason(&self) -> &VcsReason {
        &self.0
    }

    /// What of the store failed, if it is that.
    pub fn of_store(&self) -> Option<&StoreError> {
        match self.reason() {
            VcsReason::Tree(error) => match error.reason() {
                TreeReason::Store(error) => Some(error),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether stored bytes are not what a writer stored, and the chunk that has them where that is known. What may be about a value of the
    /// caller is not.
    pub fn damage(&self) -> Option<Option<Address>> {
        match self.reason() {
            VcsReason::Tree(error) => match error.reason() {
                TreeReason::InChunk { address, .. } => Some(Some(*address)),
                TreeReason::Corrupt { .. } | TreeReason::UnknownFields { .. } | TreeReason::WrongMessage { .. } => {
                    Some(None)
                }
                _ => None,
            },
            VcsReason::Corrupt { .. } => Some(None),
            _ => None,
        }
    }

    /// Whether a chunk is a message of another kind than the one that was looked for.
    pub(crate) fn is_another_message(&self) -> bool {
        let VcsReason::Tree(error) = self.reason() else { return false };
        let TreeReason::InChunk { error, .. } = error.reason() else { return false };
        matches!(error.reason(), TreeReason::WrongMessage { .. })
    }

    /// What stood in the way, if it is that.
    pub fn obstacle(&self) -> Option<Obstacle> {
        let VcsReason::Tree(error) = self.reason() else { return None };
        let inner = match error.reason() {
            TreeReason::InChunk { error, .. } => error.reason(),
            reason => reason,
        };
        match inner {
            TreeReason::Store(error) => error.obstacle(),
            TreeReason::NoMemory { .. } => Some(Obstacle::NoMemory),
            _ => None,
        }
    }

    /// Whether nothing was done and the same call will do once the host has done what it was asked for.
    pub fn is_wait(&self) -> bool {
        self.obstacle() == Some(Obstacle::Wait)
    }

    pub(crate) fn corrupt(part: &'static str, what: &'static str) -> VcsError {
        VcsReason::Corrupt { part, what }.into()
    }
}

impl From<VcsReason> for VcsError {
    #[cold]
    #[inline(never)]
    fn from(reason: VcsReason) -> VcsError {
        VcsError(Box::new(reason))
    }
}

impl From<TreeError> for VcsError {
    #[cold]
    fn from(error: TreeError) -> VcsError {
        VcsReason::Tree(error).into()
    }
}

impl From<MergeError> for VcsError {
    #[cold]
    fn from(error: MergeError) -> VcsError {
        VcsReason::Merge(error).into()
    }
}

impl From<StoreError> for VcsError {
    #[cold]
    fn from(error: StoreError) -> VcsError {
        TreeError::from(error).into()
    }
}

pub type Result<T> = core::result::Result<T, VcsError>;
