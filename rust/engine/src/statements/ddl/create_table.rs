//! CREATE TABLE.

use std::rc::Rc;

use parse::ast::{self, CreateTable, TableElement};

use vcs::NonlocalTables;

use super::work::Work;
use super::{create_as_select, create_like, new_table, table_name};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::Session;

/// Columns, indexes and checks, as many as MySQL has columns.
const ELEMENTS_MAX: usize = 4096;

/// Tells how many rows the new table has.
pub async fn run(session: &Session, sql: &str, create: &CreateTable, context: &Rc<Context>) -> Result<u64> {
    if create.elements.len() > ELEMENTS_MAX {
        return Err(SqlError::too_many_columns().at(create.name.span));
    }
    let database = create.name.database.as_ref();
    let mut work = match create.temporary {
        true => {
            session.catalog().find_lost(database.map(|database| &*database.text), &create.name.name.text);
            let place = session.catalog().place_for_temporary(database.map(|database| &*database.text))?;
            Work::at(session, sql, context, place)?
        }
        false => Work::begin(session, sql, context, database)?,
    };
    let name = &*create.name.name.text;
    table_name::check(name).map_err(|error| error.at(create.name.span))?;
    if !create.temporary && create.like.is_none() && NonlocalTables::read(&work.root)?.about(name).is_some() {
        let text =
            format!("Cannot create table name {name} because it matches a name present in dolt_nonlocal_tables.");
        return Err(SqlError::general(text).at(create.name.span));
    }
    let refers = |element: &TableElement| match element {
        TableElement::ForeignKey(_) => true,
        TableElement::Column(column) => {
            column.options.iter().any(|option| matches!(option, ast::ColumnOption::References(_)))
        }
        _ => false,
    };
    if create.temporary && create.elements.iter().any(refers) {
        return Err(SqlError::general("temporary tables do not support foreign keys").at(create.name.span));
    }
    let before = work.root.clone();
    let exists = || -> Result<bool> {
        Ok(before.find_table(name)?.is_some()
            || !create.temporary
                && (session.catalog().view(&work.place, name)?.is_some()
                    || work.place.table_elsewhere(&before, name)?.is_some()))
    };
    let is_there = exists()?;
    let from_elsewhere = create.like.is_some() || create.query.is_some();
    let mut rows = 0;
    if !(is_there && from_elsewhere) {
        match (&create.like, &create.query) {
            (Some(source), _) => create_like::like(&mut work, name, source)?,
            (None, Some(query)) => rows = create_as_select::as_select(&mut work, name, create, query).await?,
            (None, None) => {
                let options = new_table::Options::read(&create.options, work.root.collation())?;
                let columns = new_table::read_columns(&create.elements, options.collation)?;
                new_table::create(&mut work, name, &create.elements, columns, &options)?;
            }
        }
    }
    // A definition has to be right even when the table is there.
    if is_there {
        let is_table = before.find_table(name)?.is_some();
        let error = table_name::taken(name).at(create.name.span);
        return if create.if_not_exists && is_table { Ok(0) } else { Err(error) };
    }
    work.finish()?;
    Ok(rows)
}
