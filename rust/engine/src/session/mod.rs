//! Session: a connection that prepares statements, executes them, and keeps variables.
//!
//! Queries start here ([`queries`]). The function that starts statements of other kinds is given when the session is made
//! ([`StartOther`]), so that folders that run statements within statements, as stored programs and EXECUTE do, import the session and not the
//! other way round. Texts become statements in [`prepare`]; [`execute`] has the ways in which one starts.

mod base_snapshot;
mod execute;
mod image;
mod plan_cache;
mod prepare;
mod queries;
mod reset;
mod script;
mod suggestions;

use std::cell::RefCell;
use std::rc::Rc;

use hashbrown::HashMap;
use parse::{Options, Reading};

use crate::catalog::{Catalog, ReadStatement};
use crate::cursor::Cursor;
use crate::engine::Engine;
use crate::error::Result;
use crate::expr::Context;
use crate::names;
use crate::prepared::Prepared;
use crate::procedures;
use crate::program::KnownPrograms;
use crate::state::SessionState;
use crate::system_tables::SystemTables;

use plan_cache::PlanCache;
pub use script::{Script, ScriptStep, ScriptWarnings};

/// The error of a text without a statement.
const EMPTY: u16 = 1065;

/// Starts a statement that is no query.
pub(crate) type StartOther = fn(&Session, &Prepared, Rc<Context>) -> Result<Cursor>;

/// One connection to an engine.
pub struct Session {
    catalog: Rc<Catalog>,
    start_other: StartOther,
    /// Statements by the names that PREPARE gave them, in lower case.
    prepared: Rc<RefCell<HashMap<Box<str>, Rc<Prepared>>>>,
    plan_cache: Rc<RefCell<PlanCache>>,
    programs: Rc<KnownPrograms>,
    /// The long text that is being read.
    reading: RefCell<Option<(Box<str>, Options, Reading)>>,
}

/// Runs statements that only read for the folders below sessions.
fn reader(start_other: StartOther) -> ReadStatement {
    Rc::new(move |catalog, sql| {
        let (prepared, plan_cache, programs) = (Rc::default(), Rc::default(), Rc::default());
        let reading = RefCell::default();
        let session = Session { catalog: catalog.clone(), start_other, prepared, plan_cache, programs, reading };
        let context = Rc::new(Context::new(catalog.clone(), Vec::new()));
        let (columns, rows, _) = session.start_in_context(&session.read(sql)?, context)?.collect()?;
        Ok((columns.iter().map(|column| column.ty.clone()).collect(), rows))
    })
}

impl Session {
    pub(crate) fn new(engine: Rc<Engine>, connection_id: u64, start_other: StartOther) -> Session {
        let state = Rc::new(SessionState::new(connection_id, engine.host().clone(), engine.globals.clone()));
        Session {
            catalog: Catalog::new(
                engine,
                state,
                &SystemTables { help: procedures::help },
                names::bind_stored,
                reader(start_other),
            ),
            start_other,
            prepared: Rc::default(),
            plan_cache: Rc::default(),
            programs: Rc::default(),
            reading: RefCell::default(),
        }
    }

    /// The same connection once more, for a stored program to run its statements on.
    pub(crate) fn twin(&self) -> Session {
        Session {
            catalog: self.catalog.clone(),
            start_other: self.start_other,
            prepared: self.prepared.clone(),
            plan_cache: self.plan_cache.clone(),
            programs: self.programs.clone(),
            reading: RefCell::default(),
        }
    }

    pub fn state(&self) -> &Rc<SessionState> {
        &self.catalog.state
    }

    pub fn catalog(&self) -> &Rc<Catalog> {
        &self.catalog
    }

    pub(crate) fn programs(&self) -> &KnownPrograms {
        &self.programs
    }

    /// The statement that PREPARE gave this name.
    pub(crate) fn named_prepared(&self, name: &str) -> Option<Rc<Prepared>> {
        self.prepared.borrow().get(name.to_lowercase().as_str()).cloned()
    }

    /// Gives a statement a name; `None` forgets the name.
    pub(crate) fn name_prepared(&self, name: &str, statement: Option<Rc<Prepared>>) {
        let name = name.to_lowercase().into_boxed_str();
        self.state().has_changed();
        match statement {
            Some(statement) => self.prepared.borrow_mut().insert(name, statement),
            None => self.prepared.borrow_mut().remove(&name),
        };
    }

    /// Empties the plan cache: its plans hold on to a database that is gone.
    pub(crate) fn clear_plan_cache(&self) {
        self.plan_cache.borrow_mut().forget();
    }

    /// A piece of a script, which begins where the pieces before it were done with.
    pub fn script(&self, bytes: Vec<u8>, is_last: bool) -> Script {
        Script::new(self.twin(), bytes, is_last)
    }
}
