//! INSERT, REPLACE, UPDATE, DELETE, TRUNCATE, LOAD DATA, CALL.

use crate::assist::expected::NameKind;
use crate::ast::*;
use crate::lex::keyword::Keyword as K;
use crate::lex::token::TokenKind as T;
use crate::parser::{Parser, Parsing};

impl Parser<'_> {
    /// INSERT and REPLACE.
    #[inline(never)]
    pub(crate) fn insert(&mut self, with: Option<With>) -> Parsing<StatementKind> {
        let replace = self.at_word(K::Replace);
        self.advance();
        self.skip_beyond_dolt(&[K::LowPriority, K::Delayed, K::HighPriority]);
        let ignore = self.eat_word(K::Ignore);
        self.eat_word(K::Into);
        let table = self.object_name(NameKind::Table)?;
        let partitions = self.partition_names()?;
        let is_empty = self.at(T::LeftParen) && self.peek() == T::RightParen;
        let lists_columns = self.at(T::LeftParen) && !self.query_in_parentheses();
        let columns = if lists_columns { self.insert_columns()? } else { Vec::new() };
        self.beyond_if(is_empty && !self.at_any(&[K::Values, K::Value]), self.token.span);
        let source = if self.at_any(&[K::Values, K::Value]) && self.peek() != T::Word(K::Row) {
            self.advance();
            InsertSource::Values(self.long_comma_list(|parser| {
                parser.eat_word(K::Row);
                parser.values_row()
            })?)
        } else if !lists_columns && self.eat_word(K::Set) {
            InsertSource::Set(self.assignments()?)
        } else {
            InsertSource::Query(Box::new(self.query()?))
        };
        let word = self.token.span;
        let row_alias = self.row_alias()?;
        self.beyond_if(row_alias.is_some() && matches!(source, InsertSource::Set(_)), word);
        let on_duplicate = if self.at_word(K::On) {
            self.expect_words(&[K::On, K::Duplicate, K::Key, K::Update])?;
            self.assignments()?
        } else {
            Vec::new()
        };
        let returning = self.returning()?;
        Ok(StatementKind::Insert(Box::new(Insert {
            with,
            replace,
            ignore,
            table,
            partitions,
            columns,
            source,
            row_alias,
            on_duplicate,
            returning,
        })))
    }

    /// `(SELECT …)`, also behind further parentheses, as against a column list.
    fn query_in_parentheses(&self) -> bool {
        let depth = (1..).find(|&ahead| self.peek_at(ahead) != T::LeftParen || ahead > 8).unwrap_or(1);
        matches!(self.peek_at(depth), T::Word(K::Select | K::With | K::Table | K::Values))
    }

    fn insert_columns(&mut self) -> Parsing<Vec<ColumnName>> {
        self.expect(T::LeftParen)?;
        let columns = if self.at(T::RightParen) {
            Vec::new()
        } else {
            self.comma_list(|parser| {
                let first = parser.listed_column(NameKind::Column)?;
                let column = parser.column_name_after(first)?;
                if let (Some(_), Some(table)) = (&column.database, &column.table) {
                    parser.beyond(table.span);
                }
                Ok(column)
            })?
        };
        self.expect(T::RightParen)?;
        Ok(columns)
    }

    /// `AS new (a, b)`.
    fn row_alias(&mut self) -> Parsing<Option<RowAlias>> {
        let start = self.start();
        if !self.eat_word(K::As) {
            return Ok(None);
        }
        let name = self.name(NameKind::New)?;
        let columns = if self.at(T::LeftParen) { self.name_list(NameKind::New)? } else { Vec::new() };
        Ok(Some(RowAlias { name, columns, span: self.since(start) }))
    }

    fn returning(&mut self) -> Parsing<Vec<SelectItem>> {
        if self.eat_word(K::Returning) { self.select_items() } else { Ok(Vec::new()) }
    }

    /// Of UPDATE and DELETE.
    fn returning_beyond_dolt(&mut self) -> Parsing<Vec<SelectItem>> {
        let word = self.token.span;
        let items = self.returning()?;
        self.beyond_if(!items.is_empty(), word);
        Ok(items)
    }

    pub(crate) fn partition_names(&mut self) -> Parsing<Vec<Ident>> {
        if self.eat_word(K::Partition) { self.name_list(NameKind::New) } else { Ok(Vec::new()) }
    }

    /// `a = 1, t.b = DEFAULT`.
    fn assignments(&mut self) -> Parsing<Vec<Assignment>> {
        self.comma_list(|parser| {
            let start = parser.start();
            let column = parser.column_name()?;
            if !parser.eat(T::ColonEqual) {
                parser.expect(T::Equal)?;
            }
            let value = parser.expression()?;
            Ok(Assignment { column, value, span: parser.since(start) })
        })
    }

    fn filter(&mut self) -> Parsing<Option<Expr>> {
        if self.eat_word(K::Where) { self.expression().map(Some) } else { Ok(None) }
    }

    #[inline(never)]
    pub(crate) fn update(&mut self, with: Option<With>) -> Parsing<StatementKind> {
        self.advance();
        self.skip_beyond_dolt(&[K::LowPriority]);
        let ignore = self.eat_word(K::Ignore);
        let tables = self.table_list()?;
        self.expect_word(K::Set)?;
        let assignments = self.assignments()?;
        let filter = self.filter()?;
        let order_by = self.order_by()?;
        let limit = self.limit()?;
        let returning = self.returning_beyond_dolt()?;
        let update = Update { with, ignore, tables, assignments, filter, order_by, limit, returning };
        Ok(StatementKind::Update(Box::new(update)))
    }

    #[inline(never)]
    pub(crate) fn delete(&mut self, with: Option<With>) -> Parsing<StatementKind> {
        self.advance();
        self.skip_beyond_dolt(&[K::LowPriority, K::Quick]);
        let word = self.token.span;
        let ignore = self.eat_word(K::Ignore);
        self.beyond_if(ignore, word);
        let (targets, from) = if self.eat_word(K::From) {
            let before = self.checkpoint();
            match self.delete_targets() {
                Ok(targets) if self.eat_word(K::Using) => (targets, self.table_list()?),
                _ => {
                    self.rewind(before);
                    let table = self.table_factor()?;
                    if let TableExprKind::Table(reference) = &table.kind
                        && let Some(alias) = &reference.alias
                    {
                        self.beyond(alias.span);
                    }
                    (Vec::new(), vec![table])
                }
            }
        } else {
            let targets = self.delete_targets()?;
            self.expect_word(K::From)?;
            (targets, self.table_list()?)
        };
        let filter = self.filter()?;
        let has_order = self.at_any(&[K::Order, K::Limit]);
        self.beyond_if(has_order && !targets.is_empty(), self.token.span);
        let order_by = self.order_by()?;
        let limit = self.limit()?;
        let returning = self.returning_beyond_dolt()?;
        let delete = Delete { with, ignore, targets, from, filter, order_by, limit, returning };
        Ok(StatementKind::Delete(Box::new(delete)))
    }

    /// `a, b.*, db.c`.
    fn delete_targets(&mut self) -> Parsing<Vec<ObjectName>> {
        self.comma_list(|parser| {
            let first = parser.name(NameKind::Table)?;
            let mut target = ObjectName { span: first.span, database: None, name: first };
            while parser.eat(T::Dot) && !parser.eat(T::Star) {
                let next = parser.name_after_dot(NameKind::Table)?;
                target.span = target.span.to(next.span);
                target.database = Some(std::mem::replace(&mut target.name, next));
            }
            Ok(target)
        })
    }

    pub(crate) fn truncate(&mut self) -> Parsing<StatementKind> {
        self.advance();
        self.eat_word(K::Table);
        self.object_name(NameKind::Table).map(StatementKind::Truncate)
    }

    #[inline(never)]
    pub(crate) fn load_data(&mut self) -> Parsing<StatementKind> {
        let start = self.start();
        self.advance();
        self.expect_word(K::Data)?;
        self.skip_beyond_dolt(&[K::LowPriority, K::Concurrent]);
        let local = self.eat_word(K::Local);
        self.expect_word(K::Infile)?;
        let path = self.text_value()?;
        let replace = self.eat_word(K::Replace);
        let ignore = !replace && self.eat_word(K::Ignore);
        self.expect_words(&[K::Into, K::Table])?;
        let table = self.object_name(NameKind::Table)?;
        let partitions = self.partition_names()?;
        let format = self.file_format()?;
        let skip_lines = if self.eat_word(K::Ignore) {
            let lines = self.integer()?;
            if !self.eat_word(K::Rows) {
                self.expect_word(K::Lines)?;
            }
            lines
        } else {
            0
        };
        let columns = if self.eat(T::LeftParen) {
            let columns = self.comma_list(|parser| parser.select_target())?;
            self.expect(T::RightParen)?;
            columns
        } else {
            Vec::new()
        };
        let assignments = if self.eat_word(K::Set) { self.assignments()? } else { Vec::new() };
        Ok(StatementKind::LoadData(Box::new(LoadData {
            local,
            path,
            replace,
            ignore,
            table,
            partitions,
            format,
            skip_lines,
            columns,
            assignments,
            span: self.since(start),
        })))
    }

    #[inline(never)]
    pub(crate) fn call_statement(&mut self) -> Parsing<StatementKind> {
        self.advance();
        self.note_new_name(false);
        let name = self.object_name(NameKind::Procedure)?;
        let mut arguments = Vec::new();
        if self.eat(T::LeftParen) {
            if !self.at(T::RightParen) {
                arguments = self.expressions()?;
            }
            self.expect(T::RightParen)?;
        }
        let as_of = self.as_of()?;
        Ok(StatementKind::Call(Box::new(Call { name, arguments, as_of })))
    }
}
