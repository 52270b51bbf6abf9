//! Binding of expressions, kind by kind. What is built of bound expressions, such as a comparison by the rule of two types, is a function;
//! what resolves names is a method.

mod arithmetic;
mod case;
mod comparison;
mod conversion;
mod names;
mod operators;
mod time;

use parse::ast::{self, ExprKind as Syntax};

use super::Binder;
use super::literal::text_literal;
use crate::error::{Result, SqlError};
use crate::expr::Expr;

pub(super) use arithmetic::arithmetic;
pub(super) use case::case;
pub(super) use comparison::{compare, compare_likes};
pub(super) use conversion::{
    Form, cast_target, cast_to, day_as_text, is_day, is_truth, selected_for, text_of_day, value_in_json,
};
pub(super) use operators::compare_op;
pub(super) use time::single_unit;
use time::unit_literal;

/// What binding an expression costs, and what the rules do with it.
const EXPR_WORK: usize = 256;

impl Binder<'_> {
    /// Binds an expression that has one value.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Result<Expr> {
        self.names.context().work(EXPR_WORK)?;
        let bound = self.deeper(1).and_then(|()| {
            let bound = self.bind_expr(expr);
            self.depth -= 1;
            bound
        });
        bound.map_err(|error| error.at(expr.span))
    }

    pub(super) fn exprs(&mut self, exprs: &[ast::Expr]) -> Result<Vec<Expr>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn bind_expr(&mut self, expr: &ast::Expr) -> Result<Expr> {
        let span = expr.span;
        match &expr.kind {
            Syntax::Literal(literal) => self.literal(literal),
            Syntax::Column(name) => self.column_name(name),
            Syntax::Star => Err(SqlError::general("* may only stand alone or in COUNT(*)")),
            Syntax::Parameter(parameter) => self.parameter(parameter),
            Syntax::UserVariable(name) => Ok(self.user_variable(name)),
            Syntax::SystemVariable(variable) => self.system_variable(variable),
            Syntax::Assign { variable, value } => self.assignment(variable, value),
            Syntax::Unary { operator, operand } => self.unary(*operator, operand),
            Syntax::Binary { operator, left, right } => self.binary(*operator, left, right),
            Syntax::Logical { operator, terms } => self.logical(*operator, terms),
            Syntax::Is { operand, test, negated } => self.is_test(operand, *test, *negated),
            Syntax::Between { operand, low, high, negated } => {
                Ok(self.between(operand, low, high)?.negated_if(*negated))
            }
            Syntax::In { operand, list, negated } => self.in_list(operand, list, *negated),
            Syntax::InQuery { operand, query, negated } => {
                Ok(self.in_query(operand, query, span)?.negated_if(*negated))
            }
            Syntax::Like { operand, pattern, escape, negated } => {
                self.like(operand, pattern, escape.as_deref(), *negated)
            }
            Syntax::Regexp { operand, pattern, negated } => {
                Ok(self.special("regexp_like", &[operand, pattern])?.negated_if(*negated))
            }
            Syntax::Quantified { left, operator, quantifier, query } => {
                self.quantified(left, *operator, *quantifier, query, span)
            }
            Syntax::Exists(query) => self.exists(query, span),
            Syntax::Subquery(query) => self.scalar_subquery(query, span),
            Syntax::Row(items) if items.len() == 1 => self.expr(&items[0]),
            Syntax::Row(items) => {
                Err(SqlError::new(1241, format!("operand should have 1 columns, but has {}", items.len())))
            }
            Syntax::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref())
            }
            Syntax::Cast { operand, target, form: _ } => self.cast(operand, target),
            Syntax::ConvertUsing { operand, charset } => {
                let operand = self.expr(operand)?;
                self.call("convert_using", vec![operand, text_literal(charset)])
            }
            Syntax::Collate { operand, collation } => self.collate(operand, collation, span),
            Syntax::Function(function) => self.function(function, span),
            Syntax::Extract { unit, operand } => {
                let operand = self.expr(operand)?;
                self.call("extract", vec![unit_literal(*unit), operand])
            }
            Syntax::Trim { side, remove, operand } => self.trim(*side, remove.as_deref(), operand),
            Syntax::TimestampArithmetic { difference, unit, first, second } => {
                let args = vec![unit_literal(*unit), self.expr(first)?, self.expr(second)?];
                self.call(if *difference { "timestampdiff" } else { "timestampadd" }, args)
            }
            Syntax::Interval { .. } => Err(SqlError::general("INTERVAL may only be added to or taken from a date")),
            Syntax::Match { columns, against, mode } => self.full_text_match(columns, against, *mode, span),
            Syntax::Default(_) => Err(SqlError::general("DEFAULT may only be a whole value of INSERT or UPDATE")),
            Syntax::Values(name) => self.inserted_column(name),
            Syntax::JsonArrow { operand, path, unquote } => {
                let found = self.special("json_extract", &[operand, path])?;
                if *unquote { self.call("json_unquote", vec![found]) } else { Ok(found) }
            }
        }
    }

    /// A function behind an operator or a syntax of its own.
    fn special(&mut self, function: &str, operands: &[&ast::Expr]) -> Result<Expr> {
        let args = operands.iter().map(|operand| self.expr(operand)).collect::<Result<_>>()?;
        self.call(function, args)
    }

    fn trim(&mut self, side: ast::TrimSide, remove: Option<&ast::Expr>, operand: &ast::Expr) -> Result<Expr> {
        let side = match side {
            ast::TrimSide::Both => "both",
            ast::TrimSide::Leading => "leading",
            ast::TrimSide::Trailing => "trailing",
        };
        let operand = self.expr(operand)?;
        let remove = match remove {
            Some(remove) => self.expr(remove)?,
            None => text_literal(" "),
        };
        self.call("trim", vec![operand, remove, text_literal(side)])
    }
}
