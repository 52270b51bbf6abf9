//! Triggers, procedures and events.

use value::{Collation, SqlType, Value};

use super::source::{Asked, Row, Source, def, text};
use super::tables::column_type;
use super::types::{data_type, lengths, numbers};
use crate::catalog::objects;
use crate::error::Result;

/// The last columns of all three: client, connection and database.
fn character_sets() -> [Value<'static>; 3] {
    ["utf8mb4", "utf8mb4_0900_bin", "utf8mb4_0900_bin"].map(text)
}

pub fn triggers(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_databases(asked, "TRIGGER_SCHEMA", &mut |place, root, rows| {
        let triggers = objects::triggers(source.catalog(), place, root)?;
        for (at, trigger) in triggers.iter().enumerate() {
            let is_same = |other: &&objects::Trigger| {
                (other.event, other.timing) == (trigger.event, trigger.timing)
                    && other.table.eq_ignore_ascii_case(&trigger.table)
            };
            let order = triggers[..at].iter().filter(is_same).count() as u64 + 1;
            let mut row = vec![def(), text(&*place.name), text(&*trigger.name), text(trigger.event)];
            row.extend([def(), text(&*place.name), text(&*trigger.table), Value::Int(order as i64), Value::Null]);
            row.extend([text(&*trigger.statement), text("ROW"), text(trigger.timing), Value::Null, Value::Null]);
            row.extend([text("OLD"), text("NEW"), trigger.created.clone(), text(&*trigger.sql_mode)]);
            row.push(text("root@localhost"));
            row.extend(character_sets());
            rows.push(row);
        }
        Ok(())
    })
}

pub fn routines(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_databases(asked, "ROUTINE_SCHEMA", &mut |place, root, rows| {
        for procedure in objects::procedures(source.catalog(), place, root)? {
            let mut row = vec![text(&*procedure.name), def(), text(&*place.name), text(&*procedure.name)];
            row.extend([text("PROCEDURE"), text("")]);
            row.extend(vec![Value::Null; 8]);
            row.extend([text("SQL"), text(procedure.body), Value::Null, text("SQL"), text("SQL")]);
            row.push(text(if procedure.is_deterministic { "YES" } else { "NO" }));
            row.extend([text(procedure.data_access), Value::Null]);
            row.push(text(if procedure.runs_as_invoker { "INVOKER" } else { "DEFINER" }));
            row.extend([in_seconds(procedure.created), in_seconds(procedure.modified), text(procedure.sql_mode)]);
            row.extend([text(procedure.comment), text(procedure.definer)]);
            row.extend(character_sets());
            rows.push(row);
        }
        Ok(())
    })
}

pub fn parameters(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_databases(asked, "SPECIFIC_SCHEMA", &mut |place, root, rows| {
        for procedure in objects::procedures(source.catalog(), place, root)? {
            for (at, parameter) in procedure.parameters.iter().enumerate() {
                let ty: Option<SqlType> = parameter.data_type.to_lowercase().parse().ok();
                let mut row = vec![def(), text(&*place.name), text(&*procedure.name), Value::UInt(at as u64 + 1)];
                row.extend([text(parameter.mode), text(&*parameter.name)]);
                match ty {
                    Some(ty) => {
                        let (characters, bytes) = lengths(&ty);
                        row.extend([text(data_type(&ty)), characters, bytes]);
                        row.extend(numbers(&ty));
                        let collation = ty
                            .collation()
                            .map(|collation: Collation| [text(collation.charset().name()), text(collation.name())]);
                        row.extend(collation.unwrap_or([Value::Null, Value::Null]));
                        row.push(text(column_type(&ty)));
                    }
                    None => {
                        row.push(text(parameter.data_type.to_lowercase()));
                        row.extend(vec![Value::Null; 7]);
                        row.push(text(&*parameter.data_type));
                    }
                }
                row.push(text("PROCEDURE"));
                rows.push(row);
            }
        }
        Ok(())
    })
}

/// A moment rounded to seconds.
fn in_seconds(value: Value<'static>) -> Value<'static> {
    match value {
        Value::DateTime(moment) => moment.round(0).map_or(Value::Null, Value::DateTime),
        other => other,
    }
}

/// A moment as it was typed in a schedule.
fn typed_moment(typed: Option<&str>) -> Value<'static> {
    let moment = typed.and_then(|typed| value::assign(&Value::text(typed), &SqlType::DateTime { decimals: 0 }).ok());
    moment.unwrap_or(Value::Null)
}

pub fn events(source: &Source, asked: &Asked<'_>) -> Result<Vec<Row>> {
    source.of_databases(asked, "EVENT_SCHEMA", &mut |place, root, rows| {
        for event in objects::events(source.catalog(), place, root)? {
            let (every, unit) = match event.every {
                Some((every, unit)) => (text(every), text(unit)),
                None => (Value::Null, Value::Null),
            };
            let mut row = vec![def(), text(&*place.name), text(event.name), text(event.definer), text("SYSTEM")];
            row.extend([text("SQL"), text(event.body)]);
            row.push(text(if event.at.is_some() { "ONE TIME" } else { "RECURRING" }));
            row.extend([typed_moment(event.at.as_deref()), every, unit, text(event.sql_mode)]);
            row.extend([typed_moment(event.starts.as_deref()), typed_moment(event.ends.as_deref())]);
            row.push(text(event.status));
            row.push(text(if event.is_kept { "PRESERVE" } else { "NOT PRESERVE" }));
            row.extend([event.created.clone(), event.created.clone(), event.created]);
            row.extend([text(event.comment), Value::Int(0)]);
            row.extend(character_sets());
            rows.push(row);
        }
        Ok(())
    })
}
