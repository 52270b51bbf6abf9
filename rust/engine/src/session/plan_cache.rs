//! Plan cache of a session: the same text again keeps its parsed statement and its plan.

use std::rc::Rc;

use hashbrown::HashMap;
use parse::ast::StatementKind;

use crate::prepared::Prepared;

const STATEMENTS_MAX: usize = 64;

/// Longer texts hardly come twice. An INSERT of a thousand rows of parameters is half as long.
const TEXT_BYTES_MAX: usize = 32 << 10;

/// What stands before the rows of an INSERT is shorter.
const HEAD_BYTES_MAX: usize = 4096;

/// Of all together: what was read of a text takes many times its length.
const ALL_TEXT_BYTES_MAX: usize = 256 << 10;

/// Queries, and changes of rows that take parameters: others hardly come twice. Reading and binding follow variables such as
/// `sql_mode`: a SET of any makes all of them new.
#[derive(Default)]
pub struct PlanCache {
    by_text: HashMap<Rc<str>, Rc<Prepared>>,
    text_bytes: usize,
    /// INSERTs of literals by all that stands before their rows, which have so many values: each with one row.
    by_head: HashMap<Box<str>, (u32, Rc<Prepared>)>,
    /// How often a variable had been set when they were read.
    variables_set: u64,
}

impl PlanCache {
    pub fn get(&mut self, sql: &str, variables_set: u64) -> Option<Rc<Prepared>> {
        if self.variables_set != variables_set {
            self.forget();
            self.variables_set = variables_set;
        }
        if sql.len() > TEXT_BYTES_MAX { None } else { self.by_text.get(sql).cloned() }
    }

    /// The INSERT with this head, where its row is as wide.
    pub fn insert(&self, head: &str, width: u32) -> Option<Rc<Prepared>> {
        self.by_head.get(head).filter(|(known, _)| *known == width).map(|(_, prepared)| prepared.clone())
    }

    pub fn put_insert(&mut self, head: &str, width: u32, prepared: &Rc<Prepared>) {
        if head.len() > HEAD_BYTES_MAX {
            return;
        }
        if self.by_head.len() >= STATEMENTS_MAX {
            self.by_head.clear();
        }
        self.by_head.insert(head.into(), (width, prepared.clone()));
    }

    /// Takes in what [`PlanCache::get`] did not find.
    pub fn put(&mut self, prepared: &Rc<Prepared>) {
        let comes_again = match prepared.statement.kind {
            StatementKind::Query(_) => true,
            StatementKind::Insert(_) | StatementKind::Update(_) | StatementKind::Delete(_) => prepared.parameters > 0,
            _ => false,
        };
        if !comes_again || prepared.sql.len() > TEXT_BYTES_MAX {
            return;
        }
        if self.by_text.len() >= STATEMENTS_MAX || self.text_bytes + prepared.sql.len() > ALL_TEXT_BYTES_MAX {
            self.forget_texts();
        }
        self.text_bytes += prepared.sql.len();
        self.by_text.insert(prepared.sql.clone(), prepared.clone());
    }

    pub fn forget(&mut self) {
        self.forget_texts();
        self.by_head.clear();
    }

    fn forget_texts(&mut self) {
        self.by_text.clear();
        self.text_bytes = 0;
    }
}
