//! Types of answers, for the tables of functions.

use value::{IntegerType, IntegerWidth, SqlType};

use crate::expr::{ExprType, coercibility, types};

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

/// Text that compares as the strongest of the arguments does.
pub fn text_of_arguments(types: &[ExprType]) -> ExprType {
    let strongest = types.iter().filter(|ty| ty.sql.collation().is_some()).min_by_key(|ty| ty.coercibility);
    let Some(strongest) = strongest else {
        // Numbers and dates as text have the connection's collation.
        return ExprType::text();
    };
    let sql = SqlType::Text { size: value::LobSize::Long, collation: strongest.collation() };
    ExprType { sql, nullable: true, coercibility: strongest.coercibility }
}

/// The type that holds the values of all arguments.
pub fn common(types: &[ExprType]) -> ExprType {
    ExprType { nullable: true, ..types::common(types) }
}

/// Text from the system, such as the name of a database.
pub fn system_text(_: &[ExprType]) -> ExprType {
    let sql = SqlType::Text { size: value::LobSize::Long, collation: value::Collation::UTF8MB3_GENERAL_CI };
    ExprType { sql, nullable: true, coercibility: coercibility::SYSTEM }
}
