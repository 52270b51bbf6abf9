//! Sort operator: ORDER BY with external merge sort, and top-N without sorting all rows.

use std::cmp::Ordering;
use std::rc::Rc;

use super::limit::row_number;
use super::merge_runs::Merge;
use super::row_order::{compare_rows, key_columns};
use super::row_sort::RowSort;
use crate::batch::{BATCH_ROWS, Batch};
use crate::error::Result;
use crate::exec::batches::concat::concat;
use crate::exec::join::runtime_filter::RuntimeFilter;
use crate::exec::operator::{Operator, Poll, Source, pull};
use crate::exec::scan::values::Empty;
use crate::exec::spill::SpilledBatches;
use crate::expr::{Context, Expr};
use crate::vector::{Data, Vector};

pub use super::row_order::Key;

/// Sorts its input; what is too much for memory goes to temporary files in sorted runs, which are merged.
pub struct Sort {
    input: Source,
    columns: usize,
    keys: Rc<[Key]>,
    collected: Vec<Batch>,
    collected_bytes: usize,
    /// What was collected, while it is sorted; and the run that it becomes.
    sorting: Option<(Sorting, Option<SpilledBatches>)>,
    runs: Vec<SpilledBatches>,
    /// Runs that others were merged into, in their order.
    merged: Vec<SpilledBatches>,
    merging: Option<(Merge, SpilledBatches)>,
    answer: Option<Answer>,
}

enum Answer {
    InMemory(Sorted),
    Merged(Merge),
}

/// Rows and the order in which they are given.
struct Sorted {
    rows: Batch,
    order: Vec<u32>,
    given: usize,
}

/// Rows that are being sorted.
struct Sorting {
    rows: Batch,
    sort: RowSort,
}

impl Sorting {
    fn of(collected: &mut Vec<Batch>, columns: usize, keys: &Rc<[Key]>, context: &Context) -> Result<Sorting> {
        let rows = concat(&std::mem::take(collected), columns);
        let sort = RowSort::of(&rows, keys, context)?;
        Ok(Sorting { rows, sort })
    }

    fn finish(self) -> Sorted {
        Sorted { rows: self.rows, order: self.sort.finish().0, given: 0 }
    }
}

impl Sorted {
    fn next(&mut self, context: &Context) -> Poll {
        let Some(batch) = self.next_batch() else { return Poll::Done };
        context.spend(batch.rows);
        Poll::Batch(batch)
    }

    fn next_batch(&mut self) -> Option<Batch> {
        let rows = &self.order[self.given..(self.given + BATCH_ROWS).min(self.order.len())];
        self.given += rows.len();
        (!rows.is_empty()).then(|| self.rows.gather(rows))
    }
}

impl Sort {
    pub fn new(input: Source, columns: usize, keys: Rc<[Key]>) -> Sort {
        Sort {
            input,
            columns,
            keys,
            collected: Vec::new(),
            collected_bytes: 0,
            sorting: None,
            runs: Vec::new(),
            merged: Vec::new(),
            merging: None,
            answer: None,
        }
    }

    /// Begins to sort what is there into a run; it stays in memory where there are no temporary files.
    fn begin_run(&mut self, context: &Context) -> Result<()> {
        let Some(run) = SpilledBatches::new(self.columns, context) else { return Ok(()) };
        let sorting = Sorting::of(&mut self.collected, self.columns, &self.keys, context)?;
        self.sorting = Some((sorting, Some(run)));
        self.collected_bytes = 0;
        Ok(())
    }

    /// Writes the run that is being sorted; `false` is a yield.
    fn end_run(&mut self, context: &Context) -> Result<bool> {
        if let Some((sorting, Some(_))) = &mut self.sorting
            && !sorting.sort.go_on(context)
        {
            return Ok(false);
        }
        if let Some((sorting, Some(mut run))) = self.sorting.take_if(|(_, run)| run.is_some()) {
            let mut sorted = sorting.finish();
            while let Some(batch) = sorted.next_batch() {
                run.push_parts(&batch)?;
            }
            run.flush()?;
            self.runs.push(run);
        }
        Ok(true)
    }

    /// Collects the input; `false` is a yield.
    fn collect(&mut self, context: &Rc<Context>) -> Result<bool> {
        // Sorting takes as much again for the rows in one piece, and some for their order.
        let bytes_max = context.session.host.operator_bytes() / 3;
        loop {
            if !self.end_run(context)? {
                return Ok(false);
            }
            let batch = match self.input.next(context)? {
                Poll::Batch(batch) => batch,
                Poll::Yield => return Ok(false),
                Poll::Done => break,
            };
            self.collected_bytes += batch.memory_bytes();
            // Text of many batches would pin the nodes that contain it.
            let is_much = self.collected_bytes > bytes_max / 8;
            self.collected.push(if is_much { batch.detached() } else { batch });
            if self.collected_bytes > bytes_max {
                self.begin_run(context)?;
                // Where there is no place for temporary files.
                context.session.check_memory(2 * self.collected_bytes)?;
            }
        }
        self.input = Box::new(Empty);
        Ok(true)
    }

    /// Sorts what is there, all of it in memory; `None` when it is time to yield.
    fn finish_in_memory(&mut self, context: &Context) -> Result<Option<Answer>> {
        let (mut sorting, run) = match self.sorting.take() {
            Some(sorting) => sorting,
            None => (Sorting::of(&mut self.collected, self.columns, &self.keys, context)?, None),
        };
        if !sorting.sort.go_on(context) {
            self.sorting = Some((sorting, run));
            return Ok(None);
        }
        Ok(Some(Answer::InMemory(sorting.finish())))
    }

    /// Merges runs until there are so few that a batch of each fits into memory; `None` when it is time to yield.
    fn finish(&mut self, context: &Context) -> Result<Option<Answer>> {
        if self.runs.is_empty() && self.merging.is_none() {
            return self.finish_in_memory(context);
        }
        if !self.collected.is_empty() {
            self.begin_run(context)?;
        }
        if !self.end_run(context)? {
            return Ok(None);
        }
        loop {
            if let Some((merge, run)) = &mut self.merging {
                match merge.next(context)? {
                    Poll::Batch(batch) => run.push_parts(&batch)?,
                    Poll::Yield => return Ok(None),
                    Poll::Done => {
                        run.flush()?;
                        self.merged.extend(self.merging.take().map(|(_, run)| run));
                    }
                }
                continue;
            }
            if self.runs.is_empty() {
                self.runs = std::mem::take(&mut self.merged);
            }
            let batch_bytes = self.runs.iter().map(SpilledBatches::batch_bytes_max).max().unwrap_or(0);
            let together = (context.session.host.operator_bytes() / (MERGE_COPIES * batch_bytes).max(1)).max(2);
            let is_last = self.merged.is_empty() && self.runs.len() <= together;
            let file = if is_last { None } else { SpilledBatches::new(self.columns, context) };
            if file.is_none() {
                self.merged.append(&mut self.runs);
                std::mem::swap(&mut self.merged, &mut self.runs);
            }
            let count = if file.is_some() { together.min(self.runs.len()) } else { self.runs.len() };
            let merge = Merge::of(self.runs.drain(..count).collect(), self.columns, self.keys.clone(), context)?;
            let Some(run) = file else { return Ok(Some(Answer::Merged(merge))) };
            self.merging = Some((merge, run));
        }
    }
}

/// A batch of each run that is merged: as it is in the file, decoded, and as a part of the rows that are given.
const MERGE_COPIES: usize = 4;

impl Operator for Sort {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        if self.answer.is_none() {
            if !self.collect(context)? {
                return Ok(Poll::Yield);
            }
            let Some(answer) = self.finish(context)? else { return Ok(Poll::Yield) };
            self.answer = Some(answer);
        }
        match &mut self.answer {
            Some(Answer::InMemory(sorted)) => Ok(sorted.next(context)),
            Some(Answer::Merged(merge)) => merge.next(context),
            None => Ok(Poll::Done),
        }
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        self.input.push_runtime_filter(filter);
    }
}

/// The first rows of an order: those that cannot be among them are dropped as they come.
pub struct TopRows {
    input: Source,
    columns: usize,
    keys: Rc<[Key]>,
    /// LIMIT and OFFSET: together the rows that will be read.
    limit: (Option<Expr>, Option<Expr>),
    collected: Vec<Batch>,
    collected_rows: usize,
    collected_bytes: usize,
    /// What there was after the worst rows were dropped last.
    kept_bytes: usize,
    /// Key columns of the last of the rows known to be first: what comes after it in the order is dropped. One row each.
    last: Option<Vec<Rc<Vector>>>,
    /// What was collected, while it is sorted.
    sorting: Option<Sorting>,
    /// No rows follow.
    has_ended: bool,
    sorted: Option<Sorted>,
    /// So many rows are wanted that everything is sorted.
    whole: Option<Sort>,
}

/// Rows wanted past which a sort, which has temporary files, does better.
const ROWS_MAX: usize = 1 << 16;

/// Rows that are collected beyond those wanted before the worst are dropped.
const SLACK_ROWS: usize = 256;

impl TopRows {
    pub fn new(input: Source, columns: usize, keys: Rc<[Key]>, limit: (Option<Expr>, Option<Expr>)) -> TopRows {
        TopRows {
            input,
            columns,
            keys,
            limit,
            collected: Vec::new(),
            collected_rows: 0,
            collected_bytes: 0,
            kept_bytes: 0,
            last: None,
            sorting: None,
            has_ended: false,
            sorted: None,
            whole: None,
        }
    }

    /// Adds the rows of a batch that may be among the first.
    fn add(&mut self, batch: Batch, context: &Context) -> Result<()> {
        let batch = match &self.last {
            None => batch,
            Some(last) => {
                let columns = key_columns(&batch, &self.keys, context)?;
                let kept = rows_before(&columns, last, &self.keys, batch.rows);
                if kept.is_empty() {
                    return Ok(());
                }
                batch.gather(&kept)
            }
        };
        self.collected_rows += batch.rows;
        self.collected_bytes += batch.memory_bytes();
        self.collected.push(batch);
        Ok(())
    }

    /// Drops all but the first `wanted` rows.
    fn shrink(&mut self, sorted: Sorted, wanted: usize, context: &Context) -> Result<()> {
        let Sorted { rows, mut order, .. } = sorted;
        order.truncate(wanted);
        // Texts of the others go.
        let kept = rows.gather(&order).detached();
        if wanted > 0 && kept.rows == wanted {
            let columns = key_columns(&kept, &self.keys, context)?;
            self.last = Some(columns.iter().map(|column| Rc::new(column.gather(&[wanted as u32 - 1]))).collect());
        }
        self.collected_rows = kept.rows;
        self.kept_bytes = kept.memory_bytes();
        self.collected_bytes = self.kept_bytes;
        self.collected.push(kept);
        Ok(())
    }
}

impl TopRows {
    /// Sorts what was collected; `None` is a yield.
    fn sort(&mut self, context: &Context) -> Result<Option<Sorted>> {
        let mut sorting = match self.sorting.take() {
            Some(sorting) => sorting,
            None => Sorting::of(&mut self.collected, self.columns, &self.keys, context)?,
        };
        if !sorting.sort.go_on(context) {
            self.sorting = Some(sorting);
            return Ok(None);
        }
        Ok(Some(sorting.finish()))
    }
}

impl Operator for TopRows {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        if let Some(sort) = &mut self.whole {
            return sort.next(context);
        }
        if self.sorted.is_none() {
            let (rows, offset) = &self.limit;
            let wanted = row_number(rows, u64::MAX, context)?.saturating_add(row_number(offset, 0, context)?);
            let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
            if wanted > ROWS_MAX {
                let input = std::mem::replace(&mut self.input, Box::new(Empty));
                return self.whole.insert(Sort::new(input, self.columns, self.keys.clone())).next(context);
            }
            let enough = wanted.saturating_add(wanted.max(SLACK_ROWS));
            let bytes_max = context.session.host.operator_bytes() / 3;
            loop {
                let is_much = self.collected_bytes > bytes_max + 2 * self.kept_bytes && self.collected_rows > wanted;
                if self.collected_rows > enough || is_much || self.sorting.is_some() || self.has_ended {
                    let Some(mut sorted) = self.sort(context)? else { return Ok(Poll::Yield) };
                    if self.has_ended {
                        sorted.order.truncate(wanted);
                        self.sorted = Some(sorted);
                        break;
                    }
                    self.shrink(sorted, wanted, context)?;
                    continue;
                }
                match pull!(self.input, context) {
                    Some(batch) => self.add(batch, context)?,
                    None => self.has_ended = true,
                }
            }
        }
        Ok(self.sorted.as_mut().map_or(Poll::Done, |sorted| sorted.next(context)))
    }
}

/// The rows that come before the one row of `last`. What ties with it came later, so it comes later in the order too.
fn rows_before(columns: &[Rc<Vector>], last: &[Rc<Vector>], keys: &[Key], rows: usize) -> Vec<u32> {
    fn find<T: PartialOrd>(values: &[T], last: &T, descending: bool) -> Vec<u32> {
        let numbered = values.iter().zip(0..);
        match descending {
            false => numbered.filter(|(value, _)| *value < last).map(|(_, row)| row).collect(),
            true => numbered.filter(|(value, _)| *value > last).map(|(_, row)| row).collect(),
        }
    }
    if let ([column], [last], [key]) = (columns, last, keys)
        && column.validity.is_none()
        && last.validity.is_none()
    {
        match (&column.data, &last.data) {
            (Data::Int(values), Data::Int(last)) => return find(values, &last[0], key.descending),
            (Data::Double(values), Data::Double(last)) => return find(values, &last[0], key.descending),
            _ => {}
        }
    }
    let is_before = |row: &u32| compare_rows(columns, *row as usize, last, 0, keys) == Ordering::Less;
    (0..rows as u32).filter(is_before).collect()
}
