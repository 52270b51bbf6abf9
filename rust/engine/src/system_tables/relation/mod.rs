//! Computed relations: rows produced when a statement reads them, their arguments, rows under another schema.

pub mod arguments;
pub mod at;
pub mod computed;
pub mod overridden_schema;
pub mod row_reader;
