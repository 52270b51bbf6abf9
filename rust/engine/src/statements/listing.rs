//! Listings: the rows of SHOW, DESCRIBE and EXPLAIN, and the filters LIKE and WHERE.

use std::rc::Rc;

use parse::ast;
use value::{Collation, LikePattern, SqlType, Value};

use crate::bind::Binder;
use crate::catalog::{Column, IndexChoice};
use crate::cursor::Cursor;
use crate::error::Result;
use crate::expr::{Context, ExprType};
use crate::names::SessionNames;
use crate::one_value::rows_over;
use crate::page::ResultColumn;
use crate::plan::{ColumnId, Plan, Scan};
use crate::session::Session;
use crate::system_tables::relation::computed::{Computed, text};

/// A list of rows, mostly of text, filtered by LIKE on the first column or by WHERE on all of them.
pub struct Listing {
    columns: Vec<Column>,
    rows: Vec<Vec<Value<'static>>>,
    case: CaseMatters,
}

/// Where upper and lower case differ, as in the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CaseMatters {
    InWhere,
    /// Names of tables and columns.
    InWhereAndLike,
    /// Names of variables.
    Nowhere,
}

impl Listing {
    pub fn new(columns: &[&str]) -> Listing {
        let columns = columns.iter().map(|name| text(name)).collect();
        Listing { columns, rows: Vec::new(), case: CaseMatters::InWhere }
    }

    pub fn with_case(self, case: CaseMatters) -> Listing {
        Listing { case, ..self }
    }

    /// Columns at these positions are of this type: their text becomes such values.
    pub fn with(mut self, ty: SqlType, positions: &[usize]) -> Listing {
        for position in positions {
            self.columns[*position].ty.sql = ty.clone();
        }
        self
    }

    pub fn push(&mut self, mut row: Vec<Value<'static>>) {
        for (value, column) in row.iter_mut().zip(&self.columns).filter(|(_, column)| !column.ty.sql.is_text()) {
            *value = value::convert::cast(value, &column.ty.sql, &mut Vec::new()).unwrap_or(Value::Null);
        }
        self.rows.push(row);
    }

    pub fn into_cursor(
        self,
        session: &Session,
        sql: &str,
        filter: Option<&ast::ShowFilter>,
        context: Rc<Context>,
    ) -> Result<Cursor> {
        self.into_cursor_by(session, sql, filter, 0, context)
    }

    /// LIKE is about column `named`.
    pub fn into_cursor_by(
        self,
        session: &Session,
        sql: &str,
        filter: Option<&ast::ShowFilter>,
        named: usize,
        context: Rc<Context>,
    ) -> Result<Cursor> {
        let Listing { mut columns, mut rows, case } = self;
        let results = columns.iter().map(|column| ResultColumn::new(&column.name, column.ty.sql.clone())).collect();
        match filter {
            None => {}
            Some(ast::ShowFilter::Like(pattern)) => {
                let collation = match case {
                    CaseMatters::InWhereAndLike => Collation::UTF8MB4_0900_BIN,
                    CaseMatters::InWhere | CaseMatters::Nowhere => Collation::UTF8MB4_0900_AI_CI,
                };
                let pattern = LikePattern::new(pattern, Some('\\'), collation);
                let matches = |text: &str| pattern.as_ref().is_some_and(|pattern| pattern.matches(text.as_bytes()));
                rows.retain(|row| matches!(row.get(named), Some(Value::Text(text)) if matches(text)));
            }
            Some(ast::ShowFilter::Where(condition)) => {
                if case == CaseMatters::Nowhere {
                    let collation = Collation::UTF8MB4_0900_AI_CI;
                    for column in columns.iter_mut().filter(|column| column.ty.sql.is_text()) {
                        let sql = SqlType::Text { size: value::LobSize::Long, collation };
                        column.ty = ExprType::new(sql, true).of_column();
                    }
                }
                let names = SessionNames::new(session.catalog().clone(), context.clone());
                let mut binder = Binder::new(&names, sql, &[]);
                let test = binder.over_relation(&columns, condition)?;
                let places = (0..columns.len()).map(|at| (at as ColumnId, at)).collect();
                let scan = Scan {
                    relation: Rc::new(Computed::of_rows("", "", columns, rows)),
                    alias: "".into(),
                    columns: places,
                    parts: Vec::new(),
                    access: IndexChoice::default(),
                    filter: Vec::new(),
                    reverse: false,
                    estimate: None,
                };
                rows = rows_over(Plan::Scan(Box::new(scan)).filter(vec![test]), &mut binder.into_types(), &context)?;
            }
        }
        Ok(Cursor::of_rows(results, rows, context))
    }
}
