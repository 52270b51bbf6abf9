//! Assertions about a position: line ends and word boundaries as ICU has them.

use crate::class::Class;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    TextStart,
    TextEnd,
    /// `^` of multi-line mode.
    LineStart {
        unix: bool,
    },
    /// `$` of multi-line mode.
    LineEnd {
        unix: bool,
    },
    /// `$` and `\Z`: the end, or before a line end that is the last.
    FinalEnd {
        unix: bool,
    },
    Word,
    NotWord,
    /// Not before `\r\n`: what `.` of dot-all mode takes as one is taken so only.
    NotCrlf,
}

/// Whether a character ends a line (`\v`), or only `\n` does.
pub fn ends_line(c: char, unix: bool) -> bool {
    match unix {
        true => c == '\n',
        false => matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}'),
    }
}

impl Look {
    /// `word` is the class of the characters of words.
    pub fn holds(self, text: &str, at: usize, word: &Class) -> bool {
        let before = || text[..at].chars().next_back();
        let after = || text[at..].chars().next();
        let is_within_crlf = || text[..at].ends_with('\r') && text[at..].starts_with('\n');
        match self {
            Look::TextStart => at == 0,
            Look::TextEnd => at == text.len(),
            Look::LineStart { unix } => at == 0 || (at < text.len() && before().is_some_and(|c| ends_line(c, unix))),
            Look::LineEnd { unix } => after().is_none_or(|c| ends_line(c, unix)) && (unix || !is_within_crlf()),
            Look::FinalEnd { unix } => {
                let rest = &text[at..];
                let mut characters = rest.chars();
                let is_last = match characters.next() {
                    None => true,
                    Some(c) => ends_line(c, unix) && (characters.as_str().is_empty() || (!unix && rest == "\r\n")),
                };
                is_last && (unix || !is_within_crlf())
            }
            Look::Word | Look::NotWord => {
                let is_word = |c: Option<char>| c.is_some_and(|c| word.contains(c));
                (is_word(before()) != is_word(after())) == (self == Look::Word)
            }
            Look::NotCrlf => !text[at..].starts_with("\r\n"),
        }
    }
}
