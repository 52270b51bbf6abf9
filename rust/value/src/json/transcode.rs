//! Transcodes the text that Dolt stores to the text that MySQL shows, in one pass and without a value in between.
//!
//! They differ in spaces, in the order of members (stored by the bytes of their keys, shown shorter keys first) and in few numbers.
//! Text that native Dolt did not write is read as well. What is irregular, or would be read as another value from the shown text, is
//! left to the caller, which makes a value of it.

use std::cmp::Ordering;
use std::ops::Range;

use super::digits::{Number, first_word};
use super::object::key_order;
use super::parse::number;
use super::reader::{Quoted, Reader, plain_bytes};
use super::text::quote;
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
        at: 0,
        copied: 0,
        shown: Vec::with_capacity(stored.len() + spaces + BLOCK_BYTES),
        open: Vec::new(),
        members: Vec::new(),
        moved: Vec::new(),
    };
    transcoder.document()?;
    String::from_utf8(transcoder.shown).ok()
}

struct Transcoder<'a> {
    text: &'a str,
    stored: &'a [u8],
    /// The next byte.
    at: usize,
    /// What is stored before this is in `shown`. Runs that are the same in both are copied in one piece.
    copied: usize,
    shown: Vec<u8>,
    /// The containers around the next byte.
    open: Vec<Container>,
    /// Members of the open objects.
    members: Vec<Member<'a>>,
    /// Scratch space for the members of an object that are put in another order.
    moved: Vec<u8>,
}

struct Container {
    is_object: bool,
    first_member: usize,
    /// Whether the members so far are in MySQL's order.
    is_ordered: bool,
    /// Whether they are in the order of their bytes, which is Dolt's.
    is_stored_order: bool,
}

struct Member<'a> {
    key: &'a str,
    /// The first bytes of the key, as a number of the same order.
    prefix: u64,
    /// Where it is in the text that is made, with its key.
    shown: Range<usize>,
}

impl Member<'_> {
    /// The order of the keys' bytes.
    #[inline]
    fn cmp_bytes(&self, other: &Member<'_>) -> Ordering {
        // No key has a zero byte, with which shorter ones are padded.
        match self.prefix.cmp(&other.prefix) {
            Ordering::Equal if self.key.len().max(other.key.len()) > 8 => self.key.cmp(other.key),
            order => order,
        }
    }
}

impl<'a> Transcoder<'a> {
    fn document(&mut self) -> Option<()> {
        loop {
            let goes_on = match self.begin()? {
                byte @ (b'{' | b'[') => self.open(byte == b'{')? || self.after_value()?,
                b'"' => {
                    self.string()?;
                    self.after_value()?
                }
                b'-' | b'0'..=b'9' => {
                    self.number()?;
                    self.after_value()?
                }
                first => {
                    self.literal(first)?;
                    self.after_value()?
                }
            };
            if !goes_on {
                break;
            }
        }
        self.skip_blanks();
        self.flush();
        (self.at == self.stored.len()).then_some(())
    }

    /// The next byte that is no blank; it is not read.
    #[inline]
    fn begin(&mut self) -> Option<u8> {
        match self.stored.get(self.at) {
            Some(0..=b' ') => {
                self.skip_blanks();
                self.stored.get(self.at).copied()
            }
            byte => byte.copied(),
        }
    }

    /// Blanks between tokens are not copied.
    #[cold]
    fn skip_blanks(&mut self) {
        self.flush();
        while matches!(self.stored.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        self.copied = self.at;
    }

    /// Opens a container; false when it is empty, and over.
    fn open(&mut self, is_object: bool) -> Option<bool> {
        if self.open.len() + 1 >= DEPTH_MAX {
            return None;
        }
        self.at += 1;
        if self.begin()? == if is_object { b'}' } else { b']' } {
            self.at += 1;
            return Some(false);
        }
        let first_member = self.members.len();
        self.open.push(Container { is_object, first_member, is_ordered: true, is_stored_order: true });
        if is_object {
            self.key()?;
        }
        Some(true)
    }

    /// After a value: closes the containers that end with it. False when the document ends with it.
    #[inline]
    fn after_value(&mut self) -> Option<bool> {
        while let Some(&Container { is_object, .. }) = self.open.last() {
            if is_object {
                let end = self.position();
                self.members.last_mut()?.shown.end = end;
            }
            match self.begin()? {
                b',' => {
                    self.flush_separator();
                    if is_object {
                        self.begin()?;
                        self.key()?;
                    }
                    return Some(true);
                }
                b'}' if is_object => self.close_object()?,
                b']' if !is_object => {
                    self.open.pop();
                }
                _ => return None,
            }
            self.at += 1;
        }
        Some(false)
    }

    /// A key with its colon.
    #[inline]
    fn key(&mut self) -> Option<()> {
        let start = self.position();
        if self.stored.get(self.at) != Some(&b'"') {
            return None;
        }
        let key = self.quoted()?;
        if key.has_escapes || !key.is_normal {
            return None;
        }
        if self.begin()? != b':' {
            return None;
        }
        self.flush_separator();
        let mut prefix = first_word(self.stored, key.start).swap_bytes();
        if key.raw.len() < 8 {
            prefix &= !(u64::MAX >> (8 * key.raw.len()));
        }
        let member = Member { key: key.raw, prefix, shown: start..start };
        let container = self.open.last_mut()?;
        if let Some(before) = self.members.last().filter(|_| self.members.len() > container.first_member) {
            let order = before.cmp_bytes(&member);
            container.is_stored_order &= order.is_lt();
            container.is_ordered &= before.key.len().cmp(&member.key.len()).then(order).is_lt();
        }
        self.members.push(member);
        Some(())
    }

    fn close_object(&mut self) -> Option<()> {
        let container = self.open.pop()?;
        if !container.is_ordered {
            self.flush();
            self.order_members(container.first_member, container.is_stored_order)?;
        }
        self.members.truncate(container.first_member);
        Some(())
    }

    /// Puts the members of an object in MySQL's order; of those with the same key the last stays.
    fn order_members(&mut self, first_member: usize, is_stored_order: bool) -> Option<()> {
        let members = &mut self.members[first_member..];
        let start = members.first()?.shown.start;
        self.moved.clear();
        let mut move_member = |member: &Member<'_>| {
            if !self.moved.is_empty() {
                self.moved.extend_from_slice(b", ");
            }
            append(&mut self.moved, &self.shown, member.shown.clone());
        };
        if is_stored_order && members.len() > FEW_MEMBERS {
            let mut order: Vec<(u64, u32)> =
                (0..).zip(&*members).map(|(at, member)| (member.key.len() as u64, at)).collect();
            codec::sort_numbered(&mut order);
            order.iter().for_each(|(_, at)| move_member(&members[*at as usize]));
        } else if is_stored_order {
            order_few(members).iter().take(members.len()).for_each(|at| move_member(&members[usize::from(*at)]));
        } else if members.len() <= FEW_MEMBERS {
            sort_few(members);
            for (at, member) in members.iter().enumerate() {
                if members.get(at + 1).is_none_or(|next| next.key != member.key) {
                    move_member(member);
                }
            }
        } else {
            return None;
        }
        self.shown.truncate(start);
        self.shown.extend_from_slice(&self.moved);
        Some(())
    }

    /// Where the next byte will be in the text that is made.
    #[inline]
    fn position(&self) -> usize {
        self.shown.len() + (self.at - self.copied)
    }

    /// Copies what is not copied yet.
    fn flush(&mut self) {
        append(&mut self.shown, self.stored, self.copied..self.at);
        self.copied = self.at;
    }

    /// Reads a comma or a colon, and copies what is not copied yet with it and a space.
    #[inline]
    fn flush_separator(&mut self) {
        self.at += 1;
        let (part, end) = (self.copied..self.at, self.position());
        self.copied = self.at;
        let block = self.stored.get(part.start..).and_then(<[u8]>::first_chunk::<BLOCK_BYTES>);
        match block.filter(|_| part.len() < BLOCK_BYTES) {
            Some(block) => {
                self.shown.extend_from_slice(block);
                self.shown[end] = b' ';
                self.shown.truncate(end + 1);
            }
            None => {
                self.shown.extend_from_slice(&self.stored[part]);
                self.shown.push(b' ');
            }
        }
    }

    /// Reads a string from its first quote.
    #[inline]
    fn quoted(&mut self) -> Option<Quoted<'a>> {
        let start = self.at + 1;
        let length = plain_bytes(&self.stored[start..]);
        if self.stored.get(start + length) == Some(&b'"') {
            self.at = start + length + 1;
            let raw = self.text.get(start..start + length)?;
            return Some(Quoted { raw, start, has_escapes: false, is_normal: true });
        }
        let mut reader = Reader::from(self.text, start);
        let string = reader.string().ok()?;
        self.at = reader.position();
        Some(string)
    }

    #[inline]
    fn string(&mut self) -> Option<()> {
        let string = self.quoted()?;
        if !string.is_normal {
            let end = std::mem::replace(&mut self.at, string.start - 1);
            self.flush();
            self.shown.extend_from_slice(quote(&string.text().ok()?).as_bytes());
            (self.at, self.copied) = (end, end);
        }
        Some(())
    }

    #[inline]
    fn literal(&mut self, first: u8) -> Option<()> {
        let literal: &[u8] = match first {
            b't' => b"true",
            b'f' => b"false",
            b'n' => b"null",
            _ => return None,
        };
        self.stored.get(self.at..)?.starts_with(literal).then(|| self.at += literal.len())
    }

    #[inline]
    fn number(&mut self) -> Option<()> {
        let number = Number::read(self.stored, self.at)?;
        if is_shown_as_written(&number) {
            self.at = number.end;
            return Some(());
        }
        self.rewrite_number(&number)
    }

    /// Writes a number whose digits are others in MySQL's text.
    fn rewrite_number(&mut self, written: &Number) -> Option<()> {
        self.flush();
        if !written.write_scaled(&mut self.shown) {
            let digits = self.text.get(self.at..written.end)?;
            let number = number(digits, written.is_whole()).ok()?;
            // Their digits are those of integers: of whole doubles up to the largest integer, and of the negative zero.
            let is_undecided = |double: f64| {
                let size = double.abs();
                double == double.trunc() && (size == 0.0 || (size > SAFE_WHOLE_MAX && size <= INTEGER_MAX))
            };
            if matches!(number, Json::Double(double) if is_undecided(double)) {
                return None;
            }
            self.shown.extend_from_slice(number.to_string().as_bytes());
        }
        (self.at, self.copied) = (written.end, written.end);
        Some(())
    }
}

/// A part of so many bytes, or less, is copied as a block: for most parts a call costs more than the copy.
const BLOCK_BYTES: usize = 32;

/// Copies a part of `from`.
#[inline]
fn append(to: &mut Vec<u8>, from: &[u8], part: Range<usize>) {
    let block = from.get(part.start..).and_then(<[u8]>::first_chunk::<BLOCK_BYTES>);
    match block.filter(|_| part.len() <= BLOCK_BYTES) {
        Some(block) => {
            to.extend_from_slice(block);
            to.truncate(to.len() - (BLOCK_BYTES - part.len()));
        }
        None => to.extend_from_slice(&from[part]),
    }
}

/// The order of a few members by the lengths of their keys; those of one length are in order. Nothing is allocated.
fn order_few(members: &[Member<'_>]) -> [u8; FEW_MEMBERS] {
    let mut order: [u8; FEW_MEMBERS] = std::array::from_fn(|at| at as u8);
    for end in 1..members.len() {
        let mut at = end;
        let length = |at: u8| members[usize::from(at)].key.len();
        while at > 0 && length(order[at - 1]) > length(order[at]) {
            order.swap(at - 1, at);
            at -= 1;
        }
    }
    order
}

/// Sorts a few members by their keys. Nothing is allocated.
fn sort_few(members: &mut [Member<'_>]) {
    for end in 1..members.len() {
        let mut at = end;
        while at > 0 && key_order(members[at - 1].key, members[at].key).is_gt() {
            members.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Most objects have no more members.
const FEW_MEMBERS: usize = 24;
const SAFE_WHOLE_MAX: f64 = (1u64 << 53) as f64;
/// Whole numbers above are doubles, whatever their digits.
const INTEGER_MAX: f64 = u64::MAX as f64;

/// Whether a number is shown with the digits that it has: without needless digits or zeros.
#[inline]
fn is_shown_as_written(number: &Number) -> bool {
    if number.has_exponent || !number.fits() {
        return false;
    }
    if number.is_whole() {
        // The negative zero is a double. Integers of so few digits are exact.
        return number.places <= WHOLE_PLACES_MAX && !(number.is_negative && number.digits == 0);
    }
    // A double of so few decimal digits has the same digits again.
    let is_short = number.digits < 10u64.pow(f64::DIGITS);
    if is_short { !number.digits.is_multiple_of(10) } else { is_shortest(number.digits, number.decimals) }
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
