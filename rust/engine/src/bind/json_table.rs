//! JSON_TABLE in FROM.

use std::rc::Rc;

use parse::ast;
use value::{SqlType, Value};

use super::expr::cast_target;
use super::from::{Source, derived_scope};
use super::{Binder, Output};
use crate::error::{Result, SqlError};
use crate::expr::ExprType;
use crate::plan::{JsonColumn, JsonFallback, JsonRows, JsonTable, Plan};

impl Binder<'_> {
    /// The document may use columns of the items to its left, as a LATERAL table does.
    pub(super) fn json_table(&mut self, table: &ast::JsonTable, span: ast::Span) -> Result<Source> {
        let Some(alias) = &table.alias else {
            return Err(SqlError::general("every table function must have its own alias").at(span));
        };
        let (plan, outputs, outer) = self.subquery_frame(|binder| {
            let document = binder.expr(&table.document)?;
            let mut outputs = Vec::new();
            let rows = Rc::new(binder.json_rows(&table.path, &table.columns, &mut outputs)?);
            let columns = outputs.iter().map(|output: &Output| output.id).collect();
            Ok((Plan::JsonTable(Box::new(JsonTable { document, rows, columns })), outputs))
        })?;
        let scope = derived_scope("", &alias.text, &outputs, &[])?;
        Ok(Source { plan, scope, outer })
    }

    fn json_rows(&mut self, path: &str, columns: &[ast::JsonColumn], outputs: &mut Vec<Output>) -> Result<JsonRows> {
        use ast::JsonColumnKind as K;
        let mut bound = Vec::new();
        for column in columns {
            bound.push(match &column.kind {
                K::Ordinality { name } => {
                    let ty = "int unsigned".parse().unwrap_or(SqlType::BIGINT_UNSIGNED);
                    self.json_output(name, ty, outputs);
                    JsonColumn::Ordinality
                }
                K::Path { name, data_type, path, on_empty, on_error } => {
                    let ty = self.column_type(data_type)?;
                    self.json_output(name, ty.clone(), outputs);
                    let (on_empty, on_error) = (self.fallback(on_empty)?, self.fallback(on_error)?);
                    JsonColumn::Value { name: name.text.clone(), path: path.parse()?, ty, on_empty, on_error }
                }
                K::Exists { name, data_type, path } => {
                    let ty = self.column_type(data_type)?;
                    self.json_output(name, ty.clone(), outputs);
                    JsonColumn::Exists { path: path.parse()?, ty }
                }
                K::Nested { path, columns } => JsonColumn::Nested(self.json_rows(path, columns, outputs)?),
            });
        }
        Ok(JsonRows { path: path.parse()?, columns: bound })
    }

    fn json_output(&mut self, name: &ast::Ident, ty: SqlType, outputs: &mut Vec<Output>) {
        let ty = ExprType::new(ty, true);
        let id = self.column(ty.clone());
        self.declare_as(id, ExprType { nullable: false, ..ty.clone() });
        outputs.push(Output::new(id, &name.text, ty));
    }

    /// The type of a column as a table would have it.
    fn column_type(&self, data_type: &ast::DataType) -> Result<SqlType> {
        match data_type.span.text(&self.sql).to_lowercase().parse() {
            Ok(ty) => Ok(ty),
            Err(_) => cast_target(data_type),
        }
    }

    fn fallback(&mut self, fallback: &ast::JsonFallback) -> Result<JsonFallback> {
        Ok(match fallback {
            ast::JsonFallback::Null => JsonFallback::Value(Value::Null),
            ast::JsonFallback::Error => JsonFallback::Error,
            ast::JsonFallback::Default(expr) => JsonFallback::Value(self.constant_value(expr)?),
        })
    }
}
