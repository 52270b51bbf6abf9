//! Classes of characters. The tables of Unicode are those of `regex-syntax`.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange, HirKind};

/// A compiled class: a bitmap for ASCII, sorted ranges for the rest.
#[derive(Debug, PartialEq, Eq)]
pub struct Class {
    ascii: u128,
    ranges: Box<[(char, char)]>,
}

impl Class {
    pub fn new(set: &ClassUnicode) -> Class {
        let mut ascii = 0;
        let mut ranges = Vec::new();
        for range in set.ranges() {
            for byte in range.start() as u32..=(range.end() as u32).min(127) {
                ascii |= 1 << byte;
            }
            if range.end() > '\x7f' {
                ranges.push((range.start().max('\u{80}'), range.end()));
            }
        }
        Class { ascii, ranges: ranges.into() }
    }

    #[inline]
    pub fn contains(&self, c: char) -> bool {
        if c.is_ascii() {
            return self.ascii >> (c as u32) & 1 != 0;
        }
        let at = self.ranges.partition_point(|range| range.1 < c);
        self.ranges.get(at).is_some_and(|range| range.0 <= c)
    }

    pub fn ascii(&self) -> u128 {
        self.ascii
    }

    pub fn is_ascii(&self) -> bool {
        self.ranges.is_empty()
    }

    pub fn bytes(&self) -> usize {
        size_of::<Class>() + self.ranges.len() * size_of::<(char, char)>()
    }
}

/// A set of one range.
pub fn range(start: char, end: char) -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new(start, end)])
}

/// The set of a property: of `\p{name}`; `None` for one that is not known.
pub fn property(name: &str) -> Option<ClassUnicode> {
    // The name must not end the braces and go on.
    if !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-= :&.".contains(c)) {
        return None;
    }
    match regex_syntax::parse(&format!("\\p{{{name}}}")).ok()?.into_kind() {
        HirKind::Class(regex_syntax::hir::Class::Unicode(set)) => Some(set),
        HirKind::Class(regex_syntax::hir::Class::Bytes(bytes)) => bytes.to_unicode_class(),
        HirKind::Literal(literal) => {
            let c = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(range(c, c))
        }
        _ => None,
    }
}

/// With all characters that differ from a member by case only.
pub fn folded(mut set: ClassUnicode) -> ClassUnicode {
    // The tables are compiled in: no error.
    let _ = set.try_case_fold_simple();
    set
}

/// Whether two characters differ by case only, or not at all.
pub fn equals_ignoring_case(a: char, b: char) -> bool {
    if a == b || a.eq_ignore_ascii_case(&b) {
        return true;
    }
    // `k` has a partner outside of ASCII: the Kelvin sign.
    if a.is_ascii() && b.is_ascii() {
        return false;
    }
    folded(range(a, a)).ranges().iter().any(|range| range.start() <= b && b <= range.end())
}
