//! Merges of rows: two changes of one row, of one JSON document, the edits that follow.

pub mod cells;
pub mod index_draft;
pub mod index_keys;
pub mod json;
pub mod map_edits;
pub mod merge_rows;
pub mod row;
pub mod row_map;
