//! What a session reads in a text, for the client: the names in it, the roles of its placeholders, and whether it is a query whose rows
//! are rows of one table.

use engine::Session;
use parse::Utf16Offsets;

use crate::buffers;

/// Writes an analysis to the output: u32 count of placeholders and a u32 role of each; u32 1 for a query over rows of one table, with its
/// table, its alias and u32 start and end of its select list and of its condition (0 and 0 for none), else 0; then names to the end.
/// Offsets are UTF-16 units, a text is its u32 length in bytes and its bytes.
pub(crate) fn write(session: &Session, sql: &str) {
    let options = session.state().variables.borrow().syntax();
    let offsets = Utf16Offsets::new(sql);
    let outline = parse::outline(sql, options);
    let query = parse::row_query(sql, options);
    buffers::write_output(|out| {
        put(out, outline.placeholders.len() as u32);
        for placeholder in outline.placeholders {
            put(out, placeholder.role as u32);
        }
        put(out, u32::from(query.is_some()));
        if let Some(query) = query {
            put_text(out, &query.table);
            put_text(out, &query.alias);
            for span in [query.selected, query.condition.unwrap_or_default()] {
                put(out, offsets.of(span.start));
                put(out, offsets.of(span.end));
            }
        }
        for name in parse::names(sql, options) {
            put_text(out, &name);
        }
    });
}

fn put(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}
