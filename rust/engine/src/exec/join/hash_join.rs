//! Hash join and nested-loop join of two independent inputs: the right side is built in memory, the left side streams.
//!
//! Candidates for a left row are the right rows with equal keys (hash join) or all of them (nested loops); pairs are
//! collected into batches, the rest of the condition is tested on those.
//!
//! A right side that is too much for memory goes to temporary files, split by its keys, and the left side with it; then the
//! parts are joined one after the other.

use std::rc::Rc;

use super::hash_table::{END, HashTable, HashTableBuild, columns_of};
use super::runtime_filter::RuntimeFilter;
use crate::batch::{BATCH_ROWS, Batch};
use crate::error::{Result, SqlError};
use crate::exec::batches::concat::concat;
use crate::exec::batches::row_ranges::{Ranged, RowRanges};
use crate::exec::filter::select;
use crate::exec::operator::{Operator, Poll, Source};
use crate::exec::scan::values::Batches;
use crate::exec::set_operation::Both;
use crate::exec::spill::{LEVELS_MAX, Partitions, Parts, SpillSource, SpilledBatches};
use crate::expr::{Comparison, Context, Expr};
use crate::plan::JoinKind;
use crate::vector::{Data, Vector};

/// Equal keys on both sides.
pub struct EquiKeys {
    pub left: Vec<Expr>,
    pub right: Vec<Expr>,
    pub comparisons: Vec<Comparison>,
}

pub struct Join {
    kind: JoinKind,
    left: Source,
    right: Option<Source>,
    left_ranges: RowRanges,
    right_ranges: RowRanges,
    right_columns: usize,
    left_columns: usize,
    keys: Option<Rc<EquiKeys>>,
    /// Tested on pairs; positions are left columns, then right columns.
    on: Rc<[Expr]>,
    building: Vec<Batch>,
    building_bytes: usize,
    /// How often the inputs have been split.
    level: u32,
    split: Option<Split>,
    /// All rows of the right side, while they are hashed.
    hashing: Option<HashTableBuild>,
    build: Option<Rc<HashTable>>,
    /// Full join: right rows that found a partner.
    right_matched: Vec<bool>,
    probe: Option<Probe>,
    /// Full join: the next right row to look at for one without a match.
    unmatched_at: u32,
}

/// A join in parts.
enum Split {
    Right(Partitions),
    /// The right side is split, the left one follows.
    Left {
        right: Vec<SpilledBatches>,
        left: Partitions,
    },
    Parts(Parts<(SpilledBatches, SpilledBatches)>),
}

/// The left batch in work.
struct Probe {
    batch: Batch,
    /// For each row of the batch the first right row with its key.
    heads: Option<Vec<u32>>,
    row: usize,
    /// The candidate to look at next, `None` when the row has not begun.
    candidate: Option<u32>,
    matched: Vec<bool>,
    exhausted: bool,
}

/// Numbers of left rows, and of the right row that each is paired with.
type Pairs = (Vec<u32>, Vec<u32>);

impl Probe {
    /// All pairs of equal keys, up to a batch of them: the usual case, where nothing is asked about a pair.
    fn chained_pairs(&mut self, build: &HashTable, (left, right): &mut Pairs) {
        let Some(heads) = &self.heads else { return };
        if build.is_unique {
            // One right row for a left one at most: all pairs at once.
            debug_assert!(self.row == 0 && self.batch.rows <= BATCH_ROWS);
            if heads.contains(&END) {
                let found = heads.iter().zip(0u32..).filter(|(head, _)| **head != END);
                found.for_each(|(&head, row)| {
                    left.push(row);
                    right.push(head);
                });
            } else {
                left.extend(0..self.batch.rows as u32);
                right.extend_from_slice(heads);
            }
            self.row = self.batch.rows;
        }
        while self.row < self.batch.rows && left.len() < BATCH_ROWS {
            let mut candidate = self.candidate.take().unwrap_or(heads[self.row]);
            while candidate != END && left.len() < BATCH_ROWS {
                left.push(self.row as u32);
                right.push(candidate);
                candidate = build.next(candidate);
            }
            if candidate != END {
                self.candidate = Some(candidate);
                break;
            }
            self.row += 1;
        }
    }

    /// Pairs whose condition is still to be tried, up to a batch of them. With `stop_at_first` none for a row that was matched, and one
    /// for each row where `any_matches`.
    fn tried_pairs(&mut self, build: &HashTable, stop_at_first: bool, any_matches: bool, (left, right): &mut Pairs) {
        while left.len() < BATCH_ROWS && self.row < self.batch.rows {
            let candidate = match self.candidate {
                Some(candidate) => candidate,
                None => match &self.heads {
                    Some(heads) => heads[self.row],
                    None if build.rows.rows > 0 => 0,
                    None => END,
                },
            };
            let done = stop_at_first && (self.matched[self.row] || (any_matches && self.candidate.is_some()));
            if candidate == END || done {
                self.row += 1;
                self.candidate = None;
                continue;
            }
            left.push(self.row as u32);
            right.push(candidate);
            self.candidate = Some(match &self.heads {
                Some(_) => build.next(candidate),
                None if candidate + 1 < build.rows.rows as u32 => candidate + 1,
                None => END,
            });
        }
    }
}

impl Join {
    pub fn new(
        kind: JoinKind,
        left: (Source, usize),
        right: (Source, usize),
        keys: Option<Rc<EquiKeys>>,
        on: Rc<[Expr]>,
    ) -> Join {
        Join {
            kind,
            left: left.0,
            left_columns: left.1,
            right: Some(right.0),
            left_ranges: RowRanges::default(),
            right_ranges: RowRanges::default(),
            right_columns: right.1,
            keys,
            on,
            building: Vec::new(),
            building_bytes: 0,
            level: 0,
            split: None,
            hashing: None,
            build: None,
            right_matched: Vec::new(),
            probe: None,
            unmatched_at: 0,
        }
    }

    /// Takes in rows of the right side, with their keys where it is split.
    fn take_right(&mut self, (batch, columns): (Batch, Vec<Rc<Vector>>), context: &Context) -> Result<()> {
        let Some(keys) = &self.keys else {
            self.building.push(batch);
            return Ok(());
        };
        if let Some(Split::Right(partitions)) = &mut self.split {
            return partitions.push_by(&batch, &columns, &keys.comparisons);
        }
        let bytes_max = HashTable::rows_bytes_max(context);
        self.building_bytes += batch.memory_bytes();
        let is_much = self.building_bytes > bytes_max / 8;
        self.building.push(if is_much { batch.detached() } else { batch });
        if self.building_bytes > bytes_max
            && self.level < LEVELS_MAX
            && let Some(partitions) = Partitions::new(self.right_columns, self.level, context)
            && let Some(rest) = self.right.take()
        {
            let collected = Box::new(Batches::new(std::mem::take(&mut self.building)));
            self.right = Some(Box::new(Both::new(collected, rest)));
            self.split = Some(Split::Right(partitions));
        }
        Ok(())
    }

    /// The join part by part.
    fn next_of_parts(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let Some(keys) = self.keys.clone() else { return Ok(Poll::Done) };
        if let Some(Split::Left { left, .. }) = &mut self.split {
            loop {
                let keyed = |batch: &Batch| Ok((batch.clone(), columns_of(&keys.left, batch, context)?));
                match self.left_ranges.next(self.left.as_mut(), context, keyed)? {
                    Ranged::Rows((batch, columns)) => left.push_by(&batch, &columns, &keys.comparisons)?,
                    Ranged::Yield => return Ok(Poll::Yield),
                    Ranged::Done => break,
                }
            }
        }
        self.split = match self.split.take() {
            Some(Split::Left { right, left }) => {
                Some(Split::Parts(Parts::new(left.finish()?.into_iter().zip(right).collect())))
            }
            other => other,
        };
        let Some(Split::Parts(parts)) = &mut self.split else { return Ok(Poll::Done) };
        parts.next(context, |(left, right)| {
            let left: Source = Box::new(SpillSource::new(left)?);
            let right: Source = Box::new(SpillSource::new(right)?);
            let (left, right) = ((left, self.left_columns), (right, self.right_columns));
            let join = Join::new(self.kind, left, right, Some(keys.clone()), self.on.clone());
            Ok(Some(Box::new(Join { level: self.level + 1, ..join })))
        })
    }

    /// All rows of the right side are there.
    fn end_right(&mut self, context: &Context) -> Result<()> {
        if let Some(Split::Right(right)) = self.split.take() {
            let partitions = Partitions::new(self.left_columns, self.level, context);
            let left = partitions.ok_or_else(|| SqlError::internal("no temporary file for a join"))?;
            self.split = Some(Split::Left { right: right.finish()?, left });
            return Ok(());
        }
        let rows = concat(&std::mem::take(&mut self.building), self.right_columns);
        self.right_matched = vec![false; if self.kind == JoinKind::Full { rows.rows } else { 0 }];
        match &self.keys {
            None => self.build = Some(Rc::new(HashTable::without_keys(rows))),
            Some(keys) => self.hashing = Some(HashTableBuild::new(rows, &keys.right, &keys.comparisons)),
        }
        Ok(())
    }

    /// Hashes the right side; `false` is a yield.
    fn hash(&mut self, context: &Rc<Context>) -> Result<bool> {
        let (Some(hashing), Some(keys)) = (&mut self.hashing, &self.keys) else { return Ok(true) };
        let Some(table) = hashing.go_on(&keys.comparisons, context)? else { return Ok(false) };
        let table = Rc::new(table);
        if matches!(self.kind, JoinKind::Inner | JoinKind::Semi)
            && let Some(filter) = RuntimeFilter::new(&table, &keys.left, &keys.comparisons)
        {
            self.left.push_runtime_filter(&filter);
        }
        self.hashing = None;
        self.build = Some(table);
        Ok(true)
    }

    /// Reads the right side to its end; `false` is a yield.
    fn read_right(&mut self, context: &Rc<Context>) -> Result<bool> {
        while let Some(right) = &mut self.right {
            let keys = self.keys.as_ref().filter(|_| self.split.is_some());
            let keyed = |batch: &Batch| {
                let columns = keys.map_or(Ok(Vec::new()), |keys| columns_of(&keys.right, batch, context))?;
                Ok((batch.clone(), columns))
            };
            match self.right_ranges.next(right.as_mut(), context, keyed)? {
                Ranged::Rows(rows) => self.take_right(rows, context)?,
                Ranged::Yield => return Ok(false),
                Ranged::Done => {
                    self.right = None;
                    self.end_right(context)?;
                }
            }
        }
        self.hash(context)
    }

    /// The next rows of the left side; `false` at its end, `None` is a yield.
    fn read_left(&mut self, context: &Rc<Context>) -> Result<Option<bool>> {
        let (keys, build) = (&self.keys, &self.build);
        let looked_up = |batch: &Batch| {
            let heads = match (keys, build) {
                (Some(keys), Some(build)) => Some(build.heads_of(batch, &keys.left, &keys.comparisons, context)?),
                _ => None,
            };
            Ok((batch.clone(), heads))
        };
        match self.left_ranges.next(self.left.as_mut(), context, looked_up)? {
            Ranged::Rows((batch, heads)) => {
                let matched = vec![false; batch.rows];
                self.probe = Some(Probe { batch, heads, row: 0, candidate: None, matched, exhausted: false });
                Ok(Some(true))
            }
            Ranged::Yield => Ok(None),
            Ranged::Done => Ok(Some(false)),
        }
    }

    /// Pairs of the probe batch, up to a batch of them, that pass the condition.
    fn pairs(&mut self, context: &Context) -> Result<Option<Batch>> {
        let (Some(build), Some(probe)) = (&self.build, &mut self.probe) else { return Ok(None) };
        let stop_at_first = matches!(self.kind, JoinKind::Semi | JoinKind::Anti);
        let mut pairs = (Vec::with_capacity(BATCH_ROWS), Vec::with_capacity(BATCH_ROWS));
        if !stop_at_first {
            probe.chained_pairs(build, &mut pairs);
        }
        // A semi join needs one match: without a further condition the first candidate is one.
        probe.tried_pairs(build, stop_at_first, self.on.is_empty(), &mut pairs);
        let (left, right) = pairs;
        context.spend(left.len());
        probe.exhausted = probe.row >= probe.batch.rows;
        if left.is_empty() {
            return Ok(None);
        }
        let pairs = probe.batch.gather(&left).beside(&build.rows.gather(&right));
        let tracks = !matches!(self.kind, JoinKind::Inner);
        if !tracks {
            return Ok(Some(select(pairs, &self.on, context)?));
        }
        // The numbers of the pair ride along, so that survivors can be told.
        let numbered = pairs.beside(&Batch::new(
            left.len(),
            vec![
                Rc::new(Vector::new(Data::UInt(left.iter().map(|&row| u64::from(row)).collect()))),
                Rc::new(Vector::new(Data::UInt(right.iter().map(|&row| u64::from(row)).collect()))),
            ],
        ));
        let mut kept = select(numbered, &self.on, context)?;
        let (Some(kept_right), Some(kept_left)) = (kept.columns.pop(), kept.columns.pop()) else { return Ok(None) };
        for row in 0..kept.rows {
            if let Data::UInt(rows) = &kept_left.data {
                probe.matched[rows[row] as usize] = true;
            }
            if let (Data::UInt(rows), false) = (&kept_right.data, self.right_matched.is_empty()) {
                self.right_matched[rows[row] as usize] = true;
            }
        }
        Ok(if stop_at_first { None } else { Some(kept) })
    }

    /// What is left to say about a probe batch whose pairs have all been looked at.
    fn leftovers(&mut self) -> Option<Batch> {
        let probe = self.probe.take()?;
        let wanted = match self.kind {
            JoinKind::Inner | JoinKind::Right => return None,
            JoinKind::Semi => true,
            JoinKind::Left | JoinKind::Full | JoinKind::Anti => false,
        };
        let rows: Vec<u32> =
            (0..probe.batch.rows as u32).filter(|&row| probe.matched[row as usize] == wanted).collect();
        if rows.is_empty() {
            return None;
        }
        let rows = probe.batch.gather(&rows);
        Some(match self.kind {
            JoinKind::Left | JoinKind::Full => rows.beside(&nulls(rows.rows, self.right_columns)),
            _ => rows,
        })
    }

    /// Full join: right rows that no left row matched.
    fn unmatched_right(&mut self) -> Option<Batch> {
        let build = self.build.as_ref()?;
        let start = self.unmatched_at as usize;
        let end = (start + BATCH_ROWS).min(self.right_matched.len());
        self.unmatched_at = end as u32;
        let rows: Vec<u32> = (start..end).filter(|&row| !self.right_matched[row]).map(|row| row as u32).collect();
        if start == end {
            return None;
        }
        let rows = build.rows.gather(&rows);
        Some(nulls(rows.rows, self.left_columns).beside(&rows))
    }
}

/// Rows of NULLs.
pub fn nulls(rows: usize, columns: usize) -> Batch {
    Batch::new(rows, (0..columns).map(|_| Rc::new(Vector::nulls(rows))).collect())
}

impl Operator for Join {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        if !self.read_right(context)? {
            return Ok(Poll::Yield);
        }
        if self.split.is_some() {
            return self.next_of_parts(context);
        }
        loop {
            if context.is_out_of_fuel() {
                return Ok(Poll::Yield);
            }
            if self.probe.as_ref().is_some_and(|probe| !probe.exhausted) {
                if let Some(batch) = self.pairs(context)?
                    && batch.rows > 0
                {
                    return Ok(Poll::Batch(batch));
                }
                continue;
            }
            if let Some(batch) = self.leftovers() {
                return Ok(Poll::Batch(batch));
            }
            match self.read_left(context)? {
                Some(true) => {}
                None => return Ok(Poll::Yield),
                Some(false) if self.kind == JoinKind::Full => match self.unmatched_right() {
                    Some(batch) if batch.rows > 0 => return Ok(Poll::Batch(batch)),
                    Some(_) => {}
                    None => return Ok(Poll::Done),
                },
                Some(false) => return Ok(Poll::Done),
            }
        }
    }

    /// Of rows that stay as they are or fall out, those without a partner need not come: they have none afterwards. Of an inner join
    /// that goes for both sides.
    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        let left = self.left_columns;
        if self.kind == JoinKind::Full || self.on.iter().any(Expr::sets_variables) {
            return;
        }
        if let Some(filter) = filter.below(|column| (column < left).then_some(column)) {
            self.left.push_runtime_filter(&filter);
        }
        if self.kind == JoinKind::Inner
            && let Some(right) = &mut self.right
            && let Some(filter) = filter.below(|column| column.checked_sub(left))
        {
            right.push_runtime_filter(&filter);
        }
    }
}
