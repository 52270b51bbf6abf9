//! CREATE, ALTER and DROP DATABASE.

use parse::ast::{AlterDatabase, CreateDatabase, Ident};
use std::rc::Rc;

use super::column;
use super::work::Work;
use crate::bind::data_type;
use crate::catalog::write_first_commit;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::Session;

pub fn create(session: &Session, create: &CreateDatabase) -> Result<()> {
    let name = column::name(&create.name.text)?;
    let engine = &session.catalog().engine;
    let is_reserved = crate::system_tables::global_tables(name).is_some();
    if is_reserved || engine.database(name).is_some() {
        let text = format!("can't create database {name}; database exists");
        if create.if_not_exists {
            session.state().note(1007, text);
            return Ok(());
        }
        return Err(SqlError::new(1007, text).at(create.name.span));
    }
    // Either is followed by a revision.
    if name.contains(['/', '@']) {
        return Err(SqlError::new(1102, format!("Incorrect database name '{name}'")).at(create.name.span));
    }
    let is_plain = |c: char| !matches!(c, '\\' | '.' | '\0') && !c.is_control();
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err(SqlError::general(format!("invalid database name: {name}")).at(create.name.span));
    }
    let collation = data_type::collation(create.charset.as_ref(), create.collation.as_ref())?;
    let collation = collation.map(data_type::implemented).transpose()?;
    let database = engine.databases_of_host()?.create(name)?;
    write_first_commit(&database, session.state())?;
    engine.attach(name, database);
    if let Some(collation) = collation {
        let place = session.catalog().place(Some(name))?;
        let root = place.root()?.with_collation(collation)?;
        session.catalog().set_root(&place, &root)?;
    }
    Ok(())
}

pub fn alter(session: &Session, sql: &str, alter: &AlterDatabase, context: &Rc<Context>) -> Result<()> {
    let mut work = Work::begin(session, sql, context, alter.name.as_ref())?;
    let collation = data_type::collation(alter.charset.as_ref(), alter.collation.as_ref())?;
    if let Some(collation) = collation {
        work.root = work.root.with_collation(data_type::implemented(collation)?)?;
    }
    work.finish()
}

/// Tells whether there was one.
pub fn drop(session: &Session, name: &Ident, if_exists: bool) -> Result<bool> {
    let engine = &session.catalog().engine;
    let Some(attached) = engine.database(&name.text) else {
        if ["information_schema", "mysql"].iter().any(|system| name.is(system)) {
            return Err(SqlError::general(format!("unable to drop database: {}", name.text)).at(name.span));
        }
        if if_exists {
            session.state().note(1008, format!("Can't drop database {name}; database doesn't exist "));
            return Ok(false);
        }
        return Err(SqlError::database_not_found(&name.text).at(name.span));
    };
    engine.databases_of_host()?.remove(&attached.name)?;
    engine.detach(&attached.name);
    session.catalog().leave_branch(&attached.name);
    session.clear_plan_cache();
    if session.state().database().is_some_and(|current| current.eq_ignore_ascii_case(&attached.name)) {
        session.state().set_database(None);
    }
    Ok(true)
}
