//! Text: pieces, positions, padding, letters. Positions count characters except where the reference counts bytes
//! (INSERT, LOCATE, LPAD, RPAD).

use std::borrow::Cow;

use value::{Charset, Collation, SqlType, Value};

use super::argument::{bytes_in, bytes_of, text_of};
use super::{Arguments, Entry, Function, Reads, Traits, declared, result};
use crate::error::{Result, SqlError};
use crate::expr::ExprType;
use crate::vector;

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::of_text("bit_length", (1, 1), result::int, |a| Ok(Value::Int(8 * a.bytes(0)?.len() as i64)))
        .reading(Reads::Length)
        .about("text", "The length in bits"),
    Entry::of_text("char_length", (1, 1), result::int, characters)
        .with(Traits::COPIES_ONCE)
        .null_as_arguments()
        .common()
        .about("text", "The length in characters"),
    Entry::of_text("character_length", (1, 1), result::int, characters)
        .with(Traits::COPIES_ONCE)
        .about("text", "The length in characters"),
    Entry::of_text("concat", (1, usize::MAX), concat_type, concat)
        .with(Traits::COPIES_ONCE)
        .null_as_arguments()
        .common()
        .declared(|call| call.sql(SqlType::LONGTEXT))
        .about("text, …", "The texts one after the other"),
    Entry::of_text("concat_ws", (1, usize::MAX), result::text_of_arguments, concat_separated)
        .handling_nulls()
        .null_as_arguments()
        .about("separator, text, …", "The texts with a separator between them"),
    Entry::of_text("elt", (2, usize::MAX), result::text_of_arguments, element)
        .handling_nulls()
        .about("n, text, …", "The n-th text"),
    Entry::of_text("export_set", (3, 5), result::text_of_arguments, export_set)
        .about("bits, on, off[, separator[, count]]", "A text for each bit of a number"),
    Entry::of_text("field", (2, usize::MAX), result::bigint, field)
        .handling_nulls()
        .declared(declared::own_never_null)
        .about("text, candidate, …", "The position of a text among the others, or 0"),
    Entry::of_text("find_in_set", (2, 2), result::bigint, find_in_set)
        .null_as_arguments()
        .about("text, list", "The position of a text in a list with commas, or 0"),
    Entry::of_text("insert", (4, 4), result::text_of_arguments, insert)
        .null_as_arguments()
        .about("text, position, length, other", "The text with a part replaced by another text"),
    Entry::of_text("instr", (2, 2), result::bigint, instr)
        .null_as_arguments()
        .about("text, part", "The position of a part in a text, or 0"),
    Entry::of_text("lcase", (1, 1), result::first, lower)
        .null_as_arguments()
        .common()
        .about("text", "The text in lower case")
        .also(&["lower"]),
    Entry::of_text("left", (2, 2), result::text_of_first, |a| {
        let text = a.only_text(0)?;
        let length = match a.get(1) {
            Value::UInt(_) => usize::MAX,
            _ => a.length(1)?,
        };
        Ok(Value::text(text.chars().take(length).collect::<String>()))
    })
    .null_as_arguments()
    .reading(Reads::Left)
    .about("text, length", "The first characters"),
    Entry::of_text("length", (1, 1), result::int, bytes)
        .with(Traits::COPIES_ONCE)
        .null_as_arguments()
        .common()
        .reading(Reads::Length)
        .about("text", "The length in bytes"),
    Entry::of_text("load_file", (1, 1), result::blob, |_| Ok(Value::Null))
        .handling_nulls()
        .about("path", "The contents of a file of the server")
        .adapted("always NULL: there are no server files"),
    Entry::of_text("locate", (2, 3), result::int, locate)
        .null_as_arguments()
        .about("part, text[, position]", "The position of a part in a text, or 0"),
    Entry::of_text("lpad", (3, 3), result::text_of_arguments, |a| pad(a, End::Left))
        .null_as_arguments()
        .common()
        .about("text, length, pad", "The text made as long by characters before it"),
    Entry::of_text("ltrim", (1, 1), result::first_as_text, |a| {
        Ok(Value::text(a.text(0)?.trim_start_matches(' ').to_owned()))
    })
    .declared(|call| call.argument(0))
    .about("text", "The text without spaces at its beginning"),
    Entry::of_text("make_set", (2, usize::MAX), result::text_of_arguments, make_set)
        .handling_nulls()
        .about("bits, text, …", "The texts whose bits are set, with commas"),
    Entry::of_text("mid", (2, 3), result::first_as_text, substring)
        .null_as_arguments()
        .reading(Reads::Middle)
        .about("text, position[, length]", "The part of a text from a position")
        .also(&["substr"]),
    Entry::of_text("octet_length", (1, 1), result::int, bytes)
        .with(Traits::COPIES_ONCE)
        .reading(Reads::Length)
        .about("text", "The length in bytes"),
    Entry::of_text("position", (2, 2), result::int, locate)
        .about("part IN text", "The position of a part in a text, or 0"),
    Entry::of_text("quote", (1, 1), result::text_of_arguments, quote)
        .null_as_arguments()
        .declared(declared::regular_text)
        .about("text", "The text as an SQL literal"),
    Entry::of_text("repeat", (2, 2), result::text_of_arguments, repeat)
        .null_as_arguments()
        .about("text, count", "The text so many times"),
    Entry::of_text("replace", (3, 3), result::text_of_arguments, |a| {
        let (text, from) = (a.text(0)?, a.text(1)?);
        Ok(if from.is_empty() {
            Value::text(text.into_owned())
        } else {
            let replaced = text.matches(&*from).count().saturating_mul(a.text(2)?.len());
            match a.fits(text.len().saturating_add(replaced))? {
                true => Value::text(text.replace(&*from, &a.text(2)?)),
                false => Value::Null,
            }
        })
    })
    .null_as_arguments()
    .about("text, from, to", "The text with every part replaced"),
    Entry::of_text("reverse", (1, 1), result::first_as_text, |a| {
        Ok(Value::text(a.text(0)?.chars().rev().collect::<String>()))
    })
    .declared(|call| call.argument(0))
    .about("text", "The characters in reverse order"),
    Entry::of_text("right", (2, 2), result::text_of_first, |a| {
        let text = a.only_text(0)?;
        let length = a.length(1)?;
        let skipped = text.chars().count().saturating_sub(length);
        Ok(Value::text(text.chars().skip(skipped).collect::<String>()))
    })
    .null_as_arguments()
    .about("text, length", "The last characters"),
    Entry::of_text("rpad", (3, 3), result::text_of_arguments, |a| pad(a, End::Right))
        .null_as_arguments()
        .about("text, length, pad", "The text made as long by characters after it"),
    Entry::of_text("rtrim", (1, 1), result::first_as_text, |a| {
        Ok(Value::text(a.text(0)?.trim_end_matches(' ').to_owned()))
    })
    .declared(|call| call.argument(0))
    .about("text", "The text without spaces at its end"),
    Entry::of_text("soundex", (1, 1), result::text, |a| Ok(Value::text(soundex(&a.text(0)?))))
        .null_as_arguments()
        .about("text", "The Soundex code: texts that sound alike have the same"),
    Entry::of_text("space", (1, 1), result::text_of_bytes, |a| {
        let length = length_of(a.integer(0)?);
        Ok(if a.fits(length)? { Value::text(" ".repeat(length)) } else { Value::Null })
    })
    .null_as_arguments()
    .about("count", "So many spaces"),
    Entry::of_text("strcmp", (2, 2), result::tinyint, |a| {
        let order = a.collation.compare(a.text(0)?.as_bytes(), a.text(1)?.as_bytes());
        Ok(Value::Int(order as i64))
    })
    .null_as_arguments()
    .about("text, other", "-1, 0 or 1: how two texts compare"),
    Entry::of_text("substring", (2, 3), result::first_as_text, substring)
        .common()
        .reading(Reads::Middle)
        .declared(|call| call.argument(0))
        .about("text, position[, length]", "The part of a text from a position"),
    Entry::of_text("substring_index", (3, 3), result::text_of_first, substring_index)
        .null_as_arguments()
        .about("text, delimiter, count", "The part before the n-th delimiter; after it when n is negative"),
    Entry::of_text("trim", (1, 3), result::first_among_arguments, trim)
        .common()
        .declared(|call| call.argument(0))
        .about("[LEADING or TRAILING or BOTH part FROM] text", "The text without spaces, or another part, at its ends"),
    Entry::of_text("ucase", (1, 1), result::first, upper)
        .null_as_arguments()
        .common()
        .about("text", "The text in upper case")
        .also(&["upper"]),
];

/// A length that a statement names, where memory may have fewer addresses than numbers: none for a negative one.
fn length_of(number: i64) -> usize {
    usize::try_from(number.max(0)).unwrap_or(usize::MAX)
}

impl Arguments<'_> {
    /// The n-th argument as a length.
    fn length(&self, n: usize) -> Result<usize> {
        Ok(length_of(self.count(n)?))
    }

    pub(super) fn fits(&self, len: usize) -> Result<bool> {
        self.context.may_make(len, 0)
    }

    /// The n-th argument, which must be text: the reference's LEFT, RIGHT and INSTR take nothing else.
    fn only_text(&self, n: usize) -> Result<Cow<'_, str>> {
        match self.get(n) {
            Value::Text(_) | Value::Bytes(_) | Value::Enum(_) | Value::Set(_) => self.text(n),
            other => Err(SqlError::general(format!("invalid type: {}", other.family()))),
        }
    }

    /// The character set in which the first argument's text counts bytes.
    fn charset(&self) -> Charset {
        self.types.first().and_then(|ty| ty.sql.collation()).map_or(Charset::Utf8mb4, Collation::charset)
    }
}

fn characters(a: &Arguments<'_>) -> Result<Value<'static>> {
    let count = match a.get(0) {
        Value::Bytes(bytes) => bytes.len(),
        other => text_of(other)?.chars().count(),
    };
    Ok(Value::Int(count as i64))
}

fn bytes(a: &Arguments<'_>) -> Result<Value<'static>> {
    let count = match a.get(0) {
        Value::Text(text) => bytes_in(text, a.charset())?.len(),
        other => bytes_of(other)?.len(),
    };
    Ok(Value::Int(count as i64))
}

fn concat_type(types: &[ExprType]) -> ExprType {
    if types.iter().any(|ty| ty.sql.is_binary()) { result::blob(types) } else { result::text_of_arguments(types) }
}

fn concat(a: &Arguments<'_>) -> Result<Value<'static>> {
    // With the digits of numbers.
    let bytes = a.values.iter().map(|value| vector::bytes_of(value).max(24)).sum();
    if a.result.sql.is_binary() {
        let mut joined = Vec::with_capacity(bytes);
        for value in a.values {
            joined.extend_from_slice(&bytes_of(value)?);
        }
        return Ok(Value::bytes(joined));
    }
    let mut joined = String::with_capacity(bytes);
    for value in a.values {
        joined.push_str(&text_of(value)?);
    }
    Ok(Value::text(joined))
}

fn concat_separated(a: &Arguments<'_>) -> Result<Value<'static>> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    let texts: Vec<Cow<'_, str>> =
        a.values[1..].iter().filter(|value| !value.is_null()).map(text_of).collect::<Result<_>>()?;
    Ok(Value::text(texts.join(&*a.text(0)?)))
}

fn element(a: &Arguments<'_>) -> Result<Value<'static>> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    let at = usize::try_from(a.integer(0)?).unwrap_or(0);
    if at == 0 || a.is_null(at) {
        return Ok(Value::Null);
    }
    Ok(Value::text(a.text(at)?.into_owned()))
}

fn export_set(a: &Arguments<'_>) -> Result<Value<'static>> {
    let bits = a.bits(0)?;
    let (on, off) = (a.text(1)?, a.text(2)?);
    let separator = if a.len() > 3 { a.text(3)? } else { ",".into() };
    let count = if a.len() > 4 { a.integer(4)? } else { 64 };
    let count = if (0..=64).contains(&count) { count } else { 64 };
    let text = |bit: i64| if bits >> bit & 1 == 1 { &*on } else { &*off };
    let bytes = (0..count).map(|bit| text(bit).len() + if bit > 0 { separator.len() } else { 0 }).sum();
    if !a.fits(bytes)? {
        return Ok(Value::Null);
    }
    let mut made = String::with_capacity(bytes);
    for bit in 0..count {
        if bit > 0 {
            made.push_str(&separator);
        }
        made.push_str(text(bit));
        a.context.work(text(bit).len() + separator.len())?;
    }
    Ok(Value::text(made))
}

/// Letters without regard to case, by simple folding of each.
fn same_letters(left: &str, right: &str) -> bool {
    left.chars().flat_map(char::to_lowercase).eq(right.chars().flat_map(char::to_lowercase))
}

fn field(a: &Arguments<'_>) -> Result<Value<'static>> {
    if a.is_null(0) {
        return Ok(Value::Int(0));
    }
    let wanted = a.text(0)?;
    for n in (1..a.len()).filter(|&n| !a.is_null(n)) {
        if same_letters(&wanted, &a.text(n)?) {
            return Ok(Value::Int(n as i64));
        }
    }
    Ok(Value::Int(0))
}

fn find_in_set(a: &Arguments<'_>) -> Result<Value<'static>> {
    let (wanted, list) = (a.text(0)?, a.text(1)?);
    let equal = |item: &str| a.collation.compare(item.as_bytes(), wanted.as_bytes()).is_eq();
    let at = if wanted.contains(',') { None } else { list.split(',').position(equal) };
    Ok(Value::Int(at.map_or(0, |at| at as i64 + 1)))
}

/// Text; bytes where a character was cut in two.
fn text_of_bytes(bytes: Vec<u8>) -> Value<'static> {
    match String::from_utf8(bytes) {
        Ok(text) => Value::text(text),
        Err(error) => Value::bytes(error.into_bytes()),
    }
}

fn insert(a: &Arguments<'_>) -> Result<Value<'static>> {
    let text = a.text(0)?;
    let Some(start) = usize::try_from(a.count(1)?).ok().and_then(|at| at.checked_sub(1)).filter(|at| *at < text.len())
    else {
        return Ok(Value::text(text.into_owned()));
    };
    let end = usize::try_from(a.count(2)?).map_or(text.len(), |length| start.saturating_add(length).min(text.len()));
    let bytes = text.as_bytes();
    Ok(text_of_bytes([&bytes[..start], a.text(3)?.as_bytes(), &bytes[end..]].concat()))
}

fn instr(a: &Arguments<'_>) -> Result<Value<'static>> {
    let (text, wanted) = (a.only_text(0)?, a.only_text(1)?);
    Ok(Value::Int(text.find(&*wanted).map_or(0, |at| text[..at].chars().count() as i64 + 1)))
}

fn locate(a: &Arguments<'_>) -> Result<Value<'static>> {
    let (wanted, text) = (a.text(0)?.to_lowercase(), a.text(1)?);
    let position = match a.get(2) {
        _ if a.len() < 3 => 1,
        Value::Text(start) if start.parse::<i64>().is_err() => {
            return Err(SqlError::general("Invalid argument to locate: start must be an integer"));
        }
        _ => a.integer(2)?,
    };
    if text.is_empty() && wanted.is_empty() {
        return Ok(Value::Int(i64::from(position == 1)));
    }
    let Some(start) = usize::try_from(position).ok().and_then(|at| at.checked_sub(1)) else {
        return Ok(Value::Int(0));
    };
    // From the middle of a character nothing is found before the next one.
    let Some(rest) = (start..=text.len()).find_map(|at| text.get(at..)).filter(|_| start < text.len().max(1)) else {
        return Ok(Value::Int(0));
    };
    let skipped = text.len() - rest.len();
    Ok(Value::Int(rest.to_lowercase().find(&wanted).map_or(0, |at| (at + skipped) as i64 + 1)))
}

/// Each letter for itself: a final sigma is a sigma, and no letter becomes two.
fn letters(a: &Arguments<'_>, ascii: fn(&str) -> String, letter: fn(char) -> char) -> Result<Value<'static>> {
    if let Value::Bytes(bytes) = a.get(0) {
        return Ok(Value::bytes(bytes.to_vec()));
    }
    let text = text_of(a.get(0))?;
    Ok(Value::text(if text.is_ascii() { ascii(&text) } else { text.chars().map(letter).collect() }))
}

fn lower(a: &Arguments<'_>) -> Result<Value<'static>> {
    letters(a, str::to_ascii_lowercase, lower_letter)
}

fn upper(a: &Arguments<'_>) -> Result<Value<'static>> {
    letters(a, str::to_ascii_uppercase, upper_letter)
}

/// The small letter of one, by Unicode's simple mapping.
fn lower_letter(c: char) -> char {
    // The only one of which the full mapping makes two.
    if c == 'İ' { 'i' } else { simple(c, c.to_lowercase()) }
}

/// The capital letter of one, by Unicode's simple mapping: Greek letters with an iota below have one where the full mapping makes two.
fn upper_letter(c: char) -> char {
    let distance = match c {
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => 8,
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => 9,
        _ => return simple(c, c.to_uppercase()),
    };
    char::from_u32(c as u32 + distance).unwrap_or(c)
}

/// The single letter that `c` becomes, or `c`.
fn simple(c: char, mut changed: impl Iterator<Item = char>) -> char {
    match (changed.next(), changed.next()) {
        (Some(changed), None) => changed,
        _ => c,
    }
}

/// Where a text is filled up.
enum End {
    Left,
    Right,
}

fn pad(a: &Arguments<'_>, end: End) -> Result<Value<'static>> {
    let (text, filler) = (a.bytes(0)?, a.bytes(2)?);
    let length = a.length(1)?;
    if text.len() >= length {
        return Ok(text_of_bytes(text[..length].to_vec()));
    }
    if filler.is_empty() {
        return Ok(Value::text(""));
    }
    if !a.fits(length)? {
        return Ok(Value::Null);
    }
    let filling = filler.iter().copied().cycle().take(length - text.len());
    Ok(text_of_bytes(match end {
        End::Left => filling.chain(text.iter().copied()).collect(),
        End::Right => text.iter().copied().chain(filling).collect(),
    }))
}

fn make_set(a: &Arguments<'_>) -> Result<Value<'static>> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    let bits = a.bits(0)?;
    let mut texts = Vec::new();
    for n in 1..a.len().min(65) {
        if bits >> (n - 1) & 1 == 1 && !a.is_null(n) {
            texts.push(a.text(n)?);
        }
    }
    Ok(Value::text(texts.join(",")))
}

fn quote(a: &Arguments<'_>) -> Result<Value<'static>> {
    let mut quoted = String::from("'");
    for c in a.text(0)?.chars() {
        match c {
            '\\' | '\'' | '\u{1a}' => quoted.extend(['\\', c]),
            '\0' => quoted.push_str("\\0"),
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    Ok(Value::text(quoted))
}

fn repeat(a: &Arguments<'_>) -> Result<Value<'static>> {
    let text = a.text(0)?;
    let count = a.count(1)?;
    if count < 0 {
        return Err(SqlError::general(format!("negative Repeat count: {count}")));
    }
    let count = length_of(count);
    Ok(if a.fits(text.len().saturating_mul(count))? { Value::text(text.repeat(count)) } else { Value::Null })
}

fn soundex(text: &str) -> String {
    let code = |c: char| match c {
        'B' | 'F' | 'P' | 'V' => '1',
        'C' | 'G' | 'J' | 'K' | 'Q' | 'S' | 'X' | 'Z' => '2',
        'D' | 'T' => '3',
        'L' => '4',
        'M' | 'N' => '5',
        'R' => '6',
        _ => '0',
    };
    let mut result = String::new();
    let mut last = None;
    for c in text.chars().map(upper_letter) {
        match last {
            None if c.is_alphabetic() => {
                result.push(c);
                last = Some(code(c));
            }
            Some(known) if code(c) != '0' && code(c) != known => {
                result.push(code(c));
                last = Some(code(c));
            }
            _ => {}
        }
    }
    let count = result.chars().count();
    (count..4).for_each(|_| result.push('0'));
    result
}

fn substring(a: &Arguments<'_>) -> Result<Value<'static>> {
    fn range(count: usize, start: i64, length: Option<i64>) -> std::ops::Range<usize> {
        let start = if start < 0 { (count as i64).saturating_add(start) } else { start - 1 };
        match (usize::try_from(start), length.unwrap_or(count as i64)) {
            (Ok(start), length) if start < count && length > 0 => {
                start..start.saturating_add(length_of(length)).min(count)
            }
            _ => 0..0,
        }
    }
    let length = if a.len() > 2 { Some(a.count(2)?) } else { None };
    let start = a.count(1)?;
    let text = a.text(0)?;
    let part = if text.is_ascii() {
        text[range(text.len(), start, length)].to_owned()
    } else {
        let range = range(text.chars().count(), start, length);
        text.chars().skip(range.start).take(range.len()).collect::<String>()
    };
    // A part of a number is one.
    let ty = match a.get(0) {
        Value::Int(_) | Value::UInt(_) => SqlType::BIGINT,
        Value::Double(_) | Value::Float(_) => SqlType::Double,
        Value::Decimal(_) if part.parse::<f64>().is_err() => SqlType::BIGINT,
        _ => return Ok(Value::text(part)),
    };
    let number = value::cast(&Value::text(part), &ty, &mut Vec::new())?;
    Ok(Value::text(text_of(&number)?.into_owned()))
}

fn substring_index(a: &Arguments<'_>) -> Result<Value<'static>> {
    let (text, separator, count) = (a.text(0)?, a.text(1)?, a.count(2)?);
    let wanted = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
    // Go splits by nothing into characters: the n-th ends where the next one begins.
    let at = |n: usize| match &*separator {
        "" => text.char_indices().nth(n + 1).map(|(at, _)| at),
        separator => text.match_indices(separator).nth(n).map(|(at, _)| at),
    };
    let ends = if separator.is_empty() { text.chars().count() } else { text.matches(&*separator).count() + 1 };
    Ok(Value::text(
        match wanted {
            0 => "",
            wanted if wanted >= ends => &text,
            wanted if count > 0 => &text[..at(wanted - 1).unwrap_or(text.len())],
            wanted => &text[at(ends - wanted - 1).map_or(0, |at| at + separator.len())..],
        }
        .to_owned(),
    ))
}

fn trim(a: &Arguments<'_>) -> Result<Value<'static>> {
    let text = a.text(0)?;
    let remove = if a.len() > 1 { a.text(1)? } else { " ".into() };
    let side = if a.len() > 2 { a.text(2)? } else { "both".into() };
    let mut rest: &str = &text;
    if !remove.is_empty() {
        if &*side != "trailing" {
            rest = rest.trim_start_matches(&*remove);
        }
        if &*side != "leading" {
            rest = rest.trim_end_matches(&*remove);
        }
    }
    Ok(Value::text(rest.to_owned()))
}
