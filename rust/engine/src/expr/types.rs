//! Expression types: of values, of operators' results, and the common type of several.

use value::{Collation, IntegerType, IntegerWidth, SqlType, Value};

use super::ArithmeticOp;

/// Who wins when two collations meet: the smaller number (MySQL's coercibility values).
pub mod coercibility {
    pub const EXPLICIT: u8 = 0;
    pub const COLUMN: u8 = 2;
    pub const SYSTEM: u8 = 3;
    pub const LITERAL: u8 = 4;
    pub const NUMERIC: u8 = 5;
    pub const NULL: u8 = 6;
    /// Neither type has precedence.
    pub const NONE: u8 = 7;
}

/// Which collation holds where two meet: the stronger one; of equally strong ones that of plain bytes, or the left one.
pub fn resolve(left: (Collation, u8), right: (Collation, u8)) -> (Collation, u8) {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let is_narrow = |collation: Collation| collation.charset().character_bytes_max() == 1;
    match left.1.cmp(&right.1) {
        Less => left,
        Greater => right,
        Equal if left.0.charset() == right.0.charset() => {
            if right.0.name().ends_with("_bin") {
                right
            } else {
                left
            }
        }
        Equal => match (is_narrow(left.0), is_narrow(right.0)) {
            (true, false) => right,
            (false, true) => left,
            _ => (Collation::BINARY, coercibility::NONE),
        },
    }
}

/// The type of an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct ExprType {
    pub sql: SqlType,
    pub nullable: bool,
    /// See [`coercibility`]; only says something about text.
    pub coercibility: u8,
    /// The collation that it brings where it meets text of another type. That of the type is another where a function gives
    /// LONGTEXT and follows its arguments all the same: such texts are compared by their bytes among themselves.
    pub preferred: Collation,
}

impl ExprType {
    pub fn new(sql: SqlType, nullable: bool) -> ExprType {
        let coercibility = if sql.is_text() { coercibility::LITERAL } else { coercibility::NUMERIC };
        let preferred = sql.collation().unwrap_or(Collation::BINARY);
        ExprType { sql, nullable, coercibility, preferred }
    }

    /// The same type with what it brings to a meeting of collations.
    pub fn preferring(self, (preferred, coercibility): (Collation, u8)) -> ExprType {
        ExprType { preferred, coercibility, ..self }
    }

    /// What it brings to a meeting of collations.
    pub fn preference(&self) -> (Collation, u8) {
        (self.preferred, self.coercibility)
    }

    /// The type of a column that holds such values.
    pub fn of_column(self) -> ExprType {
        match self.sql.collation() {
            Some(collation) => self.preferring((collation, coercibility::COLUMN)),
            None => self,
        }
    }

    /// The type of a value that is known.
    pub fn of(value: &Value<'_>) -> ExprType {
        let sql = match value {
            Value::Null => return ExprType::null(),
            Value::Int(n) => integer_literal(i128::from(*n)),
            Value::UInt(n) => integer_literal(i128::from(*n)),
            Value::Float(_) | Value::Double(_) => SqlType::Double,
            Value::Decimal(number) => decimal(65 - number.scale().min(30) as u8, number.scale().min(30) as u8),
            Value::Text(_) | Value::Enum(_) | Value::Set(_) => SqlType::LONGTEXT,
            Value::Bytes(_) => SqlType::LONGBLOB,
            Value::Bit(_) => SqlType::Bit(64),
            Value::Date(_) => SqlType::Date,
            Value::DateTime(_) => SqlType::DateTime { decimals: 6 },
            Value::Time(_) => SqlType::Time,
            Value::Year(_) => SqlType::Year,
            Value::Json(_) => SqlType::Json,
            Value::Geometry(_) => SqlType::Geometry { kind: value::GeometryKind::Geometry, srid: None },
        };
        ExprType::new(sql, false)
    }

    /// The type that a parameter is bound with: wide enough for any value of its kind, so that the plan serves the next one.
    pub fn of_parameter(value: &Value<'_>) -> ExprType {
        match value {
            Value::Int(_) => ExprType::new(SqlType::BIGINT, false),
            Value::UInt(_) => ExprType::new(SqlType::BIGINT_UNSIGNED, false),
            other => ExprType::of(other),
        }
    }

    pub fn null() -> ExprType {
        ExprType { coercibility: coercibility::NULL, ..ExprType::new(SqlType::Null, true) }
    }

    pub fn boolean() -> ExprType {
        ExprType::new(SqlType::BOOLEAN, true)
    }

    pub fn bigint() -> ExprType {
        ExprType::new(SqlType::BIGINT, true)
    }

    pub fn double() -> ExprType {
        ExprType::new(SqlType::Double, true)
    }

    pub fn text() -> ExprType {
        ExprType::new(SqlType::LONGTEXT, true)
    }

    /// The collation that text of this type compares by.
    pub fn collation(&self) -> Collation {
        self.sql.collation().unwrap_or(Collation::BINARY)
    }
}

/// MySQL adds four digits to a quotient.
const DIVISION_DIGITS: u8 = 4;

/// The smallest integer type that holds a literal.
pub fn integer_literal(value: i128) -> SqlType {
    use IntegerWidth::*;
    for width in [Tiny, Small, Medium, Int, Big] {
        for unsigned in [false, true] {
            let kind = IntegerType::new(width, unsigned);
            if (i128::from(kind.min())..=i128::from(kind.max())).contains(&value) {
                return SqlType::Integer(kind);
            }
        }
    }
    SqlType::Decimal { precision: 65, scale: 0 }
}

/// A numeric type's digits before and after the point, for decimal arithmetic.
fn digits(ty: &SqlType) -> (u8, u8) {
    match ty {
        SqlType::Decimal { precision, scale } => (precision.saturating_sub(*scale), *scale),
        SqlType::Integer(kind) => match kind.width {
            IntegerWidth::Tiny => (3, 0),
            IntegerWidth::Small => (5, 0),
            IntegerWidth::Medium => (8, 0),
            IntegerWidth::Int => (10, 0),
            IntegerWidth::Big => (20, 0),
        },
        SqlType::Year => (4, 0),
        _ => (20, 0),
    }
}

pub fn decimal(whole: u8, scale: u8) -> SqlType {
    let scale = scale.min(value::DECIMAL_SCALE_MAX);
    SqlType::Decimal { precision: whole.saturating_add(scale).clamp(1, value::DECIMAL_PRECISION_MAX), scale }
}

/// Whether each number keeps the digits that it has: a DECIMAL as wide as can be says nothing of them.
pub fn has_own_digits(ty: &SqlType) -> bool {
    matches!(ty, SqlType::Decimal { precision: value::DECIMAL_PRECISION_MAX, .. })
}

fn is_exact(ty: &SqlType) -> bool {
    matches!(ty, SqlType::Integer(_) | SqlType::Decimal { .. } | SqlType::Year | SqlType::Bit(_))
}

fn is_whole(ty: &SqlType) -> bool {
    matches!(ty, SqlType::Integer(_) | SqlType::Year | SqlType::Bit(_))
}

/// The type that an operand counts as: temporal values are numbers such as 20240131, text is a double.
fn numeric(ty: &SqlType) -> SqlType {
    match ty {
        ty if is_exact(ty) => ty.clone(),
        SqlType::Float => SqlType::Double,
        SqlType::Date => SqlType::BIGINT,
        SqlType::DateTime { decimals: 0 } | SqlType::Timestamp { decimals: 0 } => SqlType::BIGINT,
        SqlType::DateTime { .. } | SqlType::Timestamp { .. } | SqlType::Time => decimal(14, 6),
        _ => SqlType::Double,
    }
}

/// The type that an operand of `+`, `-` and `*` counts as. A TIMESTAMP, and a YEAR beside anything but another, is a double unless the
/// other side has digits behind the point; bits have a sign.
fn summand(ty: &SqlType, other: &SqlType) -> SqlType {
    match ty {
        SqlType::Bit(_) => SqlType::BIGINT,
        SqlType::Year if *other == SqlType::Year => SqlType::Year,
        SqlType::Year | SqlType::Timestamp { .. } if !matches!(numeric(other), SqlType::Decimal { .. }) => {
            SqlType::Double
        }
        ty => numeric(ty),
    }
}

/// `left op right`.
pub fn arithmetic(op: ArithmeticOp, left: &ExprType, right: &ExprType) -> ExprType {
    use ArithmeticOp::*;
    let nullable = left.nullable || right.nullable || matches!(op, Divide | InnerDivide | IntegerDivide | Modulo);
    let (l, r) = match op {
        Add | Subtract | Multiply => (summand(&left.sql, &right.sql), summand(&right.sql, &left.sql)),
        _ => (numeric(&left.sql), numeric(&right.sql)),
    };
    let unsigned = l.is_unsigned() && r.is_unsigned();
    let bigint = || if unsigned { SqlType::BIGINT_UNSIGNED } else { SqlType::BIGINT };
    let sql = match op {
        BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight => SqlType::BIGINT_UNSIGNED,
        IntegerDivide if l.is_unsigned() || r.is_unsigned() => SqlType::BIGINT_UNSIGNED,
        IntegerDivide => SqlType::BIGINT,
        Add | Subtract | Multiply if is_whole(&l) && is_whole(&r) => bigint(),
        _ if !is_exact(&l) || !is_exact(&r) => SqlType::Double,
        _ => {
            let ((l_whole, l_scale), (r_whole, r_scale)) = (digits(&l), digits(&r));
            match op {
                Add | Subtract => decimal(l_whole.max(r_whole) + 1, l_scale.max(r_scale)),
                Multiply => decimal(l_whole.saturating_add(r_whole), l_scale.saturating_add(r_scale)),
                Divide | InnerDivide => {
                    // A moment is divided as the whole number that it is written as.
                    let l_scale = if left.sql.is_date() { 0 } else { l_scale };
                    decimal(l_whole.saturating_add(r_scale), l_scale + DIVISION_DIGITS)
                }
                _ => decimal(l_whole.max(r_whole), l_scale.max(r_scale)),
            }
        }
    };
    ExprType::new(sql, nullable)
}

/// DECIMAL of numbers that keep the digits they have: `1` beside `2.50` does not become `1.00`.
pub const OF_OWN_DIGITS: SqlType =
    SqlType::Decimal { precision: value::DECIMAL_PRECISION_MAX, scale: value::DECIMAL_SCALE_MAX };

/// The type of what IF, CASE and IFNULL choose from.
pub fn choice<'t>(types: impl IntoIterator<Item = &'t ExprType> + Clone) -> ExprType {
    let mut result = common(types.clone());
    let is_decimal = |ty: &SqlType| matches!(ty, SqlType::Decimal { .. });
    let differs = |ty: &&ExprType| ty.sql != SqlType::Null && ty.sql != result.sql;
    if is_decimal(&result.sql)
        && types.clone().into_iter().any(|ty| differs(&ty))
        && types.into_iter().any(|ty| is_decimal(&ty.sql))
    {
        result.sql = OF_OWN_DIGITS;
    }
    result
}

/// The type that can hold the values of all: COALESCE, rows of VALUES, columns of a UNION.
pub fn common<'t>(types: impl IntoIterator<Item = &'t ExprType>) -> ExprType {
    let mut result: Option<ExprType> = None;
    let mut nullable = false;
    for ty in types {
        nullable |= ty.nullable;
        result = Some(match result {
            None => ty.clone(),
            Some(known) => pair(known, ty),
        });
    }
    let mut result = result.unwrap_or_else(ExprType::null);
    result.nullable = nullable;
    result
}

fn pair(left: ExprType, right: &ExprType) -> ExprType {
    if left.sql == right.sql || right.sql == SqlType::Null {
        return left;
    }
    if left.sql == SqlType::Null {
        return right.clone();
    }
    let sql = match (&left.sql, &right.sql) {
        (SqlType::Integer(l), SqlType::Integer(r)) => integers(*l, *r),
        (l, r) if is_exact(l) && is_exact(r) => {
            let ((l_whole, l_scale), (r_whole, r_scale)) = (digits(l), digits(r));
            decimal(l_whole.max(r_whole), l_scale.max(r_scale))
        }
        (l, r) if l.is_number() && r.is_number() => SqlType::Double,
        // A time is one of today.
        (l, r) if l.is_temporal() && r.is_temporal() => SqlType::DateTime { decimals: 6 },
        (l, r) if l.is_binary() || r.is_binary() => SqlType::LONGBLOB,
        (SqlType::Json, SqlType::Json) => SqlType::Json,
        // The longer of two texts, the second of equally long ones.
        (l, r) if l.is_text() && r.is_text() => {
            if characters(l) > characters(r) {
                l.clone()
            } else {
                r.clone()
            }
        }
        _ => SqlType::LONGTEXT,
    };
    ExprType::new(sql, left.nullable || right.nullable)
}

/// How long a text of this type may be.
fn characters(sql: &SqlType) -> u64 {
    match sql {
        SqlType::Char { length, .. } | SqlType::VarChar { length, .. } => u64::from(*length),
        SqlType::Text { size, collation } => size.bytes_max() / u64::from(collation.charset().character_bytes_max()),
        _ => 0,
    }
}

/// The type of a column of a set operation. The reference knows five: DECIMAL, BIGINT with and without sign,
/// text, and bytes beside a BLOB.
pub fn of_set_operation(left: &ExprType, right: &ExprType) -> ExprType {
    let common = common([left, right]);
    let sql = match (&left.sql, &right.sql) {
        (l, r) if l == r || *l == SqlType::Null || *r == SqlType::Null => return common,
        (SqlType::Integer(l), SqlType::Integer(r)) if l.unsigned && r.unsigned => SqlType::BIGINT_UNSIGNED,
        (SqlType::Integer(_), SqlType::Integer(_)) => SqlType::BIGINT,
        (SqlType::Decimal { .. }, r) if r.is_number() => OF_OWN_DIGITS,
        (l, SqlType::Decimal { .. }) if l.is_number() => OF_OWN_DIGITS,
        (SqlType::Year, SqlType::Integer(_)) | (SqlType::Integer(_), SqlType::Year) => SqlType::LONGTEXT,
        (l, r) if is_whole(l) && is_whole(r) => SqlType::BIGINT,
        (l, r) if l.is_number() && r.is_number() => SqlType::LONGTEXT,
        (SqlType::Blob { .. }, _) | (_, SqlType::Blob { .. }) => SqlType::LONGBLOB,
        // Bytes that are no text become NULL.
        (l, r) if l.is_binary() || r.is_binary() => SqlType::LONGTEXT,
        (l, r) if l.is_date() && r.is_date() => {
            let decimals = |ty: &SqlType| match ty {
                SqlType::DateTime { decimals } | SqlType::Timestamp { decimals } => *decimals,
                _ => 0,
            };
            SqlType::DateTime { decimals: decimals(l).max(decimals(r)) }
        }
        (l, r) if l.collation().is_some() || r.collation().is_some() => {
            let collation = match (l.collation(), r.collation()) {
                // Neither of two columns wins.
                (Some(l), Some(r)) if l != r && left.coercibility == right.coercibility => None,
                (Some(l), Some(r)) => Some(if left.coercibility <= right.coercibility { l } else { r }),
                (l, r) => l.or(r),
            };
            SqlType::Text { size: value::LobSize::Long, collation: collation.unwrap_or(Collation::UTF8MB4_0900_BIN) }
        }
        _ => return common,
    };
    ExprType { nullable: common.nullable, ..ExprType::new(sql, true) }
}

fn integers(left: IntegerType, right: IntegerType) -> SqlType {
    let width = left.width.max(right.width);
    if left.unsigned == right.unsigned {
        return SqlType::Integer(IntegerType::new(width, left.unsigned));
    }
    // The unsigned side needs one bit more than a signed type of its width has.
    let unsigned_width = if left.unsigned { left.width } else { right.width };
    let wider = match unsigned_width {
        IntegerWidth::Tiny => IntegerWidth::Small,
        IntegerWidth::Small => IntegerWidth::Medium,
        IntegerWidth::Medium => IntegerWidth::Int,
        IntegerWidth::Int => IntegerWidth::Big,
        IntegerWidth::Big => return decimal(20, 0),
    };
    SqlType::Integer(IntegerType::new(width.max(wider), false))
}

/// Whether a value of `from` must be converted to have type `to`.
pub fn needs_cast(from: &SqlType, to: &SqlType) -> bool {
    if from == to || *from == SqlType::Null {
        return false;
    }
    match (from, to) {
        (SqlType::Integer(l), SqlType::Integer(r)) => l.unsigned != r.unsigned,
        (l, r) if l.is_text() && r.is_text() => false,
        (l, r) if l.is_binary() && r.is_binary() => false,
        (
            SqlType::DateTime { .. } | SqlType::Timestamp { .. },
            SqlType::DateTime { .. } | SqlType::Timestamp { .. },
        ) => false,
        _ => true,
    }
}
