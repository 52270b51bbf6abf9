//! Stored programs: procedures and the bodies of triggers.
//!
//! [`compile`] turns a body into a [`Program`](crate::program::Program), a [`Machine`](machine::Machine) runs it. The machine
//! keeps its place in its own fields, so that a procedure can stop and go on between any two rows, as every statement can.
//!
//! Variables have numbers. A statement of the body sees them by name through [`Locals`](crate::expr::Locals), and the binder
//! makes parameters of them: the plan of a statement in a loop is made once.

mod call;
mod compile;
mod data_type;
mod define;
mod event;
mod machine;
mod trigger;

pub(crate) use call::{call, find, signal};
pub(crate) use define::{create_procedure, create_trigger, drop_procedures, drop_triggers, with_definer};
pub(crate) use event::{alter_event, create_event, drop_events};
pub use trigger::{TriggerRow, Triggers};
