//! The parser's state and the small steps that all grammar files share.

use std::cell::{Cell, RefCell};

use crate::assist::expected::{Expected, NameKind};
use crate::ast::Span;
use crate::error::ParseError;
use crate::lex::keyword::Keyword;
use crate::lex::lexer::{Lexer, unquote_text};
use crate::lex::token::{Token, TokenKind};
use crate::options::Options;
use crate::turns::Turns;

pub(crate) type Parsing<T> = Result<T, Box<ParseError>>;

/// Nested constructs (parentheses, calls, blocks; a subquery counts twice) that one statement may have. The wasm stack is
/// 1 MiB and a level takes up to 4 KiB of it, in debug builds up to 16.
pub const DEPTH_MAX: u32 = 100;

/// Height of the highest tree: nesting plus chains such as `1 + 1 + 1 …`. AND, OR, UNION and comma lists are flat and
/// do not count.
pub const HEIGHT_MAX: u32 = 400;

pub(crate) struct Parser<'a> {
    pub(crate) sql: &'a str,
    pub(crate) options: Options,
    lexer: Lexer<'a>,
    /// The token to be read next.
    pub(crate) token: Token,
    /// The one behind it and the lexer's state there, once it was looked at.
    ahead: Cell<Option<(Token, Lexer<'a>)>>,
    /// End of the token read last.
    pub(crate) previous_end: u32,
    /// The last token with a text of its own, for Dolt's `near`.
    last_valued: Span,
    depth: u32,
    /// Height of the expression parsed last.
    pub(crate) height: u32,
    /// Height of the highest expression of the current query.
    pub(crate) tallest: u32,
    pub(crate) parameters: u32,
    pub(crate) beyond_dolt: Vec<ParseError>,
    /// Inside the body of a procedure, trigger or event, where BEGIN opens a block.
    pub(crate) in_routine: bool,
    /// When set, records what would be accepted at the end of the text.
    pub(crate) probe: Option<RefCell<Expected>>,
    /// Asked now and then whether to go on; if not, the text ends there.
    goes_on: &'a dyn Fn() -> bool,
    ask_at: u32,
    pub(crate) is_interrupted: bool,
    /// Where the text is read in turns.
    pub(crate) turns: Option<Turns<'a>>,
}

/// Bytes of text between two questions: a few milliseconds.
const ASK_BYTES: u32 = 64 << 10;

/// Where the parser was, to go back to.
#[derive(Clone, Copy)]
pub(crate) struct Checkpoint<'a> {
    lexer: Lexer<'a>,
    token: Token,
    previous_end: u32,
    last_valued: Span,
    parameters: u32,
    beyond_dolt: usize,
}

impl Checkpoint<'_> {
    pub(crate) fn start(&self) -> u32 {
        self.token.span.start
    }

    /// How many constructs beyond Dolt there were.
    pub(crate) fn beyond_dolt(&self) -> usize {
        self.beyond_dolt
    }

    /// The same place in another copy of the text.
    pub(crate) fn in_text(self, sql: &str) -> Checkpoint<'_> {
        let Checkpoint { lexer, token, previous_end, last_valued, parameters, beyond_dolt } = self;
        Checkpoint { lexer: lexer.in_text(sql), token, previous_end, last_valued, parameters, beyond_dolt }
    }
}

impl<'a> Parser<'a> {
    pub(crate) fn new(sql: &'a str, span: Span, options: Options) -> Self {
        let mut lexer = Lexer::over(sql, span, options);
        let token = lexer.next_token();
        let mut parser = Parser {
            sql,
            options,
            lexer,
            token,
            ahead: Cell::new(None),
            previous_end: span.start,
            last_valued: Span::new(span.start, span.start),
            depth: 0,
            height: 0,
            tallest: 0,
            parameters: 0,
            beyond_dolt: Vec::new(),
            in_routine: false,
            probe: None,
            goes_on: &|| true,
            ask_at: u32::MAX,
            is_interrupted: false,
            turns: None,
        };
        parser.note_valued();
        parser
    }

    pub(crate) fn asking(self, goes_on: &'a dyn Fn() -> bool) -> Self {
        Parser { goes_on, ask_at: self.start().saturating_add(ASK_BYTES), ..self }
    }

    #[cold]
    fn ask(&mut self) {
        self.is_interrupted |= !(self.goes_on)();
        if self.is_interrupted || self.is_paused() {
            self.end_text();
        } else {
            self.ask_at = self.start().saturating_add(ASK_BYTES);
        }
    }

    /// Lets the text end here.
    pub(crate) fn end_text(&mut self) {
        // After a return to a checkpoint as well.
        self.ask_at = 0;
        self.ahead.set(None);
        self.lexer.end();
        self.token = self.lexer.next_token();
    }

    fn note_valued(&mut self) {
        if self.token.kind.has_value() {
            self.last_valued = self.token.span;
        }
    }

    pub(crate) fn checkpoint(&self) -> Checkpoint<'a> {
        Checkpoint {
            lexer: self.lexer,
            token: self.token,
            previous_end: self.previous_end,
            last_valued: self.last_valued,
            parameters: self.parameters,
            beyond_dolt: self.beyond_dolt.len(),
        }
    }

    pub(crate) fn rewind(&mut self, to: Checkpoint<'a>) {
        self.lexer = to.lexer;
        self.token = to.token;
        self.ahead.set(None);
        self.previous_end = to.previous_end;
        self.last_valued = to.last_valued;
        self.parameters = to.parameters;
        self.beyond_dolt.truncate(to.beyond_dolt);
    }

    /// Takes the current token and reads the next.
    pub(crate) fn advance(&mut self) -> Token {
        let token = self.token;
        self.previous_end = token.span.end;
        match self.ahead.take() {
            Some((next, lexer)) => {
                self.token = next;
                self.lexer = lexer;
            }
            None => self.token = self.lexer.next_token(),
        }
        if token.span.end >= self.ask_at {
            self.ask();
        }
        self.note_valued();
        token
    }

    /// The token after the current one.
    pub(crate) fn second_token(&self) -> Token {
        if let Some((token, _)) = self.ahead.get() {
            return token;
        }
        let mut lexer = self.lexer;
        let token = lexer.next_token();
        self.ahead.set(Some((token, lexer)));
        token
    }

    pub(crate) fn peek(&self) -> TokenKind {
        self.second_token().kind
    }

    /// The token `ahead` tokens after the current one; 0 is the current one.
    pub(crate) fn peek_at(&self, ahead: usize) -> TokenKind {
        let mut lexer = self.lexer;
        let mut token = self.token;
        for _ in 0..ahead {
            token = lexer.next_token();
        }
        token.kind
    }

    pub(crate) fn text(&self, token: Token) -> &'a str {
        self.sql.get(token.span.range()).unwrap_or("")
    }

    pub(crate) fn start(&self) -> u32 {
        self.token.span.start
    }

    /// From `start` to the end of what has been read.
    pub(crate) fn is_in_version_comment(&self) -> bool {
        self.lexer.is_in_version_comment()
    }

    pub(crate) fn since(&self, start: u32) -> Span {
        Span::new(start, self.previous_end.max(start))
    }

    #[inline]
    fn record(&self, keyword: Keyword) {
        if let Some(probe) = &self.probe {
            Self::record_in(probe, keyword);
        }
    }

    #[cold]
    fn record_in(probe: &RefCell<Expected>, keyword: Keyword) {
        probe.borrow_mut().keyword(keyword);
    }

    pub(crate) fn record_name(&self, kind: NameKind) {
        if self.token.kind == TokenKind::End
            && let Some(probe) = &self.probe
        {
            probe.borrow_mut().name(kind);
        }
    }

    #[inline]
    pub(crate) fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    #[inline]
    pub(crate) fn at_word(&self, keyword: Keyword) -> bool {
        match self.token.kind {
            TokenKind::Word(word) => word == keyword,
            TokenKind::End => {
                self.record(keyword);
                false
            }
            _ => false,
        }
    }

    pub(crate) fn at_any(&self, keywords: &[Keyword]) -> bool {
        match self.token.kind {
            TokenKind::Word(word) => keywords.contains(&word),
            TokenKind::End => {
                keywords.iter().for_each(|&keyword| self.record(keyword));
                false
            }
            _ => false,
        }
    }

    /// The current token and the ones after it are these words.
    pub(crate) fn at_words(&self, keywords: &[Keyword]) -> bool {
        let Some((&first, rest)) = keywords.split_first() else { return true };
        if !self.at_word(first) {
            return false;
        }
        let mut lexer = self.lexer;
        rest.iter().all(|&keyword| match lexer.next_token().kind {
            TokenKind::Word(word) => word == keyword,
            TokenKind::End => {
                self.record(keyword);
                false
            }
            _ => false,
        })
    }

    #[inline]
    pub(crate) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    #[inline]
    pub(crate) fn eat_word(&mut self, keyword: Keyword) -> bool {
        let found = self.at_word(keyword);
        if found {
            self.advance();
        }
        found
    }

    /// All of these words or none.
    pub(crate) fn eat_words(&mut self, keywords: &[Keyword]) -> bool {
        let found = self.at_words(keywords);
        if found {
            keywords.iter().for_each(|_| {
                self.advance();
            });
        }
        found
    }

    pub(crate) fn expect(&mut self, kind: TokenKind) -> Parsing<Token> {
        if self.at(kind) { Ok(self.advance()) } else { Err(self.unexpected()) }
    }

    pub(crate) fn expect_word(&mut self, keyword: Keyword) -> Parsing<Token> {
        if self.at_word(keyword) { Ok(self.advance()) } else { Err(self.unexpected()) }
    }

    pub(crate) fn expect_words(&mut self, keywords: &[Keyword]) -> Parsing<()> {
        keywords.iter().try_for_each(|&keyword| self.expect_word(keyword).map(drop))
    }

    /// The error that the current token is not allowed here.
    #[cold]
    pub(crate) fn unexpected(&self) -> Box<ParseError> {
        let near = self.near(self.last_valued);
        Box::new(ParseError::Syntax { span: self.token.span, near, expected: "".into() })
    }

    /// The error that the token read last was not allowed there.
    #[cold]
    pub(crate) fn unexpected_before(&self) -> Box<ParseError> {
        let end = self.previous_end;
        let before = self.sql.get(..end as usize).unwrap_or("");
        let length = before.bytes().rev().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let span = Span::new(end - length as u32, end);
        Box::new(ParseError::Syntax { span, near: self.near(span), expected: "".into() })
    }

    /// The text of a token as Dolt shows it: without quotes.
    fn near(&self, span: Span) -> Box<str> {
        let text = span.text(self.sql);
        match text.as_bytes().first() {
            Some(quote @ (b'\'' | b'"' | b'`')) => {
                let inner = &text[1..];
                inner.strip_suffix(*quote as char).unwrap_or(inner).into()
            }
            _ => text.into(),
        }
    }

    #[cold]
    pub(crate) fn unsupported(&self, span: Span, what: &str) -> Box<ParseError> {
        Box::new(ParseError::Unsupported { span, what: what.into() })
    }

    /// Notes a construct that Dolt rejects as a syntax error at the token `span`.
    #[cold]
    pub(crate) fn beyond(&mut self, span: Span) {
        self.beyond_dolt.push(ParseError::Syntax { span, near: self.near(span), expected: "".into() });
    }

    /// Notes that Dolt expects something else than the next token.
    #[cold]
    pub(crate) fn beyond_here(&mut self) {
        let error = self.unexpected();
        self.beyond_dolt.push(*error);
    }

    /// As [`Parser::beyond`], where something optional `is_there`.
    pub(crate) fn beyond_if(&mut self, is_there: bool, span: Span) {
        if is_there {
            self.beyond(span);
        }
    }

    /// Skips words that MySQL takes without effect, and Dolt not; tells whether there were any.
    pub(crate) fn skip_beyond_dolt(&mut self, words: &[Keyword]) -> bool {
        let first = self.token.span;
        while self.at_any(words) {
            self.beyond(self.token.span);
            self.advance();
        }
        self.token.span != first
    }

    /// Notes a construct that Dolt reads and then refuses.
    #[cold]
    pub(crate) fn refused_by_dolt(&mut self, span: Span, what: &str) {
        self.beyond_dolt.push(ParseError::Unsupported { span, what: what.into() });
    }

    /// Reads an expression whose text a database keeps: Dolt must be able to read it there, whatever the options say.
    pub(crate) fn stored<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsing<T>) -> Parsing<T> {
        let before = self.beyond_dolt.len();
        let read = read(self)?;
        match self.beyond_dolt.get(before) {
            Some(error) => Err(Box::new(error.clone())),
            None => Ok(read),
        }
    }

    /// Runs a step one level deeper.
    pub(crate) fn deeper<T>(&mut self, step: impl FnOnce(&mut Self) -> Parsing<T>) -> Parsing<T> {
        if self.depth >= DEPTH_MAX {
            return Err(Box::new(ParseError::TooDeep { span: self.token.span }));
        }
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        result
    }

    /// Sets the height of a node over children of the given height.
    pub(crate) fn raise(&mut self, children: u32) -> Parsing<()> {
        self.height = children + 1;
        if self.height > HEIGHT_MAX {
            return Err(Box::new(ParseError::TooDeep { span: self.token.span }));
        }
        Ok(())
    }

    // Literals outside expressions

    /// A string; adjacent strings are one.
    pub(crate) fn text_value(&mut self) -> Parsing<Box<str>> {
        let token = self.expect(TokenKind::Text)?;
        let mut text = self.unquoted(token);
        while self.at(TokenKind::Text) {
            let more = self.advance();
            text.push_str(&self.unquoted(more));
        }
        Ok(text.into_boxed_str())
    }

    pub(crate) fn unquoted(&self, token: Token) -> String {
        let text = self.text(token);
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
        if inner.bytes().any(|byte| matches!(byte, b'\\' | b'\'' | b'"')) {
            unquote_text(text, self.options)
        } else {
            inner.to_owned()
        }
    }

    pub(crate) fn integer(&mut self) -> Parsing<u64> {
        let value = match self.token.kind {
            TokenKind::Integer => self.text(self.token).parse::<u64>().ok(),
            _ => None,
        };
        match value {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => Err(self.unexpected()),
        }
    }

    /// A decimal number without its fraction.
    pub(crate) fn whole_part(&mut self) -> Parsing<u64> {
        let text = self.text(self.token);
        match text.split('.').next().unwrap_or_default().parse::<u64>() {
            Ok(value) => {
                self.advance();
                Ok(value)
            }
            Err(_) => Err(self.unexpected()),
        }
    }

    /// `=` that may be left out.
    pub(crate) fn skip_equal(&mut self) {
        self.eat(TokenKind::Equal);
    }

    pub(crate) fn if_exists(&mut self) -> bool {
        self.eat_words(&[Keyword::If, Keyword::Exists])
    }

    pub(crate) fn if_not_exists(&mut self) -> bool {
        self.eat_words(&[Keyword::If, Keyword::Not, Keyword::Exists])
    }
}
