//! Row sources of `information_schema`, and the filters that a query pushes into them.

use std::rc::Rc;

use value::Value;
use vcs::{RootValue, Table};

use crate::catalog::fragments::{self, Fragment};
use crate::catalog::{Catalog, Column, Listed, Place, Pushed};
use crate::error::Result;
use crate::expr::{CompareOp, Context};

/// What the rows of a table of `information_schema` are made from.
pub struct Source {
    pub(super) catalog: Rc<Catalog>,
    /// The databases as they were when the statement was read.
    pub(super) places: Vec<Place>,
}

/// What a query asks for.
pub struct Asked<'a> {
    pub context: &'a Rc<Context>,
    pub(super) columns: &'a [Column],
    pub(super) pushed: &'a [Pushed],
}

impl Asked<'_> {
    /// Whether rows with this text in a column can be in the answer.
    pub fn admits(&self, column: &str, text: &str) -> bool {
        self.pushed.iter().all(|condition| match (&condition.value, condition.op) {
            (Value::Text(wanted), CompareOp::Equal)
                if self.columns[condition.column].name.eq_ignore_ascii_case(column) =>
            {
                // The columns compare without regard to case.
                wanted.to_lowercase() == text.to_lowercase()
            }
            _ => true,
        })
    }

    /// Tables of a database that a condition on TABLE_NAME lets through; those of Dolt are left out.
    pub fn each_table(
        &self,
        place: &Place,
        root: &RootValue,
        each: &mut dyn FnMut(&StoredTable<'_>) -> Result<()>,
    ) -> Result<()> {
        for Listed { name, address, root } in place.listed(root)? {
            if !vcs::is_system_table(&name) && self.admits("TABLE_NAME", &name) {
                let table = root.objects().table(&address)?;
                each(&StoredTable { database: &place.name, place, root: &root, name, table })?;
            }
        }
        Ok(())
    }
}

pub type Row = Vec<Value<'static>>;
/// Adds the rows of one database.
type OfDatabase<'a> = dyn FnMut(&Place, &RootValue, &mut Vec<Row>) -> Result<()> + 'a;

/// A table of a database.
pub struct StoredTable<'a> {
    pub database: &'a str,
    pub place: &'a Place,
    pub root: &'a RootValue,
    pub name: Box<str>,
    pub table: Table,
}

impl Source {
    /// Rows of the databases that a condition on `column` lets through.
    pub fn of_databases(&self, asked: &Asked<'_>, column: &str, add: &mut OfDatabase<'_>) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for place in self.places.iter().filter(|place| asked.admits(column, &place.name)) {
            add(place, &place.root()?, &mut rows)?;
        }
        Ok(rows)
    }

    /// Rows of the tables that conditions on `column` and TABLE_NAME let through.
    pub fn of_tables(
        &self,
        asked: &Asked<'_>,
        column: &str,
        add: &mut dyn FnMut(&StoredTable<'_>, &mut Vec<Row>) -> Result<()>,
    ) -> Result<Vec<Row>> {
        self.of_databases(asked, column, &mut |place, root, rows| {
            asked.each_table(place, root, &mut |stored| add(stored, rows))
        })
    }

    /// Views of a database that a condition on TABLE_NAME lets through.
    pub fn views(&self, asked: &Asked<'_>, place: &Place, root: &RootValue) -> Result<Vec<Fragment>> {
        let mut views = fragments::read(&self.catalog, place, root)?;
        views.retain(|fragment| fragment.kind == "view" && asked.admits("TABLE_NAME", &fragment.name));
        Ok(views)
    }

    pub fn catalog(&self) -> &Rc<Catalog> {
        &self.catalog
    }
}

pub fn text(text: impl Into<String>) -> Value<'static> {
    Value::text(text.into())
}

/// `def`: the only catalog.
pub fn def() -> Value<'static> {
    Value::text("def")
}
