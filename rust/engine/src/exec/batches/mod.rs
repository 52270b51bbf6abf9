//! Batches as operators handle them: concatenation, limits of their size, rows as hash keys.

pub mod byte_limit;
pub mod concat;
pub mod key_set;
pub mod row_keys;
pub mod row_ranges;
