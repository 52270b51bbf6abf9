//! What names in a statement mean: databases, tables, views, system tables, table functions.

mod base_table;
pub mod create_table;
pub mod definitions;
pub mod fragments;
mod index_columns;
pub mod objects;
mod relation;
mod resolve;
mod temporary;

pub(crate) use base_table::column_of;
pub use base_table::{BaseTable, Tree};
pub use index_columns::index_columns;
pub use relation::{Column, Index, IndexChoice, KeyRange, Pushed, Relation, RowIterator};
pub use resolve::{Catalog, Place, Stamp, count_rows};
