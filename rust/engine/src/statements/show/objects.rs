//! SHOW of tables' sizes, views, triggers, procedures and events.

use std::rc::Rc;

use parse::ast::{self, StatementKind};
use parse::quote_name;
use value::{SqlType, Value};

use super::{place_of, text};
use crate::catalog::{Listed, fragments, objects};
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::Session;
use crate::statements::listing::Listing;
use crate::system_tables::{INFORMATION_SCHEMA, global_tables, information_schema_width, row_bytes};

/// The character set and the collation of the session, as the reference has it, and the collation of databases.
fn character_sets(session: &Session) -> [Value<'static>; 3] {
    let variables = session.state().variables.borrow();
    let [charset, collation] = ["character_set_client", "collation_connection"].map(|name| text(variables.text(name)));
    [charset, collation, text("utf8mb4_0900_bin")]
}

const MOMENT: SqlType = SqlType::DateTime { decimals: 0 };

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
    ])
    .with(SqlType::BIGINT_UNSIGNED, &[4, 5, 6, 7])
    .with(SqlType::BIGINT, &[8, 9, 10])
    .with(MOMENT, &[11, 12, 13]);
    let row = |name: &str, rows: u64, bytes: u64, collation: &str, comment: &str| {
        let mut row = vec![text(name.to_owned()), text("InnoDB"), text("10"), text("Fixed"), Value::UInt(rows)];
        row.push(Value::UInt(if rows == 0 { 0 } else { bytes }));
        row.push(Value::UInt(rows.saturating_mul(bytes)));
        row.extend([text("0"), text("0"), text("0")]);
        row.extend(vec![Value::Null; 4]);
        row.extend([text(collation.to_owned()), Value::Null, Value::Null, text(comment.to_owned())]);
        row
    };
    let used = session.state().database();
    if let Some(named) = database.map(|database| &*database.text).or(used.as_deref())
        && let Some((tables, _)) = global_tables(named)
    {
        let is_of_statistics = named.eq_ignore_ascii_case(INFORMATION_SCHEMA);
        for name in tables {
            listing.push(match information_schema_width(name)? {
                Some(width) if is_of_statistics => {
                    // As the reference estimates what it has not computed.
                    let rows = if matches!(name, "parameters" | "routines") { 10 } else { 1000 };
                    row(name, rows, width as u64 * u64::from(u16::MAX), "utf8mb3_general_ci", "")
                }
                _ => row(name, 0, 0, "utf8mb3_bin", ""),
            });
        }
        return Ok(listing);
    }
    let place = place_of(session, database)?;
    for Listed { name, address, root } in place.listed(&place.root()?)? {
        if vcs::is_system_table(&name) {
            continue;
        }
        let table = root.objects().table(&address)?;
        let schema = table.schema();
        let (rows, bytes) = (table.row_count()?, row_bytes(schema));
        listing.push(row(&name, rows, bytes, schema.collation.name(), &schema.comment));
    }
    Ok(listing)
}

/// The definition from its query on.
pub fn create_view(session: &Session, name: &ast::ObjectName) -> Result<Listing> {
    let place = place_of(session, name.database.as_ref())?;
    let fragments = fragments::read(session.catalog(), &place, &place.root()?)?;
    let view = fragments.into_iter().find(|fragment| fragment.kind == "view" && name.name.is(&fragment.name));
    let view = view.ok_or_else(|| SqlError::table_not_found(&name.name.text).at(name.span))?;
    let create = match parse::kept(&view.text, &view.sql_mode) {
        Some(StatementKind::CreateView(parsed)) => {
            let query = objects::part(&view.text, parsed.definition);
            format!("CREATE VIEW {} AS {query}", quote_name(&view.name))
        }
        _ => view.text,
    };
    let mut listing = Listing::new(&["View", "Create View", "character_set_client", "collation_connection"]);
    let [charset, collation, _] = character_sets(session);
    listing.push(vec![text(view.name), text(create), charset, collation]);
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
    ])
    .with(MOMENT, &[5]);
    let place = place_of(session, database)?;
    for trigger in objects::triggers(session.catalog(), &place, &place.root()?)? {
        let mut row = vec![text(trigger.name), text(trigger.event), text(trigger.table), text(trigger.statement)];
        row.extend([text(trigger.timing), trigger.created, text(""), text("")]);
        row.extend(character_sets(session));
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
    ])
    .with(MOMENT, &[6]);
    let place = place_of(session, name.database.as_ref())?;
    let triggers = objects::triggers(session.catalog(), &place, &place.root()?)?;
    let trigger = triggers
        .into_iter()
        .find(|trigger| name.name.is(&trigger.name))
        .ok_or_else(|| SqlError::general(format!("trigger \"{}\" does not exist", name.name.text)).at(name.span))?;
    let mut row = vec![text(trigger.name), text(""), text(trigger.create)];
    row.extend(character_sets(session));
    row.push(trigger.created);
    listing.push(row);
    Ok(listing)
}

/// No procedure or function yet.
pub fn routines([charset, collation]: [&str; 2]) -> Listing {
    Listing::new(&[
        "Db",
        "Name",
        "Type",
        "Definer",
        "Modified",
        "Created",
        "Security_type",
        "Comment",
        charset,
        collation,
        "Database Collation",
    ])
    .with(MOMENT, &[4, 5])
}

pub fn procedures(
    session: &Session,
    sql: &str,
    filter: Option<&ast::ShowFilter>,
    context: Rc<Context>,
) -> Result<Cursor> {
    let mut listing = routines(["character_set_client", "collation_connection"]);
    let place = place_of(session, None)?;
    for procedure in objects::procedures(session.catalog(), &place, &place.root()?)? {
        let security = if procedure.runs_as_invoker { "INVOKER" } else { "DEFINER" };
        let mut row = vec![text(&*place.name), text(procedure.name), text("PROCEDURE"), text(procedure.definer)];
        row.extend([procedure.modified, procedure.created, text(security), text(procedure.comment)]);
        row.extend(character_sets(session));
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
    let (known, create) = match procedures.into_iter().find(|procedure| name.name.is(&procedure.name)) {
        Some(procedure) => (procedure.name, procedure.create),
        // As the reference has it, who defines these for itself in the same way.
        None if crate::procedures::is_procedure(&name.name.text) => {
            let known = name.name.text.to_lowercase();
            let create = format!("CREATE PROCEDURE {known}() SELECT 'External stored procedure';");
            (known, create)
        }
        None => {
            let error = SqlError::general(format!("stored procedure \"{}\" does not exist", name.name.text));
            return Err(error.at(name.span));
        }
    };
    let mut row = vec![text(known), text(""), text(create)];
    row.extend(character_sets(session));
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
    ])
    .with(MOMENT, &[5, 8, 9])
    .with(SqlType::BIGINT_UNSIGNED, &[6, 11]);
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
        row.extend(character_sets(session));
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
        .ok_or_else(|| SqlError::general(format!("Unknown event '{}'", name.name.text)).at(name.span))?;
    let mut row = vec![text(event.name), text(event.sql_mode), text("SYSTEM"), text(event.create)];
    row.extend(character_sets(session));
    listing.push(row);
    Ok(listing)
}
