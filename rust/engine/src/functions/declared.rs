//! The types that columns made of function calls are declared with, as native Dolt has them; `bind/declared.rs` says what for.

use value::{Collation, IntegerType, IntegerWidth, LobSize, SqlType};

use crate::expr::{Expr, ExprType};

/// How a function declares its answer; `None` for the answer's own type.
pub type DeclaredBy = fn(&DeclaredCall<'_>) -> Option<ExprType>;

/// A call whose declared type is asked for.
pub struct DeclaredCall<'a> {
    /// The type of its answer.
    pub ty: &'a ExprType,
    pub args: &'a [Expr],
    /// The declared type of an argument.
    pub declared_of: &'a dyn Fn(&Expr) -> ExprType,
}

impl DeclaredCall<'_> {
    /// The declared type of the n-th argument.
    pub(super) fn argument(&self, n: usize) -> Option<ExprType> {
        self.args.get(n).map(self.declared_of)
    }

    /// The answer as another type.
    pub(super) fn sql(&self, sql: SqlType) -> Option<ExprType> {
        Some(ExprType { sql, ..self.ty.clone() })
    }

    pub(super) fn text(&self, size: LobSize, collation: Collation) -> Option<ExprType> {
        self.sql(SqlType::Text { size, collation })
    }
}

/// A moment that is kept as text.
pub(super) fn moment_as_text(call: &DeclaredCall<'_>) -> Option<ExprType> {
    if call.ty.sql.is_text() { regular_text(call) } else { None }
}

pub(super) fn never_null(sql: SqlType) -> Option<ExprType> {
    Some(ExprType::new(sql, false))
}

pub(super) fn own_never_null(call: &DeclaredCall<'_>) -> Option<ExprType> {
    never_null(call.ty.sql.clone())
}

pub(super) fn first_never_null(call: &DeclaredCall<'_>) -> Option<ExprType> {
    Some(ExprType { nullable: false, ..call.argument(0).unwrap_or_else(ExprType::null) })
}

pub(super) fn regular_text(call: &DeclaredCall<'_>) -> Option<ExprType> {
    call.text(LobSize::Regular, call.ty.collation())
}

pub(super) fn if_null(call: &DeclaredCall<'_>) -> Option<ExprType> {
    let (first, second) = (call.argument(0)?, call.argument(1)?);
    let nullable = first.nullable && second.nullable;
    Some(ExprType { nullable, ..general(first, second) })
}

/// Whole numbers of different sizes make an INT, or a BIGINT beside one; whether it takes NULL is what the first argument says.
pub(super) fn coalesce(call: &DeclaredCall<'_>) -> Option<ExprType> {
    let mut types = call.args.iter().map(call.declared_of);
    let first = types.next().unwrap_or_else(ExprType::null);
    let sql = types.map(|ty| ty.sql).fold(first.sql, |ty, other| match (&ty, &other) {
        (_, SqlType::Null) => ty,
        (l, r) if l == r => ty,
        (SqlType::Null, SqlType::Integer(kind)) => of_coalesced(*kind, *kind),
        (SqlType::Integer(l), SqlType::Integer(r)) => of_coalesced(*l, *r),
        (SqlType::Decimal { .. }, SqlType::Integer(_)) => ty,
        (SqlType::Decimal { .. } | SqlType::Integer(_), SqlType::Decimal { .. }) => other,
        _ => call.ty.sql.clone(),
    });
    Some(ExprType { sql, nullable: first.nullable, ..call.ty.clone() })
}

fn of_coalesced(left: IntegerType, right: IntegerType) -> SqlType {
    if left.unsigned != right.unsigned {
        return SqlType::Decimal { precision: 20, scale: 0 };
    }
    let is_big = left.width == IntegerWidth::Big || right.width == IntegerWidth::Big;
    let width = if is_big { IntegerWidth::Big } else { IntegerWidth::Int };
    SqlType::Integer(IntegerType::new(width, left.unsigned))
}

/// The type of a choice between two values.
pub(crate) fn general(left: ExprType, right: ExprType) -> ExprType {
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
                SqlType::Decimal { precision: value::DECIMAL_PRECISION_MAX, scale: value::DECIMAL_SCALE_MAX }
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
        return SqlType::Decimal { precision: value::DECIMAL_PRECISION_MAX, scale: 0 };
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

/// The type of text in another collation; other types as they are.
pub(crate) fn in_collation(ty: ExprType, collation: Collation) -> ExprType {
    let sql = match ty.sql {
        SqlType::Char { length, .. } => SqlType::Char { length, collation },
        SqlType::VarChar { length, .. } => SqlType::VarChar { length, collation },
        SqlType::Text { size, .. } => SqlType::Text { size, collation },
        sql => sql,
    };
    ExprType { sql, ..ty }
}
