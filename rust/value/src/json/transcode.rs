//! The text that Dolt stores to the text that MySQL shows, in one pass and without a value in between.
//!
//! They differ in spaces, in the order of members (stored by the bytes of their keys, shown shorter keys first) and in few numbers.
//! Text that native Dolt did not write is read as well; where the two are not told apart by looks alone, the caller makes a value.

use std::ops::Range;

use super::object::key_order;
use super::parse::number;
use super::reader::{Quoted, Reader};
use super::text::{MYSQL, quote};
use super::{DEPTH_MAX, Json};
use crate::number_text::is_shortest;

/// The text of a stored document as MySQL shows it: what [`Json::parse`] and its text are. `None` where only those can tell:
/// for what is no document, for escapes in keys, and for numbers that would be read as others of the same text.
pub(super) fn shown(stored: &str) -> Option<String> {
    let mut transcoder = Transcoder {
        reader: Reader::new(stored),
        stored: stored.as_bytes(),
        // Spaces are an eighth of most documents at most.
        shown: Vec::with_capacity(stored.len() + stored.len() / 8),
        members: Vec::new(),
        moved: Vec::new(),
    };
    transcoder.value(1)?;
    transcoder.reader.end().ok()?;
    String::from_utf8(transcoder.shown).ok()
}

struct Transcoder<'a> {
    reader: Reader<'a>,
    stored: &'a [u8],
    shown: Vec<u8>,
    /// Of the objects around.
    members: Vec<Member<'a>>,
    /// Members of an object that are put in another order.
    moved: Vec<u8>,
}

struct Member<'a> {
    key: &'a str,
    /// Where it is in the text that is made, with its key.
    shown: Range<usize>,
}

impl<'a> Transcoder<'a> {
    fn value(&mut self, depth: usize) -> Option<()> {
        let first = self.reader.begin().ok()?;
        if !matches!(first, b'{' | b'[') {
            return self.scalar(first);
        }
        if depth >= DEPTH_MAX {
            return None;
        }
        let is_object = first == b'{';
        let (own_members, start) = (self.members.len(), self.shown.len());
        self.shown.push(first);
        let mut goes_on = self.reader.first(is_object).ok()?;
        while goes_on {
            let from = self.shown.len();
            if is_object {
                let key = self.reader.key().ok().filter(|key| !key.has_escapes && key.is_normal)?;
                self.copy_quoted(key);
                self.shown.extend_from_slice(MYSQL.colon.as_bytes());
                self.value(depth + 1)?;
                self.members.push(Member { key: key.raw, shown: from..self.shown.len() });
            } else {
                self.value(depth + 1)?;
            }
            goes_on = self.reader.another(is_object).ok()?;
            if goes_on {
                self.shown.extend_from_slice(MYSQL.comma.as_bytes());
            }
        }
        if is_object {
            self.order_members(own_members, start + 1)?;
        }
        self.shown.push(if is_object { b'}' } else { b']' });
        Some(())
    }

    /// Puts the members of an object, whose text begins at `start`, in MySQL's order; of those with the same key the last stays.
    fn order_members(&mut self, own_members: usize, start: usize) -> Option<()> {
        let members = &mut self.members[own_members..];
        if members.is_sorted_by(|left, right| key_order(left.key, right.key).is_lt()) {
            self.members.truncate(own_members);
            return Some(());
        }
        self.moved.clear();
        let mut move_member = |member: &Member<'_>| {
            if !self.moved.is_empty() {
                self.moved.extend_from_slice(MYSQL.comma.as_bytes());
            }
            append(&mut self.moved, &self.shown, member.shown.clone());
        };
        if members.len() <= FEW_MEMBERS {
            sort_few(members);
            for (at, member) in members.iter().enumerate() {
                if members.get(at + 1).is_none_or(|next| next.key != member.key) {
                    move_member(member);
                }
            }
        } else {
            // As they are stored: of keys in the order of their bytes those of one length are in MySQL's.
            if !members.is_sorted_by(|left, right| left.key < right.key) {
                return None;
            }
            let mut order: Vec<(u64, u32)> =
                (0..).zip(&*members).map(|(at, member)| (member.key.len() as u64, at)).collect();
            codec::sort_numbered(&mut order);
            order.iter().for_each(|(_, at)| move_member(&members[*at as usize]));
        }
        self.shown.truncate(start);
        self.shown.extend_from_slice(&self.moved);
        self.members.truncate(own_members);
        Some(())
    }

    /// Copies a string with its quotes.
    fn copy_quoted(&mut self, string: Quoted<'_>) {
        append(&mut self.shown, self.stored, string.start - 1..string.start + string.raw.len() + 1);
    }

    fn scalar(&mut self, first: u8) -> Option<()> {
        match first {
            b'"' => {
                let string = self.reader.string().ok()?;
                if string.is_normal {
                    self.copy_quoted(string);
                } else {
                    self.shown.extend_from_slice(quote(&string.text().ok()?).as_bytes());
                }
            }
            b'-' | b'0'..=b'9' => {
                let (digits, is_whole) = self.reader.number(first).ok()?;
                if is_shown_as_written(digits, is_whole) {
                    let end = self.reader.position();
                    append(&mut self.shown, self.stored, end - digits.len()..end);
                } else {
                    self.number(&number(digits, is_whole).ok()?)?;
                }
            }
            _ => self.shown.extend_from_slice(self.reader.literal(first).ok()?.as_bytes()),
        }
        Some(())
    }

    fn number(&mut self, number: &Json) -> Option<()> {
        // The digits of large whole doubles, and of the negative zero, are those of integers.
        let is_undecided = |double: f64| double == double.trunc() && (double == 0.0 || double.abs() > SAFE_WHOLE_MAX);
        if matches!(number, Json::Double(double) if is_undecided(*double)) {
            return None;
        }
        self.shown.extend_from_slice(number.to_string().as_bytes());
        Some(())
    }
}

/// Copies a part of `from`. Most are short, for which a call costs more than the copy.
#[inline]
fn append(to: &mut Vec<u8>, from: &[u8], part: Range<usize>) {
    const BLOCK_BYTES: usize = 32;
    let block = from.get(part.start..).and_then(<[u8]>::first_chunk::<BLOCK_BYTES>);
    match block.filter(|_| part.len() <= BLOCK_BYTES) {
        Some(block) => {
            to.extend_from_slice(block);
            to.truncate(to.len() - (BLOCK_BYTES - part.len()));
        }
        None => to.extend_from_slice(&from[part]),
    }
}

/// Most objects have few members, for which nothing is to be allocated.
fn sort_few(members: &mut [Member<'_>]) {
    for end in 1..members.len() {
        let mut at = end;
        while at > 0 && key_order(members[at - 1].key, members[at].key).is_gt() {
            members.swap(at - 1, at);
            at -= 1;
        }
    }
}

const FEW_MEMBERS: usize = 24;
const SAFE_WHOLE_MAX: f64 = (1u64 << 53) as f64;

/// A double of so many decimal digits has the same digits again.
const DIGITS_MAX: usize = f64::DIGITS as usize;

/// Whether a number is shown with the digits that it has: without needless digits or zeros.
fn is_shown_as_written(digits: &str, is_whole: bool) -> bool {
    // With a sign and a point.
    let is_short = digits.len() <= DIGITS_MAX;
    match (is_short, is_whole) {
        (true, true) => digits != "-0",
        (true, false) => !digits.ends_with('0') && !digits.contains(['e', 'E']),
        (false, true) => false,
        (false, false) => is_shortest(digits),
    }
}

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
            "[0,1,-1,9007199254740991,9007199254740993,18446744073709551615,-9223372036854775808]",
            "[0.5,-0.5,1.0,1.10,0.1,1e-7,1e5,123456789.012345678,-122.42200352825247,2.5E+3,0.000000000000001]",
            "17",
            "true",
            r#""text""#,
            "null",
        ] {
            assert!(check(stored), "{stored}");
        }
        for undecided in ["[-0]", "[-0.0]", "[0e0]", "1e20", "18446744073709551616", r#"{"a\n":1}"#, r#"{"\u0061":1}"#]
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
