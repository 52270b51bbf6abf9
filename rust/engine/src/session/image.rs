//! Image of a session: its state as bytes, so that it goes on in another instance of the engine.
//!
//! The host takes it when a statement has changed something ([`Session::stamp`]), and gives it to a new instance when memory is to be
//! given back or the old one has died. What is not in it: an open transaction, and the rows of temporary tables, whose names are, so that
//! nothing else answers in their place.

use std::rc::Rc;

use codec::{Corrupt, Reader};
use value::json::JsonObject;
use value::{Date, DateTime, Json, Time, Value};

use super::Session;
use crate::engine::Engine;
use crate::error::{Result, SqlError};
use crate::state::Warning;
use crate::vector::bytes_of;

const LEVELS: [&str; 3] = ["Note", "Warning", "Error"];

impl Session {
    /// The bit of a stamp that says that a transaction is open.
    pub const STAMP_IN_TRANSACTION: u32 = 1 << 31;
    /// The bit of a stamp that says that there is something no other instance can have: the rows of temporary tables.
    pub const STAMP_IS_BOUND: u32 = 1 << 30;

    /// Another number when the session's image may be another one, but for what every statement leaves. With two bits of what an image
    /// has not: an open transaction, and temporary tables.
    pub fn stamp(&self) -> u32 {
        let changes = self.state().variables.borrow().times_set() + self.state().changes.get() + self.catalog.moves();
        let mut stamp = changes as u32 & (Session::STAMP_IS_BOUND - 1);
        if self.catalog.transaction.is_open() {
            stamp |= Session::STAMP_IN_TRANSACTION;
        }
        if self.catalog.has_temporary() {
            // Which of them there are is not counted.
            self.state().has_changed();
            stamp |= Session::STAMP_IS_BOUND;
        }
        stamp
    }

    /// Writes the state of the session, its stamp first; the stamp alone where its variables have more than `bytes_max` bytes or more than
    /// there is memory for.
    ///
    /// # Errors
    /// What is wrong with a chunk of a temporary table.
    pub fn image(&self, out: &mut Vec<u8>, bytes_max: usize) -> Result<()> {
        let state = self.state();
        out.extend(self.stamp().to_le_bytes());
        let bytes = state.user_variables().values().map(bytes_of).sum();
        if bytes > bytes_max || out.try_reserve(bytes).is_err() {
            return Ok(());
        }
        out.extend(state.connection_id.to_le_bytes());
        out.extend(state.last_insert_id.get().to_le_bytes());
        out.extend(state.row_count.get().to_le_bytes());
        out.extend(state.found_rows.get().to_le_bytes());
        text(out, &self.place());
        text(out, &state.delimiter.borrow());
        let variables = state.variables.borrow();
        list(out, variables.all_set(), |out, (name, value)| {
            text(out, name);
            write(out, value);
        });
        let user = state.user_variables();
        list(out, user.iter(), |out, (name, value)| {
            text(out, name);
            write(out, value);
        });
        let prepared = self.prepared.borrow();
        list(out, prepared.iter(), |out, (name, known)| {
            text(out, name);
            text(out, &known.sql);
        });
        let locks = self.catalog.engine.locks.borrow();
        list(out, locks.held_by(state.connection_id), |out, (name, count)| {
            text(out, name);
            out.extend(count.to_le_bytes());
        });
        let temporary = self.catalog.temporary_names()?;
        list(out, temporary.iter(), |out, (database, table)| {
            text(out, database);
            text(out, table);
        });
        list(out, state.warnings().iter(), |out, warning| {
            out.push(LEVELS.iter().position(|level| *level == warning.level).unwrap_or(1) as u8);
            out.extend(warning.code.to_le_bytes());
            text(out, &warning.message);
        });
        Ok(())
    }

    /// Takes over the state of a session of another instance. The session is new.
    ///
    /// # Errors
    /// For bytes that are no image.
    pub fn take_image(&self, image: &[u8]) -> Result<()> {
        let read = self.read_image(&mut Reader::new(image));
        read.map_err(|_| SqlError::internal("the state of a session has an unknown form"))
    }

    fn read_image(&self, from: &mut Reader<'_>) -> core::result::Result<(), Corrupt> {
        let state = self.state();
        from.take(12)?;
        state.last_insert_id.set(from.u64_le()?);
        state.row_count.set(from.u64_le()?.cast_signed());
        state.found_rows.set(from.u64_le()?);
        self.stand_at(read_text(from)?);
        *state.delimiter.borrow_mut() = read_text(from)?.into();
        for _ in 0..from.u32_le()? {
            let name = read_text(from)?;
            state.variables.borrow_mut().set(name, read(from)?);
        }
        for _ in 0..from.u32_le()? {
            let name = read_text(from)?;
            state.set_user_variable(name, read(from)?);
        }
        for _ in 0..from.u32_le()? {
            let (name, sql) = (read_text(from)?, read_text(from)?);
            // It was read before. Where `sql_mode` is another one since, it may not be: then it is unknown to EXECUTE.
            if let Ok(prepared) = self.prepare(sql) {
                self.name_prepared(name, Some(prepared));
            }
        }
        for _ in 0..from.u32_le()? {
            let name = read_text(from)?;
            for _ in 0..from.u32_le()? {
                self.catalog.engine.locks.borrow_mut().take(name.into(), state.connection_id);
            }
        }
        for _ in 0..from.u32_le()? {
            let (database, table) = (read_text(from)?, read_text(from)?);
            self.catalog.lose_temporary(database, table);
        }
        for _ in 0..from.u32_le()? {
            let level = LEVELS.get(usize::from(from.u8()?)).copied().unwrap_or("Warning");
            let code = from.u16_le()?;
            state.add_warning(Warning { level, code, message: read_text(from)?.to_owned() });
        }
        Ok(())
    }
}

impl Engine {
    /// Writes what all sessions share: whether no commit is pending, as a byte; how many sessions there were, and
    /// what SET GLOBAL has set.
    pub fn image(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_flushed()));
        out.extend(self.sessions().to_le_bytes());
        let globals = self.globals.borrow();
        list(out, globals.iter(), |out, (name, value)| {
            text(out, name);
            write(out, value);
        });
    }

    /// Takes over the image of another instance.
    ///
    /// # Errors
    /// For bytes that are no image.
    pub fn take_image(&self, image: &[u8]) -> Result<()> {
        let take = || -> core::result::Result<(), Corrupt> {
            let mut from = Reader::new(image);
            from.u8()?;
            self.set_sessions(self.sessions().max(from.u64_le()?));
            for _ in 0..from.u32_le()? {
                let name = read_text(&mut from)?;
                self.globals.borrow_mut().insert(name.into(), read(&mut from)?);
            }
            Ok(())
        };
        take().map_err(|_| SqlError::internal("the state of an engine has an unknown form"))
    }

    /// The session of an image. It keeps its connection id where this engine goes on for the one that had the session; in an engine with
    /// sessions of its own it gets another one.
    ///
    /// # Errors
    /// As [`Session::take_image`].
    pub fn session_of(self: &Rc<Engine>, image: &[u8], keeps_id: bool) -> Result<Session> {
        let known = image.get(4..12).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
        let connection_id = if keeps_id { known.unwrap_or_default() } else { self.next_connection() };
        let session = self.session_numbered(connection_id);
        session.take_image(image)?;
        Ok(session)
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    bytes(out, text.as_bytes());
}

fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend_from_slice(bytes);
}

fn list<T>(out: &mut Vec<u8>, items: impl Iterator<Item = T>, each: impl Fn(&mut Vec<u8>, T)) {
    let at = out.len();
    out.extend([0; 4]);
    let mut count = 0u32;
    for item in items {
        each(out, item);
        count += 1;
    }
    out[at..at + 4].copy_from_slice(&count.to_le_bytes());
}

/// A tag, then what the kind of value has.
fn write(out: &mut Vec<u8>, value: &Value<'_>) {
    let word = |out: &mut Vec<u8>, tag: u8, bits: u64| {
        out.push(tag);
        out.extend(bits.to_le_bytes());
    };
    match value {
        Value::Null => out.push(0),
        Value::Int(number) => word(out, 1, number.cast_unsigned()),
        Value::UInt(number) => word(out, 2, *number),
        Value::Float(number) => word(out, 3, number.to_bits().into()),
        Value::Double(number) => word(out, 4, number.to_bits()),
        Value::Decimal(number) => {
            out.push(5);
            text(out, &number.to_string());
        }
        Value::Text(content) => {
            out.push(6);
            text(out, content);
        }
        Value::Bytes(content) => {
            out.push(7);
            bytes(out, content);
        }
        Value::Geometry(content) => {
            out.push(8);
            bytes(out, content);
        }
        Value::Date(date) => word(out, 9, date.packed().into()),
        Value::DateTime(moment) => word(out, 10, moment.microseconds().cast_unsigned()),
        Value::Time(time) => word(out, 11, time.microseconds().cast_unsigned()),
        Value::Year(year) => word(out, 12, (*year).into()),
        Value::Bit(bits) => word(out, 13, *bits),
        Value::Json(json) => write_json(out, json),
        // As MySQL keeps them in a variable.
        Value::Enum(member) => write(out, &Value::text(member.text())),
        Value::Set(members) => write(out, &Value::text(members.text())),
    }
}

/// Scalars as the values that they are, between a tag and them one of JSON.
fn write_json(out: &mut Vec<u8>, json: &Json) {
    out.push(14);
    match json {
        Json::Null => write(out, &Value::Null),
        Json::Int(number) => write(out, &Value::Int(*number)),
        Json::UInt(number) => write(out, &Value::UInt(*number)),
        Json::Double(number) => write(out, &Value::Double(*number)),
        Json::Decimal(number) => write(out, &Value::Decimal(*number)),
        Json::String(content) => write(out, &Value::text(&**content)),
        Json::Date(date) => write(out, &Value::Date(*date)),
        Json::DateTime(moment) => write(out, &Value::DateTime(*moment)),
        Json::Time(time) => write(out, &Value::Time(*time)),
        Json::Bool(truth) => out.extend([15, u8::from(*truth)]),
        Json::Array(items) => {
            out.push(16);
            list(out, items.iter(), write_json);
        }
        Json::Object(members) => {
            out.push(17);
            list(out, members.iter(), |out, (key, value)| {
                text(out, key);
                write_json(out, value);
            });
        }
    }
}

fn read_bytes<'a>(from: &mut Reader<'a>) -> core::result::Result<&'a [u8], Corrupt> {
    let length = from.u32_le()?;
    from.take(length as usize)
}

fn unknown(from: &Reader<'_>) -> Corrupt {
    Corrupt::new("unknown form", from.position())
}

fn read_text<'a>(from: &mut Reader<'a>) -> core::result::Result<&'a str, Corrupt> {
    core::str::from_utf8(read_bytes(from)?).map_err(|_| unknown(from))
}

fn read(from: &mut Reader<'_>) -> core::result::Result<Value<'static>, Corrupt> {
    let value = match from.u8()? {
        0 => Some(Value::Null),
        5 => read_text(from)?.parse().ok().map(Value::Decimal),
        6 => Some(Value::text(read_text(from)?.to_owned())),
        7 => Some(Value::bytes(read_bytes(from)?.to_owned())),
        8 => Some(Value::Geometry(read_bytes(from)?.to_owned().into())),
        14 => Some(Value::json(read_json(from)?)),
        tag => {
            let word = from.u64_le()?;
            match tag {
                1 => Some(Value::Int(word.cast_signed())),
                2 => Some(Value::UInt(word)),
                3 => Some(Value::Float(f32::from_bits(word as u32))),
                4 => Some(Value::Double(f64::from_bits(word))),
                9 => Date::from_packed(word as u32).map(Value::Date),
                10 => DateTime::from_microseconds(word.cast_signed()).map(Value::DateTime),
                11 => Some(Value::Time(Time::from_microseconds(word.cast_signed()))),
                12 => Some(Value::Year(word as u16)),
                13 => Some(Value::Bit(word)),
                _ => None,
            }
        }
    };
    value.ok_or_else(|| unknown(from))
}

/// Behind the tag of JSON.
fn read_json(from: &mut Reader<'_>) -> core::result::Result<Json, Corrupt> {
    let inner = |from: &mut Reader<'_>| match from.u8()? {
        14 => read_json(from),
        _ => Err(unknown(from)),
    };
    let tag = from.rest().first().copied().unwrap_or_default();
    if (15..=17).contains(&tag) {
        from.u8()?;
    }
    Ok(match tag {
        15 => Json::Bool(from.u8()? != 0),
        16 => {
            let count = from.u32_le()?;
            Json::Array((0..count).map(|_| inner(from)).collect::<core::result::Result<_, _>>()?)
        }
        17 => {
            let count = from.u32_le()?;
            let member = |from: &mut Reader<'_>| Ok((Box::from(read_text(from)?), inner(from)?));
            let members = (0..count).map(|_| member(from)).collect::<core::result::Result<Vec<_>, Corrupt>>()?;
            Json::Object(JsonObject::from_iter(members))
        }
        _ => match read(from)? {
            Value::Null => Json::Null,
            Value::Int(number) => Json::Int(number),
            Value::UInt(number) => Json::UInt(number),
            Value::Double(number) => Json::Double(number),
            Value::Decimal(number) => Json::Decimal(number),
            Value::Text(content) => Json::string(content),
            Value::Date(date) => Json::Date(date),
            Value::DateTime(moment) => Json::DateTime(moment),
            Value::Time(time) => Json::Time(time),
            _ => return Err(unknown(from)),
        },
    })
}
