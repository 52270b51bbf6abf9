//! Errors: Dolt's text, plus our span and a hint.

use crate::ast::Span;

/// Why a text is not a statement.
///
/// `Display` is Dolt's text (`docs: sql-surface 11`): ``syntax error at position 6 near 'selct'``, where the position is
/// the byte after the offending token, counted from one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    #[error("syntax error at position {} near '{near}'", span.end + 1)]
    Syntax {
        /// The offending token; empty and at the end of the text when more was expected.
        span: Span,
        /// The offending token's text, or the last named token's when it has none (punctuation, end of text).
        near: Box<str>,
        /// For people: "did you mean FROM?", "BY", "a database or a table". Empty when there is nothing good to say.
        expected: Box<str>,
    },
    /// MySQL has it, Dolt does not, and neither do we.
    #[error("unsupported feature: {what}")]
    Unsupported { span: Span, what: Box<str> },
    /// The mysql client reads it, and sends it to no server.
    #[error("{word} is a command of the mysql client, not SQL")]
    ClientCommand { span: Span, word: Box<str> },
    #[error("statement is nested too deeply")]
    TooDeep { span: Span },
}

impl ParseError {
    /// What to do about it, for people.
    pub fn hint(&self) -> Option<String> {
        match self {
            ParseError::Syntax { expected, .. } if expected.ends_with('?') => Some(expected.to_string()),
            ParseError::Syntax { expected, .. } if !expected.is_empty() => Some(format!("expected {expected}")),
            ParseError::ClientCommand { word, .. } if word.eq_ignore_ascii_case("source") || &**word == "\\." => {
                Some("import the file that it names by itself".into())
            }
            _ => None,
        }
    }

    pub fn span(&self) -> Span {
        match self {
            ParseError::Syntax { span, .. }
            | ParseError::Unsupported { span, .. }
            | ParseError::ClientCommand { span, .. }
            | ParseError::TooDeep { span } => *span,
        }
    }
}
