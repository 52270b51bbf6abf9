//! Column types that CREATE TABLE … AS SELECT and views derive from expressions.
//!
//! They are those that native Dolt declares: a table made by the same statement has the same hash. They are not always what the values
//! need. Native declares `price * quantity` with the digits of the price, and SUM as never NULL; what does not fit is an error. So an
//! expression is computed with its own type, and only a column that is made of it is declared so.

use std::rc::Rc;

use value::{Charset, Collation, IntegerType, IntegerWidth, LobSize, SqlType, Value};

use super::Binder;
use crate::expr::{AggregateCall, ArithmeticOp, Call, Case, CastKind, Expr, ExprKind, ExprType, coercibility, types};
use crate::functions::shown_type;
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
                let declared = self.of_call(expr, call).unwrap_or_else(own);
                match NULL_AS_ARGUMENTS.contains(&call.function.name) {
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
        let argument = || call.args.first().map_or_else(ExprType::null, |argument| self.declared_type(argument));
        let own = call.ty.clone();
        match call.function.name {
            "sum" | "json_arrayagg" => ExprType { nullable: false, ..own },
            "min" | "max" | "first" | "last" => ExprType { nullable: false, ..argument() },
            "group_concat" => match own.sql {
                SqlType::Text { collation, .. } => {
                    ExprType { sql: SqlType::Text { size: LobSize::Regular, collation }, ..own }
                }
                _ => own,
            },
            _ if shown_type(call).is_some() => ExprType::new(call.args[0].ty.sql.clone(), false),
            _ => own,
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

    fn of_call(&self, expr: &Expr, call: &Call) -> Option<ExprType> {
        let argument = |at: usize| call.args.get(at).map(|argument| self.declared_type(argument));
        let as_type = |sql: SqlType| Some(ExprType { sql, ..expr.ty.clone() });
        let never_null = |sql: &SqlType| Some(ExprType::new(sql.clone(), false));
        match call.function.name {
            "ifnull" => {
                let (first, second) = (argument(0)?, argument(1)?);
                let nullable = first.nullable && second.nullable;
                Some(ExprType { nullable, ..general(first, second) })
            }
            "coalesce" => Some(self.of_coalesce(call, expr)),
            "round" if matches!(expr.ty.sql, SqlType::Decimal { .. }) => as_type(argument(0)?.sql),
            "nullif" => Some(ExprType { nullable: true, ..argument(0)? }),
            "substring" | "trim" | "ltrim" | "rtrim" | "reverse" => argument(0),
            "convert_using" => {
                let Some(Value::Text(charset)) = call.args.get(1)?.as_literal() else { return None };
                Some(in_collation(argument(0)?, Charset::from_name(charset).ok()?.default_collation()))
            }
            "concat" => as_type(SqlType::LONGTEXT),
            "hex" => as_type(text(LobSize::Long, Collation::UTF8MB4_0900_AI_CI)),
            "date_format" | "time_format" | "dayname" | "monthname" | "bin" | "quote" | "json_type" => {
                as_type(text(LobSize::Regular, expr.ty.collation()))
            }
            "json_value" if expr.ty.sql == SqlType::LONGTEXT => {
                as_type(SqlType::VarChar { length: 512, collation: Collation::UTF8MB4_0900_BIN })
            }
            "date_add" | "date_sub" if expr.ty.sql.is_text() => as_type(text(LobSize::Regular, expr.ty.collation())),
            "ascii" => as_type(SqlType::Integer(IntegerType::new(IntegerWidth::Tiny, true))),
            "char" => as_type(SqlType::VarBinary { length: 4 * call.args.len() as u32 }),
            "unix_timestamp" => match argument(0).map(|of| of.sql) {
                None => never_null(&SqlType::BIGINT),
                Some(_) if matches!(expr.ty.sql, SqlType::Decimal { .. }) => None,
                Some(of) => as_type(SqlType::Decimal { precision: 19, scale: if of.is_date() { 0 } else { 6 } }),
            },
            "isnull" | "field" | "connection_id" | "rand" | "pi" | "version" | "utc_timestamp" | "curtime"
            | "current_time" | "last_insert_id" => never_null(&expr.ty.sql),
            "curdate" | "current_date" | "user" | "current_user" => never_null(&SqlType::LONGTEXT),
            "database" => as_type(SqlType::LONGTEXT),
            "uuid" => never_null(&SqlType::VarChar { length: 36, collation: Collation::UTF8MB4_0900_BIN }),
            _ => None,
        }
    }

    /// Whole numbers of different sizes make an INT, or a BIGINT beside one; whether it takes NULL is what the first argument says.
    fn of_coalesce(&self, call: &Call, expr: &Expr) -> ExprType {
        let mut types = call.args.iter().map(|argument| self.declared_type(argument));
        let first = types.next().unwrap_or_else(ExprType::null);
        let sql = types.map(|ty| ty.sql).fold(first.sql, |ty, other| match (&ty, &other) {
            (_, SqlType::Null) => ty,
            (l, r) if l == r => ty,
            (SqlType::Null, SqlType::Integer(kind)) => of_coalesced(*kind, *kind),
            (SqlType::Integer(l), SqlType::Integer(r)) => of_coalesced(*l, *r),
            (SqlType::Decimal { .. }, SqlType::Integer(_)) => ty,
            (SqlType::Decimal { .. } | SqlType::Integer(_), SqlType::Decimal { .. }) => other,
            _ => expr.ty.sql.clone(),
        });
        ExprType { sql, nullable: first.nullable, ..expr.ty.clone() }
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

/// Functions that are declared to give NULL only where an argument may be NULL.
const NULL_AS_ARGUMENTS: &[&str] = &[
    "abs",
    "ascii",
    "bin",
    "bit_count",
    "ceil",
    "ceiling",
    "char_length",
    "concat",
    "concat_ws",
    "crc32",
    "date_format",
    "degrees",
    "find_in_set",
    "floor",
    "format",
    "from_base64",
    "from_days",
    "greatest",
    "hex",
    "hour",
    "inet_aton",
    "inet_ntoa",
    "insert",
    "instr",
    "is_ipv4",
    "json_array",
    "json_contains",
    "json_extract",
    "json_keys",
    "json_length",
    "json_merge_patch",
    "json_object",
    "json_quote",
    "json_search",
    "json_set",
    "json_type",
    "json_unquote",
    "json_valid",
    "json_value",
    "lcase",
    "least",
    "left",
    "length",
    "locate",
    "lower",
    "lpad",
    "md5",
    "microsecond",
    "mid",
    "minute",
    "ord",
    "pow",
    "power",
    "quote",
    "radians",
    "repeat",
    "replace",
    "right",
    "round",
    "rpad",
    "second",
    "sha",
    "sha1",
    "sign",
    "sin",
    "soundex",
    "space",
    "strcmp",
    "substr",
    "substring_index",
    "time",
    "time_format",
    "timediff",
    "timestamp",
    "to_base64",
    "truncate",
    "ucase",
    "unhex",
    "unix_timestamp",
    "upper",
    "year",
];

fn is_bit(ty: &SqlType) -> bool {
    matches!(ty, SqlType::Bit(_))
}

fn is_float(ty: &SqlType) -> bool {
    matches!(ty, SqlType::Float | SqlType::Double | SqlType::Json) || ty.is_text() || ty.is_binary()
}

fn text(size: LobSize, collation: Collation) -> SqlType {
    SqlType::Text { size, collation }
}

/// The type of text in another collation; other types as they are.
fn in_collation(ty: ExprType, collation: Collation) -> ExprType {
    let sql = match ty.sql {
        SqlType::Char { length, .. } => SqlType::Char { length, collation },
        SqlType::VarChar { length, .. } => SqlType::VarChar { length, collation },
        SqlType::Text { size, .. } => SqlType::Text { size, collation },
        sql => sql,
    };
    ExprType { sql, ..ty }
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

/// The type of a choice between two values.
fn general(left: ExprType, right: ExprType) -> ExprType {
    let nullable = left.nullable || right.nullable;
    let as_number = |ty: &SqlType| match ty {
        SqlType::Bit(_) => SqlType::BIGINT,
        SqlType::Year => SqlType::Integer(IntegerType::new(IntegerWidth::Int, false)),
        ty => ty.clone(),
    };
    let sql = match (&left.sql, &right.sql) {
        (l, r) if l == r || *r == SqlType::Null => l.clone(),
        (SqlType::Null, r) => r.clone(),
        (SqlType::Integer(l), SqlType::Integer(r)) if l.width == r.width && l.unsigned == r.unsigned => {
            left.sql.clone()
        }
        (l, r) if l.is_number() && r.is_number() => match (as_number(l), as_number(r)) {
            (SqlType::Float | SqlType::Double, _) | (_, SqlType::Float | SqlType::Double) => SqlType::Double,
            (SqlType::Decimal { .. }, _) | (_, SqlType::Decimal { .. }) => {
                SqlType::Decimal { precision: LONGEST, scale: value::DECIMAL_SCALE_MAX }
            }
            (SqlType::Integer(l), SqlType::Integer(r)) => of_whole_numbers(l, r),
            _ => SqlType::BIGINT,
        },
        (SqlType::Timestamp { .. }, SqlType::Timestamp { .. }) => SqlType::Timestamp { decimals: 6 },
        (l, r) if l.is_temporal() && r.is_temporal() => SqlType::DateTime { decimals: 6 },
        (SqlType::Blob { .. }, _) | (_, SqlType::Blob { .. }) => SqlType::LONGBLOB,
        (l, r) => match (length(l), length(r)) {
            (Some(left), Some(right)) => {
                if left > right {
                    l.clone()
                } else {
                    r.clone()
                }
            }
            _ => SqlType::LONGTEXT,
        },
    };
    ExprType { sql, nullable, ..left }
}

fn of_coalesced(left: IntegerType, right: IntegerType) -> SqlType {
    if left.unsigned != right.unsigned {
        return SqlType::Decimal { precision: 20, scale: 0 };
    }
    let is_big = left.width == IntegerWidth::Big || right.width == IntegerWidth::Big;
    let width = if is_big { IntegerWidth::Big } else { IntegerWidth::Int };
    SqlType::Integer(IntegerType::new(width, left.unsigned))
}

/// How long texts and bytes of a type may be.
fn length(ty: &SqlType) -> Option<u64> {
    match ty {
        SqlType::Char { length, .. } | SqlType::VarChar { length, .. } => Some(u64::from(*length)),
        SqlType::Binary { length } | SqlType::VarBinary { length } => Some(u64::from(*length)),
        SqlType::Text { size, .. } => Some(match size {
            LobSize::Tiny => u64::from(u8::MAX),
            LobSize::Regular => u64::from(u16::MAX),
            LobSize::Medium => (1 << 24) - 1,
            LobSize::Long => u64::from(u32::MAX),
        }),
        _ => None,
    }
}

fn of_whole_numbers(left: IntegerType, right: IntegerType) -> SqlType {
    use IntegerWidth::*;
    let has = |width: IntegerWidth, unsigned: bool| {
        [left, right].iter().any(|kind| (kind.width, kind.unsigned) == (width, unsigned))
    };
    let is_mixed = left.unsigned != right.unsigned;
    if has(Big, true) && is_mixed {
        return SqlType::Decimal { precision: LONGEST, scale: 0 };
    }
    for (width, wider) in [(Big, Big), (Int, Big), (Medium, Int), (Small, Medium), (Tiny, Small)] {
        if has(width, true) {
            return SqlType::Integer(if is_mixed {
                IntegerType::new(wider, false)
            } else {
                IntegerType::new(width, true)
            });
        }
        if has(width, false) {
            return SqlType::Integer(IntegerType::new(width, false));
        }
    }
    SqlType::BIGINT
}
