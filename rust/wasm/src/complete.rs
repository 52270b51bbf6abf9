//! Completion for the editor: `parse` gives the kinds of names that may follow, the catalog gives the names.

use engine::{Cursor, Session};
use parse::{Completion, NameKind, Options, TableInScope};
use value::Value;

use crate::buffers;
use crate::layout::ProposalKind as Kind;

struct Proposal {
    kind: Kind,
    label: String,
    /// Such as a column's type.
    detail: String,
}

/// Writes the proposals at `at` (UTF-16 units) to the output: u32 start of the word to replace, then lines of a kind's digit, a
/// label, a tab and a detail.
///
/// `session` is one of its own: reading the catalog is done in SQL, and must not touch what the person's session remembers.
pub(crate) fn write(session: &Session, sql: &str, at: u32) {
    let offset = byte_offset(sql, at);
    let completion = parse::complete(sql, offset, &Options::default());
    let typed = sql.get(completion.replace.start as usize..offset as usize).unwrap_or_default();
    let typed = typed.trim_start_matches('`').to_lowercase();
    let from = sql.get(..completion.replace.start as usize).unwrap_or_default().encode_utf16().count() as u32;
    let proposals = proposals(session, &completion);
    buffers::write_output(|out| {
        out.extend_from_slice(&from.to_le_bytes());
        for Proposal { kind, label, detail } in proposals {
            if label.to_lowercase().starts_with(&typed) && !label.contains(['\n', '\t']) {
                let detail = detail.replace(['\n', '\t'], " ");
                out.extend_from_slice(format!("{}{label}\t{detail}\n", kind as u8).as_bytes());
            }
        }
    });
}

fn byte_offset(sql: &str, at: u32) -> u32 {
    let mut units = 0;
    for (offset, character) in sql.char_indices() {
        if units >= at as usize {
            return offset as u32;
        }
        units += character.len_utf16();
    }
    sql.len() as u32
}

fn proposals(session: &Session, completion: &Completion) -> Vec<Proposal> {
    let wants = |kind| completion.names.contains(&kind);
    let mut found = Vec::new();
    if wants(NameKind::Column) {
        found.extend(columns(session, completion));
    }
    if wants(NameKind::Table) || wants(NameKind::View) {
        found.extend(tables(session, completion));
    }
    if completion.qualifiers.is_empty() {
        if wants(NameKind::Database) || wants(NameKind::Table) {
            found.extend(first_column(session, "SHOW DATABASES", Kind::Database));
        }
        if wants(NameKind::Function) {
            let names = engine::functions::callable_names();
            found.extend(names.map(|name| proposal(Kind::Function, name.to_uppercase())));
        }
        found.extend(completion.keywords.iter().map(|keyword| proposal(Kind::Keyword, *keyword)));
    }
    found
}

/// Columns of the tables in scope; after `t.` only those of `t`. The names of the tables as well, to be followed by a point.
fn columns(session: &Session, completion: &Completion) -> Vec<Proposal> {
    let qualifier = completion.qualifiers.last();
    let mut found = Vec::new();
    for table in &completion.tables {
        let known_as = table.alias.as_ref().or(table.name.as_ref());
        if qualifier.is_some_and(|wanted| known_as.is_none_or(|name| !name.eq_ignore_ascii_case(wanted))) {
            continue;
        }
        found.extend(columns_of(session, table));
        if let (None, Some(name)) = (qualifier, known_as) {
            found.push(proposal(Kind::Table, &**name));
        }
    }
    found
}

fn columns_of(session: &Session, table: &TableInScope) -> Vec<Proposal> {
    let Some(name) = &table.name else { return Vec::new() };
    let database =
        table.database.as_ref().map_or_else(String::new, |database| format!("{}.", parse::quote_name(database)));
    let rows = rows(session, &format!("SHOW COLUMNS FROM {database}{}", parse::quote_name(name)));
    let column = |row: &Vec<Value<'static>>| {
        let detail = row.get(1).map(text).unwrap_or_default();
        Some(Proposal { kind: Kind::Column, label: text(row.first()?), detail })
    };
    rows.iter().filter_map(column).collect()
}

/// Tables of the current database, or of the one before the point; names from WITH.
fn tables(session: &Session, completion: &Completion) -> Vec<Proposal> {
    match completion.qualifiers.as_slice() {
        [] => {
            let mut found = first_column(session, "SHOW TABLES", Kind::Table);
            found.extend(completion.common_tables.iter().map(|name| proposal(Kind::Table, &**name)));
            found
        }
        [database] => first_column(session, &format!("SHOW TABLES FROM {}", parse::quote_name(database)), Kind::Table),
        _ => Vec::new(),
    }
}

fn proposal(kind: Kind, label: impl Into<String>) -> Proposal {
    Proposal { kind, label: label.into(), detail: String::new() }
}

fn first_column(session: &Session, sql: &str, kind: Kind) -> Vec<Proposal> {
    rows(session, sql).iter().filter_map(|row| Some(proposal(kind, text(row.first()?)))).collect()
}

fn text(value: &Value<'_>) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        _ => String::new(),
    }
}

/// Rows of a statement; none when it fails, for a completion only proposes.
fn rows(session: &Session, sql: &str) -> Vec<Vec<Value<'static>>> {
    session.query(sql).and_then(Cursor::collect).map_or_else(|_| Vec::new(), |(_, rows, _)| rows)
}
