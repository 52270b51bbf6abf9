//! Triggers, procedures and events, as listings show them.

use std::rc::Rc;

use parse::ast::{self, EventSchedule, EventStatus, StatementKind, TriggerEvent, TriggerTime};
use tree::{Direction, Tuple, tuple};
use value::{DateTime, Value};
use vcs::RootValue;

use super::fragments::{self, Fragment};
use super::{Catalog, Place};
use crate::error::Result;

pub struct Trigger {
    pub name: String,
    /// `INSERT`, `UPDATE`, `DELETE`.
    pub event: &'static str,
    /// `BEFORE`, `AFTER`.
    pub timing: &'static str,
    pub table: String,
    /// The body.
    pub statement: String,
    /// The whole CREATE statement.
    pub create: String,
    pub created: Value<'static>,
    pub sql_mode: String,
    /// FOLLOWS (else PRECEDES) another one.
    pub order: Option<(bool, String)>,
}

pub struct Procedure {
    pub name: String,
    pub create: String,
    pub body: String,
    pub parameters: Vec<Parameter>,
    pub created: Value<'static>,
    pub modified: Value<'static>,
    pub sql_mode: String,
    pub comment: String,
    /// `user@host`; empty when none was named.
    pub definer: String,
    pub is_deterministic: bool,
    /// `READS SQL DATA`, say.
    pub data_access: &'static str,
    pub runs_as_invoker: bool,
}

pub struct Parameter {
    /// `IN`, `OUT`, `INOUT`.
    pub mode: &'static str,
    pub name: String,
    /// As it was typed.
    pub data_type: String,
}

pub struct Event {
    pub name: String,
    pub create: String,
    pub body: String,
    pub definer: String,
    /// For an event that happens once.
    pub at: Option<String>,
    /// How often and of what unit, for one that comes back.
    pub every: Option<(String, String)>,
    pub starts: Option<String>,
    pub ends: Option<String>,
    /// `ENABLED`, `DISABLED`.
    pub status: &'static str,
    pub is_kept: bool,
    pub comment: String,
    pub created: Value<'static>,
    pub sql_mode: String,
}

fn moment(seconds: i64) -> Value<'static> {
    let moment = seconds.checked_mul(1_000_000).and_then(DateTime::from_microseconds);
    moment.map_or(Value::Null, Value::DateTime)
}

/// A part of a definition as it was typed.
pub fn part(text: &str, span: ast::Span) -> String {
    text.get(span.start as usize..span.end as usize).unwrap_or_default().trim_end_matches(';').trim().to_owned()
}

fn literal(text: &str, expr: &ast::Expr) -> String {
    let text = part(text, expr.span);
    text.trim_matches('\'').to_owned()
}

fn of_kind(catalog: &Catalog, place: &Place, root: &RootValue, kind: &str) -> Result<Vec<Fragment>> {
    let mut fragments = fragments::read(catalog, place, root)?;
    fragments.retain(|fragment| fragment.kind == kind);
    Ok(fragments)
}

/// The triggers of a root, by name and as FOLLOWS and PRECEDES put them. Definitions that cannot be read are left out.
pub fn triggers(catalog: &Catalog, place: &Place, root: &RootValue) -> Result<Vec<Trigger>> {
    let triggers = of_kind(catalog, place, root, "trigger")?.into_iter().filter_map(|fragment| {
        let Some(StatementKind::CreateTrigger(trigger)) = parse::kept(&fragment.text, &fragment.sql_mode) else {
            return None;
        };
        let order = trigger.order.as_ref().map(|order| (order.follows, order.other.text.to_string()));
        Some(Trigger {
            order,
            event: match trigger.event {
                TriggerEvent::Insert => "INSERT",
                TriggerEvent::Update => "UPDATE",
                TriggerEvent::Delete => "DELETE",
            },
            timing: match trigger.time {
                TriggerTime::Before => "BEFORE",
                TriggerTime::After => "AFTER",
            },
            table: trigger.table.name.text.to_string(),
            statement: part(&fragment.text, trigger.body.span),
            name: fragment.name,
            create: fragment.text,
            created: moment(fragment.created_at),
            sql_mode: fragment.sql_mode,
        })
    });
    let mut triggers: Vec<Trigger> = triggers.collect();
    let moved: Vec<String> =
        triggers.iter().filter(|trigger| trigger.order.is_some()).map(|trigger| trigger.name.clone()).collect();
    for name in moved {
        let Some(at) = triggers.iter().position(|trigger| trigger.name == name) else { continue };
        let trigger = triggers.remove(at);
        let other = trigger.order.as_ref().and_then(|(follows, other)| {
            let at = triggers.iter().position(|known| known.name.eq_ignore_ascii_case(other))?;
            Some(if *follows { at + 1 } else { at })
        });
        triggers.insert(other.unwrap_or(triggers.len()), trigger);
    }
    Ok(triggers)
}

pub fn events(catalog: &Catalog, place: &Place, root: &RootValue) -> Result<Vec<Event>> {
    let events = of_kind(catalog, place, root, "event")?.into_iter().filter_map(|fragment| {
        let Some(StatementKind::CreateEvent(event)) = parse::kept(&fragment.text, &fragment.sql_mode) else {
            return None;
        };
        let text = &fragment.text;
        let (mut at, mut every, mut starts, mut ends) = (None, None, None, None);
        match &event.schedule {
            EventSchedule::At(expr) => at = Some(literal(text, expr)),
            EventSchedule::Every { every: interval, starts: first, ends: last } => {
                let interval = part(text, interval.span);
                let interval = interval.trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim();
                every = interval
                    .rsplit_once(char::is_whitespace)
                    .map(|(count, unit)| (count.trim().trim_matches('\'').to_owned(), unit.to_ascii_uppercase()));
                starts = first.as_ref().map(|expr| literal(text, expr));
                ends = last.as_ref().map(|expr| literal(text, expr));
            }
        }
        let definer = match &event.definer {
            Some(account) => part(text, account.span),
            None => "`root`@`localhost`".to_owned(),
        };
        Some(Event {
            body: part(text, event.body.span),
            definer,
            at,
            every,
            starts,
            ends,
            status: if event.status.is_none_or(|status| status == EventStatus::Enable) {
                "ENABLED"
            } else {
                "DISABLED"
            },
            is_kept: event.preserve == Some(true),
            comment: event.comment.as_deref().unwrap_or_default().to_owned(),
            created: moment(fragment.created_at),
            name: fragment.name,
            sql_mode: fragment.sql_mode,
            create: fragment.text,
        })
    });
    Ok(events.collect())
}

fn parameter(text: &str, parameter: &ast::ProcedureParameter) -> Parameter {
    let mode = match parameter.mode {
        ast::ParameterMode::In => "IN",
        ast::ParameterMode::Out => "OUT",
        ast::ParameterMode::InOut => "INOUT",
    };
    Parameter { mode, name: parameter.name.text.to_string(), data_type: part(text, parameter.data_type.span) }
}

/// A row of `dolt_procedures`.
pub struct StoredProcedure {
    /// In lower case.
    pub name: String,
    pub create: Rc<str>,
    pub created: Value<'static>,
    pub modified: Value<'static>,
    pub sql_mode: String,
}

/// One procedure, its name in any case.
pub fn procedure(catalog: &Catalog, place: &Place, root: &RootValue, name: &str) -> Result<Option<StoredProcedure>> {
    let stored = stored_procedures(catalog, place, root)?;
    Ok(stored.into_iter().find(|procedure| procedure.name.eq_ignore_ascii_case(name)))
}

fn stored_procedures(catalog: &Catalog, place: &Place, root: &RootValue) -> Result<Vec<StoredProcedure>> {
    let Some(table) = catalog.stored(place, root, "dolt_procedures")? else { return Ok(Vec::new()) };
    let schema = table.schema().clone();
    let nodes = table.table.objects().nodes();
    let value_of = |name: &str, key: &[u8], value: &[u8]| -> Result<Value<'static>> {
        let Some(position) = schema.column(name) else { return Ok(Value::Null) };
        let (bytes, descriptor, field) = match schema.columns[position].place {
            vcs::Place::Key(field) => (key, &schema.key, field),
            vcs::Place::Value(field) => (value, &schema.value, field),
            vcs::Place::Virtual => return Ok(Value::Null),
        };
        let Some(kind) = descriptor.fields().get(field) else { return Ok(Value::Null) };
        Ok(tuple::decode(nodes, kind, Tuple::new(bytes).field(field))?.into_owned())
    };
    let text_of = |name: &str, key: &[u8], value: &[u8]| -> Result<String> {
        Ok(match value_of(name, key, value)? {
            Value::Text(text) => text.into_owned(),
            _ => String::new(),
        })
    };
    let mut procedures = Vec::new();
    let mut scan = table.table.rows().scan(None, None, Direction::Forward)?;
    while let Some(span) = scan.next_span(usize::MAX)? {
        for item in span.items.clone() {
            let (key, value) = (span.leaf.key(item), span.leaf.value(item));
            procedures.push(StoredProcedure {
                name: text_of("name", key, value)?,
                create: text_of("create_stmt", key, value)?.into(),
                created: value_of("created_at", key, value)?,
                modified: value_of("modified_at", key, value)?,
                sql_mode: text_of("sql_mode", key, value)?,
            });
        }
    }
    Ok(procedures)
}

/// The rows of `dolt_procedures`, by name. Definitions that cannot be read are left out.
pub fn procedures(catalog: &Catalog, place: &Place, root: &RootValue) -> Result<Vec<Procedure>> {
    let procedures = stored_procedures(catalog, place, root)?.into_iter().filter_map(|stored| {
        let StoredProcedure { name, create, created, modified, sql_mode } = stored;
        let Some(StatementKind::CreateProcedure(procedure)) = parse::kept(&create, &sql_mode) else { return None };
        let has = |wanted: &ast::Characteristic| procedure.characteristics.contains(wanted);
        let comment = procedure.characteristics.iter().find_map(|characteristic| match characteristic {
            ast::Characteristic::Comment(text) => Some(text.to_string()),
            _ => None,
        });
        let data_access = procedure.characteristics.iter().rev().find_map(|characteristic| match characteristic {
            ast::Characteristic::ContainsSql => Some("CONTAINS SQL"),
            ast::Characteristic::NoSql => Some("NO SQL"),
            ast::Characteristic::ReadsSqlData => Some("READS SQL DATA"),
            ast::Characteristic::ModifiesSqlData => Some("MODIFIES SQL DATA"),
            _ => None,
        });
        Some(Procedure {
            name,
            data_access: data_access.unwrap_or("CONTAINS SQL"),
            body: part(&create, procedure.body.span),
            is_deterministic: has(&ast::Characteristic::Deterministic(true)),
            runs_as_invoker: has(&ast::Characteristic::SecurityInvoker),
            comment: comment.unwrap_or_default(),
            definer: procedure.definer.as_ref().map_or_else(String::new, |a| format!("{}@{}", a.user, a.host)),
            parameters: procedure.parameters.iter().map(|of| parameter(&create, of)).collect(),
            created,
            modified,
            create: create.to_string(),
            sql_mode,
        })
    });
    Ok(procedures.collect())
}
