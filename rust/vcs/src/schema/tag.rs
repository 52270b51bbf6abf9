//! Tags of new columns (docs/format/database.md, section 8.3; docs/format/tree.md, section 13).
//!
//! A tag is drawn from a generator that is seeded with the names and kinds of the columns, so that the same statement gives
//! the same schema everywhere. Any tag that is not in use would do to read the table; only this one gives Dolt's addresses.

use codec::AddressBuilder;
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

/// The byte of a type in the seed of a tag.
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

/// The kinds of the columns that a table has already, in order.
#[derive(Default, Clone)]
pub struct ExistingKinds(AddressBuilder);

impl ExistingKinds {
    pub fn push(&mut self, kind: u8) {
        self.0.update(&[kind]);
    }
}

impl FromIterator<u8> for ExistingKinds {
    fn from_iter<I: IntoIterator<Item = u8>>(kinds: I) -> ExistingKinds {
        let mut existing = ExistingKinds::default();
        kinds.into_iter().for_each(|kind| existing.push(kind));
        existing
    }
}

/// The tag of a new column. `used` are all tags of the working root and of HEAD.
pub fn new_tag(table: &str, column: &str, existing: &ExistingKinds, kind: u8, used: &HashSet<u64>) -> u64 {
    let mut tags_max = TAGS_MIN;
    while tags_max / 2 < used.len() as u64 {
        tags_max *= 128;
    }
    let seed = seed(table, column, existing, kind);
    let first = first_u63(seed) & (tags_max - 1);
    if !used.contains(&first) {
        return first;
    }
    let mut generator = Generator::seeded(seed);
    loop {
        let tag = generator.next_u63() & (tags_max - 1);
        if !used.contains(&tag) {
            return tag;
        }
    }
}

fn seed(table: &str, column: &str, existing: &ExistingKinds, kind: u8) -> i64 {
    let mut input = vec![kind];
    for text in [table, column] {
        input.extend(text.bytes().filter(u8::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()));
    }
    let ExistingKinds(mut hash) = existing.clone();
    hash.update(&input);
    // An address is the first bytes of the SHA-512, which is what the seed is made of, too.
    i64::from_be_bytes(hash.finish().prefix().to_le_bytes())
}

const MODULUS: u64 = (1 << 31) - 1;
const FACTOR: u64 = 48_271;
/// Numbers that the seeding leaves out.
const SKIPPED: usize = 20;

/// Where the linear congruential generator starts that makes the words.
fn start(seed: i64) -> u64 {
    match seed.rem_euclid(MODULUS as i64) {
        0 => 89_482_311,
        state => state as u64,
    }
}

/// The word at a position, from the state before it, which then is that before the next one.
fn word(at: usize, state: &mut u64) -> u64 {
    let mut next = || {
        *state = *state * FACTOR % MODULUS;
        *state
    };
    let (constants, _) = CONSTANTS.as_chunks::<8>();
    next() << 40 ^ next() << 20 ^ next() ^ u64::from_le_bytes(constants[at])
}

/// What the state is multiplied by before the word at a position.
const fn factor_before(at: usize) -> u64 {
    let (mut factor, mut steps) = (1, SKIPPED + 3 * at);
    while steps > 0 {
        factor = factor * FACTOR % MODULUS;
        steps -= 1;
    }
    factor
}

/// The first number of [`Generator`], nearly always the only one that is asked for: it needs two words of 607.
fn first_u63(seed: i64) -> u64 {
    const FEED: usize = WORDS - TAP_DISTANCE - 1;
    const TAP: usize = WORDS - 1;
    const BEFORE_FEED: u64 = factor_before(FEED);
    const BEFORE_TAP: u64 = factor_before(TAP);
    let single = |at: usize, before: u64| word(at, &mut (start(seed) * before % MODULUS));
    single(FEED, BEFORE_FEED).wrapping_add(single(TAP, BEFORE_TAP)) & (u64::MAX >> 1)
}

/// An additive lagged Fibonacci generator.
struct Generator {
    words: Vec<u64>,
    tap: usize,
    feed: usize,
}

impl Generator {
    fn seeded(seed: i64) -> Generator {
        let mut state = start(seed) * const { factor_before(0) } % MODULUS;
        let words = (0..WORDS).map(|at| word(at, &mut state)).collect();
        Generator { words, tap: 0, feed: WORDS - TAP_DISTANCE }
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
            let kinds = wanted["prior_kinds"].as_array().unwrap().iter();
            let existing: ExistingKinds = kinds.map(|kind| kind.as_u64().unwrap() as u8).collect();
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
        let none = ExistingKinds::default();
        let first = new_tag("t", "a", &none, 15, &HashSet::new());
        let second = new_tag("t", "a", &none, 15, &HashSet::from_iter([first]));
        assert_ne!(first, second);
        let many: HashSet<u64> = (0..TAGS_MIN).collect();
        assert!(new_tag("t", "a", &none, 15, &many) >= TAGS_MIN);
    }

    #[test]
    fn the_first_number_is_that_of_the_generator() {
        for seed in [0, 1, -1, i64::MAX, i64::MIN, 0x0123_4567_89ab_cdef, (1 << 31) - 1] {
            assert_eq!(first_u63(seed), Generator::seeded(seed).next_u63(), "{seed}");
        }
    }
}
