//! Evaluation of expressions inside a program: at once where no table is read, else by a query that the machine pulls.

use std::rc::Rc;

use parse::ast;
use value::Value;

use super::{Machine, Purpose, Running};
use crate::bind::Binder;
use crate::cursor::{Cursor, ProcedureStep};
use crate::error::{Result, SqlError};
use crate::expr::{Context, Locals};
use crate::names::SessionNames;
use crate::prepared::Prepared;
use crate::program::condition::signalled;
use crate::program::{Embedded, Evaluation, Raise};
use crate::routine::trigger::check_statement;

enum Evaluated {
    Value(Value<'static>),
    Running(Box<Cursor>),
}

impl Machine {
    /// What a statement of the running program is run with.
    pub(super) fn context(&self, locals: &Rc<Locals>) -> Rc<Context> {
        let values = self.frames.last().map_or_else(Rc::default, |frame| frame.values.clone());
        let catalog = self.session.catalog().clone();
        let context = match self.trigger {
            Some(now) => Context::at(catalog, values, now),
            None => Context::new(catalog, values),
        };
        Rc::new(context.with_locals(locals.clone()))
    }

    pub(super) fn start(&self, embedded: &Embedded) -> Result<Cursor> {
        self.start_prepared(&embedded.prepared, self.context(&embedded.locals))
    }

    pub(super) fn start_prepared(&self, prepared: &Prepared, context: Rc<Context>) -> Result<Cursor> {
        if self.trigger.is_none() {
            return self.session.start_routine_statement(prepared, context);
        }
        check_statement(self.session.state(), &prepared.statement)?;
        self.session.start_in_context(prepared, context)
    }

    fn evaluate(&self, evaluation: &Evaluation) -> Result<Evaluated> {
        let context = self.context(&evaluation.locals);
        if let Some(query) = evaluation.query.get() {
            return Ok(Evaluated::Running(Box::new(self.start_prepared(query, context)?)));
        }
        let known = evaluation.bound.borrow().clone();
        if let Some(bound) = known {
            return Ok(Evaluated::Value(bound.eval_constant(&context)?));
        }
        let names = SessionNames::new(self.session.catalog().clone(), context.clone());
        let bound = Binder::new(&names, evaluation.sql.clone(), &[]).constant(&evaluation.expr)?;
        if bound.has_subquery() {
            let query = evaluation.query.get_or_init(|| selecting(&evaluation.sql, &evaluation.expr));
            return Ok(Evaluated::Running(Box::new(self.start_prepared(query, context)?)));
        }
        let bound = Rc::new(bound);
        if !names.is_volatile() {
            *evaluation.bound.borrow_mut() = Some(bound.clone());
        }
        Ok(Evaluated::Value(bound.eval_constant(&context)?))
    }

    pub(super) fn begin_value(&mut self, evaluation: &Evaluation) -> Result<Option<ProcedureStep>> {
        match self.evaluate(evaluation)? {
            Evaluated::Value(value) => self.take_value(value)?,
            Evaluated::Running(cursor) => {
                self.running = Some(Running { cursor: *cursor, purpose: Purpose::Value(None) });
            }
        }
        Ok(None)
    }

    /// A value without a stop on the way: arguments and the texts of SIGNAL.
    pub(super) fn value_now(&self, evaluation: &Evaluation) -> Result<Value<'static>> {
        match self.evaluate(evaluation)? {
            Evaluated::Value(value) => Ok(value),
            Evaluated::Running(cursor) => {
                let (_, rows, _) = cursor.collect()?;
                Ok(rows.into_iter().next().and_then(|row| row.into_iter().next()).unwrap_or(Value::Null))
            }
        }
    }

    pub(super) fn raised(&self, raise: &Raise) -> Result<SqlError> {
        let text = |(name, value): &(Box<str>, Evaluation)| {
            let value = self.value_now(value)?;
            Ok((name.clone(), value::convert::to_string(&value)?.into_owned()))
        };
        let items: Vec<(Box<str>, String)> = raise.items.iter().map(text).collect::<Result<_>>()?;
        signalled(raise.state, &items)
    }
}

/// `SELECT expression`.
fn selecting(sql: &Rc<str>, expr: &ast::Expr) -> Prepared {
    let span = expr.span;
    let select = ast::Select {
        options: ast::SelectOptions::default(),
        items: vec![ast::SelectItem::Expr { expr: expr.clone(), alias: None, span }],
        from: Vec::new(),
        filter: None,
        group_by: None,
        having: None,
        windows: Vec::new(),
        span,
    };
    let query = ast::Query {
        with: None,
        body: ast::QueryBody::Select(Rc::new(select)),
        order_by: Vec::new(),
        limit: None,
        into: None,
        locking: Vec::new(),
        span,
    };
    Prepared::embedded(sql.clone(), ast::Statement { kind: ast::StatementKind::Query(Box::new(query)), span })
}
