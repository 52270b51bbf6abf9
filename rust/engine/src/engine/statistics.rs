//! What ANALYZE TABLE has counted.

use std::cell::RefCell;
use std::rc::Rc;

use hashbrown::HashMap;
use value::{SqlType, Value};

/// The statistics of a database by branch and table, names in lower case. They lie in memory: native Dolt keeps them beside the
/// database, where no commit knows of them.
#[derive(Default)]
pub struct Statistics(RefCell<HashMap<(Box<str>, Box<str>), Rc<[IndexStatistics]>>>);

/// What is known of an index.
pub struct IndexStatistics {
    /// In lower case, as its columns.
    pub index: String,
    pub columns: Vec<String>,
    pub types: Vec<SqlType>,
    /// In the order of its keys.
    pub buckets: Vec<Bucket>,
}

/// Keys that follow each other.
pub struct Bucket {
    pub rows: u64,
    /// How many keys are not that before them.
    pub distinct: u64,
    /// Rows with a NULL in the key.
    pub nulls: u64,
    /// The last key, and how many rows have it.
    pub bound: (Vec<Value<'static>>, u64),
    /// Keys that are more than twice as frequent as others, the most frequent last.
    pub frequent: Vec<(Vec<Value<'static>>, u64)>,
}

impl Statistics {
    /// Those of a table, in the order of its indexes.
    pub fn of(&self, branch: &str, table: &str) -> Option<Rc<[IndexStatistics]>> {
        self.0.borrow().get(&names(branch, table)).cloned()
    }

    pub fn set(&self, branch: &str, table: &str, indexes: Vec<IndexStatistics>) {
        self.0.borrow_mut().insert(names(branch, table), indexes.into());
    }

    pub fn forget(&self, branch: &str, table: &str) {
        self.0.borrow_mut().remove(&names(branch, table));
    }

    pub fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}

fn names(branch: &str, table: &str) -> (Box<str>, Box<str>) {
    (branch.to_lowercase().into(), table.to_lowercase().into())
}
