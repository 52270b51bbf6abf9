//! Databases, tables, columns and views.

use parse::ast::StatementKind;
use value::{Collation, SqlType, Value};
use vcs::{Schema, Table};

use super::types::{data_type, lengths, numbers};
use super::{Asked, Row, Source, def, definitions, text};
use crate::bind::Binder;
use crate::catalog::{create_table, fragments, objects};
use crate::error::Result;
use crate::session::SessionNames;
use crate::statements::{extra, key_kind};

const DEFAULT: Collation = Collation::UTF8MB4_0900_BIN;

/// Databases with their collations, `information_schema` first.
fn all_databases(source: &Source, asked: &Asked<'_>) -> Result<Vec<(String, Collation)>> {
    let mut databases = Vec::new();
    if asked.admits("SCHEMA_NAME", super::NAME) {
        databases.push((super::NAME.to_owned(), DEFAULT));
    }
    for database in source.databases(asked, "SCHEMA_NAME") {
        let (place, root) = database?;
        databases.push((place.name.to_string(), root.collation()));
    }
    Ok(databases)
}

pub fn schemata(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    let row = |(name, collation): (String, Collation)| {
        let charset = text(collation.charset().name());
        vec![def(), text(name), charset, text(collation.name()), Value::Null, text("NO")]
    };
    Ok(all_databases(source, asked)?.into_iter().map(row).collect())
}

pub fn schemata_extensions(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    Ok(all_databases(source, asked)?.into_iter().map(|(name, _)| vec![def(), text(name), text("")]).collect())
}

/// The moment that stands where Dolt keeps none: 2000-01-01.
fn no_moment() -> Value<'static> {
    super::super::computed::moment(946_684_800_000)
}

/// Bytes that a row may take, as Dolt reckons: what its columns can hold.
pub fn row_bytes(schema: &Schema) -> u64 {
    let width = |ty: &SqlType| match lengths(ty) {
        (_, Value::Int(bytes)) => bytes as u64,
        _ => 8,
    };
    schema.columns.iter().filter(|column| !column.is_hidden).map(|column| width(&column.sql_type)).sum()
}

pub fn tables(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    if asked.admits("TABLE_SCHEMA", super::NAME) {
        for name in definitions::names().filter(|name| asked.admits("TABLE_NAME", name)) {
            let mut row = vec![def(), text(super::NAME), text(name), text("SYSTEM VIEW"), Value::Null];
            row.extend([Value::Int(10), Value::Null]);
            row.extend(vec![Value::UInt(0); 6]);
            row.extend([Value::Null, no_moment(), no_moment(), Value::Null]);
            row.extend([text("utf8mb3_general_ci"), Value::Null, text(""), text("")]);
            rows.push(row);
        }
    }
    for database in source.databases(asked, "TABLE_SCHEMA") {
        let (place, root) = database?;
        for stored in source.stored(&root, asked, "TABLE_NAME")? {
            rows.push(base_table(&place.name, &stored.name, &stored.table)?);
        }
        for fragment in fragments::read(source.catalog(), place, &root)? {
            if fragment.kind == "view" && asked.admits("TABLE_NAME", &fragment.name) {
                let mut row = vec![def(), text(&*place.name), text(fragment.name), text("VIEW")];
                row.resize(14, Value::Null);
                row.push(no_moment());
                row.resize(20, Value::Null);
                row.push(text("VIEW"));
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

fn base_table(database: &str, name: &str, table: &Table) -> Result<Row> {
    let schema = table.schema();
    let (count, bytes) = (table.row_count()?, row_bytes(schema));
    let counts = schema.columns.iter().any(|column| column.is_auto_increment);
    Ok(vec![
        def(),
        text(database),
        text(name),
        text("BASE TABLE"),
        text("InnoDB"),
        Value::Int(10),
        text("Dynamic"),
        Value::UInt(count),
        Value::UInt(bytes),
        Value::UInt(count.saturating_mul(bytes)),
        Value::UInt(0),
        Value::UInt(0),
        Value::UInt(0),
        if counts { Value::UInt(table.auto_increment()) } else { Value::Null },
        no_moment(),
        no_moment(),
        Value::Null,
        text(schema.collation.name()),
        Value::Null,
        text(""),
        text(&*schema.comment),
    ])
}

pub fn tables_extensions(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for database in source.databases(asked, "TABLE_SCHEMA") {
        let (place, root) = database?;
        for stored in source.stored(&root, asked, "TABLE_NAME")? {
            rows.push(vec![def(), text(&*place.name), text(stored.name)]);
        }
    }
    Ok(rows)
}

pub fn columns(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for database in source.databases(asked, "TABLE_SCHEMA") {
        let (place, root) = database?;
        for stored in source.stored(&root, asked, "TABLE_NAME")? {
            let schema = stored.table.schema();
            for (position, column) in schema.columns.iter().enumerate().filter(|(_, column)| !column.is_hidden) {
                let nullable = column.is_nullable && !column.is_primary_key;
                let srid = match column.sql_type {
                    SqlType::Geometry { srid: Some(srid), .. } => Value::UInt(u64::from(srid)),
                    _ => Value::Null,
                };
                let mut row = column_row(&place.name, &stored.name, position, &column.name, &column.sql_type, nullable);
                row[5] = column.default.as_deref().map_or(Value::Null, |default| shown_default(default, column));
                row[16] = text(key_of(schema, position));
                row[17] = text(extra(column));
                row[19] = text(&*column.comment);
                row[21] = srid;
                rows.push(row);
            }
        }
    }
    view_columns(source, asked, &mut rows)?;
    if asked.admits("TABLE_SCHEMA", super::NAME) {
        for name in definitions::names().filter(|name| asked.admits("TABLE_NAME", name)) {
            for (position, column) in definitions::columns(name)?.unwrap_or_default().iter().enumerate() {
                rows.push(column_row(super::NAME, name, position, &column.name, &column.ty.sql, column.ty.nullable));
            }
        }
    }
    Ok(rows)
}

/// The columns of views. Views that cannot be read any more are left out: what they were made of is gone.
fn view_columns(source: &Source, asked: &Asked<'_>, rows: &mut Vec<Row>) -> Result<()> {
    for database in source.databases(asked, "TABLE_SCHEMA") {
        let (place, root) = database?;
        for fragment in fragments::read(source.catalog(), place, &root)? {
            if fragment.kind != "view" || !asked.admits("TABLE_NAME", &fragment.name) {
                continue;
            }
            let Ok(Some(view)) = source.catalog().view(place, &fragment.name) else { continue };
            let names = SessionNames::new(source.catalog().clone(), asked.context.clone());
            let Ok(bound) = Binder::of_view(&names, &view) else { continue };
            for (position, column) in bound.columns.iter().enumerate() {
                let name = view.columns.get(position).map_or(&*column.name, |name| &**name);
                rows.push(column_row(&place.name, &fragment.name, position, name, &column.ty, column.nullable));
            }
        }
    }
    Ok(())
}

/// Other than in DESCRIBE every column of an index is marked.
fn key_of(schema: &Schema, position: usize) -> &'static str {
    match key_kind(schema, position) {
        "" if schema.indexes.iter().any(|index| index.columns.contains(&position)) => "MUL",
        kind => kind,
    }
}

/// Literals stand without quotes, expressions without their parentheses.
fn shown_default(default: &str, column: &vcs::Column) -> Value<'static> {
    if default.eq_ignore_ascii_case("null") {
        return Value::Null;
    }
    if matches!(column.sql_type, SqlType::Bit(_)) {
        return text(create_table::shown_default(default, &column.sql_type));
    }
    if column.sql_type.is_binary() && default.starts_with("0x") {
        return text(default.to_ascii_lowercase());
    }
    let quoted = default.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    text(match (quoted, default.strip_prefix('(').and_then(|text| text.strip_suffix(')'))) {
        (Some(literal), _) => literal.replace("''", "'"),
        (None, Some(expression)) => expression.to_owned(),
        (None, None) => default.to_owned(),
    })
}

fn column_row(database: &str, table: &str, position: usize, name: &str, ty: &SqlType, nullable: bool) -> Row {
    let (characters, bytes) = lengths(ty);
    let [precision, scale, fraction] = numbers(ty);
    let (charset, collation) = match ty.collation() {
        Some(collation) => (text(collation.charset().name()), text(collation.name())),
        None => (Value::Null, Value::Null),
    };
    vec![
        def(),
        text(database),
        text(table),
        text(name),
        Value::UInt(position as u64 + 1),
        Value::Null,
        text(if nullable { "YES" } else { "NO" }),
        text(data_type(ty)),
        characters,
        bytes,
        precision,
        scale,
        fraction,
        charset,
        collation,
        text(column_type(ty)),
        text(""),
        text(""),
        text("insert,references,select,update"),
        text(""),
        text(""),
        Value::Null,
    ]
}

/// A type with its parameters, without its collation.
pub fn column_type(ty: &SqlType) -> String {
    ty.shown_without_collation()
}

pub fn columns_extensions(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for database in source.databases(asked, "TABLE_SCHEMA") {
        let (place, root) = database?;
        for stored in source.stored(&root, asked, "TABLE_NAME")? {
            for column in stored.table.schema().columns.iter().filter(|column| !column.is_hidden) {
                rows.push(vec![def(), text(&*place.name), text(&*stored.name), text(&*column.name)]);
            }
        }
    }
    Ok(rows)
}

pub fn geometry_columns(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for database in source.databases(asked, "TABLE_SCHEMA") {
        let (place, root) = database?;
        for stored in source.stored(&root, asked, "TABLE_NAME")? {
            for column in stored.table.schema().columns.iter().filter(|column| !column.is_hidden) {
                let SqlType::Geometry { kind, srid } = column.sql_type else { continue };
                let system = match srid {
                    Some(4326) => text("WGS 84"),
                    Some(3857) => text("WGS 84 / Pseudo-Mercator"),
                    Some(_) => text(""),
                    None => Value::Null,
                };
                let srid = srid.map_or(Value::Null, |srid| Value::UInt(u64::from(srid)));
                let names = [&*place.name, &*stored.name, &*column.name].map(text);
                rows.push(std::iter::once(def()).chain(names).chain([system, srid, text(kind.name())]).collect());
            }
        }
    }
    Ok(rows)
}

pub fn views(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for database in source.databases(asked, "TABLE_SCHEMA") {
        let (place, root) = database?;
        for fragment in fragments::read(source.catalog(), place, &root)? {
            if fragment.kind != "view" || !asked.admits("TABLE_NAME", &fragment.name) {
                continue;
            }
            let parsed = parse::statement(&fragment.text, &parse::Options::from_sql_mode(&fragment.sql_mode));
            let Some(StatementKind::CreateView(view)) = parsed.statement.map(|statement| statement.kind) else {
                continue;
            };
            let check = match view.check_option {
                None => "NONE",
                Some(parse::ast::CheckOption::Local) => "LOCAL",
                Some(parse::ast::CheckOption::Cascaded) => "CASCADED",
            };
            let definer = match &view.definer {
                Some(account) => format!("{}@{}", account.user, account.host),
                None => "root@localhost".to_owned(),
            };
            rows.push(vec![
                def(),
                text(&*place.name),
                text(fragment.name.as_str()),
                text(objects::part(&fragment.text, view.definition)),
                text(check),
                text(if is_updatable(&view.query) { "YES" } else { "NO" }),
                text(definer),
                text(if view.invoker { "INVOKER" } else { "DEFINER" }),
                text("utf8mb4"),
                text("utf8mb4_0900_bin"),
            ]);
        }
    }
    Ok(rows)
}

/// Views without aggregation, DISTINCT, LIMIT or set operations.
fn is_updatable(query: &parse::ast::Query) -> bool {
    match &query.body {
        parse::ast::QueryBody::Select(select) => {
            select.group_by.is_none() && select.having.is_none() && !select.options.distinct && query.limit.is_none()
        }
        _ => false,
    }
}
