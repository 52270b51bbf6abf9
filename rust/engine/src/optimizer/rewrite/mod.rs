//! Rewrites of expressions and plans that need no statistics: constant folding, predicate push-down, projection pruning.

pub mod common_conjuncts;
pub mod constant_folding;
pub mod contradictions;
pub mod equivalence;
pub mod predicate_push_down;
pub mod projection_merging;
pub mod projection_pruning;
pub mod value_parts;
