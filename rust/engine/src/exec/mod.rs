//! Running plans: operators that pull column batches from each other.
//!
//! `next` returns a batch, `Yield` when the statement's fuel is used up (the caller comes back with more, after it has
//! looked whether somebody cancelled), or `Done`. An operator that pulls from another passes a `Yield` on at once and
//! keeps what it has in its own fields, so a statement can stop and go on at every pull.

mod aggregate;
mod aggregate_in_order;
mod apply;
mod build;
mod byte_limit;
mod concat;
mod distinct;
mod filter;
mod hash_table;
mod index_groups;
mod join;
mod json_table;
mod kept_table;
mod key_filter;
mod key_set;
mod keyed_scan;
mod keys;
mod lateral;
pub(crate) mod limit;
mod lookup_join;
mod measure;
mod merge;
mod operator;
mod order;
mod point;
mod project;
mod recursive;
mod relation_scan;
mod remembered;
mod row_ranges;
mod row_sort;
mod seen;
mod set_operation;
mod shared;
mod sort;
mod spill;
mod staged;
mod table_function;
pub(crate) mod table_scan;
mod template;
mod values;
mod window;

pub use build::{lower, lower_measured};
pub use index_groups::estimate as estimate_groups;
pub use measure::{Measure, Measures};
pub use operator::{Operator, Poll, Source};
pub use point::{PointAnswer, PointKey, PointRead};
pub use table_scan::parts::ascending;
pub use table_scan::sample::{all_passing, count_passing};
pub use table_scan::{bounds_of, count_ranges};
pub use template::Template;
