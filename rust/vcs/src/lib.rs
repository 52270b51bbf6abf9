//! What a database is at a commit: names, commits, roots, tables, schemas (docs/format/database.md).
//!
//! [`Database`] gives [`Refs`], the names at one moment; they lead to commits, [`RootValue`]s and [`Table`]s. Nothing is
//! read before it is asked for, and objects are immutable, so all of it can be kept and shared.
#![forbid(unsafe_code)]

mod commit;
mod database;
mod diff;
mod error;
mod expressions;
pub mod foreign_key;
pub mod ignore;
mod merge;
pub mod nonlocal;
pub mod objects;
mod refs;
pub mod remote;
mod root_value;
mod schema;
mod staging;
mod table;
pub mod working_set;

pub use commit::log::Log;
pub use commit::walk::Walk;
pub use commit::{Commit, CommitMeta, Identity};
pub use database::Database;
pub use database::prefetch::Prefetch;
pub use database::repo_state::{DEFAULT_BRANCH, REPO_STATE_PATH, Remote, RepoState, Upstream};
pub use database::verification::{Counts, Flaw, Owner, Problem, Verification};
pub use diff::column_map::{ColumnMap, Comparable, Source, comparable};
pub use diff::row_diff::{ChangeKind, RowChange, RowDiff};
pub use diff::stat::{KeyedStat, StatWalk, TableStat};
pub use diff::table_deltas::{DeltaKind, NamedTable, RootDelta, TableDelta};
pub use diff::table_history::{DiffHistory, TableHistory, Version, VersionPair};
pub use error::merge::MergeError;
pub use error::{Result, VcsError, VcsReason};
pub use expressions::{Expressions, NoExpressions};
pub use foreign_key::KeyColumns;
pub use ignore::IgnorePatterns;
pub use merge::schema_conflict;
pub use merge::{
    MergeOptions, MergeProgress, Merged, NamedConflicts, SchemaConflict, changed_tables, has_new_dangling_rows, merge,
    merge_working, verify, without_artifacts,
};
pub use nonlocal::{Elsewhere, NonlocalTables, TableNames};
pub use objects::Objects;
pub use objects::names::Names;
pub use refs::draft::RefsDraft;
pub use refs::past::PastRefs;
pub use refs::revision::{Base, Head, NamedRoot, Revision, is_valid_branch_name, is_valid_ref_name};
pub use refs::{ListedStash, RefChange, Refs, RemoteRef};
pub use root_value::{FEATURE_VERSION, RootValue, is_system_table};
pub use schema::{
    Check, Column, ExistingKinds, Fulltext, Generated, Index, IndexDefinition, IndexField, Place, SYSTEM_TAGS_FROM,
    Schema, SchemaBuilder, Vector, encoding, new_tag, tag_kind,
};
pub use staging::stage::{DATABASE_PREFIX, Ignored, changed_names, move_tables, move_tables_with_keys, remove_tables};
pub use staging::status::{Roots, StatusKind, StatusRow, is_full_text_table, status, tables_with_artifacts};
pub use store::{CollectMode, Collection, Committed, LazyClone, Obstacle};
pub use table::artifacts::{Artifact, ArtifactCounts, ArtifactKind};
pub use table::draft::TableDraft;
pub use table::{Table, cardinality};
pub use tree::message::foreign_keys::{ForeignKey, ReferentialAction};
pub use tree::message::stash::Stash;
pub use tree::message::tag::Tag;
pub use working_set::{MergeState, RebaseState, WorkingSet, Written};
