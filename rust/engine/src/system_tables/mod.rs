//! Tables that Dolt computes: history, branches, status, diffs (docs/format/sql-surface.md, sections 2 and 4).

pub(crate) mod diff;
mod entry;
mod help;
mod history;
mod information_schema;
pub(crate) mod merge;
mod mysql;
pub mod relation;
mod statistics;
mod test_run;
mod user_space;

use std::rc::Rc;

use parse::ast;
use value::Value;
use vcs::{RootValue, Schema, Table};

use crate::catalog::{Catalog, ComputedTables, Place, Relation};
use crate::error::{Result, SqlError};
use crate::write::definitions;

pub(crate) use help::ProcedureHelp;
pub(crate) use information_schema::{
    NAME as INFORMATION_SCHEMA, PRIVILEGES, row_bytes, width as information_schema_width,
};
pub(crate) use mysql::NAME as MYSQL;

use entry::{Entry, FunctionCall, OfTable, Rows, RowsOfTable, StoredTable, SystemTable, TableFunction};
use relation::at::At;
use relation::computed::Computed;
use relation::overridden_schema;

/// The system tables and table functions that there are.
#[derive(Debug)]
pub struct SystemTables {
    /// What is said of procedures, which run statements and so are above these tables.
    pub help: fn() -> Box<dyn Iterator<Item = ProcedureHelp>>,
}

impl ComputedTables for SystemTables {
    fn global(&self, catalog: &Catalog, database: Option<&str>, table: &str) -> Result<Option<Rc<dyn Relation>>> {
        let used = catalog.state.database();
        let Some(database) = database.or(used.as_deref()) else { return Ok(None) };
        let found = match database {
            name if name.eq_ignore_ascii_case(information_schema::NAME) => information_schema::find(catalog, table)?,
            name if name.eq_ignore_ascii_case(mysql::NAME) => mysql::find(table)?,
            _ => return Ok(None),
        };
        Ok(Some(Rc::new(found.ok_or_else(|| SqlError::table_not_found(table))?)))
    }

    fn of_database(
        &self,
        place: &Place,
        root: &RootValue,
        name: &str,
        as_of: Option<&Value<'static>>,
    ) -> Result<Option<Rc<dyn Relation>>> {
        if !vcs::is_system_table(name) {
            return Ok(None);
        }
        let at = At::new(place, root, as_of);
        let Some(table) = find(name) else { return of_table(at, &name.to_lowercase()) };
        Ok(Some(Rc::new(match table.rows {
            Rows::Computed(rows) => rows(at),
            Rows::OfProcedures(rows) => rows(at, &mut *(self.help)()),
            Rows::Stored(_) if root.find_table(name)?.is_some() => return Ok(None),
            Rows::Stored(stored) => Computed::of_rows(at.database(), table.name, (stored.columns)(), Vec::new()),
            Rows::Refused(text) => return Err(SqlError::general(text)),
        })))
    }

    fn under_schema(&self, place: &Place, name: &str, rows: Option<Table>, schema: Rc<Schema>) -> Rc<dyn Relation> {
        Rc::new(overridden_schema::table(place, name, rows, schema))
    }

    fn failed_tests(&self, catalog: &Catalog, name: &str) -> Result<Vec<(String, String)>> {
        test_run::failed(catalog, name)
    }

    fn function(
        &self,
        catalog: &Catalog,
        name: &ast::ObjectName,
        arguments: &[Value<'static>],
    ) -> Result<Rc<dyn Relation>> {
        let unknown = || SqlError::general(format!("table function: '{}' not found", name.name.text));
        let function = find_function(&name.name.text).ok_or_else(unknown)?;
        let database = name.database.as_ref().map(|database| &*database.text);
        Ok(Rc::new((function.rows)(&FunctionCall { catalog, database, arguments })?))
    }

    fn late_arguments(&self, function: &str) -> Option<&'static [Value<'static>]> {
        find_function(function)?.late_arguments
    }
}

/// All system tables and table functions.
fn entries() -> impl Iterator<Item = &'static Entry> {
    let own: &[&[Entry]] = &[help::ENTRIES, statistics::ENTRIES, test_run::ENTRIES, user_space::ENTRIES];
    [diff::ENTRIES, history::ENTRIES, merge::ENTRIES, own].into_iter().flatten().copied().flatten()
}

/// The system tables that each database has.
fn tables() -> impl Iterator<Item = &'static SystemTable> {
    entries().filter_map(|entry| if let Entry::Table(table) = entry { Some(table) } else { None })
}

/// The system tables of each table.
fn tables_of_tables() -> impl Iterator<Item = &'static OfTable> {
    entries().filter_map(|entry| if let Entry::OfTable(table) = entry { Some(table) } else { None })
}

/// A system table by its name, in any case.
fn find(name: &str) -> Option<&'static SystemTable> {
    tables().find(|table| table.name.eq_ignore_ascii_case(name))
}

fn find_function(name: &str) -> Option<&'static TableFunction> {
    let mut functions =
        entries().filter_map(|entry| if let Entry::Function(table) = entry { Some(table) } else { None });
    functions.find(|function| function.name.eq_ignore_ascii_case(name))
}

/// A table that statements write and Dolt reads, by its name in any case.
pub(crate) fn stored(name: &str) -> Option<StoredTable> {
    match find(name)?.rows {
        Rows::Stored(stored) => Some(stored),
        _ => None,
    }
}

/// The tables of a database that is not one of ours, with what SHOW TABLES calls them; `None` for ours.
pub(crate) fn global_tables(database: &str) -> Option<(Vec<&'static str>, &'static str)> {
    match database {
        name if name.eq_ignore_ascii_case(information_schema::NAME) => {
            Some((information_schema::names().collect(), "SYSTEM VIEW"))
        }
        name if name.eq_ignore_ascii_case(mysql::NAME) => Some((mysql::names().collect(), "BASE TABLE")),
        _ => None,
    }
}

/// System tables that SHOW TABLES lists when it lists them at all, beside those that are stored: as in native Dolt not all that there are.
pub(crate) fn listed_names(tables: &[String]) -> Vec<String> {
    let listed = tables_of_tables().filter(|of_table| of_table.is_listed);
    let of_tables = listed.flat_map(|of| tables.iter().map(move |table| format!("{}{table}", of.prefix)));
    self::tables().filter(|table| table.is_listed).map(|table| table.name.to_owned()).chain(of_tables).collect()
}

/// A system table that belongs to one table, such as `dolt_diff_<table>`, or that is stored after its first write.
fn of_table(at: At, name: &str) -> Result<Option<Rc<dyn Relation>>> {
    if at.root.find_table(name)?.is_some() {
        return Ok(None);
    }
    let Some(of) = tables_of_tables().find(|of| name.starts_with(of.prefix)) else { return Ok(None) };
    let table = &name[of.prefix.len()..];
    let found = at.root.find_table(table)?;
    let (rows, (stored, table)) = match (of.rows, found) {
        (RowsOfTable::Name(rows), found) => {
            let stored = found.map_or_else(|| table.into(), |(stored, _)| stored);
            return Ok(Some(Rc::new(rows(at, name, &stored)?)));
        }
        (RowsOfTable::Table(rows) | RowsOfTable::Past(rows), Some((stored, address))) => {
            (rows, (stored, at.objects().table(&address)?))
        }
        (RowsOfTable::Past(rows), None) => match definitions::empty(table)? {
            Some(empty) => (rows, (table.into(), empty)),
            None => return Ok(None),
        },
        (RowsOfTable::Table(_), None) => return Ok(None),
    };
    Ok(Some(Rc::new(rows(at, name, stored, &table)?)))
}
