//! Expressions.

use std::rc::Rc;

use parse::ast::{self, BinaryOperator, ExprKind as Syntax, LogicalOperator, UnaryOperator};
use value::{Charset, Collation, SqlType, Value};

use super::Binder;
use crate::error::{Result, SqlError};
use crate::expr::{
    ArithmeticOp, Case, CastKind, CompareOp, Comparison, Expr, ExprKind, ExprType, InList, IsTest, Like, coercibility,
    types,
};

impl Binder<'_> {
    /// Binds an expression that has one value.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Result<Expr> {
        self.bind_expr(expr).map_err(|error| error.at(expr.span))
    }

    pub(super) fn exprs(&mut self, exprs: &[ast::Expr]) -> Result<Vec<Expr>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn bind_expr(&mut self, expr: &ast::Expr) -> Result<Expr> {
        match &expr.kind {
            Syntax::Literal(literal) => self.literal(literal),
            Syntax::Column(name) => self.column_name(name),
            Syntax::Star => Err(SqlError::general("* may only stand alone or in COUNT(*)")),
            Syntax::Parameter(parameter) => self.parameter(parameter),
            Syntax::UserVariable(name) => {
                let ty = ExprType::of(&self.names.user_variable(&name.text));
                Ok(Expr::new(ExprKind::UserVariable((*name.text).into()), ty))
            }
            Syntax::SystemVariable(variable) => {
                let (value, ty) = self.names.system_variable(variable)?;
                Ok(Expr::literal(value, ty))
            }
            Syntax::Assign { variable, value } => {
                let value = self.expr(value)?;
                let ty = value.ty.clone();
                Ok(Expr::new(ExprKind::SetUserVariable((*variable.text).into(), Box::new(value)), ty))
            }
            Syntax::Unary { operator, operand } => self.unary(*operator, operand),
            Syntax::Binary { operator, left, right } => self.binary(*operator, left, right),
            Syntax::Logical { operator, terms } => {
                let terms = self.exprs(terms)?;
                let kind = match operator {
                    LogicalOperator::And => ExprKind::And(terms),
                    LogicalOperator::Or => ExprKind::Or(terms),
                };
                Ok(Expr::new(kind, ExprType::boolean()))
            }
            Syntax::Is { operand, test, negated } => {
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
            Syntax::Between { operand, low, high, negated } => {
                let at_least = self.comparison(CompareOp::GreaterOrEqual, operand, low)?;
                let at_most = self.comparison(CompareOp::LessOrEqual, operand, high)?;
                let between = Expr::and(vec![at_least, at_most]);
                Ok(if *negated { between.negated() } else { between })
            }
            Syntax::In { operand, list, negated } => self.in_list(operand, list, *negated),
            Syntax::InQuery { operand, query, negated } => {
                let found = self.in_query(operand, query, expr.span)?;
                Ok(if *negated { found.negated() } else { found })
            }
            Syntax::Like { operand, pattern, escape, negated } => {
                self.like(operand, pattern, escape.as_deref(), *negated)
            }
            Syntax::Regexp { operand, pattern, negated } => {
                let args = vec![self.expr(operand)?, self.expr(pattern)?];
                let matches = self.call("regexp_like", args)?;
                Ok(if *negated { matches.negated() } else { matches })
            }
            Syntax::Quantified { left, operator, quantifier, query } => {
                self.quantified(left, *operator, *quantifier, query, expr.span)
            }
            Syntax::Exists(query) => self.exists(query, expr.span),
            Syntax::Subquery(query) => self.scalar_subquery(query, expr.span),
            Syntax::Row(items) if items.len() == 1 => self.expr(&items[0]),
            Syntax::Row(items) => {
                Err(SqlError::new(1241, format!("operand should have 1 columns, but has {}", items.len())))
            }
            Syntax::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref())
            }
            Syntax::Cast { operand, target, form: _ } => {
                let operand = self.expr(operand)?;
                if target.kind == ast::TypeKind::Decimal && target.length.is_none() {
                    return self.call("cast_decimal", vec![operand]);
                }
                let sql = cast_target(target)?;
                let ty = ExprType::new(sql, true);
                let operand = if ty.sql.is_number() { unrounded(operand) } else { operand };
                Ok(Expr::new(ExprKind::Cast(Box::new(operand), CastKind::Explicit), ty))
            }
            Syntax::ConvertUsing { operand, charset } => {
                let operand = self.expr(operand)?;
                self.call("convert_using", vec![operand, text_literal(charset)])
            }
            Syntax::Collate { operand, collation } => {
                let collation = Collation::from_name(&collation.text)?;
                let operand = self.expr(operand)?;
                let charset = operand.ty.collation().charset();
                let fits = collation.charset() == charset || collation.charset() == Charset::Binary;
                if operand.ty.sql.is_text() && charset != Charset::Binary && !fits {
                    let (name, charset) = (collation.name(), charset.name());
                    let text = format!("COLLATION '{name}' is not valid for CHARACTER SET '{charset}'");
                    return Err(SqlError::new(1253, text).at(expr.span));
                }
                Ok(with_collation(operand, collation))
            }
            Syntax::Function(function) => self.function(function, expr.span),
            Syntax::Extract { unit, operand } => {
                let operand = self.expr(operand)?;
                self.call("extract", vec![unit_literal(*unit), operand])
            }
            Syntax::Trim { side, remove, operand } => {
                let side = match side {
                    ast::TrimSide::Both => "both",
                    ast::TrimSide::Leading => "leading",
                    ast::TrimSide::Trailing => "trailing",
                };
                let mut args = vec![self.expr(operand)?];
                args.push(match remove {
                    Some(remove) => self.expr(remove)?,
                    None => text_literal(" "),
                });
                args.push(text_literal(side));
                self.call("trim", args)
            }
            Syntax::TimestampArithmetic { difference, unit, first, second } => {
                let args = vec![unit_literal(*unit), self.expr(first)?, self.expr(second)?];
                self.call(if *difference { "timestampdiff" } else { "timestampadd" }, args)
            }
            Syntax::Interval { .. } => Err(SqlError::general("INTERVAL may only be added to or taken from a date")),
            Syntax::Match { columns, against, mode } => self.full_text_match(columns, against, *mode, expr.span),
            Syntax::Default(_) => Err(SqlError::unsupported("DEFAULT in an expression")),
            Syntax::Values(name) => self.inserted_column(name),
            Syntax::JsonArrow { operand, path, unquote } => {
                let args = vec![self.expr(operand)?, self.expr(path)?];
                let found = self.call("json_extract", args)?;
                if *unquote { self.call("json_unquote", vec![found]) } else { Ok(found) }
            }
        }
    }

    fn parameter(&mut self, parameter: &ast::Parameter) -> Result<Expr> {
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
    pub(super) fn local(&self, name: &ast::ColumnName) -> Option<Expr> {
        let (slot, ty) = if self.hides_locals { return None } else { self.names.local(name)? };
        Some(Expr::new(ExprKind::Param(slot), ty))
    }

    /// Looks a name up: as a variable, then as a column, from the innermost query outwards.
    pub(super) fn column_name(&mut self, name: &ast::ColumnName) -> Result<Expr> {
        if let Some(local) = self.local(name) {
            return Ok(local);
        }
        for level in (0..self.frames.len()).rev() {
            if let Some(column) = self.frames[level].scope.find(name)? {
                let expr = column.expr.clone();
                return Ok(self.seen_from_inside(level, expr));
            }
        }
        Err(match &name.table {
            Some(table) if self.knows_table(table) => {
                SqlError::general(format!("table \"{}\" does not have column \"{}\"", table.text, name.name.text))
            }
            Some(table) => SqlError::table_not_found(&table.text),
            None => {
                SqlError::general(format!("column \"{}\" could not be found in any table in scope", name.name.text))
            }
        }
        .at(name.span)
        .with_hint(self.column_meant(name)))
    }

    pub(super) fn knows_table(&self, table: &ast::Ident) -> bool {
        self.frames.iter().any(|frame| frame.scope.relations.iter().any(|relation| table.is(&relation.name)))
    }

    fn unary(&mut self, operator: UnaryOperator, operand: &ast::Expr) -> Result<Expr> {
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
        let ty = match &operand.ty.sql {
            SqlType::Integer(kind) if kind.unsigned => ExprType::new(SqlType::BIGINT, operand.ty.nullable),
            SqlType::Integer(_) | SqlType::Decimal { .. } => operand.ty.clone(),
            SqlType::Null => operand.ty.clone(),
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

    fn binary(&mut self, operator: BinaryOperator, left: &ast::Expr, right: &ast::Expr) -> Result<Expr> {
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

    /// A comparison of two values or of two rows.
    pub(super) fn comparison(&mut self, op: CompareOp, left: &ast::Expr, right: &ast::Expr) -> Result<Expr> {
        match (&left.kind, &right.kind) {
            (Syntax::Row(l), Syntax::Row(r)) if l.len() > 1 || r.len() > 1 => {
                if l.len() != r.len() {
                    let text = format!("operand should have {} columns, but has {}", l.len(), r.len());
                    return Err(SqlError::new(1241, text).at(right.span));
                }
                self.row_comparison(op, l, r)
            }
            (Syntax::Row(row), Syntax::Subquery(query)) if row.len() > 1 => {
                let tested = self.exprs(row)?;
                self.row_subquery(tested, op, query, right.span)
            }
            _ => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                Ok(compare(op, left, right))
            }
        }
    }

    /// `(a, b) < (c, d)`: the first difference decides.
    fn row_comparison(&mut self, op: CompareOp, left: &[ast::Expr], right: &[ast::Expr]) -> Result<Expr> {
        let left = self.exprs(left)?;
        let right = self.exprs(right)?;
        let each = |op: CompareOp| -> Vec<Expr> {
            left.iter().zip(&right).map(|(l, r)| compare(op, l.clone(), r.clone())).collect()
        };
        match op {
            CompareOp::Equal | CompareOp::NullSafeEqual => Ok(Expr::and(each(op))),
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
                for i in 0..left.len() {
                    let mut all = equal[..i].to_vec();
                    all.push(if i + 1 == left.len() { last[i].clone() } else { differs[i].clone() });
                    terms.push(Expr::and(all));
                }
                Ok(Expr::new(ExprKind::Or(terms), ExprType::boolean()))
            }
        }
    }

    fn in_list(&mut self, operand: &ast::Expr, list: &[ast::Expr], negated: bool) -> Result<Expr> {
        if let Syntax::Row(row) = &operand.kind
            && row.len() > 1
        {
            let mut terms = Vec::new();
            for item in list {
                terms.push(self.comparison(CompareOp::Equal, operand, item)?);
            }
            let found = Expr::new(ExprKind::Or(terms), ExprType::boolean());
            return Ok(if negated { found.negated() } else { found });
        }
        let value = self.expr(operand)?;
        let list = self.exprs(list)?;
        let comparisons: Vec<Comparison> = list.iter().map(|item| Comparison::between(&value.ty, &item.ty)).collect();
        let found = match comparisons.split_first() {
            Some((first, rest)) if rest.iter().all(|other| other == first) => {
                let list = InList { value, list, comparison: *first, negated };
                return Ok(Expr::new(ExprKind::In(Box::new(list)), ExprType::boolean()));
            }
            _ => {
                let terms = list.into_iter().map(|item| compare(CompareOp::Equal, value.clone(), item)).collect();
                Expr::new(ExprKind::Or(terms), ExprType::boolean())
            }
        };
        Ok(if negated { found.negated() } else { found })
    }

    fn like(
        &mut self,
        operand: &ast::Expr,
        pattern: &ast::Expr,
        escape: Option<&ast::Expr>,
        negated: bool,
    ) -> Result<Expr> {
        let escape = match escape {
            None => Some('\\'),
            Some(escape) => match self.expr(escape)?.as_literal() {
                Some(Value::Text(text)) if text.chars().count() <= 1 => text.chars().next(),
                _ => return Err(SqlError::new(1210, "ESCAPE takes one character").at(escape.span)),
            },
        };
        let (text, pattern) = (self.expr(operand)?, self.expr(pattern)?);
        let collation = match Comparison::between(&text.ty, &pattern.ty) {
            Comparison::Text(collation) | Comparison::Mixed(collation) => collation,
            _ => Collation::UTF8MB4_0900_BIN,
        };
        collation.ready()?;
        let like = Like { text, pattern, escape, negated, collation };
        Ok(Expr::new(ExprKind::Like(Box::new(like)), ExprType::boolean()))
    }

    fn case(
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
pub(super) fn case(branches: Vec<(Expr, Expr)>, otherwise: Option<Expr>) -> Expr {
    let mut ty = types::common(branches.iter().map(|(_, value)| &value.ty).chain(otherwise.iter().map(|e| &e.ty)));
    ty.nullable |= otherwise.is_none();
    let branches = branches.into_iter().map(|(condition, value)| (condition, cast_to(value, &ty))).collect();
    let otherwise = otherwise.map(|value| cast_to(value, &ty));
    Expr::new(ExprKind::Case(Box::new(Case { branches, otherwise })), ty)
}

/// `left op right` by the rule that their types ask for.
pub(crate) fn compare(op: CompareOp, left: Expr, right: Expr) -> Expr {
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
            let json = Value::Json(Rc::new(value::Json::Bool(*number != 0)));
            Expr::literal(json, ExprType::new(SqlType::Json, false))
        }
        _ => expr,
    }
}

/// `left op right`. Quotients within it are taken to more digits than they have alone; the whole is rounded once.
pub(crate) fn arithmetic(op: ArithmeticOp, left: Expr, right: Expr) -> Expr {
    let (left, right) = if op == ArithmeticOp::Modulo {
        let (left_ty, right_ty) = (left.ty.clone(), right.ty.clone());
        (exact_beside(left, &right_ty), exact_beside(right, &left_ty))
    } else {
        (left, right)
    };
    let ty = types::arithmetic(op, &left.ty, &right.ty);
    let exact = matches!(ty.sql, SqlType::Decimal { .. });
    let (left, right) = (as_operand(left), as_operand(right));
    let has_quotient = exact && (has_quotient(&left) || has_quotient(&right));
    let whole = Expr::new(ExprKind::Arithmetic(op, Box::new([unrounded(left), unrounded(right)])), ty.clone());
    match has_quotient {
        true => Expr::new(ExprKind::Cast(Box::new(whole), CastKind::Implicit), ty),
        false => whole,
    }
}

/// A literal such as `1e-2` as a DECIMAL beside another literal or an exact number: an operand of `%`.
fn exact_beside(expr: Expr, other: &ExprType) -> Expr {
    let ExprKind::Literal(Value::Double(number)) = &expr.kind else { return expr };
    let exact = matches!(other.sql, SqlType::Integer(_) | SqlType::Decimal { .. } | SqlType::Year);
    match value::Decimal::from_f64(*number) {
        Some(decimal) if exact => {
            let scale = decimal.scale().min(30) as u8;
            Expr::literal(Value::Decimal(decimal), ExprType::new(types::decimal(65, scale), false))
        }
        _ => expr,
    }
}

/// Dates of columns as the reference counts with them: with a time of day.
fn as_operand(expr: Expr) -> Expr {
    if !matches!((&expr.kind, &expr.ty.sql), (ExprKind::Column(_), SqlType::Date)) {
        return expr;
    }
    let ty = ExprType { sql: SqlType::DateTime { decimals: 0 }, ..expr.ty.clone() };
    Expr::new(ExprKind::Cast(Box::new(expr), CastKind::Implicit), ty)
}

fn has_quotient(expr: &Expr) -> bool {
    if !matches!(expr.ty.sql, SqlType::Decimal { .. }) {
        return false;
    }
    match &expr.kind {
        ExprKind::Arithmetic(ArithmeticOp::Divide | ArithmeticOp::InnerDivide, _) => true,
        ExprKind::Cast(inner, CastKind::Implicit) => {
            matches!(inner.kind, ExprKind::Arithmetic(..)) && has_quotient(inner)
        }
        ExprKind::Arithmetic(_, sides) => sides.iter().any(has_quotient),
        _ => false,
    }
}

/// An exact quotient before it is rounded to the digits that are shown; anything else as it is.
pub(super) fn unrounded(mut expr: Expr) -> Expr {
    if !has_quotient(&expr) {
        return expr;
    }
    match expr.kind {
        ExprKind::Cast(inner, _) => *inner,
        ExprKind::Arithmetic(ArithmeticOp::Divide, sides) => {
            expr.kind = ExprKind::Arithmetic(ArithmeticOp::InnerDivide, sides);
            expr
        }
        _ => expr,
    }
}

/// The expression as a value of `ty`, converted only where that changes something.
pub(crate) fn cast_to(expr: Expr, ty: &ExprType) -> Expr {
    if !types::needs_cast(&expr.ty.sql, &ty.sql) {
        return expr;
    }
    let ty = ExprType { nullable: expr.ty.nullable, ..ty.clone() };
    Expr::new(ExprKind::Cast(Box::new(expr), CastKind::Implicit), ty)
}

pub(super) fn with_collation(expr: Expr, collation: Collation) -> Expr {
    let sql = match &expr.ty.sql {
        SqlType::Char { length, .. } => SqlType::Char { length: *length, collation },
        SqlType::VarChar { length, .. } => SqlType::VarChar { length: *length, collation },
        SqlType::Text { size, .. } => SqlType::Text { size: *size, collation },
        _ => SqlType::Text { size: value::LobSize::Long, collation },
    };
    let ty = ExprType { sql, nullable: expr.ty.nullable, coercibility: coercibility::EXPLICIT };
    // A column stays no bare column: its indexes are in the order of another collation.
    if expr.ty.sql.is_text() && expr.as_column().is_none() {
        return Expr { ty, ..expr };
    }
    Expr::new(ExprKind::Cast(Box::new(expr), CastKind::Implicit), ty)
}

pub(super) fn compare_op(operator: BinaryOperator) -> Option<CompareOp> {
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

pub(super) fn text_literal(text: &str) -> Expr {
    Expr::literal(Value::text(text.to_owned()), ExprType::new(SqlType::LONGTEXT, false))
}

/// A unit such as `day_hour`, as functions take it: an argument of text.
/// The unit of an amount of time that is added or taken away. As in the reference it is a single one: `DAY_HOUR` and its
/// kin are for EXTRACT.
pub(super) fn single_unit(unit: ast::IntervalUnit, span: ast::Span) -> Result<Expr> {
    use ast::IntervalUnit::*;
    match unit {
        Microsecond | Second | Minute | Hour | Day | Week | Month | Quarter | Year => Ok(unit_literal(unit)),
        _ => Err(SqlError::new(1064, "an INTERVAL of a composite unit is not part of this dialect").at(span)),
    }
}

pub(super) fn unit_literal(unit: ast::IntervalUnit) -> Expr {
    use ast::IntervalUnit::*;
    text_literal(match unit {
        Microsecond => "microsecond",
        Second => "second",
        Minute => "minute",
        Hour => "hour",
        Day => "day",
        Week => "week",
        Month => "month",
        Quarter => "quarter",
        Year => "year",
        SecondMicrosecond => "second_microsecond",
        MinuteMicrosecond => "minute_microsecond",
        MinuteSecond => "minute_second",
        HourMicrosecond => "hour_microsecond",
        HourSecond => "hour_second",
        HourMinute => "hour_minute",
        DayMicrosecond => "day_microsecond",
        DaySecond => "day_second",
        DayMinute => "day_minute",
        DayHour => "day_hour",
        YearMonth => "year_month",
    })
}

/// The type that a CAST names.
pub(crate) fn cast_target(target: &ast::DataType) -> Result<SqlType> {
    use ast::TypeKind as T;
    let length = |otherwise: u64| target.length.unwrap_or(otherwise) as u32;
    Ok(match target.kind {
        T::Signed if target.unsigned => SqlType::BIGINT_UNSIGNED,
        T::Signed | T::BigInt | T::Int | T::MediumInt | T::SmallInt | T::TinyInt if !target.unsigned => SqlType::BIGINT,
        T::BigInt | T::Int | T::MediumInt | T::SmallInt | T::TinyInt => SqlType::BIGINT_UNSIGNED,
        T::Boolean => SqlType::BOOLEAN,
        T::Decimal => SqlType::Decimal {
            precision: target.length.unwrap_or(10).min(65) as u8,
            scale: target.scale.unwrap_or(0).min(30) as u8,
        },
        T::Float => SqlType::Float,
        T::Double => SqlType::Double,
        T::Date => SqlType::Date,
        T::Time => SqlType::Time,
        T::DateTime | T::Timestamp => SqlType::DateTime { decimals: target.length.unwrap_or(6).min(6) as u8 },
        T::Year => SqlType::Year,
        T::Json => SqlType::Json,
        T::Char | T::VarChar | T::Text | T::TinyText | T::MediumText | T::LongText => {
            let collation = match (&target.collation, &target.charset) {
                (Some(collation), _) => Collation::from_name(&collation.text)?,
                (None, Some(charset)) if charset.is("binary") => {
                    return Ok(SqlType::VarBinary { length: length(65_535) });
                }
                _ => Collation::UTF8MB4_0900_BIN,
            };
            match target.length {
                Some(length) => SqlType::VarChar { length: length as u32, collation },
                None => SqlType::Text { size: value::LobSize::Long, collation },
            }
        }
        T::Binary => match target.length {
            Some(length) => SqlType::Binary { length: length as u32 },
            None => SqlType::LONGBLOB,
        },
        T::VarBinary | T::Blob | T::TinyBlob | T::MediumBlob | T::LongBlob => SqlType::LONGBLOB,
        _ => return Err(SqlError::unsupported("a CAST to this type").at(target.span)),
    })
}
