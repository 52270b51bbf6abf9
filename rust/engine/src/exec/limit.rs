//! `LIMIT rows OFFSET skipped`.

use std::rc::Rc;

use value::Value;

use super::{Operator, Poll, Source};
use crate::error::{Result, SqlError};
use crate::expr::{Context, Expr};

pub struct Limit {
    /// Dropped when satisfied, and everything below with it.
    input: Option<Source>,
    rows: Option<Expr>,
    offset: Option<Expr>,
    /// Rows still to skip and to give, once the expressions are known.
    left: Option<(u64, u64)>,
}

impl Limit {
    pub fn new(input: Source, rows: Option<Expr>, offset: Option<Expr>) -> Limit {
        Limit { input: Some(input), rows, offset, left: None }
    }
}

/// A LIMIT or OFFSET as a number of rows.
pub fn row_number(expr: &Option<Expr>, otherwise: u64, context: &Context) -> Result<u64> {
    let Some(expr) = expr else { return Ok(otherwise) };
    match expr.eval_constant(context)? {
        Value::Int(n) if n >= 0 => Ok(n as u64),
        Value::UInt(n) => Ok(n),
        other => Err(SqlError::general(format!("LIMIT and OFFSET take whole numbers from 0, not {other:?}"))),
    }
}

impl Operator for Limit {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let (mut skip, give) = match self.left {
            Some(left) => left,
            None => (row_number(&self.offset, 0, context)?, row_number(&self.rows, u64::MAX, context)?),
        };
        loop {
            self.left = Some((skip, give));
            if give == 0 {
                self.input = None;
            }
            let Some(input) = &mut self.input else { return Ok(Poll::Done) };
            let batch = match input.next(context)? {
                Poll::Batch(batch) => batch,
                Poll::Yield => return Ok(Poll::Yield),
                Poll::Done => {
                    self.input = None;
                    return Ok(Poll::Done);
                }
            };
            let rows = batch.rows as u64;
            if skip >= rows {
                skip -= rows;
                continue;
            }
            let start = skip as usize;
            let taken = (rows - skip).min(give);
            self.left = Some((0, give - taken));
            if give == taken {
                self.input = None;
            }
            return Ok(Poll::Batch(if taken == rows { batch } else { batch.slice(start, taken as usize) }));
        }
    }
}
