//! SQL's tokens, statements and outlines as arrays of numbers, for the console's page, which asks at every key and cannot wait for
//! the worker.
//!
//! All offsets are UTF-16 code units. `web/src/console/sql/lexer.ts` reads what is written here.

#[cfg(target_family = "wasm")]
mod exports;

use parse::ast::Span;
use parse::lexer::{Lexeme, Lexer};
use parse::token::TokenKind as T;
use parse::{Options, Splitter, Utf16Offsets};

/// Kinds of tokens; the numbers are those of `lexer.ts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Word = 0,
    ReservedWord = 1,
    /// In back-ticks.
    QuotedName = 2,
    Text = 3,
    /// A number or bytes.
    Number = 4,
    UserVariable = 5,
    SystemVariable = 6,
    Parameter = 7,
    Symbol = 8,
    /// A text, a name or a comment without its end, or a character outside the grammar.
    Bad = 9,
    LineComment = 10,
    Comment = 11,
    /// `/*!40101`, or the `*/` that belongs to it.
    VersionMark = 12,
}

/// Kind, start and end of every token and comment.
pub fn tokens(sql: &str) -> Vec<u32> {
    let offsets = Utf16Offsets::new(sql);
    let mut lexer = Lexer::new(sql, Options::default());
    let mut found = Vec::new();
    loop {
        let (kind, span) = match lexer.next_lexeme() {
            Lexeme::Token(token) if token.kind == T::End => return found,
            Lexeme::Token(token) => (kind_of(token.kind), token.span),
            Lexeme::LineComment(span) => (Kind::LineComment, span),
            Lexeme::Comment(span) => (Kind::Comment, span),
            Lexeme::VersionMark(span) => (Kind::VersionMark, span),
        };
        found.extend([kind as u32, offsets.of(span.start), offsets.of(span.end)]);
    }
}

fn kind_of(kind: T) -> Kind {
    match kind {
        T::Word(word) if word.is_reserved() => Kind::ReservedWord,
        T::Word(_) => Kind::Word,
        T::QuotedName => Kind::QuotedName,
        T::Text | T::NationalText => Kind::Text,
        T::Integer | T::Decimal | T::Float | T::HexNumber | T::HexText | T::BitNumber | T::BitText => Kind::Number,
        T::UserVariable => Kind::UserVariable,
        T::SystemVariable => Kind::SystemVariable,
        T::Parameter => Kind::Parameter,
        T::Bad => Kind::Bad,
        _ => Kind::Symbol,
    }
}

/// Start and end of every statement of a script, where the next one may start, and 1 if the statement has a delimiter and that is `;`:
/// then what follows is split as a text of its own would be.
pub fn statements(script: &str) -> Vec<u32> {
    let offsets = Utf16Offsets::new(script);
    let mut splitter = Splitter::resume(script.as_bytes(), 0, ";", Options::default());
    let mut found = Vec::new();
    while let Some(piece) = splitter.next() {
        found.extend([piece.span.start, piece.span.end, piece.end].map(|at| offsets.of(at)));
        found.push(u32::from(piece.terminated && splitter.delimiter() == ";"));
    }
    found
}

/// What an offset is that is not there.
const NONE: u32 = u32::MAX;

/// Start and end of the verb, of the token after it and of the first user variable; the start of an explained statement; then start,
/// end and start of the name of every placeholder. What is not there is `NONE`.
pub fn outline(sql: &str) -> Vec<u32> {
    let offsets = Utf16Offsets::new(sql);
    let outline = parse::outline(sql, Options::default());
    let pair = |span: Option<Span>| span.map_or([NONE; 2], |span| [offsets.of(span.start), offsets.of(span.end)]);
    let mut found: Vec<u32> = [outline.verb, outline.second, outline.variable].into_iter().flat_map(pair).collect();
    found.push(outline.explained.map_or(NONE, |at| offsets.of(at)));
    for placeholder in outline.placeholders {
        found.extend(pair(Some(placeholder.span)));
        found.push(pair(placeholder.name)[0]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_utf16_units() {
        let sql = "SELECT '😀', `é` --漢\n+ a";
        let kinds = [Kind::ReservedWord, Kind::Text, Kind::Symbol, Kind::QuotedName];
        let kinds = kinds.into_iter().chain([Kind::LineComment, Kind::Symbol, Kind::Word]);
        let places = [[0, 6], [7, 11], [11, 12], [13, 16], [17, 21], [21, 22], [23, 24]];
        let expected: Vec<u32> = kinds.zip(places).flat_map(|(kind, [from, to])| [kind as u32, from, to]).collect();
        assert_eq!(tokens(sql), expected);
        assert_eq!(statements("SELECT '😀'; SELECT 'é';"), [0, 11, 12, 1, 13, 23, 24, 1]);
        assert_eq!(statements("DELIMITER |\nSELECT 1| SELECT 2"), [12, 20, 21, 0, 22, 30, 30, 0]);
        assert_eq!(outline("SELECT '😀', :é"), [0, 6, 7, 11, NONE, NONE, NONE, 13, 15, 14]);
    }
}
