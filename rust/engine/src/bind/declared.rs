//! Column types that CREATE TABLE … AS SELECT and views derive from expressions.
//!
//! They are those that native Dolt declares: a table made by the same statement has the same hash. They are not always what the values
//! need. Native declares `price * quantity` with the digits of the price, and SUM as never NULL; what does not fit is an error. So an
//! expression is computed with its own type, and only a column that is made of it is declared so.

use std::rc::Rc;

use value::{IntegerType, IntegerWidth, LobSize, SqlType, Value};

use super::Binder;
use crate::expr::{AggregateCall, ArithmeticOp, Case, CastKind, Expr, ExprKind, ExprType, coercibility, types};
use crate::functions::{DeclaredBy, DeclaredCall, Traits, general, in_collation};
use crate::plan::{ColumnId, WindowFunction};

/// What a quotient has behind the point beyond its dividend.
const DIVISION_DIGITS: u8 = 4;
const LONGEST: u8 = value::DECIMAL_PRECISION_MAX;

impl Binder<'_> {
    /// Notes the declared type of an output column, where it is another than the expression's.
    pub(super) fn declare(&mut self, id: ColumnId, expr: &Expr) {
        let declared = self.declared_type(expr);
        if declared.sql != expr.ty.sql || declared.nullable != expr.ty.nullable {
            self.declared.push((id, declared));
        }
    }

    /// Notes that a column is declared so.
    pub(super) fn declare_as(&mut self, id: ColumnId, ty: ExprType) {
        self.declared.push((id, ty));
    }

    /// Records the defaults of outputs that are columns of tables, for the new table. Which keep theirs depends on what
    /// native Dolt finds in its plan: not those of rows that are ordered (but by DISTINCT), taken by HAVING or numbered by windows,
    /// nor those beside a subquery in the list. The caller knows.
    pub(super) fn keep_defaults<'i>(&mut self, shown: impl IntoIterator<Item = (ColumnId, &'i Expr)>) {
        for (output, expr) in shown {
            if let Some(default) = expr.as_column().and_then(|id| self.default_of(id)) {
                self.defaults.push((output, default));
            }
        }
    }

    /// The default of a column of a table, or of an output that is one.
    pub(super) fn default_of(&self, id: ColumnId) -> Option<Rc<str>> {
        if let Some((_, default)) = self.defaults.iter().find(|(known, _)| *known == id) {
            return Some(default.clone());
        }
        let behind = self.origins.partition_point(|(first, _)| *first <= id);
        let (first, relation) = self.origins.get(behind.checked_sub(1)?)?;
        let stored = relation.base()?.schema().columns.get((id - first) as usize)?;
        stored.default.as_deref().map(Rc::from)
    }

    /// The declared type of a column, where it is another than that of its values.
    pub(super) fn declared(&self, id: ColumnId) -> Option<&ExprType> {
        self.declared.iter().find(|(known, _)| *known == id).map(|(_, ty)| ty)
    }

    fn declared_type(&self, expr: &Expr) -> ExprType {
        let own = || expr.ty.clone();
        match &expr.kind {
            ExprKind::Column(id) => match self.aggregate_of(*id) {
                Some(call) => self.of_aggregate(call),
                None => self.of_window(*id).or_else(|| self.declared(*id).cloned()).unwrap_or_else(own),
            },
            ExprKind::Negate(inner) => of_negation(self.declared_type(inner)),
            ExprKind::Arithmetic(op, sides) => self.of_operation(expr, *op, sides),
            ExprKind::Not(inner) => ExprType { nullable: self.declared_type(inner).nullable, ..own() },
            ExprKind::And(terms) | ExprKind::Or(terms) => {
                ExprType { nullable: terms.iter().any(|term| self.declared_type(term).nullable), ..own() }
            }
            ExprKind::Literal(value) => of_literal(value).map_or_else(own, |sql| ExprType { sql, ..own() }),
            ExprKind::Case(case) => self.of_case(case),
            // COLLATE.
            ExprKind::Cast(inner, CastKind::Implicit) if expr.ty.coercibility == coercibility::EXPLICIT => {
                in_collation(self.declared_type(inner), expr.ty.collation())
            }
            ExprKind::Cast(inner, CastKind::Implicit) => self.declared_type(inner),
            ExprKind::Cast(inner, CastKind::Explicit)
                if expr.ty.sql.is_number() || matches!(expr.ty.sql, SqlType::Time | SqlType::Json) =>
            {
                ExprType { nullable: self.declared_type(inner).nullable, ..own() }
            }
            ExprKind::Cast(_, CastKind::Explicit) => match expr.ty.sql {
                SqlType::VarChar { collation, .. } => {
                    ExprType { sql: SqlType::Text { size: LobSize::Long, collation }, ..own() }
                }
                _ => own(),
            },
            ExprKind::Call(call) => {
                let function = call.function;
                let of_call = |declared: DeclaredBy| {
                    let declared_of = |argument: &Expr| self.declared_type(argument);
                    declared(&DeclaredCall { ty: &expr.ty, args: &call.args, declared_of: &declared_of })
                };
                let declared = function.declared.and_then(of_call).unwrap_or_else(own);
                match function.is(Traits::NULL_AS_ARGUMENTS) {
                    true => ExprType { nullable: self.has_null(&call.args), ..declared },
                    false => declared,
                }
            }
            ExprKind::Like(like) => ExprType { nullable: self.has_null([&like.text, &like.pattern]), ..own() },
            ExprKind::Subquery(subquery) => subquery.shown.clone().unwrap_or_else(own),
            ExprKind::Xor(sides) => ExprType { nullable: self.has_null(&**sides), ..own() },
            _ => own(),
        }
    }

    /// Whether one of these is declared as perhaps NULL.
    fn has_null<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> bool {
        exprs.into_iter().any(|expr| self.declared_type(expr).nullable)
    }

    /// The call of an aggregate function that gives a column.
    fn aggregate_of(&self, id: ColumnId) -> Option<&AggregateCall> {
        let frame = self.frames.last()?;
        let calls = frame.aggregation.iter().flat_map(|aggregation| &aggregation.calls);
        let windows = frame.windows.iter().flatten().filter_map(|(id, window)| match &window.function {
            WindowFunction::Aggregate(call) => Some((id, call)),
            _ => None,
        });
        calls.map(|(id, call)| (id, call)).chain(windows).find(|(known, _)| **known == id).map(|(_, call)| call)
    }

    /// What a column of a window function is declared as that is no aggregate.
    fn of_window(&self, id: ColumnId) -> Option<ExprType> {
        let windows = self.frames.last()?.windows.as_ref()?;
        let (_, window) = windows.iter().find(|(known, _)| *known == id)?;
        match &window.function {
            WindowFunction::FirstValue(value) | WindowFunction::LastValue(value) => Some(self.declared_type(value)),
            WindowFunction::Ntile(_) => Some(ExprType::new(SqlType::Double, false)),
            _ => None,
        }
    }

    fn of_aggregate(&self, call: &AggregateCall) -> ExprType {
        let declared_of = |argument: &Expr| self.declared_type(argument);
        let of_call = DeclaredCall { ty: &call.ty, args: &call.args, declared_of: &declared_of };
        match call.function.declared.and_then(|declared| declared(&of_call)) {
            Some(declared) => declared,
            None if call.function.shown_type(call).is_some() => ExprType::new(call.args[0].ty.sql.clone(), false),
            None => call.ty.clone(),
        }
    }

    fn of_operation(&self, expr: &Expr, op: ArithmeticOp, sides: &[Expr; 2]) -> ExprType {
        let (left, right) = (self.declared_type(&sides[0]), self.declared_type(&sides[1]));
        let own = expr.ty.clone();
        match op {
            ArithmeticOp::Add | ArithmeticOp::Subtract | ArithmeticOp::Multiply => {
                let nullable = left.nullable || right.nullable;
                ExprType { sql: of_arithmetic(op, &left.sql, &right.sql), nullable, ..own }
            }
            ArithmeticOp::Divide | ArithmeticOp::InnerDivide => {
                ExprType { sql: of_quotient(&left.sql, &right.sql), ..own }
            }
            ArithmeticOp::Modulo => ExprType { sql: self.of_remainder(expr, &left.sql, &right.sql), ..own },
            ArithmeticOp::IntegerDivide if is_bit(&left.sql) || is_bit(&right.sql) => {
                ExprType { sql: SqlType::BIGINT, ..own }
            }
            _ => own,
        }
    }

    fn of_case(&self, case: &Case) -> ExprType {
        let values = case.branches.iter().map(|(_, value)| value).chain(&case.otherwise);
        let mut ty = values.map(|value| self.declared_type(value)).reduce(general).unwrap_or_else(ExprType::null);
        ty.nullable |= case.otherwise.is_none();
        ty
    }

    /// The digits of a remainder: the most that columns and numbers in it have, whole numbers of columns none.
    fn of_remainder(&self, expr: &Expr, left: &SqlType, right: &SqlType) -> SqlType {
        let mut digits = Digits::default();
        self.collect_digits(expr, &mut digits);
        let is_text = |ty: &SqlType| ty.is_text() || ty.is_binary();
        if is_text(left) || is_text(right) || digits.is_float {
            return SqlType::Double;
        }
        match digits.whole + digits.scale {
            0 => SqlType::Decimal { precision: 10, scale: 0 },
            precision => SqlType::Decimal { precision: precision.min(LONGEST), scale: digits.scale },
        }
    }

    fn collect_digits(&self, expr: &Expr, digits: &mut Digits) {
        match &expr.kind {
            ExprKind::Column(_) => digits.take_type(&self.declared_type(expr).sql),
            ExprKind::Cast(_, CastKind::Explicit) => digits.take_type(&expr.ty.sql),
            ExprKind::Literal(value) => digits.take_number(value),
            ExprKind::Call(_) => digits.is_float |= expr.ty.sql == SqlType::Double,
            _ => {}
        }
        expr.children(|child| self.collect_digits(child, digits));
    }
}

/// The digits before and behind the point.
#[derive(Default)]
struct Digits {
    whole: u8,
    scale: u8,
    is_float: bool,
}

impl Digits {
    fn take_type(&mut self, ty: &SqlType) {
        match ty {
            SqlType::Decimal { precision, scale } => self.take(precision.saturating_sub(*scale), *scale),
            SqlType::Float | SqlType::Double => self.is_float = true,
            _ => {}
        }
    }

    fn take_number(&mut self, value: &Value<'_>) {
        match value {
            Value::Int(number) => self.take_whole(number.unsigned_abs()),
            Value::UInt(number) => self.take_whole(*number),
            Value::Decimal(number) => {
                let scale = number.scale().min(u32::from(value::DECIMAL_SCALE_MAX)) as u8;
                self.take((number.integer_digits() as u8).max(1), scale);
            }
            _ => {}
        }
    }

    fn take_whole(&mut self, number: u64) {
        self.take(number.checked_ilog10().unwrap_or(0) as u8 + 1, 0);
    }

    fn take(&mut self, whole: u8, scale: u8) {
        (self.whole, self.scale) = (self.whole.max(whole), self.scale.max(scale));
    }
}

fn is_bit(ty: &SqlType) -> bool {
    matches!(ty, SqlType::Bit(_))
}

fn is_float(ty: &SqlType) -> bool {
    matches!(ty, SqlType::Float | SqlType::Double | SqlType::Json) || ty.is_text() || ty.is_binary()
}

/// A number that is written down, where it is declared otherwise than it is computed with.
fn of_literal(value: &Value<'_>) -> Option<SqlType> {
    match value {
        Value::Int(number) => match types::integer_literal(i128::from(*number)) {
            SqlType::Integer(IntegerType { width: IntegerWidth::Medium, unsigned, .. }) => {
                Some(SqlType::Integer(IntegerType::new(IntegerWidth::Int, unsigned)))
            }
            _ => None,
        },
        // The nought before the point is a digit.
        Value::Decimal(number) if number.integer_digits() == 0 => {
            let scale = number.scale().min(u32::from(value::DECIMAL_SCALE_MAX)) as u8;
            Some(SqlType::Decimal { precision: scale + 1, scale })
        }
        _ => None,
    }
}

fn of_negation(ty: ExprType) -> ExprType {
    use IntegerWidth::*;
    let sql = match &ty.sql {
        SqlType::Integer(IntegerType { boolean: true, .. }) => return ty,
        SqlType::Integer(kind) => match (kind.width, kind.unsigned) {
            (Tiny | Small | Int, false) | (Big, true) => SqlType::BIGINT,
            (Int, true) => SqlType::Integer(IntegerType::new(Int, false)),
            _ => return ty,
        },
        sql if sql.is_number() => return ty,
        _ => SqlType::Double,
    };
    ExprType { sql, ..ty }
}

/// An operand of `+`, `-` and `*`: moments are numbers like 20240131235959.
fn operand(ty: &SqlType) -> SqlType {
    match ty {
        SqlType::Bit(_) | SqlType::Date | SqlType::DateTime { decimals: 0 } => SqlType::BIGINT,
        SqlType::DateTime { decimals } => SqlType::Decimal { precision: LONGEST, scale: *decimals },
        ty => ty.clone(),
    }
}

fn of_arithmetic(op: ArithmeticOp, left: &SqlType, right: &SqlType) -> SqlType {
    if is_float(left) || is_float(right) {
        return SqlType::Double;
    }
    match (operand(left), operand(right)) {
        (SqlType::Year, SqlType::Year) => SqlType::BIGINT_UNSIGNED,
        (SqlType::Integer(l), SqlType::Integer(r)) if l.unsigned && r.unsigned => SqlType::BIGINT_UNSIGNED,
        (SqlType::Integer(_), SqlType::Integer(_)) => SqlType::BIGINT,
        (SqlType::Decimal { precision: l, scale: l_scale }, SqlType::Decimal { precision: r, scale: r_scale }) => {
            let scale =
                if op == ArithmeticOp::Multiply { l_scale.saturating_add(r_scale) } else { l_scale.max(r_scale) };
            SqlType::Decimal {
                precision: l.max(r).saturating_add(scale).min(LONGEST),
                scale: scale.min(value::DECIMAL_SCALE_MAX),
            }
        }
        (exact @ SqlType::Decimal { .. }, _) | (_, exact @ SqlType::Decimal { .. }) => exact,
        _ => SqlType::Double,
    }
}

fn of_quotient(left: &SqlType, right: &SqlType) -> SqlType {
    if is_float(left) || is_float(right) {
        return SqlType::Double;
    }
    let (precision, scale) = match left {
        SqlType::Decimal { precision, scale } => (precision.saturating_add(DIVISION_DIGITS).min(LONGEST), *scale),
        SqlType::DateTime { decimals } => (LONGEST, *decimals),
        _ => (LONGEST, 0),
    };
    SqlType::Decimal { precision, scale: (scale + DIVISION_DIGITS).min(value::DECIMAL_SCALE_MAX) }
}
