//! UPDATE and DELETE: the tables that they change, and how they run.

mod plan;
mod run;

use std::rc::Rc;

use parse::ast;

use self::plan::ChangePlan;
use super::{system_rows, truncate};
use crate::bind::{Binder, BoundRows, RowsSyntax};
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::names::SessionNames;
use crate::plan::Plan;
use crate::prepared::Prepared;
use crate::session::Session;
use crate::statements::ddl::user_space;
use crate::write::definitions;

/// What a statement is before it is bound.
#[derive(Clone, Copy)]
struct Form {
    is_update: bool,
    ignore: bool,
    is_joined: bool,
    /// A DELETE of all rows of one table.
    takes_all: bool,
}

pub fn update(session: &Session, prepared: &Prepared, update: &ast::Update, context: Rc<Context>) -> Result<Cursor> {
    refuse_returning(&update.returning)?;
    make_target(session, &update.tables)?;
    let is_joined = is_join(&update.tables);
    let form = Form { is_update: true, ignore: update.ignore, is_joined, takes_all: false };
    change(session, prepared, form, context, |binder| binder.update(&updated_rows(update), &update.assignments))
}

pub fn delete(session: &Session, prepared: &Prepared, delete: &ast::Delete, context: Rc<Context>) -> Result<Cursor> {
    refuse_returning(&delete.returning)?;
    make_target(session, &delete.from)?;
    let is_joined = is_join(&delete.from);
    let takes_all = delete.filter.is_none() && delete.limit.is_none() && !is_joined;
    let form = Form { is_update: false, ignore: delete.ignore, is_joined, takes_all };
    change(session, prepared, form, context, |binder| binder.delete(&deleted_rows(delete), &delete.targets))
}

/// A table that Dolt reads and people write is made also by a statement that finds no rows in it.
fn make_target(session: &Session, tables: &[ast::TableExpr]) -> Result<()> {
    match tables {
        [ast::TableExpr { kind: ast::TableExprKind::Table(table), .. }]
            if vcs::is_system_table(&table.name.name.text) =>
        {
            user_space::make_where_meant(session.catalog(), &table.name)
        }
        _ => Ok(()),
    }
}

fn refuse_returning<T>(returning: &[T]) -> Result<()> {
    if returning.is_empty() { Ok(()) } else { Err(SqlError::unsupported("RETURNING")) }
}

/// Begins a statement by the plan of the last time, or by one that it makes of what `bind` gives.
fn change(
    session: &Session,
    prepared: &Prepared,
    form: Form,
    context: Rc<Context>,
    bind: impl FnOnce(Binder<'_>) -> Result<BoundRows>,
) -> Result<Cursor> {
    if let Some(cursor) = ChangePlan::again(session, prepared, &context)? {
        return Ok(cursor);
    }
    let parameters = context.parameter_types();
    let names = SessionNames::new(session.catalog().clone(), context.clone());
    let version = session.catalog().version();
    let bound = bind(Binder::new(&names, prepared.sql.clone(), &parameters))?;
    if is_system(&bound) {
        return system_rows::begin(session, bound, form.is_update, &context);
    }
    if form.takes_all
        && !is_filtered(&bound.plan)
        && let Some(cursor) = truncate::instead_of_delete(&bound.targets[0], &context)?
    {
        return Ok(cursor);
    }
    let plan = ChangePlan::new(bound, form, (parameters, version), prepared.is_large(), &context)?;
    if form.takes_all {
        // The next time a TRUNCATE may do.
        return plan.begin(session, context);
    }
    plan.run(session, prepared, &names, context)
}

/// Whether a view that was named leaves rows of its table out.
fn is_filtered(plan: &Plan) -> bool {
    let mut found = matches!(plan, Plan::Filter(..));
    plan.inputs(&mut |input| found |= is_filtered(input));
    found
}

/// The rows that an UPDATE finds.
pub fn updated_rows(update: &ast::Update) -> RowsSyntax<'_> {
    RowsSyntax {
        with: update.with.as_ref(),
        tables: &update.tables,
        filter: update.filter.as_ref(),
        order_by: &update.order_by,
        limit: update.limit.as_ref(),
    }
}

/// The rows that a DELETE finds.
pub fn deleted_rows(delete: &ast::Delete) -> RowsSyntax<'_> {
    RowsSyntax {
        with: delete.with.as_ref(),
        tables: &delete.from,
        filter: delete.filter.as_ref(),
        order_by: &delete.order_by,
        limit: delete.limit.as_ref(),
    }
}

/// Whether the rows are of a table that is not stored, or that other statements write.
fn is_system(bound: &BoundRows) -> bool {
    let mut relations = bound.targets.iter().map(|target| &target.relation);
    relations.any(|relation| relation.base().is_none() || definitions::are_in(relation.name()))
}

fn is_join(tables: &[ast::TableExpr]) -> bool {
    !matches!(tables, [ast::TableExpr { kind: ast::TableExprKind::Table(_), .. }])
}
