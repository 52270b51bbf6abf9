//! What a database is at a commit: names, commits, roots, tables, schemas (docs/format/database.md).
//!
//! [`Database`] gives [`Refs`], the names at one moment; they lead to commits, [`RootValue`]s and [`Table`]s. Nothing is
//! read before it is asked for, and what an address stands for never changes, so all of it can be kept and shared.
#![forbid(unsafe_code)]

mod ancestors;
mod artifacts;
mod collection;
mod column_map;
mod commit;
mod database;
mod deltas;
mod diff_stat;
mod error;
mod expressions;
mod foreign_key;
mod history;
mod ignore;
mod log;
mod merge;
mod names;
mod nonlocal;
mod objects;
mod past;
mod prefetch;
mod recent;
mod refs;
mod refs_draft;
pub mod remote;
mod repo_state;
mod revision;
mod root_value;
mod rough_diff;
mod row_diff;
mod schema;
mod stage;
mod status;
mod table;
mod table_draft;
mod verification;
mod walk;
mod working_set;

pub use artifacts::{Artifact, ArtifactCounts, ArtifactKind};
pub use column_map::{ColumnMap, Comparable, Source, comparable};
pub use commit::{Commit, CommitMeta, Identity};
pub use database::Database;
pub use deltas::{DeltaKind, NamedTable, RootDelta, TableDelta};
pub use diff_stat::{KeyedStat, StatWalk, TableStat};
pub use error::{Result, VcsError, VcsReason};
pub use expressions::{Expressions, NoExpressions};
pub use foreign_key::KeyColumns;
pub use history::{DiffHistory, TableHistory, Version, VersionPair};
pub use ignore::IgnorePatterns;
pub use log::Log;
pub use merge::{
    MergeError, MergeOptions, MergeProgress, Merged, NamedConflicts, SchemaConflict, changed_tables,
    has_new_dangling_rows, merge, merge_working, schema_conflict, verify, without_artifacts,
};
pub use names::Names;
pub use nonlocal::{Elsewhere, NonlocalTables, TableNames};
pub use objects::Objects;
pub use past::PastRefs;
pub use prefetch::Prefetch;
pub use refs::{ListedStash, RefChange, Refs, RemoteRef};
pub use refs_draft::RefsDraft;
pub use repo_state::{DEFAULT_BRANCH, REPO_STATE_PATH, Remote, RepoState, Upstream};
pub use revision::{Base, Head, NamedRoot, Revision, is_valid_branch_name, is_valid_ref_name};
pub use root_value::{FEATURE_VERSION, RootValue, is_system_table};
pub use row_diff::{ChangeKind, RowChange, RowDiff};
pub use schema::{
    Check, Column, ExistingKinds, Fulltext, Generated, Index, IndexDefinition, IndexField, Place, SYSTEM_TAGS_FROM,
    Schema, SchemaBuilder, Vector, encoding, new_tag, tag_kind,
};
pub use stage::{DATABASE_PREFIX, Ignored, changed_names, move_tables, move_tables_with_keys, remove_tables};
pub use status::{Roots, StatusKind, StatusRow, is_full_text_table, status, tables_with_artifacts};
pub use store::{CollectMode, Collection, Committed, LazyClone, Obstacle};
pub use table::{Table, cardinality};
pub use table_draft::TableDraft;
pub use tree::message::foreign_keys::{ForeignKey, ReferentialAction};
pub use tree::message::stash::Stash;
pub use tree::message::tag::Tag;
pub use verification::{Counts, Flaw, Owner, Problem, Verification};
pub use walk::Walk;
pub use working_set::{MergeState, RebaseState, WorkingSet, Written};
