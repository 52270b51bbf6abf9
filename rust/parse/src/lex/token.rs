//! Tokens: kinds and spans; a token does not own its text.

use crate::ast::Span;
use crate::lex::keyword::Keyword;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// End of the text, or of the part of it that is being read.
    End,
    /// A keyword or an unquoted name; `Keyword::Unlisted` for a plain name.
    Word(Keyword),
    /// `` `name` ``, or `"name"` under ANSI_QUOTES.
    QuotedName,
    /// `'text'` or `"text"`.
    Text,
    Integer,
    Decimal,
    Float,
    /// `0x4F`.
    HexNumber,
    /// `x'4F'`.
    HexText,
    /// `0b01`.
    BitNumber,
    /// `b'01'`.
    BitText,
    /// `N'text'`.
    NationalText,
    /// `@name`, also quoted.
    UserVariable,
    /// `@@name.name`.
    SystemVariable,
    /// `?`.
    Parameter,
    /// Text, name or comment without its end, or a character outside the grammar.
    Bad,
    At,
    Colon,
    ColonEqual,
    Semicolon,
    Comma,
    Dot,
    LeftParen,
    RightParen,
    LeftBrace,
    RightBrace,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Caret,
    Tilde,
    Ampersand,
    DoubleAmpersand,
    Pipe,
    DoublePipe,
    Exclamation,
    Equal,
    NullSafeEqual,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    /// `->`.
    Arrow,
    /// `->>`.
    DoubleArrow,
}

impl TokenKind {
    /// True for tokens that Dolt's errors can name with `near`.
    pub(crate) fn has_value(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Word(_)
                | QuotedName
                | Text
                | Integer
                | Decimal
                | Float
                | HexNumber
                | HexText
                | BitNumber
                | BitText
                | NationalText
                | UserVariable
                | SystemVariable
                | Parameter
                | Bad
                | ColonEqual
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}
