//! Stored programs: procedures and the bodies of triggers.
//!
//! [`compile`] turns a body into a flat list of steps with jumps, [`Machine`] runs it. The machine keeps its place in its
//! own fields, so that a procedure can stop and go on between any two rows, as every statement can.
//!
//! Variables have numbers. A statement of the body sees them by name through [`Locals`], and the binder makes parameters
//! of them: the plan of a statement in a loop is made once.

mod call;
mod compile;
mod condition;
mod data_type;
mod define;
mod event;
mod locals;
mod machine;
mod program;
mod trigger;

pub(crate) use call::{call, compiled, signal};
pub(crate) use define::{create_procedure, create_trigger, drop_procedures, drop_triggers};
pub(crate) use event::{alter_event, create_event, drop_events};
pub use locals::Locals;
pub(crate) use machine::{Machine, Progress};
pub(crate) use program::Program;
pub use trigger::{Definition, TriggerRow, Triggers, table_key};
