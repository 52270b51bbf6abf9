//! GROUP BY: one state per group and call, in a hash table by key.

use std::rc::Rc;

use hashbrown::{HashMap, HashSet};

use super::keys::RowKeys;
use super::{Operator, Poll, Source, pull};
use crate::batch::{BATCH_ROWS, Batch};
use crate::error::Result;
use crate::expr::{Comparison, Context, Expr};
use crate::functions::aggregate::Accumulator;
use crate::plan::AggregateCall;
use crate::vector::{Data, Vector, VectorBuilder};

pub struct Aggregate {
    input: Source,
    groups: Rc<[Expr]>,
    comparisons: Vec<Comparison>,
    calls: Vec<Call>,
    numbers: GroupNumbers,
    /// The first row of each group gives its key columns.
    keys: Vec<VectorBuilder>,
    finished: Option<(Vec<Rc<Vector>>, usize)>,
    given: usize,
}

struct Call {
    args: Vec<Expr>,
    accumulator: Box<dyn Accumulator>,
    /// `DISTINCT`: pairs of group and arguments that were seen.
    distinct: Option<Seen>,
}

/// How the arguments of a DISTINCT call are compared, and the pairs of group and arguments that came.
type Seen = (Vec<Comparison>, HashSet<Box<[u8]>>);

/// The number of each group, in order of first appearance.
#[derive(Default)]
struct GroupNumbers {
    by_key: HashMap<Vec<u8>, u32>,
    /// Keys of one whole number that is not NULL.
    by_integer: HashMap<i64, u32>,
    len: usize,
}

impl Aggregate {
    pub fn new(input: Source, groups: Rc<[Expr]>, calls: &[AggregateCall]) -> Aggregate {
        let calls = calls.iter().map(|call| Call {
            args: call.args.iter().chain(call.order.iter().map(|key| &key.expr)).cloned().collect(),
            accumulator: (call.function.accumulator)(call),
            distinct: call.distinct.then(|| {
                let comparison = |arg: &Expr| match Comparison::within(&arg.ty) {
                    // COUNT tells texts apart that their collation does not, as in the reference.
                    Comparison::Text(_) if call.function.name == "count" => Comparison::Bytes,
                    other => other,
                };
                (call.args.iter().map(comparison).collect(), HashSet::new())
            }),
        });
        Aggregate {
            input,
            comparisons: groups.iter().map(|group| Comparison::within(&group.ty)).collect(),
            keys: groups.iter().map(|_| VectorBuilder::default()).collect(),
            groups,
            calls: calls.collect(),
            numbers: GroupNumbers::default(),
            finished: None,
            given: 0,
        }
    }

    fn add(&mut self, batch: &Batch, context: &Context) -> Result<()> {
        let columns: Vec<_> = self.groups.iter().map(|group| group.eval(batch, context)).collect::<Result<_>>()?;
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
        }
        for call in &mut self.calls {
            let args: Vec<_> = call.args.iter().map(|arg| arg.eval(batch, context)).collect::<Result<_>>()?;
            match &mut call.distinct {
                None => call.accumulator.update(&numbers, &args, context)?,
                Some((comparisons, seen)) => {
                    let fresh = fresh_rows(&numbers, &args[..comparisons.len()], comparisons, seen);
                    let numbers: Vec<u32> = fresh.iter().map(|&row| numbers[row as usize]).collect();
                    let args: Vec<_> = args.iter().map(|arg| Rc::new(arg.gather(&fresh))).collect();
                    call.accumulator.update(&numbers, &args, context)?;
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self, context: &Context) -> Result<()> {
        if self.groups.is_empty() && self.numbers.len == 0 {
            self.numbers.len = 1;
            self.calls.iter_mut().for_each(|call| call.accumulator.resize(1));
        }
        let groups = self.numbers.len;
        let mut columns: Vec<_> = std::mem::take(&mut self.keys).into_iter().map(|key| Rc::new(key.finish())).collect();
        for call in &mut self.calls {
            let mut column = VectorBuilder::with_capacity(groups);
            for group in 0..groups {
                column.push(call.accumulator.value(group, context)?);
            }
            columns.push(Rc::new(column.finish()));
        }
        self.finished = Some((columns, groups));
        Ok(())
    }
}

/// Rows whose arguments the group has not seen. A row with a NULL argument counts for nothing in every aggregate.
fn fresh_rows(
    numbers: &[u32],
    args: &[Rc<Vector>],
    comparisons: &[Comparison],
    seen: &mut HashSet<Box<[u8]>>,
) -> Vec<u32> {
    let keys = RowKeys::of(args, comparisons, numbers.len());
    let mut key = Vec::new();
    let mut fresh = Vec::new();
    for (row, number) in numbers.iter().enumerate().filter(|(row, _)| !keys.has_null(*row)) {
        key.clear();
        key.extend_from_slice(&number.to_le_bytes());
        key.extend_from_slice(keys.get(row));
        if !seen.contains(&key[..]) {
            seen.insert(key.as_slice().into());
            fresh.push(row as u32);
        }
    }
    fresh
}

impl GroupNumbers {
    /// The group of each row; rows that open a group are added to `firsts`.
    fn of(&mut self, columns: &[Rc<Vector>], how: &[Comparison], rows: usize, firsts: &mut Vec<u32>) -> Vec<u32> {
        let mut len = self.len as u32;
        let mut fresh = |row: usize| {
            firsts.push(row as u32);
            len += 1;
            len - 1
        };
        let numbers = match (columns, how) {
            ([column], [Comparison::Int]) if matches!((&column.data, &column.validity), (Data::Int(_), None)) => {
                let Data::Int(values) = &column.data else { unreachable!() };
                let number = |(row, value): (usize, &i64)| *self.by_integer.entry(*value).or_insert_with(|| fresh(row));
                values.iter().enumerate().map(number).collect()
            }
            _ => {
                let keys = RowKeys::of(columns, how, rows);
                let number = |row| match (columns, how) {
                    // A batch with NULLs must find the groups of batches without.
                    ([column], [Comparison::Int]) if !keys.has_null(row) => match column.value(row) {
                        value::Value::Int(value) => *self.by_integer.entry(value).or_insert_with(|| fresh(row)),
                        _ => *self.by_key.entry_ref(keys.get(row)).or_insert_with(|| fresh(row)),
                    },
                    _ => *self.by_key.entry_ref(keys.get(row)).or_insert_with(|| fresh(row)),
                };
                (0..rows).map(number).collect()
            }
        };
        self.len = len as usize;
        numbers
    }
}

impl Operator for Aggregate {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        while self.finished.is_none() {
            match pull!(self.input, context) {
                Some(batch) => self.add(&batch, context)?,
                None => self.finish(context)?,
            }
        }
        let Some((columns, groups)) = &self.finished else { return Ok(Poll::Done) };
        let rows: Vec<u32> = (self.given..(self.given + BATCH_ROWS).min(*groups)).map(|row| row as u32).collect();
        if rows.is_empty() {
            return Ok(Poll::Done);
        }
        self.given += rows.len();
        context.spend(rows.len());
        Ok(Poll::Batch(Batch { rows: *groups, columns: columns.clone() }.gather(&rows)))
    }
}
