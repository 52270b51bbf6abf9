//! Plan node of JSON_TABLE.

use std::rc::Rc;

use value::json::JsonPath;
use value::{SqlType, Value};

use super::ColumnId;
use crate::expr::Expr;

/// A leaf; the document may read columns of the enclosing row through outer slots.
#[derive(Debug, Clone)]
pub struct JsonTable {
    pub document: Expr,
    pub rows: Rc<JsonRows>,
    /// One for each column of `rows` and what is nested in it, in the order of the text.
    pub columns: Vec<ColumnId>,
}

/// What a path finds, each element a row.
#[derive(Debug)]
pub struct JsonRows {
    pub path: JsonPath,
    pub columns: Vec<JsonColumn>,
}

#[derive(Debug)]
pub enum JsonColumn {
    /// The number of the row, from 1.
    Ordinality,
    Value {
        name: Box<str>,
        path: JsonPath,
        ty: SqlType,
        on_empty: JsonFallback,
        on_error: JsonFallback,
    },
    /// 1 where the path finds something.
    Exists {
        path: JsonPath,
        ty: SqlType,
    },
    /// NESTED PATH: a row for each of these; without any, one row of NULLs. Of several at one level one at a time gives rows.
    Nested(JsonRows),
}

/// `… ON EMPTY`, `… ON ERROR`.
#[derive(Debug)]
pub enum JsonFallback {
    Value(Value<'static>),
    Error,
}

impl JsonRows {
    /// How many columns there are, nested ones included.
    pub fn width(&self) -> usize {
        self.columns
            .iter()
            .map(|column| match column {
                JsonColumn::Nested(rows) => rows.width(),
                _ => 1,
            })
            .sum()
    }
}
