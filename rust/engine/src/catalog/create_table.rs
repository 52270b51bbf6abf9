//! SHOW CREATE TABLE (docs/format/sql-surface.md, section 6.1).

use std::borrow::Cow;
use std::fmt::Write;

use parse::quote_name;
use tree::message::schema::TARGET_ROW_BYTES;
use value::{Collation, SqlType, Value};
use vcs::{Column, ForeignKey, Index, ReferentialAction, RootValue, Schema, Table};

use super::column_notes::is_computed;
use crate::error::Result;

/// The statement that makes a table of `root` anew, without a semicolon at its end.
pub fn create_table(name: &str, table: &Table, root: &RootValue) -> Result<String> {
    let counts = table.schema().columns.iter().any(|column| column.is_auto_increment);
    let next = Some(table.auto_increment()).filter(|next| counts && *next > 1);
    statement(name, table.schema(), root, next, Style::Shown)
}

/// The same for a definition alone, as diffs of schemas show it: without the next AUTO_INCREMENT value, with a semicolon.
pub fn definition(name: &str, schema: &Schema, root: &RootValue) -> Result<String> {
    Ok(format!("{};", statement(name, schema, root, None, Style::Diffed)?))
}

/// What differs between SHOW CREATE TABLE and diffs of schemas.
#[derive(Clone, Copy)]
enum Style {
    /// Names of columns in back-ticks, members by their numbers.
    Shown,
    /// Expressions as they are stored, those of generated columns in parentheses of their own; members by their names.
    Diffed,
}

fn statement(
    name: &str,
    schema: &Schema,
    root: &RootValue,
    auto_increment: Option<u64>,
    style: Style,
) -> Result<String> {
    let columns = schema.columns.iter().filter(|column| !column.is_hidden);
    let mut lines: Vec<String> = columns.map(|column| column_line(column, schema, style)).collect();
    if !schema.primary_key.is_empty() {
        let names: Vec<String> = schema.primary_key.iter().map(|&at| quote_name(&schema.columns[at].name)).collect();
        lines.push(format!("PRIMARY KEY ({})", names.join(",")));
    }
    lines.extend(schema.indexes.iter().map(|index| index_line(index, schema)));
    for key in root.foreign_keys_of(name)? {
        lines.push(foreign_key(&key, root)?);
    }
    for check in &schema.checks {
        let enforced = if check.is_enforced { "" } else { " /*!80016 NOT ENFORCED */" };
        lines.push(format!("CONSTRAINT {} CHECK ({}){enforced}", quote_name(&check.name), check.expression));
    }
    let mut text = format!("CREATE TABLE {} (\n  {}\n) ENGINE=InnoDB", quote_name(name), lines.join(",\n  "));
    if let Some(next) = auto_increment {
        let _ = write!(text, " AUTO_INCREMENT={next}");
    }
    let collation = schema.collation;
    let _ = write!(text, " DEFAULT CHARSET={} COLLATE={}", collation.charset().name(), collation.name());
    if !schema.comment.is_empty() {
        let _ = write!(text, " COMMENT={}", comment(&schema.comment));
    }
    if schema.target_row_bytes != TARGET_ROW_BYTES {
        let _ = write!(text, " TARGET_ROW_SIZE={}", schema.target_row_bytes);
    }
    Ok(text)
}

/// A string literal.
pub fn string(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A comment in quotes, on one line.
fn comment(text: &str) -> String {
    let plain = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
    string(&plain.replace('\0', "\\0"))
}

/// A column's type as people are shown it: a collation is named only where it is not the table's.
pub fn shown_type(sql: &SqlType, table: Collation) -> String {
    let text = match sql {
        // Without a precision it has none.
        SqlType::DateTime { decimals: 0 } => "datetime".to_owned(),
        SqlType::Timestamp { decimals: 0 } => "timestamp".to_owned(),
        SqlType::Geometry { kind, srid: Some(_) } => kind.name().to_owned(),
        sql => sql.to_string(),
    };
    match sql.collation() {
        Some(collation) if collation != table => {
            let bare = text.split(" CHARACTER SET ").next().unwrap_or_default();
            let bare = bare.split(" COLLATE ").next().unwrap_or_default();
            let charset = match collation.charset() == table.charset() {
                true => String::new(),
                false => format!(" CHARACTER SET {}", collation.charset().name()),
            };
            format!("{bare}{charset} COLLATE {}", collation.name())
        }
        Some(_) => {
            let bare = text.split(" CHARACTER SET ").next().unwrap_or_default();
            bare.split(" COLLATE ").next().unwrap_or_default().to_owned()
        }
        None => text,
    }
}

/// The default as it is written after DEFAULT: literals are quoted, bits are binary, expressions have parentheses.
pub fn shown_default(default: &str, ty: &SqlType) -> String {
    // Members are shown by their numbers.
    let literal = default.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    match (ty, literal) {
        (SqlType::Enum(kind), Some(text)) => {
            if let Some(index) = kind.find(&text.replace("''", "'")) {
                return format!("'{index}'");
            }
        }
        (SqlType::Set(kind), Some(text)) => {
            if let Ok(bits) = kind.parse(&text.replace("''", "'")) {
                return format!("'{bits}'");
            }
        }
        (SqlType::Time, _) => {
            if let Some(time) = shown_time(default) {
                return string(&time);
            }
        }
        _ => {}
    }
    named_default(&shown_expression(default), ty)
}

/// The default of a TIME, which may be written with fewer digits and is shown with a fraction where it has one.
pub fn shown_time(default: &str) -> Option<String> {
    let time = value::convert::cast(&Value::text(default.trim_matches('\'')), &SqlType::Time, &mut Vec::new()).ok()?;
    let text = String::from_utf8(value::to_text(&time, &SqlType::Time)?.into_owned()).ok()?;
    Some(text.trim_end_matches(".000000").to_owned())
}

/// A default or a generated value with the names of columns in back-ticks, however they are stored.
pub fn shown_expression(text: &str) -> Cow<'_, str> {
    if !text.starts_with('(') {
        return text.into();
    }
    // Some changes of a table have added more parentheses.
    let printed = match text.starts_with("((") || text.starts_with("(CURRENT_TIMESTAMP") {
        true => parse::kept_expression(text).ok().and_then(|expr| parse::print_stored(&expr).ok()),
        false => None,
    };
    parse::respell_columns(printed.as_deref().unwrap_or(text), parse::quote_name).into()
}

/// The same with members by their names, as diffs of schemas show them.
fn named_default(default: &str, ty: &SqlType) -> String {
    if let (SqlType::Bit(_), Ok(bits)) = (ty, default.trim_matches('\'').parse::<u64>()) {
        return format!("b'{bits:b}'");
    }
    let is_zero_moment = default == "0" && (ty.is_date() || *ty == SqlType::Time);
    if is_zero_moment && *ty == SqlType::Time {
        return string("00:00:00");
    }
    if is_computed(default)
        || is_zero_moment
        || default.starts_with('\'')
        || is_of_bytes(default, ty)
        || default.eq_ignore_ascii_case("null")
    {
        default.to_owned()
    } else {
        string(default)
    }
}

/// Whether the stored text of a default is bytes, `0x4142`: in quotes it would be the letters of their digits.
pub fn is_of_bytes(default: &str, ty: &SqlType) -> bool {
    ty.is_binary() && default.starts_with("0x")
}

/// A column's line in the definition of its table, as diffs of schemas show it.
pub fn column_definition(column: &Column, schema: &Schema) -> String {
    column_line(column, schema, Style::Diffed)
}

fn column_line(column: &Column, schema: &Schema, style: Style) -> String {
    let mut line = format!("{} {}", quote_name(&column.name), shown_type(&column.sql_type, schema.collation));
    if !column.is_nullable || column.is_primary_key {
        line.push_str(" NOT NULL");
    }
    line.push_str(&attributes(column, style));
    line
}

/// The attributes after the type of a column of a system table that shows a stored one.
pub fn shown_attributes(column: &Column) -> String {
    attributes(column, Style::Shown)
}

/// The attributes after the type of a column and NOT NULL.
fn attributes(column: &Column, style: Style) -> String {
    let mut line = String::new();
    if let SqlType::Geometry { srid: Some(srid), .. } = column.sql_type {
        let _ = write!(line, " /*!80003 SRID {srid} */");
    }
    if let Some(generated) = &column.generated {
        let expression = &generated.expression;
        let _ = match style {
            Style::Shown => write!(line, " GENERATED ALWAYS AS {}", shown_expression(expression)),
            Style::Diffed => write!(line, " GENERATED ALWAYS AS ({expression})"),
        };
        if !generated.is_virtual {
            line.push_str(" STORED");
        }
    }
    if column.is_auto_increment {
        line.push_str(" AUTO_INCREMENT");
    }
    if let Some(default) = &column.default {
        let default = match style {
            Style::Shown => shown_default(default, &column.sql_type),
            Style::Diffed => named_default(default, &column.sql_type),
        };
        let _ = write!(line, " DEFAULT {default}");
    }
    if let Some(on_update) = &column.on_update {
        let _ = write!(line, " ON UPDATE {on_update}");
    }
    if !column.comment.is_empty() {
        let _ = write!(line, " COMMENT {}", comment(&column.comment));
    }
    line
}

/// What an index is called before its name.
pub fn index_kind(index: &Index) -> &'static str {
    match index {
        _ if index.fulltext.is_some() => "FULLTEXT KEY",
        _ if index.is_spatial => "SPATIAL KEY",
        _ if index.vector.is_some() => "VECTOR KEY",
        _ if index.is_unique => "UNIQUE KEY",
        _ => "KEY",
    }
}

fn index_line(index: &Index, schema: &Schema) -> String {
    let kind = index_kind(index);
    let mut line = format!("{kind} {} ({})", quote_name(&index.name), index_columns(index, schema));
    if !index.comment.is_empty() {
        let _ = write!(line, " COMMENT {}", string(&index.comment.replace('\\', "\\\\")));
    }
    line
}

/// The columns of an index, in back-ticks, with their prefix lengths.
pub fn index_columns(index: &Index, schema: &Schema) -> String {
    let columns = index.columns.iter().zip(index.prefix_lengths()).map(|(&at, prefix)| {
        let column = &schema.columns[at];
        match (&column.generated, column.is_hidden) {
            // The hidden column of a functional index represents its expression.
            (Some(generated), true) => generated.expression.to_string(),
            _ if prefix > 0 => format!("{}({prefix})", quote_name(&column.name)),
            _ => quote_name(&column.name),
        }
    });
    columns.collect::<Vec<_>>().join(",")
}

/// A foreign key's line in the definition of its table.
pub fn foreign_key(key: &ForeignKey, root: &RootValue) -> Result<String> {
    let columns = root.key_columns(key)?;
    let names = |names: &[Box<str>]| names.iter().map(|name| quote_name(name)).collect::<Vec<_>>().join(",");
    let mut line = format!(
        "CONSTRAINT {} FOREIGN KEY ({}) REFERENCES {} ({})",
        quote_name(&key.name),
        names(&columns.child),
        quote_name(&key.parent_table),
        names(&columns.parent)
    );
    for (event, action) in [("DELETE", key.on_delete), ("UPDATE", key.on_update)] {
        let action = match action {
            ReferentialAction::Default => continue,
            ReferentialAction::Cascade => "CASCADE",
            ReferentialAction::NoAction => "NO ACTION",
            ReferentialAction::Restrict => "RESTRICT",
            ReferentialAction::SetNull => "SET NULL",
        };
        let _ = write!(line, " ON {event} {action}");
    }
    Ok(line)
}
