//! Join planning: order, method, lookups in indexes, semi-joins.

pub mod hash_indexed_scan;
pub mod join_method;
pub mod join_order;
pub mod lookup_join;
pub mod semi_joins;
