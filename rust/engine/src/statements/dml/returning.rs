//! INSERT … RETURNING: the rows as they were stored.

use std::rc::Rc;

use parse::ast::{self, SelectItem};
use value::Value;

use crate::bind::Binder;
use crate::catalog::Relation;
use crate::error::Result;
use crate::expr::{Context, Expr};
use crate::names::SessionNames;
use crate::page::ResultColumn;
use crate::session::Session;
use crate::write::eval_over;

/// Expressions over the columns of a table, and what they gave for each row so far.
pub struct Returning {
    columns: Vec<ResultColumn>,
    exprs: Vec<Expr>,
    rows: Vec<Vec<Value<'static>>>,
}

impl Returning {
    /// `None` for a statement without RETURNING.
    pub fn of(
        session: &Session,
        sql: &str,
        insert: &ast::Insert,
        relation: &dyn Relation,
        context: &Rc<Context>,
    ) -> Result<Option<Returning>> {
        if insert.returning.is_empty() {
            return Ok(None);
        }
        let table = relation.columns();
        let mut returning = Returning { columns: Vec::new(), exprs: Vec::new(), rows: Vec::new() };
        for item in &insert.returning {
            match item {
                SelectItem::Star { .. } => {
                    for (position, column) in table.iter().enumerate().filter(|(_, column)| !column.hidden) {
                        returning.columns.push(ResultColumn::new(&column.name, column.ty.sql.clone()));
                        returning.exprs.push(Expr::column(position as u32, column.ty.clone()));
                    }
                }
                SelectItem::Expr { expr, alias, .. } => {
                    let names = SessionNames::new(session.catalog().clone(), context.clone());
                    let bound = Binder::new(&names, sql, &[]).over_table(relation.name(), table, expr)?;
                    let name = alias.as_ref().map_or(expr.span.text(sql), |alias| &alias.text);
                    returning.columns.push(ResultColumn::new(name, bound.ty.sql.clone()));
                    returning.exprs.push(bound);
                }
            }
        }
        Ok(Some(returning))
    }

    pub fn add(&mut self, row: &[Value<'static>], context: &Context) -> Result<()> {
        let values = self.exprs.iter().map(|expr| eval_over(expr, row, context));
        self.rows.push(values.collect::<Result<_>>()?);
        Ok(())
    }

    pub fn into_rows(self) -> (Vec<ResultColumn>, Vec<Vec<Value<'static>>>) {
        (self.columns, self.rows)
    }
}
