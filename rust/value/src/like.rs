//! LIKE.

use crate::collation::Collation;

/// A pattern of LIKE, made ready for one collation.
#[derive(Debug, Clone)]
pub struct LikePattern {
    parts: Vec<Part>,
    collation: Collation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// `%`
    AnyRun,
    /// `_`
    AnyOne,
    One(char),
}

impl LikePattern {
    /// Reads a pattern in which `escape` (MySQL's default is a backslash; `None` for ESCAPE '') takes the meaning from `%`, `_` and
    /// itself. `None` when the pattern ends in the escape character, which the reference answers with NULL.
    pub fn new(pattern: &str, escape: Option<char>, collation: Collation) -> Option<LikePattern> {
        let mut parts = Vec::with_capacity(pattern.len());
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            let part = match character {
                _ if Some(character) == escape => Part::One(characters.next()?),
                '%' => Part::AnyRun,
                '_' => Part::AnyOne,
                other => Part::One(other),
            };
            if !(part == Part::AnyRun && parts.last() == Some(&Part::AnyRun)) {
                parts.push(part);
            }
        }
        Some(LikePattern { parts, collation })
    }

    /// Whether the pattern has no wildcard, so that LIKE is equality.
    pub fn is_literal(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::One(_)))
    }

    /// Whether the whole of `text` matches. Takes time in the order of text times pattern at worst.
    pub fn matches(&self, text: &str) -> bool {
        let mut part = 0;
        let mut rest = text;
        // Where to go on after the last `%` when something behind it does not fit: it takes one more character then.
        let mut retry: Option<(usize, &str)> = None;
        loop {
            let fits = match self.parts.get(part) {
                Some(Part::AnyRun) => {
                    part += 1;
                    if part == self.parts.len() {
                        return true;
                    }
                    retry = Some((part, rest));
                    continue;
                }
                Some(Part::AnyOne) => next(rest).map(|(_, after)| after),
                Some(Part::One(wanted)) => {
                    next(rest).filter(|(own, _)| self.collation.same_character(*own, *wanted)).map(|(_, after)| after)
                }
                None if rest.is_empty() => return true,
                None => None,
            };
            if let Some(after) = fits {
                rest = after;
                part += 1;
                continue;
            }
            let Some((retry_part, retry_from)) = retry else { return false };
            let Some((_, after)) = next(retry_from) else { return false };
            retry = Some((retry_part, after));
            (part, rest) = (retry_part, after);
        }
    }
}

fn next(text: &str) -> Option<(char, &str)> {
    let mut characters = text.chars();
    characters.next().map(|character| (character, characters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn like(text: &str, pattern: &str, collation: &str) -> Option<bool> {
        let pattern = LikePattern::new(pattern, Some('\\'), Collation::from_name(collation).unwrap());
        pattern.map(|pattern| pattern.matches(text))
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
        assert_eq!(like("ß", "ss", "utf8mb4_unicode_ci"), Some(false));
        let escaped = LikePattern::new("a!_c%", Some('!'), Collation::UTF8MB4_0900_BIN).unwrap();
        assert!(escaped.matches("a_cd") && !escaped.matches("abcd"));
        assert!(!escaped.is_literal());
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
        }
    }
}
