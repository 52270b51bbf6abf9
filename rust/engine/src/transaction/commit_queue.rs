//! Commit queue of a session: the pending commits of a group, when the group is flushed, and which statements may join it.
//!
//! Group commit shares trees between statements: what a commit of one row costs beside its flush is the nodes on its paths. The queue counts
//! and decides by the clock that it is given; [`super::group_commit`] has the effects.

use std::rc::Rc;

use super::Intent;
use super::view::PendingChunks;
use crate::engine::Attached;

/// Statements of a group: the flush of more would keep others waiting. Those of a transaction count one by one.
const STATEMENTS_MAX: u32 = 256;

/// Memory that the edits of a group take, about. A thousand rows of 200 bytes with an index take a twentieth of it.
pub(super) const EDIT_BYTES_MAX: usize = 6 << 20;

/// How long the first statement of a group waits for others, however closely they follow each other: so many times as long as the flush
/// takes, within these bounds. Large statements touch most leaves of an index, which are written once for all of them.
const AGE_FLUSHES: i64 = 5;
const AGE_MICROSECONDS_MIN: i64 = 50_000;
const AGE_MICROSECONDS_MAX: i64 = 200_000;

/// How long the last statement waits, from when the host asks first after it. Its own end is not noted by the clock: reading that takes
/// longer than to find a row.
const IDLE_MICROSECONDS: i64 = 4_000;

/// Transactions that commit by themselves after a read needed trees: its own, and the next ones, which probably read such rows, too. After a
/// run of many statements they probably do not: it met the read by chance, and has paid.
const ALONE_AFTER_TREES: u8 = 3;
const ALONE_AFTER_LONG_RUN: u8 = 1;
const LONG_RUN_STATEMENTS: u32 = 16;

#[derive(Default)]
pub(super) struct CommitQueue {
    group: Group,
    last_flush: FlushCost,
    run: Run,
    /// The changes of a stacked transaction ([`super::state::State::Parked`]).
    pub parked: Option<ParkedScope>,
}

/// The statements whose commits are pending, those of a stacked transaction included.
#[derive(Debug, Default)]
struct Group {
    statements: u32,
    /// When the first of them ended, in microseconds since 1970.
    first_at: i64,
    /// Whether a statement of the session has ended since the host asked, and when it heard that last.
    has_ended: bool,
    heard_at: i64,
}

/// What the last flush of a group took.
#[derive(Debug, Default)]
struct FlushCost {
    took_microseconds: i64,
    edit_bytes: usize,
}

/// Runs of changes of rows by their keys: what was one may go on.
#[derive(Debug, Default)]
struct Run {
    /// The last two statements of the session, with the one that runs, are such changes. A transaction counts as one.
    is_in_run: bool,
    was_change: bool,
    /// So many transactions commit by themselves.
    alone: u8,
}

/// What a stacked transaction has changed, put aside in the form of a redo record.
pub(super) struct ParkedScope {
    pub attached: Rc<Attached>,
    pub changes: Vec<u8>,
    /// Chunks that the changes need stay.
    pub chunks: PendingChunks,
}

impl FlushCost {
    /// How long a flush of so many edits takes, as far as this one tells: at least as long.
    fn expected_microseconds(&self, edit_bytes: usize) -> i64 {
        let times = edit_bytes.checked_div(self.edit_bytes).unwrap_or_default();
        self.took_microseconds.saturating_mul(times.max(1) as i64)
    }
}

impl CommitQueue {
    /// A statement begins, or a transaction that counts as one: whether it is one of a run of changes. `needs_trees` says that it reads
    /// rows that the open transaction has changed.
    pub fn note_begin(&mut self, intent: Intent, is_in_transaction: bool, needs_trees: bool) {
        let run = &mut self.run;
        if needs_trees {
            let is_long = self.group.statements >= LONG_RUN_STATEMENTS;
            run.alone = if is_long { ALONE_AFTER_LONG_RUN } else { ALONE_AFTER_TREES };
        }
        // A transaction is part of a run if it does nothing else, and counts at its COMMIT.
        let is_of_run = matches!(intent, Intent::ChangeRows | Intent::ReadRows | Intent::Commit | Intent::RollBack);
        if intent == Intent::Begin || is_in_transaction && is_of_run {
            return;
        }
        let is_change = intent == Intent::ChangeRows;
        run.is_in_run = std::mem::replace(&mut run.was_change, is_change) && is_change;
    }

    /// A transaction commits that did nothing but change rows by their keys.
    pub fn note_commit(&mut self) {
        let run = &mut self.run;
        run.is_in_run = std::mem::replace(&mut run.was_change, true) && run.alone == 0;
        run.alone = run.alone.saturating_sub(1);
    }

    /// Whether a commit that is to be durable may leave a redo record: where no others follow, it would only be written on top of the commit.
    pub fn is_in_run(&self) -> bool {
        self.run.is_in_run
    }

    /// A statement ends after others whose commits are pending, or is the first of them.
    pub fn note_end(&mut self) {
        self.group.has_ended = true;
    }

    /// One more statement joins the group.
    pub fn join(&mut self) {
        self.group.statements += 1;
    }

    /// The commit of a statement or transaction was deferred: the first one opens the group.
    pub fn defer(&mut self, now: impl FnOnce() -> i64) {
        if self.group.statements == 0 {
            self.group = Group { statements: 1, first_at: now(), has_ended: true, heard_at: 0 };
        }
    }

    /// The last statement has failed. The group is not empty without it.
    pub fn drop_last(&mut self) {
        self.group.statements = self.group.statements.saturating_sub(1).max(1);
    }

    /// The group was flushed or lost.
    pub fn clear(&mut self) {
        self.group = Group::default();
    }

    /// How many statements are in the group.
    pub fn statements(&self) -> u32 {
        self.group.statements
    }

    /// Notes what a flush took.
    pub fn note_flush(&mut self, took_microseconds: i64, edit_bytes: usize) {
        self.last_flush = FlushCost { took_microseconds, edit_bytes };
    }

    /// Whether one more statement may join a group of so many bytes of edits.
    pub fn has_room(&self, edit_bytes: usize, is_stacked: bool, now: impl FnOnce() -> i64) -> bool {
        let Group { statements, first_at, .. } = self.group;
        if statements == 0 || edit_bytes >= EDIT_BYTES_MAX {
            return false;
        }
        let is_young = || {
            let expected = self.last_flush.expected_microseconds(edit_bytes);
            let age_max = expected.saturating_mul(AGE_FLUSHES).clamp(AGE_MICROSECONDS_MIN, AGE_MICROSECONDS_MAX);
            (0..age_max).contains(&(now() - first_at))
        };
        // In the middle of a transaction, its own changes would have to become trees as well.
        is_stacked || statements < STATEMENTS_MAX && is_young()
    }

    /// When the group will have waited for long enough, unless other statements come before; `None` when it has, or when the clock was set
    /// back and does not tell.
    pub fn flush_due_at(&mut self, now: i64) -> Option<i64> {
        if std::mem::take(&mut self.group.has_ended) {
            self.group.heard_at = now;
        }
        let heard_at = self.group.heard_at;
        (0..IDLE_MICROSECONDS).contains(&(now - heard_at)).then_some(heard_at + IDLE_MICROSECONDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group_of(statements: u32) -> CommitQueue {
        let mut queue = CommitQueue::default();
        queue.defer(|| 1_000_000);
        (1..statements).for_each(|_| queue.join());
        queue
    }

    #[test]
    fn a_group_has_room_until_it_is_large_or_old() {
        let slow = (30_000, 1 << 20);
        // statements, bytes, what a flush took, microseconds since the first, stacked; has room
        let table = [
            (0, 0, (0, 0), 0, false, false),
            (1, 0, (0, 0), 0, false, true),
            (255, 100, (0, 0), 49_999, false, true),
            (256, 100, (0, 0), 0, false, false),
            (256, 100, (0, 0), 900_000, true, true),
            (1, EDIT_BYTES_MAX - 1, (0, 0), 0, false, true),
            (1, EDIT_BYTES_MAX, (0, 0), 0, false, false),
            (1, EDIT_BYTES_MAX, (0, 0), 0, true, false),
            (1, 100, (0, 0), 50_000, false, false),
            // The clock was set back.
            (1, 100, (0, 0), -1, false, false),
            // Five flushes of 30 ms.
            (1, 100, slow, 149_999, false, true),
            (1, 100, slow, 150_000, false, false),
            // Of twice as many bytes, but no more than 200 ms.
            (1, 2 << 20, slow, 199_999, false, true),
            (1, 2 << 20, slow, 200_000, false, false),
        ];
        for (statements, edit_bytes, (took, bytes), age, is_stacked, wanted) in table {
            let mut queue = if statements == 0 { CommitQueue::default() } else { group_of(statements) };
            queue.note_flush(took, bytes);
            let given = queue.has_room(edit_bytes, is_stacked, || 1_000_000 + age);
            assert_eq!(given, wanted, "{statements} statements, {edit_bytes} bytes, {age} microseconds, {is_stacked}");
        }
    }

    #[test]
    fn a_group_is_flushed_when_no_statement_has_ended_for_a_while() {
        let mut queue = group_of(1);
        assert_eq!(queue.flush_due_at(2_000_000), Some(2_004_000), "asked first");
        assert_eq!(queue.flush_due_at(2_003_999), Some(2_004_000));
        queue.join();
        queue.note_end();
        assert_eq!(queue.flush_due_at(2_003_999), Some(2_007_999), "another one has ended");
        assert_eq!(queue.flush_due_at(2_007_999), None);
        assert_eq!(queue.flush_due_at(1_000_000), None, "the clock was set back");
    }

    #[test]
    fn changes_that_follow_each_other_are_a_run() {
        use Intent::{Begin, ChangeRows, Commit, Other, ReadRows};
        let mut queue = CommitQueue::default();
        // statement, within a transaction; in a run
        let table = [
            (ChangeRows, false, false),
            (ChangeRows, false, true),
            (ReadRows, false, false),
            (ChangeRows, false, false),
            // A transaction counts at its COMMIT.
            (Begin, false, false),
            (ChangeRows, true, false),
            (ReadRows, true, false),
            (Commit, true, true),
            (Begin, false, true),
            (Other, true, false),
            (Commit, true, false),
            (ChangeRows, false, true),
        ];
        for (at, (intent, is_in_transaction, wanted)) in table.into_iter().enumerate() {
            queue.note_begin(intent, is_in_transaction, false);
            if intent == Commit {
                queue.note_commit();
            }
            assert_eq!(queue.is_in_run(), wanted, "statement {at}");
        }
    }

    #[test]
    fn transactions_commit_alone_after_one_has_read_what_it_changed() {
        for (statements, alone) in [(2, 3), (LONG_RUN_STATEMENTS, 1)] {
            let mut queue = group_of(statements);
            queue.note_commit();
            queue.note_begin(Intent::ReadRows, true, true);
            for transaction in 0..4 {
                queue.note_commit();
                assert_eq!(queue.is_in_run(), transaction >= alone, "transaction {transaction} after {statements}");
            }
        }
    }
}
