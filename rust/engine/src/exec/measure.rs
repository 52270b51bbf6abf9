//! Operator metrics for EXPLAIN ANALYZE.

use std::cell::Cell;
use std::rc::Rc;

use hashbrown::HashMap;

use super::join::runtime_filter::RuntimeFilter;
use super::operator::{Operator, Poll, Source};
use crate::engine::Engine;
use crate::error::Result;
use crate::expr::Context;
use crate::plan::Plan;

/// What an operator did, its inputs included.
#[derive(Debug, Default)]
pub struct Measure {
    pub rows: Cell<u64>,
    /// How often it was started: more than once on the inner side of a lookup.
    pub starts: Cell<u64>,
    pub microseconds: Cell<i64>,
    /// Pages brought into memory.
    pub pages: Cell<u64>,
}

/// Measures by operator of a plan, which has to stay where it is as long as they are used.
#[derive(Debug, Default)]
pub struct Measures(HashMap<usize, Rc<Measure>>);

impl Measures {
    pub fn of(&self, plan: &Plan) -> Option<&Measure> {
        self.0.get(&std::ptr::from_ref(plan).addr()).map(|measure| &**measure)
    }

    pub(super) fn add(&mut self, plan: &Plan) -> Rc<Measure> {
        self.0.entry(std::ptr::from_ref(plan).addr()).or_default().clone()
    }
}

/// An operator with a meter.
pub(super) struct Measured {
    pub input: Source,
    pub measure: Rc<Measure>,
    pub engine: Rc<Engine>,
}

impl Measured {
    fn pages(&self) -> u64 {
        let counters = self.engine.counters();
        counters.iter().find(|(name, _)| *name == "region_faults").map_or(0, |(_, faults)| *faults)
    }
}

impl Operator for Measured {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let (began, pages) = (self.engine.host().now_microseconds(), self.pages());
        let poll = self.input.next(context)?;
        let (measure, took) = (&self.measure, self.engine.host().now_microseconds() - began);
        measure.microseconds.set(measure.microseconds.get() + took);
        measure.pages.set(measure.pages.get() + self.pages().saturating_sub(pages));
        if let Poll::Batch(batch) = &poll {
            measure.rows.set(measure.rows.get() + batch.rows as u64);
        }
        Ok(poll)
    }

    fn skip(&mut self, rows: u64) -> Result<u64> {
        self.input.skip(rows)
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        self.input.push_runtime_filter(filter);
    }
}
