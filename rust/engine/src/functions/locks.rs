//! User locks and waiting. One page has few connections and none may wait: a lock that is taken is refused at once, and
//! SLEEP returns at once.

use codec::CompactSort;
use value::Value;

use super::{Arguments, Entry, Function, result};
use crate::error::{Result, SqlError};

/// A year; nobody waits longer.
const SLEEP_SECONDS_MAX: f64 = 31_536_000.0;

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("get_lock", (2, 2), result::tinyint, get)
        .volatile()
        .not_in_checks()
        .about("name, seconds", "Takes a lock by name; 1 when it was free")
        .adapted("never waits: a lock that is taken is refused at once"),
    Entry::new("gtid_subtract", (2, 2), result::text, gtid_subtract)
        .about("set, set", "The transactions of the first set that are not in the second"),
    Entry::new("is_free_lock", (1, 1), result::tinyint, |a| {
        let name = name(a, "is_free_lock")?;
        Ok(Value::boolean(a.context.catalog.engine.locks.borrow().holder(&name).is_none()))
    })
    .volatile()
    .not_in_checks()
    .about("name", "Whether a lock is free"),
    Entry::new("is_used_lock", (1, 1), result::unsigned_int, |a| {
        let name = name(a, "is_used_lock")?;
        Ok(a.context.catalog.engine.locks.borrow().holder(&name).map_or(Value::Null, Value::UInt))
    })
    .volatile()
    .not_in_checks()
    .about("name", "The connection that holds a lock"),
    Entry::new("release_all_locks", (0, 0), result::int, |a| {
        a.context.session.has_changed();
        let released = a.context.catalog.engine.locks.borrow_mut().release_all(a.context.session.connection_id);
        Ok(Value::Int(released as i64))
    })
    .volatile()
    .not_in_checks()
    .about("", "Releases the locks of the session; how many there were"),
    Entry::new("release_lock", (1, 1), result::tinyint, release)
        .volatile()
        .not_in_checks()
        .about("name", "Releases a lock of the session"),
    Entry::new("sleep", (1, 1), result::int, |a| {
        let seconds = a.double(0)?.clamp(0.0, SLEEP_SECONDS_MAX);
        let asleep = &a.context.session.sleep_microseconds;
        asleep.set(asleep.get().saturating_add((seconds * 1e6) as u64));
        Ok(Value::Int(0))
    })
    .volatile()
    .about("seconds", "Waits; always 0")
    .adapted("returns at once"),
];

fn name(a: &Arguments<'_>, function: &str) -> Result<Box<str>> {
    let ty = &a.types[0].sql;
    if !ty.is_text() && !ty.is_binary() {
        let text = format!("Illegal parameter data type {ty} for operation '{function}'");
        return Err(SqlError::general(text));
    }
    Ok(a.text(0)?.into())
}

fn get(a: &Arguments<'_>) -> Result<Value<'static>> {
    let name = name(a, "get_lock")?;
    a.context.session.has_changed();
    a.count(1).map_err(|_| SqlError::general("illegal value for timeout 0"))?;
    let mut locks = a.context.catalog.engine.locks.borrow_mut();
    Ok(Value::boolean(locks.take(name, a.context.session.connection_id)))
}

fn release(a: &Arguments<'_>) -> Result<Value<'static>> {
    let name = name(a, "release_lock")?;
    a.context.session.has_changed();
    let mut locks = a.context.catalog.engine.locks.borrow_mut();
    Ok(locks.release(&name, a.context.session.connection_id).map_or(Value::Null, Value::boolean))
}

/// Transactions of one server, as ascending intervals: `uuid:1-3:5`.
type Intervals = Vec<(u64, u64)>;

fn gtid_set(text: &str) -> Result<Vec<(String, Intervals)>> {
    let invalid = || SqlError::general(format!("Malformed GTID set specification '{text}'."));
    let mut set = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let mut fields = part.split(':');
        let server = fields.next().unwrap_or_default().trim().to_ascii_lowercase();
        let mut intervals = Vec::new();
        for field in fields {
            let (first, last) = field.split_once('-').unwrap_or((field, field));
            let number = |text: &str| text.trim().parse::<u64>().map_err(|_| invalid());
            intervals.push((number(first)?, number(last)?));
        }
        if intervals.is_empty() {
            return Err(invalid());
        }
        intervals.compact_sort();
        set.push((server, intervals));
    }
    Ok(set)
}

fn gtid_subtract(a: &Arguments<'_>) -> Result<Value<'static>> {
    let (set, taken) = (gtid_set(&a.text(0)?)?, gtid_set(&a.text(1)?)?);
    let mut parts = Vec::new();
    for (server, intervals) in set {
        let mut left = intervals;
        for (_, taken) in taken.iter().filter(|(other, _)| *other == server) {
            for &(first, last) in taken {
                left = left
                    .into_iter()
                    .flat_map(|(from, to)| {
                        [(from, to.min(first.saturating_sub(1))), (from.max(last.saturating_add(1)), to)]
                    })
                    .filter(|(from, to)| from <= to)
                    .collect();
            }
        }
        if !left.is_empty() {
            let show = |&(from, to): &(u64, u64)| if from == to { from.to_string() } else { format!("{from}-{to}") };
            parts.push(format!("{server}:{}", left.iter().map(show).collect::<Vec<_>>().join(":")));
        }
    }
    Ok(Value::text(parts.join(",")))
}
