//! Window frames: which rows of its partition a call covers for a row.

use std::cmp::Ordering;
use std::rc::Rc;

use value::Value;

use super::sorted::Sorted;
use super::{Call, Order};
use crate::batch::Batch;
use crate::error::{Result, SqlError};
use crate::expr::{Comparison, Context};
use crate::plan::{FrameBound, FrameUnit};
use crate::vector::Vector;

/// The frames of a call.
pub(super) struct Frames {
    start: Edge,
    end: Edge,
    /// The frame of each position, for frames of RANGE.
    ranges: Vec<(u32, u32)>,
}

/// A bound of a frame.
enum Edge {
    Partition,
    /// Rows before (negative) or behind.
    Rows(i64),
    /// The furthest key, for each row.
    Key(Rc<Vector>, Comparison),
}

impl Frames {
    pub fn of(call: &Call, order: &Order, sorted: &Sorted, rows: &Batch, context: &Context) -> Result<Frames> {
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
        Ok(Frames { start, end, ranges })
    }

    /// First position of the frame and the one behind its last; equal for a frame without rows.
    pub fn at(&self, sorted: &Sorted, at: usize) -> (u32, u32) {
        if let Some(range) = self.ranges.get(at) {
            return (range.0, range.1.max(range.0));
        }
        let place = sorted.places[at];
        let (low, high) = (i64::from(place.start), i64::from(place.end));
        let position = |step: i64| (at as i64).saturating_add(step).clamp(low, high) as u32;
        let start = match &self.start {
            Edge::Rows(step) => position(*step),
            Edge::Partition | Edge::Key(..) => place.start,
        };
        let end = match &self.end {
            Edge::Rows(step) => position(step.saturating_add(1)),
            Edge::Partition | Edge::Key(..) => place.end,
        };
        (start, end.max(start))
    }
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
