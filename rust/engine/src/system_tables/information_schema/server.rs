//! What the server is: character sets, words, users.

use codec::CompactSort;
use value::{Charset, Collation, Value};

use super::source::{Asked, Row, Source, def, text};
use crate::error::Result;
use crate::functions::spatial::srids;

/// The one that new tables have, as in the reference; SHOW CHARACTER SET has them all.
pub fn character_sets(_: &Source, _: &Asked<'_>) -> Result<Vec<Row>> {
    let defaults =
        Collation::all().filter(|collation| collation.is_default() && collation.charset() == Charset::Utf8mb4);
    let row = |collation: Collation| {
        let charset = collation.charset();
        let bytes = Value::UInt(u64::from(charset.character_bytes_max()));
        vec![text(charset.name()), text(collation.name()), text(charset.description()), bytes]
    };
    Ok(defaults.map(row).collect())
}

pub fn collations(_: &Source, _: &Asked<'_>) -> Result<Vec<Row>> {
    let row = |collation: Collation| {
        vec![
            text(collation.name()),
            text(collation.charset().name()),
            Value::UInt(u64::from(collation.id())),
            text(if collation.is_default() { "Yes" } else { "" }),
            text("Yes"),
            Value::UInt(u64::from(collation.sort_length())),
            text(collation.pad_attribute()),
        ]
    };
    Ok(Collation::all().map(row).collect())
}

pub fn applicability(_: &Source, _: &Asked<'_>) -> Result<Vec<Row>> {
    Ok(Collation::all().map(|collation| vec![text(collation.name()), text(collation.charset().name())]).collect())
}

pub fn engines(_: &Source, _: &Asked<'_>) -> Result<Vec<Row>> {
    let comment = "Supports transactions, row-level locking, and foreign keys";
    Ok(vec![["InnoDB", "DEFAULT", comment, "YES", "YES", "YES"].map(text).into()])
}

pub fn process_list(source: &Source, _: &Asked<'_>) -> Result<Vec<Row>> {
    let state = &source.catalog().state;
    let database = state.database().map_or(Value::Null, |database| text(&*database));
    Ok(vec![vec![
        Value::UInt(state.connection_id),
        text("root"),
        text("localhost"),
        database,
        text("Query"),
        Value::Int(0),
        text("running"),
        text(&**state.query.borrow()),
    ]])
}

pub fn keywords(_: &Source, _: &Asked<'_>) -> Result<Vec<Row>> {
    let mut words: Vec<_> = parse::keyword::listed().collect();
    words.compact_sort_by_key(|(word, _)| word.to_ascii_lowercase());
    // Native Dolt's list ends with a word that is none.
    words.push(("", false));
    Ok(words.into_iter().map(|(word, reserved)| vec![text(word), Value::boolean(reserved)]).collect())
}

const UNITS: &str = include_str!("units.txt");

pub fn units(_: &Source, _: &Asked<'_>) -> Result<Vec<Row>> {
    let row = |line: &str| {
        let (name, metres) = line.rsplit_once(',')?;
        Some(vec![text(name), text("LINEAR"), Value::Double(metres.parse().ok()?), text("")])
    };
    Ok(UNITS.lines().filter_map(row).collect())
}

/// What the one user may do: everything.
pub const PRIVILEGES: [&str; 30] = [
    "SELECT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "CREATE",
    "DROP",
    "RELOAD",
    "SHUTDOWN",
    "PROCESS",
    "FILE",
    "REFERENCES",
    "INDEX",
    "ALTER",
    "SHOW DATABASES",
    "SUPER",
    "CREATE TEMPORARY TABLES",
    "LOCK TABLES",
    "EXECUTE",
    "REPLICATION SLAVE",
    "REPLICATION CLIENT",
    "CREATE VIEW",
    "SHOW VIEW",
    "CREATE ROUTINE",
    "ALTER ROUTINE",
    "CREATE USER",
    "EVENT",
    "TRIGGER",
    "CREATE TABLESPACE",
    "CREATE ROLE",
    "DROP ROLE",
];

pub fn user_privileges(_: &Source, _: &Asked<'_>) -> Result<Vec<Row>> {
    let row = |privilege: &str| vec![text("'root'@'localhost'"), def(), text(privilege), text("YES")];
    Ok(PRIVILEGES.into_iter().map(row).collect())
}

pub fn user_attributes(_: &Source, _: &Asked<'_>) -> Result<Vec<Row>> {
    Ok(vec![vec![text("root"), text("localhost"), Value::Null]])
}

/// Those with their definitions: the plane, WGS 84, and what maps of the web are drawn in.
const SYSTEMS: &str = include_str!("systems.txt");

/// Of the others only the numbers are listed.
pub fn reference_systems(_: &Source, _: &Asked<'_>) -> Result<Vec<Row>> {
    let row = |srid: u16| {
        let number = Value::UInt(srid.into());
        let mut known = SYSTEMS.lines().filter_map(|line| {
            let (own, rest) = line.split_once(',')?;
            let (name, definition) = rest.split_once(',')?;
            (own.parse() == Ok(srid)).then_some((name, definition))
        });
        let (organization, its_number) = match srid {
            0 => (Value::Null, Value::Null),
            _ => (text("EPSG"), number.clone()),
        };
        let (name, definition) = match known.next() {
            Some((name, definition)) => (name.to_owned(), definition),
            None => (format!("EPSG:{srid}"), ""),
        };
        vec![text(name), number, organization, its_number, text(definition), Value::Null]
    };
    Ok(srids::all().map(row).collect())
}
