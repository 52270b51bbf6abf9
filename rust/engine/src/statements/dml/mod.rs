//! Statements that change rows: INSERT, REPLACE, UPDATE, DELETE, TRUNCATE, LOAD DATA.

pub mod insert;
mod lines;
pub mod load_data;
mod placed;
mod returning;
mod system_rows;
pub mod truncate;
pub mod update;
