//! SET, USE, PREPARE, transactions, locks, accounts, replication.

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::grammar::primary::{system_variable, variable_scope};
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{Parser, Parsing};

impl Parser<'_> {
    #[inline(never)]
    pub(crate) fn set(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let items = self.long_comma_list(|parser| parser.set_item())?;
        let is_transaction = |item: &SetItem| matches!(item, SetItem::Transaction { .. });
        if items.len() > 1 && items.iter().any(is_transaction) {
            self.beyond_here();
        }
        Ok(StatementKind::Set(items))
    }

    fn set_item(&mut self) -> Parsing<SetItem> {
        let start = self.start();
        match self.token.kind {
            T::UserVariable => {
                let name = self.user_variable()?;
                self.assignment_operator()?;
                let mut value = self.set_value()?;
                // ON and OFF are no names, but what the variable is set to.
                if let ExprKind::Column(column) = &value.kind
                    && ["on", "off"].iter().any(|word| column.name.is(word) && !column.name.quoted)
                {
                    let text = TextLiteral { value: column.name.text.clone(), charset: None };
                    value.kind = ExprKind::Literal(Literal::Text(text));
                }
                return Ok(SetItem::User { name, value });
            }
            T::SystemVariable => {
                let token = self.advance();
                let SystemVariable { scope, name } = system_variable(self.text(token));
                self.assignment_operator()?;
                let value = self.set_value()?;
                return Ok(SetItem::Variable { scope, system: true, name, value, span: self.since(start) });
            }
            T::Word(K::Names) if self.peek() != T::Equal => {
                self.advance();
                let charset =
                    if self.eat_word(K::Default) { None } else { Some(self.word_or_text(NameKind::Charset)?) };
                let collation =
                    if self.eat_word(K::Collate) { Some(self.word_or_text(NameKind::Collation)?) } else { None };
                return Ok(SetItem::Names { charset, collation });
            }
            T::Word(K::Character | K::Charset) if self.peek() != T::Equal => {
                if !self.eat_word(K::Charset) {
                    self.expect_words(&[K::Character, K::Set])?;
                }
                let charset =
                    if self.eat_word(K::Default) { None } else { Some(self.word_or_text(NameKind::Charset)?) };
                return Ok(SetItem::CharacterSet(charset));
            }
            // MySQL has these, Dolt does not.
            T::Word(K::Role | K::Password) if self.peek() != T::Equal => return Err(self.unexpected()),
            _ => {}
        }
        let scope = match self.token.kind {
            T::Word(_) if matches!(self.peek(), T::Word(_) | T::QuotedName) => variable_scope(self.text(self.token)),
            _ => None,
        };
        if scope.is_some() {
            self.advance();
        }
        if self.at_word(K::Transaction) && self.peek() != T::Equal {
            self.advance();
            return self.set_transaction(scope);
        }
        self.set_variable(scope, start)
    }

    /// `name = value`, `NEW.column = value`.
    fn set_variable(&mut self, scope: Option<VariableScope>, start: u32) -> Parsing<SetItem> {
        let is_refused = matches!(
            self.token.kind,
            T::Word(K::Account | K::Avg | K::Count | K::Event | K::Format | K::Max | K::Min | K::Sum)
        );
        self.beyond_if(is_refused, self.token.span);
        let name = self.name(NameKind::Variable)?;
        let column = self.column_name_after(name)?;
        self.assignment_operator()?;
        let value = self.set_value()?;
        if let (None, None, Some(table)) = (scope, &column.database, &column.table) {
            // NEW.x in triggers; a named key cache or component variable otherwise.
            if table.is("new") || table.is("old") {
                return Ok(SetItem::Column { column, value });
            }
            // `SET session.name = value`.
            let scope = variable_scope(&table.text);
            if scope.is_some() {
                let name = column.name.text;
                return Ok(SetItem::Variable { scope, system: true, name, value, span: self.since(start) });
            }
        }
        let parts = [column.database.as_ref(), column.table.as_ref(), Some(&column.name)];
        let name = parts.iter().flatten().map(|part| &*part.text).collect::<Vec<_>>().join(".").into_boxed_str();
        Ok(SetItem::Variable { scope, system: scope.is_some(), name, value, span: self.since(start) })
    }

    fn assignment_operator(&mut self) -> Parsing<()> {
        if !self.eat(T::ColonEqual) {
            self.expect(T::Equal)?;
        }
        Ok(())
    }

    /// An expression, or a bare word such as ON and BINARY.
    fn set_value(&mut self) -> Parsing<Expr> {
        if let T::Word(K::On | K::All | K::Binary | K::Row | K::System) = self.token.kind
            && matches!(self.peek(), T::End | T::Semicolon | T::Comma)
        {
            self.beyond_if(!self.at_word(K::On), self.token.span);
            let name = self.name_after_dot(NameKind::Value)?;
            let span = name.span;
            let column = ColumnName { database: None, table: None, name, span };
            return Ok(Expr { kind: ExprKind::Column(Box::new(column)), span });
        }
        self.expression_or_nested_query()
    }

    fn set_transaction(&mut self, scope: Option<VariableScope>) -> Parsing<SetItem> {
        let (mut isolation, mut read_only) = (None, None);
        loop {
            if self.eat_words(&[K::Isolation, K::Level]) {
                isolation = Some(if self.eat_words(&[K::Read, K::Uncommitted]) {
                    Isolation::ReadUncommitted
                } else if self.eat_words(&[K::Read, K::Committed]) {
                    Isolation::ReadCommitted
                } else if self.eat_words(&[K::Repeatable, K::Read]) {
                    Isolation::RepeatableRead
                } else {
                    self.expect_word(K::Serializable)?;
                    Isolation::Serializable
                });
            } else {
                read_only = Some(self.read_only()?);
            }
            if !self.eat(T::Comma) {
                return Ok(SetItem::Transaction { scope, isolation, read_only });
            }
        }
    }

    /// `READ ONLY` is true, `READ WRITE` false.
    fn read_only(&mut self) -> Parsing<bool> {
        self.expect_word(K::Read)?;
        if self.eat_word(K::Only) {
            return Ok(true);
        }
        self.expect_word(K::Write)?;
        Ok(false)
    }

    /// `USE db`, also `USE db/branch` without quotes.
    #[inline(never)]
    pub(crate) fn use_database(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let mut name = self.name(NameKind::Database)?;
        if !name.quoted && self.at(T::Slash) && self.start() == name.span.end {
            let start = name.span.start;
            while !matches!(self.token.kind, T::End | T::Semicolon | T::Bad) && self.start() == self.previous_end {
                self.advance();
            }
            let span = self.since(start);
            name = Ident { text: span.text(self.sql).replace('`', "").into(), quoted: false, span };
        }
        Ok(StatementKind::Use(name))
    }

    #[inline(never)]
    pub(crate) fn prepare(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let name = self.name(NameKind::New)?;
        self.expect_word(K::From)?;
        let source = if self.at(T::UserVariable) {
            PrepareSource::Variable(self.user_variable()?)
        } else {
            let start = self.start();
            let text = self.text_value()?;
            PrepareSource::Text(text, self.since(start))
        };
        Ok(StatementKind::Prepare(Box::new(Prepare { name, source })))
    }

    #[inline(never)]
    pub(crate) fn execute(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let name = self.name(NameKind::Statement)?;
        let using =
            if self.eat_word(K::Using) { self.comma_list(|parser| parser.user_variable())? } else { Vec::new() };
        Ok(StatementKind::Execute(Box::new(Execute { name, using })))
    }

    /// `DEALLOCATE PREPARE name`, behind the first word.
    pub(crate) fn deallocate(&mut self) -> Parsing<StatementKind> {
        self.expect_word(K::Prepare)?;
        self.name(NameKind::Statement).map(StatementKind::Deallocate)
    }

    /// BEGIN as the start of a transaction.
    pub(crate) fn begin(&mut self) -> Parsing<StatementKind> {
        self.advance();
        self.eat_word(K::Work);
        Ok(StatementKind::Start(StartTransaction::default()))
    }

    #[inline(never)]
    pub(crate) fn start_statement(&mut self) -> Parsing<StatementKind> {
        self.advance();
        if self.eat_word(K::Replica) || self.eat_word(K::Slave) {
            return self.replication(ReplicationStatement::StartReplica);
        }
        self.expect_word(K::Transaction)?;
        let mut start = StartTransaction::default();
        if self.at_any(&[K::Read, K::With]) {
            loop {
                if self.eat_word(K::With) {
                    self.expect_words(&[K::Consistent, K::Snapshot])?;
                    start.consistent_snapshot = true;
                } else {
                    start.read_only = Some(self.read_only()?);
                }
                if !self.at(T::Comma) {
                    break;
                }
                let comma = self.advance();
                self.beyond(comma.span);
            }
        }
        Ok(StatementKind::Start(start))
    }

    /// `[WORK] [AND [NO] CHAIN] [[NO] RELEASE]`.
    fn completion(&mut self) -> Parsing<Completion> {
        let mut completion = Completion::default();
        self.eat_word(K::Work);
        if self.eat_word(K::And) {
            completion.chain = !self.eat_word(K::No);
            self.expect_word(K::Chain)?;
        }
        if self.eat_word(K::No) {
            self.expect_word(K::Release)?;
        } else {
            completion.release = self.eat_word(K::Release);
        }
        Ok(completion)
    }

    pub(crate) fn commit(&mut self) -> Parsing<StatementKind> {
        self.advance();
        self.completion().map(StatementKind::Commit)
    }

    pub(crate) fn rollback(&mut self) -> Parsing<StatementKind> {
        self.advance();
        self.eat_word(K::Work);
        if self.eat_word(K::To) {
            self.eat_word(K::Savepoint);
            return self.unknown_word(NameKind::Savepoint).map(StatementKind::RollbackTo);
        }
        self.completion().map(StatementKind::Rollback)
    }

    pub(crate) fn savepoint(&mut self) -> Parsing<StatementKind> {
        self.advance();
        self.unknown_word(NameKind::New).map(StatementKind::Savepoint)
    }

    pub(crate) fn release_savepoint(&mut self) -> Parsing<StatementKind> {
        self.advance();
        self.expect_word(K::Savepoint)?;
        self.unknown_word(NameKind::Savepoint).map(StatementKind::ReleaseSavepoint)
    }

    #[inline(never)]
    pub(crate) fn lock_tables(&mut self) -> Parsing<StatementKind> {
        self.advance();
        if !self.eat_word(K::Tables) {
            self.beyond(self.token.span);
            self.expect_word(K::Table)?;
        }
        let tables = self.comma_list(|parser| {
            let table = parser.object_name(NameKind::Table)?;
            let alias =
                if parser.at_any(&[K::Read, K::Write, K::LowPriority]) { None } else { parser.table_alias()? };
            let write = if parser.eat_word(K::Read) {
                parser.eat_word(K::Local);
                false
            } else {
                parser.eat_word(K::LowPriority);
                parser.expect_word(K::Write)?;
                true
            };
            Ok(LockTable { table, alias, write })
        })?;
        Ok(StatementKind::LockTables(tables))
    }

    pub(crate) fn unlock_tables(&mut self) -> Parsing<StatementKind> {
        self.advance();
        if !self.eat_word(K::Tables) {
            self.beyond(self.token.span);
            self.expect_word(K::Table)?;
        }
        Ok(StatementKind::UnlockTables)
    }

    pub(crate) fn flush(&mut self) -> Parsing<StatementKind> {
        self.advance();
        self.skip_to_end()?;
        Ok(StatementKind::Flush)
    }

    #[inline(never)]
    pub(crate) fn kill(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let query = self.eat_word(K::Query);
        if !query {
            self.eat_word(K::Connection);
        }
        let is_number = self.at(T::Integer) && matches!(self.peek(), T::End | T::Semicolon);
        self.beyond_if(!is_number, self.token.span);
        Ok(StatementKind::Kill(Box::new(Kill { query, id: self.expression()? })))
    }

    #[inline(never)]
    pub(crate) fn analyze(&mut self) -> Parsing<StatementKind> {
        self.advance();
        self.skip_beyond_dolt(&[K::NoWriteToBinlog, K::Local]);
        if !self.skip_beyond_dolt(&[K::Tables]) {
            self.expect_word(K::Table)?;
        }
        let tables = self.comma_list(|parser| parser.object_name(NameKind::Table))?;
        let histogram = if self.at_any(&[K::Update, K::Drop]) {
            let drop = self.advance().kind == T::Word(K::Drop);
            self.expect_words(&[K::Histogram, K::On])?;
            let columns = if self.at(T::LeftParen) {
                self.name_list(NameKind::Column)?
            } else {
                self.comma_list(|parser| parser.name(NameKind::Column))?
            };
            let buckets = if !drop && self.eat_word(K::With) {
                let buckets = self.integer()?;
                let word = self.expect_word(K::Buckets)?;
                self.beyond(word.span);
                Some(buckets)
            } else {
                None
            };
            let data = if !drop && self.eat_word(K::Using) {
                self.expect_word(K::Data)?;
                Some(self.text_value()?)
            } else {
                None
            };
            Some(Histogram { drop, columns, data, buckets })
        } else {
            None
        };
        Ok(StatementKind::Analyze(Box::new(Analyze { tables, histogram })))
    }

    /// CHECK, CHECKSUM, OPTIMIZE and REPAIR TABLE, which Dolt does not have.
    #[inline(never)]
    pub(crate) fn maintain_tables(&mut self, word: K) -> Parsing<StatementKind> {
        self.beyond(self.token.span);
        self.advance();
        self.skip_beyond_dolt(&[K::NoWriteToBinlog, K::Local]);
        if !self.eat_word(K::Tables) {
            self.expect_word(K::Table)?;
        }
        let tables = self.comma_list(|parser| parser.object_name(NameKind::Table))?;
        let maintenance = match word {
            K::Check => Maintenance::Check,
            K::Checksum => Maintenance::Checksum,
            K::Optimize => Maintenance::Optimize,
            _ => Maintenance::Repair,
        };
        self.skip_beyond_dolt(match maintenance {
            Maintenance::Check => &[K::For, K::Upgrade, K::Quick, K::Fast, K::Medium, K::Extended, K::Changed],
            Maintenance::Checksum => &[K::Quick, K::Extended],
            Maintenance::Optimize => &[],
            Maintenance::Repair => &[K::Quick, K::Extended, K::UseFrm],
        });
        Ok(StatementKind::Maintain { maintenance, tables })
    }

    #[inline(never)]
    pub(crate) fn do_expressions(&mut self) -> Parsing<StatementKind> {
        self.beyond(self.token.span);
        self.advance();
        self.comma_list(|parser| parser.expression_or_nested_query()).map(StatementKind::Do)
    }

    /// A user: `name`, `'name'`, `'name'@'host'`, `name@host`, CURRENT_USER, which is the only one.
    pub(crate) fn account(&mut self) -> Parsing<Account> {
        let start = self.start();
        if self.eat_word(K::CurrentUser) {
            if self.eat(T::LeftParen) {
                self.expect(T::RightParen)?;
            }
            return Ok(Account { user: "root".into(), host: "localhost".into(), span: self.since(start) });
        }
        let user = self.word_or_text(NameKind::New)?.text;
        let host: Box<str> = if self.at(T::UserVariable) {
            // `@host` without blanks reads like a variable; `127.0.0.1` and `%` come in quotes.
            self.user_variable()?.text
        } else if self.eat(T::At) {
            self.word_or_text(NameKind::New)?.text
        } else {
            "%".into()
        };
        Ok(Account { user, host, span: self.since(start) })
    }

    /// A statement about accounts, from its object on: at least one word, balanced parentheses.
    pub(crate) fn account_statement(&mut self, kind: AccountStatement) -> Parsing<StatementKind> {
        if !matches!(kind, AccountStatement::Grant | AccountStatement::Revoke) {
            self.advance();
        }
        self.skip_to_end()?;
        Ok(StatementKind::Account(kind))
    }

    pub(crate) fn replication(&mut self, kind: ReplicationStatement) -> Parsing<StatementKind> {
        if !self.at(T::End) && !self.at(T::Semicolon) {
            self.skip_to_end()?;
        }
        Ok(StatementKind::Replication(kind))
    }

    /// Reads over at least one token up to the end of the statement.
    pub(crate) fn skip_to_end(&mut self) -> Parsing<()> {
        if self.at(T::End) || self.at(T::Semicolon) {
            return Err(self.unexpected());
        }
        let mut depth = 0u32;
        while !(self.at(T::End) || (self.at(T::Semicolon) && depth == 0)) {
            match self.token.kind {
                T::LeftParen => depth += 1,
                T::RightParen if depth == 0 => return Err(self.unexpected()),
                T::RightParen => depth -= 1,
                T::Bad => return Err(self.unexpected()),
                _ => {}
            }
            self.advance();
        }
        if depth > 0 { Err(self.unexpected()) } else { Ok(()) }
    }
}
