//! Definition tables and how they are written: `dolt_schemas` with views, triggers and events, `dolt_procedures`.
//!
//! They have the schemas, tags included, that native Dolt gives them (docs/format/database.md, section 5.1).

use std::rc::Rc;

use tree::message::schema as message;
use value::{Json, Value};
use vcs::{Database, Objects, RootValue, Schema, Table, TableDraft};

use crate::catalog::fragments::Fragment;
use crate::catalog::objects::StoredProcedure;
use crate::error::{Result, SqlError};
use crate::write::{Row, TableEditor};

const SCHEMAS: &str = "dolt_schemas";
const PROCEDURES: &str = "dolt_procedures";

/// Whether a table holds definitions, which only their own statements write.
pub fn are_in(table: &str) -> bool {
    [SCHEMAS, PROCEDURES].iter().any(|name| name.eq_ignore_ascii_case(table))
}

/// Encodings of columns (docs/format/tree.md, section 6).
const STRING: u8 = 128;
const STRING_ADDRESS: u8 = 135;
const JSON_ADDRESS: u8 = 139;
const DATETIME: u8 = 18;

/// The collation of a table that says none.
const DEFAULT_COLLATION: u16 = 309;
const TARGET_ROW_BYTES: u16 = 2048;

/// The first of the tags that are kept for `dolt_schemas`, and for `dolt_procedures`.
const SCHEMAS_TAG: u64 = 2_251_799_813_689_256;
const PROCEDURES_TAG: u64 = 2_251_799_813_691_248;

/// A column's name, type and encoding.
type Form = (&'static str, &'static str, u8);

const SCHEMAS_COLUMNS: [Form; 5] = [
    ("type", "varchar(64) COLLATE utf8mb4_0900_ai_ci", STRING),
    ("name", "varchar(64) COLLATE utf8mb4_0900_ai_ci", STRING),
    ("fragment", "longtext", STRING_ADDRESS),
    ("extra", "json", JSON_ADDRESS),
    ("sql_mode", "varchar(256) COLLATE utf8mb4_0900_ai_ci", STRING),
];

const PROCEDURES_COLUMNS: [Form; 5] = [
    ("name", "varchar(1023)", STRING),
    ("create_stmt", "varchar(8191)", STRING),
    ("created_at", "datetime(6)", DATETIME),
    ("modified_at", "datetime(6)", DATETIME),
    ("sql_mode", "varchar(1023)", STRING),
];

/// A schema whose first `keys` columns are the primary key.
fn schema(columns: &[Form], keys: u16, first_tag: u64) -> message::Schema {
    let column = |(position, (name, sql_type, encoding)): (usize, &Form)| message::Column {
        name: (*name).into(),
        sql_type: (*sql_type).into(),
        display_order: position as i16,
        tag: first_tag + position as u64,
        encoding: *encoding,
        is_primary_key: position < usize::from(keys),
        is_nullable: position >= usize::from(keys),
        ..message::Column::default()
    };
    message::Schema {
        columns: columns.iter().enumerate().map(column).collect(),
        clustered_index: message::ClusteredIndex {
            key_columns: (0..keys).collect(),
            value_columns: (keys..columns.len() as u16).collect(),
        },
        collation: DEFAULT_COLLATION,
        target_row_bytes: TARGET_ROW_BYTES,
        secondary_indexes: Vec::new(),
        checks: Vec::new(),
        comment: "".into(),
    }
}

/// The schema of the table of definitions of this name, if it is one.
fn schema_of(name: &str) -> Option<message::Schema> {
    match name {
        SCHEMAS => Some(schema(&SCHEMAS_COLUMNS, 2, SCHEMAS_TAG)),
        PROCEDURES => Some(schema(&PROCEDURES_COLUMNS, 1, PROCEDURES_TAG)),
        _ => None,
    }
}

fn without_rows(objects: &Rc<Objects>, schema: &message::Schema) -> Result<Table> {
    Ok(TableDraft::new(objects, Schema::create(objects, schema)?)?.write()?)
}

/// The table of this name without rows, to be read; `None` where such a table holds no definitions. It is of no database, for where it is
/// asked for nothing may be written.
pub fn empty(name: &str) -> Result<Option<Table>> {
    schema_of(name).map(|schema| without_rows(Database::in_memory().objects(), &schema)).transpose()
}

/// The table of a root, or a new one without rows.
fn table(root: &RootValue, name: &str) -> Result<Table> {
    if let Some(table) = root.table(name)? {
        return Ok(table);
    }
    let schema = schema_of(name).ok_or_else(|| SqlError::internal("no table of definitions"))?;
    without_rows(root.objects(), &schema)
}

/// A row by the names of its columns; those that the table does not have are left out.
fn row(schema: &Schema, values: &[(&str, Value<'static>)]) -> Row {
    let value = |name: &str| values.iter().find(|(known, _)| *known == name).map_or(Value::Null, |(_, v)| v.clone());
    schema.columns.iter().map(|column| value(&column.name)).collect()
}

/// The root with one more row; `None` when there is one with that key.
fn add(root: &RootValue, name: &str, table: Table, values: &[(&str, Value<'static>)]) -> Result<Option<RootValue>> {
    let mut editor = TableEditor::new(table)?;
    let row = row(&editor.schema().clone(), values);
    let entry = editor.encode(&row)?;
    if editor.get(&entry.key)?.is_some() {
        return Ok(None);
    }
    editor.insert(&row, &entry)?;
    let table = editor.finish()?.ok_or_else(|| SqlError::internal("a definition that changes nothing"))?;
    Ok(Some(root.with_table(name, &table)?))
}

/// The table without a row; `None` when there is none with that key.
fn remove(table: Table, key: &[(&str, Value<'static>)]) -> Result<Option<Table>> {
    let mut editor = TableEditor::new(table)?;
    let wanted = row(&editor.schema().clone(), key);
    let wanted = editor.encode(&wanted)?;
    let Some(entry) = editor.get(&wanted.key)? else { return Ok(None) };
    let row = editor.decode(&entry)?;
    editor.delete(&row, &entry)?;
    editor.finish()
}

/// The root with a view, trigger or event; `None` when there is one of that kind and name.
///
/// # Errors
/// [`vcs::VcsError`] where nothing can be written.
pub fn add_fragment(root: &RootValue, fragment: &Fragment) -> Result<Option<RootValue>> {
    let table = table(root, SCHEMAS)?;
    let extra = Json::parse(&format!("{{\"CreatedAt\": {}}}", fragment.created_at))?;
    let values = [
        ("type", Value::text(fragment.kind.clone())),
        ("name", Value::text(fragment.name.clone())),
        ("fragment", Value::text(fragment.text.clone())),
        ("extra", Value::json(extra)),
        ("sql_mode", Value::text(fragment.sql_mode.clone())),
    ];
    add(root, SCHEMAS, table, &values)
}

/// The root without a view, trigger or event; `None` when there is none. The table goes with its last row.
///
/// # Errors
/// As [`add_fragment`].
pub fn drop_fragment(root: &RootValue, kind: &str, name: &str) -> Result<Option<RootValue>> {
    let Some(table) = root.table(SCHEMAS)? else { return Ok(None) };
    let key = [("type", Value::text(kind.to_owned())), ("name", Value::text(name.to_owned()))];
    let Some(table) = remove(table, &key)? else { return Ok(None) };
    Ok(Some(match table.rows().is_empty() {
        true => root.without_table(SCHEMAS)?,
        false => root.with_table(SCHEMAS, &table)?,
    }))
}

/// The root with a procedure; `None` when there is one of that name.
///
/// # Errors
/// As [`add_fragment`].
pub fn add_procedure(root: &RootValue, procedure: &StoredProcedure) -> Result<Option<RootValue>> {
    let table = table(root, PROCEDURES)?;
    let values = [
        ("name", Value::text(procedure.name.to_lowercase())),
        ("create_stmt", Value::text(procedure.create.to_string())),
        ("created_at", procedure.created.clone()),
        ("modified_at", procedure.modified.clone()),
        ("sql_mode", Value::text(procedure.sql_mode.clone())),
    ];
    add(root, PROCEDURES, table, &values)
}

/// The root without a procedure; `None` when there is none.
///
/// # Errors
/// As [`add_fragment`].
pub fn drop_procedure(root: &RootValue, name: &str) -> Result<Option<RootValue>> {
    let Some(table) = root.table(PROCEDURES)? else { return Ok(None) };
    let Some(table) = remove(table, &[("name", Value::text(name.to_lowercase()))])? else { return Ok(None) };
    Ok(Some(root.with_table(PROCEDURES, &table)?))
}
