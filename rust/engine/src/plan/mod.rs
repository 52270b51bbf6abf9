//! Logical plans: what the binder makes, the optimizer improves and `exec` runs.
//!
//! Columns are named by numbers that are unique in a statement, so that a rule may move an operator without
//! renumbering anything; `exec::build` turns numbers into positions at the end.

mod columns;
mod counted;
mod hash_indexed_scan;
mod json_table;
mod loose_index_scan;
pub mod repeatable;
mod scans;
mod value_parts;
mod visit;

use std::rc::Rc;

use parse::ast::{ObjectName, Span};
use value::Value;

use crate::catalog::{IndexChoice, Relation};
use crate::expr::{AggregateCall, CompareOp, Comparison, Expr, ExprType, SortKey};

pub use columns::{ColumnSet, column_set, columns_of};
pub use hash_indexed_scan::{HashIndexedScan, KeyOfRow};
pub use json_table::{JsonColumn, JsonFallback, JsonRows, JsonTable};
pub use loose_index_scan::{GroupEnd, LooseIndexScan};
pub use value_parts::ValueParts;

/// A column of some operator's output, unique in its statement.
pub type ColumnId = u32;

/// Where an inner plan finds a value of the enclosing row.
pub type OuterSlot = u32;

#[derive(Debug, Clone)]
pub enum Plan {
    /// One row without columns: `SELECT 1`.
    Unit,
    /// No rows: what a contradiction leaves.
    Empty(Vec<ColumnId>),
    Scan(Box<Scan>),
    LooseIndexScan(Box<LooseIndexScan>),
    HashIndexedScan(Box<HashIndexedScan>),
    Values(Values),
    JsonTable(Box<JsonTable>),
    TableFunction(Box<TableFunction>),
    Filter(Box<Plan>, Vec<Expr>),
    /// Exactly these columns.
    Project(Box<Plan>, Vec<(ColumnId, Expr)>),
    Join(Box<Join>),
    Aggregate(Box<Aggregate>),
    Window(Box<Window>),
    Sort(Box<Plan>, Vec<SortKey>),
    Limit(Box<Limit>),
    /// Rows that differ in these columns.
    Distinct(Box<Plan>),
    SetOperation(Box<SetOperation>),
    Apply(Box<Apply>),
    Recursive(Box<Recursive>),
    /// The rows that the last round of the enclosing [`Recursive`] gave.
    RecursiveRows(u32, Vec<ColumnId>),
    MaterializedCte(Box<MaterializedCte>),
    Staged(Box<Staged>),
    /// The rows of a stage of the enclosing [`Staged`].
    StageRows(Rc<str>, Vec<ColumnId>),
}

/// Rows of a relation of the catalog.
#[derive(Debug, Clone)]
pub struct Scan {
    pub relation: Rc<dyn Relation>,
    /// As the statement calls it.
    pub alias: Rc<str>,
    /// Output column and its position in the relation.
    pub columns: Vec<(ColumnId, usize)>,
    /// What is asked of the documents and texts of some of these columns; a rule finds it.
    pub parts: Vec<(ColumnId, Rc<ValueParts>)>,
    /// Which index and which ranges of it; chosen by a rule, the whole primary index at first.
    pub access: IndexChoice,
    /// Tested while scanning, before the other columns are decoded.
    pub filter: Vec<Expr>,
    pub reverse: bool,
    /// Estimated number of rows, where it is known.
    pub estimate: Option<f64>,
}

/// Rows of a table function whose arguments are known when it is run. A leaf, as a [`JsonTable`] is.
#[derive(Debug, Clone)]
pub struct TableFunction {
    pub name: ObjectName,
    pub arguments: Vec<Expr>,
    /// One for each column of the function.
    pub columns: Vec<ColumnId>,
}

#[derive(Debug, Clone)]
pub struct Values {
    pub columns: Vec<ColumnId>,
    pub rows: Vec<Vec<Expr>>,
    /// Counted in the tables as they are: the plan is for these alone.
    pub is_counted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinKind {
    Inner,
    Left,
    /// Only the binder makes it; a rule swaps the sides.
    Right,
    Full,
    /// Rows of the left side that have a match.
    Semi,
    /// Rows of the left side that have none.
    Anti,
}

#[derive(Debug, Clone)]
pub struct Join {
    pub kind: JoinKind,
    pub left: Plan,
    pub right: Plan,
    /// Conjuncts; none is a cross join.
    pub on: Vec<Expr>,
    pub strategy: JoinStrategy,
    /// `STRAIGHT_JOIN`: the order of the text stays.
    pub straight: bool,
    /// About how many rows it gives, where its tables have been looked at.
    pub estimate: Option<f64>,
}

#[derive(Debug, Clone, Default)]
pub enum JoinStrategy {
    /// Every pair is tested.
    #[default]
    Nested,
    /// Equal keys of both sides; the right side is built.
    Hash { left: Vec<Expr>, right: Vec<Expr>, comparisons: Vec<Comparison> },
    /// For each left row the right plan is run with these values of it.
    Lookup { outer: Vec<(OuterSlot, ColumnId)> },
}

#[derive(Debug, Clone)]
pub struct Aggregate {
    pub input: Plan,
    pub groups: Vec<(ColumnId, Expr)>,
    pub calls: Vec<(ColumnId, AggregateCall)>,
    /// The rows of a group come one after the other: it is given when the next one begins.
    pub in_order: bool,
}

#[derive(Debug, Clone)]
pub struct Window {
    pub input: Plan,
    pub calls: Vec<(ColumnId, WindowCall)>,
}

#[derive(Debug, Clone)]
pub struct WindowCall {
    pub function: WindowFunction,
    pub partition: Vec<Expr>,
    pub order: Vec<SortKey>,
    pub frame: Frame,
    pub ty: ExprType,
}

#[derive(Debug, Clone)]
pub enum WindowFunction {
    RowNumber,
    Rank,
    DenseRank,
    PercentRank,
    Ntile(Expr),
    Lag { value: Expr, offset: Expr, default: Option<Expr> },
    Lead { value: Expr, offset: Expr, default: Option<Expr> },
    FirstValue(Expr),
    LastValue(Expr),
    Aggregate(AggregateCall),
}

#[derive(Debug, Clone)]
pub struct Frame {
    pub unit: FrameUnit,
    pub start: FrameBound,
    pub end: FrameBound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameUnit {
    Rows,
    Range,
}

/// In a frame of [`FrameUnit::Range`] the expression is the furthest key, not the distance to it.
#[derive(Debug, Clone)]
pub enum FrameBound {
    UnboundedPreceding,
    Preceding(Expr),
    CurrentRow,
    Following(Expr),
    UnboundedFollowing,
}

#[derive(Debug, Clone)]
pub struct Limit {
    pub input: Plan,
    /// Rows at most; none is all of them.
    pub rows: Option<Expr>,
    /// Rows skipped first.
    pub offset: Option<Expr>,
    /// SQL_CALC_FOUND_ROWS: the rows behind the last are read too, for FOUND_ROWS().
    pub counts_all: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetKind {
    Union,
    Intersect,
    Except,
}

#[derive(Debug, Clone)]
pub struct SetOperation {
    pub kind: SetKind,
    pub all: bool,
    /// Both sides project the same number of columns, already cast to one type; by position.
    pub left: Plan,
    pub right: Plan,
    pub columns: Vec<ColumnId>,
}

/// A query inside an expression.
#[derive(Debug, Clone)]
pub struct Subquery {
    /// Which query of the statement it is; what was copied from it has the same.
    pub number: u32,
    pub plan: Plan,
    /// Columns of the enclosing query that the plan reads, by slot.
    pub outer: Vec<(OuterSlot, ColumnId)>,
    pub test: SubqueryTest,
    /// What `IN`, `ANY` and `ALL` compare with the columns of the plan.
    pub tested: Vec<Expr>,
    pub comparisons: Vec<Comparison>,
    /// As what its value is shown, if not as what it is.
    pub shown: Option<ExprType>,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubqueryTest {
    /// One value: NULL without rows, error 1242 with more than one.
    Scalar,
    Exists,
    /// `tested IN (plan)`, three-valued.
    In,
    /// `(tested, …) op (plan)`: NULL without rows, error 1242 with more than one.
    Row(CompareOp),
    /// `tested op ANY (plan)`.
    Any(CompareOp),
    /// `tested op ALL (plan)`.
    All(CompareOp),
}

/// Runs a subquery for each row of the input and adds its answer as a column.
#[derive(Debug, Clone)]
pub struct Apply {
    pub input: Plan,
    pub subquery: Subquery,
    pub output: ColumnId,
    /// Of the same values of a row it has the same answer: a rule has looked.
    pub repeats: bool,
    /// How else many rows are answered.
    pub decorrelated: Option<Box<Decorrelated>>,
}

/// The answers of a subquery for all rows around at once, by what it compares with values of them. For a row that equals none of the
/// keys the subquery finds nothing.
#[derive(Debug, Clone)]
pub struct Decorrelated {
    /// Gives the keys, and then the answer, if that is more than that there are rows.
    pub plan: Plan,
    /// Columns of the plan.
    pub keys: Vec<Expr>,
    /// The values of the outer row that equal them.
    pub values: Vec<Expr>,
    pub comparisons: Vec<Comparison>,
    /// Its results depend on the order of rows, which has to be the same in both plans.
    pub in_order: bool,
    /// So many rows are answered one by one: for fewer that costs less.
    pub after: u64,
    /// Under this name the answers are kept.
    pub name: Rc<str>,
}

/// `WITH RECURSIVE`: `first`, then `step` over the rows of the round before until a round gives none.
#[derive(Debug, Clone)]
pub struct Recursive {
    pub id: u32,
    pub first: Plan,
    pub step: Plan,
    /// UNION ALL keeps duplicates.
    pub all: bool,
    pub columns: Vec<ColumnId>,
}

/// A common table, whose rows are the same for all references: they are computed once.
#[derive(Debug, Clone)]
pub struct MaterializedCte {
    /// Of those that are called alike each has its own.
    pub name: Rc<str>,
    pub plan: Plan,
}

/// A plan whose lower parts are run to their ends first, one after the other: what is stacked hundreds of operators high is divided into
/// stages, so that rules and operators recurse no deeper than one of them.
#[derive(Debug, Clone)]
pub struct Staged {
    /// Each may read the rows of those before it.
    pub stages: Vec<Stage>,
    pub plan: Plan,
}

/// A part of a [`Staged`], materialized.
#[derive(Debug, Clone)]
pub struct Stage {
    /// Of those that are called alike each has its own.
    pub name: Rc<str>,
    pub plan: Plan,
}

impl Plan {
    pub fn filter(self, predicate: Vec<Expr>) -> Plan {
        if predicate.is_empty() { self } else { Plan::Filter(Box::new(self), predicate) }
    }

    /// As [`Plan::filter`], in place.
    pub fn add_filter(&mut self, predicate: Vec<Expr>) {
        if !predicate.is_empty() {
            *self = self.take().filter(predicate);
        }
    }

    /// The plan; nothing of use is left in its place.
    pub fn take(&mut self) -> Plan {
        std::mem::replace(self, Plan::Unit)
    }

    /// The first rows.
    pub fn limit(self, rows: u64) -> Plan {
        let rows = Some(Expr::literal(Value::UInt(rows), ExprType::of(&Value::UInt(rows))));
        Plan::Limit(Box::new(Limit { input: self, rows, offset: None, counts_all: false }))
    }

    pub fn project(self, columns: Vec<(ColumnId, Expr)>) -> Plan {
        Plan::Project(Box::new(self), columns)
    }

    /// The rows of all branches, each of these columns, one branch after the other. `None` without branches.
    pub fn union_all(mut branches: Vec<Plan>, columns: &[ColumnId]) -> Option<Plan> {
        // Halves of halves: thousands of branches do not nest thousands deep.
        let behind = branches.split_off(branches.len().div_ceil(2));
        let Some(right) = (!behind.is_empty()).then(|| Plan::union_all(behind, columns)).flatten() else {
            return branches.pop();
        };
        let left = Plan::union_all(branches, columns)?;
        let (kind, columns) = (SetKind::Union, columns.to_vec());
        Some(Plan::SetOperation(Box::new(SetOperation { kind, all: true, left, right, columns })))
    }

    /// Rows given in the statement itself.
    pub fn values(columns: Vec<ColumnId>, rows: Vec<Vec<Value<'static>>>, ty: ExprType) -> Plan {
        let rows =
            rows.into_iter().map(|row| row.into_iter().map(|v| Expr::literal(v, ty.clone())).collect()).collect();
        Plan::Values(Values { columns, rows, is_counted: false })
    }
}
