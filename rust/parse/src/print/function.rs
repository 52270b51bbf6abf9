//! Printing of function calls: names, separators of arguments, and arguments that are filled in.

use super::{Printer, Printing, Unprintable, quote_name};
use crate::ast::*;

/// Written name → printed name.
const RENAMED: &[(&str, &str)] = &[
    ("active_branch", "ACTIVE_BRANCH"),
    ("atan2", "atan"),
    ("bin_to_uuid", "BIN_TO_UUID"),
    ("ceiling", "ceil"),
    ("character_length", "char_length"),
    ("current_time", "CURRENT_TIME"),
    ("current_timestamp", "NOW"),
    ("curtime", "CURRENT_TIME"),
    ("date", "DATE"),
    ("datediff", "DATEDIFF"),
    ("dayofmonth", "day"),
    ("dayofweek", "DAYOFWEEK"),
    ("dayofyear", "DAYOFYEAR"),
    ("from_unixtime", "FROM_UNIXTIME"),
    ("instr", "INSTR"),
    ("lcase", "lower"),
    ("left", "LEFT"),
    ("localtime", "NOW"),
    ("localtimestamp", "NOW"),
    ("mid", "SUBSTRING"),
    ("monthname", "MONTHNAME"),
    ("now", "NOW"),
    ("octet_length", "length"),
    ("position", "locate"),
    ("pow", "power"),
    ("right", "RIGHT"),
    ("schema", "database"),
    ("sha", "sha1"),
    ("st_srid", "ST_SRID"),
    ("st_x", "ST_X"),
    ("st_y", "ST_Y"),
    ("string_to_vector", "STRING_TO_VECTOR"),
    ("substr", "SUBSTRING"),
    ("substring", "SUBSTRING"),
    ("substring_index", "SUBSTRING_INDEX"),
    ("sysdate", "NOW"),
    ("time", "TIME"),
    ("time_to_sec", "TIME_TO_SEC"),
    ("timestamp", "datetime"),
    ("to_vector", "STRING_TO_VECTOR"),
    ("ucase", "upper"),
    ("utc_timestamp", "UTC_TIMESTAMP"),
    ("uuid_short", "UUID_SHORT"),
    ("uuid_to_bin", "UUID_TO_BIN"),
    ("vec_distance", "VEC_DISTANCE_L2_SQUARED"),
    ("vec_distance_l2_squared", "VEC_DISTANCE_L2_SQUARED"),
    ("week", "WEEK"),
    ("weekofyear", "WEEKOFYEAR"),
    ("yearweek", "YEARWEEK"),
];

/// Names of functions whose arguments are separated by `, `; all others have `,`.
const SPACED: &[&str] = &[
    "atan",
    "char",
    "date_format",
    "DATEDIFF",
    "export_set",
    "find_in_set",
    "ifnull",
    "insert",
    "INSTR",
    "json_extract",
    "json_keys",
    "json_overlaps",
    "json_search",
    "json_value",
    "least",
    "LEFT",
    "lpad",
    "power",
    "repeat",
    "replace",
    "RIGHT",
    "rpad",
    "SUBSTRING",
    "SUBSTRING_INDEX",
    "VEC_DISTANCE_L2_SQUARED",
    "WEEK",
    "YEARWEEK",
];

/// NOW and its other names.
pub(super) fn is_now(call: &FunctionCall) -> bool {
    call.database.is_none()
        && ["now", "current_timestamp", "localtime", "localtimestamp", "sysdate"].iter().any(|name| call.name.is(name))
}

/// Arguments that the reference adds when they were not written, from the given count on.
fn filled(name: &str, count: usize) -> &'static [&'static str] {
    match (name, count) {
        ("round", 1) | ("WEEK", 1) | ("YEARWEEK", 1) => &["0"],
        ("CURRENT_TIME" | "UTC_TIMESTAMP", 0) => &["0"],
        ("regexp_replace", 3) => &["1", "0"],
        ("regexp_instr", 2) => &["1", "1", "0"],
        ("regexp_substr", 2) => &["1", "1"],
        ("json_keys", 1) => &["'$'"],
        ("json_search", 3) => &["NULL", "NULL"],
        _ => &[],
    }
}

impl Printer {
    pub(super) fn call(&mut self, call: &FunctionCall, span: Span) -> Printing<()> {
        if call.over.is_some() || call.distinct || !call.order_by.is_empty() || call.separator.is_some() {
            return Err(Unprintable { span });
        }
        let written = call.name.text.to_ascii_lowercase();
        match (written.as_str(), call.arguments.as_slice()) {
            ("mod", [left, right]) => {
                self.push("(");
                self.expr(left)?;
                self.push(" % ");
                self.expr(right)?;
                self.push(")");
                return Ok(());
            }
            ("adddate" | "subdate" | "date_add" | "date_sub", [date, amount]) => {
                return self.date_arithmetic(written.contains("add"), date, amount);
            }
            _ => {}
        }
        if let Some(database) = &call.database {
            self.push(&quote_name(&database.text));
            self.push(".");
        }
        let name = RENAMED.iter().find(|renamed| renamed.0 == written).map_or(written.as_str(), |renamed| renamed.1);
        let separator = if SPACED.contains(&name) { ", " } else { "," };
        self.push(name);
        self.push("(");
        if name == "log" && call.arguments.len() == 1 {
            self.push("2.718281828459045,");
        }
        self.list(&call.arguments, separator)?;
        for (index, argument) in filled(name, call.arguments.len()).iter().enumerate() {
            if index > 0 || !call.arguments.is_empty() {
                self.push(separator);
            }
            self.push(argument);
        }
        if let Some(charset) = &call.charset {
            // The reference loses the character set here; with it the text keeps its meaning.
            self.push(" USING ");
            self.push(charset);
        }
        self.push(")");
        Ok(())
    }

    /// ``date_add(`d`,INTERVAL 1 DAY)``; a bare number counts days.
    fn date_arithmetic(&mut self, add: bool, date: &Expr, amount: &Expr) -> Printing<()> {
        self.push(if add { "date_add(" } else { "date_sub(" });
        self.expr(date)?;
        self.push(",");
        if matches!(amount.kind, ExprKind::Interval { .. }) {
            self.expr(amount)?;
        } else {
            self.push("INTERVAL ");
            self.expr(amount)?;
            self.push(" DAY");
        }
        self.push(")");
        Ok(())
    }
}
