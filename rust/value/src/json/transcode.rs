//! Transcodes the text that Dolt stores to the text that MySQL shows, in one pass and without a value in between.
//!
//! They differ in spaces, in the order of members (stored by the bytes of their keys, shown shorter keys first) and in few numbers.
//! Text that native Dolt did not write is read as well. What is irregular, or would be read as another value from the shown text, is
//! left to the caller, which makes a value of it.

use std::cmp::Ordering;
use std::ops::Range;

use super::digits::{DOUBLE_DIGITS_END, DOUBLE_PLACES_MAX, Number};
use super::parse::number;
use super::reader::{Reader, plain_bytes};
use super::text::quote;
use super::transcoded::{Transcoded, append};
use super::{DEPTH_MAX, Json};
use crate::number_text::is_shortest;

/// The text of a stored document as MySQL shows it: what [`Json::parse`] and its text are. `None` where only those can tell:
/// for invalid documents, for escapes in keys, and for numbers whose shown text reads as another value.
pub(super) fn shown(stored: &str) -> Option<String> {
    let bytes = stored.as_bytes();
    // A space follows each of these outside of strings. Sums of bytes are those that the compiler makes vectors of.
    let is_followed = |byte: &u8| u8::from(matches!(byte, b',' | b':'));
    let spaces: usize = bytes.chunks(255).map(|part| usize::from(part.iter().map(is_followed).sum::<u8>())).sum();
    let mut transcoder = Transcoder {
        text: stored,
        stored: bytes,
        shown: Transcoded::new(stored.len() + spaces),
        open: Vec::new(),
        members: Vec::new(),
        moved: Vec::new(),
    };
    transcoder.document()?;
    transcoder.shown.into_text()
}

struct Transcoder<'a> {
    text: &'a str,
    stored: &'a [u8],
    shown: Transcoded,
    /// The containers around the innermost one.
    open: Vec<Container>,
    /// Members of the open objects.
    members: Vec<Member>,
    /// Scratch space for the members of an object that are put in another order.
    moved: Vec<u8>,
}

/// A place in the stored text. It is handed around by value, as it changes with each token: a field would go through memory.
#[derive(Clone, Copy)]
struct Cursor {
    /// The next byte.
    at: usize,
    /// What is stored before this is in the text that is made. Runs that are the same in both are copied in one piece.
    copied: usize,
}

#[derive(Clone, Copy)]
struct Container {
    kind: Kind,
    first_member: usize,
    /// Whether the members so far are in MySQL's order.
    is_ordered: bool,
    /// Whether they are in the order of their bytes, which is Dolt's.
    is_stored_order: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    Array,
    /// Around all: no container.
    Document,
}

struct Member {
    /// Where its key is stored.
    key: Range<usize>,
    /// The first bytes of the key, as a number of the same order.
    prefix: u64,
    /// Where it is in the text that is made, with its key.
    shown: Range<usize>,
}

impl Member {
    /// The order of the keys' bytes.
    #[inline]
    fn cmp_bytes(&self, other: &Member, stored: &[u8]) -> Ordering {
        // No key has a zero byte, with which shorter ones are padded.
        match self.prefix.cmp(&other.prefix) {
            Ordering::Equal if self.key.len().max(other.key.len()) > 8 => {
                stored.get(self.key.clone()).cmp(&stored.get(other.key.clone()))
            }
            order => order,
        }
    }

    /// MySQL's order of keys.
    fn cmp(&self, other: &Member, stored: &[u8]) -> Ordering {
        self.key.len().cmp(&other.key.len()).then_with(|| self.cmp_bytes(other, stored))
    }
}

impl Transcoder<'_> {
    fn document(&mut self) -> Option<()> {
        let mut cursor = Cursor { at: 0, copied: 0 };
        let mut around = Container { kind: Kind::Document, ..Container::new(Kind::Array, 0) };
        loop {
            match self.begin(&mut cursor)? {
                byte @ (b'{' | b'[') => {
                    let kind = if byte == b'{' { Kind::Object } else { Kind::Array };
                    cursor.at += 1;
                    if self.begin(&mut cursor)? != kind.end() {
                        if self.open.len() + 1 >= DEPTH_MAX {
                            return None;
                        }
                        self.open.push(std::mem::replace(&mut around, Container::new(kind, self.members.len())));
                        if kind == Kind::Object {
                            self.key(&mut cursor, &mut around)?;
                        }
                        continue;
                    }
                    if self.open.len() + 1 >= DEPTH_MAX {
                        return None;
                    }
                    cursor.at += 1;
                }
                b'"' => self.string(&mut cursor)?,
                b'-' | b'0'..=b'9' => self.number(&mut cursor)?,
                first => cursor.at += literal(self.stored.get(cursor.at..)?, first)?,
            }
            if !self.after_value(&mut cursor, &mut around)? {
                break;
            }
        }
        let cursor = self.pass_blanks(cursor);
        (cursor.at == self.stored.len()).then_some(())
    }

    /// The next byte that is no blank; it is not read.
    #[inline(always)]
    fn begin(&mut self, cursor: &mut Cursor) -> Option<u8> {
        match self.stored.get(cursor.at) {
            Some(&byte) if byte > b' ' => Some(byte),
            _ => {
                *cursor = self.pass_blanks(*cursor);
                self.stored.get(cursor.at).copied()
            }
        }
    }

    /// Blanks between tokens are not copied.
    #[cold]
    #[inline(never)]
    fn pass_blanks(&mut self, Cursor { mut at, copied }: Cursor) -> Cursor {
        self.shown.append(self.stored, copied..at);
        while matches!(self.stored.get(at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            at += 1;
        }
        Cursor { at, copied: at }
    }

    /// After a value: closes the containers that end with it. False when the document ends with it.
    #[inline(always)]
    fn after_value(&mut self, cursor: &mut Cursor, around: &mut Container) -> Option<bool> {
        loop {
            match around.kind {
                Kind::Document => return Some(false),
                Kind::Array => {}
                Kind::Object => {
                    let end = self.position(*cursor);
                    self.members.last_mut()?.shown.end = end;
                }
            }
            let byte = self.begin(cursor)?;
            if byte == b',' {
                self.separator(cursor);
                if around.kind == Kind::Object {
                    self.begin(cursor)?;
                    self.key(cursor, around)?;
                }
                return Some(true);
            }
            if byte != around.kind.end() {
                return None;
            }
            if around.kind == Kind::Object {
                if !around.is_ordered {
                    self.shown.append(self.stored, cursor.copied..cursor.at);
                    cursor.copied = cursor.at;
                    self.order_members(around)?;
                }
                self.members.truncate(around.first_member);
            }
            *around = self.open.pop()?;
            cursor.at += 1;
        }
    }

    /// Where the next byte will be in the text that is made.
    #[inline(always)]
    fn position(&self, cursor: Cursor) -> usize {
        self.shown.end() + (cursor.at - cursor.copied)
    }

    /// Reads a comma or a colon, and copies what is not copied yet with it and a space.
    #[inline(always)]
    fn separator(&mut self, cursor: &mut Cursor) {
        cursor.at += 1;
        self.shown.append_with_space(self.stored, cursor.copied..cursor.at);
        cursor.copied = cursor.at;
    }

    /// A key with its colon.
    #[inline]
    fn key(&mut self, cursor: &mut Cursor, object: &mut Container) -> Option<()> {
        let shown = self.position(*cursor);
        if self.stored.get(cursor.at) != Some(&b'"') {
            return None;
        }
        let start = cursor.at + 1;
        let mut end = start + plain_bytes(self.stored.get(start..)?);
        if self.stored.get(end) != Some(&b'"') {
            let mut reader = Reader::from(self.text, start);
            let key = reader.string().ok().filter(|key| !key.has_escapes && key.is_normal)?;
            end = start + key.raw.len();
        }
        cursor.at = end + 1;
        if self.begin(cursor)? != b':' {
            return None;
        }
        self.separator(cursor);
        let member = Member { prefix: prefix(self.stored, start, end), key: start..end, shown: shown..shown };
        if let Some(before) = self.members.get(object.first_member..).and_then(<[_]>::last) {
            let order = before.cmp_bytes(&member, self.stored);
            object.is_stored_order &= order.is_lt();
            object.is_ordered &= before.key.len().cmp(&member.key.len()).then(order).is_lt();
        }
        self.members.push(member);
        Some(())
    }

    /// Puts the members of an object in MySQL's order; of those with the same key the last stays.
    fn order_members(&mut self, object: &Container) -> Option<()> {
        let members = self.members.get_mut(object.first_member..)?;
        let start = members.first()?.shown.start;
        self.moved.clear();
        let mut move_member = |member: &Member| {
            if !self.moved.is_empty() {
                self.moved.extend_from_slice(b", ");
            }
            append(&mut self.moved, self.shown.bytes(), member.shown.clone());
        };
        if object.is_stored_order && members.len() > FEW_MEMBERS {
            let mut order: Vec<(u64, u32)> =
                (0..).zip(&*members).map(|(at, member)| (member.key.len() as u64, at)).collect();
            codec::sort_numbered(&mut order);
            order.iter().for_each(|(_, at)| move_member(&members[*at as usize]));
        } else if members.len() <= FEW_MEMBERS {
            let order = order_few(members, self.stored);
            for (at, member) in order.iter().take(members.len()).enumerate() {
                let member = &members[usize::from(*member)];
                let next =
                    order.get(at + 1).filter(|_| at + 1 < members.len()).map(|next| &members[usize::from(*next)]);
                if next.is_none_or(|next| next.cmp(member, self.stored).is_ne()) {
                    move_member(member);
                }
            }
        } else {
            return None;
        }
        self.shown.replace_from(start, &self.moved);
        Some(())
    }

    #[inline(always)]
    fn string(&mut self, cursor: &mut Cursor) -> Option<()> {
        let start = cursor.at + 1;
        let end = start + plain_bytes(self.stored.get(start..)?);
        if self.stored.get(end) == Some(&b'"') {
            cursor.at = end + 1;
        } else {
            *cursor = self.string_with_escapes(*cursor)?;
        }
        Some(())
    }

    #[inline(never)]
    fn string_with_escapes(&mut self, Cursor { at, copied }: Cursor) -> Option<Cursor> {
        let mut reader = Reader::from(self.text, at + 1);
        let string = reader.string().ok()?;
        let end = reader.position();
        if string.is_normal {
            return Some(Cursor { at: end, copied });
        }
        self.shown.append(self.stored, copied..at);
        let quoted = quote(&string.text().ok()?);
        self.shown.append(quoted.as_bytes(), 0..quoted.len());
        Some(Cursor { at: end, copied: end })
    }

    #[inline(always)]
    fn number(&mut self, cursor: &mut Cursor) -> Option<()> {
        let number = Number::read(self.stored, cursor.at)?;
        if is_shown_as_written(&number, self.stored) {
            cursor.at = number.end;
        } else {
            *cursor = self.rewrite_number(*cursor, &number)?;
        }
        Some(())
    }

    /// Writes a number whose digits are others in MySQL's text.
    #[inline(never)]
    fn rewrite_number(&mut self, Cursor { at, copied }: Cursor, written: &Number) -> Option<Cursor> {
        self.shown.append(self.stored, copied..at);
        self.moved.clear();
        if written.write_scaled(self.stored, &mut self.moved) {
            self.shown.append(&self.moved, 0..self.moved.len());
        } else {
            let number = number(self.text.get(at..written.end)?, written.is_whole()).ok()?;
            // Their digits are those of integers: of whole doubles up to the largest integer, and of the negative zero.
            let is_undecided = |double: f64| {
                let size = double.abs();
                double == double.trunc() && (size == 0.0 || (size > SAFE_WHOLE_MAX && size <= INTEGER_MAX))
            };
            if matches!(number, Json::Double(double) if is_undecided(double)) {
                return None;
            }
            let digits = number.to_string();
            self.shown.append(digits.as_bytes(), 0..digits.len());
        }
        Some(Cursor { at: written.end, copied: written.end })
    }
}

impl Kind {
    /// What closes it.
    #[inline(always)]
    fn end(self) -> u8 {
        if self == Kind::Object { b'}' } else { b']' }
    }
}

impl Container {
    fn new(kind: Kind, first_member: usize) -> Container {
        Container { kind, first_member, is_ordered: true, is_stored_order: true }
    }
}

/// The length of the literal that a text begins with.
#[inline(always)]
fn literal(text: &[u8], first: u8) -> Option<usize> {
    let literal: &[u8] = match first {
        b't' => b"true",
        b'f' => b"false",
        b'n' => b"null",
        _ => return None,
    };
    text.starts_with(literal).then_some(literal.len())
}

/// The first eight bytes of a key as a number, padded with zeros.
#[inline(always)]
fn prefix(stored: &[u8], start: usize, end: usize) -> u64 {
    let length = end - start;
    match stored.get(start..).and_then(<[u8]>::first_chunk) {
        Some(block) if length >= 8 => u64::from_be_bytes(*block),
        Some(block) => u64::from_be_bytes(*block) & !(u64::MAX >> (8 * length)),
        // At the end of the document.
        None => (0..8).fold(0, |prefix, at| prefix << 8 | u64::from(if at < length { stored[start + at] } else { 0 })),
    }
}

/// The numbers of a few members in MySQL's order of their keys. Nothing is allocated.
fn order_few(members: &[Member], stored: &[u8]) -> [u8; FEW_MEMBERS] {
    let mut order: [u8; FEW_MEMBERS] = std::array::from_fn(|at| at as u8);
    for end in 1..members.len() {
        let mut at = end;
        let member = |at: u8| &members[usize::from(at)];
        while at > 0 && member(order[at - 1]).cmp(member(order[at]), stored).is_gt() {
            order.swap(at - 1, at);
            at -= 1;
        }
    }
    order
}

/// Most objects have no more members.
const FEW_MEMBERS: usize = 24;
const SAFE_WHOLE_MAX: f64 = (1u64 << 53) as f64;
/// Whole numbers above are doubles, whatever their digits.
const INTEGER_MAX: f64 = u64::MAX as f64;

/// Whether a number is shown with the digits that it has: without needless digits or zeros.
#[inline(always)]
fn is_shown_as_written(number: &Number, stored: &[u8]) -> bool {
    if number.is_whole() {
        // The negative zero is a double. Integers of so few digits are exact.
        return number.places() <= WHOLE_PLACES_MAX && !number.is_negative_zero(stored);
    }
    if number.has_exponent() || number.ends_with_zero(stored) {
        return false;
    }
    // A double of so few decimal digits has the same digits again.
    number.places() <= DOUBLE_PLACES_MAX
        || number
            .digits(stored)
            .is_some_and(|digits| digits < DOUBLE_DIGITS_END || is_shortest(digits, number.decimals()))
}

/// Any whole number of so many digits is a signed integer.
const WHOLE_PLACES_MAX: usize = 18;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What the value of a text is shown as, and whether it is known without the value.
    fn check(stored: &str) -> bool {
        let text = shown(stored);
        let Ok(value) = Json::parse(stored) else {
            assert_eq!(text, None, "{stored}");
            return false;
        };
        if let Some(text) = &text {
            assert_eq!(*text, value.to_string(), "{stored}");
            // A value that is made of the text is that of the stored one.
            assert_eq!(format!("{:?}", Json::parse(text).unwrap()), format!("{value:?}"), "{stored}");
            assert_eq!(Reader::new(text).length().unwrap(), value.length(), "{stored}");
        }
        text.is_some()
    }

    #[test]
    fn documents_are_shown_as_their_values_are() {
        for stored in [
            r#"{"a":1,"aa":{"b":[],"c":{}},"b":[1,2,[3,"x"]]}"#,
            r#"{"bb":1,"a":2,"ccc":3,"":4,"é":5}"#,
            r#"{"a":1,"b":2,"a":3}"#,
            r#" [ 1 , { "a" : null } ] "#,
            r#"["\"\\\b\f\n\r\t\/\u0041\u2028\u001f\ud83d\ude00","’“”","plain text of more than a word"]"#,
            "[\"\u{2028}\", \"\u{2029}\", \"\u{202a}\"]",
            r#"["\u0000\u0001\u001f\u2028","\u001F","\u0008","\u000a","\u007f","\u2029x"]"#,
            "[0,1,-1,9007199254740991,9007199254740993,18446744073709551615,-9223372036854775808]",
            "[0.5,-0.5,1.0,1.10,0.1,1e-7,1e5,123456789.012345678,-122.42200352825247,2.5E+3,0.000000000000001]",
            "[1e20,-5e22,1.7976931348623157e308,5e-324,2.5e-290,1.5e-300,-1.2300e-3,1234567890123456.5,0.000000000000000000001]",
            "[9007199254740992,123456789012345678,-123456789012345678,-9223372036854775808]",
            "17",
            "true",
            r#""text""#,
            "null",
        ] {
            assert!(check(stored), "{stored}");
        }
        for undecided in
            ["[-0]", "[-0.0]", "[0e0]", "1e19", "-1e17", "18446744073709551616", r#"{"a\n":1}"#, r#"{"\u0061":1}"#]
        {
            assert!(!check(undecided), "{undecided}");
        }
        for damaged in ["", "[1,]", "{\"a\":1}}", "[1e999]", "[\"\\ud800\"]", "{\"a\" 1}", "[01]", "tru", "[\"\n\"]"] {
            assert!(!check(damaged), "{damaged}");
        }
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(check(&nested(DEPTH_MAX - 1)));
        assert!(!check(&nested(DEPTH_MAX)));
        assert!(!check(&"[".repeat(1_000_000)));
    }

    #[test]
    fn objects_of_many_members_are_put_in_order() {
        let member = |n: usize| format!(r#""k{}":{{"n":{n},"m":[{n}]}}"#, n * 7919 % 1_000);
        let mut members: Vec<String> = (0..1_000).map(member).collect();
        assert!(!check(&format!("{{{}}}", members.join(","))), "native Dolt stores no such order");
        members.sort();
        assert!(check(&format!("{{{}}}", members.join(","))));
    }

    fn scalars() -> impl Strategy<Value = String> {
        prop_oneof![
            Just("null".to_owned()),
            Just("true".to_owned()),
            Just("false".to_owned()),
            any::<i64>().prop_map(|number| number.to_string()),
            any::<u64>().prop_map(|number| number.to_string()),
            any::<f64>().prop_filter("JSON", |number| number.is_finite()).prop_map(|number| number.to_string()),
            any::<f32>().prop_filter("JSON", |number| number.is_finite()).prop_map(|number| format!("{number:e}")),
            "-?(0|[1-9][0-9]{0,18})\\.[0-9]{1,18}",
            "-?(0|[1-9][0-9]{0,4})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?",
            any::<String>().prop_map(|text| quote(&text)),
            r#""([ -!#-\[\]-~]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}|[\u2026-\u202b]|é|日){0,30}""#,
        ]
    }

    fn documents() -> impl Strategy<Value = String> {
        let blank = || prop_oneof![8 => Just(""), 1 => Just(" "), 1 => Just("\n\t")];
        scalars().prop_recursive(6, 200, 12, move |inner| {
            let key = prop_oneof![8 => r#""[a-c]{0,3}""#, 2 => r#""[a-zé]{0,9}""#, 1 => r#""[a\\]n""#];
            let member = (key, blank(), inner.clone()).prop_map(|(key, blank, value)| format!("{key}{blank}:{value}"));
            let joined = |items: Vec<String>, blank: &str| items.join(&format!(",{blank}"));
            prop_oneof![
                (prop::collection::vec(inner, 0..8), blank())
                    .prop_map(move |(items, blank)| format!("[{blank}{}]", joined(items, blank))),
                (prop::collection::vec(member, 0..30), blank())
                    .prop_map(move |(members, blank)| format!("{{{}{blank}}}", joined(members, blank))),
            ]
        })
    }

    proptest! {
        #[test]
        fn random_documents_are_shown_as_their_values_are(stored in documents()) {
            check(&stored);
        }

        #[test]
        fn what_is_stored_of_a_value_is_shown_as_the_value(text in documents()) {
            if let Ok(value) = Json::parse(&text) {
                check(&value.canonical());
            }
        }

        #[test]
        fn damaged_documents_are_refused_alike(stored in documents(), at in any::<prop::sample::Index>(), byte in " -~") {
            let at = at.index(stored.len().max(1));
            if stored.is_char_boundary(at) && stored.is_char_boundary(at + 1) {
                check(&format!("{}{byte}{}", &stored[..at], &stored[at + 1..]));
            }
        }
    }
}
