//! Computed relation: rows are computed when a statement reads them.

use std::rc::Rc;

use value::{Collation, DateTime, LobSize, SqlType, Value};

use crate::catalog::{Column, Index, Pushed, Relation, RowIterator, ToldIndex, column_of};
use crate::error::Result;
use crate::expr::{CompareOp, Context, ExprType};

type Rows = dyn Fn(&Rc<Context>, &[usize], &[Pushed]) -> Result<RowIterator>;

pub struct Computed {
    database: Rc<str>,
    name: Rc<str>,
    columns: Vec<Column>,
    rows: Box<Rows>,
    /// Expressions of columns that are computed from others, by position; see [`Relation::virtual_expression`].
    expressions: Vec<(usize, Box<str>)>,
    /// See [`Relation::reads_less_by`].
    less_by: Vec<usize>,
    /// See [`Relation::told_indexes`].
    indexes: Vec<ToldIndex>,
}

impl std::fmt::Debug for Computed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.database, self.name)
    }
}

/// A nullable column.
pub fn column(name: &str, sql: SqlType) -> Column {
    let ty = ExprType::new(sql, true).of_column();
    Column { name: name.into(), ty, primary: false, hidden: false, shows: None }
}

/// A column that shows the versions of a stored one, with all that its definition says.
pub fn shown_column(of: &vcs::Column) -> Column {
    Column { shows: Some(Rc::new(of.clone())), ..column_of(of) }
}

/// A column of the primary key.
pub fn key(name: &str, sql: SqlType) -> Column {
    let mut column = column(name, sql);
    column.primary = true;
    column.ty.nullable = false;
    column
}

/// A column of text.
pub fn text(name: &str) -> Column {
    column(name, TEXT)
}

/// The same column without NULLs.
pub fn required(mut column: Column) -> Column {
    column.ty.nullable = false;
    column
}

pub const TEXT: SqlType = SqlType::Text { size: LobSize::Regular, collation: Collation::UTF8MB4_0900_BIN };

/// A moment in milliseconds since 1970 UTC.
pub fn moment(millis: i64) -> Value<'static> {
    let moment = millis.checked_mul(1000).and_then(DateTime::from_microseconds);
    moment.map_or(Value::Null, Value::DateTime)
}

/// The same, rounded to seconds.
pub fn moment_in_seconds(millis: i64) -> Value<'static> {
    moment(millis.saturating_add(500).div_euclid(1000).saturating_mul(1000))
}

/// A row in which only the columns that are read have values.
pub fn row_of(width: usize, columns: &[usize], value: impl Fn(usize) -> Value<'static>) -> Vec<Value<'static>> {
    let mut row = vec![Value::Null; width];
    for &column in columns {
        row[column] = value(column);
    }
    row
}

/// The text that a column has to equal, if the query says so.
pub fn equal_text(pushed: &[Pushed], column: usize) -> Option<&str> {
    pushed.iter().find_map(|condition| match (&condition.value, condition.op) {
        (Value::Text(text), CompareOp::Equal) if condition.column == column => Some(&**text),
        _ => None,
    })
}

/// No rows at all.
pub fn nothing() -> RowIterator {
    Box::new(std::iter::empty())
}

/// Rows that took an attempt to get: one error instead of them if it failed.
pub fn all(rows: Result<Vec<Vec<Value<'static>>>>) -> Result<RowIterator> {
    Ok(Box::new(rows?.into_iter().map(Ok)))
}

impl Computed {
    /// `rows` gets the positions of the columns that are read, and conditions that it may use to do less.
    pub fn new(
        database: impl Into<Rc<str>>,
        name: &str,
        columns: Vec<Column>,
        rows: impl Fn(&Rc<Context>, &[usize], &[Pushed]) -> Result<RowIterator> + 'static,
    ) -> Computed {
        Computed {
            database: database.into(),
            name: name.into(),
            columns,
            rows: Box::new(rows),
            expressions: Vec::new(),
            less_by: Vec::new(),
            indexes: Vec::new(),
        }
    }

    /// Columns whose values follow from the others.
    pub fn with_expressions(self, expressions: Vec<(usize, Box<str>)>) -> Computed {
        Computed { expressions, ..self }
    }

    /// Less is read where one of these columns has to equal something.
    pub fn with_less_by(self, less_by: Vec<usize>) -> Computed {
        Computed { less_by, ..self }
    }

    /// Indexes that are listed beside the primary key.
    pub fn with_indexes(self, indexes: impl Into<Vec<ToldIndex>>) -> Computed {
        Computed { indexes: indexes.into(), ..self }
    }

    /// Rows that are known already.
    pub fn of_rows(
        database: impl Into<Rc<str>>,
        name: &str,
        columns: Vec<Column>,
        rows: Vec<Vec<Value<'static>>>,
    ) -> Computed {
        let rows = Rc::new(rows);
        Computed::new(database, name, columns, move |_, _, _| {
            let rows = rows.clone();
            Ok(Box::new((0..rows.len()).map(move |at| Ok(rows[at].clone()))))
        })
    }
}

impl Relation for Computed {
    fn database(&self) -> &Rc<str> {
        &self.database
    }

    fn name(&self) -> &Rc<str> {
        &self.name
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn indexes(&self) -> &[Index] {
        &[]
    }

    fn virtual_expression(&self, position: usize) -> Option<&str> {
        self.expressions.iter().find(|(at, _)| *at == position).map(|(_, expression)| &**expression)
    }

    fn reads_less_by(&self, position: usize) -> bool {
        self.less_by.contains(&position)
    }

    fn told_indexes(&self) -> &[ToldIndex] {
        &self.indexes
    }

    fn rows(&self, context: &Rc<Context>, columns: &[usize], pushed: &[Pushed]) -> Result<RowIterator> {
        (self.rows)(context, columns, pushed)
    }
}
