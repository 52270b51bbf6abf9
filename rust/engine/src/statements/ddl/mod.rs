//! Definitions: databases, tables, columns, indexes, views. Each statement makes another root value.

mod alter_table;
mod check;
mod column;
mod create_as_select;
mod create_like;
mod create_table;
mod database;
mod definition;
mod drop_table;
mod expressions;
mod foreign_key;
mod full_text;
mod full_text_entries;
mod index;
mod key_columns;
mod new_table;
mod pause;
mod rename_table;
mod rows;
mod table_name;
pub mod user_space;
mod view;
mod work;

use std::rc::Rc;

use parse::ast::{self, StatementKind};

use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::Session;

pub use definition::Definition;
pub use pause::pause;

/// Runs a definition; `None` for a statement that is none.
#[inline(never)] // the build defers it with its module
pub fn run(
    session: &Session,
    sql: &str,
    statement: &Rc<ast::Statement>,
    context: &Rc<Context>,
) -> Option<Result<Cursor>> {
    let altered = match &statement.kind {
        StatementKind::AlterTable(alter) => Some(&alter.name),
        StatementKind::CreateIndex(create) => Some(&create.table),
        StatementKind::DropIndex { table, .. } => Some(table),
        _ => None,
    };
    if let Some(error) = altered.and_then(|name| refuse_others(session, name).err()) {
        return Some(Err(error));
    }
    let done = match &statement.kind {
        StatementKind::CreateTable(_)
        | StatementKind::AlterTable(_)
        | StatementKind::CreateIndex(_)
        | StatementKind::DropIndex { .. } => return Some(Definition::begin(session, sql, statement, context)),
        StatementKind::DropTable(drop) => drop_table::run(session, sql, drop, context),
        StatementKind::CreateDatabase(create) => database::create(session, create),
        StatementKind::AlterDatabase(alter) => database::alter(session, sql, alter, context),
        StatementKind::DropDatabase { if_exists, name } => {
            let dropped = database::drop(session, name, *if_exists);
            return Some(dropped.map(|is_there| Cursor::of_effect(u64::from(is_there), context.clone())));
        }
        StatementKind::CreateView(create) => view::create(session, sql, statement.span, create, context),
        StatementKind::AlterView(view) => view::alter(session, sql, statement.span, view, context),
        StatementKind::DropView(drop) => view::drop(session, sql, drop, context),
        StatementKind::RenameTable(pairs) => rename_table::run(session, sql, pairs, context),
        _ => return None,
    };
    // A database counts as a row, as in the reference.
    let is_database = matches!(statement.kind, StatementKind::CreateDatabase(_) | StatementKind::AlterDatabase(_));
    Some(done.map(|()| Cursor::of_effect(u64::from(is_database), context.clone())))
}

/// The reference makes and drops temporary tables, and never alters them. One that is another branch's by `dolt_nonlocal_tables` it
/// does not find either: it alters a table of this branch that has the same name there.
fn refuse_others(session: &Session, name: &ast::ObjectName) -> Result<()> {
    let catalog = session.catalog();
    let database = name.database.as_ref().map(|database| &*database.text);
    if catalog.temporary_place(database, &name.name.text)?.is_some() {
        return Err(SqlError::general(format!("table {} cannot be altered", name.name.text)).at(name.span));
    }
    let Ok(place) = catalog.place(database) else { return Ok(()) };
    match place.table_elsewhere(&place.root()?, &name.name.text)? {
        None => Ok(()),
        Some(there) => {
            let (there, table) = (&there.place.name, &there.name);
            let text = format!("altering {}, which is `{there}`.`{table}` by dolt_nonlocal_tables,", name.name.text);
            Err(SqlError::unsupported(text).at(name.span))
        }
    }
}
