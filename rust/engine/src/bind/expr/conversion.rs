//! Binding of CAST and CONVERT, collations, and implicit conversions.

use parse::ast;
use value::{Charset, Collation, SqlType, Value};

use super::arithmetic::unrounded;

use crate::bind::Binder;
use crate::bind::literal::text_literal;
use crate::error::{Result, SqlError};
use crate::expr::{Call, CastKind, Expr, ExprKind, ExprType, coercibility, types};
use crate::functions::Traits;
use crate::plan::SubqueryTest;

impl Binder<'_> {
    pub(super) fn cast(&mut self, operand: &ast::Expr, target: &ast::DataType) -> Result<Expr> {
        use ast::TypeKind as T;
        let operand = match target.kind {
            T::Date | T::DateTime | T::Timestamp | T::Time | T::Year => self.expr(operand)?,
            _ => day_as_text(self.expr(operand)?),
        };
        if target.kind == T::Decimal && !has_digits(target) {
            return self.call("cast_decimal", vec![operand]);
        }
        let mut ty = ExprType::new(cast_target(target)?, true);
        if let (ExprKind::Literal(Value::Text(_)), SqlType::VarChar { collation, .. }) = (&operand.kind, &ty.sql) {
            // Text that is written down is not shortened: the cast has nothing to do.
            ty.sql = SqlType::Text { size: value::LobSize::Long, collation: *collation };
        }
        if ty.sql.is_text() {
            ty = ty.preferring((self.literal_collation(), coercibility::COLUMN));
        }
        let operand = match &ty.sql {
            SqlType::Json => value_in_json(operand),
            sql if sql.is_number() => unrounded(operand),
            _ => operand,
        };
        Ok(Expr::new(ExprKind::Cast(Box::new(operand), CastKind::Explicit), ty))
    }

    pub(super) fn collate(&mut self, operand: &ast::Expr, collation: &ast::Ident, span: ast::Span) -> Result<Expr> {
        let collation = Collation::from_name(&collation.text)?;
        let operand = self.expr(operand)?;
        let sql = &operand.ty.sql;
        if !(sql.is_text() || sql.is_binary() || sql.has_members() || *sql == SqlType::Null) {
            return Err(SqlError::general("wrong type in collated expression").at(span));
        }
        let charset = if sql.is_binary() { Charset::Binary } else { operand.ty.collation().charset() };
        let fits = collation.charset() == charset || collation.charset() == Charset::Binary;
        if (sql.is_text() || sql.is_binary()) && !fits {
            let (name, charset) = (collation.name(), charset.name());
            let text = format!("COLLATION '{name}' is not valid for CHARACTER SET '{charset}'");
            return Err(SqlError::general(text).at(span));
        }
        Ok(with_collation(operand, collation))
    }
}

/// Whether a DECIMAL says how it rounds: one without a scale, or with digits that no DECIMAL has, leaves a number as it is.
fn has_digits(target: &ast::DataType) -> bool {
    let (precision, scale) = (target.length.unwrap_or(0), target.scale.unwrap_or(0));
    scale > 0 && scale <= 30 && scale <= precision && precision <= 65
}

/// DATE(…) and CURDATE() are the text of a day where text is asked for; all other dates are midnights there.
pub(in crate::bind) fn day_as_text(expr: Expr) -> Expr {
    if is_day(&expr) { text_of_day(expr) } else { expr }
}

pub(in crate::bind) fn is_day(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call(call) if call.function.is(Traits::GIVES_DAY))
}

pub(in crate::bind) fn text_of_day(expr: Expr) -> Expr {
    let ty = ExprType { nullable: expr.ty.nullable, ..ExprType::text() };
    called("date_format", vec![expr, text_literal("%Y-%m-%d")], ty)
}

/// An implicit call.
fn called(name: &str, args: Vec<Expr>, ty: ExprType) -> Expr {
    let Some(function) = crate::functions::scalar(name) else { return Expr::null() };
    let call = Call { function, args, collation: ty.collation() };
    Expr::new(ExprKind::Call(Box::new(call)), ty)
}

/// The expression as a value of `ty`, converted only where that changes something.
pub(in crate::bind) fn cast_to(expr: Expr, ty: &ExprType) -> Expr {
    let expr = if ty.sql.is_text() { day_as_text(expr) } else { expr };
    if !types::needs_cast(&expr.ty.sql, &ty.sql) {
        return expr;
    }
    let is_decimal = matches!(expr.ty.sql, SqlType::Decimal { .. });
    let ty = ExprType { nullable: expr.ty.nullable, ..ty.clone() };
    if ty.sql == types::OF_OWN_DIGITS && expr.ty.sql.is_number() {
        return if is_decimal { expr } else { called("cast_decimal", vec![expr], ty) };
    }
    let expr = if ty.sql == SqlType::Json { value_in_json(expr) } else { expr };
    Expr::new(ExprKind::Cast(Box::new(expr), CastKind::Implicit), ty)
}

fn with_collation(expr: Expr, collation: Collation) -> Expr {
    let sql = match &expr.ty.sql {
        SqlType::Char { length, .. } => SqlType::Char { length: *length, collation },
        SqlType::VarChar { length, .. } => SqlType::VarChar { length: *length, collation },
        SqlType::Text { size, .. } => SqlType::Text { size: *size, collation },
        _ => SqlType::Text { size: value::LobSize::Long, collation },
    };
    let ty = ExprType::new(sql, expr.ty.nullable).preferring((collation, coercibility::EXPLICIT));
    // A column stays no bare column: its indexes are in the order of another collation.
    if expr.ty.sql.is_text() && expr.as_column().is_none() {
        return Expr { ty, ..expr };
    }
    Expr::new(ExprKind::Cast(Box::new(expr), CastKind::Implicit), ty)
}

/// The type that a CAST names.
pub(in crate::bind) fn cast_target(target: &ast::DataType) -> Result<SqlType> {
    use ast::TypeKind as T;
    let within = |length: u64| u32::try_from(length).unwrap_or(u32::MAX);
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
        T::DateTime | T::Timestamp => SqlType::DateTime { decimals: target.length.unwrap_or(0).min(6) as u8 },
        T::Year => SqlType::Year,
        T::Json => SqlType::Json,
        T::Char | T::VarChar | T::Text | T::TinyText | T::MediumText | T::LongText => {
            let collation = match (&target.collation, &target.charset) {
                (Some(collation), _) => Collation::from_name(&collation.text)?,
                (None, Some(charset)) if charset.is("binary") => {
                    return Ok(SqlType::VarBinary { length: within(target.length.unwrap_or(65_535)) });
                }
                _ => Collation::UTF8MB4_0900_BIN,
            };
            match target.length {
                Some(length) => SqlType::VarChar { length: within(length), collation },
                None => SqlType::Text { size: value::LobSize::Long, collation },
            }
        }
        T::Binary => match target.length {
            Some(length) => SqlType::Binary { length: within(length) },
            None => SqlType::LONGBLOB,
        },
        T::VarBinary | T::Blob | T::TinyBlob | T::MediumBlob | T::LongBlob => SqlType::LONGBLOB,
        _ => return Err(SqlError::unsupported("a CAST to this type").at(target.span)),
    })
}

/// An argument that becomes part of a document: only what is true or false by its form is so there, a TINYINT(1) is a number, and
/// TIMESTAMP of a text is a moment.
pub(in crate::bind) fn value_in_json(expr: Expr) -> Expr {
    if is_text_of_moment(&expr) {
        return converted(expr, SqlType::DateTime { decimals: 6 });
    }
    if expr.ty.sql != SqlType::BOOLEAN || is_truth_in_json(&expr) {
        return expr;
    }
    converted(expr, SqlType::BIGINT)
}

/// What an expression is by its form, beyond its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bind) enum Form {
    /// TIMESTAMP of a text.
    Moment,
    Day,
    Truth,
}

impl Form {
    pub fn of(expr: &Expr) -> Option<Form> {
        match expr {
            expr if is_text_of_moment(expr) => Some(Form::Moment),
            expr if is_day(expr) => Some(Form::Day),
            expr if expr.ty.sql == SqlType::BOOLEAN && is_truth_in_json(expr) => Some(Form::Truth),
            _ => None,
        }
    }
}

/// What a column of a query with values of this form gives to a column of type `to`: what the expression itself would.
pub(in crate::bind) fn selected_for(column: Expr, form: Form, to: &SqlType) -> Expr {
    match (form, to) {
        (Form::Moment, SqlType::Json) if column.ty.sql.is_text() => {
            converted(column, SqlType::DateTime { decimals: 6 })
        }
        (Form::Truth, SqlType::Json) if column.ty.sql == SqlType::BOOLEAN => converted(column, SqlType::Json),
        (Form::Day, to) if to.is_text() && column.ty.sql == SqlType::Date => text_of_day(column),
        _ => column,
    }
}

fn converted(expr: Expr, sql: SqlType) -> Expr {
    let ty = ExprType { sql, ..expr.ty.clone() };
    Expr::new(ExprKind::Cast(Box::new(expr), CastKind::Implicit), ty)
}

fn is_text_of_moment(expr: &Expr) -> bool {
    expr.ty.sql.is_text() && matches!(&expr.kind, ExprKind::Call(call) if call.function.is(Traits::GIVES_MOMENT))
}

fn is_truth_in_json(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Subquery(subquery) => subquery.test != SubqueryTest::Scalar,
        ExprKind::Call(call) => !call.function.is(Traits::GIVES_ARGUMENT),
        ExprKind::Case(_) => false,
        _ => is_truth(expr),
    }
}

/// Whether an expression is a truth value by its form.
pub(in crate::bind) fn is_truth(expr: &Expr) -> bool {
    let is_boolean = matches!(&expr.ty.sql, SqlType::Integer(kind) if kind.boolean);
    is_boolean
        && !matches!(
            expr.kind,
            ExprKind::Column(_) | ExprKind::Outer(_) | ExprKind::Param(_) | ExprKind::Cast(..) | ExprKind::Negate(_)
        )
}
