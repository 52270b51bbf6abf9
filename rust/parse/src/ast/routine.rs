//! Procedures, triggers, events and the statements of their bodies.

use super::{Account, DataType, Expr, Ident, ObjectName, Query, Span, Statement};

#[derive(Clone, Debug, PartialEq)]
pub struct CreateProcedure {
    pub if_not_exists: bool,
    pub definer: Option<Account>,
    pub name: ObjectName,
    pub parameters: Vec<ProcedureParameter>,
    pub characteristics: Vec<Characteristic>,
    pub body: Box<Statement>,
}

/// One parameter of a procedure.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcedureParameter {
    pub mode: ParameterMode,
    pub name: Ident,
    pub data_type: DataType,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterMode {
    In,
    Out,
    InOut,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Characteristic {
    Comment(Box<str>),
    LanguageSql,
    Deterministic(bool),
    ContainsSql,
    NoSql,
    ReadsSqlData,
    ModifiesSqlData,
    SecurityDefiner,
    SecurityInvoker,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CreateTrigger {
    pub if_not_exists: bool,
    pub definer: Option<Account>,
    pub name: ObjectName,
    pub time: TriggerTime,
    pub event: TriggerEvent,
    pub table: ObjectName,
    pub order: Option<TriggerOrder>,
    pub body: Box<Statement>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggerTime {
    Before,
    After,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggerEvent {
    Insert,
    Update,
    Delete,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TriggerOrder {
    /// FOLLOWS, else PRECEDES.
    pub follows: bool,
    pub other: Ident,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CreateEvent {
    pub if_not_exists: bool,
    pub definer: Option<Account>,
    pub name: ObjectName,
    pub schedule: EventSchedule,
    pub preserve: Option<bool>,
    pub status: Option<EventStatus>,
    pub comment: Option<Box<str>>,
    pub body: Box<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct AlterEvent {
    pub definer: Option<Account>,
    pub name: ObjectName,
    pub schedule: Option<EventSchedule>,
    pub preserve: Option<bool>,
    pub rename_to: Option<ObjectName>,
    pub status: Option<EventStatus>,
    pub comment: Option<Box<str>>,
    pub body: Option<Box<Statement>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum EventSchedule {
    /// `AT time`; intervals are added by `+`.
    At(Expr),
    /// `EVERY 1 DAY STARTS … ENDS …`; `every` is an [`super::ExprKind::Interval`].
    Every { every: Expr, starts: Option<Expr>, ends: Option<Expr> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventStatus {
    Enable,
    Disable,
    DisableOnReplica,
}

/// `label: BEGIN … END label`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub label: Option<Ident>,
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Declare {
    Variables { names: Vec<Ident>, data_type: DataType, default: Option<Expr> },
    Condition { name: Ident, condition: ConditionValue },
    Handler { action: HandlerAction, conditions: Vec<ConditionValue>, body: Box<Statement> },
    Cursor { name: Ident, query: Box<Query> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerAction {
    Continue,
    Exit,
    Undo,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ConditionValue {
    SqlState(Box<str>),
    ErrorCode(u64),
    Name(Ident),
    NotFound,
    SqlWarning,
    SqlException,
}

#[derive(Clone, Debug, PartialEq)]
pub struct If {
    /// IF and every ELSEIF.
    pub branches: Vec<IfBranch>,
    pub otherwise: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct IfBranch {
    pub condition: Expr,
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CaseStatement {
    pub operand: Option<Expr>,
    pub branches: Vec<IfBranch>,
    /// `None` without ELSE: then no match is an error.
    pub otherwise: Option<Vec<Statement>>,
}

/// WHILE, REPEAT and LOOP.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    pub label: Option<Ident>,
    pub kind: LoopKind,
    pub statements: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LoopKind {
    Loop,
    While(Expr),
    /// `REPEAT … UNTIL condition`.
    Repeat(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Fetch {
    pub cursor: Ident,
    pub into: Vec<Ident>,
}

/// SIGNAL and RESIGNAL.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Absent only in RESIGNAL.
    pub condition: Option<ConditionValue>,
    pub items: Vec<SignalItem>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SignalItem {
    /// `MESSAGE_TEXT`, `MYSQL_ERRNO`, …, upper case.
    pub name: Box<str>,
    pub value: Expr,
}
