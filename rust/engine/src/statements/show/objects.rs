//! SHOW of tables' sizes, views, triggers, procedures and events.

use std::rc::Rc;

use parse::ast::{self, StatementKind};
use value::Value;

use super::{place_of, text};
use crate::catalog::create_table::quoted;
use crate::catalog::{fragments, objects};
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::Session;
use crate::statements::Listing;
use crate::system_tables::row_bytes;

const CHARACTER_SETS: [&str; 3] = ["utf8mb4", "utf8mb4_0900_bin", "utf8mb4_0900_bin"];

/// A number as text: listings have text columns.
fn number(number: u64) -> Value<'static> {
    text(number.to_string())
}

/// A moment rounded to seconds.
fn moment(value: &Value<'_>) -> Value<'static> {
    let Value::DateTime(moment) = value else { return Value::Null };
    let Some(rounded) = moment.round(0) else { return Value::Null };
    match value::to_text(&Value::DateTime(rounded), &value::SqlType::DateTime { decimals: 0 }) {
        Some(bytes) => text(String::from_utf8_lossy(&bytes)),
        None => Value::Null,
    }
}

pub fn table_status(session: &Session, database: Option<&ast::Ident>) -> Result<Listing> {
    let mut listing = Listing::new(&[
        "Name",
        "Engine",
        "Version",
        "Row_format",
        "Rows",
        "Avg_row_length",
        "Data_length",
        "Max_data_length",
        "Index_length",
        "Data_free",
        "Auto_increment",
        "Create_time",
        "Update_time",
        "Check_time",
        "Collation",
        "Checksum",
        "Create_options",
        "Comment",
    ]);
    let root = place_of(session, database)?.root()?;
    for entry in root.tables() {
        let (name, address) = entry?;
        if vcs::is_system_table(&name) {
            continue;
        }
        let table = root.objects().table(&address)?;
        let schema = table.schema();
        let (rows, bytes) = (table.row_count()?, row_bytes(schema));
        let mut row = vec![text(&*name), text("InnoDB"), text("10"), text("Fixed"), number(rows)];
        row.push(number(if rows == 0 { 0 } else { bytes }));
        row.push(number(rows.saturating_mul(bytes)));
        row.extend([text("0"), text("0"), text("0")]);
        row.extend(vec![Value::Null; 4]);
        row.extend([text(schema.collation.name()), Value::Null, Value::Null, text(&*schema.comment)]);
        listing.push(row);
    }
    Ok(listing)
}

/// The definition without what stands before its query.
pub fn create_view(session: &Session, name: &ast::ObjectName) -> Result<Listing> {
    let place = place_of(session, name.database.as_ref())?;
    let fragments = fragments::read(session.catalog(), &place, &place.root()?)?;
    let view = fragments.into_iter().find(|fragment| fragment.kind == "view" && name.name.is(&fragment.name));
    let view = view.ok_or_else(|| SqlError::table_not_found(&name.name.text).at(name.span))?;
    let parsed = parse::statement(&view.text, &parse::Options::from_sql_mode(&view.sql_mode));
    let create = match parsed.statement.map(|statement| statement.kind) {
        Some(StatementKind::CreateView(parsed)) => {
            let query = objects::part(&view.text, parsed.definition);
            format!("CREATE VIEW {} AS {query}", quoted(&view.name))
        }
        _ => view.text,
    };
    let mut listing = Listing::new(&["View", "Create View", "character_set_client", "collation_connection"]);
    listing.push(vec![text(view.name), text(create), text(CHARACTER_SETS[0]), text(CHARACTER_SETS[1])]);
    Ok(listing)
}

pub fn triggers(
    session: &Session,
    sql: &str,
    database: Option<&ast::Ident>,
    filter: Option<&ast::ShowFilter>,
    context: Rc<Context>,
) -> Result<Cursor> {
    let mut listing = Listing::new(&[
        "Trigger",
        "Event",
        "Table",
        "Statement",
        "Timing",
        "Created",
        "sql_mode",
        "Definer",
        "character_set_client",
        "collation_connection",
        "Database Collation",
    ]);
    let place = place_of(session, database)?;
    for trigger in objects::triggers(session.catalog(), &place, &place.root()?)? {
        let mut row = vec![text(trigger.name), text(trigger.event), text(trigger.table), text(trigger.statement)];
        row.extend([text(trigger.timing), moment(&trigger.created), text(""), text("")]);
        row.extend(CHARACTER_SETS.map(text));
        listing.push(row);
    }
    listing.into_cursor_by(session, sql, filter, 2, context)
}

pub fn create_trigger(session: &Session, name: &ast::ObjectName) -> Result<Listing> {
    let mut listing = Listing::new(&[
        "Trigger",
        "sql_mode",
        "SQL Original Statement",
        "character_set_client",
        "collation_connection",
        "Database Collation",
        "Created",
    ]);
    let place = place_of(session, name.database.as_ref())?;
    let triggers = objects::triggers(session.catalog(), &place, &place.root()?)?;
    let trigger = triggers
        .into_iter()
        .find(|trigger| name.name.is(&trigger.name))
        .ok_or_else(|| SqlError::general(format!("trigger \"{}\" does not exist", name.name.text)).at(name.span))?;
    let mut row = vec![text(trigger.name), text(""), text(trigger.create)];
    row.extend(CHARACTER_SETS.map(text));
    row.push(moment(&trigger.created));
    listing.push(row);
    Ok(listing)
}

pub const ROUTINE_COLUMNS: [&str; 11] = [
    "Db",
    "Name",
    "Type",
    "Definer",
    "Modified",
    "Created",
    "Security_type",
    "Comment",
    "character_set_client",
    "collation_connection",
    "Database Collation",
];

pub fn procedures(
    session: &Session,
    sql: &str,
    filter: Option<&ast::ShowFilter>,
    context: Rc<Context>,
) -> Result<Cursor> {
    let mut listing = Listing::new(&ROUTINE_COLUMNS);
    let place = place_of(session, None)?;
    for procedure in objects::procedures(session.catalog(), &place, &place.root()?)? {
        let security = if procedure.runs_as_invoker { "INVOKER" } else { "DEFINER" };
        let mut row = vec![text(&*place.name), text(procedure.name), text("PROCEDURE"), text(procedure.definer)];
        row.extend([moment(&procedure.modified), moment(&procedure.created), text(security), text(procedure.comment)]);
        row.extend(CHARACTER_SETS.map(text));
        listing.push(row);
    }
    listing.into_cursor_by(session, sql, filter, 1, context)
}

pub fn create_procedure(session: &Session, name: &ast::ObjectName) -> Result<Listing> {
    let mut listing = Listing::new(&[
        "Procedure",
        "sql_mode",
        "Create Procedure",
        "character_set_client",
        "collation_connection",
        "Database Collation",
    ]);
    let place = place_of(session, name.database.as_ref())?;
    let procedures = objects::procedures(session.catalog(), &place, &place.root()?)?;
    let procedure = procedures.into_iter().find(|procedure| name.name.is(&procedure.name)).ok_or_else(|| {
        SqlError::general(format!("stored procedure \"{}\" does not exist", name.name.text)).at(name.span)
    })?;
    let mut row = vec![text(procedure.name), text(""), text(procedure.create)];
    row.extend(CHARACTER_SETS.map(text));
    listing.push(row);
    Ok(listing)
}

pub fn events(session: &Session, database: Option<&ast::Ident>) -> Result<Listing> {
    let mut listing = Listing::new(&[
        "Db",
        "Name",
        "Definer",
        "Time zone",
        "Type",
        "Execute At",
        "Interval Value",
        "Interval Field",
        "Starts",
        "Ends",
        "Status",
        "Originator",
        "character_set_client",
        "collation_connection",
        "Database Collation",
    ]);
    let place = place_of(session, database)?;
    for event in objects::events(session.catalog(), &place, &place.root()?)? {
        let typed = |typed: Option<String>| typed.map_or(Value::Null, text);
        let kind = if event.at.is_some() { "ONE TIME" } else { "RECURRING" };
        let (every, unit) = match event.every {
            Some((every, unit)) => (text(every), text(unit)),
            None => (Value::Null, Value::Null),
        };
        let mut row = vec![text(&*place.name), text(event.name), text(event.definer), text("SYSTEM"), text(kind)];
        row.extend([typed(event.at), every, unit, typed(event.starts), typed(event.ends)]);
        row.extend([text(event.status), text("0")]);
        row.extend(CHARACTER_SETS.map(text));
        listing.push(row);
    }
    Ok(listing)
}

pub fn create_event(session: &Session, name: &ast::ObjectName) -> Result<Listing> {
    let mut listing = Listing::new(&[
        "Event",
        "sql_mode",
        "time_zone",
        "Create Event",
        "character_set_client",
        "collation_connection",
        "Database Collation",
    ]);
    let place = place_of(session, name.database.as_ref())?;
    let events = objects::events(session.catalog(), &place, &place.root()?)?;
    let event = events
        .into_iter()
        .find(|event| name.name.is(&event.name))
        .ok_or_else(|| SqlError::new(1539, format!("Unknown event '{}'", name.name.text)).at(name.span))?;
    let mut row = vec![text(event.name), text(event.sql_mode), text("SYSTEM"), text(event.create)];
    row.extend(CHARACTER_SETS.map(text));
    listing.push(row);
    Ok(listing)
}
