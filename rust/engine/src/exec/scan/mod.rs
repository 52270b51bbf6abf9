//! Leaf operators: rows of tables, system tables, table functions and lists of values.

pub mod json_table;
pub mod point_read;
pub mod relation_scan;
pub mod table_function;
pub(crate) mod table_scan;
pub mod values;
