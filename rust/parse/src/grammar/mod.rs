//! Grammar: recursive-descent rules for every kind of statement, clause and expression.

pub mod admin;
pub mod alter;
pub mod ddl;
pub mod dml;
pub mod expr;
pub mod from;
pub mod function;
pub mod name;
pub mod primary;
pub mod query;
pub mod routine;
pub mod show;
pub mod statement;
pub mod table_option;
pub mod types;
