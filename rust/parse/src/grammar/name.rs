//! Names, and the keywords that Dolt does not take as names where MySQL does.

use crate::assist::expected::NameKind;
use crate::ast::{ColumnName, Ident, ObjectName, Span};
use crate::lex::keyword::Keyword;
use crate::lex::lexer::unquote_name;
use crate::lex::token::TokenKind;
use crate::parser::{Parser, Parsing};

impl Parser<'_> {
    /// Takes the current token as a name if it is one.
    pub(crate) fn eat_name(&mut self, kind: NameKind) -> Option<Ident> {
        match self.token.kind {
            TokenKind::QuotedName => Some(self.quoted_name()),
            TokenKind::Word(word) if !word.is_reserved() && word != Keyword::Intersect => {
                let is_qualifier = kind == NameKind::Column && !word.is_no_part_in_dolt();
                if word.is_reserved_by_dolt() && !(is_qualifier && self.peek() == TokenKind::Dot) {
                    self.beyond(self.token.span);
                }
                Some(self.plain_name())
            }
            TokenKind::End => {
                self.record_name(kind);
                None
            }
            _ => None,
        }
    }

    pub(crate) fn name(&mut self, kind: NameKind) -> Parsing<Ident> {
        match self.eat_name(kind) {
            Some(name) => Ok(name),
            None => Err(self.unexpected()),
        }
    }

    /// The name of a parameter, a variable or (where `is_table`) of what a query reads: Dolt takes fewer words there.
    pub(crate) fn new_name(&mut self, is_table: bool) -> Parsing<Ident> {
        self.note_new_name(is_table);
        self.name(NameKind::New)
    }

    /// The name of a label, a cursor, a savepoint and the like, which is no word of Dolt's grammar.
    pub(crate) fn unknown_word(&mut self, kind: NameKind) -> Parsing<Ident> {
        if let TokenKind::Word(word) = self.token.kind {
            self.beyond_if(word.is_known_to_dolt(), self.token.span);
        }
        self.name(kind)
    }

    /// Notes a next token that Dolt does not take as a [`Parser::new_name`].
    pub(crate) fn note_new_name(&mut self, is_table: bool) {
        if let TokenKind::Word(word) = self.token.kind {
            self.beyond_if(word.is_no_new_name_in_dolt(is_table), self.token.span);
        }
    }

    /// A column in the list of an INSERT, a view or a CTE, where Dolt takes some words that it does not take elsewhere.
    pub(crate) fn listed_column(&mut self, kind: NameKind) -> Parsing<Ident> {
        match self.token.kind {
            TokenKind::Word(word) if word.is_reserved_by_dolt() && !word.is_no_part_in_dolt() => Ok(self.plain_name()),
            _ => self.name(kind),
        }
    }

    /// `(a, b)` of [`Parser::listed_column`]s.
    pub(crate) fn column_list(&mut self) -> Parsing<Vec<Ident>> {
        self.expect(TokenKind::LeftParen)?;
        let names = self.comma_list(|parser| parser.listed_column(NameKind::New))?;
        self.expect(TokenKind::RightParen)?;
        Ok(names)
    }

    /// A part of a name behind its point.
    fn next_part(&mut self, kind: NameKind) -> Parsing<Ident> {
        if let TokenKind::Word(word) = self.token.kind {
            self.beyond_if(word.is_no_part_in_dolt(), self.token.span);
        }
        self.name_after_dot(kind)
    }

    /// A name behind a point, where reserved words and digits are allowed too.
    pub(crate) fn name_after_dot(&mut self, kind: NameKind) -> Parsing<Ident> {
        match self.token.kind {
            TokenKind::QuotedName => Ok(self.quoted_name()),
            TokenKind::Word(_) => Ok(self.plain_name()),
            TokenKind::End => {
                self.record_name(kind);
                Err(self.unexpected())
            }
            _ => Err(self.unexpected()),
        }
    }

    fn plain_name(&mut self) -> Ident {
        let token = self.advance();
        let text = self.text(token);
        // Dolt has it in back-ticks alone.
        if let Some(at) = text.find('$') {
            let at = token.span.start + at as u32;
            self.beyond(Span::new(at, at + 1));
        }
        Ident { text: text.into(), quoted: false, span: token.span }
    }

    fn quoted_name(&mut self) -> Ident {
        let token = self.advance();
        let text = self.text(token);
        // Without doubled quotes inside, which is nearly always, the name is the inner text.
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
        let text = if inner.bytes().any(|byte| byte == b'`' || byte == b'"') {
            unquote_name(text).into_boxed_str()
        } else {
            inner.into()
        };
        Ident { text, quoted: true, span: token.span }
    }

    /// A name or a word of any kind, for values such as `utf8mb4`, `binary`, `InnoDB`; also a string.
    pub(crate) fn word_or_text(&mut self, kind: NameKind) -> Parsing<Ident> {
        match self.token.kind {
            TokenKind::Text => {
                let span = self.token.span;
                let text = self.text_value()?;
                Ok(Ident { text, quoted: true, span })
            }
            _ => self.name_after_dot(kind),
        }
    }

    /// `name` or `database.name`.
    pub(crate) fn object_name(&mut self, kind: NameKind) -> Parsing<ObjectName> {
        self.record_name(NameKind::Database);
        // `.name` is the current database's, as in MySQL.
        use Keyword::{Escape, Format, Next, Off};
        let is_refused = matches!(self.token.kind, TokenKind::Word(Escape | Format | Next | Off));
        self.beyond_if(is_refused && kind == NameKind::Table, self.token.span);
        let first = self.name(kind)?;
        let mut name = ObjectName { span: first.span, database: None, name: first };
        if self.eat(TokenKind::Dot) {
            let second = self.next_part(kind)?;
            name.span = name.span.to(second.span);
            name.database = Some(std::mem::replace(&mut name.name, second));
        }
        Ok(name)
    }

    /// `column`, `table.column`, `database.table.column`.
    pub(crate) fn column_name(&mut self) -> Parsing<ColumnName> {
        let first = self.name(NameKind::Column)?;
        self.column_name_after(first)
    }

    pub(crate) fn column_name_after(&mut self, first: Ident) -> Parsing<ColumnName> {
        let mut column = ColumnName { span: first.span, database: None, table: None, name: first };
        for _ in 0..2 {
            if !self.eat(TokenKind::Dot) {
                break;
            }
            let next = self.next_part(NameKind::Column)?;
            column.span = column.span.to(next.span);
            let table = std::mem::replace(&mut column.name, next);
            column.database = column.table.replace(table);
        }
        Ok(column)
    }

    /// `(a, b, c)`.
    pub(crate) fn name_list(&mut self, kind: NameKind) -> Parsing<Vec<Ident>> {
        self.expect(TokenKind::LeftParen)?;
        let names = self.comma_list(|parser| parser.name(kind))?;
        self.expect(TokenKind::RightParen)?;
        Ok(names)
    }

    /// One or more, separated by commas.
    pub(crate) fn comma_list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsing<T>) -> Parsing<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(TokenKind::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }
}
