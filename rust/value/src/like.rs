//! LIKE.

use memchr::memmem;

use crate::collation::{Characters, Collation, Weighing};

/// A pattern of LIKE, made ready for one collation: a text begins with the first part and ends with the last; those between follow
/// each other, each as early as it can.
#[derive(Clone)]
pub struct LikePattern {
    first: Part,
    between: Vec<Part>,
    /// None without a `%`: then there is nothing but the first part.
    last: Option<Part>,
    weighing: Weighing,
}

/// Characters that are compared before the caller is asked whether to go on.
const COMPARED_MAX: usize = 1 << 16;

/// The pattern between two `%`.
#[derive(Clone)]
enum Part {
    /// Without `_`, where equal texts have equal bytes.
    Bytes(Box<memmem::Finder<'static>>),
    /// The weights of the characters; None for `_`.
    Weights(Box<[Option<u32>]>),
}

impl LikePattern {
    /// Reads a pattern in which `escape` (MySQL's default is a backslash; `None` for ESCAPE '') takes the meaning from `%`, `_` and
    /// itself. `None` when the pattern ends in the escape character, which the reference answers with NULL.
    pub fn new(pattern: &str, escape: Option<char>, collation: Collation) -> Option<LikePattern> {
        let weighing = collation.weighing();
        let mut parts = Vec::new();
        let mut part = Vec::new();
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            match character {
                _ if Some(character) == escape => part.push(Some(characters.next()?)),
                '%' => parts.push(Part::new(&std::mem::take(&mut part), weighing)),
                '_' => part.push(None),
                other => part.push(Some(other)),
            }
        }
        parts.push(Part::new(&part, weighing));
        let last = if parts.len() > 1 { parts.pop() } else { None };
        let first = parts.remove(0);
        parts.retain(|part| !part.is_empty());
        Some(LikePattern { first, between: parts, last, weighing })
    }

    /// Whether the whole of a text matches, which is UTF-8. Takes time in the order of text times pattern at worst.
    pub fn matches(&self, text: &[u8]) -> bool {
        self.matches_while(text, &mut |_| true).unwrap_or_default()
    }

    /// The same, asking now and then whether to go on, with the number of characters that were compared since. `None` if not.
    pub fn matches_while(&self, text: &[u8], goes_on: &mut dyn FnMut(usize) -> bool) -> Option<bool> {
        let Some(mut at) = self.first.begins(text, self.weighing, &mut 0) else { return Some(false) };
        let Some(last) = &self.last else { return Some(at == text.len()) };
        let Some(end) = last.ends(text, self.weighing).filter(|end| *end >= at) else { return Some(false) };
        for part in &self.between {
            match part.find(&text[at..end], self.weighing, goes_on)? {
                Some(behind) => at += behind,
                None => return Some(false),
            }
        }
        Some(true)
    }
}

impl Part {
    fn new(characters: &[Option<char>], weighing: Weighing) -> Part {
        if weighing.is_code_point_order()
            && let Some(text) = characters.iter().copied().collect::<Option<String>>()
        {
            return Part::Bytes(Box::new(memmem::Finder::new(&text).into_owned()));
        }
        Part::Weights(characters.iter().map(|character| character.map(|c| weighing.weight(c))).collect())
    }

    fn is_empty(&self) -> bool {
        match self {
            Part::Bytes(bytes) => bytes.needle().is_empty(),
            Part::Weights(weights) => weights.is_empty(),
        }
    }

    /// The bytes of this at the beginning of a text. Adds the number of characters that were compared.
    fn begins(&self, text: &[u8], weighing: Weighing, compared: &mut usize) -> Option<usize> {
        match self {
            Part::Bytes(bytes) => text.starts_with(bytes.needle()).then_some(bytes.needle().len()),
            Part::Weights(weights) => {
                let mut rest = Characters(text);
                for weight in weights {
                    *compared += 1;
                    let character = rest.next()?;
                    if weight.is_some_and(|weight| weight != weighing.weight(character)) {
                        return None;
                    }
                }
                Some(text.len() - rest.0.len())
            }
        }
    }

    /// Where this begins at the end of a text.
    fn ends(&self, text: &[u8], weighing: Weighing) -> Option<usize> {
        match self {
            Part::Bytes(bytes) => text.ends_with(bytes.needle()).then(|| text.len() - bytes.needle().len()),
            Part::Weights(weights) => {
                let mut rest = Characters(text);
                for weight in weights.iter().rev() {
                    let character = rest.next_back()?;
                    if weight.is_some_and(|weight| weight != weighing.weight(character)) {
                        return None;
                    }
                }
                Some(rest.0.len())
            }
        }
    }

    /// The end of the first match in a text, if any; `None` when `goes_on` is false.
    fn find(&self, text: &[u8], weighing: Weighing, goes_on: &mut dyn FnMut(usize) -> bool) -> Option<Option<usize>> {
        match self {
            Part::Bytes(bytes) => Some(bytes.find(text).map(|start| start + bytes.needle().len())),
            Part::Weights(_) => {
                let mut rest = Characters(text);
                let mut compared = 0;
                loop {
                    let start = text.len() - rest.0.len();
                    if let Some(length) = self.begins(rest.0, weighing, &mut compared) {
                        return Some(Some(start + length));
                    }
                    if compared > COMPARED_MAX && !goes_on(std::mem::take(&mut compared)) {
                        return None;
                    }
                    if rest.next().is_none() {
                        return Some(None);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn like(text: &str, pattern: &str, collation: &str) -> Option<bool> {
        let pattern = LikePattern::new(pattern, Some('\\'), Collation::from_name(collation).unwrap());
        pattern.map(|pattern| pattern.matches(text.as_bytes()))
    }

    #[test]
    fn patterns_match_as_in_the_reference() {
        let bin = |text, pattern| like(text, pattern, "utf8mb4_0900_bin");
        for (text, pattern, expected) in [
            ("abc", "a%", true),
            ("abc", "A%", false),
            ("a%c", "a\\%c", true),
            ("abc", "a\\%c", false),
            ("abc", "a_c", true),
            ("", "%", true),
            ("", "_", false),
            ("", "", true),
            ("a\nb", "a%b", true),
            ("abc", "abc%%%", true),
            ("ab", "ab ", false),
            ("a\\b", "a\\\\b", true),
            ("é", "_", true),
            ("abcabd", "%abd", true),
            ("aaab", "%a_b", true),
            ("mississippi", "m%iss%ip%i", true),
            ("mississippi", "m%iss%ix%i", false),
        ] {
            assert_eq!(bin(text, pattern), Some(expected), "{text} {pattern}");
        }
        assert_eq!(bin("a\\", "a\\"), None);
        assert_eq!(like("É", "é", "utf8mb4_general_ci"), Some(true));
        assert_eq!(like("RÉSUMÉS", "res%", "utf8mb4_0900_ai_ci"), Some(true));
        assert_eq!(like("ß", "ss", "utf8mb4_0900_ai_ci"), Some(false));
        let escaped = LikePattern::new("a!_c%", Some('!'), Collation::UTF8MB4_0900_BIN).unwrap();
        assert!(escaped.matches(b"a_cd") && !escaped.matches(b"abcd"));
    }

    #[test]
    fn bytes_that_are_no_character_are_one_each() {
        let matches = |text: &[u8], pattern: &str, collation: &str| {
            LikePattern::new(pattern, None, Collation::from_name(collation).unwrap()).unwrap().matches(text)
        };
        for collation in ["utf8mb4_0900_bin", "utf8mb4_0900_ai_ci"] {
            assert!(matches(b"\xffab\xc3", "_ab_", collation) && !matches(b"\xffab\xc3", "_ab", collation));
            assert!(matches(b"a\xffb", "a%b", collation) && matches(b"a\xffb", "%_b", collation));
            assert!(matches(b"\x80\x80", "%__", collation) && !matches(b"\x80\x80", "%___", collation));
        }
    }

    #[test]
    fn a_hostile_pattern_takes_no_exponential_time() {
        let text = "a".repeat(2_000);
        assert_eq!(like(&text, &("%a".repeat(50) + "%b"), "utf8mb4_0900_bin"), Some(false));
    }

    /// The plain recursive definition.
    fn model(text: &[char], pattern: &[char]) -> bool {
        match (pattern.split_first(), text.split_first()) {
            (None, rest) => rest.is_none(),
            (Some(('%', after)), _) => (0..=text.len()).any(|at| model(&text[at..], after)),
            (Some(('_', after)), Some((_, rest))) => model(rest, after),
            (Some((wanted, after)), Some((own, rest))) => wanted == own && model(rest, after),
            (Some(_), None) => false,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn matching_agrees_with_the_definition(
            text in proptest::collection::vec(proptest::sample::select(vec!['a', 'b', 'é']), 0..12),
            pattern in proptest::collection::vec(proptest::sample::select(vec!['a', 'b', 'é', '%', '_']), 0..8),
        ) {
            let (shown, wanted): (String, String) = (text.iter().collect(), pattern.iter().collect());
            prop_assert_eq!(like(&shown, &wanted, "utf8mb4_0900_bin"), Some(model(&text, &pattern)));
            prop_assert_eq!(like(&shown.to_uppercase(), &wanted, "utf8mb4_0900_ai_ci"), Some(model(&text, &pattern)));
        }
    }
}
