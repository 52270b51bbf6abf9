//! SQL over versioned databases: catalog, binder, planner, operators, functions, sessions.
//!
//! ```text
//! text ── parse ──> ast ── bind ──> plan ── optimizer ──> plan ── exec::build ──> operators ──> batches ── page ──> bytes
//! ```
//!
//! [`Engine`] holds the open databases, a [`Session`] is a connection, a [`Cursor`] a running statement that is pulled
//! batch by batch and can stop whenever its fuel is used up.
#![forbid(unsafe_code)]

mod batch;
mod bind;
mod catalog;
mod connect;
mod cursor;
mod engine;
mod error;
mod exec;
mod expr;
pub mod functions;
mod hint;
mod host;
mod name_index;
mod names;
mod one_value;
mod optimizer;
pub mod page;
mod plan;
mod prepared;
mod procedures;
mod program;
mod routine;
mod session;
pub mod state;
mod statements;
mod system_tables;
mod transaction;
mod vector;
mod write;

pub use cursor::{Cursor, Effect, Outcome, Progress, Step, Summary};
pub use engine::{Attached, Databases, Engine, Remote, Status};
pub use error::{Result, SqlError};
pub use expr::Params;
pub use host::{
    FileRead, Groups, Host, LocalFile, Regex, RegexFailure, RegexFlags, RegexSearch, RegexWanted, Spill, Wish,
};
pub use prepared::{DateOrder, DecimalMark, Prepared, RowsDone, RowsText, WrittenForms};
pub use session::{Script, ScriptStep, ScriptWarnings, Session};
pub use state::Warning;
pub use transaction::Transaction;
