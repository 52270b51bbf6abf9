//! Writes: changes of the rows of stored tables, and the constraints that they keep.
//!
//! A statement collects its edits in [`TableEditor`]s, which look like tables that have them already. At its end they become
//! trees, the trees a root value, and that the transaction's.

pub mod auto_increment;
pub mod branch_lists;
mod cascades;
pub mod definitions;
mod expressions;
mod foreign_keys;
pub mod full_text;
mod index_editor;
pub mod key_indexes;
mod memtable;
pub mod redo;
mod resolve_keys;
mod row;
mod rules;
mod table_editor;
pub mod tags;
mod writer;

pub use expressions::{SchemaExpressions, merge_progress};
pub use foreign_keys::{Reference, has_effect, is_restricting};
pub use index_editor::IndexEditor;
pub use memtable::{Entry, MergePoint, Since};
pub use resolve_keys::RowChange;
pub use row::{Row, RowCodec};
pub(crate) use rules::KnownRules;
pub use rules::{RowRules, ViewCheck, differs_in_letters, eval_over, null_error};
pub use table_editor::{DISTANCES_LIKE_A_ROW, EDIT_BYTES_MAX, TableEditor};
pub(crate) use writer::{SharedWriter, Stored, Writer, Written, base_of, shared};
