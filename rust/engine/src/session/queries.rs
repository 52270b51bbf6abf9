//! Queries of a session: their plans, kept or new, and the cursors over them.

use std::rc::Rc;

use parse::ast;

use super::Session;
use crate::bind::{Binder, Bound};
use crate::catalog::View;
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::exec::PointAnswer;
use crate::expr::{Context, ExprType};
use crate::names::SessionNames;
use crate::optimizer;
use crate::page::ResultColumn;
use crate::plan::Plan;
use crate::prepared::{Prepared, QueryPlan};

impl Session {
    #[inline(never)]
    pub(super) fn start_query(&self, prepared: &Prepared, query: &ast::Query, context: Rc<Context>) -> Result<Cursor> {
        let plan = match self.known_plan(prepared, &context)? {
            Some(plan) => plan,
            None => self.new_plan(prepared, query, &context)?,
        };
        let into = match &query.into {
            Some(ast::Into::Variables(targets)) => {
                for target in targets {
                    // Stored programs keep theirs to themselves.
                    if let ast::IntoTarget::Local(name) = target {
                        return Err(SqlError::general(format!("Undeclared variable: {}", name.text)).at(name.span));
                    }
                }
                Some(targets.clone())
            }
            _ => None,
        };
        self.start_plan(&plan, context, into)
    }

    pub(super) fn start_plan(
        &self,
        plan: &QueryPlan,
        context: Rc<Context>,
        into: Option<Vec<ast::IntoTarget>>,
    ) -> Result<Cursor> {
        if let (Some(point), None) = (plan.point(), &into) {
            match point.read(&context)? {
                PointAnswer::Row(row) => return Ok(Cursor::of_batch(plan.columns.clone(), Some(row), context)),
                PointAnswer::NoRow => return Ok(Cursor::of_batch(plan.columns.clone(), None, context)),
                PointAnswer::Other => {}
            }
        }
        Cursor::of_query(plan.columns.clone(), plan.operators()?.build(&context)?, context, into)
    }

    /// The cached plan, over the current tables, if it is still valid.
    pub(super) fn known_plan(&self, prepared: &Prepared, context: &Context) -> Result<Option<Rc<QueryPlan>>> {
        if self.state().variables.borrow().select_limit().is_some() {
            return Ok(None);
        }
        let Some(plan) = prepared.query_plan(self.state().rules.get()).filter(|plan| plan.serves(context)) else {
            return Ok(None);
        };
        if self.catalog.is_at(&plan.version) {
            return Ok(Some(plan));
        }
        let Some(moved) = plan.moved(&self.catalog)? else { return Ok(None) };
        let moved = Rc::new(moved);
        prepared.keep_query_plan(moved.clone());
        Ok(Some(moved))
    }

    /// A new plan, which is kept where it may serve again.
    fn new_plan(&self, prepared: &Prepared, query: &ast::Query, context: &Rc<Context>) -> Result<Rc<QueryPlan>> {
        let parameters = context.parameter_types();
        let version = self.catalog.version();
        let names = SessionNames::new(self.catalog.clone(), context.clone());
        let mut bound = Binder::new(&names, prepared.sql.clone(), &parameters).query(query)?;
        let limit = if query.limit.is_none() { self.state().variables.borrow().select_limit() } else { None };
        if let Some(rows) = limit {
            bound.plan = bound.plan.limit(rows);
        }
        let in_turns = prepared.is_large();
        let mut plan = QueryPlan::new(bound, parameters, version, in_turns, context)?;
        plan.is_of_state |= names.is_of_state();
        let plan = Rc::new(plan);
        // A plan that contains values of variables, or depends on the values of its parameters, is used once.
        if !in_turns && !names.is_volatile() && limit.is_none() && !context.plans_for_values.get() {
            prepared.keep_query_plan(plan.clone());
        }
        Ok(plan)
    }

    /// The columns of a view.
    pub(crate) fn view_columns(&self, view: &View, context: &Rc<Context>) -> Result<Vec<ResultColumn>> {
        let names = SessionNames::new(self.catalog.clone(), context.clone());
        let mut columns = Binder::of_view(&names, view)?.columns;
        for (column, name) in columns.iter_mut().zip(&view.columns) {
            column.name = (**name).into();
        }
        Ok(columns)
    }

    /// The optimized plan of a query and the types of its columns, for EXPLAIN.
    pub(crate) fn explain(
        &self,
        sql: &str,
        query: &ast::Query,
        context: &Rc<Context>,
    ) -> Result<(Plan, Vec<ExprType>)> {
        let parameters = context.parameter_types();
        let names = SessionNames::new(self.catalog.clone(), context.clone());
        let Bound { plan, mut types, .. } = Binder::new(&names, sql, &parameters).query(query)?;
        Ok((optimizer::optimize(plan, &mut types, context)?, types))
    }
}
