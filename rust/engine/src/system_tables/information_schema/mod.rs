//! `information_schema` (docs/format/sql-surface.md, section 9).
//!
//! Rows are computed on read. A condition on the schema or the table spares looking at the others.

mod constraints;
mod definitions;
mod indexes;
mod routines;
mod server;
pub mod source;
mod tables;
mod types;

use std::rc::Rc;

use value::{SqlType, Value};

use self::source::{Asked, Row, Source};
use super::relation::computed::Computed;
use crate::catalog::{Catalog, Column, RowIterator};
use crate::error::{Result, SqlError};

pub(crate) use definitions::names;
pub(crate) use server::PRIVILEGES;
pub(crate) use tables::row_bytes;

pub const NAME: &str = "information_schema";

type Rows = fn(&Source, &Asked<'_>) -> Result<Vec<Row>>;

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
        "st_spatial_reference_systems" => server::reference_systems,
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
    // The database in use may be one like `db/branch`, which no other session sees.
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
