//! What native Dolt and we tell about a statement, as one text.

use super::native::Outcome;

pub fn native_text(outcome: Outcome) -> String {
    match outcome {
        Outcome::Rows(table) => {
            let text =
                |cell: Option<Vec<u8>>| cell.map_or("NULL".into(), |cell| String::from_utf8_lossy(&cell).into_owned());
            let rows = table.rows.into_iter().map(|row| row.into_iter().map(text).collect::<Vec<_>>().join("|"));
            rows.collect::<Vec<_>>().join("\n")
        }
        Outcome::Done { .. } => "done".into(),
        Outcome::Failed { errno, message } => format!("error {errno}: {message}"),
        Outcome::Lost => "lost".into(),
    }
}

pub fn our_text(session: &engine::Session, sql: &str) -> String {
    match session.query(sql).and_then(engine::Cursor::collect) {
        Err(error) => format!("error {}: {}", error.errno, error.message),
        Ok((columns, _, _)) if columns.is_empty() => "done".into(),
        Ok((columns, rows, _)) => {
            let text = |(value, column): (&value::Value<'_>, &engine::page::ResultColumn)| {
                let text = value::to_text(value, &column.ty);
                text.map_or("NULL".into(), |text| String::from_utf8_lossy(&text).into_owned())
            };
            let rows = rows.iter().map(|row| row.iter().zip(&columns[..]).map(text).collect::<Vec<_>>().join("|"));
            rows.collect::<Vec<_>>().join("\n")
        }
    }
}
