//! Statement dispatch by the first keywords, and the entry points of the parser.

use std::cell::RefCell;

use crate::assist::expected::{Expected, NameKind};
use crate::assist::hint::expected_at;
use crate::ast::*;
use crate::error::ParseError;
use crate::lex::client_commands::client_command;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{Parser, Parsing};
use crate::turns::{Reading, Turns};
use crate::{Options, Parsed};

/// Parses the first statement of `sql`, without its `;`. Text over 4 GiB is an error.
pub fn statement(sql: &str, options: &Options) -> Parsed {
    statement_while(sql, options, &|| true)
}

/// The same, asking every few milliseconds whether to go on; if not, what it answers is of no use.
pub fn statement_while(sql: &str, options: &Options, goes_on: &dyn Fn() -> bool) -> Parsed {
    let parser = Parser::new(sql, whole(sql), *options).asking(goes_on);
    read(parser, sql, whole(sql), options, false).unwrap_or_default()
}

/// The same in several calls: `None` where the call `is_over` before the text is read. `reading` has what was read by then, and belongs to
/// this text and these options.
pub fn statement_in_turns(
    sql: &str,
    options: &Options,
    goes_on: &dyn Fn() -> bool,
    is_over: &dyn Fn() -> bool,
    reading: &mut Reading,
) -> Option<Parsed> {
    let mut parser = Parser::new(sql, whole(sql), *options).asking(goes_on);
    parser.turns = Some(Turns::new(reading, is_over));
    read(parser, sql, whole(sql), options, false)
}

fn whole(sql: &str) -> Span {
    Span::new(0, sql.len().min(u32::MAX as usize) as u32)
}

/// The statement of a text that a database keeps. What Dolt's grammar has not is no error there: an earlier version may have
/// taken it, and Dolt prints `(a LIKE b) = c` without the parentheses.
pub fn kept(sql: &str, sql_mode: &str) -> Option<StatementKind> {
    let options = Options { beyond_dolt: true, ..Options::from_sql_mode(sql_mode) };
    let parsed = read(Parser::new(sql, whole(sql), options), sql, whole(sql), &options, true)?;
    parsed.statement.map(|statement| statement.kind)
}

/// Parses the first statement in `span` of `sql`; all spans of the result count from the start of `sql`.
pub fn statement_in(sql: &str, span: Span, options: &Options) -> Parsed {
    read(Parser::new(sql, span, *options), sql, span, options, false).unwrap_or_default()
}

/// `None` where the parser has paused.
fn read(mut parser: Parser<'_>, sql: &str, span: Span, options: &Options, is_kept: bool) -> Option<Parsed> {
    let mut parsed = Parsed::default();
    if sql.len() > u32::MAX as usize {
        parsed.errors.push(ParseError::TooDeep { span });
        return Some(parsed);
    }
    let statement = parser.whole_statement();
    if parser.is_paused() {
        return None;
    }
    match statement {
        Ok(statement) => match parser.beyond_dolt.first() {
            Some(error) if !is_kept && (!options.beyond_dolt || stores_text(statement.as_ref())) => {
                parsed.errors.push(error.clone());
            }
            _ => {
                parsed.statement = statement;
                // Dolt keeps a view with its enclosing comments, which may contain all of it: `/*!50001 CREATE … */`.
                if let Some(Statement { kind: StatementKind::CreateView(_), span: whole }) = &mut parsed.statement {
                    let text = Span::new(span.start, parser.start()).text(sql);
                    let start = span.start + (text.len() - text.trim_start().len()) as u32;
                    *whole = Span::new(start, start + text.trim().len() as u32);
                }
                parsed.rest = parser.rest(span);
            }
        },
        Err(mut error) => {
            let text = span.text(sql);
            let start = span.start + (text.len() - text.trim_start().len()) as u32;
            if let Some(word) = client_command(text.trim_start()) {
                let span = Span::new(start, start + word.len() as u32);
                *error = ParseError::ClientCommand { span, word: word.into() };
            } else if let ParseError::Syntax { span: place, expected, .. } = &mut *error
                && !parser.is_interrupted
            {
                *expected = expected_at(sql, span, *place, *options);
            }
            parsed.errors.push(*error);
        }
    }
    parsed.parameters = parser.parameters;
    parsed.beyond_dolt = parser.beyond_dolt;
    Some(parsed)
}

/// Whether the text of the statement is kept in a database, where Dolt must be able to read it.
fn stores_text(statement: Option<&Statement>) -> bool {
    use StatementKind::{CreateEvent, CreateProcedure, CreateTrigger, CreateView};
    statement.is_some_and(|statement| {
        matches!(statement.kind, CreateView(_) | CreateProcedure(_) | CreateTrigger(_) | CreateEvent(_))
    })
}

/// An expression that a schema keeps, read as [`kept`] reads statements.
///
/// # Errors
/// Where the text is none.
pub fn kept_expression(text: &str) -> Result<Expr, ParseError> {
    expression(text, &Options { beyond_dolt: true, ..Options::default() })
}

/// Parses one expression: the whole text must be it.
pub fn expression(sql: &str, options: &Options) -> Result<Expr, ParseError> {
    let mut parser = Parser::new(sql, Span::new(0, sql.len().min(u32::MAX as usize) as u32), *options);
    let parse = |parser: &mut Parser<'_>| {
        let expr = parser.expression_or_nested_query()?;
        parser.expect(T::End)?;
        match parser.beyond_dolt.first() {
            Some(error) if !options.beyond_dolt => Err(Box::new(error.clone())),
            _ => Ok(expr),
        }
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

    /// What may follow the text; whether it is correct so far does not matter.
    pub(crate) fn into_expected(mut self) -> Expected {
        self.probe = Some(RefCell::default());
        let _ = self.whole_statement();
        self.probe.map(RefCell::into_inner).unwrap_or_default()
    }

    /// Whether the text is a statement, to its end.
    pub(crate) fn is_whole_statement(&mut self) -> bool {
        matches!(self.whole_statement(), Ok(Some(_)))
    }

    /// What follows the `;`, unless it is blank.
    fn rest(&mut self, whole: Span) -> Option<Span> {
        while self.eat(T::Semicolon) {}
        (!self.at(T::End)).then(|| Span::new(self.start(), whole.end))
    }

    /// A statement that is allowed anywhere.
    pub(crate) fn any_statement(&mut self) -> Parsing<Statement> {
        let start = self.start();
        self.record_name(NameKind::Statement);
        let kind = self.deeper(|parser| parser.statement_kind())?;
        Ok(Statement { kind, span: self.since(start) })
    }

    #[inline(never)]
    fn statement_kind(&mut self) -> Parsing<StatementKind> {
        let T::Word(word) = self.token.kind else {
            if self.at(T::LeftParen) {
                let query = self.query()?;
                self.refuse_alone(&query);
                return Ok(StatementKind::Query(Box::new(query)));
            }
            self.record_statements();
            return Err(self.unexpected());
        };
        if self.in_routine
            && let Some(kind) = self.routine_statement(word)?
        {
            return Ok(kind);
        }
        match word {
            K::Values if self.in_routine => self.kept_query().map(Box::new).map(StatementKind::Query),
            K::Select | K::Values | K::Table => self.query().map(Box::new).map(StatementKind::Query),
            K::With => self.with_statement(),
            K::Insert | K::Replace => self.insert(None),
            K::Update => self.update(None),
            K::Delete => self.delete(None),
            K::Truncate => self.truncate(),
            K::Load => self.load_data(),
            K::Call => self.call_statement(),
            K::Create => self.create(),
            K::Alter => self.alter(),
            K::Drop => self.drop_statement(),
            K::Rename => self.rename(),
            K::Begin => self.begin(),
            K::Start => self.start_statement(),
            K::Commit => self.commit(),
            K::Rollback => self.rollback(),
            K::Savepoint => self.savepoint(),
            K::Release => self.release_savepoint(),
            K::Set => self.set(),
            K::Use => self.use_database(),
            K::Prepare => self.prepare(),
            K::Execute => self.execute(),
            K::Deallocate => {
                self.advance();
                self.deallocate()
            }
            K::Show => self.show(),
            K::Describe | K::Desc | K::Explain => self.describe(),
            K::Analyze => self.analyze(),
            K::Check | K::Checksum | K::Optimize | K::Repair => self.maintain_tables(word),
            K::Do => self.do_expressions(),
            K::Lock => self.lock_tables(),
            K::Unlock => self.unlock_tables(),
            K::Flush => self.flush(),
            K::Kill => self.kill(),
            K::Signal => self.signal(),
            K::Resignal => self.signal(),
            K::Grant | K::Revoke => {
                self.advance();
                let grant = word == K::Grant;
                self.account_statement(if grant { AccountStatement::Grant } else { AccountStatement::Revoke })
            }
            K::Change | K::Stop | K::Reset | K::Binlog => self.replication_statement(word),
            _ => Err(self.unexpected()),
        }
    }

    /// What a statement may start with, for completion.
    #[cold]
    fn record_statements(&self) {
        self.at_any(&[
            K::Select,
            K::With,
            K::Insert,
            K::Replace,
            K::Update,
            K::Delete,
            K::Truncate,
            K::Load,
            K::Call,
            K::Create,
            K::Alter,
            K::Drop,
            K::Rename,
            K::Begin,
            K::Start,
            K::Commit,
            K::Rollback,
            K::Savepoint,
            K::Release,
            K::Set,
            K::Use,
            K::Prepare,
            K::Execute,
            K::Deallocate,
            K::Show,
            K::Describe,
            K::Explain,
            K::Analyze,
            K::Values,
            K::Table,
        ]);
    }

    /// WITH before a query, UPDATE, DELETE or INSERT.
    #[inline(never)]
    fn with_statement(&mut self) -> Parsing<StatementKind> {
        let before = self.checkpoint();
        let with = self.with()?;
        match self.token.kind {
            T::Word(K::Insert | K::Replace) => self.insert(with),
            T::Word(K::Update) => self.update(with),
            T::Word(K::Delete) => self.delete(with),
            _ => {
                let start = before.start();
                self.query_with(with, start).map(Box::new).map(StatementKind::Query)
            }
        }
    }

    #[inline(never)]
    fn alter(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let header = self.view_header(false)?;
        if self.at_word(K::View) {
            return self.alter_view(header);
        }
        if header.is_of_view() {
            return Err(self.unexpected());
        }
        let definer = header.definer;
        if self.peek() == T::Word(K::Table) {
            self.eat_word(K::Ignore);
        }
        self.at_any(&[K::Table, K::Database, K::Event, K::User]);
        match self.token.kind {
            T::Word(K::Table) if definer.is_none() => self.alter_table(),
            T::Word(word @ (K::Database | K::Schema)) if definer.is_none() => {
                self.beyond_if(word == K::Schema, self.token.span);
                self.alter_database()
            }
            T::Word(K::Event) => self.alter_event(definer),
            T::Word(K::User) if definer.is_none() => self.account_statement(AccountStatement::AlterUser),
            _ => Err(self.unexpected()),
        }
    }

    #[inline(never)]
    fn drop_statement(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let temporary = self.eat_word(K::Temporary);
        self.at_any(&[K::Table, K::Database, K::View, K::Index, K::Trigger, K::Procedure, K::Event, K::User, K::Role]);
        if self.at_any(&[K::Table, K::Tables]) {
            self.beyond_if(self.at_word(K::Tables), self.token.span);
            let dropped = self.drop_objects(NameKind::Table)?;
            return Ok(StatementKind::DropTable(Box::new(DropObjects { temporary, ..*dropped })));
        }
        let T::Word(word) = self.token.kind else { return Err(self.unexpected()) };
        match word {
            _ if temporary => Err(self.unexpected()),
            K::Database | K::Schema => {
                self.advance();
                let if_exists = self.if_exists();
                Ok(StatementKind::DropDatabase { if_exists, name: self.unknown_word(NameKind::Database)? })
            }
            K::View => self.drop_objects(NameKind::View).map(StatementKind::DropView),
            K::Trigger => self.drop_objects(NameKind::Trigger).map(StatementKind::DropTrigger),
            K::Procedure => self.drop_objects(NameKind::Procedure).map(StatementKind::DropProcedure),
            K::Event => self.drop_objects(NameKind::Event).map(StatementKind::DropEvent),
            // There is none: what dumps say before each that they make.
            K::Function => {
                self.beyond(self.token.span);
                self.drop_objects(NameKind::Procedure).map(StatementKind::DropFunction)
            }
            K::Index => self.drop_index(),
            K::Prepare => self.deallocate(),
            K::User => self.account_statement(AccountStatement::DropUser),
            K::Role => self.account_statement(AccountStatement::DropRole),
            _ => Err(self.unexpected()),
        }
    }

    #[inline(never)]
    fn replication_statement(&mut self, word: K) -> Parsing<StatementKind> {
        self.advance();
        let kind = match word {
            K::Change => {
                if self.eat_words(&[K::Replication, K::Filter]) {
                    ReplicationStatement::ChangeFilter
                } else {
                    if !self.eat_words(&[K::Replication, K::Source]) {
                        self.expect_word(K::Master)?;
                    }
                    self.expect_word(K::To)?;
                    ReplicationStatement::ChangeSource
                }
            }
            K::Binlog => {
                self.text_value()?;
                ReplicationStatement::Binlog
            }
            _ => {
                if !self.eat_word(K::Slave) {
                    self.expect_word(K::Replica)?;
                }
                if word == K::Stop { ReplicationStatement::StopReplica } else { ReplicationStatement::ResetReplica }
            }
        };
        self.replication(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each was taken once, and stays in the databases that it was written to.
    #[test]
    fn what_is_kept_is_read_also_where_it_is_beyond_dolt() {
        for sql in [
            "CREATE PROCEDURE p (a INT) BEGIN IF a THEN END IF; SELECT 2; END",
            "CREATE PROCEDURE p () x: BEGIN WHILE 0 DO END WHILE; END y",
            "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.a$b = ~1",
            "CREATE VIEW v AS SELECT a$b FROM t WHERE a = 1 IN (2)",
            "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SET @x = ~1",
        ] {
            let parsed = statement(sql, &Options { beyond_dolt: true, ..Options::default() });
            assert!(parsed.statement.is_none(), "{sql}");
            assert!(stores_text_of(sql), "{sql}");
        }
        assert_eq!(kept("CREATE VIEW v AS", ""), None);
    }

    fn stores_text_of(sql: &str) -> bool {
        let kept = kept(sql, "").map(|kind| Statement { kind, span: Span::new(0, 0) });
        stores_text(kept.as_ref())
    }
}
