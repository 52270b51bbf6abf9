//! FROM: tables, joins, derived tables, table functions, JSON_TABLE.

use std::rc::Rc;

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::grammar::expr::power;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{HEIGHT_MAX, Parser, Parsing};

impl Parser<'_> {
    /// The list behind FROM; `DUAL` alone is no table.
    pub(crate) fn table_sources(&mut self) -> Parsing<Vec<TableExpr>> {
        if self.at_word(K::Dual) {
            self.advance();
            return Ok(Vec::new());
        }
        self.table_list()
    }

    /// Comma-separated table references.
    pub(crate) fn table_list(&mut self) -> Parsing<Vec<TableExpr>> {
        self.comma_list(|parser| parser.table_expression())
    }

    /// A table with the joins behind it.
    pub(crate) fn table_expression(&mut self) -> Parsing<TableExpr> {
        self.deeper(|parser| {
            let left = parser.table_factor()?;
            parser.joins(left)
        })
    }

    #[inline(never)]
    fn joins(&mut self, mut left: TableExpr) -> Parsing<TableExpr> {
        let mut chain = 0;
        loop {
            if let TableExprKind::Join(join) = &left.kind
                && join.constraint.is_some()
                && self.at_join_on()
            {
                left = self.late_constraint(left)?;
                continue;
            }
            let Some(kind) = self.eat_join()? else { return Ok(left) };
            chain += 1;
            if chain > HEIGHT_MAX / 2 {
                return Err(Box::new(crate::ParseError::TooDeep { span: self.token.span }));
            }
            left = self.join(left, kind)?;
        }
    }

    /// The right side of a join whose words have been read.
    #[inline(never)]
    fn join(&mut self, left: TableExpr, (kind, natural): (JoinKind, bool)) -> Parsing<TableExpr> {
        let start = left.span.start;
        let mut right = self.table_factor()?;
        let outer = matches!(kind, JoinKind::Left | JoinKind::Right | JoinKind::Full);
        if outer && !natural {
            // `a LEFT JOIN b LEFT JOIN c ON … ON …`: outer joins need their ON, so the inner one comes first.
            while !self.at_any(&[K::On, K::Using]) {
                let Some(next) = self.eat_join()? else { return Err(self.unexpected()) };
                right = self.deeper(|parser| parser.join(right, next))?;
            }
        }
        let constraint = if natural {
            None
        } else if self.at_join_on() {
            self.advance();
            Some(JoinConstraint::On(self.expression()?))
        } else if self.eat_word(K::Using) {
            Some(JoinConstraint::Using(self.name_list(NameKind::Column)?))
        } else {
            None
        };
        let span = self.since(start);
        Ok(TableExpr { kind: TableExprKind::Join(Box::new(Join { kind, natural, left, right, constraint })), span })
    }

    /// `a JOIN b JOIN c ON x ON y`: the second ON belongs to the first join, which is thereby the outer one.
    #[inline(never)]
    fn late_constraint(&mut self, table: TableExpr) -> Parsing<TableExpr> {
        let TableExprKind::Join(inner) = table.kind else { return Err(self.unexpected()) };
        let TableExprKind::Join(outer) = inner.left.kind else { return Err(self.unexpected()) };
        if outer.constraint.is_some() || outer.natural || outer.kind != JoinKind::Inner {
            return Err(self.unexpected());
        }
        let on = self.expect_word(K::On)?;
        self.beyond(on.span);
        let constraint = Some(JoinConstraint::On(self.expression()?));
        let right_span = outer.right.span.to(inner.right.span);
        let right = Join { left: outer.right, ..*inner };
        let right = TableExpr { kind: TableExprKind::Join(Box::new(right)), span: right_span };
        let span = self.since(table.span.start);
        let join = Join { kind: JoinKind::Inner, natural: false, left: outer.left, right, constraint };
        Ok(TableExpr { kind: TableExprKind::Join(Box::new(join)), span })
    }

    /// ON of a join, not of `ON DUPLICATE KEY UPDATE`.
    fn at_join_on(&self) -> bool {
        self.at_word(K::On) && self.peek() != T::Word(K::Duplicate)
    }

    /// The words of a join: kind and NATURAL.
    fn eat_join(&mut self) -> Parsing<Option<(JoinKind, bool)>> {
        let natural = self.eat_word(K::Natural);
        let word = self.token.span;
        let kind = if self.eat_word(K::Join) {
            JoinKind::Inner
        } else if self.eat_word(K::Inner) {
            self.beyond_if(natural, word);
            self.expect_word(K::Join)?;
            JoinKind::Inner
        } else if !natural && self.eat_word(K::Cross) {
            self.expect_word(K::Join)?;
            JoinKind::Cross
        } else if !natural && self.eat_word(K::StraightJoin) {
            JoinKind::Straight
        } else if let Some(kind) = self.at_outer_join() {
            self.advance();
            self.eat_word(K::Outer);
            self.expect_word(K::Join)?;
            kind
        } else if natural {
            return Err(self.unexpected());
        } else {
            return Ok(None);
        };
        Ok(Some((kind, natural)))
    }

    fn at_outer_join(&self) -> Option<JoinKind> {
        if self.at_word(K::Left) {
            Some(JoinKind::Left)
        } else if self.at_word(K::Right) {
            Some(JoinKind::Right)
        } else if self.at_full_join() {
            Some(JoinKind::Full)
        } else {
            None
        }
    }

    /// FULL is no reserved word: only with JOIN behind it is it one.
    fn at_full_join(&self) -> bool {
        self.at_word(K::Full) && matches!(self.peek(), T::Word(K::Join | K::Outer))
    }

    #[inline(never)]
    pub(crate) fn table_factor(&mut self) -> Parsing<TableExpr> {
        let start = self.start();
        if self.at(T::LeftParen) {
            return self.parenthesized_table();
        }
        if self.eat_word(K::Lateral) {
            let query = self.subquery()?;
            return self.derived(query, true, start);
        }
        if self.at_word(K::JsonTable) && self.peek() == T::LeftParen {
            return self.json_table();
        }
        let name = self.object_name(NameKind::Table)?;
        if self.at(T::LeftParen) {
            self.advance();
            let arguments = if self.at(T::RightParen) { Vec::new() } else { self.expressions()? };
            self.expect(T::RightParen)?;
            let alias = self.table_alias()?;
            let function = TableFunction { name, arguments, alias };
            return Ok(TableExpr { kind: TableExprKind::Function(Box::new(function)), span: self.since(start) });
        }
        let partitions = if self.at_word(K::Partition) {
            self.advance();
            self.name_list(NameKind::New)?
        } else {
            Vec::new()
        };
        let mut as_of = self.as_of()?;
        let alias = self.table_alias()?;
        if as_of.is_none() {
            as_of = self.as_of()?;
        }
        let hints = self.index_hints()?;
        let table = TableReference { name, alias, as_of, partitions, hints };
        Ok(TableExpr { kind: TableExprKind::Table(Box::new(table)), span: self.since(start) })
    }

    /// `(query) alias`, `(a JOIN b)`, `(a, b)`.
    #[inline(never)]
    fn parenthesized_table(&mut self) -> Parsing<TableExpr> {
        let start = self.start();
        self.advance();
        if self.at_query() {
            let query = self.query()?;
            self.expect(T::RightParen)?;
            return self.derived(query, false, start);
        }
        let first = self.table_expression()?;
        if self.at_query_tail()
            && let TableExprKind::Derived(derived) = first.kind
        {
            // `((SELECT …) UNION …) alias`.
            let query = self.query_after(QueryBody::Nested(Rc::new(derived.query)), first.span.start)?;
            self.expect(T::RightParen)?;
            return self.derived(query, false, start);
        }
        let kind = if self.at(T::Comma) {
            let mut tables = vec![first];
            while self.eat(T::Comma) {
                tables.push(self.table_expression()?);
            }
            self.expect(T::RightParen)?;
            let span = self.since(start);
            self.refused_by_dolt(span, span.text(self.sql));
            TableExprKind::List(tables)
        } else {
            self.expect(T::RightParen)?;
            match first.kind {
                // `((SELECT …)) alias`.
                TableExprKind::Derived(derived) if derived.alias.is_none() => {
                    return self.derived(derived.query, derived.lateral, start);
                }
                kind => kind,
            }
        };
        Ok(TableExpr { kind, span: self.since(start) })
    }

    #[inline(never)]
    fn derived(&mut self, query: Query, lateral: bool, start: u32) -> Parsing<TableExpr> {
        let alias = self.table_alias()?;
        let columns =
            if alias.is_some() && self.at(T::LeftParen) { self.name_list(NameKind::New)? } else { Vec::new() };
        let derived = DerivedTable { query, lateral, alias, columns };
        Ok(TableExpr { kind: TableExprKind::Derived(Box::new(derived)), span: self.since(start) })
    }

    /// `[AS] name`, or a string as name. AS OF is no alias.
    pub(crate) fn table_alias(&mut self) -> Parsing<Option<Ident>> {
        if self.at_word(K::As) && self.peek() != T::Word(K::Of) {
            self.advance();
            if self.at(T::Text) {
                return self.word_or_text(NameKind::New).map(Some);
            }
            return self.new_name(true).map(Some);
        }
        let follows = self.at_full_join() || self.at_any(&[K::Returning, K::Offset]) || self.at(T::End);
        if follows {
            return Ok(None);
        }
        self.note_new_name(true);
        Ok(self.eat_name(NameKind::New))
    }

    /// `AS OF expr`, `FOR SYSTEM_TIME AS OF expr`.
    pub(crate) fn as_of(&mut self) -> Parsing<Option<Expr>> {
        if self.at_word(K::For) && matches!(self.peek(), T::Word(K::SystemTime | K::Version)) {
            self.advance();
            self.advance();
            self.expect_words(&[K::As, K::Of])?;
        } else if !self.eat_words(&[K::As, K::Of]) {
            return Ok(None);
        }
        self.expression_at(power::BIT_OR).map(Some)
    }

    /// USE, FORCE, IGNORE INDEX.
    #[inline(never)]
    fn index_hints(&mut self) -> Parsing<Vec<IndexHint>> {
        let mut hints = Vec::new();
        loop {
            let start = self.start();
            let kind = match self.token.kind {
                T::Word(K::Use) => IndexHintKind::Use,
                T::Word(K::Force) => IndexHintKind::Force,
                T::Word(K::Ignore) => IndexHintKind::Ignore,
                _ => return Ok(hints),
            };
            self.advance();
            if !self.eat_word(K::Index) {
                let key = self.token.span;
                self.expect_word(K::Key)?;
                self.beyond(key);
            }
            let of = self.token.span;
            let scope = if self.eat_word(K::For) {
                self.beyond(of);
                if self.eat_word(K::Join) {
                    IndexHintScope::Join
                } else if self.eat_words(&[K::Order, K::By]) {
                    IndexHintScope::OrderBy
                } else {
                    self.expect_words(&[K::Group, K::By])?;
                    IndexHintScope::GroupBy
                }
            } else {
                IndexHintScope::All
            };
            self.expect(T::LeftParen)?;
            let mut indexes = Vec::new();
            while !self.at(T::RightParen) {
                if !indexes.is_empty() {
                    self.expect(T::Comma)?;
                }
                if self.at_word(K::Primary) {
                    let span = self.token.span;
                    self.beyond(span);
                }
                indexes.push(self.index_name()?);
            }
            self.advance();
            hints.push(IndexHint { kind, scope, indexes, span: self.since(start) });
        }
    }

    /// `JSON_TABLE(document, 'path' COLUMNS (…)) alias`.
    #[inline(never)]
    fn json_table(&mut self) -> Parsing<TableExpr> {
        let start = self.start();
        self.advance();
        self.expect(T::LeftParen)?;
        let document = self.expression()?;
        self.expect(T::Comma)?;
        let path = self.text_value()?;
        let columns = self.json_columns()?;
        self.expect(T::RightParen)?;
        let alias = self.table_alias()?;
        let table = JsonTable { document, path, columns, alias };
        Ok(TableExpr { kind: TableExprKind::JsonTable(Box::new(table)), span: self.since(start) })
    }

    fn json_columns(&mut self) -> Parsing<Vec<JsonColumn>> {
        self.expect_word(K::Columns)?;
        self.expect(T::LeftParen)?;
        let columns = self.comma_list(|parser| parser.json_column())?;
        self.expect(T::RightParen)?;
        Ok(columns)
    }

    #[inline(never)]
    fn json_column(&mut self) -> Parsing<JsonColumn> {
        let start = self.start();
        let kind = if self.at_word(K::Nested) && matches!(self.peek(), T::Text | T::Word(K::Path)) {
            self.advance();
            self.eat_word(K::Path);
            let path = self.text_value()?;
            let columns = self.deeper(|parser| parser.json_columns())?;
            JsonColumnKind::Nested { path, columns }
        } else {
            let name = self.name(NameKind::New)?;
            if self.eat_words(&[K::For, K::Ordinality]) {
                JsonColumnKind::Ordinality { name }
            } else {
                let data_type = self.data_type()?;
                let exists = self.eat_word(K::Exists);
                self.expect_word(K::Path)?;
                let path = self.text_value()?;
                if exists {
                    JsonColumnKind::Exists { name, data_type, path }
                } else {
                    let (on_empty, on_error) = self.json_fallbacks()?;
                    JsonColumnKind::Path { name, data_type, path, on_empty, on_error }
                }
            }
        };
        Ok(JsonColumn { kind, span: self.since(start) })
    }

    /// `NULL ON EMPTY`, `DEFAULT x ON ERROR`, in any order.
    fn json_fallbacks(&mut self) -> Parsing<(JsonFallback, JsonFallback)> {
        let (mut on_empty, mut on_error) = (JsonFallback::Null, JsonFallback::Null);
        loop {
            let fallback = if self.eat_word(K::Null) {
                JsonFallback::Null
            } else if self.eat_word(K::Error) {
                JsonFallback::Error
            } else if self.eat_word(K::Default) {
                JsonFallback::Default(self.expression_at(power::BIT_OR)?)
            } else {
                return Ok((on_empty, on_error));
            };
            self.expect_word(K::On)?;
            if self.eat_word(K::Empty) {
                on_empty = fallback;
            } else {
                self.expect_word(K::Error)?;
                on_error = fallback;
            }
        }
    }
}
