//! Window functions: all rows are collected, sorted once for each different window, and every call gives each row a value
//! from the rows of its partition or of its frame. Rows that are too many for memory are sorted in temporary files, and
//! partitions taken one after the other ([`parts`]).

mod parts;

use std::cmp::Ordering;
use std::rc::Rc;

use value::{SqlType, Value};

use super::concat::concat;
use super::order::{Key, compare_rows, sorted_rows};
use super::seen::Seen;
use super::set_operation::Both;
use super::values::{Batches, Empty};
use super::{Operator, Poll, Source, pull};
use crate::batch::{BATCH_ROWS, Batch};
use crate::error::{Result, SqlError};
use crate::expr::{AggregateCall, Comparison, Context, Expr};
use crate::functions::aggregate::Accumulator;
use crate::plan::{FrameBound, FrameUnit, WindowFunction};
use crate::vector::{Vector, VectorBuilder};

/// One call over positions of the input.
#[derive(Clone)]
pub struct Call {
    pub function: WindowFunction,
    /// Which of [`Settings::orders`].
    pub order: usize,
    pub unit: FrameUnit,
    pub start: FrameBound,
    pub end: FrameBound,
}

/// PARTITION BY and ORDER BY.
#[derive(Clone)]
pub struct Order {
    /// Keys of both, the partition's first.
    pub keys: Rc<[Key]>,
    pub partition_keys: usize,
}

pub struct Settings {
    pub calls: Vec<Call>,
    pub orders: Vec<Order>,
    pub columns: usize,
}

pub struct Window {
    input: Source,
    settings: Rc<Settings>,
    collected: Vec<Batch>,
    collected_bytes: usize,
    /// Rows of whole partitions, which are not split any further.
    is_part: bool,
    parts: Option<Source>,
    rows: Option<Batch>,
    sorted: Vec<Sorted>,
    running: Option<Running>,
    finished: Vec<Rc<Vector>>,
    given: usize,
}

/// The rows in the order of one window.
struct Sorted {
    rows: Vec<u32>,
    /// For each position: the first of its partition, the one behind its partition, the same of the rows that tie with
    /// it, and how many groups of ties are before it in the partition.
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
struct Place {
    start: u32,
    end: u32,
    ties_start: u32,
    ties_end: u32,
    ties_before: u32,
}

/// The call in work.
struct Running {
    bound: Bound,
    /// How many positions are done.
    done: usize,
    /// The value of each row of the input.
    values: Vec<Value<'static>>,
    accumulated: Option<Accumulated>,
}

/// A call with everything evaluated that does not depend on the frame.
struct Bound {
    args: Vec<Rc<Vector>>,
    start: Edge,
    end: Edge,
    /// The frame of each position, for frames of RANGE.
    ranges: Vec<(u32, u32)>,
    /// For SUM and AVG: what is before each position of its partition.
    sums: Vec<Before>,
    /// Positions are taken from the last to the first, so that frames grow.
    backwards: bool,
}

/// A bound of a frame.
enum Edge {
    Partition,
    /// Rows before (negative) or behind.
    Rows(i64),
    /// The furthest key, for each row.
    Key(Rc<Vector>, Comparison),
}

struct Accumulated {
    accumulator: Box<dyn Accumulator>,
    /// Of a call with DISTINCT.
    seen: Option<Seen>,
    frame: (u32, u32),
}

impl Window {
    pub fn new(input: Source, settings: Rc<Settings>) -> Window {
        Window {
            input,
            settings,
            collected: Vec::new(),
            collected_bytes: 0,
            is_part: false,
            parts: None,
            rows: None,
            sorted: Vec::new(),
            running: None,
            finished: Vec::new(),
            given: 0,
        }
    }

    /// Over whole partitions, which stay in memory.
    pub fn of_part(collected: Vec<Batch>, settings: Rc<Settings>) -> Window {
        Window { collected, is_part: true, ..Window::new(Box::new(Empty), settings) }
    }

    /// Takes in a batch, and all that follows by parts if it is too much.
    fn collect(&mut self, batch: Batch, context: &Context) {
        // Places, values and the rows in one piece take as much again, and more.
        let bytes_max = context.session.host.operator_bytes() / 3;
        self.collected_bytes += batch.memory_bytes();
        // Text of many batches would keep the nodes that it lies in.
        let is_much = self.collected_bytes > bytes_max / 8;
        self.collected.push(if is_much { batch.detached() } else { batch });
        if self.collected_bytes > bytes_max && !self.is_part {
            let (collected, input) =
                (std::mem::take(&mut self.collected), std::mem::replace(&mut self.input, Box::new(Empty)));
            let rest = Box::new(Both::new(Box::new(Batches::new(collected)), input));
            self.parts = Some(parts::chain(rest, &self.settings));
        }
    }

    /// Works on the call in hand; `false` is a yield.
    fn work(&mut self, context: &Context) -> Result<bool> {
        let Some(rows) = &self.rows else { return Ok(true) };
        let settings = self.settings.clone();
        while let Some(call) = settings.calls.get(self.finished.len()) {
            let sorted = &self.sorted[call.order];
            if self.running.is_none() {
                self.running = Some(Running {
                    bound: Bound::of(call, &settings.orders[call.order], sorted, rows, context)?,
                    done: 0,
                    values: vec![Value::Null; rows.rows],
                    accumulated: None,
                });
            }
            let Some(running) = &mut self.running else { continue };
            while running.done < rows.rows {
                if context.is_out_of_fuel() {
                    return Ok(false);
                }
                context.spend(1);
                let at = if running.bound.backwards { rows.rows - 1 - running.done } else { running.done };
                running.values[sorted.rows[at] as usize] = running.value(call, sorted, at, context)?;
                running.done += 1;
            }
            let mut column = VectorBuilder::with_capacity(rows.rows);
            running.values.drain(..).for_each(|value| column.push(value));
            self.finished.push(Rc::new(column.finish()));
            self.running = None;
        }
        Ok(true)
    }

    fn sort(&mut self, context: &Context) -> Result<()> {
        let rows = concat(&std::mem::take(&mut self.collected), self.settings.columns);
        for order in &self.settings.orders {
            self.sorted.push(Sorted::of(order, &rows, context)?);
        }
        self.rows = Some(rows);
        Ok(())
    }
}

impl Sorted {
    fn of(order: &Order, batch: &Batch, context: &Context) -> Result<Sorted> {
        let rows = sorted_rows(batch, &order.keys, context)?;
        let columns: Vec<Rc<Vector>> =
            order.keys.iter().map(|key| key.expr.eval(batch, context)).collect::<Result<_>>()?;
        let partition = order.partition_keys;
        let same = |a: u32, b: u32, keys: std::ops::Range<usize>| {
            compare_rows(&columns[keys.clone()], a as usize, &columns[keys.clone()], b as usize, &order.keys[keys])
                .is_eq()
        };
        let mut places: Vec<Place> = Vec::with_capacity(rows.len());
        let (mut start, mut ties_start, mut ties_before) = (0, 0, 0);
        for (at, &row) in rows.iter().enumerate() {
            if at > 0 {
                let before = rows[at - 1];
                if !same(before, row, 0..partition) {
                    (start, ties_start, ties_before) = (at as u32, at as u32, 0);
                } else if !same(before, row, partition..columns.len()) {
                    (ties_start, ties_before) = (at as u32, ties_before + 1);
                }
            }
            places.push(Place { start, end: 0, ties_start, ties_end: 0, ties_before });
        }
        // From the back: where each partition and each group of ties ends.
        let (mut end, mut ties_end) = (rows.len() as u32, rows.len() as u32);
        for at in (0..places.len()).rev() {
            (places[at].end, places[at].ties_end) = (end, ties_end);
            if places[at].ties_start == at as u32 {
                ties_end = at as u32;
            }
            if places[at].start == at as u32 {
                end = at as u32;
            }
        }
        Ok(Sorted { rows, places })
    }
}

/// Aggregates whose answer does not depend on the order of the rows; more rows may be added after an answer.
const FREE_OF_ORDER: &[&str] = &[
    "count",
    "sum",
    "avg",
    "min",
    "max",
    "bit_and",
    "bit_or",
    "bit_xor",
    "std",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "variance",
    "var_pop",
    "var_samp",
];

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
        let key = match order.keys.get(order.partition_keys) {
            Some(key) => Some((key.expr.eval(rows, context)?, key.comparison)),
            None => None,
        };
        let start = Edge::of(&call.start, call.unit, &key, rows, context)?;
        let end = Edge::of(&call.end, call.unit, &key, rows, context)?;
        let ranges = match (call.unit, &key) {
            (FrameUnit::Range, Some((key, _))) => ranges(sorted, key, &start, &end),
            _ => Vec::new(),
        };
        let adds = matches!(&call.function, F::Aggregate(aggregate) if is_sum(aggregate));
        let sums = if adds { sums(sorted, &args[0], context) } else { Vec::new() };
        let grows_backwards = matches!(&call.function, F::Aggregate(aggregate) if is_free_of_order(aggregate))
            && matches!(call.end, FrameBound::UnboundedFollowing)
            && !matches!(call.start, FrameBound::UnboundedPreceding);
        Ok(Bound { args, start, end, ranges, sums, backwards: grows_backwards })
    }
}

fn is_sum(aggregate: &AggregateCall) -> bool {
    matches!(aggregate.function.name, "sum" | "avg") && !aggregate.distinct
}

fn is_free_of_order(aggregate: &AggregateCall) -> bool {
    FREE_OF_ORDER.contains(&aggregate.function.name)
}

impl Edge {
    fn of(
        bound: &FrameBound,
        unit: FrameUnit,
        key: &Option<(Rc<Vector>, Comparison)>,
        rows: &Batch,
        context: &Context,
    ) -> Result<Edge> {
        let (limit, sign) = match bound {
            FrameBound::UnboundedPreceding | FrameBound::UnboundedFollowing => return Ok(Edge::Partition),
            FrameBound::CurrentRow if unit == FrameUnit::Rows => return Ok(Edge::Rows(0)),
            // Without an order all rows tie.
            FrameBound::CurrentRow => {
                return Ok(key.as_ref().map_or(Edge::Partition, |(key, how)| Edge::Key(key.clone(), *how)));
            }
            FrameBound::Preceding(limit) => (limit, -1),
            FrameBound::Following(limit) => (limit, 1),
        };
        if unit == FrameUnit::Range {
            return Ok(Edge::Key(limit.eval(rows, context)?, Comparison::within(&limit.ty)));
        }
        let distance = match limit.eval_constant(context)? {
            Value::Int(distance) if distance >= 0 => distance,
            _ => {
                let text = "Window frame start or end is negative, NULL or of not integral type";
                return Err(SqlError::general(text));
            }
        };
        Ok(Edge::Rows(sign * distance))
    }
}

impl Running {
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
                let (start, end) = self.frame(sorted, at);
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
                let (start, end) = self.frame(sorted, at);
                self.bound.sum(start, end, place, aggregate.function.name == "avg")
            }
            F::Aggregate(aggregate) => {
                let frame = self.frame(sorted, at);
                self.aggregate(aggregate, sorted, frame, context)?
            }
        })
    }

    /// First position of the frame and the one behind its last; equal for a frame without rows.
    fn frame(&self, sorted: &Sorted, at: usize) -> (u32, u32) {
        if let Some(range) = self.bound.ranges.get(at) {
            return (range.0, range.1.max(range.0));
        }
        let place = sorted.places[at];
        let (low, high) = (i64::from(place.start), i64::from(place.end));
        let position = |step: i64| (at as i64).saturating_add(step).clamp(low, high) as u32;
        let start = match &self.bound.start {
            Edge::Rows(step) => position(*step),
            Edge::Partition | Edge::Key(..) => place.start,
        };
        let end = match &self.bound.end {
            Edge::Rows(step) => position(step.saturating_add(1)),
            Edge::Partition | Edge::Key(..) => place.end,
        };
        (start, end.max(start))
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

impl Bound {
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

/// Frames of RANGE as the reference finds them: by the first key of the order alone, and moving on from the frame before
/// while keys are below the limit. So in a descending order, and behind a NULL, a frame reaches to the end of the
/// partition.
fn ranges(sorted: &Sorted, key: &Vector, start: &Edge, end: &Edge) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::with_capacity(sorted.rows.len());
    for (at, place) in sorted.places.iter().enumerate() {
        let (from, to) = match at as u32 == place.start {
            true => (place.start, place.start),
            false => ranges[at - 1],
        };
        let boundary = |edge: &Edge, from: u32, inclusive: bool| match edge {
            Edge::Key(limits, comparison) => {
                let limit = limits.value(sorted.rows[at] as usize);
                let stops = |position: &u32| {
                    let order = against(&key.value(sorted.rows[*position as usize] as usize), &limit, comparison);
                    if inclusive { order.is_ge() } else { order.is_gt() }
                };
                (from..place.end).find(stops).unwrap_or(place.end)
            }
            _ => from,
        };
        let start = match start {
            Edge::Partition => place.start,
            edge => boundary(edge, from, true),
        };
        let end = match end {
            Edge::Partition => place.end,
            edge => boundary(edge, to.max(start), false),
        };
        ranges.push((start, end));
    }
    ranges
}

/// NULL is above every value here.
fn against(value: &Value<'_>, limit: &Value<'_>, comparison: &Comparison) -> Ordering {
    match (value.is_null(), limit.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => comparison.compare(value, limit).ok().flatten().unwrap_or(Ordering::Equal),
    }
}

/// The bucket, from 1, of row `number` of `size`: the first buckets take one row more where it does not come out even.
fn bucket(number: u64, size: u64, buckets: u64) -> u64 {
    let (rows, longer) = (size / buckets, size % buckets);
    if number < longer * (rows + 1) { number / (rows + 1) + 1 } else { (number - longer) / rows.max(1) + 1 }
}

impl Operator for Window {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        if self.rows.is_none() {
            while self.parts.is_none()
                && let Some(batch) = pull!(self.input, context)
            {
                self.collect(batch, context);
            }
            if let Some(parts) = &mut self.parts {
                return parts.next(context);
            }
            self.sort(context)?;
        }
        if !self.work(context)? {
            return Ok(Poll::Yield);
        }
        let Some(rows) = &self.rows else { return Ok(Poll::Done) };
        let picked = self.given..(self.given + BATCH_ROWS).min(rows.rows);
        if picked.is_empty() {
            return Ok(Poll::Done);
        }
        self.given = picked.end;
        // Rows come in the order of the window where there is just one.
        let numbers: Vec<u32> = match &self.sorted[..] {
            [only] => only.rows[picked].to_vec(),
            _ => picked.map(|row| row as u32).collect(),
        };
        context.spend(numbers.len());
        let all = rows.beside(&Batch::new(rows.rows, self.finished.clone()));
        Ok(Poll::Batch(all.gather(&numbers)))
    }
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
