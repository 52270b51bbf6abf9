//! What a session sees and has changed since its transaction began.
//!
//! A transaction is names: [`Refs`] as they were when it began, and others that have its changes and that nobody else sees. A
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
mod below_edits;
mod gather;
mod in_vain;
mod merge;
mod on_top;
pub(crate) mod redo;
mod savepoints;
mod settle;
mod snapshot;
mod validate;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use codec::Address;
use vcs::{Committed, Refs, RefsDraft};

use crate::catalog::Catalog;
use crate::engine::{Attached, Engine};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::write::{SchemaExpressions, SharedWriter};
use in_vain::InVain;
use on_top::Own;
pub use savepoints::Mark;
use savepoints::Savepoint;
use settle::Backlog;
use snapshot::{Snapshot, several_branches};

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
    /// COMMIT or ROLLBACK.
    End,
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

    /// START TRANSACTION, with the commit of what was open: fixes what is seen of all databases.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub fn start(&self, is_read_only: bool) -> Result<()> {
        if !is_read_only && self.begin_on_top()? {
            return Ok(());
        }
        self.engine.settle()?;
        self.commit()?;
        self.begin_as(State::Open, is_read_only)?;
        self.inner.borrow_mut().is_begun = true;
        Ok(())
    }

    fn begin_as(&self, state: State, is_read_only: bool) -> Result<()> {
        self.close();
        self.in_vain.borrow_mut().tables.clear();
        self.engine.refresh()?;
        let mut inner = self.inner.borrow_mut();
        inner.snapshots = self.engine.databases().iter().map(Snapshot::new).collect::<Result<_>>()?;
        inner.state = state;
        inner.is_read_only = is_read_only;
        Ok(())
    }

    /// The transaction of the statement that ends goes on: it has switched autocommit off.
    fn stay_open(&self) -> Result<()> {
        let mut inner = self.inner.borrow_mut();
        for attached in self.engine.databases() {
            if !inner.snapshots.iter().any(|known| Rc::ptr_eq(&known.attached, &attached)) {
                inner.snapshots.push(Snapshot::new(&attached)?);
            }
        }
        inner.state = State::Open;
        Ok(())
    }

    /// A statement begins: with autocommit in a transaction of its own, unless one is open. Unless it is one that changes rows
    /// through [`Transaction::open_writer`], [`Transaction::publish`] is next.
    ///
    /// # Errors
    /// As `settle`.
    pub fn begin_statement(&self, autocommit: bool, intent: Intent) -> Result<()> {
        let mut in_vain = self.in_vain.borrow_mut();
        let is_within_another = self.inner.borrow().state == State::Open;
        if !std::mem::take(&mut in_vain.is_new) && !is_within_another {
            in_vain.tables.clear();
        }
        drop(in_vain);
        self.note_run(intent);
        if self.goes_on_top(intent) {
            return Ok(());
        }
        match self.engine.settle() {
            // Reading goes on, say, while the disk is full; whoever changes something is told.
            Err(_) if intent.only_reads() && self.engine.has_unsettled() && !self.has_own() => {}
            settled => settled?,
        }
        self.check_own()?;
        if !is_within_another {
            match self.redo_what_is_left() {
                Err(error) if intent.only_reads() && !error.is_wait() => {}
                redone => redone?,
            }
        }
        let (state, is_begun) = (self.inner.borrow().state, self.inner.borrow().is_begun);
        match state {
            State::Open | State::Unsettled | State::Gathering => return Ok(()),
            State::Closed | State::Statement if is_begun || !autocommit => return self.begin_as(State::Open, false),
            State::Closed | State::Statement => {}
        }
        self.begin_alone()?;
        self.inner.borrow_mut().may_be_put_off = intent == Intent::ChangeRows;
        Ok(())
    }

    fn begin_alone(&self) -> Result<()> {
        self.engine.refresh()?;
        self.open_writer.take();
        let mut inner = self.inner.borrow_mut();
        inner.state = State::Statement;
        // What is as it was stays known.
        inner.snapshots.retain(|snapshot| !snapshot.is_changed() && snapshot.is_current());
        inner.savepoints.clear();
        inner.is_read_only = false;
        Ok(())
    }

    /// The statement that begins runs in this context.
    pub(crate) fn runs(&self, context: &Rc<Context>) {
        *self.statement.borrow_mut() = Rc::downgrade(context);
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
        published.inspect_err(|_| self.rollback())?;
        let mut inner = self.inner.borrow_mut();
        inner.published = inner.snapshots.clone();
        Ok(())
    }

    /// Whether it goes on behind the end of a statement.
    pub fn is_open(&self) -> bool {
        matches!(self.inner.borrow().state, State::Open | State::Gathering)
    }

    /// Whether START TRANSACTION READ ONLY began it.
    pub fn is_read_only(&self) -> bool {
        self.inner.borrow().is_read_only
    }

    /// The names of a database as the transaction sees them.
    pub fn refs(&self, attached: &Rc<Attached>) -> Result<Refs> {
        if !self.is_below_edits.get() {
            self.publish()?;
        }
        let mut inner = self.inner.borrow_mut();
        if inner.state == State::Closed {
            return Ok(attached.database.refs()?);
        }
        if let Some(known) = inner.snapshots.iter().find(|known| Rc::ptr_eq(&known.attached, attached)) {
            return Ok(known.refs.clone());
        }
        let snapshot = Snapshot::new(attached)?;
        let refs = snapshot.refs.clone();
        inner.snapshots.push(snapshot);
        Ok(refs)
    }

    /// The names of a database as they were when the transaction began, if it has looked at them.
    pub fn base(&self, attached: &Rc<Attached>) -> Option<Refs> {
        let inner = self.inner.borrow();
        let known = inner.snapshots.iter().find(|known| Rc::ptr_eq(&known.attached, attached));
        known.filter(|_| inner.state != State::Closed).map(|known| known.base.clone())
    }

    /// The store root that [`Transaction::refs`] tells of.
    pub(crate) fn root(&self, attached: &Rc<Attached>) -> Address {
        let inner = self.inner.borrow();
        let known = inner.snapshots.iter().find(|known| Rc::ptr_eq(&known.attached, attached));
        match known.filter(|_| inner.state != State::Closed) {
            Some(known) => known.refs.root(),
            None => attached.database.objects().nodes().chunks().root(),
        }
    }

    /// The store root on which an open transaction, or a statement that still runs, began.
    pub(crate) fn open_root(&self, attached: &Rc<Attached>) -> Option<Address> {
        let inner = self.inner.borrow();
        let is_open = match inner.state {
            State::Open | State::Unsettled | State::Gathering => true,
            State::Statement => self.statement.borrow().strong_count() > 0,
            State::Closed => false,
        };
        let known = inner.snapshots.iter().find(|known| Rc::ptr_eq(&known.attached, attached));
        known.filter(|_| is_open).map(|known| known.base.root())
    }

    /// Puts names with changes in place of those that [`Transaction::refs`] gave.
    ///
    /// # Errors
    /// 1792 in a READ ONLY transaction.
    pub fn set_refs(&self, attached: &Rc<Attached>, refs: Refs) -> Result<()> {
        // What was not looked at yet gets its base.
        self.refs(attached)?;
        self.will_write();
        self.check_writable()?;
        let mut inner = self.inner.borrow_mut();
        if inner.state == State::Closed {
            inner.state = State::Statement;
            inner.snapshots.push(Snapshot::new(attached)?);
        }
        if let Some(known) = inner.snapshots.iter_mut().find(|known| Rc::ptr_eq(&known.attached, attached)) {
            known.refs = refs;
        }
        Ok(())
    }

    /// Changes names for all to see, whatever becomes of the transaction: so Dolt makes tags.
    ///
    /// # Errors
    /// 1792 in a READ ONLY transaction; one that [`SqlError::is_wait`]: nothing has happened, try again.
    pub fn change_refs_now(&self, attached: &Rc<Attached>, edit: &dyn Fn(&mut RefsDraft) -> Result<()>) -> Result<()> {
        let edited = |refs: &Refs| -> Result<Refs> {
            let mut draft = refs.draft();
            edit(&mut draft)?;
            Ok(draft.write()?)
        };
        if !self.is_open() {
            return self.set_refs(attached, edited(&self.refs(attached)?)?);
        }
        self.check_writable()?;
        self.will_write();
        self.engine.settle()?;
        self.refs(attached)?;
        let database = &attached.database;
        for tries in 1.. {
            let now = database.refs()?;
            if database.commit(&now, &edited(&now)?)? == Committed::Done {
                break;
            }
            if tries == TRIES_MAX {
                return Err(merge::conflict());
            }
            let catalog = self.catalog.upgrade().ok_or_else(|| SqlError::internal("a session is gone"))?;
            redo::take_over(&catalog, attached, true)?;
        }
        let mut inner = self.inner.borrow_mut();
        let Inner { snapshots, savepoints, .. } = &mut *inner;
        let marked = savepoints.iter_mut().flat_map(|savepoint| &mut savepoint.mark.snapshots);
        for snapshot in snapshots.iter_mut().chain(marked).filter(|known| Rc::ptr_eq(&known.attached, attached)) {
            snapshot.base = edited(&snapshot.base)?;
            snapshot.refs = edited(&snapshot.refs)?;
        }
        Ok(())
    }

    /// # Errors
    /// 1792 in a READ ONLY transaction, and in a session that only reads.
    pub fn check_writable(&self) -> Result<()> {
        if self.catalog.upgrade().is_some_and(|catalog| catalog.state.variables.borrow().is_read_only()) {
            let text = "this session only reads (@@varve_read_only): write in another one";
            return Err(SqlError::new(1792, text).in_state(*b"25006"));
        }
        if self.inner.borrow().is_read_only {
            let text = "cannot execute statement in a READ ONLY transaction";
            return Err(SqlError::new(1792, text).in_state(*b"25006"));
        }
        Ok(())
    }

    /// To be called before chunks are put: they are kept until the transaction ends.
    pub fn will_write(&self) {
        let mut inner = self.inner.borrow_mut();
        if !inner.has_pending {
            inner.has_pending = true;
            self.engine.writers.set(self.engine.writers.get() + 1);
        }
    }

    /// Changes that are not committed move from one branch to another: this transaction may change both.
    pub fn will_move_changes(&self) {
        self.inner.borrow_mut().moves_changes = true;
    }

    /// COMMIT: as [`Transaction::commit`], or later, together with the transactions that follow.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub fn end(&self) -> Result<()> {
        if self.leaves_redo() {
            return Ok(());
        }
        // If what lies below cannot be settled, the transaction stays.
        self.engine.settle()?;
        self.commit()
    }

    /// ROLLBACK: forgets what the transaction has changed.
    pub fn roll_back(&self) {
        if !self.undo_own() {
            self.rollback();
        }
    }

    /// Forgets all changes and ends the transaction.
    pub fn rollback(&self) {
        self.close();
        self.inner.borrow_mut().is_begun = false;
    }

    /// Makes the changes those of the database, for all to see and for good. The transaction is over then.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`]: nothing has happened, try again. 1105 for changes of several branches or databases, which stay
    /// those of an open transaction. All others end the transaction without its changes: 1213 when somebody else changed the same rows.
    pub fn commit(&self) -> Result<()> {
        // What others have acknowledged comes first.
        let written = self.engine.settle().and_then(|()| self.write_changes());
        let is_open = self.inner.borrow().state == State::Open;
        match written {
            Err(error) if error.is_wait() || (is_open && error.keeps_changes()) => Err(error),
            written => {
                self.rollback();
                written
            }
        }
    }

    fn write_changes(&self) -> Result<()> {
        self.publish_writer()?;
        self.keep_temporary()?;
        let changed: Vec<Snapshot> =
            self.inner.borrow().snapshots.iter().filter(|snapshot| snapshot.is_changed()).cloned().collect();
        match &changed[..] {
            [] => Ok(()),
            [only] => {
                let catalog = self.catalog.upgrade().ok_or_else(|| SqlError::internal("a session is gone"))?;
                let branches_max = if self.inner.borrow().moves_changes { 2 } else { 1 };
                only.commit(&catalog, branches_max)
            }
            _ => Err(several_branches()),
        }
    }

    /// Takes over what others have committed to a database since the transaction began, so that a commit can follow theirs.
    ///
    /// # Errors
    /// 1213 when somebody else changed the same rows; the transaction is over then, without its changes.
    pub fn catch_up(&self, attached: &Rc<Attached>) -> Result<()> {
        let catalog = self.catalog.upgrade().ok_or_else(|| SqlError::internal("a session is gone"))?;
        let now = attached.database.refs()?;
        let known = |known: &&Snapshot| Rc::ptr_eq(&known.attached, attached);
        let Some(Snapshot { base, refs, .. }) = self.inner.borrow().snapshots.iter().find(known).cloned() else {
            return Ok(());
        };
        let edits = refs.changes_since(&base)?;
        let refs = merge::onto(&base, &refs, &edits, &now, &SchemaExpressions::new(&catalog));
        let refs = refs.inspect_err(|_| self.rollback())?;
        let mut inner = self.inner.borrow_mut();
        if let Some(known) = inner.snapshots.iter_mut().find(|known| Rc::ptr_eq(&known.attached, attached)) {
            (known.base, known.refs) = (now, refs);
        }
        Ok(())
    }

    /// Whether others have committed something to a database since the transaction began.
    pub fn is_behind(&self, attached: &Rc<Attached>) -> Result<bool> {
        if self.is_open() {
            self.engine.refresh()?;
        }
        let inner = self.inner.borrow();
        Ok(inner.snapshots.iter().any(|known| Rc::ptr_eq(&known.attached, attached) && !known.is_current()))
    }

    /// Commits at the end of a statement that defines something, or in a procedure that does. Where autocommit is off, or somebody began
    /// the transaction, another one takes its place.
    pub fn commit_and_go_on(&self, next: Next) -> Result<()> {
        let Inner { state, is_begun, .. } = *self.inner.borrow();
        self.commit()?;
        self.inner.borrow_mut().is_begun = is_begun;
        if state == State::Open && next == Next::AtOnce { self.begin_as(state, false) } else { Ok(()) }
    }

    /// The end of a statement: commits when the transaction was of this statement alone, or when it has switched autocommit on.
    pub fn end_statement(&self) -> Result<()> {
        self.keep_temporary()?;
        self.note_end();
        let Inner { state, is_begun, .. } = *self.inner.borrow();
        match state {
            State::Closed | State::Gathering => Ok(()),
            State::Unsettled => self.stays_unsettled(),
            State::Open if is_begun => Ok(()),
            State::Statement if self.puts_off() => Ok(()),
            _ if self.is_autocommit() => self.commit(),
            State::Open => Ok(()),
            State::Statement => self.stay_open(),
        }
    }

    fn is_autocommit(&self) -> bool {
        self.catalog.upgrade().is_none_or(|catalog| catalog.state.variables.borrow().is_autocommit())
    }

    /// What was done to temporary tables stays, whatever becomes of the transaction.
    fn keep_temporary(&self) -> Result<()> {
        let mut inner = self.inner.borrow_mut();
        for snapshot in inner.snapshots.iter_mut().filter(|snapshot| snapshot.attached.is_temporary) {
            if snapshot.is_changed() {
                snapshot.attached.keep(&snapshot.base, &snapshot.refs)?;
                snapshot.base = snapshot.refs.clone();
            }
        }
        Ok(())
    }

    fn close(&self) {
        self.open_writer.take();
        if self.inner.borrow().backlog.statements > 0 {
            self.let_go();
            self.engine.has_settled();
        }
        let mut inner = self.inner.borrow_mut();
        inner.state = State::Closed;
        inner.may_be_put_off = false;
        inner.backlog = Backlog::default();
        inner.published.clear();
        inner.is_read_only = false;
        inner.moves_changes = false;
        inner.savepoints.clear();
        inner.snapshots.retain(|snapshot| !snapshot.is_changed());
        if std::mem::take(&mut inner.has_pending) {
            let writers = self.engine.writers.get().saturating_sub(1);
            self.engine.writers.set(writers);
            if writers == 0 {
                self.engine.databases().iter().for_each(|a| a.database.objects().nodes().chunks().forget_pending());
            }
        }
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        self.close();
    }
}
