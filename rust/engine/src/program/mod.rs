//! A compiled stored program: a flat list of steps with jumps.

pub mod condition;
mod known;

use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use parse::ast;
use value::{SqlType, Value};

use crate::expr::{Expr, Locals};
use crate::prepared::Prepared;

use condition::Condition;
pub use known::{KnownPrograms, TriggerDefinition};

/// Steps, and what they refer to by number.
#[derive(Default)]
pub struct Program {
    pub steps: Vec<Step>,
    pub variables: Vec<Variable>,
    /// The parameters are the first variables.
    pub parameters: Vec<ast::ParameterMode>,
    /// Their names, for messages, and queries.
    pub cursors: Vec<(Box<str>, Embedded)>,
    pub handlers: Vec<Handler>,
}

pub struct Variable {
    pub ty: SqlType,
    /// What it holds before anything is assigned.
    pub initial: Value<'static>,
}

/// A handler: its steps end with [`Step::EndHandler`].
pub struct Handler {
    pub action: ast::HandlerAction,
    pub conditions: Vec<Condition>,
    pub start: usize,
    /// The step behind the block that declares it, for EXIT.
    pub block_end: usize,
}

/// A statement of the body, with the variables that it sees.
pub struct Embedded {
    pub prepared: Prepared,
    pub locals: Rc<Locals>,
}

/// An expression of the body.
pub struct Evaluation {
    pub sql: Rc<str>,
    pub expr: ast::Expr,
    pub locals: Rc<Locals>,
    /// The expression as it was bound, where that holds for the next time too.
    pub bound: RefCell<Option<Rc<Expr>>>,
    /// `SELECT expression`, for one that has a query inside.
    pub query: OnceCell<Prepared>,
}

/// Where a value goes.
#[derive(Clone)]
pub enum Target {
    Local(usize),
    User(Rc<str>),
}

/// An argument of CALL.
pub struct Argument {
    pub value: Evaluation,
    /// Where a value comes back to, when the argument is a variable.
    pub target: Option<Target>,
}

pub struct Raise {
    pub state: [u8; 5],
    /// Names in upper case.
    pub items: Vec<(Box<str>, Evaluation)>,
}

pub enum Step {
    /// A block begins: its handlers are in force until it ends, its cursors are closed.
    Enter {
        cursors: Range<usize>,
    },
    Exit,
    /// Variables are made anew whenever their declaration is passed.
    Declare {
        slot: usize,
        value: Option<Evaluation>,
    },
    Assign {
        slot: usize,
        value: Evaluation,
    },
    /// Goes on behind it when true, at `otherwise` when not; at `resume` when a handler let the error pass.
    Test {
        condition: Evaluation,
        otherwise: usize,
        resume: usize,
    },
    /// Ends the innermost `leave` blocks on its way.
    Jump {
        to: usize,
        leave: usize,
    },
    /// A query whose rows go to the client.
    Run(Embedded),
    SelectInto {
        query: Embedded,
        targets: Vec<Target>,
    },
    Call {
        statement: Embedded,
        name: ast::ObjectName,
        arguments: Vec<Argument>,
        as_of: Option<ast::Expr>,
    },
    Open(usize),
    Fetch {
        cursor: usize,
        targets: Vec<Target>,
    },
    Close(usize),
    Raise(Raise),
    /// A handler comes into force; its steps follow and are skipped.
    Handle {
        handler: usize,
        behind: usize,
    },
    EndHandler,
    CaseNotFound,
}
