//! Keys of secondary, spatial and vector indexes, and the vector index itself.

pub mod index_key;
pub mod nearest_first;
pub mod spatial_cell;
pub mod vector_index;
