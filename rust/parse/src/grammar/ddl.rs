//! CREATE and DROP of databases, tables, indexes, views, and the parts of a table definition.

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::grammar::expr::power;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{Parser, Parsing};

/// What may follow the type of a column, and is offered by completion.
const USUAL_COLUMN_OPTIONS: [K; 12] = [
    K::Not,
    K::Null,
    K::Default,
    K::AutoIncrement,
    K::Primary,
    K::Unique,
    K::Comment,
    K::Collate,
    K::Check,
    K::References,
    K::Generated,
    K::As,
];

impl Parser<'_> {
    #[inline(never)]
    pub(crate) fn create_database(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let if_not_exists = self.if_not_exists();
        let name = self.unknown_word(NameKind::New)?;
        let (charset, collation) = self.database_options()?;
        Ok(StatementKind::CreateDatabase(Box::new(CreateDatabase { if_not_exists, name, charset, collation })))
    }

    #[inline(never)]
    pub(crate) fn alter_database(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let options = [K::Default, K::Character, K::Charset, K::Collate, K::Encryption];
        let name = if self.at_any(&options) { None } else { Some(self.name(NameKind::Database)?) };
        if self.at(T::End) || self.at(T::Semicolon) {
            self.at_any(&options);
            return Err(self.unexpected());
        }
        let (charset, collation) = self.database_options()?;
        Ok(StatementKind::AlterDatabase(Box::new(AlterDatabase { name, charset, collation })))
    }

    fn database_options(&mut self) -> Parsing<(Option<Ident>, Option<Ident>)> {
        let (mut charset, mut collation) = (None, None);
        loop {
            let default = self.eat_word(K::Default);
            if self.eat_words(&[K::Character, K::Set]) || self.eat_word(K::Charset) {
                self.skip_equal();
                charset = Some(self.word_or_text(NameKind::Charset)?);
            } else if self.eat_word(K::Collate) {
                self.skip_equal();
                collation = Some(self.word_or_text(NameKind::Collation)?);
            } else if self.eat_word(K::Encryption) {
                self.skip_equal();
                self.text_value()?;
            } else if default {
                return Err(self.unexpected());
            } else {
                return Ok((charset, collation));
            }
        }
    }

    /// CREATE TABLE behind the word TABLE.
    #[inline(never)]
    pub(crate) fn create_table(&mut self, temporary: bool) -> Parsing<StatementKind> {
        self.expect_word(K::Table)?;
        let if_not_exists = self.if_not_exists();
        let name = self.object_name(NameKind::New)?;
        let mut table = CreateTable {
            temporary,
            if_not_exists,
            name,
            elements: Vec::new(),
            options: Vec::new(),
            partitioning: None,
            like: None,
            on_conflict: None,
            query: None,
        };
        if self.eat_word(K::Like) {
            table.like = Some(self.object_name(NameKind::Table)?);
            return Ok(StatementKind::CreateTable(Box::new(table)));
        }
        if self.at(T::LeftParen) && self.peek() == T::Word(K::Like) {
            self.advance();
            let like = self.advance();
            self.beyond(like.span);
            table.like = Some(self.object_name(NameKind::Table)?);
            self.expect(T::RightParen)?;
            return Ok(StatementKind::CreateTable(Box::new(table)));
        }
        let defined = self.at(T::LeftParen) && !matches!(self.peek(), T::Word(K::Select | K::With));
        if defined {
            self.advance();
            table.elements = self.comma_list(|parser| parser.table_element())?;
            for element in &table.elements {
                // In ALTER TABLE and CREATE INDEX Dolt knows USING in front of the columns.
                if let TableElement::Index(IndexDefinition { using: Some(kind), .. }) = element {
                    self.beyond(kind.span);
                }
            }
            self.expect(T::RightParen)?;
        }
        while let Some(option) = self.table_option()? {
            table.options.push(option);
            self.eat(T::Comma);
        }
        if self.at_word(K::Partition) {
            table.partitioning = Some(self.skip_clause());
        }
        self.table_query(&mut table)?;
        if !defined && table.query.is_none() {
            return Err(self.unexpected());
        }
        Ok(StatementKind::CreateTable(Box::new(table)))
    }

    /// `[IGNORE | REPLACE] [AS] query`.
    fn table_query(&mut self, table: &mut CreateTable) -> Parsing<()> {
        if self.skip_beyond_dolt(&[K::Ignore]) {
            table.on_conflict = Some(InsertConflict::Ignore);
        } else if self.skip_beyond_dolt(&[K::Replace]) {
            table.on_conflict = Some(InsertConflict::Replace);
        }
        let explicit = self.eat_word(K::As);
        if explicit || table.on_conflict.is_some() || self.at(T::LeftParen) || self.at_query() {
            let with = if self.at(T::LeftParen) { self.second_token().span } else { self.token.span };
            if with.text(self.sql).eq_ignore_ascii_case("with") {
                self.beyond(with);
            }
            let query = self.kept_query()?;
            self.refuse_alone(&query);
            table.query = Some(Box::new(query));
        }
        Ok(())
    }

    /// Reads over a clause that has no effect: to the end, or to AS or SELECT outside parentheses.
    pub(crate) fn skip_clause(&mut self) -> Span {
        let start = self.start();
        let mut depth = 0u32;
        let mut before = T::End;
        loop {
            // Of partitions Dolt knows neither `LESS THAN MAXVALUE` without parentheses nor lists of values nor options.
            self.beyond_if(
                matches!(
                    (before, self.token.kind),
                    (T::Word(K::Than), T::Word(K::Maxvalue))
                        | (T::Word(K::Values), T::Word(K::In))
                        | (T::RightParen, T::Word(K::Engine | K::Comment))
                ),
                self.token.span,
            );
            before = self.token.kind;
            match before {
                T::End | T::Semicolon => break,
                T::Word(K::As | K::Select | K::Ignore | K::Replace) if depth == 0 => break,
                T::LeftParen => depth += 1,
                T::RightParen if depth == 0 => break,
                T::RightParen => depth -= 1,
                _ => {}
            }
            self.advance();
        }
        self.since(start)
    }

    /// A column, index or constraint.
    fn table_element(&mut self) -> Parsing<TableElement> {
        if self.at_constraint() {
            return self.constraint();
        }
        self.column_definition().map(TableElement::Column)
    }

    /// True where an index or a table constraint starts, not a column.
    pub(crate) fn at_constraint(&self) -> bool {
        self.at_any(&[
            K::Constraint,
            K::Primary,
            K::Unique,
            K::Foreign,
            K::Check,
            K::Index,
            K::Key,
            K::Fulltext,
            K::Spatial,
        ]) || (self.at_word(K::Vector) && matches!(self.peek(), T::Word(K::Index | K::Key)))
    }

    pub(crate) fn constraint(&mut self) -> Parsing<TableElement> {
        let start = self.start();
        let mut constraint = None;
        let named = self.eat_word(K::Constraint);
        if named {
            constraint = self.eat_name(NameKind::New);
        }
        if self.eat_word(K::Foreign) {
            self.expect_word(K::Key)?;
            let index_name = self.eat_name(NameKind::New);
            let columns = self.name_list(NameKind::Column)?;
            let references = self.references(false)?;
            let span = self.since(start);
            return Ok(TableElement::ForeignKey(ForeignKey { constraint, index_name, columns, references, span }));
        }
        if self.at_word(K::Check) {
            return self.check(constraint, start).map(TableElement::Check);
        }
        if named && !self.at_any(&[K::Primary, K::Unique]) {
            return Err(self.unexpected());
        }
        let kind = self.index_kind()?;
        self.index_definition(kind, constraint, start).map(TableElement::Index)
    }

    /// The words in front of an index's name.
    fn index_kind(&mut self) -> Parsing<IndexKind> {
        if self.eat_word(K::Primary) {
            self.expect_word(K::Key)?;
            return Ok(IndexKind::Primary);
        }
        let kind = if self.eat_word(K::Unique) {
            IndexKind::Unique
        } else if self.eat_word(K::Fulltext) {
            IndexKind::FullText
        } else if self.eat_word(K::Spatial) {
            IndexKind::Spatial
        } else if self.eat_word(K::Vector) {
            IndexKind::Vector
        } else {
            if !self.eat_word(K::Index) {
                self.expect_word(K::Key)?;
            }
            return Ok(IndexKind::Plain);
        };
        let _ = self.eat_word(K::Index) || self.eat_word(K::Key);
        Ok(kind)
    }

    /// An index from its name on.
    pub(crate) fn index_definition(
        &mut self,
        kind: IndexKind,
        constraint: Option<Ident>,
        start: u32,
    ) -> Parsing<IndexDefinition> {
        let if_not_exists = self.if_not_exists();
        self.note_new_name(false);
        let name = self.eat_name(NameKind::New);
        let using = self.index_using()?;
        let parts = self.key_parts()?;
        let options = self.index_options()?;
        let span = self.since(start);
        Ok(IndexDefinition { kind, if_not_exists, constraint, name, using, parts, options, span })
    }

    fn index_using(&mut self) -> Parsing<Option<Ident>> {
        if !self.at_any(&[K::Using, K::Type]) {
            return Ok(None);
        }
        self.advance();
        self.name(NameKind::New).map(Some)
    }

    fn key_parts(&mut self) -> Parsing<Vec<KeyPart>> {
        self.expect(T::LeftParen)?;
        let parts = self.comma_list(|parser| {
            let start = parser.start();
            let target = if parser.eat(T::LeftParen) {
                let expr = parser.stored(|parser| parser.value())?;
                parser.expect(T::RightParen)?;
                KeyTarget::Expr(expr)
            } else {
                let name = parser.name(NameKind::Column)?;
                let prefix_length = if parser.eat(T::LeftParen) {
                    let length = parser.integer()?;
                    parser.expect(T::RightParen)?;
                    Some(length)
                } else {
                    None
                };
                KeyTarget::Column { name, prefix_length }
            };
            let descending = parser.eat_word(K::Desc);
            if !descending {
                parser.eat_word(K::Asc);
            }
            Ok(KeyPart { target, descending, span: parser.since(start) })
        })?;
        self.expect(T::RightParen)?;
        Ok(parts)
    }

    fn index_options(&mut self) -> Parsing<Vec<IndexOption>> {
        let mut options = Vec::new();
        loop {
            options.push(if self.eat_word(K::Using) {
                IndexOption::Using(self.name(NameKind::New)?)
            } else if self.eat_word(K::Comment) {
                self.skip_equal();
                IndexOption::Comment(self.text_value()?)
            } else if self.eat_word(K::Visible) {
                IndexOption::Visible
            } else if self.eat_word(K::Invisible) {
                IndexOption::Invisible
            } else if self.eat_word(K::KeyBlockSize) {
                self.skip_equal();
                IndexOption::KeyBlockSize(self.integer()?)
            } else if self.at_words(&[K::With, K::Parser]) {
                self.beyond(self.token.span);
                self.advance();
                self.advance();
                IndexOption::Parser(self.name(NameKind::New)?)
            } else if self.eat_word(K::EngineAttribute) || self.eat_word(K::SecondaryEngineAttribute) {
                self.skip_equal();
                self.text_value()?;
                IndexOption::Ignored
            } else {
                return Ok(options);
            });
        }
    }

    /// CREATE INDEX from its kind on.
    #[inline(never)]
    pub(crate) fn create_index(&mut self) -> Parsing<StatementKind> {
        let start = self.start();
        let kind = self.index_kind()?;
        let if_not_exists = self.if_not_exists();
        let name = self.new_name(false)?;
        let using = self.index_using()?;
        self.expect_word(K::On)?;
        let table = self.object_name(NameKind::Table)?;
        let parts = self.key_parts()?;
        let options = self.index_options()?;
        self.index_algorithm()?;
        let index = IndexDefinition {
            kind,
            if_not_exists,
            constraint: None,
            name: Some(name),
            using,
            parts,
            options,
            span: self.since(start),
        };
        Ok(StatementKind::CreateIndex(Box::new(CreateIndex { table, index })))
    }

    /// `ALGORITHM = x`, `LOCK = x`: accepted, without effect.
    fn index_algorithm(&mut self) -> Parsing<()> {
        while self.skip_beyond_dolt(&[K::Algorithm, K::Lock]) {
            self.skip_equal();
            self.name_after_dot(NameKind::New)?;
        }
        Ok(())
    }

    pub(crate) fn drop_index(&mut self) -> Parsing<StatementKind> {
        self.advance();
        let if_exists = self.if_exists();
        let name = self.index_name()?;
        self.expect_word(K::On)?;
        let table = self.object_name(NameKind::Table)?;
        self.index_algorithm()?;
        Ok(StatementKind::DropIndex { if_exists, name, table })
    }

    /// The name of an index; PRIMARY is one.
    pub(crate) fn index_name(&mut self) -> Parsing<Ident> {
        if self.at_word(K::Primary) { self.name_after_dot(NameKind::Index) } else { self.name(NameKind::Index) }
    }

    /// `CHECK (expr) [[NOT] ENFORCED]`.
    pub(crate) fn check(&mut self, name: Option<Ident>, start: u32) -> Parsing<CheckConstraint> {
        self.expect_word(K::Check)?;
        self.expect(T::LeftParen)?;
        let expr = self.stored(|parser| parser.expression_or_nested_query())?;
        self.expect(T::RightParen)?;
        let enforced = self.enforced().unwrap_or(true);
        Ok(CheckConstraint { name, expr, enforced, span: self.since(start) })
    }

    pub(crate) fn enforced(&mut self) -> Option<bool> {
        if self.eat_words(&[K::Not, K::Enforced]) {
            Some(false)
        } else if self.eat_word(K::Enforced) {
            Some(true)
        } else {
            None
        }
    }

    /// `REFERENCES t (a) ON DELETE CASCADE`. Dolt reads no actions behind a column.
    fn references(&mut self, of_column: bool) -> Parsing<References> {
        let start = self.start();
        self.expect_word(K::References)?;
        let table = self.object_name(NameKind::Table)?;
        let columns = if self.at(T::LeftParen) {
            self.name_list(NameKind::Column)?
        } else {
            self.beyond(self.token.span);
            Vec::new()
        };
        self.beyond_if(self.at_word(K::Match), self.token.span);
        if self.eat_word(K::Match) && !self.eat_word(K::Full) && !self.eat_word(K::Partial) {
            self.expect_word(K::Simple)?;
        }
        let (mut on_delete, mut on_update) = (None, None);
        loop {
            if self.eat_words(&[K::On, K::Delete]) {
                if of_column {
                    let refused = *self.unexpected_before();
                    self.beyond_dolt.push(refused);
                }
                on_delete = Some(self.reference_action()?);
            } else if self.eat_words(&[K::On, K::Update]) {
                self.beyond_if(of_column, self.token.span);
                on_update = Some(self.reference_action()?);
            } else {
                return Ok(References { table, columns, on_delete, on_update, span: self.since(start) });
            }
        }
    }

    fn reference_action(&mut self) -> Parsing<ReferenceAction> {
        if self.eat_word(K::Restrict) {
            Ok(ReferenceAction::Restrict)
        } else if self.eat_word(K::Cascade) {
            Ok(ReferenceAction::Cascade)
        } else if self.eat_word(K::No) {
            self.expect_word(K::Action)?;
            Ok(ReferenceAction::NoAction)
        } else {
            self.expect_word(K::Set)?;
            if self.eat_word(K::Default) {
                return Ok(ReferenceAction::SetDefault);
            }
            self.expect_word(K::Null)?;
            Ok(ReferenceAction::SetNull)
        }
    }

    pub(crate) fn column_definition(&mut self) -> Parsing<ColumnDefinition> {
        let start = self.start();
        let name = self.name(NameKind::New)?;
        let data_type = self.data_type()?;
        let mut options = Vec::new();
        let mut at = self.token.span;
        while let Some(option) = self.column_option()? {
            let is_repeated =
                options.iter().any(|other| std::mem::discriminant(other) == std::mem::discriminant(&option));
            self.beyond_if(is_repeated && !option.may_be_repeated(), at);
            options.push(option);
            at = self.token.span;
        }
        Ok(ColumnDefinition { name, data_type, options, span: self.since(start) })
    }

    fn column_option(&mut self) -> Parsing<Option<ColumnOption>> {
        let start = self.start();
        let T::Word(word) = self.token.kind else {
            self.at_any(&USUAL_COLUMN_OPTIONS);
            return Ok(None);
        };
        let option = match word {
            K::Not => self.worded(&[K::Not, K::Null], ColumnOption::NotNull)?,
            K::Null => self.worded(&[K::Null], ColumnOption::Null)?,
            K::AutoIncrement => self.worded(&[K::AutoIncrement], ColumnOption::AutoIncrement)?,
            K::Primary => self.worded(&[K::Primary, K::Key], ColumnOption::PrimaryKey)?,
            K::Key => self.worded(&[K::Key], ColumnOption::Key)?,
            K::Visible => {
                self.skip_beyond_dolt(&[K::Visible]);
                ColumnOption::Visible
            }
            K::Invisible => self.worded(&[K::Invisible], ColumnOption::Invisible)?,
            K::Default => {
                self.advance();
                let (expr, parenthesized) = self.default_value(false)?;
                ColumnOption::Default { expr, parenthesized }
            }
            K::On => {
                self.expect_words(&[K::On, K::Update])?;
                ColumnOption::OnUpdate(self.expression_at(power::COLLATE + 1)?)
            }
            K::Unique => {
                self.advance();
                self.eat_word(K::Key);
                ColumnOption::Unique
            }
            K::Comment => {
                self.advance();
                ColumnOption::Comment(self.text_value()?)
            }
            K::Collate => {
                self.advance();
                ColumnOption::Collate(self.word_or_text(NameKind::Collation)?)
            }
            K::Character | K::Charset => {
                self.advance();
                if word == K::Character {
                    self.expect_word(K::Set)?;
                }
                ColumnOption::CharacterSet(self.word_or_text(NameKind::Charset)?)
            }
            K::Srid => {
                self.advance();
                ColumnOption::Srid(self.srid()?)
            }
            K::Generated | K::As => self.generated()?,
            K::Constraint | K::Check => {
                let name = if self.eat_word(K::Constraint) { self.eat_name(NameKind::New) } else { None };
                ColumnOption::Check(self.check(name, start)?)
            }
            K::References => ColumnOption::References(Box::new(self.references(true)?)),
            K::ColumnFormat | K::Storage | K::EngineAttribute | K::SecondaryEngineAttribute => {
                self.beyond(self.token.span);
                self.advance();
                self.skip_equal();
                self.word_or_text(NameKind::New)?;
                ColumnOption::Ignored
            }
            _ => return Ok(None),
        };
        Ok(Some(option))
    }

    /// The option that these words are.
    fn worded(&mut self, words: &[K], option: ColumnOption) -> Parsing<ColumnOption> {
        self.expect_words(words)?;
        Ok(option)
    }

    /// Behind DEFAULT: a literal, CURRENT_TIMESTAMP, or any value in parentheses; with `takes_condition` conditions, too.
    pub(crate) fn default_value(&mut self, takes_condition: bool) -> Parsing<(Expr, bool)> {
        let parenthesized = self.at(T::LeftParen);
        if parenthesized && matches!(self.peek(), T::Word(K::Select | K::With)) {
            self.advance();
            return Err(self.unexpected());
        }
        if parenthesized && !takes_condition {
            let start = self.start();
            self.advance();
            let mut expr = self.stored(|parser| parser.value())?;
            self.expect(T::RightParen)?;
            expr.span = self.since(start);
            return Ok((expr, true));
        }
        // COLLATE behind a literal is an attribute of the column.
        let expr = self.stored(|parser| parser.expression_at(power::COLLATE + 1))?;
        Ok((expr, parenthesized))
    }

    /// `[GENERATED ALWAYS] AS (expr) [STORED]`.
    fn generated(&mut self) -> Parsing<ColumnOption> {
        if self.eat_word(K::Generated) {
            self.expect_word(K::Always)?;
        }
        self.expect_word(K::As)?;
        self.expect(T::LeftParen)?;
        let expr = self.stored(|parser| parser.value())?;
        self.expect(T::RightParen)?;
        let stored = self.eat_word(K::Stored);
        if !stored {
            self.eat_word(K::Virtual);
        }
        Ok(ColumnOption::Generated { expr, stored })
    }

    /// `DROP TABLE`, `DROP VIEW` and the like, from the object's word on.
    pub(crate) fn drop_objects(&mut self, kind: NameKind) -> Parsing<Box<DropObjects>> {
        self.advance();
        let if_exists = self.if_exists();
        let many = matches!(kind, NameKind::Table | NameKind::View);
        let names =
            if many { self.comma_list(|parser| parser.object_name(kind))? } else { vec![self.object_name(kind)?] };
        if kind == NameKind::View {
            self.skip_beyond_dolt(&[K::Restrict, K::Cascade]);
        } else if many {
            let _ = self.eat_word(K::Restrict) || self.eat_word(K::Cascade);
        }
        Ok(Box::new(DropObjects { temporary: false, if_exists, names }))
    }

    pub(crate) fn rename(&mut self) -> Parsing<StatementKind> {
        self.advance();
        if self.at_word(K::User) {
            return self.account_statement(AccountStatement::RenameUser);
        }
        if !self.skip_beyond_dolt(&[K::Tables]) {
            self.expect_word(K::Table)?;
        }
        let pairs = self.comma_list(|parser| {
            let from = parser.object_name(NameKind::Table)?;
            parser.expect_word(K::To)?;
            Ok(RenameTable { from, to: parser.object_name(NameKind::New)? })
        })?;
        Ok(StatementKind::RenameTable(pairs))
    }
}
