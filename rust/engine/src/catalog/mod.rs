//! What names in a statement mean: databases, tables, views, system tables, table functions.

mod relation;

pub use relation::{Column, Index, IndexChoice, KeyRange, Relation, RowIterator, Pushed};
