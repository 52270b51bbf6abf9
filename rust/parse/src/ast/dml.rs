//! Syntax of changes: INSERT, REPLACE, UPDATE, DELETE, LOAD DATA.

use super::{Assignment, ColumnName, Expr, FileFormat, Ident, Limit, ObjectName, OrderItem, Query, SelectItem, Span};
use super::{IntoTarget, TableExpr, ValuesRow, With};

/// INSERT and REPLACE.
#[derive(Debug, PartialEq)]
pub struct Insert {
    pub with: Option<With>,
    pub replace: bool,
    pub ignore: bool,
    pub table: ObjectName,
    pub partitions: Vec<Ident>,
    /// Empty when no list was written (and for SET, whose columns are in the assignments).
    pub columns: Vec<ColumnName>,
    pub source: InsertSource,
    /// `AS new (a, b)` after the values.
    pub row_alias: Option<RowAlias>,
    pub on_duplicate: Vec<Assignment>,
    pub returning: Vec<SelectItem>,
}

#[derive(Debug, PartialEq)]
pub enum InsertSource {
    /// `VALUES (1, DEFAULT), (…)`; a row may be empty.
    Values(Vec<ValuesRow>),
    Set(Vec<Assignment>),
    Query(Box<Query>),
}

#[derive(Debug, PartialEq)]
pub struct RowAlias {
    pub name: Ident,
    pub columns: Vec<Ident>,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub struct Update {
    pub with: Option<With>,
    pub ignore: bool,
    /// More than one, or a join, for multi-table UPDATE.
    pub tables: Vec<TableExpr>,
    pub assignments: Vec<Assignment>,
    pub filter: Option<Expr>,
    pub order_by: Vec<OrderItem>,
    pub limit: Option<Limit>,
    pub returning: Vec<SelectItem>,
}

#[derive(Debug, PartialEq)]
pub struct Delete {
    pub with: Option<With>,
    pub ignore: bool,
    /// `DELETE a, b FROM …` and `DELETE FROM a, b USING …`: the tables to delete from, by name or alias.
    /// Empty for `DELETE FROM t`: then it is the only table of `from`.
    pub targets: Vec<ObjectName>,
    pub from: Vec<TableExpr>,
    pub filter: Option<Expr>,
    pub order_by: Vec<OrderItem>,
    pub limit: Option<Limit>,
    pub returning: Vec<SelectItem>,
}

#[derive(Debug, PartialEq)]
pub struct LoadData {
    pub local: bool,
    pub path: Box<str>,
    pub replace: bool,
    pub ignore: bool,
    pub table: ObjectName,
    pub partitions: Vec<Ident>,
    pub format: FileFormat,
    pub skip_lines: u64,
    /// Columns or user variables, in file order.
    pub columns: Vec<IntoTarget>,
    pub assignments: Vec<Assignment>,
    pub span: Span,
}
