//! SHOW, DESCRIBE, EXPLAIN.

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{Parser, Parsing};

/// What is proposed behind SHOW.
const SHOWN: &[K] = &[
    K::Tables,
    K::Databases,
    K::Columns,
    K::Index,
    K::Create,
    K::Table,
    K::Triggers,
    K::Events,
    K::Procedure,
    K::Variables,
    K::Status,
    K::Warnings,
    K::Collation,
    K::Character,
    K::Engines,
    K::Processlist,
    K::Grants,
    K::Full,
];

impl Parser<'_> {
    #[inline(never)]
    pub(crate) fn show(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let kind = self.show_kind()?;
        let filtered = !matches!(
            kind,
            ShowKind::CreateTable { .. }
                | ShowKind::CreateView { .. }
                | ShowKind::Warnings { .. }
                | ShowKind::Errors { .. }
                | ShowKind::Grants { .. }
                | ShowKind::Privileges
        );
        let filter = if filtered && self.eat_word(K::Like) {
            Some(ShowFilter::Like(self.text_value()?))
        } else if filtered && self.eat_word(K::Where) {
            Some(ShowFilter::Where(self.expression()?))
        } else {
            None
        };
        Ok(StatementKind::Show(Box::new(Show { kind, filter })))
    }

    fn show_kind(&mut self) -> Parsing<ShowKind> {
        let T::Word(word) = self.token.kind else {
            self.at_any(SHOWN);
            return Err(self.unexpected());
        };
        let scope = crate::grammar::primary::variable_scope(self.text(self.token));
        self.beyond_if(word == K::Local, self.token.span);
        self.advance();
        if scope.is_some() {
            return self.show_in_scope(scope);
        }
        Ok(match word {
            K::Databases | K::Schemas => ShowKind::Databases,
            K::Full | K::Extended => self.show_more(word)?,
            K::Tables => self.show_tables(false)?,
            K::Table => {
                self.expect_word(K::Status)?;
                ShowKind::TableStatus { database: self.optional_database()? }
            }
            K::Columns | K::Fields => self.show_columns(None, false)?,
            K::Index | K::Indexes | K::Keys => self.show_indexes()?,
            K::Create => self.show_create()?,
            K::Triggers => ShowKind::Triggers { database: self.optional_database()? },
            K::Events => ShowKind::Events { database: self.optional_database()? },
            K::Procedure => {
                self.expect_word(K::Status)?;
                ShowKind::ProcedureStatus
            }
            K::Function => {
                self.expect_word(K::Status)?;
                ShowKind::FunctionStatus
            }
            K::Variables => ShowKind::Variables { scope: None },
            K::Status => ShowKind::Status { scope: None },
            K::Warnings => ShowKind::Warnings { limit: self.limit()? },
            K::Collation => ShowKind::Collation,
            K::Character => {
                self.expect_word(K::Set)?;
                ShowKind::CharacterSet
            }
            K::Charset => ShowKind::CharacterSet,
            K::Engines => ShowKind::Engines,
            K::Storage => {
                self.beyond(self.token.span);
                self.expect_word(K::Engines)?;
                ShowKind::Engines
            }
            K::Processlist => ShowKind::ProcessList { full: false },
            K::Grants => self.show_grants()?,
            K::Privileges => ShowKind::Privileges,
            K::Plugins => ShowKind::Plugins,
            K::Binary | K::Master if self.at_word(K::Logs) => {
                self.beyond_if(word == K::Master, self.token.span);
                self.advance();
                ShowKind::BinaryLogs
            }
            K::Binary => {
                self.expect_words(&[K::Log, K::Status])?;
                ShowKind::BinaryLogStatus
            }
            K::Master => {
                self.expect_word(K::Status)?;
                ShowKind::BinaryLogStatus
            }
            K::Replica | K::Slave => {
                self.expect_word(K::Status)?;
                let names = if word == K::Slave { ReplicaNames::Former } else { ReplicaNames::Current };
                ShowKind::ReplicaStatus { names }
            }
            K::Replicas => ShowKind::Replicas,
            K::Errors => {
                self.beyond_as_unsupported("SHOW ERRORS");
                ShowKind::Errors { limit: self.limit()? }
            }
            K::Count => {
                self.beyond_as_unsupported("SHOW COUNT(*)");
                self.expect(T::LeftParen)?;
                self.expect(T::Star)?;
                self.expect(T::RightParen)?;
                let errors = self.eat_word(K::Errors);
                if !errors {
                    self.expect_word(K::Warnings)?;
                }
                ShowKind::Count { errors }
            }
            K::Open => {
                self.beyond(self.token.span);
                self.expect_word(K::Tables)?;
                ShowKind::OpenTables { database: self.optional_database()? }
            }
            K::Profiles | K::Profile => {
                self.beyond(self.token.span);
                if word == K::Profiles { ShowKind::Profiles } else { self.profile()? }
            }
            _ => return Err(self.unexpected_before()),
        })
    }

    fn beyond_as_unsupported(&mut self, what: &str) {
        let error = self.unsupported(self.since(self.previous_end), what);
        self.beyond_dolt.push(*error);
    }

    /// SHOW PROFILE with its kinds, query and limit, of which nothing is kept.
    fn profile(&mut self) -> Parsing<ShowKind> {
        if !self.at(T::End) && !self.at(T::Semicolon) {
            self.skip_to_end()?;
        }
        Ok(ShowKind::Profile)
    }

    /// Behind SESSION or GLOBAL.
    fn show_in_scope(&mut self, scope: Option<VariableScope>) -> Parsing<ShowKind> {
        if self.eat_word(K::Variables) {
            return Ok(ShowKind::Variables { scope });
        }
        self.expect_word(K::Status)?;
        Ok(ShowKind::Status { scope })
    }

    /// Behind FULL or EXTENDED, which `word` is.
    fn show_more(&mut self, word: K) -> Parsing<ShowKind> {
        let full = word == K::Full || self.eat_word(K::Full);
        if self.eat_word(K::Processlist) {
            Ok(ShowKind::ProcessList { full })
        } else if self.eat_word(K::Columns) || self.eat_word(K::Fields) {
            self.show_columns(Some(word), full)
        } else if word == K::Extended && (self.skip_beyond_dolt(&[K::Index, K::Keys])) {
            self.show_indexes()
        } else {
            self.beyond_if(word == K::Extended, self.token.span);
            self.expect_word(K::Tables)?;
            self.show_tables(full)
        }
    }

    fn show_grants(&mut self) -> Parsing<ShowKind> {
        let account = if self.eat_word(K::For) { Some(self.account()?) } else { None };
        if account.is_some() && self.eat_word(K::Using) {
            self.comma_list(|parser| parser.account())?;
        }
        Ok(ShowKind::Grants { account })
    }

    fn optional_database(&mut self) -> Parsing<Option<Ident>> {
        if self.eat_word(K::From) || self.eat_word(K::In) {
            return self.name(NameKind::Database).map(Some);
        }
        Ok(None)
    }

    fn show_tables(&mut self, full: bool) -> Parsing<ShowKind> {
        let database = self.optional_database()?;
        Ok(ShowKind::Tables { full, database, as_of: self.as_of()? })
    }

    /// `FROM t [FROM db]`.
    fn shown_table(&mut self) -> Parsing<ObjectName> {
        if !self.eat_word(K::In) {
            self.expect_word(K::From)?;
        }
        let mut table = self.object_name(NameKind::Table)?;
        if let Some(database) = self.optional_database()? {
            table.span = table.span.to(database.span);
            table.database = Some(database);
        }
        Ok(table)
    }

    fn show_columns(&mut self, word: Option<K>, full: bool) -> Parsing<ShowKind> {
        self.beyond_if(self.at_word(K::In), self.token.span);
        let table = self.shown_table()?;
        Ok(ShowKind::Columns { full, extended: word == Some(K::Extended), table, as_of: self.as_of()? })
    }

    fn show_indexes(&mut self) -> Parsing<ShowKind> {
        Ok(ShowKind::Indexes { table: self.shown_table()? })
    }

    fn show_create(&mut self) -> Parsing<ShowKind> {
        self.at_any(&[K::Table, K::View, K::Database, K::Trigger, K::Procedure, K::Event]);
        let T::Word(word) = self.token.kind else { return Err(self.unexpected()) };
        if !matches!(word, K::Table | K::View | K::Database | K::Schema | K::Trigger | K::Procedure | K::Event) {
            return Err(self.unexpected());
        }
        self.advance();
        Ok(match word {
            K::Table => {
                let name = self.object_name(NameKind::Table)?;
                ShowKind::CreateTable { name, as_of: self.as_of()? }
            }
            K::View => ShowKind::CreateView { name: self.object_name(NameKind::View)? },
            K::Trigger => ShowKind::CreateTrigger { name: self.object_name(NameKind::Trigger)? },
            K::Procedure => ShowKind::CreateProcedure { name: self.object_name(NameKind::Procedure)? },
            K::Event => ShowKind::CreateEvent { name: self.object_name(NameKind::Event)? },
            _ => {
                let if_not_exists = self.if_not_exists();
                ShowKind::CreateDatabase { if_not_exists, name: self.name(NameKind::Database)? }
            }
        })
    }

    /// DESCRIBE, DESC and EXPLAIN: a table or a statement.
    #[inline(never)]
    pub(crate) fn describe(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let (mut analyze, mut plan, mut format) = (false, false, None);
        loop {
            // Any of these words may also be the name of a table to describe.
            let alone = matches!(self.peek(), T::End | T::Semicolon);
            if self.eat_word(K::Analyze) {
                analyze = true;
            } else if !alone && self.eat_word(K::Plan) {
                plan = true;
            } else if self.at_word(K::Format) && self.peek() == T::Equal {
                self.advance();
                self.advance();
                format = Some(self.word_or_text(NameKind::New)?);
            } else if alone || !self.eat_word(K::Extended) {
                break;
            }
        }
        let explainable = [K::Select, K::With, K::Insert, K::Replace, K::Update, K::Delete, K::Table, K::Values];
        if self.at_any(&explainable) || self.at(T::LeftParen) || analyze || plan || format.is_some() {
            let statement = Box::new(self.any_statement()?);
            return Ok(StatementKind::Explain(Box::new(Explain { analyze, plan, format, statement })));
        }
        let table = self.object_name(NameKind::Table)?;
        let as_of = self.as_of()?;
        let column = if self.at(T::Text) || matches!(self.token.kind, T::Word(_) | T::QuotedName) {
            let span = self.token.span;
            self.beyond(span);
            Some(self.word_or_text(NameKind::Column)?.text)
        } else {
            None
        };
        Ok(StatementKind::Describe(Box::new(Describe { table, as_of, column })))
    }
}
