use super::*;
use crate::{Budget, Regex, Wanted};

fn error(pattern: &str) -> Option<Error> {
    Regex::new(pattern, Flags::default()).err()
}

#[test]
fn what_is_no_pattern_is_an_error() {
    for wrong in [
        "[a",
        "\\",
        "a{3,2}",
        "a{1}{2}",
        "[&&]",
        "a**",
        "*a",
        "(*a)",
        "a|*",
        "(",
        ")",
        "(?P<x>a)",
        "(?<a_b>a)",
        "\\1",
        "(a)\\2",
        "[[:nothing:]]",
        "\\p{Nothing}",
        "\\pL",
        "[z-a]",
        "b{",
        "b{1",
        "b{x}",
        "\\k<x>",
        "(?",
        "(?i",
        "(?#a",
        "(?<=a*)b",
        "(?<!a+)",
        "\\x{110000}",
        "\\ud800",
        "(?q)a",
        "\\p{L}}{",
        "\\p{L",
    ] {
        assert!(matches!(error(wrong), Some(Error::Invalid(_))), "{wrong}: {:?}", error(wrong));
    }
    for unknown in ["\\Ga", "\\N{DIGIT ONE}", "\\X", "[\\R]"] {
        assert!(matches!(error(unknown), Some(Error::Unsupported(_))), "{unknown}");
    }
}

#[test]
fn sets_are_computed() {
    let members = |pattern: &str| -> String {
        let regex = Regex::new(pattern, Flags::default()).expect(pattern);
        let mut budget = Budget::new(1 << 20, 1 << 20);
        let is_member = |c: &char| {
            regex.find(c.encode_utf8(&mut [0; 4]), 0, Wanted::Existence, &mut budget).expect("an answer").is_some()
        };
        let mut characters: Vec<char> = (' '..='~').collect();
        characters.retain({
            let mut is_member = is_member;
            move |c| is_member(c)
        });
        characters.into_iter().collect()
    };
    assert_eq!(members("[a-c&&[^b]]"), "ac");
    assert_eq!(members("[[a-c]--[b]]"), "ac");
    assert_eq!(members("[[a-c]-[b]]"), "ac");
    assert_eq!(members("[a-e&&[c-z]&&[^d]]"), "ce");
    assert_eq!(members("[]a-]"), "-]a");
    assert_eq!(members("[\\d-.]"), "-.0123456789");
    assert_eq!(members("[a\\Q-]\\E]"), "-]a");
    assert_eq!(members("[^\\x20-y]"), "z{|}~");
    assert_eq!(members("(?i)[a-b]"), "ABab");
    assert_eq!(members("[[:upper:]&&[A-C]]"), "ABC");
    assert_eq!(members("[[:^alnum:]&&[a-z!]]"), "!");
    assert_eq!(members("[a-c-e]"), "-abce");
}
