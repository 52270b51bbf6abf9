//! CREATE and DROP of procedures and triggers.

use std::borrow::Cow;
use std::rc::Rc;

use parse::ast::{self, Account, CreateProcedure, CreateTrigger, DropObjects, Ident, SetItem, StatementKind};
use value::{DateTime, Value};
use vcs::RootValue;

use super::compile;
use crate::bind::{Binder, Names, RowsSyntax};
use crate::catalog::fragments::Fragment;
use crate::catalog::objects::{self, StoredProcedure};
use crate::catalog::{Column, Found, Place, Relation};
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::expr::locals::Locals;
use crate::names::SessionNames;
use crate::program::{Embedded, Evaluation, Program, Step};
use crate::session::Session;
use crate::state::variables;
use crate::write::definitions;

/// A database that gets another root with a definition more or less.
pub(super) struct Change {
    pub place: Place,
    pub root: RootValue,
}

impl Change {
    /// Begins in the database of a name, or in the session's.
    pub fn begin(session: &Session, database: Option<&Ident>) -> Result<Change> {
        let place =
            session.catalog().place(database.map(|database| &*database.text)).map_err(|error| match database {
                Some(database) => error.at(database.span),
                None => error,
            })?;
        session.catalog().transaction.will_write();
        let root = place.root()?;
        Ok(Change { place, root })
    }

    pub fn finish(self, session: &Session) -> Result<()> {
        session.catalog().set_root(&self.place, &self.root)
    }
}

/// The text of a definition as it is stored: enclosing comments are part of it.
fn text(sql: &str) -> &str {
    sql.trim_start().trim_end_matches(|c: char| c == ';' || c.is_whitespace())
}

/// A definition whose `DEFINER = CURRENT_USER`, which a server could not read, says who that is. `start` is where its text begins, from
/// which the account's place is counted.
pub(crate) fn with_definer<'t>(text: &'t str, start: u32, definer: Option<&Account>) -> Cow<'t, str> {
    const CURRENT: &str = "current_user";
    let Some(Account { user, host, span }) = definer else { return text.into() };
    let (begin, end) = ((span.start - start) as usize, (span.end - start) as usize);
    match (text.get(..begin), text.get(begin..end), text.get(end..)) {
        (Some(before), Some(said), Some(after))
            if said.get(..CURRENT.len()).is_some_and(|said| said.eq_ignore_ascii_case(CURRENT)) =>
        {
            format!("{before}`{user}`@`{host}`{after}").into()
        }
        _ => text.into(),
    }
}

/// The dialect has no IF NOT EXISTS here, and a server could not read such a definition.
fn refuse_condition(sql: &str, if_not_exists: bool, name: &Ident) -> Result<()> {
    let before = sql.get(..name.span.start as usize).unwrap_or_default().to_ascii_lowercase();
    match before.rfind("if").filter(|_| if_not_exists) {
        Some(at) => Err(SqlError::general(format!("syntax error at position {} near 'if'", at + 3)).at(name.span)),
        None => Ok(()),
    }
}

pub(super) fn sql_mode(session: &Session) -> String {
    session.state().variables.borrow().text("sql_mode")
}

/// CREATE PROCEDURE: the body is checked as far as its names go; tables need not be there yet.
pub(crate) fn create_procedure(
    session: &Session,
    sql: &str,
    procedure: &CreateProcedure,
    context: Rc<Context>,
) -> Result<Cursor> {
    refuse_condition(sql, procedure.if_not_exists, &procedure.name.name)?;
    compile::procedure(sql.into(), procedure)?;
    let mut change = Change::begin(session, procedure.name.database.as_ref())?;
    let name = procedure.name.name.text.to_lowercase();
    let now = DateTime::from_microseconds(session.state().host.now_microseconds()).unwrap_or(DateTime::ZERO);
    let stored = StoredProcedure {
        name: name.clone(),
        create: text(&with_definer(sql, 0, procedure.definer.as_ref())).into(),
        created: Value::DateTime(now),
        modified: Value::DateTime(now),
        sql_mode: sql_mode(session),
    };
    match definitions::add_procedure(&change.root, &stored)? {
        Some(root) => change.root = root,
        None => {
            let error = SqlError::general(format!("stored procedure \"{name}\" already exists"));
            return Err(error.at(procedure.name.span));
        }
    }
    change.finish(session)?;
    Ok(Cursor::of_effect(0, context))
}

pub(crate) fn drop_procedures(session: &Session, drop: &DropObjects, context: Rc<Context>) -> Result<Cursor> {
    for name in &drop.names {
        let mut change = Change::begin(session, name.database.as_ref())?;
        match definitions::drop_procedure(&change.root, &name.name.text)? {
            Some(root) => change.root = root,
            None if drop.if_exists => continue,
            None => {
                let text = format!("stored procedure \"{}\" does not exist", name.name.text);
                return Err(SqlError::general(text).at(name.span));
            }
        }
        change.finish(session)?;
    }
    Ok(Cursor::of_effect(0, context))
}

/// The longest name of a trigger.
const NAME_CHARACTERS_MAX: usize = 96;

/// CREATE TRIGGER: the table has to be there, and the columns that the body names.
pub(crate) fn create_trigger(
    session: &Session,
    sql: &str,
    trigger: &CreateTrigger,
    context: Rc<Context>,
) -> Result<Cursor> {
    refuse_condition(sql, trigger.if_not_exists, &trigger.name.name)?;
    let database = trigger.table.database.as_ref().or(trigger.name.database.as_ref());
    let mut change = Change::begin(session, database)?;
    let (name, table) = (&trigger.name.name, &trigger.table.name);
    let there = change.place.table_elsewhere(&change.root, &table.text)?;
    let stored = match &there {
        Some(there) => session.catalog().stored(&there.place, &there.root, &there.name)?,
        None => session.catalog().stored(&change.place, &change.root, &table.text)?,
    };
    let Some(relation) = stored else {
        return Err(match session.catalog().view(&change.place, &table.text)? {
            Some(view) => SqlError::general(format!("expected a table and found view: '{}' ", view.name)),
            None => SqlError::table_not_found(&table.text),
        }
        .at(table.span));
    };
    if name.text.chars().count() > NAME_CHARACTERS_MAX {
        return Err(SqlError::general(format!("Identifier name '{}' is too long", name.text)).at(name.span));
    }
    refuse_alone(sql, &trigger.body)?;
    let program = compile::trigger(sql.into(), trigger, relation.columns())?;
    // Tables may come before it runs. A column of the trigger's own table without NEW is an error then, as in MySQL.
    let may_miss = |error: &SqlError| {
        let is_own = |column: &Column| error.message == SqlError::column_not_found(&column.name).message;
        error.errno == 1146 && !is_row(error) || relation.columns().iter().any(is_own)
    };
    check_names(session, &program, &may_miss)?;
    let fragment = Fragment {
        kind: "trigger".to_owned(),
        name: name.text.to_string(),
        text: text(&with_definer(sql, 0, trigger.definer.as_ref())).to_owned(),
        created_at: session.state().host.now_microseconds() / 1_000_000,
        sql_mode: sql_mode(session),
    };
    match definitions::add_fragment(&change.root, &fragment)? {
        Some(root) => change.root = root,
        None => return Err(SqlError::general(format!("triggers `{}` already exists", name.text)).at(name.span)),
    }
    change.finish(session)?;
    Ok(Cursor::of_effect(0, context))
}

pub(crate) fn drop_triggers(session: &Session, drop: &DropObjects, context: Rc<Context>) -> Result<Cursor> {
    for name in &drop.names {
        let mut change = Change::begin(session, name.database.as_ref())?;
        refuse_named(session, &change, &name.name)?;
        match definitions::drop_fragment(&change.root, "trigger", &name.name.text)? {
            Some(root) => change.root = root,
            None if drop.if_exists => continue,
            None => {
                let text = format!("trigger \"{}\" does not exist", name.name.text);
                return Err(SqlError::general(text).at(name.span));
            }
        }
        change.finish(session)?;
    }
    Ok(Cursor::of_effect(0, context))
}

/// Outside of a block a trigger changes rows, sets something or calls: a server could not read another definition.
fn refuse_alone(sql: &str, body: &ast::Statement) -> Result<()> {
    use StatementKind as Kind;
    match &body.kind {
        Kind::Set(_) | Kind::Insert(_) | Kind::Update(_) | Kind::Delete(_) | Kind::Call(_) | Kind::Block(_) => Ok(()),
        _ => Err(compile::not_in_a_body(sql, body)),
    }
}

/// A trigger that others follow or precede stays.
fn refuse_named(session: &Session, change: &Change, name: &Ident) -> Result<()> {
    let triggers = objects::triggers(session.catalog(), &change.place, &change.root)?;
    let names = |trigger: &&objects::Trigger| trigger.order.as_ref().is_some_and(|(_, other)| name.is(other));
    match triggers.iter().find(names) {
        Some(trigger) => {
            let text = format!(
                "trigger \"{}\" cannot be dropped as it is referenced by trigger \"{}\"",
                name.text, trigger.name
            );
            Err(SqlError::general(text).at(name.span))
        }
        None => Ok(()),
    }
}

/// Binds what a body says, where errors pass that `may_miss` allows.
pub(super) fn check_names(session: &Session, program: &Program, may_miss: &dyn Fn(&SqlError) -> bool) -> Result<()> {
    let check = |bound: Result<()>| match bound {
        Err(error) if may_miss(&error) => Ok(()),
        checked => checked,
    };
    let names = |locals: &Rc<Locals>| {
        let values: Vec<_> = program.variables.iter().map(|variable| variable.initial.clone()).collect();
        let context = Context::new(session.catalog().clone(), values);
        SessionNames::new(session.catalog().clone(), Rc::new(context.with_locals(locals.clone())))
    };
    let expression = |value: &Evaluation| {
        Binder::new(&names(&value.locals), value.sql.clone(), &[]).constant(&value.expr).map(|_| ())
    };
    for step in &program.steps {
        match step {
            Step::Declare { value: Some(value), .. } | Step::Assign { value, .. } => check(expression(value))?,
            Step::Test { condition, .. } => check(expression(condition))?,
            Step::Call { arguments, .. } => {
                arguments.iter().try_for_each(|argument| check(expression(&argument.value)))?;
            }
            Step::Run(embedded) | Step::SelectInto { query: embedded, .. } => {
                check(check_statement(&names(&embedded.locals), embedded))?;
            }
            _ => {}
        }
    }
    program.cursors.iter().try_for_each(|(_, query)| check(check_statement(&names(&query.locals), query)))
}

/// Whether the table that was not found is NEW or OLD.
fn is_row(error: &SqlError) -> bool {
    let name = error.message.rsplit(' ').next().unwrap_or_default();
    name.eq_ignore_ascii_case("new") || name.eq_ignore_ascii_case("old")
}

fn check_statement(names: &SessionNames, embedded: &Embedded) -> Result<()> {
    let sql = &embedded.prepared.sql;
    if let StatementKind::Insert(insert) = &embedded.prepared.statement.kind
        && let Found::Relation(relation) = names.relation(&insert.table, None, None)?
    {
        let is_column = |name: &ast::ColumnName| relation.columns().iter().any(|column| name.name.is(&column.name));
        if let Some(unknown) = insert.columns.iter().find(|name| !is_column(name)) {
            let text = format!("Unknown column '{}' in '{}'", unknown.name.text, relation.name());
            return Err(SqlError::new(1054, text).at(unknown.span));
        }
    }
    let mut binder = Binder::new(names, sql.clone(), &[]);
    match &embedded.prepared.statement.kind {
        StatementKind::Query(query) => binder.query(query).map(|_| ()),
        StatementKind::Set(items) => items.iter().try_for_each(|item| match item {
            SetItem::User { value, .. } => binder.constant(value).map(|_| ()),
            SetItem::Variable { scope: None, system: false, name, span, .. }
                if variables::definition(&name.to_lowercase()).is_none() =>
            {
                Err(SqlError::column_not_found(name).at(*span))
            }
            _ => Ok(()),
        }),
        StatementKind::Insert(insert) => match &insert.source {
            ast::InsertSource::Values(rows) => {
                rows.iter().try_for_each(|row| binder.inserted_row(&row.values).map(|_| ()))
            }
            ast::InsertSource::Query(query) => binder.query(query).map(|_| ()),
            ast::InsertSource::Set(assignments) => {
                let values: Vec<ast::Expr> = assignments.iter().map(|assignment| assignment.value.clone()).collect();
                binder.inserted_row(&values).map(|_| ())
            }
        },
        StatementKind::Update(update) => {
            let rows = RowsSyntax {
                with: update.with.as_ref(),
                tables: &update.tables,
                filter: update.filter.as_ref(),
                order_by: &update.order_by,
                limit: update.limit.as_ref(),
            };
            binder.update(&rows, &update.assignments).map(|_| ())
        }
        StatementKind::Delete(delete) => {
            let rows = RowsSyntax {
                with: delete.with.as_ref(),
                tables: &delete.from,
                filter: delete.filter.as_ref(),
                order_by: &delete.order_by,
                limit: delete.limit.as_ref(),
            };
            binder.delete(&rows, &delete.targets).map(|_| ())
        }
        _ => Ok(()),
    }
}
