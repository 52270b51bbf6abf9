//! SQL over versioned databases: catalog, binder, planner, operators, functions, sessions.
//!
//! ```text
//! text ── parse ──> ast ── bind ──> plan ── plan::rules ──> plan ── exec::build ──> operators ──> batches ── page ──> bytes
//! ```
//!
//! [`Engine`] holds the open databases, a [`Session`] is a connection, a [`Cursor`] a running statement that is pulled
//! batch by batch and can stop whenever its fuel is used up.
#![forbid(unsafe_code)]

pub mod batch;
mod bind;
pub mod catalog;
mod engine;
mod error;
mod exec;
pub mod expr;
pub mod functions;
mod hint;
pub mod page;
pub mod plan;
mod procedures;
mod routine;
pub mod session;
mod statements;
mod system_tables;
pub mod vector;
pub mod write;

pub use engine::{Attached, Databases, Engine, Status};
pub use error::{Result, SqlError};
pub use session::{
    Cursor, Effect, FileRead, Groups, Host, LocalFile, Outcome, Prepared, Progress, Regex, RegexFlags, Session, Spill,
    Step, Summary, Transaction, Warning,
};
