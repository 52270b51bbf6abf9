//! Ignored tables: they stay out of commits unless forced (docs/format/database.md, section 5.1, `dolt_ignore`).

use tree::{Direction, Tuple};

use crate::error::{Result, VcsError, VcsReason};
use crate::root_value::RootValue;

const IGNORE_TABLE: &str = "dolt_ignore";
/// The plan of a rebase is never committed.
const REBASE_TABLE: &str = "dolt_rebase";

/// The patterns of `dolt_ignore`: `%` and `*` match any characters, `?` one. Case-sensitive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IgnorePatterns(Vec<Pattern>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern {
    text: Box<str>,
    is_ignored: bool,
}

impl IgnorePatterns {
    /// Of patterns and whether what they match is ignored, in any order.
    pub fn new<'a>(patterns: impl IntoIterator<Item = (&'a str, bool)>) -> IgnorePatterns {
        let pattern = |(text, is_ignored): (&str, bool)| Pattern { text: text.into(), is_ignored };
        IgnorePatterns(patterns.into_iter().map(pattern).collect())
    }

    /// The patterns that a root holds; none without the table.
    pub fn read(root: &RootValue) -> Result<IgnorePatterns> {
        let Some(table) = root.table(IGNORE_TABLE)? else { return Ok(IgnorePatterns::default()) };
        let mut patterns = Vec::new();
        let mut scan = table.rows().scan(None, None, Direction::Forward)?;
        while let Some(span) = scan.next_span(usize::MAX)? {
            for index in span.items.clone() {
                let field = Tuple::new(span.leaf.key(index)).field(0);
                let text = field.and_then(|field| field.strip_suffix(&[0])).map(core::str::from_utf8);
                let Some(Ok(text)) = text else {
                    return Err(VcsError::corrupt("dolt_ignore", "a pattern is not text"));
                };
                let is_ignored = Tuple::new(span.leaf.value(index)).field(0).is_some_and(|field| field != [0]);
                patterns.push(Pattern { text: text.into(), is_ignored });
            }
        }
        Ok(IgnorePatterns(patterns))
    }

    /// Whether a new or dropped table is left out. Of all patterns that fit, the most specific ones decide.
    ///
    /// # Errors
    /// [`VcsReason::IgnoreConflict`] when they contradict each other.
    pub fn is_ignored(&self, table: &str) -> Result<bool> {
        if table.eq_ignore_ascii_case(REBASE_TABLE) {
            return Ok(true);
        }
        let matching = |is_ignored: bool| -> Vec<&str> {
            let fits = |pattern: &&Pattern| pattern.is_ignored == is_ignored && matches(&pattern.text, table, false);
            self.0.iter().filter(fits).map(|pattern| &*pattern.text).collect()
        };
        let (ignoring, including) = (matching(true), matching(false));
        if ignoring.is_empty() || including.is_empty() {
            return Ok(!ignoring.is_empty());
        }
        let conflict = |ignored: &str, included: &str| {
            VcsReason::IgnoreConflict { table: table.into(), ignored: ignored.into(), included: included.into() }.into()
        };
        for ignored in &ignoring {
            if let Some(included) = including.iter().find(|included| normal(included) == normal(ignored)) {
                return Err(conflict(ignored, included));
            }
        }
        // A pattern gives way to one of the other kind that it covers.
        let left = |own: &[&str], others: &[&str]| -> Option<String> {
            let gives_way = |pattern: &str| others.iter().any(|other| matches(pattern, other, true));
            own.iter().find(|pattern| !gives_way(pattern)).map(|pattern| (*pattern).to_owned())
        };
        match (left(&ignoring, &including), left(&including, &ignoring)) {
            (None, _) => Ok(false),
            (_, None) => Ok(true),
            (Some(ignored), Some(included)) => Err(conflict(&ignored, &included)),
        }
    }
}

/// The same pattern in one spelling.
fn normal(pattern: &str) -> String {
    let mut normal = String::new();
    for c in pattern.chars().map(|c| if c == '*' { '%' } else { c }) {
        if c != '%' || !normal.ends_with('%') {
            normal.push(c);
        }
    }
    normal
}

/// Whether `pattern` fits the whole of `text`. Where `text` is a pattern itself, `?` does not match its wildcards.
pub(crate) fn matches(pattern: &str, text: &str, is_pattern: bool) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // Where the last wildcard stood and how much it has taken so far; more is tried when the rest does not fit.
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('%' | '*') => {
                retry = Some((p, t));
                p += 1;
            }
            Some('?') if !is_pattern || !matches!(text[t], '%' | '*') => (p, t) = (p + 1, t + 1),
            Some(c) if *c != '?' && *c == text[t] => (p, t) = (p + 1, t + 1),
            _ => match &mut retry {
                Some((wildcard, taken)) => {
                    *taken += 1;
                    (p, t) = (*wildcard + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| matches!(c, '%' | '*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_names() {
        for (pattern, name, fits) in [
            ("tmp_%", "tmp_1", true),
            ("tmp_*", "tmp_", true),
            ("tmp_%", "Tmp_1", false),
            ("gen?", "gen1", true),
            ("gen?", "gen", false),
            ("%a%b", "xxaxxaxb", true),
            ("%a%b", "xxaxxax", false),
            ("a", "ab", false),
            ("", "", true),
            ("%", "", true),
        ] {
            assert_eq!(matches(pattern, name, false), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn the_more_specific_pattern_wins() {
        let patterns = IgnorePatterns::new([("tmp_%", true), ("tmp_keep", false), ("gen?", true)]);
        for (table, ignored) in [("tmp_1", true), ("tmp_keep", false), ("gen1", true), ("t", false)] {
            assert_eq!(patterns.is_ignored(table).unwrap(), ignored, "{table}");
        }
        assert!(patterns.is_ignored("DOLT_REBASE").unwrap());
    }

    #[test]
    fn contradictions_are_errors() {
        for pair in [[("a%", true), ("a*", false)], [("a%", true), ("%b", false)]] {
            let error = IgnorePatterns::new(pair).is_ignored("ab").unwrap_err();
            assert!(matches!(error.reason(), VcsReason::IgnoreConflict { .. }));
        }
    }
}
