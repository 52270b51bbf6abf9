//! Name resolution in expressions: columns, variables of stored programs, parameters.

use parse::ast;
use value::Collation;

use crate::bind::Binder;
use crate::error::{Result, SqlError};
use crate::expr::{Expr, ExprKind, ExprType, Holds, coercibility};

impl Binder<'_> {
    pub(super) fn user_variable(&self, name: &ast::Ident) -> Expr {
        let ty = ExprType::of(&self.names.user_variable(&name.text)).of_column();
        let holds = if self.sql.contains(":=") { Holds::Row } else { Holds::Statement };
        Expr::new(ExprKind::UserVariable((*name.text).into(), holds), ty)
    }

    pub(super) fn system_variable(&self, variable: &ast::SystemVariable) -> Result<Expr> {
        let (value, ty) = self.names.system_variable(variable)?;
        let ty =
            if ty.sql.is_text() { ty.preferring((Collation::UTF8MB3_GENERAL_CI, coercibility::SYSTEM)) } else { ty };
        Ok(Expr::literal(value, ty))
    }

    /// `@variable := value`.
    pub(super) fn assignment(&mut self, variable: &ast::Ident, value: &ast::Expr) -> Result<Expr> {
        let value = self.expr(value)?;
        let ty = value.ty.clone();
        Ok(Expr::new(ExprKind::SetUserVariable((*variable.text).into(), Box::new(value)), ty))
    }

    pub(super) fn parameter(&mut self, parameter: &ast::Parameter) -> Result<Expr> {
        let n = match parameter {
            ast::Parameter::Position(n) => n,
            ast::Parameter::Named(name) => {
                return Err(SqlError::general(format!("unbound variable \"{name}\" in query")));
            }
        };
        let ty = self.params.get(*n as usize).cloned().unwrap_or_else(ExprType::null);
        Ok(Expr::new(ExprKind::Param(*n), ty))
    }

    /// A variable of a stored program: it hides columns.
    pub(in crate::bind) fn local(&self, name: &ast::ColumnName) -> Option<Expr> {
        let (slot, ty) = if self.hides_locals { return None } else { self.names.local(name)? };
        Some(Expr::new(ExprKind::Param(slot), ty))
    }

    /// Looks a name up: as a variable, then as a column, from the innermost query outwards.
    pub(in crate::bind) fn column_name(&mut self, name: &ast::ColumnName) -> Result<Expr> {
        if let Some(local) = self.local(name) {
            return Ok(local);
        }
        for level in (0..self.frames.len()).rev() {
            if let Some(column) = self.frames[level].scope.find(name)? {
                let expr = column.expr.clone();
                return Ok(self.seen_from_inside(level, expr));
            }
            // What the list has before a subquery of its own is known there by its alias.
            let alias = self.frames[level].aliases.iter().find(|(alias, _)| name.name.is(alias));
            if let (Some((_, expr)), None, true) = (alias, &name.table, level + 1 < self.frames.len()) {
                return Ok(self.seen_from_inside(level, expr.clone()));
            }
        }
        Err(match &name.table {
            Some(table) if self.knows_table(table) => {
                SqlError::general(format!("table \"{}\" does not have column \"{}\"", table.text, name.name.text))
            }
            Some(table) => SqlError::table_not_found(&table.text),
            None => SqlError::column_not_found(&name.name.text),
        }
        .at(name.span)
        .with_hint(self.column_meant(name)))
    }

    pub(in crate::bind) fn knows_table(&self, table: &ast::Ident) -> bool {
        self.frames.iter().any(|frame| frame.scope.relations.iter().any(|relation| table.is(&relation.name)))
    }
}
