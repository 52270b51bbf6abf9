//! Syntax of procedures, triggers, events and the statements of their bodies.

use std::rc::Rc;

use super::{Account, DataType, Expr, Ident, ObjectName, Span, Statement};

#[derive(Debug, PartialEq)]
pub struct CreateProcedure {
    pub if_not_exists: bool,
    pub definer: Option<Account>,
    pub name: ObjectName,
    pub parameters: Vec<ProcedureParameter>,
    pub characteristics: Vec<Characteristic>,
    pub body: Rc<Statement>,
}

/// One parameter of a procedure.
#[derive(Debug, PartialEq)]
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

#[derive(Debug, PartialEq)]
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

#[derive(Debug, PartialEq)]
pub struct CreateTrigger {
    pub if_not_exists: bool,
    pub definer: Option<Account>,
    pub name: ObjectName,
    pub time: TriggerTime,
    pub event: TriggerEvent,
    pub table: ObjectName,
    pub order: Option<TriggerOrder>,
    pub body: Rc<Statement>,
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

#[derive(Debug, PartialEq)]
pub struct TriggerOrder {
    /// FOLLOWS, else PRECEDES.
    pub follows: bool,
    pub other: Ident,
}

#[derive(Debug, PartialEq)]
pub struct CreateEvent {
    pub if_not_exists: bool,
    pub definer: Option<Account>,
    pub name: ObjectName,
    pub schedule: EventSchedule,
    pub preserve: Option<bool>,
    pub status: Option<EventStatus>,
    pub comment: Option<Box<str>>,
    pub body: Rc<Statement>,
}

#[derive(Debug, PartialEq)]
pub struct AlterEvent {
    pub definer: Option<Account>,
    pub name: ObjectName,
    pub schedule: Option<EventSchedule>,
    pub preserve: Option<bool>,
    pub rename_to: Option<ObjectName>,
    pub status: Option<EventStatus>,
    pub comment: Option<Box<str>>,
    pub body: Option<Rc<Statement>>,
}

#[derive(Debug, PartialEq)]
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
#[derive(Debug, PartialEq)]
pub struct Block {
    pub label: Option<Ident>,
    pub statements: Vec<Rc<Statement>>,
}

#[derive(Debug, PartialEq)]
pub enum Declare {
    Variables { names: Vec<Ident>, data_type: DataType, default: Option<Expr> },
    Condition { name: Ident, condition: ConditionValue },
    Handler { action: HandlerAction, conditions: Vec<ConditionValue>, body: Rc<Statement> },
    Cursor { name: Ident, query: Rc<Statement> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerAction {
    Continue,
    Exit,
    Undo,
}

#[derive(Debug, PartialEq)]
pub enum ConditionValue {
    SqlState(Box<str>),
    ErrorCode(u64),
    Name(Ident),
    NotFound,
    SqlWarning,
    SqlException,
}

#[derive(Debug, PartialEq)]
pub struct If {
    /// IF and every ELSEIF.
    pub branches: Vec<IfBranch>,
    pub otherwise: Vec<Rc<Statement>>,
}

#[derive(Debug, PartialEq)]
pub struct IfBranch {
    pub condition: Expr,
    pub statements: Vec<Rc<Statement>>,
}

#[derive(Debug, PartialEq)]
pub struct CaseStatement {
    pub operand: Option<Expr>,
    pub branches: Vec<IfBranch>,
    /// `None` without ELSE: then no match is an error.
    pub otherwise: Option<Vec<Rc<Statement>>>,
}

/// WHILE, REPEAT and LOOP.
#[derive(Debug, PartialEq)]
pub struct Loop {
    pub label: Option<Ident>,
    pub kind: LoopKind,
    pub statements: Vec<Rc<Statement>>,
}

#[derive(Debug, PartialEq)]
pub enum LoopKind {
    Loop,
    While(Expr),
    /// `REPEAT … UNTIL condition`.
    Repeat(Expr),
}

#[derive(Debug, PartialEq)]
pub struct Fetch {
    pub cursor: Ident,
    pub into: Vec<Ident>,
}

/// SIGNAL and RESIGNAL.
#[derive(Debug, PartialEq)]
pub struct Signal {
    /// Absent only in RESIGNAL.
    pub condition: Option<ConditionValue>,
    pub items: Vec<SignalItem>,
}

#[derive(Debug, PartialEq)]
pub struct SignalItem {
    /// `MESSAGE_TEXT`, `MYSQL_ERRNO`, …, upper case.
    pub name: Box<str>,
    pub value: Expr,
}
