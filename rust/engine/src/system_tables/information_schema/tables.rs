//! Databases, tables, columns and views.

use parse::ast::StatementKind;
use value::{Collation, SqlType, Value};
use vcs::Schema;

use super::definitions;
use super::source::{Asked, Row, Source, StoredTable, def, text};
use super::types::{data_type, lengths, numbers};
use crate::bind::Binder;
use crate::catalog::column_notes::{full_extra, is_computed, key_kinds};
use crate::catalog::{Place, create_table, objects};
use crate::error::Result;
use crate::names::SessionNames;

const DEFAULT: Collation = Collation::UTF8MB4_0900_BIN;

/// A row of each database, `information_schema` first.
fn all_databases(source: &Source, asked: &Asked<'_>, row: fn(String, Collation) -> Row) -> Result<Vec<Row>> {
    let first = asked.admits("SCHEMA_NAME", super::NAME).then(|| row(super::NAME.to_owned(), DEFAULT));
    let stored = source.of_databases(asked, "SCHEMA_NAME", &mut |place, root, rows| {
        rows.push(row(place.name.to_string(), root.collation()));
        Ok(())
    })?;
    Ok(first.into_iter().chain(stored).collect())
}

pub fn schemata(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    all_databases(source, asked, |name, collation| {
        let charset = text(collation.charset().name());
        vec![def(), text(name), charset, text(collation.name()), Value::Null, text("NO")]
    })
}

pub fn schemata_extensions(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    all_databases(source, asked, |name, _| vec![def(), text(name), text("")])
}

/// The time shown where Dolt stores none: 2000-01-01.
fn no_moment() -> Value<'static> {
    crate::system_tables::relation::computed::moment(946_684_800_000)
}

/// Bytes that a row may take, as Dolt reckons: what its columns can hold.
pub fn row_bytes(schema: &Schema) -> u64 {
    let width = |ty: &SqlType| match (ty, lengths(ty)) {
        (SqlType::Enum(_), _) => 2,
        (SqlType::Decimal { precision, .. }, _) => u64::from(*precision).min(30),
        (SqlType::Json, _) => 20,
        (SqlType::Time, _) => 16,
        (SqlType::Set(_), _) => 8,
        (_, (_, Value::Int(bytes))) => bytes as u64,
        _ => 8,
    };
    schema.columns.iter().map(|column| width(&column.sql_type)).sum()
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
    rows.extend(source.of_databases(asked, "TABLE_SCHEMA", &mut |place, root, rows| {
        asked.each_table(place, root, &mut |stored| {
            rows.push(base_table(stored)?);
            Ok(())
        })?;
        for view in source.views(asked, place, root)? {
            let mut row = vec![def(), text(&*place.name), text(view.name), text("VIEW")];
            row.resize(14, Value::Null);
            row.push(no_moment());
            row.resize(20, Value::Null);
            row.push(text("VIEW"));
            rows.push(row);
        }
        Ok(())
    })?);
    Ok(rows)
}

fn base_table(stored: &StoredTable<'_>) -> Result<Row> {
    let table = &stored.table;
    let schema = table.schema();
    let (count, bytes) = (table.row_count()?, row_bytes(schema));
    let counts = schema.columns.iter().any(|column| column.is_auto_increment);
    let next_number = Some(table.auto_increment()).filter(|next| counts && *next > 1);
    Ok(vec![
        def(),
        text(stored.database),
        text(&*stored.name),
        text("BASE TABLE"),
        text("InnoDB"),
        Value::Int(10),
        text("Dynamic"),
        Value::UInt(count),
        Value::UInt(if count == 0 { 0 } else { bytes }),
        Value::UInt(count.saturating_mul(bytes)),
        Value::UInt(0),
        Value::UInt(0),
        Value::UInt(0),
        next_number.map_or(Value::Null, Value::UInt),
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
    source.of_tables(asked, "TABLE_SCHEMA", &mut |stored, rows| {
        rows.push(vec![def(), text(stored.database), text(&*stored.name)]);
        Ok(())
    })
}

/// A column with the table that it is listed in.
struct ListedColumn<'a> {
    database: &'a str,
    table: &'a str,
    /// Counted from 0.
    position: usize,
    name: &'a str,
    ty: &'a SqlType,
    is_nullable: bool,
}

/// What native Dolt's calendar makes of the zero date.
const NO_DAY: &str = "-0001-11-30 00:00:00";

pub fn columns(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    let mut rows = source.of_tables(asked, "TABLE_SCHEMA", &mut |stored, rows| {
        let schema = stored.table.schema();
        let kinds = key_kinds(schema);
        for (position, column) in schema.columns.iter().enumerate().filter(|(_, column)| !column.is_hidden) {
            let listed = ListedColumn {
                database: stored.database,
                table: &stored.name,
                position,
                name: &column.name,
                ty: &column.sql_type,
                is_nullable: column.is_nullable && !column.is_primary_key,
            };
            let mut row = listed.row();
            row[5] = column.default.as_deref().map_or(Value::Null, |default| shown_default(default, &column.sql_type));
            row[16] = text(kinds[position]);
            row[17] = text(full_extra(column));
            row[19] = text(&*column.comment);
            if let Some(generated) = &column.generated {
                let expression = create_table::shown_expression(&generated.expression);
                // It is kept with a pair of parentheses more.
                let within = expression.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
                row[20] = text(within.filter(|text| text.starts_with('(')).unwrap_or(&expression));
            }
            row[21] = match column.sql_type {
                SqlType::Geometry { srid: Some(srid), .. } => Value::UInt(u64::from(srid)),
                _ => Value::Null,
            };
            rows.push(row);
        }
        Ok(())
    })?;
    rows.extend(source.of_databases(asked, "TABLE_SCHEMA", &mut |place, root, rows| {
        for view in source.views(asked, place, root)? {
            add_view_columns(source, asked, place, &view.name, rows);
        }
        Ok(())
    })?);
    if asked.admits("TABLE_SCHEMA", super::NAME) {
        for name in definitions::names().filter(|name| asked.admits("TABLE_NAME", name)) {
            for (position, column) in definitions::columns(name)?.unwrap_or_default().iter().enumerate() {
                let (ty, is_nullable) = (&column.ty.sql, column.ty.nullable);
                let listed =
                    ListedColumn { database: super::NAME, table: name, position, name: &column.name, ty, is_nullable };
                let mut row = listed.row();
                if let Some(default) = column.shows.as_ref().and_then(|shown| shown.default.as_deref()) {
                    row[5] = shown_default(default, ty);
                }
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

/// The columns of a view. One that cannot be read any more has none: what it was made of is gone.
fn add_view_columns(source: &Source, asked: &Asked<'_>, place: &Place, name: &str, rows: &mut Vec<Row>) {
    let Ok(Some(view)) = source.catalog().view(place, name) else { return };
    let names = SessionNames::new(source.catalog().clone(), asked.context.clone());
    let Ok(bound) = Binder::of_view(&names, &view) else { return };
    for (position, column) in bound.columns.iter().enumerate() {
        let (ty, is_nullable) = column.declaration();
        let listed = ListedColumn {
            database: &place.name,
            table: name,
            position,
            name: view.columns.get(position).map_or(&*column.name, |name| &**name),
            ty,
            is_nullable,
        };
        let mut row = listed.row();
        if let Some(default) = &column.default {
            row[5] = shown_default(default, ty);
            row[17] = text(if is_computed(default) { "DEFAULT_GENERATED" } else { "" });
        }
        rows.push(row);
    }
}

/// Literals have no quotes, expressions without their parentheses; days are midnights, and seconds whole.
fn shown_default(default: &str, ty: &SqlType) -> Value<'static> {
    if default.eq_ignore_ascii_case("null") {
        return Value::Null;
    }
    if matches!(ty, SqlType::Bit(_)) {
        return text(create_table::shown_default(default, ty));
    }
    if create_table::is_of_bytes(default, ty) {
        return text(default.to_ascii_lowercase());
    }
    if let (SqlType::Time, Some(time)) = (ty, create_table::shown_time(default)) {
        return text(time);
    }
    let default = &*create_table::shown_expression(default);
    let quoted = default.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    text(match (quoted, default.strip_prefix('(').and_then(|text| text.strip_suffix(')'))) {
        (Some(literal), _) if ty.is_date() => {
            let moment = SqlType::DateTime { decimals: 6 };
            match value::convert::cast(&Value::text(literal), &moment, &mut Vec::new()) {
                Ok(Value::DateTime(moment)) if !literal.starts_with("0000") => {
                    let text = moment.text(6);
                    text.split_once('.').map_or(&*text, |(seconds, _)| seconds).to_owned()
                }
                _ => NO_DAY.to_owned(),
            }
        }
        (Some(literal), _) => literal.replace("''", "'"),
        (None, Some(expression)) => expression.to_owned(),
        (None, None) if ty.is_date() && default == "0" => NO_DAY.to_owned(),
        (None, None) => default.to_owned(),
    })
}

impl ListedColumn<'_> {
    fn row(&self) -> Row {
        let (characters, bytes) = lengths(self.ty);
        let [precision, scale, fraction] = numbers(self.ty);
        let (charset, collation) = match self.ty.collation() {
            Some(collation) => (text(collation.charset().name()), text(collation.name())),
            None => (Value::Null, Value::Null),
        };
        vec![
            def(),
            text(self.database),
            text(self.table),
            text(self.name),
            Value::UInt(self.position as u64 + 1),
            Value::Null,
            text(if self.is_nullable { "YES" } else { "NO" }),
            text(data_type(self.ty)),
            characters,
            bytes,
            precision,
            scale,
            fraction,
            charset,
            collation,
            text(column_type(self.ty)),
            text(""),
            text(""),
            text("insert,references,select,update"),
            text(""),
            text(""),
            Value::Null,
        ]
    }
}

/// A type with its parameters, without its collation.
pub fn column_type(ty: &SqlType) -> String {
    ty.shown_without_collation()
}

pub fn columns_extensions(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_tables(asked, "TABLE_SCHEMA", &mut |stored, rows| {
        for column in stored.table.schema().columns.iter().filter(|column| !column.is_hidden) {
            rows.push(vec![def(), text(stored.database), text(&*stored.name), text(&*column.name)]);
        }
        Ok(())
    })
}

pub fn geometry_columns(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_tables(asked, "TABLE_SCHEMA", &mut |stored, rows| {
        for column in stored.table.schema().columns.iter().filter(|column| !column.is_hidden) {
            let SqlType::Geometry { kind, srid } = column.sql_type else { continue };
            let system = match srid {
                Some(4326) => text("WGS 84"),
                Some(3857) => text("WGS 84 / Pseudo-Mercator"),
                Some(_) => text(""),
                None => Value::Null,
            };
            let srid = srid.map_or(Value::Null, |srid| Value::UInt(u64::from(srid)));
            let names = [stored.database, &*stored.name, &*column.name].map(text);
            rows.push(std::iter::once(def()).chain(names).chain([system, srid, text(kind.name())]).collect());
        }
        Ok(())
    })
}

pub fn views(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_databases(asked, "TABLE_SCHEMA", &mut |place, root, rows| {
        for fragment in source.views(asked, place, root)? {
            let Some(StatementKind::CreateView(view)) = parse::kept(&fragment.text, &fragment.sql_mode) else {
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
        Ok(())
    })
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
