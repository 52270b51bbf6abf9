//! Unary and binary operators.

use parse::ast::{self, BinaryOperator, ExprKind as Syntax, LogicalOperator, UnaryOperator};
use value::{SqlType, Value};

use super::arithmetic::arithmetic;
use super::comparison::compare;
use super::time::single_unit;

use crate::bind::Binder;
use crate::error::{Result, SqlError};
use crate::expr::{ArithmeticOp, CastKind, CompareOp, Expr, ExprKind, ExprType, types};

impl Binder<'_> {
    pub(super) fn logical(&mut self, operator: LogicalOperator, terms: &[ast::Expr]) -> Result<Expr> {
        let terms = self.exprs(terms)?;
        let kind = match operator {
            LogicalOperator::And => ExprKind::And(terms),
            LogicalOperator::Or => ExprKind::Or(terms),
        };
        Ok(Expr::new(kind, ExprType::boolean()))
    }

    pub(super) fn unary(&mut self, operator: UnaryOperator, operand: &ast::Expr) -> Result<Expr> {
        // The sign belongs to the number: -9223372036854775808 has no positive counterpart.
        if let (UnaryOperator::Minus, Syntax::Literal(ast::Literal::Integer(n))) = (operator, &operand.kind) {
            let negative = -i128::from(*n);
            return Ok(match i64::try_from(negative) {
                Ok(n) => Expr::literal(Value::Int(n), ExprType::new(types::integer_literal(negative), false)),
                Err(_) => {
                    let decimal = value::Decimal::new(negative, 0);
                    Expr::literal(Value::Decimal(decimal), ExprType::new(types::decimal(20, 0), false))
                }
            });
        }
        let operand = self.expr(operand)?;
        if let (UnaryOperator::Minus, Some(Value::Int(i64::MIN))) = (operator, operand.as_literal()) {
            let decimal = value::Decimal::new(-i128::from(i64::MIN), 0);
            return Ok(Expr::literal(Value::Decimal(decimal), ExprType::new(types::decimal(19, 0), false)));
        }
        let ty = match &operand.ty.sql {
            SqlType::Integer(kind) if !kind.boolean => ExprType::new(SqlType::BIGINT, operand.ty.nullable),
            SqlType::Integer(_) | SqlType::Decimal { .. } | SqlType::Float | SqlType::Null => operand.ty.clone(),
            _ => ExprType::new(SqlType::Double, operand.ty.nullable),
        };
        Ok(match operator {
            UnaryOperator::Not => operand.negated(),
            UnaryOperator::Plus => operand,
            UnaryOperator::Minus => Expr::new(ExprKind::Negate(Box::new(operand)), ty),
            UnaryOperator::BitNot => {
                let whole = Expr::new(
                    ExprKind::Cast(Box::new(operand), CastKind::Explicit),
                    ExprType::new(SqlType::BIGINT_UNSIGNED, ty.nullable),
                );
                let ones = Expr::literal(Value::UInt(u64::MAX), ExprType::new(SqlType::BIGINT_UNSIGNED, false));
                arithmetic(ArithmeticOp::BitXor, whole, ones)
            }
        })
    }

    pub(super) fn binary(&mut self, operator: BinaryOperator, left: &ast::Expr, right: &ast::Expr) -> Result<Expr> {
        use BinaryOperator as B;
        if let (B::Add | B::Subtract, Syntax::Interval { value, unit }) = (operator, &right.kind) {
            let name = if operator == B::Add { "plus_interval" } else { "minus_interval" };
            let args = vec![self.expr(left)?, self.expr(value)?, single_unit(*unit, right.span)?];
            return self.call(name, args);
        }
        if let (B::Add, Syntax::Interval { value, unit }) = (operator, &left.kind) {
            let args = vec![self.expr(right)?, self.expr(value)?, single_unit(*unit, left.span)?];
            return self.call("plus_interval", args);
        }
        if let Some(op) = compare_op(operator) {
            return self.comparison(op, left, right);
        }
        let op = match operator {
            B::Add => ArithmeticOp::Add,
            B::Subtract => ArithmeticOp::Subtract,
            B::Multiply => ArithmeticOp::Multiply,
            B::Divide => ArithmeticOp::Divide,
            B::IntegerDivide => ArithmeticOp::IntegerDivide,
            B::Modulo => ArithmeticOp::Modulo,
            B::BitAnd => ArithmeticOp::BitAnd,
            B::BitOr => ArithmeticOp::BitOr,
            B::BitXor => ArithmeticOp::BitXor,
            B::ShiftLeft => ArithmeticOp::ShiftLeft,
            B::ShiftRight => ArithmeticOp::ShiftRight,
            B::Xor => {
                let sides = Box::new([self.expr(left)?, self.expr(right)?]);
                return Ok(Expr::new(ExprKind::Xor(sides), ExprType::boolean()));
            }
            B::Concat => {
                let args = vec![self.expr(left)?, self.expr(right)?];
                return self.call("concat", args);
            }
            B::SoundsLike => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                let (left, right) = (self.call("soundex", vec![left])?, self.call("soundex", vec![right])?);
                return Ok(compare(CompareOp::Equal, left, right));
            }
            B::MemberOf => {
                let args = vec![self.expr(right)?, self.expr(left)?];
                return self.call("json_contains", args);
            }
            _ => return Err(SqlError::internal("an operator without meaning")),
        };
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        Ok(arithmetic(op, left, right))
    }
}

pub(in crate::bind) fn compare_op(operator: BinaryOperator) -> Option<CompareOp> {
    Some(match operator {
        BinaryOperator::Equal => CompareOp::Equal,
        BinaryOperator::NullSafeEqual => CompareOp::NullSafeEqual,
        BinaryOperator::NotEqual => CompareOp::NotEqual,
        BinaryOperator::Less => CompareOp::Less,
        BinaryOperator::LessEqual => CompareOp::LessOrEqual,
        BinaryOperator::Greater => CompareOp::Greater,
        BinaryOperator::GreaterEqual => CompareOp::GreaterOrEqual,
        _ => return None,
    })
}
