//! What may stand at a place in SQL text, for the editor: keywords, and names of the catalog.

use std::collections::BTreeSet;

use engine::Session;
use parse::Options;
use parse::lexer::Lexer;
use parse::token::TokenKind;
use value::Value;

use crate::buffers;

/// Kinds of completions; the digits are part of the protocol.
#[derive(Clone, Copy)]
enum Kind {
    Keyword = 0,
    Database = 1,
    Table = 2,
    Column = 3,
}

struct Completion {
    kind: Kind,
    label: String,
    detail: String,
}

/// Writes the completions at `at` (UTF-16 units) to the output: u32 start of the word, then lines of a kind's digit, a label, a
/// tab and a detail.
pub(crate) fn write(session: &Session, sql: &str, at: u32) {
    let end = byte_offset(sql, at);
    let before = sql.get(..end).unwrap_or(sql);
    let start = before
        .rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .map_or(0, |last| last + before[last..].chars().next().map_or(1, char::len_utf8));
    let word = before[start..].to_lowercase();
    let mut completions = names(session, sql);
    completions.extend(
        parse::keyword::keywords()
            .into_iter()
            .filter(|(text, _)| text.starts_with(|c: char| c.is_ascii_alphabetic()))
            .map(|(text, _)| Completion { kind: Kind::Keyword, label: text.to_owned(), detail: String::new() }),
    );
    buffers::write_output(|out| {
        let from = before[..start].encode_utf16().count() as u32;
        out.extend_from_slice(&from.to_le_bytes());
        for Completion { kind, label, detail } in completions {
            if label.to_lowercase().starts_with(&word) {
                out.extend_from_slice(format!("{}{label}\t{detail}\n", kind as u8).as_bytes());
            }
        }
    });
}

fn byte_offset(sql: &str, at: u32) -> usize {
    let mut units = 0;
    for (offset, character) in sql.char_indices() {
        if units >= at as usize {
            return offset;
        }
        units += character.len_utf16();
    }
    sql.len()
}

/// Databases, tables, and the columns of tables that the text names.
fn names(session: &Session, sql: &str) -> Vec<Completion> {
    let mut found = Vec::new();
    let words = words(sql);
    for row in rows(session, "SHOW DATABASES") {
        found.extend(completion(Kind::Database, row.first(), None));
    }
    for row in rows(session, "SHOW TABLES") {
        let Some(table) = completion(Kind::Table, row.first(), None) else { continue };
        if words.contains(&table.label.to_lowercase()) {
            let columns = format!("SHOW COLUMNS FROM `{}`", table.label.replace('`', "``"));
            for row in rows(session, &columns) {
                found.extend(completion(Kind::Column, row.first(), row.get(1)));
            }
        }
        found.push(table);
    }
    found
}

/// A name with a line break in it cannot be completed: it would break the protocol's lines.
fn completion(kind: Kind, label: Option<&Value<'_>>, detail: Option<&Value<'_>>) -> Option<Completion> {
    let text = |value: Option<&Value<'_>>| match value {
        Some(Value::Text(text)) => Some(text.to_string()),
        _ => None,
    };
    let label = text(label).filter(|label| !label.contains(['\n', '\t']))?;
    let detail = text(detail).unwrap_or_default().replace(['\n', '\t'], " ");
    Some(Completion { kind, label, detail })
}

/// Every name in the text, in lower case.
fn words(sql: &str) -> BTreeSet<String> {
    let mut lexer = Lexer::new(sql, Options::default());
    let mut words = BTreeSet::new();
    loop {
        let token = lexer.next_token();
        match token.kind {
            TokenKind::End | TokenKind::Bad => return words,
            TokenKind::Word(_) | TokenKind::QuotedName => {
                let text = sql.get(token.span.start as usize..token.span.end as usize).unwrap_or_default();
                words.insert(text.trim_matches('`').to_lowercase());
            }
            _ => {}
        }
    }
}

/// Rows of a statement; none when it fails, for there is nobody to tell: completion only proposes.
fn rows(session: &Session, sql: &str) -> Vec<Vec<Value<'static>>> {
    session.query(sql).and_then(engine::Cursor::collect).map_or_else(|_| Vec::new(), |(_, rows, _)| rows)
}
