//! Which statement it is, and the entry points.

use crate::ast::*;
use crate::error::ParseError;
use crate::keyword::Keyword as K;
use crate::parser::{NameKind, Parser, Parsing};
use crate::token::TokenKind as T;
use crate::{Options, Parsed};

/// Parses the first statement of `sql`, without its `;`. Text over 4 GiB is an error.
pub fn statement(sql: &str, options: &Options) -> Parsed {
    statement_in(sql, Span::new(0, sql.len().min(u32::MAX as usize) as u32), options)
}

/// Parses the first statement in `span` of `sql`; all spans of the result count from the start of `sql`.
pub fn statement_in(sql: &str, span: Span, options: &Options) -> Parsed {
    let mut parsed = Parsed { statement: None, errors: Vec::new(), parameters: 0, beyond_dolt: Vec::new(), rest: None };
    if sql.len() > u32::MAX as usize {
        parsed.errors.push(ParseError::TooDeep { span });
        return parsed;
    }
    let mut parser = Parser::new(sql, span, *options);
    match parser.whole_statement() {
        Ok(statement) => {
            parsed.statement = statement;
            parsed.rest = parser.rest(span);
        }
        Err(error) => parsed.errors.push(*error),
    }
    parsed.parameters = parser.parameters;
    parsed.beyond_dolt = parser.beyond_dolt;
    parsed
}

/// Parses one expression, for instance a stored default or CHECK: the whole text must be it.
pub fn expression(sql: &str, options: &Options) -> Result<Expr, ParseError> {
    let mut parser = Parser::new(sql, Span::new(0, sql.len().min(u32::MAX as usize) as u32), *options);
    let parse = |parser: &mut Parser<'_>| {
        let expr = parser.expression_or_nested_query()?;
        parser.expect(T::End)?;
        Ok(expr)
    };
    parse(&mut parser).map_err(|error: Box<ParseError>| *error)
}

impl Parser<'_> {
    /// A statement up to `;` or the end; `None` when there is nothing but blanks and comments.
    fn whole_statement(&mut self) -> Parsing<Option<Statement>> {
        if self.at(T::End) && self.probe.is_none() || self.at(T::Semicolon) {
            return Ok(None);
        }
        let statement = self.any_statement()?;
        if self.at(T::End) || self.at(T::Semicolon) { Ok(Some(statement)) } else { Err(self.unexpected()) }
    }

    /// What follows the `;`, unless it is blank.
    fn rest(&mut self, whole: Span) -> Option<Span> {
        while self.eat(T::Semicolon) {}
        (!self.at(T::End)).then(|| Span::new(self.start(), whole.end))
    }

    /// A statement as it may stand anywhere.
    pub(crate) fn any_statement(&mut self) -> Parsing<Statement> {
        let start = self.start();
        self.record_name(NameKind::Statement);
        let kind = self.deeper(|parser| parser.statement_kind())?;
        Ok(Statement { kind, span: self.since(start) })
    }

    fn statement_kind(&mut self) -> Parsing<StatementKind> {
        let T::Word(word) = self.token.kind else {
            if self.at(T::LeftParen) {
                return self.query().map(Box::new).map(StatementKind::Query);
            }
            return Err(self.unexpected());
        };
        match word {
            K::Select | K::Values | K::Table => self.query().map(Box::new).map(StatementKind::Query),
            K::With => self.query().map(Box::new).map(StatementKind::Query),
            _ => Err(self.unexpected()),
        }
    }
}
