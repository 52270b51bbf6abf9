//! The work meter of a session: bounds what one call into the engine does, whatever the data.
//!
//! Fuel counts rows and adapts to how fast they go; work counts about what the processor does, in steps of about a nanosecond, so that
//! rows of large values and expensive functions end a call as well. Operators stop between ranges of rows; what cannot stop there, as a
//! function of one large value, asks the host now and then whether the statement is to end. The host, which has a clock, may also end a call
//! whose steps took longer than they were taken for.

use std::cell::Cell;

use crate::batch::{BATCH_BYTES, BATCH_ROWS};

/// What one call may do before it returns.
pub const CALL_WORK: i64 = 16 << 20;
/// What the evaluation of a range of rows may do before it is cut short.
pub const RANGE_WORK: i64 = 4 << 20;
/// How often the host is asked what the statement is to do.
const CHECK_WORK: i64 = 1 << 20;
/// What a row costs at least.
pub const ROW_WORK: i64 = 32;
/// What a row costs beside that is written, with its entries in indexes.
pub const WRITE_WORK: usize = 2048;

/// See the module.
#[derive(Debug, Default)]
pub struct Work {
    left: Cell<i64>,
    /// The host wants its turn.
    is_over: Cell<bool>,
    check_below: Cell<i64>,
    range: Cell<Option<Range>>,
    /// Of the range that was cut short last: how many rows of how many were done.
    done: Cell<(usize, usize)>,
    /// Whether the range has come near to where it would have been cut short.
    is_full: Cell<bool>,
    most: Cell<i64>,
    /// Added to where the next check is due: see [`Work::check_always`].
    eagerness: Cell<i64>,
}

/// A range of rows whose expressions are evaluated.
#[derive(Debug, Clone, Copy)]
struct Range {
    may_be_cut: bool,
    /// It is cut short when less work than this is left.
    cut_below: i64,
}

/// The range as it was before one inside it.
pub struct OuterRange(Option<Range>);

impl Work {
    /// The host has called: what was used before is forgiven.
    pub fn begin_call(&self) {
        self.most.set(self.most());
        self.is_over.set(false);
        self.left.set(CALL_WORK);
        self.expect_check();
    }

    #[inline]
    pub fn spend(&self, steps: usize) {
        self.left.set(self.left.get().saturating_sub_unsigned(steps as u64));
    }

    #[inline]
    pub fn is_used_up(&self) -> bool {
        self.left.get() <= 0 || self.is_over.get()
    }

    /// The call is to return, whatever is left.
    pub fn end_call(&self) {
        self.is_over.set(true);
    }

    /// Whether the host is to be asked; not again for some time then.
    #[inline]
    pub fn is_check_due(&self) -> bool {
        let is_due = self.left.get() < self.check_below.get();
        if is_due {
            self.expect_check();
        }
        is_due
    }

    fn expect_check(&self) {
        self.check_below.set((self.left.get() - CHECK_WORK).saturating_add(self.eagerness.get()));
    }

    /// Every check is due from now on: each is a place where tests let a statement fail.
    pub fn check_always(&self) {
        self.eagerness.set(i64::MAX);
        self.expect_check();
    }

    /// The most that one call has done since [`Work::forget_most`].
    pub fn most(&self) -> i64 {
        self.most.get().max(CALL_WORK - self.left.get())
    }

    pub fn forget_most(&self) {
        self.most.set(0);
        self.left.set(CALL_WORK);
        self.expect_check();
    }

    /// Expressions are evaluated that can be evaluated anew over fewer rows, if there are several.
    pub(crate) fn begin_range(&self, may_be_cut: bool) -> OuterRange {
        self.is_full.set(false);
        OuterRange(self.range.replace(Some(Range { may_be_cut, cut_below: self.left.get() - RANGE_WORK })))
    }

    pub(crate) fn end_range(&self, outer: OuterRange) {
        self.range.set(outer.0);
    }

    /// Whether the range of rows is to be cut short, after `done` of `rows` rows that made `bytes` bytes.
    #[inline]
    pub(crate) fn cuts_range(&self, (done, rows): (usize, usize), bytes: usize) -> bool {
        let Some(Range { may_be_cut, cut_below }) = self.range.get() else { return false };
        let left = self.left.get();
        if bytes > BATCH_BYTES / 2 || left < cut_below + RANGE_WORK / 2 {
            self.is_full.set(true);
        }
        let cuts = may_be_cut && done < rows && (bytes > BATCH_BYTES || left < cut_below);
        if cuts {
            self.done.set((done, rows));
        }
        cuts
    }

    /// How many rows the range after one of so many rows may have.
    pub(crate) fn rows_after(&self, rows: usize) -> usize {
        if self.is_full.get() { rows } else { (2 * rows).min(BATCH_ROWS) }
    }

    /// So many rows of `range` will probably do.
    pub(crate) fn rows_of(&self, range: usize) -> usize {
        let (done, rows) = self.done.get();
        (range * done / rows.max(1)).clamp(1, (range / 2).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_where_its_work_is_used_up_and_not_behind_its_last_row() {
        let work = Work::default();
        work.begin_call();
        let outer = work.begin_range(true);
        assert!(!work.cuts_range((1, 2), 0));
        work.spend(RANGE_WORK as usize + 1);
        assert!(!work.cuts_range((2, 2), 0));
        assert!(work.cuts_range((1, 4), 0));
        assert_eq!(work.rows_of(1024), 256);
        work.end_range(outer);
        assert!(!work.cuts_range((1, 4), 2 * BATCH_BYTES), "nobody would evaluate it anew");
    }

    #[test]
    fn a_range_of_one_row_that_is_full_is_followed_by_one_of_one() {
        let work = Work::default();
        work.begin_call();
        for (bytes, next) in [(2 * BATCH_BYTES, 1), (BATCH_BYTES / 4, 2)] {
            let outer = work.begin_range(false);
            assert!(!work.cuts_range((1, 4), bytes), "a part of the only row");
            assert!(!work.cuts_range((1, 1), bytes));
            work.end_range(outer);
            assert_eq!(work.rows_after(1), next, "{bytes}");
        }
    }

    #[test]
    fn the_host_is_asked_now_and_then() {
        let work = Work::default();
        work.begin_call();
        let asked = (0..64).filter(|_| {
            work.spend(1 << 20);
            work.is_check_due()
        });
        assert_eq!(asked.count(), 32);
        assert!(work.is_used_up());
        assert_eq!(work.most(), 64 << 20);
    }
}
