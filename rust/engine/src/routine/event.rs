//! CREATE, ALTER and DROP of events. Nothing runs them: they are kept for a server that does.
//!
//! What is stored is not the text that was typed but one made of the event's parts, with its times worked out.

use std::rc::Rc;

use parse::ast::{
    self, AlterEvent, CreateEvent, DropObjects, EventSchedule, EventStatus, ExprKind, IntervalUnit, StatementKind,
};
use value::{DateTime, SqlType, Value};

use super::compile;
use super::define::{Change, sql_mode};
use crate::catalog::fragments::{self, Fragment};

use crate::catalog::{Place, objects};
use crate::cursor::Cursor;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::names::value_alone;
use crate::session::Session;
use crate::write::definitions;

/// The parts of an event.
struct Event {
    definer: String,
    name: String,
    schedule: Schedule,
    is_kept: bool,
    status: EventStatus,
    comment: String,
    body: String,
}

enum Schedule {
    At(DateTime),
    Every { interval: String, starts: DateTime, ends: Option<DateTime> },
}

/// Evaluates what a statement says about an event.
struct Reader<'a> {
    session: &'a Session,
    sql: &'a str,
    context: Rc<Context>,
}

impl Reader<'_> {
    fn value(&self, expr: &ast::Expr) -> Result<Value<'static>> {
        value_alone(self.sql, expr, &self.context)
    }

    fn moment(&self, clause: &str, expr: &ast::Expr) -> Result<DateTime> {
        let value = self.value(expr)?;
        match value::cast(&value, &SqlType::DateTime { decimals: 0 }, &mut Vec::new()) {
            Ok(Value::DateTime(moment)) => Ok(moment),
            _ => {
                let text = value::convert::to_string(&value).unwrap_or_default().into_owned();
                Err(SqlError::general(format!("Incorrect {clause} value: '{text}'")).at(expr.span))
            }
        }
    }

    fn schedule(&self, schedule: &EventSchedule) -> Result<Schedule> {
        match schedule {
            EventSchedule::At(expr) => Ok(Schedule::At(self.moment("AT", expr)?)),
            EventSchedule::Every { every, starts, ends } => {
                let ExprKind::Interval { value, unit } = &every.kind else {
                    return Err(SqlError::internal("an event without interval"));
                };
                let count = self.value(value)?;
                let count = value::convert::to_string(&count)?.into_owned();
                let too_big = || SqlError::general("INTERVAL is either not positive or too big").at(every.span);
                let interval = interval(&count, *unit).ok_or_else(too_big)?;
                let starts = match starts {
                    Some(expr) => self.moment("STARTS", expr)?,
                    None => in_seconds(self.context.now()),
                };
                let ends = ends.as_ref().map(|expr| self.moment("ENDS", expr)).transpose()?;
                if ends.is_some_and(|ends| ends < starts) {
                    return Err(SqlError::general("ENDS is either invalid or before STARTS").at(every.span));
                }
                Ok(Schedule::Every { interval, starts, ends })
            }
        }
    }

    fn event(&self, event: &CreateEvent) -> Result<Event> {
        Ok(Event {
            definer: definer(event.definer.as_ref()),
            name: event.name.name.text.to_string(),
            schedule: self.schedule(&event.schedule)?,
            is_kept: event.preserve == Some(true),
            status: self.status(event.status),
            comment: event.comment.as_deref().unwrap_or_default().to_owned(),
            body: objects::part(self.sql, event.body.span),
        })
    }

    fn status(&self, status: Option<EventStatus>) -> EventStatus {
        match status {
            Some(EventStatus::DisableOnReplica) => {
                let text = "DISABLE ON SLAVE status is not supported yet, used DISABLE status instead.";
                self.session.state().warn(1235, text);
                EventStatus::Disable
            }
            status => status.unwrap_or(EventStatus::Enable),
        }
    }
}

fn in_seconds(moment: DateTime) -> DateTime {
    let microseconds = moment.microseconds();
    DateTime::from_microseconds(microseconds - microseconds.rem_euclid(1_000_000)).unwrap_or(moment)
}

fn definer(account: Option<&ast::Account>) -> String {
    account.map_or_else(|| "`root`@`localhost`".to_owned(), |account| format!("`{}`@`{}`", account.user, account.host))
}

/// `90 MINUTE`, `'1:30' HOUR_MINUTE`: years, months, days, hours, minutes and seconds, weeks and quarters worked out.
fn interval(count: &str, unit: IntervalUnit) -> Option<String> {
    use IntervalUnit as U;
    const NAMES: [&str; 6] = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"];
    let (first, last) = match unit {
        U::Year => (0, 0),
        U::Quarter | U::Month => (1, 1),
        U::Week | U::Day => (2, 2),
        U::Hour => (3, 3),
        U::Minute => (4, 4),
        U::Second => (5, 5),
        U::YearMonth => (0, 1),
        U::DayHour => (2, 3),
        U::DayMinute => (2, 4),
        U::DaySecond => (2, 5),
        U::HourMinute => (3, 4),
        U::HourSecond => (3, 5),
        U::MinuteSecond => (4, 5),
        _ => return None,
    };
    let times = match unit {
        U::Quarter => 3,
        U::Week => 7,
        _ => 1,
    };
    if count.trim_start().starts_with('-') {
        return None;
    }
    let mut parts = [0u64; 6];
    if first == last {
        let number: f64 = count.trim().parse().ok()?;
        parts[first] = (number.round() as u64).checked_mul(times)?;
    } else {
        // Fewer numbers than units are those of the last units.
        let numbers: Vec<&str> = count.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
        for (part, number) in parts[..=last].iter_mut().rev().zip(numbers.iter().rev()).take(last - first + 1) {
            *part = number.parse().ok()?;
        }
    }
    let used: Vec<(u64, &str)> = parts.into_iter().zip(NAMES).filter(|(part, _)| *part != 0).collect();
    match &used[..] {
        [] => None,
        [(count, name)] => Some(format!("{count} {name}")),
        several => {
            let counts: Vec<String> = several.iter().map(|(count, _)| count.to_string()).collect();
            let names: Vec<&str> = several.iter().map(|(_, name)| *name).collect();
            Some(format!("'{}' {}", counts.join(":"), names.join("_")))
        }
    }
}

fn moment_text(moment: DateTime) -> String {
    value::convert::to_string(&Value::DateTime(in_seconds(moment))).unwrap_or_default().into_owned()
}

impl Event {
    /// The statement that is stored.
    fn text(&self) -> String {
        let schedule = match &self.schedule {
            Schedule::At(moment) => format!("AT '{}'", moment_text(*moment)),
            Schedule::Every { interval, starts, ends } => {
                let ends = ends.map_or_else(String::new, |ends| format!(" ENDS '{}'", moment_text(ends)));
                format!("EVERY {interval} STARTS '{}'{ends}", moment_text(*starts))
            }
        };
        let completion = if self.is_kept { "PRESERVE" } else { "NOT PRESERVE" };
        let status = if self.status == EventStatus::Enable { "ENABLE" } else { "DISABLE" };
        let comment = match &*self.comment {
            "" => String::new(),
            comment => format!(" COMMENT '{}'", comment.replace('\'', "''")),
        };
        let name = self.name.replace('`', "``");
        let Event { definer, body, .. } = self;
        format!(
            "CREATE DEFINER = {definer} EVENT `{name}` ON SCHEDULE {schedule} ON COMPLETION {completion} {status}{comment} DO {body}"
        )
    }

    /// Events happen on one branch only: on others they are kept switched off, as in native Dolt, which takes `main` and the
    /// first one for it.
    fn switch_off_branches(&mut self, session: &Session, place: &Place) -> Result<()> {
        let first = place.attached.database.default_branch(&place.refs)?;
        let happens_here = place.branch().is_some_and(|branch| branch == "main" || first.as_deref() == Some(branch));
        if self.status == EventStatus::Enable && !happens_here {
            session.state().warn(1105, "Event status cannot be enabled for revision database.");
            self.status = EventStatus::Disable;
        }
        Ok(())
    }

    /// When it can happen for the last time.
    fn end(&self) -> Option<DateTime> {
        match &self.schedule {
            Schedule::At(moment) => Some(*moment),
            Schedule::Every { ends, .. } => *ends,
        }
    }

    fn fragment(&self, session: &Session, created_at: i64) -> Fragment {
        let (kind, name) = ("event".to_owned(), self.name.clone());
        Fragment { kind, name, text: self.text(), created_at, sql_mode: sql_mode(session) }
    }
}

fn already_exists(name: &str) -> SqlError {
    SqlError::general(format!("Event '{name}' already exists"))
}

fn does_not_exist(name: &ast::ObjectName) -> SqlError {
    SqlError::general(format!("Event '{}' does not exist", name.name.text)).at(name.span)
}

pub(crate) fn create_event(session: &Session, sql: &str, event: &CreateEvent, context: Rc<Context>) -> Result<Cursor> {
    let mut change = Change::begin(session, event.name.database.as_ref())?;
    let reader = Reader { session, sql, context: context.clone() };
    let mut made = reader.event(event)?;
    // What it names need not be there before it runs.
    compile::event(sql.into(), &event.body)?;
    let now = in_seconds(context.now());
    let is_known = fragments::read(session.catalog(), &change.place, &change.root)?
        .iter()
        .any(|fragment| fragment.kind == "event" && fragment.name.eq_ignore_ascii_case(&made.name));
    if is_known {
        let error = already_exists(&made.name);
        if !event.if_not_exists {
            return Err(error.at(event.name.span));
        }
        session.state().note(1537, error.into_message());
        return Ok(Cursor::of_effect(0, context));
    }
    if matches!(&made.schedule, Schedule::At(moment) if *moment < now) {
        if !made.is_kept {
            let text = "Event execution time is in the past and ON COMPLETION NOT PRESERVE is set. The event was dropped immediately after creation.";
            session.state().note(1588, text);
            return Ok(Cursor::of_effect(0, context));
        }
        made.status = EventStatus::Disable;
        session.state().note(1544, "Event execution time is in the past. Event has been disabled");
    }
    made.switch_off_branches(session, &change.place)?;
    let fragment = made.fragment(session, context.now().microseconds().div_euclid(1_000_000));
    change.root = definitions::add_fragment(&change.root, &fragment)?.ok_or_else(|| already_exists(&made.name))?;
    change.finish(session)?;
    Ok(Cursor::of_effect(0, context))
}

pub(crate) fn alter_event(session: &Session, sql: &str, alter: &AlterEvent, context: Rc<Context>) -> Result<Cursor> {
    let mut change = Change::begin(session, alter.name.database.as_ref())?;
    let stored = fragments::read(session.catalog(), &change.place, &change.root)?
        .into_iter()
        .find(|fragment| fragment.kind == "event" && alter.name.name.is(&fragment.name))
        .ok_or_else(|| does_not_exist(&alter.name))?;
    let Some(StatementKind::CreateEvent(known)) = parse::kept(&stored.text, &stored.sql_mode) else {
        return Err(SqlError::unreadable("event", &stored.name));
    };
    let before = Reader { session, sql: &stored.text, context: context.clone() };
    let mut event = before.event(&known).map_err(SqlError::elsewhere)?;
    let reader = Reader { session, sql, context: context.clone() };
    event.definer = definer(alter.definer.as_ref());
    if let Some(schedule) = &alter.schedule {
        event.schedule = reader.schedule(schedule)?;
    }
    if let Some(preserve) = alter.preserve {
        event.is_kept = preserve;
    }
    if let Some(name) = &alter.rename_to {
        event.name = name.name.text.to_string();
    }
    if alter.status.is_some() {
        event.status = reader.status(alter.status);
    }
    if let Some(comment) = &alter.comment {
        event.comment = comment.to_string();
    }
    if let Some(body) = &alter.body {
        compile::event(sql.into(), body)?;
        event.body = objects::part(sql, body.span);
    }
    let without = definitions::drop_fragment(&change.root, "event", &stored.name)?;
    change.root = without.ok_or_else(|| does_not_exist(&alter.name))?;
    let is_over = event.end().is_some_and(|end| end < in_seconds(context.now()));
    if is_over && alter.schedule.is_some() && !event.is_kept {
        let text = "Event execution time is in the past and ON COMPLETION NOT PRESERVE is set. The event was not changed. Specify a time in the future.";
        return Err(SqlError::general(text).at(alter.name.span));
    }
    if is_over && alter.schedule.is_some() {
        session.state().note(1544, "Event execution time is in the past. Event has been disabled");
    }
    if is_over && (alter.schedule.is_some() || alter.status.is_some()) {
        event.status = EventStatus::Disable;
    }
    // An expired event that is not preserved is dropped when it is altered.
    if !(is_over && alter.status.is_some() && !event.is_kept) {
        event.switch_off_branches(session, &change.place)?;
        let fragment = event.fragment(session, stored.created_at);
        change.root = definitions::add_fragment(&change.root, &fragment)?.ok_or_else(|| already_exists(&event.name))?;
    }
    change.finish(session)?;
    Ok(Cursor::of_effect(0, context))
}

pub(crate) fn drop_events(session: &Session, drop: &DropObjects, context: Rc<Context>) -> Result<Cursor> {
    for name in &drop.names {
        let mut change = Change::begin(session, name.database.as_ref())?;
        match definitions::drop_fragment(&change.root, "event", &name.name.text)? {
            Some(root) => change.root = root,
            None if drop.if_exists => {
                session.state().note(1305, format!("Event {} does not exist", name.name.text));
                continue;
            }
            None => return Err(does_not_exist(name)),
        }
        change.finish(session)?;
    }
    Ok(Cursor::of_effect(0, context))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_worked_out() {
        assert_eq!(interval("90", IntervalUnit::Minute).as_deref(), Some("90 MINUTE"));
        assert_eq!(interval("2", IntervalUnit::Week).as_deref(), Some("14 DAY"));
        assert_eq!(interval("1", IntervalUnit::Quarter).as_deref(), Some("3 MONTH"));
        assert_eq!(interval("1:30", IntervalUnit::HourMinute).as_deref(), Some("'1:30' HOUR_MINUTE"));
        assert_eq!(interval("30", IntervalUnit::HourMinute).as_deref(), Some("30 MINUTE"));
        assert_eq!(interval("0", IntervalUnit::Day), None);
        assert_eq!(interval("-1", IntervalUnit::Day), None);
    }
}
