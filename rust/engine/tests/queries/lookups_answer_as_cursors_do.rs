//! The short way of a prepared look-up gives the same bytes as the general way.

use engine::{Cursor, Session, Step, page};
use value::Value;

use crate::common;

/// The page of a cursor; `None` for no rows.
fn page_of(mut cursor: Cursor) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match cursor.next(i64::MAX).unwrap() {
        Step::Batch(batch) => {
            page::write(&batch, cursor.columns(), &mut out);
            Some(out)
        }
        _ => None,
    }
}

fn rows(session: &Session, sql: &str) -> Vec<Vec<Value<'static>>> {
    session.query(sql).and_then(Cursor::collect).expect(sql).1
}

fn text(value: &Value<'_>) -> String {
    value::to_text(value, &value::SqlType::LONGTEXT).map_or(String::new(), |t| String::from_utf8_lossy(&t).into_owned())
}

/// Asks for single columns and whole rows of every table by its key. Gives how many answers came the short way.
fn compare(database: &str) -> Option<u64> {
    let session = common::open(&common::fixture(database)?).expect("the fixture opens");
    let (mut found, mut missing) = (0, 0);
    for row in rows(&session, "SHOW FULL TABLES WHERE table_type = 'BASE TABLE'") {
        let table = text(&row[0]).replace('`', "``");
        let columns: Vec<Vec<String>> =
            rows(&session, &format!("DESCRIBE `{table}`")).iter().map(|row| row.iter().map(text).collect()).collect();
        let key: Vec<&str> =
            columns.iter().filter(|column| column[3] == "PRI").map(|column| column[0].as_str()).collect();
        if key.is_empty() {
            continue;
        }
        let list = |separator: &str, end: &str| {
            key.iter().map(|name| format!("`{name}`{end}")).collect::<Vec<_>>().join(separator)
        };
        let keys = rows(&session, &format!("SELECT {} FROM `{table}` LIMIT 40", list(", ", "")));
        let condition = list(" AND ", " = ?");
        let whole = "*".to_owned();
        for output in columns.iter().map(|column| format!("`{}`", column[0].replace('`', "``"))).chain([whole]) {
            let sql = format!("SELECT {output} FROM `{table}` WHERE {condition}");
            let prepared = session.prepare(&sql).unwrap();
            let absent = keys.first().map(|key| key.iter().map(|_| Value::Int(-77)).collect());
            let nothing = keys.first().map(|key| key.iter().map(|_| Value::Null).collect());
            for values in keys.iter().cloned().chain(absent).chain(nothing) {
                let Ok(cursor) = session.execute(&prepared, &values) else { continue };
                let general = page_of(cursor);
                let mut short = Vec::new();
                match session.find(&prepared, &values, &mut short).unwrap() {
                    None => {}
                    Some(0) => {
                        assert_eq!(general, None, "{sql} {values:?}");
                        missing += 1;
                    }
                    Some(_) => {
                        assert_eq!(general.as_deref(), Some(&short[..]), "{sql} {values:?}");
                        found += 1;
                    }
                }
            }
        }
    }
    assert!(found == 0 || missing > 0);
    Some(found)
}

#[test]
fn pages_are_the_same_bytes() {
    let databases = ["e_types", "d_mixed", "g_big"];
    let found: u64 = databases.iter().filter_map(|database| compare(database)).sum();
    if databases.iter().any(|database| common::fixture(database).is_some()) {
        assert!(found > 500, "{found} look-ups went the short way");
    }
}

#[test]
fn a_lookup_that_became_another_is_left_to_the_general_way() {
    let Some(directory) = common::fixture("d_mixed") else { return };
    let session = common::open(&directory).expect("the fixture opens");
    let prepared = session.prepare("SELECT name FROM authors WHERE id = ?").unwrap();
    let mut out = Vec::new();
    // Nothing is planned before the first execution.
    assert_eq!(session.find(&prepared, &[Value::Int(1)], &mut out).unwrap(), None);
    session.execute(&prepared, &[Value::Int(1)]).unwrap();
    assert_eq!(session.find(&prepared, &[Value::Int(1)], &mut out).unwrap(), Some(1));
    assert_eq!(session.find(&prepared, &[Value::UInt(1)], &mut out).unwrap(), Some(1));
    assert_eq!(session.find(&prepared, &[Value::Null], &mut out).unwrap(), Some(0));
    assert_eq!(session.find(&prepared, &[Value::text("1")], &mut out).unwrap(), None);
    assert_eq!(session.find(&prepared, &[], &mut out).unwrap(), None);
    session.query("USE `information_schema`").and_then(Cursor::collect).unwrap();
    assert_eq!(session.find(&prepared, &[Value::Int(1)], &mut out).unwrap(), None);
}
