//! Procedures that maintain databases: garbage collection, verification, statistics, dropped databases.

pub mod column_tag;
pub mod dropped_databases;
pub mod fsck;
pub mod gc;
pub mod new_database;
pub mod statistics;
