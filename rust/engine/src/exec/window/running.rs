//! Running state of a window call: its value for one row after the other.

use std::rc::Rc;

use value::{SqlType, Value};

use super::frame::Frames;
use super::sorted::{Place, Sorted};
use super::{Call, Order};
use crate::batch::Batch;
use crate::error::{Result, SqlError};
use crate::exec::aggregate::distinct_arguments::Seen;
use crate::expr::{AggregateCall, Context, Expr};
use crate::functions::aggregate::Accumulator;
use crate::functions::{Role, Traits};
use crate::plan::{FrameBound, WindowFunction};
use crate::vector::{Vector, VectorBuilder, bytes_of};

/// The call in work.
pub(super) struct Running {
    bound: Bound,
    /// How many positions are done, and the bytes of their values.
    done: usize,
    bytes: usize,
    /// The value of each row of the input.
    values: Vec<Value<'static>>,
    accumulated: Option<Accumulated>,
}

/// A call with everything evaluated that does not depend on the frame.
struct Bound {
    args: Vec<Rc<Vector>>,
    frames: Frames,
    /// For SUM and AVG: what is before each position of its partition.
    sums: Vec<Before>,
    /// Positions are taken from the last to the first, so that frames grow.
    backwards: bool,
}

struct Accumulated {
    accumulator: Box<dyn Accumulator>,
    /// Of a call with DISTINCT.
    seen: Option<Seen>,
    frame: (u32, u32),
}

impl Running {
    pub fn of(call: &Call, order: &Order, sorted: &Sorted, rows: &Batch, context: &Context) -> Result<Running> {
        Ok(Running {
            bound: Bound::of(call, order, sorted, rows, context)?,
            done: 0,
            bytes: 0,
            values: vec![Value::Null; rows.rows],
            accumulated: None,
        })
    }

    /// Goes on with the rows of the input; `false` is a yield.
    pub fn work(&mut self, call: &Call, sorted: &Sorted, context: &Context) -> Result<bool> {
        let rows = self.values.len();
        while self.done < rows {
            if context.is_out_of_fuel() {
                return Ok(false);
            }
            context.spend(1);
            let at = if self.bound.backwards { rows - 1 - self.done } else { self.done };
            let value = self.value(call, sorted, at, context)?;
            let bytes = bytes_of(&value);
            self.bytes += bytes;
            context.work(bytes)?;
            self.values[sorted.rows[at] as usize] = value;
            self.done += 1;
        }
        // A column of them has them once more.
        context.session.check_memory(self.bytes)?;
        Ok(true)
    }

    /// The value of each row of the input.
    pub fn into_column(self) -> Vector {
        let mut column = VectorBuilder::with_capacity(self.values.len());
        self.values.into_iter().for_each(|value| column.push(value));
        column.finish()
    }

    /// The value of the row at position `at` of the sorted rows.
    fn value(&mut self, call: &Call, sorted: &Sorted, at: usize, context: &Context) -> Result<Value<'static>> {
        use WindowFunction as F;
        let place = sorted.places[at];
        let row = sorted.rows[at] as usize;
        let (number, size) = (at as u64 - u64::from(place.start), u64::from(place.end - place.start));
        let rank = u64::from(place.ties_start - place.start);
        Ok(match &call.function {
            F::RowNumber => Value::Int(number as i64 + 1),
            F::Rank => Value::UInt(rank + 1),
            F::DenseRank => Value::UInt(u64::from(place.ties_before) + 1),
            F::PercentRank if size == 1 => Value::Double(0.0),
            F::PercentRank => Value::Double(rank as f64 / (size - 1) as f64),
            F::Ntile(_) => match self.bound.args[0].value(row) {
                Value::Int(buckets) if buckets > 0 => Value::Double(bucket(number, size, buckets as u64) as f64),
                _ => return Err(SqlError::general("Invalid argument to NTILE")),
            },
            F::FirstValue(_) | F::LastValue(_) => {
                let (start, end) = self.bound.frames.at(sorted, at);
                let first = matches!(call.function, F::FirstValue(_));
                let picked = if first { start } else { end.wrapping_sub(1) };
                match start < end {
                    true => self.bound.args[0].value(sorted.rows[picked as usize] as usize).into_owned(),
                    false => Value::Null,
                }
            }
            F::Lag { .. } | F::Lead { .. } => {
                let offset = match self.bound.args[1].value(row) {
                    Value::Int(offset) if offset >= 0 => offset,
                    other => {
                        let found = value::to_text(&other, &value::SqlType::LONGTEXT).unwrap_or_default();
                        let found = String::from_utf8_lossy(&found);
                        let text = format!("offset must be a non-negative integer; found: {found}");
                        return Err(SqlError::general(text));
                    }
                };
                let step = if matches!(call.function, F::Lag { .. }) { offset.checked_neg() } else { Some(offset) };
                let other = step.and_then(|step| (at as i64).checked_add(step));
                match other.filter(|other| (i64::from(place.start)..i64::from(place.end)).contains(other)) {
                    Some(other) => self.bound.args[0].value(sorted.rows[other as usize] as usize).into_owned(),
                    None => self.bound.args.get(2).map_or(Value::Null, |default| default.value(row).into_owned()),
                }
            }
            F::Aggregate(aggregate) if is_sum(aggregate) => {
                let (start, end) = self.bound.frames.at(sorted, at);
                self.bound.sum(start, end, place, aggregate.function.role == Role::Average)
            }
            F::Aggregate(aggregate) => {
                let frame = self.bound.frames.at(sorted, at);
                self.aggregate(aggregate, sorted, frame, context)?
            }
        })
    }

    /// The aggregate of a frame. Where the frame has only grown since the last one, only its new rows are added.
    fn aggregate(
        &mut self,
        aggregate: &AggregateCall,
        sorted: &Sorted,
        (start, end): (u32, u32),
        context: &Context,
    ) -> Result<Value<'static>> {
        let known = self.accumulated.take().filter(|_| is_free_of_order(aggregate));
        let known =
            known.filter(|known| start <= known.frame.0 && known.frame.1 <= end && known.frame.0 < known.frame.1);
        let (mut accumulated, fresh) = match known {
            Some(known) => {
                let fresh = [(start, known.frame.0), (known.frame.1, end)];
                (known, fresh)
            }
            None => {
                let mut accumulator = (aggregate.function.accumulator)(aggregate);
                accumulator.resize(1);
                let frame = (start, end);
                (Accumulated { accumulator, seen: Seen::of(aggregate), frame }, [frame, (end, end)])
            }
        };
        for (from, to) in fresh.into_iter().filter(|(from, to)| from < to) {
            let rows = &sorted.rows[from as usize..to as usize];
            let gathered = |rows: &[u32], of: &[Rc<Vector>]| of.iter().map(|arg| Rc::new(arg.gather(rows))).collect();
            let mut args: Vec<_> = gathered(rows, &self.bound.args);
            let mut groups = vec![0; rows.len()];
            if let Some(seen) = &mut accumulated.seen {
                let (new, _) = seen.fresh(&groups, &args)?;
                groups.truncate(new.len());
                args = gathered(&new, &args);
            }
            accumulated.accumulator.update(&groups, &args, context)?;
            context.spend(rows.len());
        }
        let value = match accumulated.accumulator.value(0, context)? {
            // Here sums of decimals are doubles.
            Value::Decimal(sum) if aggregate.ty.sql == SqlType::Double => Value::Double(sum.to_f64()),
            value => value,
        };
        self.accumulated = Some(Accumulated { frame: (start, end), ..accumulated });
        Ok(value)
    }
}

impl Bound {
    fn of(call: &Call, order: &Order, sorted: &Sorted, rows: &Batch, context: &Context) -> Result<Bound> {
        use WindowFunction as F;
        let exprs: Vec<&Expr> = match &call.function {
            F::RowNumber | F::Rank | F::DenseRank | F::PercentRank => Vec::new(),
            F::Ntile(expr) | F::FirstValue(expr) | F::LastValue(expr) => vec![expr],
            F::Lag { value, offset, default } | F::Lead { value, offset, default } => {
                [value, offset].into_iter().chain(default).collect()
            }
            F::Aggregate(aggregate) => aggregate.args.iter().collect(),
        };
        let args: Vec<Rc<Vector>> = exprs.into_iter().map(|expr| expr.eval(rows, context)).collect::<Result<_>>()?;
        let adds = matches!(&call.function, F::Aggregate(aggregate) if is_sum(aggregate));
        let sums = if adds { sums(sorted, &args[0], context) } else { Vec::new() };
        let grows_backwards = matches!(&call.function, F::Aggregate(aggregate) if is_free_of_order(aggregate))
            && matches!(call.end, FrameBound::UnboundedFollowing)
            && !matches!(call.start, FrameBound::UnboundedPreceding);
        let frames = Frames::of(call, order, sorted, rows, context)?;
        Ok(Bound { args, frames, sums, backwards: grows_backwards })
    }

    /// As the reference: a sum of NULLs is 0 here, though not in groups, and their average is no number.
    fn sum(&self, start: u32, end: u32, place: Place, average: bool) -> Value<'static> {
        let upto = |position: u32| match position > place.start {
            true => self.sums[position as usize - 1],
            false => Before::default(),
        };
        let (first, last) = (upto(start), upto(end));
        let sum = last.sum - first.sum;
        match average {
            true => Value::Double(sum / f64::from(last.values - first.values)),
            false if start == end => Value::Null,
            false => Value::Double(sum),
        }
    }
}

/// The sum and the number of the values from the start of the partition to a position, that one with it.
#[derive(Clone, Copy, Default)]
struct Before {
    sum: f64,
    values: u32,
}

/// NULL counts as 0 in a sum.
fn sums(sorted: &Sorted, values: &Vector, context: &Context) -> Vec<Before> {
    let mut sums: Vec<Before> = Vec::with_capacity(sorted.rows.len());
    for (at, place) in sorted.places.iter().enumerate() {
        let mut before = if at as u32 == place.start { Before::default() } else { sums[at - 1] };
        let value = values.value(sorted.rows[at] as usize);
        if !value.is_null() {
            before.sum += context.to_double(&value);
            before.values += 1;
        }
        sums.push(before);
    }
    sums
}

fn is_sum(aggregate: &AggregateCall) -> bool {
    aggregate.function.adds() && !aggregate.distinct
}

fn is_free_of_order(aggregate: &AggregateCall) -> bool {
    aggregate.function.is(Traits::FREE_OF_ORDER)
}

/// The bucket, from 1, of row `number` of `size`: the first buckets take one row more where it does not come out even.
fn bucket(number: u64, size: u64, buckets: u64) -> u64 {
    let (rows, longer) = (size / buckets, size % buckets);
    if number < longer * (rows + 1) { number / (rows + 1) + 1 } else { (number - longer) / rows.max(1) + 1 }
}

#[cfg(test)]
mod tests {
    use super::bucket;

    #[test]
    fn buckets_differ_by_one_row_at_most() {
        let of = |size, buckets| (0..size).map(|number| bucket(number, size, buckets)).collect::<Vec<_>>();
        assert_eq!(of(7, 3), [1, 1, 1, 2, 2, 3, 3]);
        assert_eq!(of(2, 5), [1, 2]);
        assert_eq!(of(6, 3), [1, 1, 2, 2, 3, 3]);
    }
}
