//! CASE.

use parse::ast;

use super::conversion::cast_to;
use crate::bind::Binder;
use crate::error::Result;
use crate::expr::{Case, CompareOp, Expr, ExprKind, ExprType, types};

impl Binder<'_> {
    pub(super) fn case(
        &mut self,
        operand: Option<&ast::Expr>,
        branches: &[ast::CaseBranch],
        otherwise: Option<&ast::Expr>,
    ) -> Result<Expr> {
        let mut bound = Vec::new();
        for branch in branches {
            let condition = match operand {
                Some(operand) => self.comparison(CompareOp::Equal, operand, &branch.when)?,
                None => self.expr(&branch.when)?,
            };
            bound.push((condition, self.expr(&branch.then)?));
        }
        let otherwise = otherwise.map(|expr| self.expr(expr)).transpose()?;
        Ok(case(bound, otherwise))
    }
}

/// CASE with all branches brought to one type.
pub(in crate::bind) fn case(branches: Vec<(Expr, Expr)>, otherwise: Option<Expr>) -> Expr {
    let mut ty = types::choice(branches.iter().map(|(_, value)| &value.ty).chain(otherwise.iter().map(|e| &e.ty)));
    ty = ExprType::new(ty.sql, ty.nullable || otherwise.is_none());
    let branches = branches.into_iter().map(|(condition, value)| (condition, cast_to(value, &ty))).collect();
    let otherwise = otherwise.map(|value| cast_to(value, &ty));
    Expr::new(ExprKind::Case(Box::new(Case { branches, otherwise })), ty)
}
