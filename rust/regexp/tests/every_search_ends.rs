//! Patterns that take other engines exponential or quadratic time end within the budget: with an answer, or with an error.

use regexp::{Budget, Error, Flags, Regex, Wanted};

const STEPS: u64 = 20_000_000;

fn budget() -> Budget {
    Budget::new(STEPS, 8_000_000)
}

fn search(pattern: &str, text: &str, wanted: Wanted) -> Result<bool, Error> {
    let mut budget = budget();
    let found = Regex::new(pattern, Flags::default())?.find(text, 0, wanted, &mut budget)?;
    Ok(found.is_some())
}

/// Regular patterns that catch backtrackers, the text that is repeated, and what ends it.
const REGULAR: [(&str, &str, &str); 16] = [
    ("^(a+)+$b", "a", ""),
    ("^(a+)+b$", "a", "!"),
    ("^([a-zA-Z]+)*$", "a", "!"),
    ("(a|aa)+$", "a", "!"),
    ("(a|a?)+$", "a", "!"),
    ("^(.*a){12}$", "a", "!"),
    ("(x+x+)+y", "x", ""),
    ("^(([a-z])+.)+[A-Z]([a-z])+$", "a", ""),
    ("(.*)*=", "a", ""),
    (".*.*=.*", "x=", ""),
    ("^(\\w+\\s?)*$", "foo ", "!"),
    ("(?:a?){40}a{40}b", "a", ""),
    ("((a*)*)*b", "a", ""),
    ("(a*?)*?b", "a", ""),
    ("^((ab)*)+$", "ab", "!"),
    ("(([0-9]+)+[eE]?)+x", "1", ""),
];

#[test]
fn regular_patterns_have_an_answer_in_linear_time() {
    for (pattern, unit, end) in REGULAR {
        for wanted in [Wanted::Existence, Wanted::Span, Wanted::Groups] {
            let steps = |repeated: usize| {
                let mut budget = budget();
                let text = unit.repeat(repeated) + end;
                let regex = Regex::new(pattern, Flags::default()).expect(pattern);
                regex.find(&text, 0, wanted, &mut budget).unwrap_or_else(|error| panic!("{pattern}: {error:?}"));
                STEPS - budget.steps
            };
            let (short, long) = (steps(100), steps(10_000));
            assert!(long <= 130 * short.max(100), "{pattern} {wanted:?}: {short} steps, then {long}");
        }
    }
}

#[test]
fn irregular_patterns_end_with_an_answer_or_an_error() {
    for (pattern, unit, end) in [
        ("^(?=(a+)+$)b", "a", "!"),
        ("^(?!(a+)+$)", "a", "!"),
        ("^((?=a)a+)+$", "a", "!"),
        ("(a+)+\\1b", "a", ""),
        ("^(a+)+(?<=a)$", "a", "!"),
        ("(.*)\\1(.*)\\2x", "ab", ""),
        ("(?>a*)*b", "a", ""),
        ("(a*+)*b", "a", ""),
        ("(?:(?=a*)a?)*b", "a", ""),
        ("(?<=a{0,1000})b", "a", ""),
        ("(?=.*a)(?=.*b)(?=.*c).*d", "abc", ""),
        ("((a*)*\\2a|b)*\\1*$", "ba", "!"),
    ] {
        for repeated in [20, 1000, 300_000] {
            let text = unit.repeat(repeated) + end;
            for wanted in [Wanted::Existence, Wanted::Groups] {
                match search(pattern, &text, wanted) {
                    Ok(_) | Err(Error::Timeout | Error::StackOverflow) => {}
                    Err(error) => panic!("{pattern}: {error:?}"),
                }
            }
        }
    }
    assert_eq!(search("^((?=a)a+)+$", &("a".repeat(40) + "!"), Wanted::Existence), Err(Error::Timeout));
    assert_eq!(search("(?=a)(.|\\n)*b", &"a".repeat(1 << 20), Wanted::Existence), Err(Error::StackOverflow));
}

#[test]
fn a_megabyte_ends_within_the_budget() {
    let text = "ab ".repeat(350_000);
    for pattern in ["(a|b|ab)*c{1,500}", "b.*x", "\\w+ \\w+$", "(.*a){30}x", "[^c]*c", "(?:.{0,500}z){2}", ".*.*.*=.*"]
    {
        for wanted in [Wanted::Existence, Wanted::Span, Wanted::Groups] {
            let answer = search(pattern, &text, wanted);
            assert!(matches!(answer, Ok(_) | Err(Error::Timeout)), "{pattern}: {answer:?}");
        }
    }
    assert_eq!(search("b c", &text, Wanted::Span), Ok(false));
    assert_eq!(search("^(.|\\n)* $", &text, Wanted::Span), Ok(true));
}

#[test]
fn matches_of_one_text_share_a_budget() {
    // Each match looks at all of the rest in vain.
    let (regex, text) = (Regex::new("a.*?z|a", Flags::default()).expect("a pattern"), "a".repeat(50_000));
    let mut budget = budget();
    let mut start = 0;
    let ended = loop {
        match regex.find(&text, start, Wanted::Span, &mut budget) {
            Ok(Some(slots)) => start = slots[1] as usize,
            other => break other,
        }
    };
    assert_eq!(ended, Err(Error::Timeout));
}

#[test]
fn patterns_that_grow_are_too_big() {
    for pattern in [
        "(a{1000}){1000}".to_owned(),
        "((((a{100}){100}){100}){100}){100}".to_owned(),
        "(".repeat(100_000),
        "a".repeat(2 << 20),
        format!("{}a{}", "(".repeat(300), ")".repeat(300)),
        "[\\p{L}a]".repeat(2000),
        "(?i)\\w\\w".repeat(60_000),
        "a|".repeat(200_000),
        "a{4294967295}".to_owned(),
        "(a{0,4294967295}){0,4294967295}".to_owned(),
    ] {
        let error = Regex::new(&pattern, Flags::default()).err();
        assert_eq!(error, Some(Error::TooBig), "{}", &pattern[..pattern.len().min(40)]);
    }
    // What matches nothing is repeated once.
    for pattern in ["(){1000000}", "(^){4000000000}a", "(?:(?=a)){1000000}a"] {
        assert!(search(pattern, "a", Wanted::Groups).is_ok(), "{pattern}");
    }
}

#[test]
fn large_patterns_are_quick() {
    let words: Vec<String> = (0..10_000).map(|n| format!("w{:x}", n * 7919)).collect();
    let alternation = format!("^(?:{})$", words.join("|"));
    assert_eq!(search(&alternation, "w8bcf9", Wanted::Span), Ok(false));
    assert_eq!(search(&alternation, &words[4711], Wanted::Span), Ok(true));
    let groups = format!("^{}b", "(a)".repeat(10_000));
    let regex = Regex::new(&groups, Flags::default()).expect("groups");
    let slots = regex.find(&("a".repeat(10_000) + "b"), 0, Wanted::Groups, &mut budget()).expect("an answer");
    assert_eq!(slots.map(|slots| (slots.len(), slots[20_000])), Some((20_002, 9_999)));
}

#[test]
fn a_search_that_is_told_to_end_ends_soon() {
    let regex = Regex::new("^((?=a)a+)+$", Flags::default()).expect("a pattern");
    let mut budget = Budget::asking(STEPS, 8_000_000, || false);
    let text = "a".repeat(40) + "!";
    assert_eq!(regex.find(&text, 0, Wanted::Existence, &mut budget).expect_err("it goes on for long"), Error::Timeout);
    assert!(STEPS - budget.steps < STEPS / 20, "{} steps", STEPS - budget.steps);
}
