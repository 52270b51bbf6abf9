//! Regular expressions, which the host brings: in a page the browser's own.

/// How letters, lines and dots are matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RegexFlags {
    pub case_insensitive: bool,
    /// `^` and `$` match at every line.
    pub multi_line: bool,
    /// `.` matches line ends too.
    pub dot_all: bool,
    /// Only `\n` ends a line.
    pub unix_lines: bool,
}

/// Where a match and its groups lie, in bytes of the text; the first is the whole match.
pub type Groups = Vec<Option<(usize, usize)>>;

/// A compiled regular expression.
pub trait Regex {
    /// The first match that starts at byte `start` or behind it. What stands before `start` is seen by look-behind and
    /// `\b`. `start` is on a character boundary and at most `text.len()`.
    ///
    /// # Errors
    /// A message, when matching took too long or failed otherwise.
    fn find_at(&self, text: &str, start: usize) -> Result<Option<Groups>, String>;
}
