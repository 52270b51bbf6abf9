//! Statements that a session read before: the same text again keeps its statement and its plan.

use std::rc::Rc;

use hashbrown::HashMap;
use parse::ast::StatementKind;

use crate::prepared::Prepared;

const STATEMENTS_MAX: usize = 64;

/// Longer texts hardly come twice.
const TEXT_BYTES_MAX: usize = 4096;

/// Queries, and changes of rows that take parameters: others hardly come twice. Reading and binding follow variables such as
/// `sql_mode`: a SET of any makes all of them new.
#[derive(Default)]
pub struct KnownStatements {
    by_text: HashMap<Rc<str>, Rc<Prepared>>,
    /// How often a variable had been set when they were read.
    variables_set: u64,
}

impl KnownStatements {
    pub fn get(&mut self, sql: &str, variables_set: u64) -> Option<Rc<Prepared>> {
        if self.variables_set != variables_set {
            self.by_text.clear();
            self.variables_set = variables_set;
        }
        self.by_text.get(sql).cloned()
    }

    /// Takes in what [`KnownStatements::get`] did not find.
    pub fn put(&mut self, prepared: &Rc<Prepared>) {
        let comes_again = match prepared.statement.kind {
            StatementKind::Query(_) => true,
            StatementKind::Insert(_) | StatementKind::Update(_) | StatementKind::Delete(_) => prepared.parameters > 0,
            _ => false,
        };
        if !comes_again || prepared.sql.len() > TEXT_BYTES_MAX {
            return;
        }
        if self.by_text.len() >= STATEMENTS_MAX {
            self.by_text.clear();
        }
        self.by_text.insert(prepared.sql.clone(), prepared.clone());
    }
}
