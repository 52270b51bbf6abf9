//! Cost model: cardinality estimates, costs of index access and of join orders.

pub mod cardinality;
pub mod index_cost;
pub mod join_cost;
