//! Binding of subqueries in expressions.

use parse::ast;
use value::SqlType;

use super::expr::compare_op;
use super::{Binder, Output};
use crate::error::{Result, SqlError};
use crate::expr::{CompareOp, Comparison, Expr, ExprKind, ExprType};
use crate::plan::{Subquery, SubqueryTest};

impl Binder<'_> {
    fn nested(
        &mut self,
        query: &ast::Query,
        span: ast::Span,
        test: SubqueryTest,
        tested: Vec<Expr>,
    ) -> Result<(Subquery, Vec<Output>)> {
        let (plan, outputs, outer) = self.subquery_frame(|binder| binder.bind_query(query))?;
        let wanted = if test == SubqueryTest::Exists { outputs.len() } else { tested.len().max(1) };
        if outputs.len() != wanted {
            let text = format!("operand should have {wanted} columns, but has {}", outputs.len());
            return Err(SqlError::new(1241, text).at(span));
        }
        let comparisons = tested.iter().zip(&outputs).map(|(l, r)| Comparison::between(&l.ty, &r.expr().ty)).collect();
        let number = self.subquery_number();
        Ok((Subquery { number, plan, outer, test, tested, comparisons, shown: None, span }, outputs))
    }

    /// `(SELECT …)` as a value.
    pub(super) fn scalar_subquery(&mut self, query: &ast::Query, span: ast::Span) -> Result<Expr> {
        let (mut subquery, outputs) = self.nested(query, span, SubqueryTest::Scalar, Vec::new())?;
        let ty = ExprType { nullable: true, ..outputs[0].expr().ty };
        subquery.shown = outputs[0].computed.is_some().then(|| outputs[0].ty.clone());
        Ok(Expr::new(ExprKind::Subquery(Box::new(subquery)), ty))
    }

    /// The columns of `(SELECT …)` as values, each of a subquery of its own.
    pub(super) fn row_of_subquery(&mut self, query: &ast::Query, span: ast::Span) -> Result<Vec<Expr>> {
        let mut row: Vec<Expr> = Vec::new();
        loop {
            let (plan, outputs, outer) = self.subquery_frame(|binder| binder.bind_query(query))?;
            let output = &outputs[row.len()];
            let column = output.expr();
            let ty = ExprType { nullable: true, ..column.ty.clone() };
            let plan = plan.project(vec![(output.id, column)]);
            let (number, test) = (self.subquery_number(), SubqueryTest::Scalar);
            let (tested, comparisons) = (Vec::new(), Vec::new());
            let subquery = Subquery { number, plan, outer, test, tested, comparisons, shown: None, span };
            row.push(Expr::new(ExprKind::Subquery(Box::new(subquery)), ty));
            if row.len() == outputs.len() {
                return Ok(row);
            }
        }
    }

    pub(super) fn exists(&mut self, query: &ast::Query, span: ast::Span) -> Result<Expr> {
        let (subquery, _) = self.nested(query, span, SubqueryTest::Exists, Vec::new())?;
        Ok(Expr::new(ExprKind::Subquery(Box::new(subquery)), ExprType::new(SqlType::BOOLEAN, false)))
    }

    pub(super) fn in_query(&mut self, operand: &ast::Expr, query: &ast::Query, span: ast::Span) -> Result<Expr> {
        let tested = match &operand.kind {
            ast::ExprKind::Row(items) => self.exprs(items)?,
            ast::ExprKind::Subquery(row) if may_be_row(row) => self.row_of_subquery(row, operand.span)?,
            _ => vec![self.expr(operand)?],
        };
        let (subquery, _) = self.nested(query, span, SubqueryTest::In, tested)?;
        Ok(Expr::new(ExprKind::Subquery(Box::new(subquery)), ExprType::boolean()))
    }

    /// `(a, b) = (SELECT c, d …)`.
    pub(super) fn row_subquery(
        &mut self,
        tested: Vec<Expr>,
        op: CompareOp,
        query: &ast::Query,
        span: ast::Span,
    ) -> Result<Expr> {
        let (subquery, _) = self.nested(query, span, SubqueryTest::Row(op), tested)?;
        Ok(Expr::new(ExprKind::Subquery(Box::new(subquery)), ExprType::boolean()))
    }

    pub(super) fn quantified(
        &mut self,
        left: &ast::Expr,
        operator: ast::BinaryOperator,
        quantifier: ast::Quantifier,
        query: &ast::Query,
        span: ast::Span,
    ) -> Result<Expr> {
        let op = compare_op(operator).ok_or_else(|| SqlError::internal("a quantifier without comparison"))?;
        let test = match quantifier {
            ast::Quantifier::Any => SubqueryTest::Any(op),
            ast::Quantifier::All => SubqueryTest::All(op),
        };
        let tested = vec![self.expr(left)?];
        let (subquery, _) = self.nested(query, span, test, tested)?;
        Ok(Expr::new(ExprKind::Subquery(Box::new(subquery)), ExprType::boolean()))
    }
}

/// Whether a query is not written as one of a single column.
pub(super) fn may_be_row(query: &ast::Query) -> bool {
    match &query.body {
        ast::QueryBody::Select(select) => !matches!(&select.items[..], [ast::SelectItem::Expr { .. }]),
        ast::QueryBody::Nested(query) => may_be_row(query),
        _ => true,
    }
}
