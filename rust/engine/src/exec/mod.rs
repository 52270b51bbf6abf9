//! Execution: operators that pull column batches from each other.
//!
//! `next` returns a batch, `Yield` when the statement's fuel is used up (the caller comes back with more, after it has
//! checked for a cancel), or `Done`. An operator that pulls from another passes a `Yield` on at once and
//! keeps what it has in its own fields, so a statement can stop and go on at every pull.

mod aggregate;
mod batches;
mod build;
mod filter;
mod join;
mod measure;
mod operator;
mod physical_plan;
mod project;
pub(crate) mod scan;
mod set_operation;
pub(crate) mod sort;
mod spill;
mod subquery;
mod window;

pub use aggregate::loose_index_scan::estimate as estimate_groups;
pub use build::{lower, lower_measured};
pub use measure::{Measure, Measures};
pub use operator::{Operator, Poll, Source};
pub use physical_plan::PhysicalPlan;
pub use scan::point_read::{PointAnswer, PointKey, PointRead};
pub use scan::table_scan::parts::ascending;
pub use scan::table_scan::sample::{all_passing, count_passing};
pub use scan::table_scan::{bounds_of, count_ranges};
