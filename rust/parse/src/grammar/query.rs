//! SELECT, set operations, VALUES, TABLE, WITH.

use std::rc::Rc;

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{Parser, Parsing};

impl Parser<'_> {
    /// True where a query starts with a word (not with a parenthesis).
    pub(crate) fn at_query(&self) -> bool {
        match self.token.kind {
            T::Word(K::Select | K::With | K::Table) => true,
            T::Word(K::Values) => matches!(self.peek(), T::Word(K::Row) | T::LeftParen) && !self.values_is_function(),
            T::End => self.at_any(&[K::Select, K::With]),
            _ => false,
        }
    }

    /// `VALUES(column)` as an operand, against `VALUES (1, 2)` and `VALUES ROW(1)`.
    fn values_is_function(&self) -> bool {
        self.peek_at(1) == T::LeftParen
            && matches!(self.peek_at(2), T::QuotedName | T::Word(_))
            && matches!(self.peek_at(3), T::RightParen | T::Dot)
    }

    /// Behind `(query)`: what makes it the first part of a larger query.
    pub(crate) fn at_query_tail(&self) -> bool {
        self.at_any(&[K::Union, K::Except, K::Intersect, K::Order, K::Limit])
    }

    /// The query of a definition or of a program, where Dolt takes no VALUES.
    pub(crate) fn kept_query(&mut self) -> Parsing<Query> {
        let start = self.token.span;
        self.beyond_if(self.at_word(K::Values), start);
        self.query()
    }

    /// A query expression; its height is left in `self.height`.
    pub(crate) fn query(&mut self) -> Parsing<Query> {
        self.deeper(|parser| {
            let start = parser.start();
            let with = parser.with()?;
            parser.query_with(with, start)
        })
    }

    /// A query behind its WITH.
    #[inline(never)]
    pub(crate) fn query_with(&mut self, with: Option<With>, start: u32) -> Parsing<Query> {
        let outer = std::mem::take(&mut self.tallest);
        let mut into = None;
        let body = self.query_body(&mut into)?;
        let query = self.query_rest(with, body, into, start)?;
        self.close_query(outer)?;
        Ok(query)
    }

    /// A query whose first operand has been read.
    #[inline(never)]
    pub(crate) fn query_after(&mut self, first: QueryBody, start: u32) -> Parsing<Query> {
        self.deeper(|parser| {
            let outer = std::mem::take(&mut parser.tallest);
            parser.tallest = parser.height;
            let mut into = None;
            let body = parser.set_operations(first, start, &mut into)?;
            let query = parser.query_rest(None, body, into, start)?;
            parser.close_query(outer)?;
            Ok(query)
        })
    }

    /// Makes the query's height that of its highest expression and one.
    fn close_query(&mut self, outer: u32) -> Parsing<()> {
        let height = self.tallest;
        self.raise(height)?;
        self.tallest = outer.max(self.height);
        Ok(())
    }

    /// Where Dolt's grammar has parentheses for the parts of a set operation only.
    pub(crate) fn refuse_alone(&mut self, query: &Query) {
        if matches!(query.body, QueryBody::Nested(_)) {
            self.beyond_here();
        }
    }

    #[inline(never)]
    fn query_rest(
        &mut self,
        with: Option<With>,
        body: QueryBody,
        mut into: Option<Into>,
        start: u32,
    ) -> Parsing<Query> {
        // As in `(query) ORDER BY …`.
        let tails = [K::Order, K::Limit, K::Into, K::For, K::Lock];
        if matches!(body, QueryBody::Nested(_)) && (with.is_some() || self.at_any(&tails)) {
            self.beyond_here();
        }
        let order_by = self.order_by()?;
        let limit = self.limit()?;
        let mut locking = Vec::new();
        loop {
            if into.is_none() && self.at_word(K::Into) {
                into = Some(self.select_into()?);
            } else if let Some(lock) = self.locking(!locking.is_empty())? {
                locking.push(lock);
            } else {
                break;
            }
        }
        Ok(Query { with, body, order_by, limit, into, locking, span: self.since(start) })
    }

    #[inline(never)]
    pub(crate) fn with(&mut self) -> Parsing<Option<With>> {
        let start = self.start();
        if !self.eat_word(K::With) {
            return Ok(None);
        }
        let recursive = self.eat_word(K::Recursive);
        let tables = self.comma_list(|parser| {
            let start = parser.start();
            let name = parser.new_name(true)?;
            let columns = if parser.at(T::LeftParen) { parser.column_list()? } else { Vec::new() };
            parser.expect_word(K::As)?;
            let query = parser.subquery()?;
            if matches!(query.body, QueryBody::Values(_)) {
                parser.refused_by_dolt(query.span, "VALUES as a common table expression");
            }
            Ok(CommonTable { name, columns, query: Rc::new(query), span: parser.since(start) })
        })?;
        Ok(Some(With { recursive, tables, span: self.since(start) }))
    }

    fn query_body(&mut self, into: &mut Option<Into>) -> Parsing<QueryBody> {
        let start = self.start();
        let first = self.query_primary(into)?;
        self.set_operations(first, start, into)
    }

    /// UNION and EXCEPT behind `first`, from the left; INTERSECT binds tighter.
    fn set_operations(&mut self, first: QueryBody, start: u32, into: &mut Option<Into>) -> Parsing<QueryBody> {
        let first = self.intersections(first, start, into)?;
        self.set_arms(first, start, into, &[(K::Union, SetOperator::Union), (K::Except, SetOperator::Except)])
    }

    fn intersections(&mut self, first: QueryBody, start: u32, into: &mut Option<Into>) -> Parsing<QueryBody> {
        self.set_arms(first, start, into, &[(K::Intersect, SetOperator::Intersect)])
    }

    #[inline(never)]
    fn set_arms(
        &mut self,
        first: QueryBody,
        start: u32,
        into: &mut Option<Into>,
        operators: &[(K, SetOperator)],
    ) -> Parsing<QueryBody> {
        let mut arms = Vec::new();
        loop {
            let arm_start = self.start();
            let Some(&(_, operator)) = operators.iter().find(|operator| self.at_word(operator.0)) else { break };
            self.advance();
            let all = self.eat_word(K::All);
            if !all {
                self.eat_word(K::Distinct);
            }
            let body_start = self.start();
            self.beyond_if(matches!(first, QueryBody::Values(_)) || self.at_word(K::Values), self.token.span);
            let mut body = self.query_primary(into)?;
            if operator != SetOperator::Intersect {
                body = self.intersections(body, body_start, into)?;
            }
            arms.push(SetArm { operator, all, body, span: self.since(arm_start) });
        }
        if arms.is_empty() {
            return Ok(first);
        }
        if into.is_some() {
            self.refused_by_dolt(self.since(start), "INTO within a set operation");
        }
        Ok(QueryBody::SetOperation(Rc::new(SetOperation { first, arms, span: self.since(start) })))
    }

    fn query_primary(&mut self, into: &mut Option<Into>) -> Parsing<QueryBody> {
        match self.token.kind {
            T::Word(K::Select) => Ok(QueryBody::Select(Rc::new(self.select(into)?))),
            T::Word(K::Values) => {
                self.advance();
                let rows = self.long_comma_list(|parser| {
                    parser.eat_word(K::Row);
                    parser.values_row()
                })?;
                Ok(QueryBody::Values(rows))
            }
            T::Word(K::Table) => {
                self.advance();
                Ok(QueryBody::Table(Box::new(self.object_name(NameKind::Table)?)))
            }
            T::LeftParen => {
                self.advance();
                let query = self.query()?;
                self.expect(T::RightParen)?;
                Ok(QueryBody::Nested(Rc::new(query)))
            }
            _ => {
                self.at_any(&[K::Select, K::Values, K::Table]);
                Err(self.unexpected())
            }
        }
    }

    /// `(1, DEFAULT, a)`; may be empty.
    #[inline(never)]
    pub(crate) fn values_row(&mut self) -> Parsing<ValuesRow> {
        let start = self.start();
        self.expect(T::LeftParen)?;
        let values = if self.at(T::RightParen) {
            Vec::new()
        } else {
            self.comma_list(|parser| parser.expression_or_nested_query())?
        };
        self.expect(T::RightParen)?;
        Ok(ValuesRow { values, span: self.since(start) })
    }

    #[inline(never)]
    fn select(&mut self, into: &mut Option<Into>) -> Parsing<Select> {
        let start = self.start();
        self.expect_word(K::Select)?;
        let options = self.select_options()?;
        let items = self.select_items()?;
        if into.is_none() && self.at_word(K::Into) {
            *into = Some(self.select_into()?);
        }
        let from = if self.eat_word(K::From) { self.table_sources()? } else { Vec::new() };
        let filter = if self.eat_word(K::Where) { Some(self.expression()?) } else { None };
        let group_by = self.group_by()?;
        let having = if self.eat_word(K::Having) { Some(self.expression()?) } else { None };
        let windows = if self.eat_word(K::Window) {
            self.comma_list(|parser| {
                let name = parser.name(NameKind::New)?;
                parser.expect_word(K::As)?;
                Ok(NamedWindow { name, window: parser.window_specification()? })
            })?
        } else {
            Vec::new()
        };
        Ok(Select { options, items, from, filter, group_by, having, windows, span: self.since(start) })
    }

    fn select_options(&mut self) -> Parsing<SelectOptions> {
        let mut options = SelectOptions::default();
        let mut all = false;
        loop {
            let T::Word(word) = self.token.kind else {
                self.at_any(&[K::Distinct, K::All, K::StraightJoin]);
                return Ok(options);
            };
            match word {
                K::All if !options.distinct => all = true,
                K::Distinct if !all => options.distinct = true,
                K::Distinctrow if !all => {
                    let column = self.second_token().span;
                    self.beyond(column);
                    options.distinct = true;
                }
                K::StraightJoin => options.straight_join = true,
                K::SqlCalcFoundRows => options.calc_found_rows = true,
                K::HighPriority | K::SqlSmallResult | K::SqlBigResult | K::SqlBufferResult => {
                    let column = self.second_token().span;
                    self.beyond(column);
                }
                K::SqlNoCache => {}
                K::Unlisted if self.text(self.token).eq_ignore_ascii_case("sql_cache") => {}
                _ => return Ok(options),
            }
            self.advance();
        }
    }

    /// The items of SELECT and RETURNING.
    pub(crate) fn select_items(&mut self) -> Parsing<Vec<SelectItem>> {
        self.long_comma_list(|parser| parser.select_item())
    }

    #[inline(never)]
    fn select_item(&mut self) -> Parsing<SelectItem> {
        let start = self.start();
        if self.at(T::Star) {
            let star = self.advance();
            return Ok(SelectItem::Star { database: None, table: None, span: star.span });
        }
        if self.at_qualified_star() {
            self.note_new_name(false);
            let is_word = matches!(self.token.kind, T::Word(word) if word.is_reserved() || word.is_reserved_by_dolt());
            self.beyond_if(is_word, self.token.span);
            let first = self.name_after_dot(NameKind::Table)?;
            self.expect(T::Dot)?;
            let (database, table) = if self.at(T::Star) {
                (None, first)
            } else {
                let table = self.name_after_dot(NameKind::Table)?;
                self.expect(T::Dot)?;
                (Some(first), table)
            };
            self.expect(T::Star)?;
            return Ok(SelectItem::Star { database, table: Some(table), span: self.since(start) });
        }
        let expr = self.expression()?;
        let alias = self.alias()?;
        Ok(SelectItem::Expr { expr, alias, span: self.since(start) })
    }

    /// `t.*` or `db.t.*`.
    fn at_qualified_star(&self) -> bool {
        matches!(self.token.kind, T::Word(_) | T::QuotedName)
            && self.peek() == T::Dot
            && (self.peek_at(2) == T::Star || (self.peek_at(3) == T::Dot && self.peek_at(4) == T::Star))
    }

    /// `[AS] name` or `[AS] 'name'`.
    #[inline(never)]
    fn alias(&mut self) -> Parsing<Option<Ident>> {
        let explicit = self.eat_word(K::As);
        if self.at(T::Text) {
            return self.word_or_text(NameKind::New).map(Some);
        }
        if explicit {
            return self.name(NameKind::New).map(Some);
        }
        match self.token.kind {
            // `INSERT … SELECT 1 RETURNING id`.
            T::Word(K::Returning) => Ok(None),
            T::QuotedName | T::Word(_) => Ok(self.eat_name(NameKind::New)),
            _ => {
                self.at_word(K::As);
                Ok(None)
            }
        }
    }

    #[inline(never)]
    fn group_by(&mut self) -> Parsing<Option<GroupBy>> {
        let start = self.start();
        if !self.eat_words(&[K::Group, K::By]) {
            return if self.at_word(K::Group) {
                self.advance();
                Err(self.unexpected())
            } else {
                Ok(None)
            };
        }
        let items = self.comma_list(|parser| {
            let start = parser.start();
            let expr = parser.expression()?;
            // MySQL 5 sorted groups.
            parser.skip_beyond_dolt(&[K::Asc, K::Desc]);
            Ok(OrderItem { expr, direction: None, span: parser.since(start) })
        })?;
        let with = self.token.span;
        let with_rollup = self.eat_words(&[K::With, K::Rollup]);
        if with_rollup {
            self.beyond(with);
        }
        Ok(Some(GroupBy { items, with_rollup, span: self.since(start) }))
    }

    /// ORDER BY, or nothing; leaves the greatest height of its items, 0 without.
    #[inline(never)]
    pub(crate) fn order_by(&mut self) -> Parsing<Vec<OrderItem>> {
        let mut children = 0;
        let items = if self.eat_word(K::Order) {
            self.expect_word(K::By)?;
            self.comma_list(|parser| {
                let item = parser.order_item()?;
                children = children.max(parser.height);
                Ok(item)
            })?
        } else {
            Vec::new()
        };
        self.height = children;
        Ok(items)
    }

    fn order_item(&mut self) -> Parsing<OrderItem> {
        let start = self.start();
        let expr = self.expression()?;
        let direction = if self.eat_word(K::Desc) {
            Some(Direction::Descending)
        } else if self.eat_word(K::Asc) {
            Some(Direction::Ascending)
        } else {
            None
        };
        Ok(OrderItem { expr, direction, span: self.since(start) })
    }

    #[inline(never)]
    pub(crate) fn limit(&mut self) -> Parsing<Option<Limit>> {
        let start = self.start();
        if !self.eat_word(K::Limit) {
            return Ok(None);
        }
        let first = self.limit_value()?;
        let (count, offset) = if self.eat(T::Comma) {
            (self.limit_value()?, Some(first))
        } else if self.eat_word(K::Offset) {
            (first, Some(self.limit_value()?))
        } else {
            (first, None)
        };
        Ok(Some(Limit { count, offset, span: self.since(start) }))
    }

    /// A number, a parameter, or a variable.
    fn limit_value(&mut self) -> Parsing<Expr> {
        match self.token.kind {
            T::Integer | T::Parameter | T::Colon | T::UserVariable | T::QuotedName => {}
            T::Word(word) if !word.is_reserved() => {}
            _ => return Err(self.unexpected()),
        }
        self.prefix(crate::grammar::expr::power::COLLATE)
    }

    #[inline(never)]
    fn select_into(&mut self) -> Parsing<Into> {
        self.expect_word(K::Into)?;
        if self.eat_word(K::Outfile) {
            let path = self.text_value()?;
            let format = self.file_format()?;
            return Ok(Into::OutFile { path, format });
        }
        if self.eat_word(K::Dumpfile) {
            return Ok(Into::DumpFile { path: self.text_value()? });
        }
        let targets = self.comma_list(|parser| parser.select_target())?;
        Ok(Into::Variables(targets))
    }

    /// `@user` or a local name.
    pub(crate) fn select_target(&mut self) -> Parsing<IntoTarget> {
        if self.at(T::UserVariable) {
            self.user_variable().map(IntoTarget::User)
        } else {
            self.note_new_name(false);
            self.name(NameKind::Variable).map(IntoTarget::Local)
        }
    }

    /// CHARACTER SET, FIELDS and LINES of LOAD DATA and INTO OUTFILE.
    #[inline(never)]
    pub(crate) fn file_format(&mut self) -> Parsing<FileFormat> {
        let mut format = FileFormat::default();
        if self.eat_words(&[K::Character, K::Set]) || self.eat_word(K::Charset) {
            format.charset = Some(self.word_or_text(NameKind::Charset)?.text);
        }
        if self.eat_word(K::Fields) || self.eat_word(K::Columns) {
            loop {
                if self.eat_words(&[K::Terminated, K::By]) {
                    format.fields_terminated_by = Some(self.text_value()?);
                } else if self.eat_words(&[K::Optionally, K::Enclosed, K::By]) {
                    format.optionally_enclosed = true;
                    format.enclosed_by = Some(self.text_value()?);
                } else if self.eat_words(&[K::Enclosed, K::By]) {
                    format.enclosed_by = Some(self.text_value()?);
                } else if self.eat_words(&[K::Escaped, K::By]) {
                    format.escaped_by = Some(self.text_value()?);
                } else {
                    break;
                }
            }
        }
        if self.eat_word(K::Lines) {
            loop {
                if self.eat_words(&[K::Starting, K::By]) {
                    format.lines_starting_by = Some(self.text_value()?);
                } else if self.eat_words(&[K::Terminated, K::By]) {
                    format.lines_terminated_by = Some(self.text_value()?);
                } else {
                    break;
                }
            }
        }
        Ok(format)
    }

    #[inline(never)]
    fn locking(&mut self, follows_another: bool) -> Parsing<Option<Locking>> {
        let start = self.start();
        // Dolt knows one clause, MySQL several of those with FOR.
        self.beyond_if(follows_another && self.at_word(K::For), self.token.span);
        if !follows_another && self.eat_words(&[K::Lock, K::In, K::Share, K::Mode]) {
            let span = self.since(start);
            if self.at_word(K::For) {
                return Err(self.unexpected());
            }
            return Ok(Some(Locking { strength: LockStrength::Share, tables: Vec::new(), wait: LockWait::Wait, span }));
        }
        if !self.eat_word(K::For) {
            return Ok(None);
        }
        let strength = if self.eat_word(K::Update) {
            LockStrength::Update
        } else {
            let share = self.expect_word(K::Share)?;
            self.beyond(share.span);
            LockStrength::Share
        };
        let tables = if self.eat_word(K::Of) {
            self.comma_list(|parser| parser.object_name(NameKind::Table))?
        } else {
            Vec::new()
        };
        let wait = if self.eat_words(&[K::Skip, K::Locked]) {
            LockWait::SkipLocked
        } else if self.eat_word(K::Nowait) {
            LockWait::NoWait
        } else {
            LockWait::Wait
        };
        Ok(Some(Locking { strength, tables, wait, span: self.since(start) }))
    }
}
