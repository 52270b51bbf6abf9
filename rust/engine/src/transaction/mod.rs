//! Transactions: what a session sees of the databases and has changed since its transaction began.
//!
//! A transaction is names: [`vcs::Refs`] as they were when it began, and others that have its changes and that no other session sees
//! ([`view`]). A statement that writes makes new roots, puts them into a working set and that into new names; so a savepoint is names,
//! too, and ROLLBACK forgets some. COMMIT makes the last ones those of the database, in one durable step.
//!
//! Statements that change rows without looking at others leave their changes with the *open writer*, a few sorted edits, which
//! makes names of them when a statement asks for names: so a transaction of many small changes writes its trees once.
//!
//! **Group commit.** Where the store may keep its lock for a commit that comes later (`store::Chunks::hold`), such statements with
//! autocommit put their commits into the [commit queue](commit_queue): the writer stays open for the next of them, until any other
//! statement begins in any session, or none comes for a while. The flush of the group ([`group_commit`]) commits what they would have committed one by one.
//! With full durability each leaves a *redo record* in the journal, which is flushed; the next session to find records of a process that is
//! gone commits them ([`redo_recovery`]). So do transactions of nothing but such statements; the next one is *stacked* on what they left
//! ([`stacked`]).
//!
//! Which statement does what in which state is a table of pure functions: [`state`].

mod auto_commit;
mod base_snapshot;
mod begin;
mod commit_queue;
mod consumed_ids;
mod end;
mod gather;
mod group_commit;
mod merge;
pub(crate) mod redo_recovery;
mod refs;
mod savepoints;
mod snapshot;
mod stacked;
mod state;
mod validate;
mod view;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use crate::catalog::Catalog;
use crate::engine::Engine;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::write::SharedWriter;
use commit_queue::CommitQueue;
use consumed_ids::ConsumedIds;
pub use savepoints::Mark;
use state::{Event, State};
use view::View;

/// How often a commit is tried when others are always faster.
const TRIES_MAX: usize = 5;

/// The transaction of a session; between two of them it sees what is committed.
pub struct Transaction {
    engine: Rc<Engine>,
    catalog: Weak<Catalog>,
    state: RefCell<State>,
    view: RefCell<View>,
    queue: RefCell<CommitQueue>,
    open_writer: RefCell<Option<SharedWriter>>,
    /// The context of the last statement: it is there while the statement runs.
    statement: RefCell<Weak<Context>>,
    consumed_ids: RefCell<ConsumedIds>,
    /// See [`base_snapshot`].
    reads_base: Cell<bool>,
}

/// When a transaction begins that takes the place of one that was committed in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    AtOnce,
    /// What others commit before the next statement is seen.
    WithNextStatement,
}

/// What a statement is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    Read,
    /// Read rows of one table by their keys, as a whole statement of a client: see [`Transaction::edits`].
    ReadRows,
    /// Change a few rows through [`Transaction::open_writer`], as a whole statement of a client, in one call of the host.
    ChangeRows,
    /// START TRANSACTION.
    Begin,
    Commit,
    RollBack,
    Other,
}

impl Intent {
    fn only_reads(self) -> bool {
        matches!(self, Intent::Read | Intent::ReadRows)
    }
}

impl Transaction {
    pub(crate) fn new(engine: Rc<Engine>, catalog: Weak<Catalog>) -> Transaction {
        Transaction {
            engine,
            catalog,
            state: RefCell::default(),
            view: RefCell::default(),
            queue: RefCell::default(),
            open_writer: RefCell::default(),
            statement: RefCell::new(Weak::new()),
            consumed_ids: RefCell::default(),
            reads_base: Cell::default(),
        }
    }

    /// Moves the state machine.
    fn apply(&self, event: Event) {
        let state = self.state.take();
        self.state.replace(state.next(event));
    }

    fn catalog(&self) -> Result<Rc<Catalog>> {
        self.catalog.upgrade().ok_or_else(|| SqlError::internal("a session is gone"))
    }

    fn is_autocommit(&self) -> bool {
        self.catalog.upgrade().is_none_or(|catalog| catalog.state.variables.borrow().is_autocommit())
    }

    /// The writer with the changes of the statements before, if they left one.
    pub fn open_writer(&self) -> Option<SharedWriter> {
        self.open_writer.borrow().clone()
    }

    /// A statement that changed rows has ended: its writer stays for the next ones if the transaction does, else it is published.
    ///
    /// # Errors
    /// As `Writer::publish`.
    pub fn keep_writer(&self, writer: SharedWriter) -> Result<()> {
        writer.borrow().check_open()?;
        let mut open = self.open_writer.borrow_mut();
        if self.state.borrow().keeps_writer() && open.as_ref().is_none_or(|open| Rc::ptr_eq(open, &writer)) {
            writer.borrow_mut().take_counters(self)?;
            *open = Some(writer);
            return Ok(());
        }
        drop(open);
        let catalog = self.catalog()?;
        writer.borrow_mut().publish(&catalog)
    }

    /// Puts the changes of the open writer into the names. Pending commits become those of the database.
    ///
    /// # Errors
    /// What is wrong with a chunk; the transaction is over then, without its changes. As `flush_group`.
    pub fn publish(&self) -> Result<()> {
        if self.open_writer.borrow().is_none() || !self.state.borrow().has_pending_commits() {
            return self.publish_writer();
        }
        self.flush_group()?;
        if self.state.borrow().is_closed() {
            self.begin_single(false)?;
            self.view.borrow_mut().published.clear();
        }
        Ok(())
    }

    fn publish_writer(&self) -> Result<()> {
        let Some(writer) = self.open_writer.take() else { return Ok(()) };
        let catalog = self.catalog()?;
        let published = writer.borrow_mut().publish(&catalog);
        published.inspect_err(|_| self.discard())?;
        self.note_published();
        Ok(())
    }

    /// The snapshots have all changes of the statements before.
    fn note_published(&self) {
        let view = &mut *self.view.borrow_mut();
        view.published.clone_from(&view.snapshots);
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        self.close();
    }
}
