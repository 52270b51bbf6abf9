//! Plan node of loose index scans: groups that are adjacent in an index.

use super::{ColumnId, Scan};

/// One row for each combination of values that entries of an index begin with, found by leaping from one to the next. The scan has
/// no conditions and one range at most; its columns, which are among those that the entries begin with, are given first.
#[derive(Debug, Clone)]
pub struct LooseIndexScan {
    pub scan: Scan,
    /// How many fields the entries of a group have in common.
    pub fields: usize,
    pub ends: Vec<(ColumnId, GroupEnd)>,
}

/// What else is known of a group without reading all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupEnd {
    /// Its number of rows.
    Count,
    /// The least value that is not NULL of the field behind those in common, which is the column at this position.
    Least(usize),
    /// The greatest one.
    Greatest(usize),
}
