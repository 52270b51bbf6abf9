//! Lateral join: the right side depends on the left row, as in index lookups and LATERAL.

use std::rc::Rc;

use super::runtime_filter::RuntimeFilter;
use crate::batch::Batch;
use crate::error::Result;
use crate::exec::filter::select;
use crate::exec::operator::{Operator, Poll, Source, pull};
use crate::exec::physical_plan::PhysicalPlan;
use crate::expr::{Context, Expr};
use crate::plan::{JoinKind, OuterSlot};
use crate::vector::Vector;

/// For each left row: binds its values, runs the right plan, joins what comes.
pub struct Lateral {
    pub kind: JoinKind,
    pub left: Source,
    pub left_columns: usize,
    pub right: PhysicalPlan,
    pub right_columns: usize,
    /// Slots of the right plan and the left columns that fill them.
    pub outer: Rc<[(OuterSlot, usize)]>,
    pub on: Rc<[Expr]>,
    pub state: Option<Row>,
}

/// The left row in work.
pub struct Row {
    batch: Batch,
    row: usize,
    right: Option<Source>,
    matched: bool,
}

impl Operator for Lateral {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            if context.is_out_of_fuel() {
                return Ok(Poll::Yield);
            }
            let Some(state) = &mut self.state else {
                let Some(batch) = pull!(self.left, context) else { return Ok(Poll::Done) };
                self.state = Some(Row { batch, row: 0, right: None, matched: false });
                continue;
            };
            if state.row >= state.batch.rows {
                self.state = None;
                continue;
            }
            let right = match &mut state.right {
                Some(right) => right,
                none => {
                    for &(slot, column) in self.outer.iter() {
                        context.bind_outer(slot, state.batch.value(column, state.row).into_owned());
                    }
                    state.matched = false;
                    none.insert(self.right.build(context)?)
                }
            };
            let found = pull!(right, context);
            context.spend(1);
            let left = |rows: usize| state.batch.gather(&vec![state.row as u32; rows]);
            match found {
                Some(found) => {
                    let pairs = select(left(found.rows).beside(&found), &self.on, context)?;
                    if pairs.rows == 0 {
                        continue;
                    }
                    state.matched = true;
                    match self.kind {
                        JoinKind::Semi => {
                            let row = left(1);
                            state.advance();
                            return Ok(Poll::Batch(row));
                        }
                        JoinKind::Anti => state.advance(),
                        _ => return Ok(Poll::Batch(pairs)),
                    }
                }
                None => {
                    let alone = !state.matched;
                    let row = left(1);
                    state.advance();
                    match self.kind {
                        JoinKind::Left if alone => {
                            let nulls = (0..self.right_columns).map(|_| Rc::new(Vector::nulls(1))).collect();
                            return Ok(Poll::Batch(row.beside(&Batch::new(1, nulls))));
                        }
                        JoinKind::Anti if alone => return Ok(Poll::Batch(row)),
                        _ => {}
                    }
                }
            }
        }
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        if let Some(filter) = filter.below(|column| (column < self.left_columns).then_some(column)) {
            self.left.push_runtime_filter(&filter);
        }
    }
}

impl Row {
    fn advance(&mut self) {
        self.row += 1;
        self.right = None;
    }
}
