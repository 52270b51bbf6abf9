//! Covering indexes: whether an index has all columns that are read.

use crate::plan::Scan;

/// Whether rows have a key, which the entries of an index hold, too.
pub fn has_key(scan: &Scan) -> bool {
    scan.relation.columns().iter().any(|column| column.primary)
}

/// Whether an index, with the key of the rows, has all columns that are read.
pub fn is_covering(scan: &Scan, number: usize) -> bool {
    if !has_key(scan) {
        return false;
    }
    let indexes = scan.relation.indexes();
    let has = |position: usize| indexes[number].columns.contains(&position) || indexes[0].columns.contains(&position);
    scan.columns.iter().all(|(_, position)| has(*position))
}
