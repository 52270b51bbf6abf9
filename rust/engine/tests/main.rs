//! One binary: each test binary has the whole engine in it, and sixty of them take gigabytes and a minute to link.
//! A file is still a behaviour, and its name the sentence: `cargo test -p engine plans_outlive_changes`.

mod catalog;
mod changes;
mod common;
mod connections;
mod costs;
mod dialect;
mod limits;
mod queries;
mod transactions;
mod version_control;
