//! User locks and waiting. One page has few connections and none may wait: a lock that is taken is refused at once, and
//! SLEEP returns at once.

use codec::CompactSort;
use value::Value;

use super::{Arguments, Function, result};
use crate::error::{Result, SqlError};

/// A year; nobody waits longer.
const SLEEP_SECONDS_MAX: f64 = 31_536_000.0;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new("get_lock", (2, 2), result::tinyint, get).volatile(),
    Function::new("gtid_subtract", (2, 2), result::text, gtid_subtract),
    Function::new("is_free_lock", (1, 1), result::tinyint, |a| {
        let name = name(a)?;
        Ok(Value::boolean(!a.context.catalog.engine.locks.borrow().contains_key(&name)))
    })
    .volatile(),
    Function::new("is_used_lock", (1, 1), result::unsigned_int, |a| {
        let name = name(a)?;
        let locks = a.context.catalog.engine.locks.borrow();
        Ok(locks.get(&name).map_or(Value::Null, |(connection, _)| Value::UInt(*connection)))
    })
    .volatile(),
    Function::new("release_all_locks", (0, 0), result::int, |a| {
        Ok(Value::Int(a.context.catalog.engine.release_locks(a.context.session.connection_id)))
    })
    .volatile(),
    Function::new("release_lock", (1, 1), result::tinyint, release).volatile(),
    Function::new("sleep", (1, 1), result::int, |a| {
        let seconds = a.double(0)?.clamp(0.0, SLEEP_SECONDS_MAX);
        let asleep = &a.context.session.sleep_microseconds;
        asleep.set(asleep.get().saturating_add((seconds * 1e6) as u64));
        Ok(Value::Int(0))
    })
    .volatile(),
];

/// The longest name of a lock, in characters.
const NAME_MAX: usize = 64;

fn name(a: &Arguments<'_>) -> Result<Box<str>> {
    let name = a.text(0)?;
    if name.chars().count() > NAME_MAX {
        return Err(SqlError::general(format!("Incorrect user-level lock name '{name}'.")));
    }
    Ok(name.to_lowercase().into())
}

fn get(a: &Arguments<'_>) -> Result<Value<'static>> {
    let own = a.context.session.connection_id;
    let mut locks = a.context.catalog.engine.locks.borrow_mut();
    let (connection, count) = locks.entry(name(a)?).or_insert((own, 0));
    if *connection != own {
        return Ok(Value::Int(0));
    }
    *count += 1;
    Ok(Value::Int(1))
}

fn release(a: &Arguments<'_>) -> Result<Value<'static>> {
    let name = name(a)?;
    let mut locks = a.context.catalog.engine.locks.borrow_mut();
    let Some((connection, count)) = locks.get_mut(&name) else { return Ok(Value::Null) };
    if *connection != a.context.session.connection_id {
        return Ok(Value::Int(0));
    }
    *count -= 1;
    if *count == 0 {
        locks.remove(&name);
    }
    Ok(Value::Int(1))
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
