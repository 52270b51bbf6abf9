//! Tags of new columns (docs/format/database.md, section 8.3; docs/format/tree.md, section 13).
//!
//! A tag is drawn from a generator that is seeded with the names and kinds of the columns, so that the same statement gives
//! the same schema everywhere. Any tag that is not in use would do to read the table; only this one gives Dolt's addresses.

use codec::Address;
use hashbrown::HashSet;
use value::{GeometryKind, SqlType};

/// Tags from here on belong to system tables.
pub const SYSTEM_TAGS_FROM: u64 = 1 << 51;
/// The generator draws below this while few tags are in use.
const TAGS_MIN: u64 = 128 * 128;
const WORDS: usize = 607;
const TAP_DISTANCE: usize = 273;
/// Added to the words while seeding: the constants of the seeded generator of Go's `math/rand` (BSD-3-Clause), which are
/// part of the format. 607 little-endian u64.
static CONSTANTS: &[u8; WORDS * 8] = include_bytes!("tag_constants.bin");

/// The byte that stands for a type in the seed of a tag.
pub fn tag_kind(sql_type: &SqlType) -> u8 {
    match sql_type {
        SqlType::Float | SqlType::Double => 1,
        SqlType::Char { .. } | SqlType::VarChar { .. } => 2,
        SqlType::Text { .. } | SqlType::Blob { .. } | SqlType::Vector { .. } => 3,
        SqlType::Integer(integer) if integer.unsigned => 16,
        SqlType::Null | SqlType::Integer(_) | SqlType::Year | SqlType::Time => 15,
        SqlType::Bit(_) | SqlType::Enum(_) | SqlType::Set(_) => 16,
        SqlType::Binary { .. } | SqlType::VarBinary { .. } => 19,
        SqlType::Date | SqlType::DateTime { .. } | SqlType::Timestamp { .. } => 20,
        SqlType::Decimal { .. } => 21,
        SqlType::Json => 22,
        SqlType::Geometry { kind, .. } => match kind {
            GeometryKind::Geometry => 23,
            GeometryKind::Point => 24,
            GeometryKind::LineString => 25,
            GeometryKind::Polygon => 26,
            GeometryKind::MultiPoint => 28,
            GeometryKind::MultiLineString => 29,
            GeometryKind::MultiPolygon => 30,
            GeometryKind::GeometryCollection => 31,
        },
    }
}

/// The tag of a new column.
///
/// `existing` are the kinds of the columns that the table has already, in order; `used` are all tags of the working root and
/// of HEAD.
pub fn new_tag(table: &str, column: &str, existing: &[u8], kind: u8, used: &HashSet<u64>) -> u64 {
    let mut tags_max = TAGS_MIN;
    while tags_max / 2 < used.len() as u64 {
        tags_max *= 128;
    }
    let mut generator = Generator::seeded(seed(table, column, existing, kind));
    loop {
        let tag = generator.next_u63() & (tags_max - 1);
        if !used.contains(&tag) {
            return tag;
        }
    }
}

fn seed(table: &str, column: &str, existing: &[u8], kind: u8) -> i64 {
    let mut input = existing.to_vec();
    input.push(kind);
    let letters = |text: &str| text.bytes().filter(u8::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let (table, column): (Vec<u8>, Vec<u8>) = (letters(table), letters(column));
    input.extend(table);
    input.extend(column);
    // An address is the first bytes of the SHA-512, which is what the seed is made of, too.
    i64::from_be_bytes(Address::of(&input).prefix().to_le_bytes())
}

/// An additive lagged Fibonacci generator.
struct Generator {
    words: Vec<u64>,
    tap: usize,
    feed: usize,
}

impl Generator {
    fn seeded(seed: i64) -> Generator {
        const MODULUS: i64 = (1 << 31) - 1;
        let mut state = match seed.rem_euclid(MODULUS) {
            0 => 89_482_311,
            state => state,
        } as u64;
        let mut next = || {
            state = state * 48_271 % MODULUS as u64;
            state
        };
        for _ in 0..20 {
            next();
        }
        let (constants, _) = CONSTANTS.as_chunks::<8>();
        let word = |constant: &[u8; 8]| next() << 40 ^ next() << 20 ^ next() ^ u64::from_le_bytes(*constant);
        Generator { words: constants.iter().map(word).collect(), tap: 0, feed: WORDS - TAP_DISTANCE }
    }

    fn next_u63(&mut self) -> u64 {
        self.tap = (self.tap + WORDS - 1) % WORDS;
        self.feed = (self.feed + WORDS - 1) % WORDS;
        self.words[self.feed] = self.words[self.feed].wrapping_add(self.words[self.tap]);
        self.words[self.feed] & (u64::MAX >> 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_dolts() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/format/vectors/database/column_tags.json");
        let Ok(text) = std::fs::read_to_string(path) else {
            println!("skipped: ../shared not found");
            return;
        };
        let vector: serde_json::Value = serde_json::from_str(&text).unwrap();
        let mut used = HashSet::new();
        for wanted in vector["tags"].as_array().unwrap() {
            let text = |name: &str| wanted[name].as_str().unwrap();
            let existing: Vec<u8> =
                wanted["prior_kinds"].as_array().unwrap().iter().map(|kind| kind.as_u64().unwrap() as u8).collect();
            let kind = tag_kind(&text("type").parse().unwrap());
            assert_eq!(wanted["kind"], kind, "{}", text("type"));
            assert_eq!(text("seed"), seed(text("table"), text("column"), &existing, kind).to_string());
            let tag = new_tag(text("table"), text("column"), &existing, kind, &used);
            assert_eq!(wanted["tag"], tag, "{}", text("column"));
            used.insert(tag);
        }
        assert!(used.len() >= 32);
    }

    #[test]
    fn a_tag_in_use_is_not_given_again() {
        let first = new_tag("t", "a", &[], 15, &HashSet::new());
        let second = new_tag("t", "a", &[], 15, &HashSet::from_iter([first]));
        assert_ne!(first, second);
        let many: HashSet<u64> = (0..TAGS_MIN).collect();
        assert!(new_tag("t", "a", &[], 15, &many) >= TAGS_MIN);
    }
}
