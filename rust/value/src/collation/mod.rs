//! Collations: names, ids, and the order of text under each.
//!
//! A collation gives every code point one weight; strings compare weight by weight, then by length. There are no
//! expansions, contractions or trailing-space rules (format/tree.md section 7).

mod table;

use std::cmp::Ordering;

use crate::charset::Charset;
use crate::error::ValueError;

/// A collation by its MySQL id. Two bytes, `Copy`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Collation(u16);

/// One row of the registry.
struct Entry {
    id: u16,
    name: &'static str,
    charset: Charset,
    is_default: bool,
    implemented: bool,
    sort_length: u8,
    pad_space: bool,
}

impl Entry {
    const fn new(
        id: u16,
        name: &'static str,
        charset: Charset,
        is_default: bool,
        implemented: bool,
        sort_length: u8,
        pad_space: bool,
    ) -> Entry {
        Entry { id, name, charset, is_default, implemented, sort_length, pad_space }
    }
}

impl Collation {
    /// Dolt's default for databases, tables and columns.
    pub const UTF8MB4_0900_BIN: Collation = Collation(309);
    /// The default of connections.
    pub const UTF8MB4_0900_AI_CI: Collation = Collation(255);
    pub const UTF8MB4_GENERAL_CI: Collation = Collation(45);
    pub const UTF8MB4_BIN: Collation = Collation(46);
    pub const UTF8MB3_GENERAL_CI: Collation = Collation(33);
    pub const ASCII_BIN: Collation = Collation(65);
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
        let at = table::ENTRIES.binary_search_by_key(&self.0, |entry| entry.id);
        &table::ENTRIES[at.unwrap_or(0)]
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
        self.entry().implemented
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
        self == Collation::BINARY || self.name().ends_with("_bin")
    }

    /// Whether the order is known here: implemented by the reference and its weights loaded.
    ///
    /// Whoever is about to order or hash text by a collation asks this once, when the column or expression is bound.
    ///
    /// # Errors
    /// [`ValueError::CollationNotImplemented`], or [`ValueError::CollationNotLoaded`] when only the weights are missing.
    pub fn ready(self) -> Result<(), ValueError> {
        match (self.is_implemented(), self.is_code_point_order()) {
            (false, _) => Err(ValueError::CollationNotImplemented(self.name())),
            (true, true) => Ok(()),
            (true, false) => Err(ValueError::CollationNotLoaded(self.name())),
        }
    }

    /// The order of two UTF-8 strings. For a collation that is not [`Collation::ready`] this is the order of the bytes.
    pub fn compare(self, left: &[u8], right: &[u8]) -> Ordering {
        left.cmp(right)
    }
}

impl Collation {
    /// Appends a key that is equal exactly for strings that compare equal.
    pub fn hash_key(self, text: &[u8], key: &mut Vec<u8>) {
        key.extend_from_slice(text);
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
        assert_eq!(Collation::UTF8MB4_BIN.name(), "utf8mb4_bin");
        assert_eq!(Collation::UTF8MB3_GENERAL_CI.name(), "utf8mb3_general_ci");
        assert_eq!(Collation::ASCII_BIN.name(), "ascii_bin");
        assert_eq!(Collation::BINARY.name(), "binary");
        assert_eq!(Collation::from_name("UTF8_General_CI"), Ok(Collation::UTF8MB3_GENERAL_CI));
    }
}
