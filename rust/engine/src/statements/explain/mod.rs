//! EXPLAIN: MySQL's table, and with FORMAT=TREE the plan as a tree. With ANALYZE it is run, and each operator tells what it did.

mod changes;
mod key_length;
mod lines;
mod reads;
mod table;
mod text;

use std::rc::Rc;

use parse::ast::{self, StatementKind};
use value::Value;

use super::listing::Listing;
use crate::batch::Batch;
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::exec::{self, Measures, Operator, Poll, Source};
use crate::expr::Context;
use crate::page::ResultColumn;
use crate::plan::Plan;
use crate::session::Session;
use crate::system_tables::relation::computed;
use crate::vector::VectorBuilder;
use reads::Reads;

pub fn run(session: &Session, sql: &str, explain: &ast::Explain, context: Rc<Context>) -> Result<Cursor> {
    let explained = match &explain.statement.kind {
        StatementKind::Query(query) if explain.analyze => return analyze(session, sql, query, context),
        StatementKind::Query(query) => Explained::of_query(session.explain(sql, query, &context)?.0),
        _ if explain.analyze => {
            return Err(SqlError::general("EXPLAIN ANALYZE is of queries only").at(explain.statement.span));
        }
        StatementKind::Insert(insert) => changes::insert(session, sql, insert, &context)?,
        StatementKind::Update(update) => changes::update(session, sql, update, &context)?,
        StatementKind::Delete(delete) => changes::delete(session, sql, delete, &context)?,
        _ => return Err(SqlError::unsupported("EXPLAIN of this statement").at(explain.statement.span)),
    };
    let is_tree = explain.plan || explain.format.as_ref().is_some_and(|format| !format.is("traditional"));
    let listing = if is_tree { explained.tree(session, &context) } else { explained.table(&context) };
    listing.into_cursor(session, sql, None, context)
}

/// A statement whose plan was made.
struct Explained {
    plan: Option<Plan>,
    /// What becomes of the rows, where the statement changes some.
    change: Option<Change>,
}

struct Change {
    /// INSERT, UPDATE or DELETE.
    kind: &'static str,
    table: String,
    line: String,
    /// How many rows are listed, where no plan gives them.
    listed: usize,
}

impl Explained {
    fn of_query(plan: Plan) -> Explained {
        Explained { plan: Some(plan), change: None }
    }

    fn tree(self, session: &Session, context: &Context) -> Listing {
        let reads = Reads::of(session, context);
        let lines = match (self.change, &self.plan) {
            (None, Some(plan)) => lines::of(plan, None, reads.as_ref()),
            (Some(change), Some(plan)) => lines::below(change.line, plan, reads.as_ref()),
            (Some(change), None) => vec![change.line, format!("  Values, {} rows", change.listed)],
            (None, None) => Vec::new(),
        };
        let mut listing = Listing::new(&["plan"]);
        lines.into_iter().for_each(|line| listing.push(vec![Value::text(line)]));
        listing
    }

    fn table(self, context: &Context) -> Listing {
        let change = self.change.as_ref().map(|change| (change.kind, &*change.table));
        table::of(self.plan.as_ref(), change, context)
    }
}

/// Runs a query and describes it.
fn analyze(session: &Session, sql: &str, query: &ast::Query, context: Rc<Context>) -> Result<Cursor> {
    let (plan, types) = session.explain(sql, query, &context)?;
    let plan = Rc::new(plan);
    let (physical, measures) = exec::lower_measured(&plan, &types, &session.catalog().engine)?;
    let source = physical.build(&context)?;
    let column = computed::text("plan");
    let columns = Rc::from([ResultColumn::new(&column.name, column.ty.sql)]);
    Cursor::of_query(columns, Box::new(Analyzed { plan, measures, source: Some(source) }), context, None)
}

/// Runs a plan to its end and then gives its description. Yields as the plan does.
struct Analyzed {
    plan: Rc<Plan>,
    measures: Measures,
    /// `None` when it has ended.
    source: Option<Source>,
}

impl Operator for Analyzed {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let Some(source) = &mut self.source else { return Ok(Poll::Done) };
        loop {
            match source.next(context)? {
                Poll::Batch(_) if context.is_out_of_fuel() => return Ok(Poll::Yield),
                Poll::Batch(_) => {}
                Poll::Yield => return Ok(Poll::Yield),
                Poll::Done => break,
            }
        }
        self.source = None;
        let lines = lines::of(&self.plan, Some(&self.measures), None);
        let mut column = VectorBuilder::with_capacity(lines.len());
        let rows = lines.len();
        lines.into_iter().for_each(|line| column.push(Value::text(line)));
        Ok(Poll::Batch(Batch::new(rows, vec![Rc::new(column.finish())])))
    }
}
