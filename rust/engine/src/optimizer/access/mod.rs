//! Access paths: which index a scan reads, in which order, and what can be answered from the index alone.

pub mod count_by_tree;
pub mod covering;
pub mod exclusions;
pub mod implied_bounds;
pub mod index_choice;
pub mod index_only_scan;
pub mod index_order;
pub mod key_conditions;
pub mod loose_index_scan;
pub mod min_max;
pub mod sort_elimination;
pub mod top_n_push_down;
pub mod vector_search;
