//! Generators of random scripts, one a subject.

pub mod bounded_memory;
pub mod cases;
pub mod changes;
pub mod definitions;
pub mod documents;
pub mod faults;
pub mod keys;
pub mod kinds;
pub mod large;
pub mod mutations;
pub mod objects;
pub mod patches;
pub mod programs;
pub mod queries;
pub mod schema_merges;
pub mod time_travel;
pub mod transactions;
pub mod two_branches;
pub mod values;
pub mod versions;
pub mod workflows;
