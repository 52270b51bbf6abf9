//! Functions that only a window gives a meaning: ROW_NUMBER, RANK, LAG and their kin. `exec/window` computes them.

use value::SqlType;

use super::Entry;
use crate::expr::{Expr, ExprType};
use crate::plan::WindowFunction;

pub(super) const ENTRIES: &[Entry<Window>] = &[
    entry("dense_rank", (0, 0), rank, |_| WindowFunction::DenseRank)
        .about("", "The rank of the row, without gaps after rows that tie"),
    entry("first_value", (1, 1), of_value, |a| WindowFunction::FirstValue(a.value))
        .about("x", "The value of the first row of the frame"),
    entry("lag", (1, 3), of_value, |WindowArguments { value, offset, default }| WindowFunction::Lag {
        value,
        offset,
        default,
    })
    .common()
    .about("x[, rows[, default]]", "The value of an earlier row of the partition"),
    entry("last_value", (1, 1), of_value, |a| WindowFunction::LastValue(a.value))
        .about("x", "The value of the last row of the frame"),
    entry("lead", (1, 3), of_value, |WindowArguments { value, offset, default }| WindowFunction::Lead {
        value,
        offset,
        default,
    })
    .common()
    .about("x[, rows[, default]]", "The value of a later row of the partition"),
    entry("ntile", (1, 1), |_| ExprType::new(SqlType::Double, true), |a| WindowFunction::Ntile(a.value))
        .about("buckets", "The number of the bucket, from 1, when the partition is divided evenly"),
    entry("percent_rank", (0, 0), |_| ExprType::new(SqlType::Double, false), |_| WindowFunction::PercentRank)
        .about("", "The rank of the row as a part of the partition, 0 to 1"),
    entry("rank", (0, 0), rank, |_| WindowFunction::Rank)
        .common()
        .about("", "The rank of the row, with gaps after rows that tie"),
    entry("row_number", (0, 0), |_| ExprType::new(SqlType::BIGINT, false), |_| WindowFunction::RowNumber)
        .common()
        .about("", "The number of the row in its partition, from 1"),
];

/// A window function that is no aggregate.
#[derive(Clone, Copy)]
pub struct Window {
    /// Lower case.
    pub name: &'static str,
    pub arity: (usize, usize),
    /// The type of the answer from that of the first argument.
    pub result: fn(&ExprType) -> ExprType,
    pub make: fn(WindowArguments) -> WindowFunction,
}

/// The arguments of a call.
pub struct WindowArguments {
    /// NULL for a function without arguments.
    pub value: Expr,
    /// How many rows away: 1 where it is left out.
    pub offset: Expr,
    pub default: Option<Expr>,
}

const fn entry(
    name: &'static str,
    arity: (usize, usize),
    result: fn(&ExprType) -> ExprType,
    make: fn(WindowArguments) -> WindowFunction,
) -> Entry<Window> {
    Entry::of(Window { name, arity, result, make })
}

fn rank(_: &ExprType) -> ExprType {
    ExprType::new(SqlType::BIGINT_UNSIGNED, false)
}

fn of_value(value: &ExprType) -> ExprType {
    value.clone()
}
