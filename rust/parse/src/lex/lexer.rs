//! Text to tokens, one at a time. The state is small and `Copy`, so that looking ahead is copying it.

use crate::ast::Span;
use crate::lex::keyword::Keyword;
use crate::lex::token::{Token, TokenKind};
use crate::options::Options;

#[derive(Clone, Copy)]
pub struct Lexer<'a> {
    sql: &'a str,
    offset: usize,
    /// No token reaches past this offset.
    end: usize,
    options: Options,
    /// Inside `/*! … */`, whose content counts.
    in_version_comment: bool,
    /// The last token was a name directly followed by a point: digits that follow are a name, not a number.
    after_qualifier: bool,
    after_name: bool,
}

/// Letters of names. All non-ASCII characters are allowed in names, as in MySQL.
const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// A token, or what stands between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lexeme {
    Token(Token),
    /// `-- …`, `# …` or `// …`, with the end of its line.
    LineComment(Span),
    /// `/* … */`.
    Comment(Span),
    /// `/*!40101`, or the `*/` that belongs to it.
    VersionMark(Span),
}

impl<'a> Lexer<'a> {
    pub fn new(sql: &'a str, options: Options) -> Self {
        Self::over(sql, Span::new(0, sql.len() as u32), options)
    }

    /// Reads only the bytes of `span`; the spans of tokens count from the start of `sql`.
    pub fn over(sql: &'a str, span: Span, options: Options) -> Self {
        let end = (span.end as usize).min(sql.len());
        Lexer {
            sql,
            offset: (span.start as usize).min(end),
            end,
            options,
            in_version_comment: false,
            after_qualifier: false,
            after_name: false,
        }
    }

    /// The same place in another copy of the text.
    pub(crate) fn in_text(self, sql: &str) -> Lexer<'_> {
        let Lexer { offset, end, options, in_version_comment, after_qualifier, after_name, .. } = self;
        Lexer { sql, offset, end, options, in_version_comment, after_qualifier, after_name }
    }

    /// Whether the text here counts only because its comment is a version comment.
    pub fn is_in_version_comment(&self) -> bool {
        self.in_version_comment
    }

    pub fn offset(&self) -> u32 {
        self.offset as u32
    }

    #[inline(always)]
    fn byte(&self, ahead: usize) -> u8 {
        let at = self.offset + ahead;
        if at < self.end { self.sql.as_bytes()[at] } else { 0 }
    }

    /// Lets the text end here.
    pub(crate) fn end(&mut self) {
        self.end = self.offset;
    }

    /// The next token; [`TokenKind::End`] again and again at the end.
    pub fn next_token(&mut self) -> Token {
        if let Err(bad) = self.skip_blanks() {
            return bad;
        }
        let start = self.offset;
        let kind = if start >= self.end { TokenKind::End } else { self.scan(start) };
        let name = match kind {
            TokenKind::Word(word) => !word.is_reserved(),
            kind => kind == TokenKind::QuotedName,
        };
        self.after_qualifier = kind == TokenKind::Dot && self.after_name;
        self.after_name = name;
        Token { kind, span: Span::new(start as u32, self.offset as u32) }
    }

    /// The next token or comment. Comments are what [`Self::next_token`] skips.
    pub fn next_lexeme(&mut self) -> Lexeme {
        while is_blank(self.byte(0)) {
            self.offset += 1;
        }
        let (start, was_in_version_comment) = (self.offset, self.in_version_comment);
        match self.skip_comment() {
            Err(bad) => Lexeme::Token(bad),
            Ok(false) => Lexeme::Token(self.next_token()),
            Ok(true) => {
                let span = Span::new(start as u32, self.offset as u32);
                if was_in_version_comment != self.in_version_comment {
                    Lexeme::VersionMark(span)
                } else if self.sql.as_bytes()[start..].starts_with(b"/*") {
                    Lexeme::Comment(span)
                } else {
                    Lexeme::LineComment(span)
                }
            }
        }
    }

    /// Skips blanks and comments, and enters or leaves version comments.
    fn skip_blanks(&mut self) -> Result<(), Token> {
        loop {
            if is_blank(self.byte(0)) {
                self.offset += 1;
            } else if !self.skip_comment()? {
                return Ok(());
            }
        }
    }

    /// Skips a comment, or enters or leaves a version comment; false where there is none.
    #[inline(always)]
    fn skip_comment(&mut self) -> Result<bool, Token> {
        match self.byte(0) {
            b'#' => self.skip_line(),
            b'-' if self.byte(1) == b'-' => self.skip_line(),
            b'/' if self.byte(1) == b'/' => self.skip_line(),
            b'/' if self.byte(1) == b'*' => self.enter_comment()?,
            b'*' if self.in_version_comment && self.byte(1) == b'/' => {
                self.in_version_comment = false;
                self.offset += 2;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn skip_line(&mut self) {
        let rest = &self.sql.as_bytes()[self.offset..self.end];
        self.offset = rest.iter().position(|&byte| byte == b'\n').map_or(self.end, |at| self.offset + at + 1);
    }

    /// `/*! code */`, `/*!80000 code */` and `/*M!100000 code */` are read, every other comment is skipped.
    fn enter_comment(&mut self) -> Result<(), Token> {
        let start = self.offset;
        let marker = if self.byte(2) == b'!' {
            3
        } else if self.byte(2) == b'M' && self.byte(3) == b'!' {
            4
        } else {
            0
        };
        let bytes = self.sql.as_bytes();
        if marker > 0 && !self.in_version_comment {
            let rest = &bytes[(start + marker).min(self.end)..self.end];
            let digits = rest.iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
            let closed = rest.windows(2).any(|pair| pair == b"*/");
            if closed && (digits == 0 || digits >= 5) {
                let six = digits == 6 && marker == 4;
                self.offset = start + marker + if digits == 0 { 0 } else { 5 + usize::from(six) };
                self.in_version_comment = true;
                return Ok(());
            }
        }
        let body = (start + 2).min(self.end);
        match bytes[body..self.end].windows(2).position(|pair| pair == b"*/") {
            Some(at) => {
                self.offset = body + at + 2;
                Ok(())
            }
            None => {
                self.offset = self.end;
                Err(Token { kind: TokenKind::Bad, span: Span::new(start as u32, self.end as u32) })
            }
        }
    }

    fn scan(&mut self, start: usize) -> TokenKind {
        let first = self.byte(0);
        match first {
            b'0'..=b'9' if !self.after_qualifier => self.scan_number(start),
            b'.' if self.byte(1).is_ascii_digit() && !self.after_name => self.scan_number(start),
            b'\'' => self.scan_text(b'\''),
            b'"' if self.options.ansi_quotes => self.scan_quoted_name(b'"'),
            b'"' => self.scan_text(b'"'),
            b'`' => self.scan_quoted_name(b'`'),
            b'@' => self.scan_variable(),
            b'x' | b'X' if self.byte(1) == b'\'' => {
                self.scan_digits_text(TokenKind::HexText, |b| b.is_ascii_hexdigit())
            }
            b'b' | b'B' if self.byte(1) == b'\'' => {
                self.scan_digits_text(TokenKind::BitText, |b| b == b'0' || b == b'1')
            }
            b'n' | b'N' if self.options.beyond_dolt && self.byte(1) == b'\'' => {
                self.offset += 1;
                match self.scan_text(b'\'') {
                    TokenKind::Text => TokenKind::NationalText,
                    other => other,
                }
            }
            _ if is_word_byte(first) => self.scan_word(start),
            _ => self.scan_symbol(first),
        }
    }

    fn scan_word(&mut self, start: usize) -> TokenKind {
        let bytes = self.sql.as_bytes();
        while self.offset < self.end && is_word_byte(bytes[self.offset]) {
            self.offset += 1;
        }
        // `end` may cut a character in two only when the caller gave a span that does.
        TokenKind::Word(self.sql.get(start..self.offset).map_or(Keyword::Unlisted, Keyword::find))
    }

    /// Digits, `0x…`, `0b…`, fractions and exponents; a number that runs into letters is a name (`1st`). `0x` alone is no bytes.
    fn scan_number(&mut self, start: usize) -> TokenKind {
        if self.byte(0) == b'0' && matches!(self.byte(1), b'x' | b'X' | b'b' | b'B') {
            let hex = matches!(self.byte(1), b'x' | b'X');
            let mut at = 2;
            while if hex { self.byte(at).is_ascii_hexdigit() } else { matches!(self.byte(at), b'0' | b'1') } {
                at += 1;
            }
            if (at > 2 || hex) && !is_word_byte(self.byte(at)) {
                self.offset += at;
                return if hex { TokenKind::HexNumber } else { TokenKind::BitNumber };
            }
            return self.scan_word(start);
        }
        let mut kind = TokenKind::Integer;
        self.skip_digits();
        if self.byte(0) == b'.' {
            kind = TokenKind::Decimal;
            self.offset += 1;
            self.skip_digits();
        }
        if matches!(self.byte(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(1), b'+' | b'-'));
            if self.byte(1 + sign).is_ascii_digit() {
                kind = TokenKind::Float;
                self.offset += 1 + sign;
                self.skip_digits();
            }
        }
        if is_word_byte(self.byte(0)) && kind == TokenKind::Integer {
            return self.scan_word(start);
        }
        kind
    }

    fn skip_digits(&mut self) {
        while self.byte(0).is_ascii_digit() {
            self.offset += 1;
        }
    }

    /// A string from its opening quote on: doubled quotes and backslashes do not end it.
    fn scan_text(&mut self, quote: u8) -> TokenKind {
        let bytes = &self.sql.as_bytes()[..self.end];
        let mut at = self.offset + 1;
        while let Some(&byte) = bytes.get(at) {
            if byte == quote {
                if bytes.get(at + 1) == Some(&quote) {
                    at += 2;
                    continue;
                }
                self.offset = at + 1;
                return TokenKind::Text;
            }
            at += if byte == b'\\' && !self.options.no_backslash_escapes { 2 } else { 1 };
        }
        self.offset = self.end;
        TokenKind::Bad
    }

    fn scan_quoted_name(&mut self, quote: u8) -> TokenKind {
        let bytes = &self.sql.as_bytes()[..self.end];
        let mut at = self.offset + 1;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            if byte == quote {
                if bytes.get(at) == Some(&quote) {
                    at += 1;
                    continue;
                }
                self.offset = at;
                return TokenKind::QuotedName;
            }
        }
        self.offset = self.end;
        TokenKind::Bad
    }

    fn scan_digits_text(&mut self, kind: TokenKind, allowed: fn(u8) -> bool) -> TokenKind {
        let mut at = 2;
        while allowed(self.byte(at)) {
            at += 1;
        }
        let whole = kind == TokenKind::BitText || at % 2 == 0;
        let closed = self.byte(at) == b'\'';
        self.offset = (self.offset + at + usize::from(closed)).min(self.end);
        if closed && whole { kind } else { TokenKind::Bad }
    }

    /// `@name`, `` @`name` ``, `@'name'`, `@@name`, ``@@scope.`name` ``, or a lone `@`.
    fn scan_variable(&mut self) -> TokenKind {
        let system = self.byte(1) == b'@';
        self.offset += if system { 2 } else { 1 };
        let kind = if system { TokenKind::SystemVariable } else { TokenKind::UserVariable };
        let name_start = self.offset;
        loop {
            match self.byte(0) {
                quote @ (b'`' | b'\'' | b'"') if self.offset == name_start || (system && self.byte(0) == b'`') => {
                    let scanned = if quote == b'`' { self.scan_quoted_name(quote) } else { self.scan_text(quote) };
                    if scanned == TokenKind::Bad {
                        return TokenKind::Bad;
                    }
                    if !system {
                        return kind;
                    }
                }
                byte if is_word_byte(byte) || byte == b'.' => self.offset += 1,
                _ if self.offset == name_start => return if system { TokenKind::Bad } else { TokenKind::At },
                _ => return kind,
            }
        }
    }

    fn scan_symbol(&mut self, first: u8) -> TokenKind {
        use TokenKind::*;
        let (kind, length) = match (first, self.byte(1), self.byte(2)) {
            (b'<', b'=', b'>') => (NullSafeEqual, 3),
            (b'-', b'>', b'>') => (DoubleArrow, 3),
            (b'-', b'>', _) => (Arrow, 2),
            (b'<', b'=', _) => (LessEqual, 2),
            (b'<', b'>', _) | (b'!', b'=', _) => (NotEqual, 2),
            (b'<', b'<', _) => (ShiftLeft, 2),
            (b'>', b'=', _) => (GreaterEqual, 2),
            (b'>', b'>', _) => (ShiftRight, 2),
            (b'&', b'&', _) => (DoubleAmpersand, 2),
            (b'|', b'|', _) => (DoublePipe, 2),
            (b':', b'=', _) => (ColonEqual, 2),
            (b':', ..) => (Colon, 1),
            (b';', ..) => (Semicolon, 1),
            (b',', ..) => (Comma, 1),
            (b'.', ..) => (Dot, 1),
            (b'(', ..) => (LeftParen, 1),
            (b')', ..) => (RightParen, 1),
            (b'{', ..) => (LeftBrace, 1),
            (b'}', ..) => (RightBrace, 1),
            (b'+', ..) => (Plus, 1),
            (b'-', ..) => (Minus, 1),
            (b'*', ..) => (Star, 1),
            (b'/', ..) => (Slash, 1),
            (b'%', ..) => (Percent, 1),
            (b'^', ..) => (Caret, 1),
            (b'~', ..) => (Tilde, 1),
            (b'&', ..) => (Ampersand, 1),
            (b'|', ..) => (Pipe, 1),
            (b'!', ..) => (Exclamation, 1),
            (b'=', ..) => (Equal, 1),
            (b'<', ..) => (Less, 1),
            (b'>', ..) => (Greater, 1),
            (b'?', ..) => (Parameter, 1),
            _ => (Bad, 1),
        };
        self.offset += length;
        kind
    }
}

/// Undoes quotes, doubled quotes and backslash escapes of a [`TokenKind::Text`] token.
///
/// As in Dolt, an unknown escape is the character itself, also for `\%` and `\_`.
pub fn unquote_text(token: &str, options: Options) -> String {
    let Some(quote) = token.chars().next() else { return String::new() };
    let inner = token.get(1..token.len().saturating_sub(1)).unwrap_or("");
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(character) = rest.next() {
        if character == '\\' && !options.no_backslash_escapes {
            match rest.next() {
                Some('0') => text.push('\0'),
                Some('b') => text.push('\u{8}'),
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some('t') => text.push('\t'),
                Some('Z') => text.push('\u{1a}'),
                Some(other) => text.push(other),
                None => text.push('\\'),
            }
        } else {
            if character == quote {
                rest.next();
            }
            text.push(character);
        }
    }
    text
}

/// Undoes the quotes of a quoted name, where only the doubled quote is special.
pub fn unquote_name(token: &str) -> String {
    let Some(quote) = token.chars().next() else { return String::new() };
    let inner = token.get(1..token.len().saturating_sub(1)).unwrap_or("");
    let mut name = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(character) = rest.next() {
        if character == quote {
            rest.next();
        }
        name.push(character);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::TokenKind::*;
    use super::*;

    fn kinds(sql: &str) -> Vec<TokenKind> {
        let mut lexer = Lexer::new(sql, Options::default());
        let mut kinds = Vec::new();
        loop {
            let token = lexer.next_token();
            if token.kind == End {
                return kinds;
            }
            kinds.push(token.kind);
        }
    }

    const NAME: TokenKind = Word(Keyword::Unlisted);

    #[test]
    fn numbers_and_names_that_start_with_digits() {
        assert_eq!(
            kinds("1 1.5 .5 1. 1e3 1.5e-3 0xFF 0b01 1abc 1e"),
            [Integer, Decimal, Decimal, Decimal, Float, Float, HexNumber, BitNumber, NAME, NAME]
        );
        assert_eq!(kinds("t.1a t.5"), [NAME, Dot, NAME, NAME, Dot, NAME]);
        assert_eq!(kinds("select .1"), [Word(Keyword::Select), Decimal]);
    }

    #[test]
    fn comments_vanish_and_version_comments_do_not() {
        assert_eq!(kinds("1 /* x */ 2 -- 3\n 4 # 5\n6 // 7"), [Integer; 4]);
        assert_eq!(kinds("/*!40101 1 */ /*! 2*/ /*M!100001 3 */ /*!401 4*/"), [Integer; 3]);
        assert_eq!(kinds("/* open"), [Bad]);
        assert_eq!(kinds("/*! open"), [Bad]);
    }

    #[test]
    fn texts_and_variables() {
        assert_eq!(
            kinds(r#"'a''b' "c\"d" `e``f` x'4f' b'1' @a @`b c` @'d' @@x @@session.y"#),
            [
                Text,
                Text,
                QuotedName,
                HexText,
                BitText,
                UserVariable,
                UserVariable,
                UserVariable,
                SystemVariable,
                SystemVariable
            ]
        );
        let options = Options { beyond_dolt: true, ..Options::default() };
        assert_eq!(Lexer::new("N'g'", options).next_token().kind, NationalText);
        assert_eq!(kinds("N'g'"), [Word(Keyword::Unlisted), Text]);
        assert_eq!(kinds("'open"), [Bad]);
        assert_eq!(kinds("x'4'"), [Bad]);
        assert_eq!(unquote_text(r"'a\n\'b''c\%\q\\'", Options::default()), "a\n'b'c%q\\");
        assert_eq!(unquote_name("`a``b`"), "a`b");
    }
}
