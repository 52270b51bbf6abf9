//! What a database is at a commit: names, commits, roots, tables, schemas (format: database.md).
//!
//! [`Database`] gives [`Refs`], the names at one moment; they lead to commits, [`RootValue`]s and [`Table`]s. Nothing is
//! read before it is asked for, and what an address stands for never changes, so all of it can be kept and shared.
#![forbid(unsafe_code)]

mod ancestors;
mod commit;
mod database;
mod error;
mod log;
mod names;
mod objects;
mod refs;
mod repo_state;
mod revision;
mod root_value;
mod schema;
mod table;
mod working_set;

pub use commit::{Commit, CommitMeta, Identity};
pub use database::Database;
pub use error::{Result, VcsError};
pub use log::Log;
pub use names::Names;
pub use objects::Objects;
pub use refs::{ListedStash, Refs, RemoteRef};
pub use repo_state::{DEFAULT_BRANCH, REPO_STATE_PATH, Remote, RepoState, Upstream};
pub use revision::{Base, Head, NamedRoot, Revision, is_valid_branch_name, is_valid_ref_name};
pub use root_value::{FEATURE_VERSION, RootValue, is_system_table};
pub use schema::{Check, Column, Fulltext, Generated, Index, IndexField, Place, Schema, Vector};
pub use table::{Table, cardinality};
pub use tree::message::foreign_keys::{ForeignKey, ReferentialAction};
pub use tree::message::stash::Stash;
pub use tree::message::tag::Tag;
pub use working_set::{MergeState, RebaseState, WorkingSet, Written};
