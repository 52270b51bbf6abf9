//! Subquery planning: extraction from expressions, memoization, decorrelation, materialized CTEs.

pub mod decorrelation;
pub mod extraction;
pub mod materialized_cte;
pub mod memoization;
