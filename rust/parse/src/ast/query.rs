//! Syntax of queries: SELECT, UNION, VALUES, TABLE and their clauses.

use std::rc::Rc;

use super::{ColumnName, Expr, Ident, ObjectName, OrderItem, Span, TableExpr, WindowSpecification};

/// A query expression: WITH, a body, and ORDER BY, LIMIT, INTO, locks that apply to the whole body. Copies share the body.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub with: Option<With>,
    pub body: QueryBody,
    pub order_by: Vec<OrderItem>,
    pub limit: Option<Limit>,
    pub into: Option<Into>,
    pub locking: Vec<Locking>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum QueryBody {
    Select(Rc<Select>),
    /// `VALUES ROW(1, 2), ROW(3, 4)`.
    Values(Vec<ValuesRow>),
    /// `TABLE t`.
    Table(Box<ObjectName>),
    /// `(query)`: has its own ORDER BY, LIMIT, WITH.
    Nested(Rc<Query>),
    SetOperation(Rc<SetOperation>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ValuesRow {
    pub values: Vec<Expr>,
    pub span: Span,
}

/// `first UNION second EXCEPT third`: flat and to be evaluated from the left, so that long chains stay low. INTERSECT
/// binds tighter and is a `SetOperation` of its own inside `first` or an arm.
#[derive(Debug, PartialEq)]
pub struct SetOperation {
    pub first: QueryBody,
    pub arms: Vec<SetArm>,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub struct SetArm {
    pub operator: SetOperator,
    /// ALL was written; otherwise duplicates go.
    pub all: bool,
    pub body: QueryBody,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOperator {
    Union,
    Intersect,
    Except,
}

#[derive(Clone, Debug, PartialEq)]
pub struct With {
    pub recursive: bool,
    pub tables: Vec<CommonTable>,
    pub span: Span,
}

/// `name (columns) AS (query)`.
#[derive(Clone, Debug, PartialEq)]
pub struct CommonTable {
    pub name: Ident,
    pub columns: Vec<Ident>,
    pub query: Rc<Query>,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub struct Select {
    pub options: SelectOptions,
    pub items: Vec<SelectItem>,
    /// Comma-separated; empty without FROM and for `FROM dual`.
    pub from: Vec<TableExpr>,
    pub filter: Option<Expr>,
    pub group_by: Option<GroupBy>,
    pub having: Option<Expr>,
    pub windows: Vec<NamedWindow>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelectOptions {
    pub distinct: bool,
    pub straight_join: bool,
    pub calc_found_rows: bool,
}

#[derive(Debug, PartialEq)]
pub enum SelectItem {
    /// `*`, `t.*`, `db.t.*`.
    Star { database: Option<Ident>, table: Option<Ident>, span: Span },
    /// Without alias the column is named by the column, else by the text of `expr.span`.
    Expr { expr: Expr, alias: Option<Ident>, span: Span },
}

#[derive(Debug, PartialEq)]
pub struct GroupBy {
    pub items: Vec<OrderItem>,
    pub with_rollup: bool,
    pub span: Span,
}

/// `WINDOW name AS (…)`.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedWindow {
    pub name: Ident,
    pub window: WindowSpecification,
}

/// `LIMIT count`, `LIMIT offset, count`, `LIMIT count OFFSET offset`. Literals, parameters or variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    pub count: Expr,
    pub offset: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Into {
    /// `INTO @a, b`: user variables, and local variables in a routine.
    Variables(Vec<IntoTarget>),
    OutFile {
        path: Box<str>,
        format: FileFormat,
    },
    DumpFile {
        path: Box<str>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum IntoTarget {
    User(Ident),
    Local(Ident),
}

/// FIELDS and LINES of LOAD DATA and INTO OUTFILE; `None` = MySQL's default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileFormat {
    pub charset: Option<Box<str>>,
    pub fields_terminated_by: Option<Box<str>>,
    pub enclosed_by: Option<Box<str>>,
    pub optionally_enclosed: bool,
    pub escaped_by: Option<Box<str>>,
    pub lines_starting_by: Option<Box<str>>,
    pub lines_terminated_by: Option<Box<str>>,
}

/// `FOR UPDATE OF t SKIP LOCKED`, `LOCK IN SHARE MODE`: accepted, without effect in Dolt.
#[derive(Clone, Debug, PartialEq)]
pub struct Locking {
    pub strength: LockStrength,
    pub tables: Vec<ObjectName>,
    pub wait: LockWait,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockStrength {
    Update,
    Share,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockWait {
    Wait,
    NoWait,
    SkipLocked,
}

/// `column = value` of UPDATE, INSERT SET and ON DUPLICATE KEY UPDATE.
#[derive(Debug, PartialEq)]
pub struct Assignment {
    pub column: ColumnName,
    /// May be [`super::ExprKind::Default`].
    pub value: Expr,
    pub span: Span,
}
