//! `information_schema` (docs/format/sql-surface.md, section 9).
//!
//! Rows are computed when somebody reads them. A condition on the schema or the table spares looking at the others.

mod constraints;
mod definitions;
mod indexes;
mod routines;
mod server;
mod tables;
mod types;

use std::rc::Rc;

use value::{SqlType, Value};
use vcs::{RootValue, Table};

use super::computed::Computed;
use crate::catalog::fragments::{self, Fragment};
use crate::catalog::{Catalog, Column, Listed, Place, Pushed, RowIterator};
use crate::error::{Result, SqlError};
use crate::expr::{CompareOp, Context};

pub(crate) use definitions::names;
pub(crate) use server::PRIVILEGES;
pub(crate) use tables::row_bytes;

pub const NAME: &str = "information_schema";

/// What the rows of a table of `information_schema` are made from.
pub struct Source {
    catalog: Rc<Catalog>,
    /// The databases as they were when the statement was read.
    places: Vec<Place>,
}

/// What a query asks for.
pub struct Asked<'a> {
    pub context: &'a Rc<Context>,
    columns: &'a [Column],
    pushed: &'a [Pushed],
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
type Rows = fn(&Source, &Asked<'_>) -> Result<Vec<Row>>;
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

fn rows_of(name: &str) -> Option<Rows> {
    Some(match name {
        "schemata" => tables::schemata,
        "schemata_extensions" => tables::schemata_extensions,
        "tables" => tables::tables,
        "tables_extensions" => tables::tables_extensions,
        "columns" => tables::columns,
        "columns_extensions" => tables::columns_extensions,
        "views" => tables::views,
        "st_geometry_columns" => tables::geometry_columns,
        "statistics" => indexes::statistics,
        "column_statistics" => super::statistics::of_columns,
        "table_constraints" => constraints::table_constraints,
        "table_constraints_extensions" => constraints::table_constraints_extensions,
        "key_column_usage" => constraints::key_column_usage,
        "referential_constraints" => constraints::referential_constraints,
        "check_constraints" => constraints::check_constraints,
        "triggers" => routines::triggers,
        "routines" => routines::routines,
        "parameters" => routines::parameters,
        "events" => routines::events,
        "character_sets" => server::character_sets,
        "collations" => server::collations,
        "collation_character_set_applicability" => server::applicability,
        "engines" => server::engines,
        "processlist" => server::process_list,
        "keywords" => server::keywords,
        "user_privileges" => server::user_privileges,
        "user_attributes" => server::user_attributes,
        "st_spatial_reference_systems" => server::unsupported,
        "st_units_of_measure" => server::units,
        // The others are empty.
        _ => |_, _| Ok(Vec::new()),
    })
}

/// How many columns a table has; `None` for an unknown name.
pub fn width(table: &str) -> Result<Option<usize>> {
    Ok(definitions::columns(table)?.map(|columns| columns.len()))
}

/// A table of `information_schema`; `None` for an unknown name.
pub fn find(catalog: &Catalog, name: &str) -> Result<Option<Computed>> {
    let name = name.to_lowercase();
    let Some(columns) = definitions::columns(&name)? else { return Ok(None) };
    let Some(rows) = rows_of(&name) else { return Ok(None) };
    let catalog = catalog.shared().ok_or_else(|| SqlError::internal("the session has ended"))?;
    let mut places = Vec::new();
    for attached in catalog.engine.databases() {
        places.push(catalog.listed_place(&attached)?);
    }
    // The database in use may be one like `db/branch`, which nobody else sees.
    places.extend(catalog.revision_in_use());
    let source = Source { catalog, places };
    let types: Rc<[Column]> = columns.clone().into();
    Ok(Some(Computed::new(NAME, &name, columns, move |context, _, pushed| {
        let rows = rows(&source, &Asked { context, columns: &types, pushed })?;
        let types = types.clone();
        let rows: RowIterator = Box::new(rows.into_iter().map(move |mut row| {
            row.resize(types.len(), Value::Null);
            row.iter_mut().zip(types.iter()).for_each(|(value, column)| fit(value, &column.ty.sql));
            Ok(row)
        }));
        Ok(rows)
    })))
}

/// ENUM and SET columns hold members, not text.
fn fit(value: &mut Value<'static>, ty: &SqlType) {
    if let (Value::Text(_), SqlType::Enum(_) | SqlType::Set(_)) = (&*value, ty) {
        *value = value::assign(value, ty).unwrap_or(Value::Null);
    }
}
