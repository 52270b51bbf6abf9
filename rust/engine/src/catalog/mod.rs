//! Catalog: resolves names of databases, tables, views, system tables and table functions.

mod base_table;
mod branches;
pub mod column_notes;
mod computed_tables;
pub mod create_table;
mod first_commit;
pub mod fragments;
mod index_columns;
mod nonlocal;
pub mod objects;
mod overridden;
mod place;
mod relation;
mod resolve;
mod stored_expression;
mod temporary;
mod updatable;
mod verification;
mod version;

pub(crate) use base_table::column_of;
pub use base_table::{BaseTable, Tree};
pub use computed_tables::ComputedTables;
pub use first_commit::{write_first_commit, write_first_refs};
pub use index_columns::index_columns;
pub use nonlocal::{Elsewhere, Listed};
pub use place::Place;
pub use relation::{
    Column, Found, Index, IndexChoice, KeyRange, Nearest, Pushed, Relation, RowIterator, ToldIndex, View,
};
pub use resolve::{Catalog, ReadStatement};
pub use stored_expression::{BindStored, StoredExpr};
pub use updatable::{Updatable, ViewCondition};
pub use version::CatalogVersion;
