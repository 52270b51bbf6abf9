//! Statistics collected by ANALYZE TABLE, `dolt_stats_once` and `dolt_stats_wait`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use codec::Address;
use value::{DateTime, SqlType, Value};
use vcs::Schema;

/// The statistics of a database. They lie in memory: native Dolt keeps them beside the database, where no commit knows of them.
#[derive(Default)]
pub struct Statistics(RefCell<Vec<Rc<TableStatistics>>>);

/// How the statistics of all databases are gathered.
#[derive(Default)]
pub struct Gathering {
    /// `dolt_stats_wait` has nothing to wait for.
    pub is_stopped: Cell<bool>,
    pub last: Cell<Option<DateTime>>,
}

impl Gathering {
    /// When statistics were gathered last, as RFC 3339 has it.
    pub fn last_text(&self) -> String {
        self.last.get().map_or_else(|| "0001-01-01T00:00:00Z".to_owned(), |last| last.text(6).replace(' ', "T") + "Z")
    }
}

/// What is known of a table of a branch.
pub struct TableStatistics {
    pub branch: Box<str>,
    pub table: Box<str>,
    /// The table that was counted.
    pub address: Address,
    /// In the order of the table's.
    pub indexes: Rc<[IndexStatistics]>,
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

    pub fn all(&self) -> Vec<Rc<TableStatistics>> {
        self.0.borrow().clone()
    }

    /// Puts these in the place of all that are known.
    pub fn replace(&self, all: Vec<Rc<TableStatistics>>) {
        *self.0.borrow_mut() = all;
    }

    pub fn set(&self, statistics: TableStatistics) {
        self.forget(&statistics.branch, &statistics.table);
        self.0.borrow_mut().push(Rc::new(statistics));
    }

    pub fn forget(&self, branch: &str, table: &str) {
        self.0.borrow_mut().retain(|known| !known.is_of(branch, table));
    }
}

impl TableStatistics {
    pub fn is_of(&self, branch: &str, table: &str) -> bool {
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
