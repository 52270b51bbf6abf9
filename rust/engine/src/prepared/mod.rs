//! Prepared statements: parsed statements with the plans of their last executions.

mod query_plan;
mod rows_text;

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use parse::ast::{self, StatementKind};
use parse::{LiteralRows, Options};

pub use query_plan::QueryPlan;
pub use rows_text::{DateOrder, DecimalMark, RowsDone, RowsText, WrittenForms};

use crate::state::Rules;

/// A statement that was read, with the plan of its last execution.
pub struct Prepared {
    pub sql: Rc<str>,
    pub statement: Rc<ast::Statement>,
    /// How many `?` there are.
    pub parameters: u32,
    /// Where the rows of an INSERT lie that are nothing but literals, and how they are read: `statement` has the first alone.
    pub literals: Option<(LiteralRows, Options)>,
    /// What an INSERT takes its parameters from, row by row.
    pub rows_text: Option<Rc<RowsText>>,
    query_plan: RefCell<Option<Rc<QueryPlan>>>,
    write_plan: Rc<RefCell<Option<Rc<dyn WritePlan>>>>,
}

/// What is kept of a statement that changes rows.
pub trait WritePlan: Any {
    /// Whether the statement changes rows without looking at others.
    fn changes_single_rows(&self) -> bool;

    /// Whether it changes so few that it does so in one step, if it has so many rows of literals.
    fn is_one_step(&self, _literal_rows: usize) -> bool {
        self.changes_single_rows()
    }
}

/// Longer texts of rows take more than a step; longer statements are read and planned in turns.
pub const LARGE_TEXT_BYTES: usize = 1 << 20;

impl Prepared {
    pub fn new(sql: impl Into<Rc<str>>, statement: impl Into<Rc<ast::Statement>>, parameters: u32) -> Prepared {
        let (literals, rows_text, query_plan, write_plan) = Default::default();
        let (sql, statement) = (sql.into(), statement.into());
        Prepared { sql, statement, parameters, literals, rows_text, query_plan, write_plan }
    }

    /// An INSERT of literals that differs from this one in its rows alone, as wide as these: both have the same plan.
    pub fn with_rows(&self, sql: &str, literals: LiteralRows, options: Options) -> Prepared {
        let (statement, write_plan) = (self.statement.clone(), self.write_plan.clone());
        let (parameters, rows_text, query_plan) = Default::default();
        let literals = Some((literals, options));
        Prepared { sql: sql.into(), statement, parameters, literals, rows_text, query_plan, write_plan }
    }

    /// The same INSERT for each row of a text: both have the same plan.
    pub fn with_text(&self, text: Rc<RowsText>) -> Prepared {
        let (sql, statement, write_plan) = (self.sql.clone(), self.statement.clone(), self.write_plan.clone());
        let (literals, query_plan) = Default::default();
        let parameters = self.parameters;
        Prepared { sql, statement, parameters, literals, rows_text: Some(text), query_plan, write_plan }
    }

    /// A statement of a stored program; `sql` is the text of the whole definition.
    pub fn embedded(sql: Rc<str>, statement: impl Into<Rc<ast::Statement>>) -> Prepared {
        Prepared::new(sql, statement, 0)
    }

    /// The plan of its last execution as a query, if it was made by these rules.
    pub fn query_plan(&self, rules: Rules) -> Option<Rc<QueryPlan>> {
        self.query_plan.borrow().clone().filter(|plan| plan.rules == rules)
    }

    pub fn keep_query_plan(&self, plan: Rc<QueryPlan>) {
        *self.query_plan.borrow_mut() = Some(plan);
    }

    /// What the last execution kept as a plan of this kind.
    pub fn write_plan<P: WritePlan>(&self) -> Option<Rc<P>> {
        let plan: Rc<dyn Any> = self.write_plan.borrow().clone()?;
        plan.downcast().ok()
    }

    pub fn keep_write_plan(&self, plan: Rc<dyn WritePlan>) {
        *self.write_plan.borrow_mut() = Some(plan);
    }

    /// Whether it ran before as one that changes rows without looking at others. If it does not do so again it publishes the
    /// changes of the statements before by itself.
    pub fn changes_single_rows(&self) -> bool {
        self.write_plan.borrow().as_ref().is_some_and(|plan| plan.changes_single_rows())
    }

    /// Whether it ran before as one that changes a few rows in one step, without looking at others.
    pub fn is_small_change(&self) -> bool {
        if self.rows_text.is_some() || self.sql.len() > LARGE_TEXT_BYTES {
            return false;
        }
        let literal_rows = self.literals.as_ref().map_or(0, |(rows, _)| rows.count as usize);
        self.write_plan.borrow().as_ref().is_some_and(|plan| plan.is_one_step(literal_rows))
    }

    /// Whether it is planned in turns, and not kept with its plan.
    pub fn is_large(&self) -> bool {
        self.sql.len() >= LARGE_TEXT_BYTES
    }

    /// Whether it is a SELECT … INTO.
    pub fn gives_variables(&self) -> bool {
        matches!(&self.statement.kind, StatementKind::Query(query) if query.into.is_some())
    }

    /// Whether it is about tables and other objects, and not about rows: then the whole transaction is committed at its end.
    pub fn defines(&self) -> bool {
        use StatementKind as Kind;
        match &self.statement.kind {
            Kind::CreateTable(create) if create.temporary => return false,
            Kind::DropTable(drop) if drop.temporary => return false,
            _ => {}
        }
        matches!(
            self.statement.kind,
            Kind::Truncate(_)
                | Kind::CreateDatabase(_)
                | Kind::AlterDatabase(_)
                | Kind::DropDatabase { .. }
                | Kind::CreateTable(_)
                | Kind::AlterTable(_)
                | Kind::DropTable(_)
                | Kind::RenameTable(_)
                | Kind::CreateIndex(_)
                | Kind::DropIndex { .. }
                | Kind::CreateView(_)
                | Kind::AlterView(_)
                | Kind::DropView(_)
                | Kind::CreateTrigger(_)
                | Kind::DropTrigger(_)
                | Kind::CreateProcedure(_)
                | Kind::DropProcedure(_)
                | Kind::CreateEvent(_)
                | Kind::AlterEvent(_)
                | Kind::DropEvent(_)
        )
    }

    /// What ROW_COUNT() tells after a statement that is not about rows.
    pub fn row_count(&self) -> Option<i8> {
        use StatementKind as Kind;
        match &self.statement.kind {
            Kind::CreateTable(create) if create.query.is_some() => Some(-1),
            Kind::Show(_) | Kind::Describe(_) | Kind::CreateDatabase(_) | Kind::DropDatabase { .. } => Some(0),
            Kind::Use(_)
            | Kind::Set(_)
            | Kind::Start(_)
            | Kind::Commit(_)
            | Kind::Rollback(_)
            | Kind::Savepoint(_)
            | Kind::RollbackTo(_)
            | Kind::ReleaseSavepoint(_)
            | Kind::Prepare(_)
            | Kind::Deallocate(_)
            | Kind::LockTables(_)
            | Kind::UnlockTables
            | Kind::Flush
            | Kind::Call(_)
            | Kind::Do(_)
            | Kind::Kill(_) => Some(-1),
            _ => None,
        }
    }
}
