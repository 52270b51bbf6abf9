//! What an entry of the table of procedures says: the one place that names a procedure.

use std::rc::Rc;

use super::call::{Answer, Call};
use super::remote::exchange::Begin;
use crate::cursor::Cursor;
use crate::error::Result;
use crate::expr::Context;
use crate::system_tables::ProcedureHelp;

/// A procedure of Dolt, or of ours.
pub struct Entry {
    /// Lower case.
    pub name: &'static str,
    pub work: Work,
    /// Whether its first argument is a user variable that takes the first value of its answer.
    pub sets_variable: bool,
    /// What `dolt_help` says of it; native Dolt's table has not all procedures.
    pub help: Option<ProcedureHelp>,
}

/// How a procedure works.
#[derive(Clone, Copy)]
pub enum Work {
    /// In one go, or again from its start where it has to wait.
    Procedure(fn(&Call) -> Result<Answer>),
    /// In steps, with a remote.
    Exchange(Begin),
    /// As a cursor of its own: it takes longer than other sessions wait, or tells how far it is.
    Cursor(fn(Call, Rc<Context>) -> Result<Cursor>),
    /// As a statement that counts rows, or waits for that (`statements/analyze.rs`).
    Gather { waits: bool },
}

impl Entry {
    pub(super) const fn new(name: &'static str, procedure: fn(&Call) -> Result<Answer>) -> Entry {
        Entry::of(name, Work::Procedure(procedure))
    }

    pub(super) const fn exchange(name: &'static str, begin: Begin) -> Entry {
        Entry::of(name, Work::Exchange(begin))
    }

    pub(super) const fn of(name: &'static str, work: Work) -> Entry {
        Entry { name, work, sets_variable: false, help: None }
    }

    pub(super) const fn setting_variable(self) -> Entry {
        Entry { sets_variable: true, ..self }
    }

    /// What `dolt_help` says: the call, what it does, and its options with what they are for.
    pub(super) const fn help(
        self,
        synopsis: &'static str,
        description: &'static str,
        options: &'static [(&'static str, &'static str)],
    ) -> Entry {
        Entry { help: Some(ProcedureHelp { name: self.name, synopsis, description, options }), ..self }
    }
}
