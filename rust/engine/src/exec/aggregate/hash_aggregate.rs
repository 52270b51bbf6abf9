//! Hash aggregation: one state per group and call, in a hash table by key.
//!
//! When the groups take too much memory, rows of groups that are not known yet go to temporary files, split by their keys;
//! each part is aggregated when the known groups have been given.

use std::rc::Rc;

use hashbrown::HashMap;
use value::Value;

use super::distinct_arguments::{Seen, groups_of};
use crate::batch::{BATCH_BYTES, BATCH_ROWS, Batch};
use crate::error::Result;
use crate::exec::batches::row_keys::RowKeys;
use crate::exec::batches::row_ranges::{Ranged, RowRanges};
use crate::exec::join::runtime_filter::RuntimeFilter;
use crate::exec::operator::{Operator, Poll, Source};
use crate::exec::spill::{LEVELS_MAX, Partitions, Parts, SpillSource, SpilledBatches};
use crate::expr::{AggregateCall, Comparison, Context, Expr, eval_all, whole_number};
use crate::functions::aggregate::Accumulator;
use crate::vector::{Data, Vector, VectorBuilder};

pub struct Aggregate {
    /// Absent at its end.
    input: Option<Source>,
    ranges: RowRanges,
    groups: Rc<[Expr]>,
    comparisons: Vec<Comparison>,
    calls: Vec<Call>,
    numbers: GroupNumbers,
    /// The first row of each group gives its key columns.
    keys: Vec<VectorBuilder>,
    finished: Option<(Vec<Rc<Vector>>, usize)>,
    given: usize,
    /// For the aggregation of parts.
    plan: Rc<[AggregateCall]>,
    input_columns: usize,
    state_bytes: usize,
    level: u32,
    partitions: Option<Partitions>,
    parts: Parts<SpilledBatches>,
}

struct Call {
    args: Vec<Expr>,
    accumulator: Box<dyn Accumulator>,
    /// For `DISTINCT`.
    seen: Option<Seen>,
    /// The reference counts different texts: what has no text is an error.
    counts_texts: bool,
}

/// What the keys and the calls read of a batch.
struct Evaluated {
    columns: Vec<Rc<Vector>>,
    args: Vec<Vec<Rc<Vector>>>,
}

/// The number of each group, in order of first appearance.
#[derive(Default)]
struct GroupNumbers {
    by_key: HashMap<Vec<u8>, u32>,
    /// Keys of one whole number that is not NULL.
    by_integer: HashMap<i64, u32>,
    /// The same for small numbers: their groups in a row, `NO_GROUP` where there is none yet.
    by_small: Vec<u32>,
    len: usize,
}

const NO_GROUP: u32 = u32::MAX;

/// Whole numbers from 0 up to this are looked up without hashing.
const SMALL_MAX: usize = 1 << 16;

impl Aggregate {
    /// `input_columns` is the number of columns of the input.
    pub fn new(input: Source, input_columns: usize, groups: Rc<[Expr]>, plan: Rc<[AggregateCall]>) -> Aggregate {
        let calls = plan.iter().map(|call| Call {
            args: call.args.iter().chain(call.order.iter().map(|key| &key.expr)).cloned().collect(),
            accumulator: (call.function.accumulator)(call),
            seen: Seen::of(call),
            counts_texts: call.function.counts(),
        });
        Aggregate {
            input: Some(input),
            ranges: RowRanges::default(),
            comparisons: groups.iter().map(|group| Comparison::of_groups(&group.ty)).collect(),
            keys: groups.iter().map(|_| VectorBuilder::default()).collect(),
            groups,
            calls: calls.collect(),
            numbers: GroupNumbers::default(),
            finished: None,
            given: 0,
            plan: plan.clone(),
            input_columns,
            state_bytes: 0,
            level: 0,
            partitions: None,
            parts: Parts::default(),
        }
    }

    /// Takes in a batch; what belongs to no known group goes to the temporary files once there are some.
    ///
    /// # Errors
    /// Those of [`Context::in_range`]: nothing was taken in then.
    pub fn take(&mut self, batch: &Batch, context: &Context) -> Result<()> {
        let is_full = self.state_bytes > context.session.host.operator_bytes() && self.level < LEVELS_MAX;
        if is_full && self.partitions.is_none() && !self.groups.is_empty() {
            self.partitions = Partitions::new(self.input_columns, self.level, context);
        }
        if is_full {
            for call in &mut self.calls {
                let args = call.args.len();
                call.seen.iter_mut().for_each(|seen| seen.spill(args, context));
            }
        }
        if self.partitions.is_none() {
            let evaluated = self.evaluate(batch, context)?;
            return self.add(batch, evaluated, context);
        }
        let columns: Vec<_> = self.groups.iter().map(|group| group.eval(batch, context)).collect::<Result<_>>()?;
        let known = self.numbers.known(&columns, &self.comparisons, batch.rows);
        let (inside, outside): (Vec<u32>, Vec<u32>) = (0..batch.rows as u32).partition(|&row| known[row as usize]);
        let inside = batch.gather(&inside);
        let evaluated = if inside.rows > 0 { Some(self.evaluate(&inside, context)?) } else { None };
        if !outside.is_empty()
            && let Some(partitions) = &mut self.partitions
        {
            let keys = RowKeys::of(&columns, &self.comparisons, batch.rows);
            partitions.push(batch, &keys, outside.into_iter())?;
        }
        evaluated.map_or(Ok(()), |evaluated| self.add(&inside, evaluated, context))
    }

    fn evaluate(&self, batch: &Batch, context: &Context) -> Result<Evaluated> {
        let columns = |exprs: &[Expr]| eval_all(exprs, batch, context);
        let args: Vec<_> = self.calls.iter().map(|call| columns(&call.args)).collect::<Result<_>>()?;
        let columns = columns(&self.groups)?;
        let evaluated = args.iter().flatten().chain(&columns).cloned().collect();
        context.columns_done(&Batch { rows: batch.rows, columns: evaluated })?;
        // The groups keep values of each range.
        context.session.check_memory(0)?;
        Ok(Evaluated { columns, args })
    }

    fn add(&mut self, batch: &Batch, evaluated: Evaluated, context: &Context) -> Result<()> {
        let Evaluated { columns, args } = evaluated;
        let before = self.numbers.len;
        let mut firsts = Vec::new();
        let numbers = if columns.is_empty() {
            self.numbers.len = 1;
            vec![0; batch.rows]
        } else {
            self.numbers.of(&columns, &self.comparisons, batch.rows, &mut firsts)
        };
        if self.numbers.len != before {
            for call in &mut self.calls {
                call.accumulator.resize(self.numbers.len);
            }
            for (column, builder) in columns.iter().zip(&mut self.keys) {
                firsts.iter().for_each(|&row| builder.push(column.value(row as usize)));
            }
            let key_bytes: usize = columns.iter().map(|column| column.gather(&firsts).memory_bytes()).sum();
            self.state_bytes += 2 * key_bytes + firsts.len() * (GROUP_BYTES + CALL_BYTES * self.calls.len());
        }
        for (call, args) in self.calls.iter_mut().zip(args) {
            match &mut call.seen {
                None => call.accumulator.update(&numbers, &args, context)?,
                Some(seen) => {
                    if call.counts_texts {
                        args.iter().try_for_each(|arg| has_texts(arg))?;
                    }
                    let (fresh, bytes) = seen.fresh(&numbers, &args)?;
                    self.state_bytes += bytes;
                    let numbers: Vec<u32> = fresh.iter().map(|&row| numbers[row as usize]).collect();
                    let args: Vec<_> = args.iter().map(|arg| Rc::new(arg.gather(&fresh))).collect();
                    call.accumulator.update(&numbers, &args, context)?;
                }
            }
        }
        Ok(())
    }

    /// Takes in what DISTINCT calls put off; `false` is a yield.
    fn take_late(&mut self, context: &Rc<Context>) -> Result<bool> {
        for call in &mut self.calls {
            let Some(seen) = &mut call.seen else { continue };
            loop {
                match seen.next_late(context)? {
                    Poll::Batch(batch) => call.accumulator.update(&groups_of(&batch), &batch.columns[1..], context)?,
                    Poll::Yield => return Ok(false),
                    Poll::Done => break,
                }
            }
        }
        Ok(true)
    }

    fn finish(&mut self) -> Result<()> {
        if self.groups.is_empty() && self.numbers.len == 0 {
            self.numbers.len = 1;
            self.calls.iter_mut().for_each(|call| call.accumulator.resize(1));
        }
        let keys = std::mem::take(&mut self.keys).into_iter().map(|key| Rc::new(key.finish())).collect();
        self.finished = Some((keys, self.numbers.len));
        if let Some(partitions) = self.partitions.take() {
            self.parts = Parts::new(partitions.finish()?);
        }
        Ok(())
    }

    /// The next groups, as many as fit into a batch.
    fn next_groups(&mut self, context: &Context) -> Result<Option<Batch>> {
        let Some((keys, groups)) = &self.finished else { return Ok(None) };
        let first = self.given;
        let last = (first + BATCH_ROWS).min(*groups);
        let mut values: Vec<_> = self.calls.iter().map(|_| VectorBuilder::with_capacity(last - first)).collect();
        let mut bytes = 0;
        while self.given < last && bytes < BATCH_BYTES {
            for (call, values) in self.calls.iter_mut().zip(&mut values) {
                values.push(call.accumulator.value(self.given, context)?);
            }
            self.given += 1;
            bytes = values.iter().map(VectorBuilder::bytes).sum();
        }
        if self.given == first {
            return Ok(None);
        }
        let rows: Vec<u32> = (first as u32..self.given as u32).collect();
        context.spend(rows.len());
        context.spend_work(bytes);
        let keys = keys.iter().map(|key| Rc::new(key.gather(&rows)));
        let columns = keys.chain(values.into_iter().map(|values| Rc::new(values.finish()))).collect();
        Ok(Some(Batch { rows: rows.len(), columns }))
    }

    /// The groups of the parts, one part after the other.
    fn next_of_parts(&mut self, context: &Rc<Context>) -> Result<Poll> {
        // The states of what was given are not needed any more.
        self.finished = Some((Vec::new(), 0));
        self.numbers = GroupNumbers::default();
        self.calls.clear();
        self.parts.next(context, |batches| {
            if batches.len() == 0 {
                return Ok(None);
            }
            let input = Box::new(SpillSource::new(batches)?);
            let part = Aggregate::new(input, self.input_columns, self.groups.clone(), self.plan.clone());
            Ok(Some(Box::new(Aggregate { level: self.level + 1, ..part })))
        })
    }
}

/// Memory of a group's place in the tables, and of the state of one call, more or less.
const GROUP_BYTES: usize = 48;
const CALL_BYTES: usize = 48;

/// # Errors
/// A TIME or bytes that are no UTF-8 among the values.
fn has_texts(column: &Vector) -> Result<()> {
    if !matches!(column.data, Data::Time(_) | Data::Bytes(_)) {
        return Ok(());
    }
    let mut rows = (0..column.len()).filter(|&row| !column.is_null(row));
    rows.try_for_each(|row| Ok(value::convert::to_string(&column.value(row)).map(drop)?))
}

impl GroupNumbers {
    /// The group of each row; rows that open a group are added to `firsts`.
    fn of(&mut self, columns: &[Rc<Vector>], how: &[Comparison], rows: usize, firsts: &mut Vec<u32>) -> Vec<u32> {
        let ([column], [Comparison::Int]) = (columns, how) else {
            let keys = RowKeys::of(columns, how, rows);
            return (0..rows).map(|row| self.of_key(keys.get(row), row, firsts)).collect();
        };
        match (&column.data, &column.validity) {
            (Data::Int(values), None) => {
                let small = &self.by_small[..];
                let known = |&value: &i64| small.get(usize::try_from(value).unwrap_or(usize::MAX)).copied();
                let mut numbers: Vec<u32> = values.iter().map(|value| known(value).unwrap_or(NO_GROUP)).collect();
                // What the table of small numbers does not have goes the long way.
                for (row, number) in numbers.iter_mut().enumerate().filter(|(_, number)| **number == NO_GROUP) {
                    *number = self.of_integer(values[row], row, firsts);
                }
                numbers
            }
            _ => (0..rows).map(|row| self.of_value(&column.value(row), row, firsts)).collect(),
        }
    }

    /// For each row whether its group is known.
    fn known(&self, columns: &[Rc<Vector>], how: &[Comparison], rows: usize) -> Vec<bool> {
        let ([column], [Comparison::Int]) = (columns, how) else {
            let keys = RowKeys::of(columns, how, rows);
            return (0..rows).map(|row| self.by_key.contains_key(keys.get(row))).collect();
        };
        let known = |value: Value<'_>| match integer(&value) {
            Some(number) => self.knows(number),
            None if value.is_null() => self.by_key.contains_key(&[0][..]),
            None => {
                let mut key = vec![1];
                Comparison::Int.append_key(&value, &mut key);
                self.by_key.contains_key(&key)
            }
        };
        (0..rows).map(|row| known(column.value(row))).collect()
    }

    fn knows(&self, value: i64) -> bool {
        match usize::try_from(value) {
            Ok(small) if small < SMALL_MAX => self.by_small.get(small).is_some_and(|&group| group != NO_GROUP),
            _ => self.by_integer.contains_key(&value),
        }
    }

    fn open(&mut self, row: usize, firsts: &mut Vec<u32>) -> u32 {
        firsts.push(row as u32);
        self.len += 1;
        self.len as u32 - 1
    }

    #[inline]
    fn of_integer(&mut self, value: i64, row: usize, firsts: &mut Vec<u32>) -> u32 {
        let small = usize::try_from(value).unwrap_or(usize::MAX);
        if let Some(&group) = self.by_small.get(small)
            && group != NO_GROUP
        {
            return group;
        }
        if small < SMALL_MAX {
            if small >= self.by_small.len() {
                self.by_small.resize((small + 1).next_power_of_two(), NO_GROUP);
            }
            let group = self.open(row, firsts);
            self.by_small[small] = group;
            return group;
        }
        if let Some(&group) = self.by_integer.get(&value) {
            return group;
        }
        let group = self.open(row, firsts);
        self.by_integer.insert(value, group);
        group
    }

    fn of_key(&mut self, key: &[u8], row: usize, firsts: &mut Vec<u32>) -> u32 {
        if let Some(&group) = self.by_key.get(key) {
            return group;
        }
        let group = self.open(row, firsts);
        self.by_key.insert(key.to_vec(), group);
        group
    }

    /// A value that compares as a whole number, or NULL.
    fn of_value(&mut self, value: &Value<'_>, row: usize, firsts: &mut Vec<u32>) -> u32 {
        match integer(value) {
            Some(number) => self.of_integer(number, row, firsts),
            None if value.is_null() => self.of_key(&[0], row, firsts),
            None => {
                let mut key = vec![1];
                Comparison::Int.append_key(value, &mut key);
                self.of_key(&key, row, firsts)
            }
        }
    }
}

/// A value that compares as a whole number of 64 bits.
fn integer(value: &Value<'_>) -> Option<i64> {
    whole_number(value).and_then(|number| i64::try_from(number).ok())
}

impl Operator for Aggregate {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        while let Some(mut input) = self.input.take() {
            let mut ranges = std::mem::take(&mut self.ranges);
            let taken = ranges.next(input.as_mut(), context, |batch| self.take(batch, context));
            (self.input, self.ranges) = (Some(input), ranges);
            match taken? {
                Ranged::Rows(()) => {}
                Ranged::Yield => return Ok(Poll::Yield),
                Ranged::Done => {
                    self.input = None;
                    self.calls.iter_mut().filter_map(|call| call.seen.as_mut()).try_for_each(Seen::end)?;
                }
            }
        }
        if self.finished.is_none() {
            if !self.take_late(context)? {
                return Ok(Poll::Yield);
            }
            self.finish()?;
        }
        match self.next_groups(context)? {
            Some(batch) => Ok(Poll::Batch(batch)),
            None => self.next_of_parts(context),
        }
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        if let (Some(input), Some(filter)) = (&mut self.input, filter.below_groups(&self.groups, &self.comparisons)) {
            input.push_runtime_filter(&filter);
        }
    }
}
