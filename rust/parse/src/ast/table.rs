//! Syntax of FROM: tables, joins, derived tables, table functions.

use super::{DataType, Expr};
use super::{Ident, ObjectName, Query, Span};

#[derive(Debug, PartialEq)]
pub struct TableExpr {
    pub kind: TableExprKind,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub enum TableExprKind {
    Table(Box<TableReference>),
    /// `(query) AS alias (columns)`, also `(VALUES ROW(1)) AS v (a)`.
    Derived(Box<DerivedTable>),
    /// `dolt_diff('a', 'b', 't')` and the other table functions.
    Function(Box<TableFunction>),
    JsonTable(Box<JsonTable>),
    Join(Box<Join>),
    /// `(a, b)`: a comma list in parentheses, two or more. Parentheses around one table or join leave no trace.
    List(Vec<TableExpr>),
}

#[derive(Debug, PartialEq)]
pub struct TableReference {
    pub name: ObjectName,
    pub alias: Option<Ident>,
    /// `AS OF expr`: a commit, branch, tag or time.
    pub as_of: Option<Expr>,
    pub partitions: Vec<Ident>,
    pub hints: Vec<IndexHint>,
}

#[derive(Debug, PartialEq)]
pub struct IndexHint {
    pub kind: IndexHintKind,
    pub scope: IndexHintScope,
    pub indexes: Vec<Ident>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexHintKind {
    Use,
    Force,
    Ignore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexHintScope {
    All,
    Join,
    OrderBy,
    GroupBy,
}

#[derive(Debug, PartialEq)]
pub struct DerivedTable {
    pub query: Query,
    pub lateral: bool,
    /// MySQL requires it; `None` is left to the binder's error.
    pub alias: Option<Ident>,
    pub columns: Vec<Ident>,
}

#[derive(Debug, PartialEq)]
pub struct TableFunction {
    pub name: ObjectName,
    pub arguments: Vec<Expr>,
    pub alias: Option<Ident>,
}

/// `JSON_TABLE(document, 'path' COLUMNS (…)) AS alias`.
#[derive(Debug, PartialEq)]
pub struct JsonTable {
    pub document: Expr,
    pub path: Box<str>,
    pub columns: Vec<JsonColumn>,
    pub alias: Option<Ident>,
}

#[derive(Debug, PartialEq)]
pub struct JsonColumn {
    pub kind: JsonColumnKind,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub enum JsonColumnKind {
    Ordinality { name: Ident },
    Path { name: Ident, data_type: DataType, path: Box<str>, on_empty: JsonFallback, on_error: JsonFallback },
    Exists { name: Ident, data_type: DataType, path: Box<str> },
    Nested { path: Box<str>, columns: Vec<JsonColumn> },
}

/// `NULL ON EMPTY` (also when nothing was written), `DEFAULT '…' ON ERROR`, `ERROR ON ERROR`.
#[derive(Debug, PartialEq)]
pub enum JsonFallback {
    Null,
    Error,
    Default(Expr),
}

#[derive(Debug, PartialEq)]
pub struct Join {
    pub kind: JoinKind,
    pub natural: bool,
    pub left: TableExpr,
    pub right: TableExpr,
    pub constraint: Option<JoinConstraint>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinKind {
    /// `JOIN` and `INNER JOIN`.
    Inner,
    Cross,
    Straight,
    Left,
    Right,
    Full,
}

#[derive(Debug, PartialEq)]
pub enum JoinConstraint {
    On(Expr),
    Using(Vec<Ident>),
}
