//! EXPLAIN of statements that change rows: how these are found, below what becomes of them.

use std::rc::Rc;

use parse::ast::{self, InsertSource};

use super::{Change, Explained};
use crate::bind::{Binder, BoundRows};
use crate::catalog::Found;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::names::SessionNames;
use crate::optimizer;
use crate::session::Session;
use crate::statements::dml::update::{deleted_rows, updated_rows};

pub fn insert(session: &Session, sql: &str, insert: &ast::Insert, context: &Rc<Context>) -> Result<Explained> {
    let Found::Relation(relation) = session.catalog().relation(&insert.table, None)? else {
        return Err(SqlError::general("a view takes no rows").at(insert.table.span));
    };
    let columns: Vec<&str> = match &insert.source {
        InsertSource::Set(values) => values.iter().map(|value| &*value.column.name.text).collect(),
        _ if insert.columns.is_empty() => relation.columns().iter().map(|column| &*column.name).collect(),
        _ => insert.columns.iter().map(|column| &*column.name.text).collect(),
    };
    let verb = if insert.replace { "Replace rows of" } else { "Insert into" };
    let mut first = format!("{verb} {}: {}", relation.name(), columns.join(", "));
    if !insert.on_duplicate.is_empty() {
        let columns: Vec<&str> = insert.on_duplicate.iter().map(|assignment| &*assignment.column.name.text).collect();
        first.push_str(&format!(", or update {} where the key is taken", columns.join(", ")));
    }
    let (plan, listed) = match &insert.source {
        InsertSource::Query(query) => (Some(session.explain(sql, query, context)?.0), 0),
        InsertSource::Values(rows) => (None, rows.len()),
        InsertSource::Set(_) => (None, 1),
    };
    let change = Change { kind: "INSERT", table: relation.name().to_string(), line: first, listed };
    Ok(Explained { plan, change: Some(change) })
}

pub fn update(session: &Session, sql: &str, update: &ast::Update, context: &Rc<Context>) -> Result<Explained> {
    let (names, parameters) = (names(session, context), context.parameter_types());
    let bound = Binder::new(&names, sql, &parameters).update(&updated_rows(update), &update.assignments)?;
    let changed = bound.assignments.iter().map(|(target, column, _)| {
        let relation = &bound.targets[*target].relation;
        format!("{}.{}", relation.name(), relation.columns()[*column].name)
    });
    let changed = changed.collect::<Vec<_>>().join(", ");
    below("UPDATE", format!("Update {changed}"), bound, context)
}

pub fn delete(session: &Session, sql: &str, delete: &ast::Delete, context: &Rc<Context>) -> Result<Explained> {
    let (names, parameters) = (names(session, context), context.parameter_types());
    let bound = Binder::new(&names, sql, &parameters).delete(&deleted_rows(delete), &delete.targets)?;
    let tables: Vec<&str> = bound.targets.iter().map(|target| &**target.relation.name()).collect();
    below("DELETE", format!("Delete from {}", tables.join(", ")), bound, context)
}

fn names(session: &Session, context: &Rc<Context>) -> SessionNames {
    SessionNames::new(session.catalog().clone(), context.clone())
}

fn below(kind: &'static str, line: String, mut bound: BoundRows, context: &Rc<Context>) -> Result<Explained> {
    let plan = optimizer::optimize(bound.plan, &mut bound.types, context)?;
    let table = bound.targets.first().map_or_else(String::new, |target| target.relation.name().to_string());
    Ok(Explained { plan: Some(plan), change: Some(Change { kind, table, line, listed: 0 }) })
}
