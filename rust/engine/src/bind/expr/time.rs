//! Units and amounts of time.

use parse::ast;

use crate::bind::literal::text_literal;
use crate::error::{Result, SqlError};
use crate::expr::Expr;

/// The unit of an amount of time that is added or taken away. As in the reference it is a single one: `DAY_HOUR` and its
/// kin are for EXTRACT.
pub(in crate::bind) fn single_unit(unit: ast::IntervalUnit, span: ast::Span) -> Result<Expr> {
    use ast::IntervalUnit::*;
    match unit {
        Microsecond | Second | Minute | Hour | Day | Week | Month | Quarter | Year => Ok(unit_literal(unit)),
        _ => Err(SqlError::new(1064, "an INTERVAL of a composite unit is not part of this dialect").at(span)),
    }
}

/// A unit such as `day_hour`, as functions take it: an argument of text.
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
