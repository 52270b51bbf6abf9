//! What a session sees and has changed since its transaction began.
//!
//! A transaction is names: [`vcs::Refs`] as they were when it began, and others that have its changes and that nobody else sees. A
//! statement that writes makes new roots, puts them into a working set and that into new names; so a savepoint is names
//! too, and ROLLBACK forgets some. COMMIT makes the last ones those of the database, in one durable step.
//!
//! Statements that change rows without looking at others leave their changes with the *open writer*, a few sorted edits, which
//! makes names of them when somebody asks for names: so a transaction of many small changes writes its trees once.
//!
//! Where the store may keep its lock for a commit that comes later (`store::Chunks::hold`), such statements with autocommit leave their
//! commits *unsettled*: the writer stays open for the next of them, until anything else begins in any session, or nothing comes for
//! a while (`settle.rs`). What is settled then is what they would have committed one by one. With full durability each leaves a *redo record* in the
//! journal, which is flushed; whoever finds such records of somebody who is gone commits them (`redo.rs`). So do transactions that do
//! nothing else than such statements; the next one begins on top of what they left (`on_top.rs`).

mod auto_commit;
mod begin;
mod below_edits;
mod end;
mod gather;
mod in_vain;
mod merge;
mod names;
mod on_top;
pub(crate) mod redo;
mod savepoints;
mod settle;
mod snapshot;
mod validate;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use crate::catalog::Catalog;
use crate::engine::Engine;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::write::SharedWriter;
use in_vain::InVain;
use on_top::Own;
pub use savepoints::Mark;
use savepoints::Savepoint;
use settle::{Backlog, Settling};
use snapshot::Snapshot;

/// How often a commit is tried when others are always faster.
const TRIES_MAX: usize = 5;

/// The transaction of a session; between two of them it sees what is committed.
pub struct Transaction {
    engine: Rc<Engine>,
    catalog: Weak<Catalog>,
    inner: RefCell<Inner>,
    open_writer: RefCell<Option<SharedWriter>>,
    /// Of the last statement: it is there while the statement runs.
    statement: RefCell<Weak<Context>>,
    in_vain: RefCell<InVain>,
    /// See [`below_edits`].
    is_below_edits: Cell<bool>,
}

#[derive(Default)]
struct Inner {
    state: State,
    /// START TRANSACTION was said, and neither COMMIT nor ROLLBACK since: what commits in between is followed by another transaction.
    is_begun: bool,
    is_read_only: bool,
    snapshots: Vec<Snapshot>,
    savepoints: Vec<Savepoint>,
    /// Chunks were put that no commit has written.
    has_pending: bool,
    /// Changes are moved from one branch to another, so the working sets of both may change.
    moves_changes: bool,
    /// The statement that runs is one whose commit may be put off.
    may_be_put_off: bool,
    backlog: Backlog,
    last_settling: Settling,
    /// What the open transaction has changed on top of what is being settled.
    own: Option<Own>,
    /// That was lost: the next statement of the session is told.
    is_own_lost: bool,
    /// The last two statements of the session, with the one that runs, change rows by their keys: so may the next ones. A transaction
    /// counts as one.
    is_in_run: bool,
    was_change: bool,
    /// So many transactions are committed by themselves: one before them has read what it had changed.
    apart: u8,
    /// The names after the open writer was published.
    published: Vec<Snapshot>,
    /// Text of the statements that were gathered.
    gathered_bytes: usize,
    /// Tables that they are for, whose triggers write nowhere else.
    gathered_tables: Vec<Box<str>>,
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

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Closed,
    /// Of one statement.
    Statement,
    /// Of statements with autocommit that were acknowledged and not committed.
    Unsettled,
    /// Of INSERTs of a script with autocommit: they are committed together.
    Gathering,
    /// Until COMMIT or ROLLBACK; one that nobody began, because autocommit is off, ends when autocommit is on as well.
    Open,
}

impl Transaction {
    pub(crate) fn new(engine: Rc<Engine>, catalog: Weak<Catalog>) -> Transaction {
        Transaction {
            engine,
            catalog,
            inner: RefCell::default(),
            open_writer: RefCell::default(),
            statement: RefCell::new(Weak::new()),
            in_vain: RefCell::default(),
            is_below_edits: Cell::default(),
        }
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
        let stays = self.is_open() || self.inner.borrow().backlog.statements > 0 || self.inner.borrow().may_be_put_off;
        if stays && open.as_ref().is_none_or(|open| Rc::ptr_eq(open, &writer)) {
            writer.borrow_mut().take_counters(self)?;
            *open = Some(writer);
            return Ok(());
        }
        drop(open);
        let catalog = self.catalog.upgrade().ok_or_else(|| SqlError::internal("a session is gone"))?;
        writer.borrow_mut().publish(&catalog)
    }

    /// Puts the changes of the open writer into the names. Those that are not settled become those of the database.
    ///
    /// # Errors
    /// What is wrong with a chunk; the transaction is over then, without its changes. As `settle`.
    pub fn publish(&self) -> Result<()> {
        if self.open_writer.borrow().is_none() || self.inner.borrow().backlog.statements == 0 {
            return self.publish_writer();
        }
        self.settle()?;
        if self.inner.borrow().state == State::Closed {
            self.begin_alone()?;
            self.inner.borrow_mut().published.clear();
        }
        Ok(())
    }

    fn publish_writer(&self) -> Result<()> {
        let Some(writer) = self.open_writer.take() else { return Ok(()) };
        let catalog = self.catalog.upgrade().ok_or_else(|| SqlError::internal("a session is gone"))?;
        let published = writer.borrow_mut().publish(&catalog);
        published.inspect_err(|_| self.discard())?;
        let mut inner = self.inner.borrow_mut();
        inner.published = inner.snapshots.clone();
        Ok(())
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        self.close();
    }
}
