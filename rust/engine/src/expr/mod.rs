//! Bound expressions: names resolved to columns, types known, functions found.
//!
//! The binder makes them, the rules rewrite them, `eval` runs them over batches.

mod arithmetic;
mod arithmetic_loops;
mod compare;
mod context;
mod eval;
mod evaluated;
mod in_list;
pub mod locals;
mod logic;
mod number;
mod same;
pub mod types;
mod visit;

use std::cell::OnceCell;
use std::rc::Rc;

use value::{Collation, SqlType, Value};

use crate::functions::{Aggregate, Function};
use crate::plan::{ColumnId, OuterSlot, Subquery};

pub use arithmetic::out_of_range;
pub use compare::{CompareOp, Comparison, append_text_key, whole_number};
pub use context::{Context, LARGE_BYTES, NO_VALUE, Params};
pub use evaluated::{eval_all, evaluate_all};
pub use locals::Locals;
pub use number::{to_decimal, to_double};
pub use types::{ExprType, coercibility};

/// An expression with its type.
#[derive(Debug, Clone)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: ExprType,
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    /// A column of the input.
    Column(ColumnId),
    /// A column of an enclosing query: constant while the inner plan runs.
    Outer(OuterSlot),
    Literal(Value<'static>),
    /// The n-th `?`, from 0.
    Param(u32),
    Call(Box<Call>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Xor(Box<[Expr; 2]>),
    Not(Box<Expr>),
    Compare(CompareOp, Comparison, Box<[Expr; 2]>),
    Arithmetic(ArithmeticOp, Box<[Expr; 2]>),
    Negate(Box<Expr>),
    /// `CASE WHEN condition THEN value … ELSE otherwise END`; CASE with an operand is rewritten to this by the binder.
    Case(Box<Case>),
    Cast(Box<Expr>, CastKind),
    /// `value IN (list)`: every item compared as `Comparison` says.
    In(Box<InList>),
    Like(Box<Like>),
    Is(Box<Expr>, IsTest),
    UserVariable(Rc<str>, Holds),
    /// `@name := value`, the value itself.
    SetUserVariable(Rc<str>, Box<Expr>),
    /// Replaced by a column of an Apply before execution.
    Subquery(Box<Subquery>),
}

/// How long a user variable keeps its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// For the whole statement, as far as that is written: nothing in it is `@name := value`.
    Statement,
    /// Until the next row.
    Row,
}

#[derive(Debug, Clone)]
pub struct Call {
    pub function: &'static Function,
    pub args: Vec<Expr>,
    /// By what text arguments are compared where the function compares.
    pub collation: Collation,
}

/// A call of an aggregate function over the rows of a group or a window.
#[derive(Debug, Clone)]
pub struct AggregateCall {
    pub function: &'static Aggregate,
    pub args: Vec<Expr>,
    pub distinct: bool,
    /// `GROUP_CONCAT(… ORDER BY …)`.
    pub order: Vec<SortKey>,
    pub separator: Option<Rc<str>>,
    pub ty: ExprType,
}

/// An item of ORDER BY.
#[derive(Debug, Clone)]
pub struct SortKey {
    pub expr: Expr,
    pub descending: bool,
}

#[derive(Debug, Clone)]
pub struct Case {
    pub branches: Vec<(Expr, Expr)>,
    pub otherwise: Option<Expr>,
}

#[derive(Debug, Clone)]
pub struct InList {
    pub value: Expr,
    pub list: Vec<Expr>,
    pub comparison: Comparison,
    pub negated: bool,
    /// The set of a long list of literals, built on first use.
    known: OnceCell<Rc<in_list::Members>>,
}

impl InList {
    pub fn new(value: Expr, list: Vec<Expr>, comparison: Comparison, negated: bool) -> InList {
        InList { value, list, comparison, negated, known: OnceCell::new() }
    }
}

#[derive(Debug, Clone)]
pub struct Like {
    pub text: Expr,
    pub pattern: Expr,
    /// The argument of ESCAPE: one value for all rows.
    pub escape: Option<Expr>,
    pub negated: bool,
    pub collation: Collation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArithmeticOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// A division within other arithmetic, to more digits than are shown in the end.
    InnerDivide,
    IntegerDivide,
    Modulo,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CastKind {
    /// `CAST`/`CONVERT` in the text: problems are warnings or NULL.
    Explicit,
    /// Put in by the binder so that two sides have one type.
    Implicit,
    /// As a column of the type takes the value: what it would refuse is an error.
    Assigned,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IsTest {
    Null,
    NotNull,
    True,
    NotTrue,
    False,
    NotFalse,
}

impl Expr {
    pub fn new(kind: ExprKind, ty: ExprType) -> Expr {
        Expr { kind, ty }
    }

    pub fn column(id: ColumnId, ty: ExprType) -> Expr {
        Expr::new(ExprKind::Column(id), ty)
    }

    pub fn literal(value: Value<'static>, ty: ExprType) -> Expr {
        Expr::new(ExprKind::Literal(value), ty)
    }

    pub fn null() -> Expr {
        Expr::literal(Value::Null, ExprType::null())
    }

    pub fn integer(value: i64) -> Expr {
        Expr::literal(Value::Int(value), ExprType::new(SqlType::BIGINT, false))
    }

    pub fn boolean(value: bool) -> Expr {
        Expr::literal(Value::Int(i64::from(value)), ExprType::new(SqlType::BOOLEAN, false))
    }

    /// All of `terms`; no terms are true.
    pub fn and(mut terms: Vec<Expr>) -> Expr {
        match terms.len() {
            0 => Expr::boolean(true),
            1 => terms.swap_remove(0),
            _ => Expr::new(ExprKind::And(terms), ExprType::boolean()),
        }
    }

    pub fn negated(self) -> Expr {
        Expr::new(ExprKind::Not(Box::new(self)), ExprType::boolean())
    }

    /// The negation where `negated` says so: `IN` and `NOT IN`.
    pub fn negated_if(self, negated: bool) -> Expr {
        if negated { self.negated() } else { self }
    }

    /// The terms of a conjunction, flattened.
    pub fn into_conjuncts(self) -> Vec<Expr> {
        match self.kind {
            ExprKind::And(terms) if terms.iter().any(|term| matches!(term.kind, ExprKind::And(_))) => {
                terms.into_iter().flat_map(Expr::into_conjuncts).collect()
            }
            ExprKind::And(terms) => terms,
            _ => vec![self],
        }
    }

    pub fn as_literal(&self) -> Option<&Value<'static>> {
        match &self.kind {
            ExprKind::Literal(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_column(&self) -> Option<ColumnId> {
        match self.kind {
            ExprKind::Column(id) => Some(id),
            _ => None,
        }
    }
}
