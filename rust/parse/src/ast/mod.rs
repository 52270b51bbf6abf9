//! The syntax tree. It owns its names and never borrows from the text; the text of a node is `&sql[node.span.range()]`.
//!
//! Names keep their case and are already unquoted. Nothing is resolved here: `CALL`ed functions may not exist, columns
//! may be aliases. Trees are never higher than [`crate::HEIGHT_MAX`], so walking one recursively is safe.

mod admin;
mod ddl;
mod dml;
mod expr;
mod name;
mod query;
mod routine;
mod statement;
mod table;

pub use admin::*;
pub use ddl::*;
pub use dml::*;
pub use expr::*;
pub use name::*;
pub use query::*;
pub use routine::*;
pub use statement::*;
pub use table::*;
