//! Queries that a session read before: the same text again keeps its statement and its plan.

use std::rc::Rc;

use hashbrown::HashMap;
use parse::ast::StatementKind;

use crate::prepared::Prepared;

const QUERIES_MAX: usize = 64;

/// Longer texts hardly come twice.
const TEXT_BYTES_MAX: usize = 4096;

/// Queries by their texts. Reading and binding follow variables such as `sql_mode`: a SET of any makes all queries new.
#[derive(Default)]
pub struct KnownQueries {
    by_text: HashMap<Rc<str>, Rc<Prepared>>,
    /// How often a variable had been set when they were read.
    variables_set: u64,
}

impl KnownQueries {
    pub fn get(&mut self, sql: &str, variables_set: u64) -> Option<Rc<Prepared>> {
        if self.variables_set != variables_set {
            self.by_text.clear();
            self.variables_set = variables_set;
        }
        self.by_text.get(sql).cloned()
    }

    /// Takes in what [`KnownQueries::get`] did not find.
    pub fn put(&mut self, prepared: &Rc<Prepared>) {
        if !matches!(prepared.statement.kind, StatementKind::Query(_)) || prepared.sql.len() > TEXT_BYTES_MAX {
            return;
        }
        if self.by_text.len() >= QUERIES_MAX {
            self.by_text.clear();
        }
        self.by_text.insert(prepared.sql.clone(), prepared.clone());
    }
}
