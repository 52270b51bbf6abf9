//! What an entry of the tables of system tables says: the one place that names a system table or a table function.

use value::Value;
use vcs::Table;

use super::help::ProcedureHelp;
use super::relation::at::At;
use super::relation::computed::Computed;
use crate::catalog::{Catalog, Column, Place};
use crate::error::Result;

/// A system table, those of each table, or a table function.
pub enum Entry {
    Table(SystemTable),
    OfTable(OfTable),
    Function(TableFunction),
}

/// A system table that each database has.
pub struct SystemTable {
    /// Lower case.
    pub name: &'static str,
    pub rows: Rows,
    /// Whether SHOW TABLES lists it when it lists system tables: as in native Dolt not all.
    pub is_listed: bool,
}

/// Where the rows of a system table come from.
pub enum Rows {
    Computed(fn(At) -> Computed),
    /// From the entries of procedures.
    OfProcedures(fn(At, &mut dyn Iterator<Item = ProcedureHelp>) -> Computed),
    /// Stored once a statement writes it; empty before, with the columns that it will have.
    Stored(StoredTable),
    /// Reading it is an error.
    Refused(&'static str),
}

/// A table that statements write and Dolt reads.
#[derive(Clone, Copy)]
pub struct StoredTable {
    pub columns: fn() -> Vec<Column>,
    /// Whether INSERT, UPDATE and DELETE write it like any other table; the first makes it.
    pub is_written_by_users: bool,
    pub can_be_dropped: bool,
}

/// System tables of each table: `dolt_diff_<table>`.
pub struct OfTable {
    pub prefix: &'static str,
    pub rows: RowsOfTable,
    pub is_listed: bool,
}

/// Where the rows of a system table of one table come from; the second argument is its name, the third that of the table.
#[derive(Clone, Copy)]
pub enum RowsOfTable {
    /// From the table, which must be there.
    Table(fn(At, &str, Box<str>, &Table) -> Result<Computed>),
    /// From its history, which definitions have also where there are none now.
    Past(fn(At, &str, Box<str>, &Table) -> Result<Computed>),
    /// From all roots: the table may be in none of them.
    Name(fn(At, &str, &str) -> Result<Computed>),
}

/// A table function.
pub struct TableFunction {
    /// Lower case.
    pub name: &'static str,
    pub rows: fn(&FunctionCall<'_>) -> Result<Computed>,
    /// Arguments that give it the columns that it has with any others, where its arguments may be columns of other rows.
    pub late_arguments: Option<&'static [Value<'static>]>,
}

/// A call of a table function.
pub struct FunctionCall<'a> {
    pub catalog: &'a Catalog,
    /// The database that is named before the function.
    pub database: Option<&'a str>,
    pub arguments: &'a [Value<'static>],
}

impl FunctionCall<'_> {
    pub fn place(&self) -> Result<Place> {
        self.catalog.place(self.database)
    }
}

impl Entry {
    pub(super) const fn table(name: &'static str, rows: fn(At) -> Computed) -> Entry {
        Entry::Table(SystemTable { name, rows: Rows::Computed(rows), is_listed: false })
    }

    pub(super) const fn listed_table(name: &'static str, rows: fn(At) -> Computed) -> Entry {
        Entry::Table(SystemTable { name, rows: Rows::Computed(rows), is_listed: true })
    }

    pub(super) const fn function(name: &'static str, rows: fn(&FunctionCall<'_>) -> Result<Computed>) -> Entry {
        Entry::Function(TableFunction { name, rows, late_arguments: None })
    }

    pub(super) const fn late_function(
        name: &'static str,
        rows: fn(&FunctionCall<'_>) -> Result<Computed>,
        late_arguments: &'static [Value<'static>],
    ) -> Entry {
        Entry::Function(TableFunction { name, rows, late_arguments: Some(late_arguments) })
    }

    pub(super) const fn of_table(prefix: &'static str, rows: RowsOfTable) -> Entry {
        Entry::OfTable(OfTable { prefix, rows, is_listed: true })
    }
}
