//! CREATE VIEW, RENAME TABLE of a view, DROP VIEW.

use std::rc::Rc;

use parse::ast::{self, CreateView, DropObjects, RenameTable, Span};

use super::work::Work;
use super::{column, table_name};
use crate::catalog::View;
use crate::catalog::fragments::{self, Fragment};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::routine::with_definer;
use crate::session::Session;
use crate::write::definitions::{add_fragment, drop_fragment};

const KIND: &str = "view";

/// Gives a view that is there another query. It is kept as the CREATE VIEW that would make it.
pub fn alter(session: &Session, sql: &str, span: Span, view: &CreateView, context: &Rc<Context>) -> Result<()> {
    const WORD: &str = "ALTER";
    let place = session.catalog().place(view.name.database.as_ref().map(|database| &*database.text))?;
    if session.catalog().view(&place, &view.name.name.text)?.is_none() {
        return Err(SqlError::table_not_found(&view.name.name.text).at(view.name.span));
    }
    let text = with_definer(span.text(sql), span.start, view.definer.as_ref());
    let text = format!("CREATE{}", text.get(WORD.len()..).unwrap_or_default());
    put(session, sql, text, view, true, context)
}

/// `span` is that of the statement as it was typed.
pub fn create(session: &Session, sql: &str, span: Span, create: &CreateView, context: &Rc<Context>) -> Result<()> {
    let text = with_definer(span.text(sql), span.start, create.definer.as_ref()).into_owned();
    put(session, sql, text, create, create.or_replace, context)
}

fn put(
    session: &Session,
    sql: &str,
    mut text: String,
    create: &CreateView,
    replaces: bool,
    context: &Rc<Context>,
) -> Result<()> {
    let mut work = Work::begin(session, sql, context, create.name.database.as_ref())?;
    // Native Dolt keeps the names of views in lower case.
    let name = column::name(&create.name.name.text)?.to_lowercase();
    let name = name.as_str();
    let view = View {
        database: work.place.name.clone(),
        name: name.into(),
        sql: sql.into(),
        query: create.query.clone(),
        columns: create.columns.iter().map(|column| (*column.text).into()).collect(),
        check_option: create.check_option,
    };
    let columns = session.view_columns(&view, context)?;
    if create.check_option == Some(ast::CheckOption::Local) {
        text = cascaded(session, &view, &text)?;
    }
    if !create.columns.is_empty() && create.columns.len() != columns.len() {
        let (given, named) = (columns.len(), create.columns.len());
        return Err(SqlError::general(format!("tuple should contain {given} column(s), but has {named}")));
    }
    if work.root.find_table(name)?.is_some() {
        return if create.if_not_exists { Ok(()) } else { Err(table_name::taken(name).at(create.name.span)) };
    }
    if replaces && let Some(root) = drop_fragment(&work.root, KIND, name)? {
        work.root = root;
    }
    let fragment = Fragment {
        kind: KIND.to_owned(),
        name: name.to_owned(),
        text,
        created_at: 0,
        sql_mode: session.state().variables.borrow().text("sql_mode"),
    };
    match add_fragment(&work.root, &fragment)? {
        Some(root) => work.root = root,
        None if create.if_not_exists => return Ok(()),
        None => return Err(exists(&work, name).at(create.name.span)),
    }
    work.finish()
}

/// WITH LOCAL CHECK OPTION as WITH CASCADED CHECK OPTION, which native Dolt reads, where it is the same: where no view below leaves rows out
/// without a check.
fn cascaded(session: &Session, view: &View, text: &str) -> Result<String> {
    const WORD: &str = "LOCAL";
    let refused = || SqlError::general("unsupported syntax: WITH LOCAL CHECK OPTION");
    let catalog = session.catalog();
    if !session.state().variables.borrow().syntax().beyond_dolt {
        return Err(refused());
    }
    let find = |name: &ast::ObjectName, database: &str| catalog.relation_in(Some(database), &name.name.text, None);
    let is_same =
        view.updatable(&find)?.is_some_and(|rows| rows.conditions.iter().all(|condition| condition.is_checked));
    let at = text.to_ascii_uppercase().rfind(WORD).filter(|_| is_same).ok_or_else(refused)?;
    let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + WORD.len()..).unwrap_or_default());
    let changed = format!("{before}CASCADED{after}");
    // The word may have been one of a comment.
    match parse::kept(&changed, &session.state().variables.borrow().text("sql_mode")) {
        Some(ast::StatementKind::CreateView(view)) if view.check_option == Some(ast::CheckOption::Cascaded) => {
            Ok(changed)
        }
        _ => Err(refused()),
    }
}

/// Gives a view another name. The statement that made it is kept as it was typed, with the name of then.
pub fn rename(work: &mut Work<'_>, pair: &RenameTable) -> Result<()> {
    let (from, to) = (&*pair.from.name.text, &*pair.to.name.text);
    let views = fragments::read(work.session.catalog(), &work.place, &work.root)?;
    let found = views.into_iter().find(|view| view.kind == KIND && view.name.eq_ignore_ascii_case(from));
    let mut view = found.ok_or_else(|| SqlError::table_not_found(from).at(pair.from.span))?;
    if work.root.find_table(to)?.is_some() {
        return Err(table_name::taken(to).at(pair.to.span));
    }
    if let Some(root) = drop_fragment(&work.root, KIND, from)? {
        work.root = root;
    }
    view.name = to.to_owned();
    work.root = add_fragment(&work.root, &view)?.ok_or_else(|| exists(work, to).at(pair.to.span))?;
    Ok(())
}

fn exists(work: &Work<'_>, view: &str) -> SqlError {
    SqlError::general(format!("the view {}.{view} already exists", work.place.name))
}

pub fn drop(session: &Session, sql: &str, drop: &DropObjects, context: &Rc<Context>) -> Result<()> {
    let Some(first) = drop.names.first() else { return Ok(()) };
    let mut work = Work::begin(session, sql, context, first.database.as_ref())?;
    for name in &drop.names {
        let text = &*name.name.text;
        match drop_fragment(&work.root, KIND, text)? {
            Some(root) => work.root = root,
            None if drop.if_exists => {}
            None => {
                let database = &work.place.name;
                return Err(SqlError::general(format!("the view {database}.{text} does not exist")).at(name.span));
            }
        }
    }
    work.finish()
}
