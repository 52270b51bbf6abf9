//! Statements with autocommit whose commits come later, together: they leave redo records, or none with relaxed durability.

use super::snapshot::Snapshot;
use super::{Inner, Intent, State, Transaction, merge};
use crate::error::Result;
use crate::write::{SharedWriter, Since};

/// Statements that are settled together: the commit of more would keep others waiting. Those of a transaction count one by one.
const STATEMENTS_MAX: u32 = 256;

/// Memory that their edits take, about. A thousand rows of 200 bytes with an index take a twentieth of it.
const EDIT_BYTES_MAX: usize = 6 << 20;

/// How long the first of them waits for others to come, however closely they follow each other: so many times as long as settling them
/// takes, within these bounds. Large statements touch most leaves of an index, which are written once for all of them.
const SETTLINGS_APART: i64 = 5;
const AGE_MICROSECONDS_MIN: i64 = 50_000;
const AGE_MICROSECONDS_MAX: i64 = 200_000;

/// How long the last of them waits, from when the host asks first after it. Its own end is not noted by the clock: reading that takes
/// longer than to find a row.
const IDLE_MICROSECONDS: i64 = 4_000;

/// Transactions that leave none of their changes for later when a read needed trees: its own, and the next, which probably read such
/// rows, too. After a run of many statements they probably do not: it met the read by chance, and has paid.
const APART_AFTER_TREES: u8 = 3;
const APART_AFTER_LONG_RUN: u8 = 1;
const LONG_RUN_STATEMENTS: u32 = 16;

/// Statements that are not settled, those of an open transaction on top of others included.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Backlog {
    pub(super) statements: u32,
    /// When the first of them ended, in microseconds since 1970.
    first_at: i64,
    /// Whether a statement of the session has ended since the host asked, and when it heard that last.
    has_ended: bool,
    heard_at: i64,
}

/// The last settling of a backlog.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Settling {
    took_microseconds: i64,
    edit_bytes: usize,
}

impl Settling {
    /// How long one of so many edits takes, as far as this one tells: at least as long.
    fn expected_microseconds(self, edit_bytes: usize) -> i64 {
        let times = edit_bytes.checked_div(self.edit_bytes).unwrap_or_default();
        self.took_microseconds.saturating_mul(times.max(1) as i64)
    }
}

impl Transaction {
    /// A statement begins: whether it is one of a run of changes.
    pub(super) fn note_run(&self, intent: Intent) {
        let needs_trees = intent == Intent::ReadRows && self.edits().is_some();
        let mut inner = self.inner.borrow_mut();
        if needs_trees {
            let is_long = inner.backlog.statements >= LONG_RUN_STATEMENTS;
            inner.apart = if is_long { APART_AFTER_LONG_RUN } else { APART_AFTER_TREES };
        }
        // A transaction is part of a run if it does nothing else, and counts at its COMMIT.
        let is_of_run = matches!(intent, Intent::ChangeRows | Intent::ReadRows | Intent::Commit | Intent::RollBack);
        if intent == Intent::Begin || inner.state == State::Open && is_of_run {
            return;
        }
        let is_change = intent == Intent::ChangeRows;
        inner.is_in_run = std::mem::replace(&mut inner.was_change, is_change) && is_change;
    }

    /// Whether one more statement may leave its commit with those of before.
    pub(super) fn takes_more(&self) -> bool {
        let Some(writer) = self.open_writer() else { return false };
        let Inner { state, backlog, last_settling, .. } = *self.inner.borrow();
        let edit_bytes = writer.borrow().edit_bytes();
        if backlog.statements == 0 || edit_bytes >= EDIT_BYTES_MAX {
            return false;
        }
        let is_young = || {
            let age = self.engine.host().now_microseconds() - backlog.first_at;
            let expected = last_settling.expected_microseconds(edit_bytes);
            let age_max = expected.saturating_mul(SETTLINGS_APART).clamp(AGE_MICROSECONDS_MIN, AGE_MICROSECONDS_MAX);
            (0..age_max).contains(&age)
        };
        // In the middle of a transaction, its own changes would have to become trees as well.
        state == State::Open || backlog.statements < STATEMENTS_MAX && is_young()
    }

    /// A statement ends behind others that are not settled, or is the first of them.
    pub(super) fn note_end(&self) {
        self.inner.borrow_mut().backlog.has_ended = true;
    }

    /// When what is not settled will have waited for long enough, unless other statements come before; `None` when it has, or when the
    /// clock was set back and does not tell.
    pub(crate) fn settles_at(&self, now: i64) -> Option<i64> {
        let backlog = &mut self.inner.borrow_mut().backlog;
        if std::mem::take(&mut backlog.has_ended) {
            backlog.heard_at = now;
        }
        let heard_at = backlog.heard_at;
        (0..IDLE_MICROSECONDS).contains(&(now - heard_at)).then_some(heard_at + IDLE_MICROSECONDS)
    }

    /// Ends a statement, or a transaction, without its commit, which comes with those of the next ones, if that may be: only of such changes
    /// that nothing but the host could keep from being committed.
    pub(super) fn puts_off(&self) -> bool {
        let (Some(writer), Some(catalog)) = (self.open_writer(), self.catalog.upgrade()) else { return false };
        let makes_commits = || catalog.state.variables.borrow().integer("dolt_transaction_commit") != 0;
        if !writer.borrow().may_be_put_off()
            || self.inner.borrow().snapshots.iter().any(Snapshot::is_changed)
            || makes_commits()
        {
            return false;
        }
        // Where no others follow, what is written down would only come on top of the commit.
        let is_in_run = self.inner.borrow().is_in_run;
        // What is wrong with the files is said by the commit that is not put off then.
        if !self.hold(&writer, is_in_run.then_some(Since::Own)).unwrap_or(false) {
            return false;
        }
        let mut inner = self.inner.borrow_mut();
        inner.state = State::Unsettled;
        if inner.backlog.statements == 0 {
            let first_at = self.engine.host().now_microseconds();
            inner.backlog = Backlog { statements: 1, first_at, has_ended: true, heard_at: 0 };
        }
        self.engine.leave_unsettled(catalog.clone());
        true
    }

    /// Ends a statement whose commit comes with those before it. Where its changes cannot be written down by themselves, all are committed.
    ///
    /// # Errors
    /// As `settle`. One that says that the changes are kept means those before the statement: its own are taken back.
    pub(super) fn stays_unsettled(&self) -> Result<()> {
        let Some(writer) = self.open_writer() else { return Ok(()) };
        let ended = match self.hold(&writer, Some(Since::Mark)) {
            Ok(true) => return Ok(()),
            Ok(false) => self.settle(),
            Err(error) => Err(error),
        };
        ended.inspect_err(|error| self.reopen(writer, error.is_wait()))
    }

    /// The writer of pending commits stays open, for they could not be committed: without the changes of the last statement, which has failed,
    /// unless its end is tried again.
    fn reopen(&self, writer: SharedWriter, is_tried_again: bool) {
        let mut inner = self.inner.borrow_mut();
        if inner.state != State::Unsettled {
            return;
        }
        inner.snapshots.iter_mut().for_each(|snapshot| snapshot.refs = snapshot.base.clone());
        writer.borrow_mut().reopen();
        if !is_tried_again {
            writer.borrow_mut().undo();
            inner.backlog.statements = inner.backlog.statements.saturating_sub(1).max(1);
        }
        *self.open_writer.borrow_mut() = Some(writer);
    }

    /// Keeps the lock for a commit that comes later. What was changed since then is durable, if it is to be; `None` where no others follow.
    fn hold(&self, writer: &SharedWriter, since: Option<Since>) -> Result<bool> {
        if writer.borrow().edit_bytes() > EDIT_BYTES_MAX {
            return Ok(false);
        }
        let attached = writer.borrow().place().attached.clone();
        let chunks = attached.database.objects().nodes().chunks();
        let mut redo = || writer.borrow_mut().redo(since?);
        Ok(chunks.hold(&self.root(&attached), &mut redo).map_err(tree::TreeError::from)?)
    }

    /// Commits what statements with autocommit have left.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`]: nothing has happened, try again. Else the changes stay what this session sees and are tried again
    /// when the next statement begins, unless the error says that they are lost.
    pub(crate) fn settle(&self) -> Result<()> {
        let statements = self.inner.borrow().backlog.statements;
        if statements == 0 {
            return Ok(());
        }
        self.put_own_aside();
        let edit_bytes = self.open_writer().map_or(0, |writer| writer.borrow().edit_bytes());
        let began = self.engine.host().now_microseconds();
        let written = self.write_changes();
        let took_microseconds = self.engine.host().now_microseconds() - began;
        self.inner.borrow_mut().last_settling = Settling { took_microseconds, edit_bytes };
        self.let_go();
        let Err(mut error) = written else {
            self.close();
            return self.go_on();
        };
        // Its chunks could not be written down, or somebody came first.
        let is_lost = self.inner.borrow().state != State::Unsettled || error.errno == merge::CONFLICT;
        if error.is_wait() && !is_lost {
            return Err(error);
        }
        if is_lost {
            self.close();
            self.lose_own();
        }
        let fate = if is_lost { "are lost" } else { "are not stored yet, and are tried again with the next statement" };
        error.message =
            format!("the changes of up to {statements} statements before this one {fate}: {}", error.message);
        Err(error)
    }

    /// Others may commit before what is not settled.
    pub(super) fn let_go(&self) {
        let inner = self.inner.borrow();
        inner.snapshots.iter().for_each(|snapshot| snapshot.attached.database.objects().nodes().chunks().let_go());
    }
}
