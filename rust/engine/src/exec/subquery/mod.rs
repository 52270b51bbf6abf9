//! Subqueries and common table expressions: Apply, memoized results, materialized and recursive CTEs, stages.

pub mod apply;
pub mod materialized_cte;
pub mod memo;
pub mod recursive_cte;
pub mod stages;
