//! What ANALYZE TABLE has counted.

use std::cell::RefCell;
use std::rc::Rc;

use value::{SqlType, Value};
use vcs::Schema;

/// The statistics of a database. They lie in memory: native Dolt keeps them beside the database, where no commit knows of them.
#[derive(Default)]
pub struct Statistics(RefCell<Vec<Rc<TableStatistics>>>);

/// What is known of a table of a branch.
pub struct TableStatistics {
    pub branch: Box<str>,
    pub table: Box<str>,
    /// In the order of the table's.
    pub indexes: Vec<IndexStatistics>,
}

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
    pub fn of(&self, branch: &str, table: &str) -> Option<Rc<TableStatistics>> {
        self.0.borrow().iter().find(|known| known.is_of(branch, table)).cloned()
    }

    pub fn set(&self, statistics: TableStatistics) {
        self.forget(&statistics.branch, &statistics.table);
        self.0.borrow_mut().push(Rc::new(statistics));
    }

    pub fn forget(&self, branch: &str, table: &str) {
        self.0.borrow_mut().retain(|known| !known.is_of(branch, table));
    }

    pub fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}

impl TableStatistics {
    fn is_of(&self, branch: &str, table: &str) -> bool {
        self.branch.eq_ignore_ascii_case(branch) && self.table.eq_ignore_ascii_case(table)
    }
}

impl IndexStatistics {
    /// An index over these columns, of which nothing is counted yet.
    pub fn of(name: &str, schema: &Schema, columns: &[usize]) -> IndexStatistics {
        let columns = columns.iter().map(|column| &schema.columns[*column]);
        IndexStatistics {
            index: name.to_lowercase(),
            columns: columns.clone().map(|column| column.name.to_lowercase()).collect(),
            types: columns.map(|column| column.sql_type.clone()).collect(),
            buckets: Vec::new(),
        }
    }
}
