//! What patterns match, and where.

use regexp::{Budget, Flags, NONE, Regex, Wanted, next_start};

fn budget() -> Budget {
    Budget::new(10_000_000, 8_000_000)
}

/// Match and groups as `start-end`, `.` for a group that took no part; `none` without a match.
fn found(pattern: &str, text: &str, start: usize) -> String {
    let regex = Regex::new(pattern, Flags::default()).unwrap_or_else(|error| panic!("{pattern}: {error:?}"));
    let slots = regex.find(text, start, Wanted::Groups, &mut budget()).expect("an answer");
    let Some(slots) = slots else { return "none".into() };
    let pairs = slots.chunks_exact(2).map(|pair| match pair {
        [NONE, _] | [_, NONE] => ".".to_owned(),
        pair => format!("{}-{}", pair[0], pair[1]),
    });
    pairs.collect::<Vec<_>>().join(" ")
}

#[test]
fn matches_and_groups() {
    for (pattern, text, expected) in [
        ("(b+)|(c)", "aabbc", "2-4 2-4 ."),
        ("é.", "日é😀x", "3-9"),
        ("a|ab", "ab", "0-1"),
        ("(a|ab)(c|bcd)(d*)", "abcd", "0-4 0-1 1-4 4-4"),
        ("(a*)*", "aa", "0-2 0-2"),
        ("(a*)+", "b", "0-0 0-0"),
        ("(a|b)*", "abc", "0-2 1-2"),
        ("(?:(a)|b)*", "ab", "0-2 0-1"),
        ("a*?b", "aab", "0-3"),
        ("a{2,3}?", "aaaa", "0-2"),
        ("(?<x>a)\\k<x>", "baa", "1-3 1-2"),
        ("(a)(?i)b|c", "aC", "1-2 ."),
        ("(?i:A)b", "ab", "0-2"),
        ("(?i)ſ", "S", "0-1"),
        ("(?i)(ß)\\1", "ßß", "0-4 0-2"),
        ("(?i)(k)\\1", "k\u{212a}", "0-4 0-1"),
        ("a++b", "aab", "0-3"),
        ("a++a", "aaa", "none"),
        ("(?>a|ab)c", "abc", "none"),
        ("(?>(a)|b)+c", "abc", "0-3 0-1"),
        ("(?<=ab?)c", "xabc", "3-4"),
        ("(?<!a)b", "ab bb", "3-4"),
        ("(?=(a+))a*b\\1", "baaabac", "3-6 3-4"),
        ("(?!(a))b", "b", "0-1 ."),
        ("x*", "axx", "0-0"),
        ("\\R", "a\r\nb", "1-3"),
        ("a\\Qb.c\\E+", "ab.ccc", "0-6"),
        ("(?x) a b # comment\n c", "abc", "0-3"),
        ("\\bfoo\\b", "a foo", "2-5"),
        ("a.c", "a\nc", "none"),
        ("(?s)a.c", "a\nc", "0-3"),
        ("(?s)a.c", "a\r\nc", "0-4"),
        ("(?m)^b$", "a\nb\nc", "2-3"),
        ("a$", "a\r\n", "0-1"),
        ("a\\z", "a\n", "none"),
        ("\\p{Greek}+", "aβγ", "1-5"),
        ("\\P{Lu}", "Aa", "1-2"),
        ("[[:alpha:]]+", "1é2", "1-3"),
        ("(|a)+", "aa", "0-0 0-0"),
        ("(?:|a)*b", "aab", "0-3"),
        ("(a)?b\\1", "b", "none"),
    ] {
        assert_eq!(found(pattern, text, 0), expected, "{pattern} in {text:?}");
    }
    assert_eq!(found("^a", "ba", 1), "none");
    assert_eq!(found("\\Bb", "ab", 1), "1-2");
    assert_eq!(found("(?<=a)b", "ab", 1), "1-2");
}

#[test]
fn all_matches_follow_each_other() {
    for (pattern, text, expected) in
        [("a*", "baac", "0-0 1-3 3-3 4-4"), ("", "é", "0-0 2-2"), ("b|", "ab", "0-0 1-2 2-2")]
    {
        let regex = Regex::new(pattern, Flags::default()).expect("a pattern");
        let (mut start, mut spans) = (Some(0), Vec::new());
        while let Some(at) = start
            && let Some(slots) = regex.find(text, at, Wanted::Span, &mut budget()).expect("an answer")
        {
            spans.push(format!("{}-{}", slots[0], slots[1]));
            start = next_start(text, slots[0] as usize, slots[1] as usize);
        }
        assert_eq!(spans.join(" "), expected, "{pattern}");
    }
}
