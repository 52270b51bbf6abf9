//! Plan node of hash-indexed scans: rows found by values of the outer row.

use std::rc::Rc;

use super::Scan;
use crate::expr::{Comparison, Expr};

/// The rows of a scan whose keys equal values of the outer row, where no index has them: it runs again for each such row, so that
/// its rows are put into a hash table after the first few times.
#[derive(Debug, Clone)]
pub struct HashIndexedScan {
    /// What all rows around have in common. Its filter reads nothing of them.
    pub scan: Scan,
    pub keys: Vec<KeyOfRow>,
    /// Under this name the table is kept.
    pub name: Rc<str>,
}

/// A column that equals a value of the outer row.
#[derive(Debug, Clone)]
pub struct KeyOfRow {
    /// The equality as it was written.
    pub condition: Expr,
    /// Reads columns of the scan alone.
    pub column: Expr,
    /// Reads the outer row alone.
    pub value: Expr,
    pub comparison: Comparison,
}
