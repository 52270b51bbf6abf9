//! Collations: names, ids, and the order of text under each.
//!
//! A collation gives every code point one weight; strings compare weight by weight, then by length. There are no
//! expansions, contractions or trailing-space rules (docs/format/tree.md, section 7).

mod table;
mod weights;

use std::cmp::Ordering;

use crate::charset::Charset;
use crate::error::ValueError;
use weights::Weights;

/// A collation by its MySQL id. Two bytes, `Copy`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Collation(u16);

/// One row of the registry.
struct Entry {
    id: u16,
    name: &'static str,
    charset: Charset,
    is_default: bool,
    order: Order,
    sort_length: u8,
    pad_space: bool,
}

/// How a collation orders code points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The reference does not implement it.
    Unknown,
    /// As they are numbered, which is the order of UTF-8 bytes.
    CodePoints,
    /// By the table of the collation with this id.
    Weights(u16),
}

impl Entry {
    const fn new(
        id: u16,
        name: &'static str,
        charset: Charset,
        is_default: bool,
        order: Order,
        sort_length: u8,
        pad_space: bool,
    ) -> Entry {
        Entry { id, name, charset, is_default, order, sort_length, pad_space }
    }
}

/// The place of each id in the registry; ids that do not exist map to the first entry.
static PLACES: [u16; 324] = {
    let mut places = [0; 324];
    let mut at = 0;
    while at < table::ENTRIES.len() {
        places[table::ENTRIES[at].id as usize] = at as u16;
        at += 1;
    }
    places
};

impl Collation {
    /// Dolt's default for databases, tables and columns.
    pub const UTF8MB4_0900_BIN: Collation = Collation(309);
    /// The default of connections.
    pub const UTF8MB4_0900_AI_CI: Collation = Collation(255);
    pub const UTF8MB4_GENERAL_CI: Collation = Collation(45);
    pub const UTF8MB3_GENERAL_CI: Collation = Collation(33);
    pub const BINARY: Collation = Collation(63);

    /// Every collation in order of id: 286.
    pub fn all() -> impl Iterator<Item = Collation> {
        table::ENTRIES.iter().map(|entry| Collation(entry.id))
    }

    pub fn from_id(id: u16) -> Option<Collation> {
        table::ENTRIES.binary_search_by_key(&id, |entry| entry.id).ok().map(|_| Collation(id))
    }

    /// Finds a collation by name in any case; `utf8_…` is `utf8mb3_…`.
    pub fn from_name(name: &str) -> Result<Collation, ValueError> {
        let lower = name.to_ascii_lowercase();
        let wanted = match lower.strip_prefix("utf8_") {
            Some(rest) => format!("utf8mb3_{rest}"),
            None => lower,
        };
        let entry = table::ENTRIES.iter().find(|entry| entry.name == wanted);
        entry.map(|entry| Collation(entry.id)).ok_or_else(|| ValueError::UnknownCollation(name.to_owned()))
    }

    fn entry(self) -> &'static Entry {
        &table::ENTRIES[usize::from(PLACES[usize::from(self.0) % PLACES.len()])]
    }

    pub fn id(self) -> u16 {
        self.0
    }

    pub fn name(self) -> &'static str {
        self.entry().name
    }

    pub fn charset(self) -> Charset {
        self.entry().charset
    }

    /// Whether it is its character set's default.
    pub fn is_default(self) -> bool {
        self.entry().is_default
    }

    /// Whether the reference implements it. Columns of one that is not cannot be made.
    pub fn is_implemented(self) -> bool {
        self.entry().order != Order::Unknown
    }

    /// `SORTLEN` of SHOW COLLATION.
    pub fn sort_length(self) -> u8 {
        self.entry().sort_length
    }

    /// `PAD SPACE` or `NO PAD` of SHOW COLLATION; the order itself never pads.
    pub fn pad_attribute(self) -> &'static str {
        if self.entry().pad_space { "PAD SPACE" } else { "NO PAD" }
    }

    /// Whether order and equality are those of the code points, so that bytes may be compared.
    pub fn is_code_point_order(self) -> bool {
        self.entry().order == Order::CodePoints
    }

    /// Whether the order is known here: implemented by the reference and its weights loaded.
    ///
    /// Code that orders or hashes text by a collation checks this once, when the column or expression is bound.
    ///
    /// # Errors
    /// [`ValueError::CollationNotImplemented`], or [`ValueError::CollationNotLoaded`] when only the weights are missing.
    pub fn ready(self) -> Result<(), ValueError> {
        match self.entry().order {
            Order::Unknown => Err(ValueError::CollationNotImplemented(self.name())),
            Order::CodePoints => Ok(()),
            Order::Weights(table) => match Weights::of(table) {
                Some(_) => Ok(()),
                None => Err(ValueError::CollationNotLoaded(self.name())),
            },
        }
    }

    /// Makes the weights of further collations known: the file weights/collations.bin of this crate. A second call changes nothing.
    ///
    /// # Errors
    /// [`ValueError::DamagedWeights`].
    pub fn install(bytes: Vec<u8>) -> Result<(), ValueError> {
        weights::install(bytes)
    }

    /// Says how that file is had, once a collation is asked for that is not built in.
    pub fn load_with(loader: fn() -> Option<Vec<u8>>) {
        weights::load_with(loader);
    }

    /// The order by code points while the collation is not [`Collation::ready`].
    fn weights(self) -> Option<&'static Weights> {
        match self.entry().order {
            Order::Weights(table) => Weights::of(table),
            Order::CodePoints | Order::Unknown => None,
        }
    }

    /// The order of two UTF-8 strings. For a collation that is not [`Collation::ready`] this is the order of the bytes. A byte that
    /// is no part of a character counts as U+FFFD.
    pub fn compare(self, left: &[u8], right: &[u8]) -> Ordering {
        match self.weights() {
            None => left.cmp(right),
            Some(weights) => compare_weights(weights, left, right),
        }
    }

    /// Appends a key that is equal exactly for strings that compare equal, and whose bytes order as the strings do.
    pub fn hash_key(self, text: &[u8], key: &mut Vec<u8>) {
        match self.weights() {
            None => key.extend_from_slice(text),
            Some(weights) => {
                key.reserve(text.len() * 3);
                for character in Characters(text) {
                    // Weights have 24 bits at most.
                    let [_, bytes @ ..] = weights.weight(character).to_be_bytes();
                    key.extend_from_slice(&bytes);
                }
            }
        }
    }

    /// How single characters compare, for LIKE.
    pub(crate) fn weighing(self) -> Weighing {
        Weighing(self.weights())
    }
}

/// What a collation makes of single characters.
#[derive(Clone, Copy)]
pub(crate) struct Weighing(Option<&'static Weights>);

impl Weighing {
    /// Whether characters are equal where their bytes are.
    pub(crate) fn is_code_point_order(self) -> bool {
        self.0.is_none()
    }

    /// The same number for characters that are equal.
    #[inline]
    pub(crate) fn weight(self, character: char) -> u32 {
        self.0.map_or(u32::from(character), |weights| weights.weight(character))
    }
}

fn compare_weights(weights: &Weights, left: &[u8], right: &[u8]) -> Ordering {
    let common = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    if common == left.len() || common == right.len() {
        return left.len().cmp(&right.len());
    }
    // Back to the start of the character with the first difference, on each side.
    let start = |text: &[u8]| (0..=common).rev().find(|at| text[*at] & 0xc0 != 0x80).unwrap_or(0);
    let (mut left, mut right) = (Characters(&left[start(left)..]), Characters(&right[start(right)..]));
    loop {
        match (left.next(), right.next()) {
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) => {
                let order = weights.weight(a).cmp(&weights.weight(b));
                if order.is_ne() {
                    return order;
                }
            }
            (a, b) => return a.is_some().cmp(&b.is_some()),
        }
    }
}

/// The characters of UTF-8; every byte that is no part of one is U+FFFD.
pub(crate) struct Characters<'a>(pub(crate) &'a [u8]);

impl Iterator for Characters<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let (first, rest) = self.0.split_first()?;
        if first.is_ascii() {
            self.0 = rest;
            return Some(char::from(*first));
        }
        let length = match first {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        };
        let character = self.0.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()?.chars().next());
        self.0 = if character.is_some() { &self.0[length..] } else { rest };
        Some(character.unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

impl DoubleEndedIterator for Characters<'_> {
    fn next_back(&mut self) -> Option<char> {
        let (last, before) = self.0.split_last()?;
        if last.is_ascii() {
            self.0 = before;
            return Some(char::from(*last));
        }
        // No character begins within another: what is one at the end is one from the front, too.
        let of_length = |length: usize| {
            let start = self.0.len().checked_sub(length)?;
            let character = std::str::from_utf8(&self.0[start..]).ok()?.chars().next()?;
            (character.len_utf8() == length).then_some((start, character))
        };
        let (start, character) = (2..=4).find_map(of_length).unwrap_or((before.len(), char::REPLACEMENT_CHARACTER));
        self.0 = &self.0[..start];
        Some(character)
    }
}

impl std::fmt::Debug for Collation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::fmt::Display for Collation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_is_the_references() {
        assert_eq!(Collation::all().count(), 286);
        assert!(table::ENTRIES.is_sorted_by_key(|entry| entry.id));
        for collation in Collation::all() {
            assert_eq!(Collation::from_name(collation.name()), Ok(collation));
            assert_eq!(Collation::from_id(collation.id()), Some(collation));
        }
        assert_eq!(Collation::UTF8MB4_0900_BIN.name(), "utf8mb4_0900_bin");
        assert_eq!(Collation::UTF8MB4_0900_AI_CI.name(), "utf8mb4_0900_ai_ci");
        assert_eq!(Collation::UTF8MB4_GENERAL_CI.name(), "utf8mb4_general_ci");
        assert_eq!(Collation::UTF8MB3_GENERAL_CI.name(), "utf8mb3_general_ci");
        assert_eq!(Collation::BINARY.name(), "binary");
        assert_eq!(Collation::from_name("UTF8_General_CI"), Ok(Collation::UTF8MB3_GENERAL_CI));
    }

    #[test]
    fn text_compares_by_weights() {
        Collation::install(std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/collations.bin")).unwrap())
            .unwrap();
        let order =
            |name: &str, a: &str, b: &str| Collation::from_name(name).unwrap().compare(a.as_bytes(), b.as_bytes());
        use Ordering::*;
        assert_eq!(order("utf8mb4_0900_ai_ci", "résumé", "RESUME"), Equal);
        assert_eq!(order("utf8mb4_0900_as_ci", "résumé", "RÉSUMÉ"), Equal);
        assert_eq!(order("utf8mb4_0900_as_ci", "résumé", "resume"), Greater);
        assert_eq!(order("utf8mb4_0900_as_cs", "a", "A"), Less);
        assert_eq!(order("utf8mb4_0900_bin", "a", "B"), Greater);
        assert_eq!(order("utf8mb4_general_ci", "a", "B"), Less);
        assert_eq!(order("utf8mb4_general_ci", "straße", "strasse"), Less);
        assert_eq!(order("utf8mb4_general_ci", "a", "a "), Less);
        assert_eq!(order("latin1_swedish_ci", "z", "Å"), Less);
        assert_eq!(order("utf8mb4_general_ci", "aé", "aÉx"), Less);
        assert_eq!(order("utf8mb3_general_ci", "É", "e"), Equal);
        assert_eq!(order("utf16_unicode_ci", "É", "e"), Equal);
        assert_eq!(order("latin1_general_cs", "a", "A"), Greater);
        assert_eq!(order("ascii_bin", "a", "B"), Greater);
    }

    #[test]
    fn keys_agree_with_comparison() {
        let words = ["", "a", "A", "á", "ab", "b", "Ba", "ß", "ss", "é", "é", "日本", "\u{1f600}", "a\0", "Z"];
        for name in
            ["utf8mb4_0900_ai_ci", "utf8mb4_0900_as_cs", "utf8mb4_general_ci", "utf8mb4_0900_bin", "latin1_swedish_ci"]
        {
            let collation = Collation::from_name(name).unwrap();
            let key = |text: &str| {
                let mut key = Vec::new();
                collation.hash_key(text.as_bytes(), &mut key);
                key
            };
            for a in words {
                for b in words {
                    assert_eq!(key(a).cmp(&key(b)), collation.compare(a.as_bytes(), b.as_bytes()), "{name} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_compare_too() {
        let general = Collation::UTF8MB4_GENERAL_CI;
        for bytes in [&b"\xff"[..], b"a\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\x80\x80a"] {
            assert_eq!(general.compare(bytes, bytes), Ordering::Equal);
            assert_eq!(general.compare(bytes, b""), Ordering::Greater);
            assert_eq!(general.compare(bytes, b"\x80").reverse(), general.compare(b"\x80", bytes));
        }
    }
}
