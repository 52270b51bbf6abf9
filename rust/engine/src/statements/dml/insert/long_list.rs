//! Long lists of rows of INSERT, bound and computed in several calls before the first row is added.

use std::rc::Rc;

use parse::ast::{self, InsertSource, StatementKind};

use super::binding::bound_rows;
use super::subqueries::{computed, constants, has_subquery};
use crate::bind::{Assigned, Binder};
use crate::error::Result;
use crate::expr::Context;
use crate::names::SessionNames;
use crate::prepared::Prepared;
use crate::state::WRITE_WORK;
use crate::write::RowRules;

/// Rows between two questions whether the call is over.
const SLICE_ROWS: usize = 64;

/// See the module.
pub struct LongList {
    sql: Rc<str>,
    statement: Rc<ast::Statement>,
    bound: Vec<Vec<Assigned>>,
    computed: Vec<Vec<Assigned>>,
}

impl LongList {
    /// The rows of a statement that is read in turns. `None` of one that has none, or whose text has them.
    pub fn of(prepared: &Prepared) -> Option<LongList> {
        let (sql, statement) = (prepared.sql.clone(), prepared.statement.clone());
        let list = LongList { sql, statement, bound: Vec::new(), computed: Vec::new() };
        let has_own = prepared.literals.is_none() && prepared.rows_text.is_none();
        (prepared.is_large() && has_own && !list.rows().is_empty()).then_some(list)
    }

    fn rows(&self) -> &[ast::ValuesRow] {
        match &self.statement.kind {
            StatementKind::Insert(insert) => match &insert.source {
                InsertSource::Values(rows) => rows,
                _ => &[],
            },
            _ => &[],
        }
    }

    /// Goes on until the call is over; gives the rows once all are computed.
    pub fn next(
        &mut self,
        columns: &[usize],
        rules: &RowRules,
        context: &Rc<Context>,
    ) -> Result<Option<Rc<[Vec<Assigned>]>>> {
        let names = SessionNames::new(context.catalog.clone(), context.clone());
        let parameters = context.parameter_types();
        let slice = |from: usize, rows: usize| from..rows.min(from + SLICE_ROWS);
        let count = self.rows().len();
        while self.computed.len() < count {
            if context.is_out_of_fuel() {
                return Ok(None);
            }
            context.work(SLICE_ROWS * WRITE_WORK)?;
            if self.bound.len() < count {
                let rows = &self.rows()[slice(self.bound.len(), count)];
                let values: Vec<&[ast::Expr]> = rows.iter().map(|row| &row.values[..]).collect();
                let mut binder = Binder::new(&names, self.sql.clone(), &parameters);
                let bound = bound_rows(&values, columns, rules, &mut binder)?;
                self.bound.extend(match bound.iter().flatten().any(has_subquery) {
                    true => computed(bound, binder.into_types(), context)?,
                    false => bound,
                });
            } else {
                // What fails to be computed does so before a row takes a number.
                let rows = &mut self.bound[slice(self.computed.len(), count)];
                let constants = constants(rows, context)?;
                self.computed.extend(constants.unwrap_or_else(|| rows.iter_mut().map(std::mem::take).collect()));
            }
        }
        Ok(Some(std::mem::take(&mut self.computed).into()))
    }
}
