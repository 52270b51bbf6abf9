//! Comparisons of values and of rows, and the tests that are made of them: IS, BETWEEN, IN, LIKE.

use parse::ast::{self, ExprKind as Syntax};
use value::{Charset, SqlType, Value};

use super::arithmetic::unrounded;
use super::conversion::day_as_text;
use crate::bind::Binder;
use crate::bind::call::collation_of;
use crate::bind::subquery::may_be_row;
use crate::error::{Result, SqlError};
use crate::expr::{CompareOp, Comparison, Expr, ExprKind, ExprType, InList, IsTest, Like};

impl Binder<'_> {
    pub(super) fn is_test(&mut self, operand: &ast::Expr, test: ast::IsTest, negated: bool) -> Result<Expr> {
        let operand = self.expr(operand)?;
        let test = match (test, negated) {
            (ast::IsTest::Null | ast::IsTest::Unknown, false) => IsTest::Null,
            (ast::IsTest::Null | ast::IsTest::Unknown, true) => IsTest::NotNull,
            (ast::IsTest::True, false) => IsTest::True,
            (ast::IsTest::True, true) => IsTest::NotTrue,
            (ast::IsTest::False, false) => IsTest::False,
            (ast::IsTest::False, true) => IsTest::NotFalse,
        };
        Ok(Expr::new(ExprKind::Is(Box::new(operand), test), ExprType::new(SqlType::BOOLEAN, false)))
    }

    pub(super) fn between(&mut self, operand: &ast::Expr, low: &ast::Expr, high: &ast::Expr) -> Result<Expr> {
        let at_least = self.comparison(CompareOp::GreaterOrEqual, operand, low)?;
        let at_most = self.comparison(CompareOp::LessOrEqual, operand, high)?;
        Ok(Expr::and(vec![at_least, at_most]))
    }

    /// A comparison of two values or of two rows.
    pub(in crate::bind) fn comparison(&mut self, op: CompareOp, left: &ast::Expr, right: &ast::Expr) -> Result<Expr> {
        match (&left.kind, &right.kind) {
            (Syntax::Row(l), Syntax::Row(r)) if l.len() > 1 || r.len() > 1 => {
                let mut pairs = Vec::new();
                pair(left, right, &mut pairs)?;
                self.row_comparison(op, &pairs)
            }
            (Syntax::Row(row), Syntax::Subquery(query)) if row.len() > 1 => {
                let tested = self.exprs(row)?;
                self.row_subquery(tested, op, query, right.span)
            }
            (Syntax::Subquery(query), Syntax::Row(row)) if row.len() > 1 => {
                let tested = self.exprs(row)?;
                self.row_subquery(tested, op.mirrored(), query, left.span)
            }
            (Syntax::Subquery(row), Syntax::Subquery(query)) if may_be_row(row) && may_be_row(query) => {
                let tested = self.row_of_subquery(row, left.span)?;
                self.row_subquery(tested, op, query, right.span)
            }
            _ => {
                let (left, right) = (self.compared(left)?, self.compared(right)?);
                Ok(compare(op, left, right))
            }
        }
    }

    /// One side of a comparison: a quotient that is written there is compared before it is rounded, one that has a name after.
    fn compared(&mut self, expr: &ast::Expr) -> Result<Expr> {
        let bound = self.expr(expr)?;
        Ok(if matches!(expr.kind, Syntax::Column(_)) { bound } else { unrounded(bound) })
    }

    /// `(a, b) < (c, d)`: the first difference decides.
    fn row_comparison(&mut self, op: CompareOp, pairs: &[(&ast::Expr, &ast::Expr)]) -> Result<Expr> {
        let pairs = pairs.iter().map(|(l, r)| Ok((self.compared(l)?, self.compared(r)?)));
        if let CompareOp::Equal | CompareOp::NullSafeEqual = op {
            // Lists have many of these.
            let equal = pairs.map(|pair| pair.map(|(l, r)| compare(op, l, r)));
            return Ok(Expr::and(equal.collect::<Result<_>>()?));
        }
        let pairs = pairs.collect::<Result<Vec<_>>>()?;
        let each =
            |op: CompareOp| -> Vec<Expr> { pairs.iter().map(|(l, r)| compare(op, l.clone(), r.clone())).collect() };
        match op {
            CompareOp::NotEqual => Ok(Expr::and(each(CompareOp::Equal)).negated()),
            _ => {
                let strict = match op {
                    CompareOp::LessOrEqual => CompareOp::Less,
                    CompareOp::GreaterOrEqual => CompareOp::Greater,
                    other => other,
                };
                let (equal, differs) = (each(CompareOp::Equal), each(strict));
                let last = each(op);
                let mut terms = Vec::new();
                for i in 0..pairs.len() {
                    let mut all = equal[..i].to_vec();
                    all.push(if i + 1 == pairs.len() { last[i].clone() } else { differs[i].clone() });
                    terms.push(Expr::and(all));
                }
                Ok(Expr::new(ExprKind::Or(terms), ExprType::boolean()))
            }
        }
    }

    pub(super) fn in_list(&mut self, operand: &ast::Expr, list: &[ast::Expr], negated: bool) -> Result<Expr> {
        let is_row = match &operand.kind {
            Syntax::Row(row) => row.len() > 1,
            Syntax::Subquery(_) => list.iter().any(|item| matches!(&item.kind, Syntax::Row(row) if row.len() > 1)),
            _ => false,
        };
        if is_row {
            let mut terms = Vec::new();
            for item in list {
                terms.push(self.comparison(CompareOp::Equal, operand, item)?);
            }
            let found = Expr::new(ExprKind::Or(terms), ExprType::boolean());
            return Ok(found.negated_if(negated));
        }
        let value = self.compared(operand)?;
        let list = list.iter().map(|item| self.compared(item)).collect::<Result<Vec<Expr>>>()?;
        let comparisons: Vec<Comparison> = list.iter().map(|item| Comparison::between(&value.ty, &item.ty)).collect();
        let found = match comparisons.split_first() {
            Some((first, rest)) if rest.iter().all(|other| other == first) => {
                let list = InList::new(value, list, *first, negated);
                return Ok(Expr::new(ExprKind::In(Box::new(list)), ExprType::boolean()));
            }
            _ => {
                let terms = list.into_iter().map(|item| compare(CompareOp::Equal, value.clone(), item)).collect();
                Expr::new(ExprKind::Or(terms), ExprType::boolean())
            }
        };
        Ok(found.negated_if(negated))
    }

    pub(super) fn like(
        &mut self,
        operand: &ast::Expr,
        pattern: &ast::Expr,
        escape: Option<&ast::Expr>,
        negated: bool,
    ) -> Result<Expr> {
        let escape = match escape {
            None => None,
            Some(escape) => {
                let bound = self.expr(escape)?;
                if !bound.is_row_independent() {
                    return Err(SqlError::general("ESCAPE takes the same character for all rows").at(escape.span));
                }
                Some(bound)
            }
        };
        let (text, pattern) = (day_as_text(self.expr(operand)?), self.expr(pattern)?);
        let collation = collation_of(&[text.ty.clone(), pattern.ty.clone()]);
        collation.ready()?;
        let like = Like { text, pattern, escape, negated, collation };
        Ok(Expr::new(ExprKind::Like(Box::new(like)), ExprType::boolean()))
    }
}

/// The values at the same position of two rows; nested rows are compared as if they had no parentheses.
fn pair<'a>(left: &'a ast::Expr, right: &'a ast::Expr, pairs: &mut Vec<(&'a ast::Expr, &'a ast::Expr)>) -> Result<()> {
    match (&left.kind, &right.kind) {
        (Syntax::Row(l), Syntax::Row(r)) if l.len() > 1 || r.len() > 1 => {
            if l.len() != r.len() {
                let text = format!("operand should have {} columns, but has {}", l.len(), r.len());
                return Err(SqlError::new(1241, text).at(right.span));
            }
            l.iter().zip(r).try_for_each(|(left, right)| pair(left, right, pairs))
        }
        _ => {
            pairs.push((left, right));
            Ok(())
        }
    }
}

/// `left op right` by the rule that their types ask for.
pub(in crate::bind) fn compare(op: CompareOp, left: Expr, right: Expr) -> Expr {
    let left = beside_json(left, &right.ty);
    let right = beside_json(right, &left.ty);
    let comparison = Comparison::between(&left.ty, &right.ty);
    let nullable = op != CompareOp::NullSafeEqual && (left.ty.nullable || right.ty.nullable);
    let ty = ExprType::new(SqlType::BOOLEAN, nullable);
    Expr::new(ExprKind::Compare(op, comparison, Box::new([left, right])), ty)
}

/// TRUE and FALSE beside a document are its booleans, not the numbers 1 and 0.
fn beside_json(expr: Expr, other: &ExprType) -> Expr {
    match &expr.kind {
        ExprKind::Literal(Value::Int(number)) if other.sql == SqlType::Json && expr.ty.sql == SqlType::BOOLEAN => {
            let json = Value::json(value::Json::Bool(*number != 0));
            Expr::literal(json, ExprType::new(SqlType::Json, false))
        }
        _ => expr,
    }
}

/// LIKE in a condition is a comparison where its pattern is no pattern, and has one beside it where the pattern begins with
/// text. That matters to texts of one type, which compare by the type's collation, whatever they match by.
pub(in crate::bind) fn compare_likes(condition: &mut Expr) {
    condition.rewrite(&mut |expr| {
        let ExprKind::Like(like) = &expr.kind else { return };
        let (Some(Value::Text(pattern)), None) = (like.pattern.as_literal(), &like.escape) else { return };
        let is_plain = like.text.ty.sql != like.pattern.ty.sql || like.collation == like.text.ty.collation();
        // With backslashes it is no text that can be compared; the reference does so, and finds nothing.
        let is_pattern = pattern.is_empty() || pattern.contains(['_', '\\']);
        if is_plain || is_pattern || like.collation.charset() != Charset::Utf8mb4 {
            return;
        }
        let (text, ty) = (like.text.clone(), like.pattern.ty.clone());
        let beside =
            |op, words: &str| compare(op, text.clone(), Expr::literal(Value::text(words.to_owned()), ty.clone()));
        let compared = match (pattern.matches('%').count(), pattern.strip_suffix('%')) {
            (0, _) => beside(CompareOp::Equal, pattern),
            (1, Some(prefix)) if !prefix.is_empty() => {
                let matched = Expr {
                    kind: ExprKind::Like(Box::new(Like { negated: false, ..(**like).clone() })),
                    ..expr.clone()
                };
                Expr::and(vec![beside(CompareOp::GreaterOrEqual, prefix), matched])
            }
            _ => return,
        };
        *expr = compared.negated_if(like.negated);
    });
}
