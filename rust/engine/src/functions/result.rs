//! Types of answers, for the tables of functions.

use value::{Collation, IntegerType, IntegerWidth, SqlType};

use crate::expr::{Expr, ExprKind, ExprType, coercibility, types};

/// What numbers bring to a meeting of collations.
const BYTES: (Collation, u8) = (Collation::BINARY, coercibility::NUMERIC);

pub fn double(_: &[ExprType]) -> ExprType {
    ExprType::double()
}

pub fn bigint(_: &[ExprType]) -> ExprType {
    ExprType::bigint()
}

pub fn unsigned(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::BIGINT_UNSIGNED, true)
}

/// 32 bits without sign.
pub fn unsigned_int(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::Integer(IntegerType::new(IntegerWidth::Int, true)), true)
}

pub fn int(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::INT, true)
}

pub fn boolean(_: &[ExprType]) -> ExprType {
    ExprType::boolean()
}

/// TINYINT that is no boolean.
pub fn tinyint(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::Integer(IntegerType::new(IntegerWidth::Tiny, false)), true)
}

/// Text of the connection's collation.
pub fn text(_: &[ExprType]) -> ExprType {
    ExprType::text()
}

pub fn blob(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::LONGBLOB, true)
}

pub fn json(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::Json, true)
}

pub fn date(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::Date, true)
}

pub fn time(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::Time, true)
}

pub fn datetime(_: &[ExprType]) -> ExprType {
    ExprType::new(SqlType::DateTime { decimals: 6 }, true)
}

/// The type of the first argument.
pub fn first(types: &[ExprType]) -> ExprType {
    ExprType { nullable: true, ..types.first().cloned().unwrap_or_else(ExprType::null) }
}

/// The type of an exact number. That of one that is computed or written down says nothing of the digits of others: it has 65.
pub fn of_own_digits(number: &Expr) -> SqlType {
    let is_made = matches!(number.kind, ExprKind::Literal(_) | ExprKind::Arithmetic(..) | ExprKind::Negate(_));
    match number.ty.sql {
        SqlType::Decimal { scale, .. } if is_made => {
            SqlType::Decimal { precision: value::DECIMAL_PRECISION_MAX, scale }
        }
        _ => number.ty.sql.clone(),
    }
}

/// Text that meets others as the strongest of the arguments does.
pub fn text_of_arguments(types: &[ExprType]) -> ExprType {
    let preferences = types.iter().filter(|ty| ty.sql.collation().is_some()).map(ExprType::preference);
    // Numbers and dates are the weakest.
    ExprType::text().preferring(preferences.reduce(types::resolve).unwrap_or(BYTES))
}

/// Text that meets others as the first argument does.
pub fn text_of_first(types: &[ExprType]) -> ExprType {
    text_of_arguments(types.get(..1).unwrap_or_default())
}

/// Text of the first argument's type.
pub fn first_as_text(types: &[ExprType]) -> ExprType {
    if types.first().is_some_and(|ty| ty.sql.is_text()) { first(types) } else { text_of_first(types) }
}

/// Text of the first argument's type that meets others as the strongest of the arguments does.
pub fn first_among_arguments(types: &[ExprType]) -> ExprType {
    first_as_text(types).preferring(text_of_arguments(types).preference())
}

/// The type that holds the values of all arguments.
pub fn common(types: &[ExprType]) -> ExprType {
    ExprType { nullable: true, ..types::common(types) }
}

/// Text from the system, such as the name of a database.
pub fn system_text(_: &[ExprType]) -> ExprType {
    ExprType::text().preferring((Collation::UTF8MB3_GENERAL_CI, coercibility::SYSTEM))
}

/// Text that the server makes, such as a UUID.
pub fn server_text(_: &[ExprType]) -> ExprType {
    ExprType::text().preferring((Collation::UTF8MB3_GENERAL_CI, coercibility::LITERAL))
}

/// Text that counts as bytes beside others.
pub fn text_of_bytes(_: &[ExprType]) -> ExprType {
    ExprType::text().preferring(BYTES)
}
