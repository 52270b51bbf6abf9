//! LIMIT and OFFSET.

use std::rc::Rc;

use value::{SqlType, Value};

use crate::error::{Result, SqlError};
use crate::exec::operator::{Operator, Poll, Source};
use crate::expr::{Context, Expr};

pub struct Limit {
    /// Dropped when satisfied, and everything below with it.
    input: Option<Source>,
    rows: Option<Expr>,
    offset: Option<Expr>,
    /// Rows still to skip and to give, once the expressions are known.
    left: Option<(u64, u64)>,
    count: Option<Count>,
}

/// The rows that there were without the LIMIT.
struct Count {
    counts_skipped: bool,
    rows: u64,
}

impl Limit {
    pub fn new(input: Source, rows: Option<Expr>, offset: Option<Expr>) -> Limit {
        Limit { input: Some(input), rows, offset, left: None, count: None }
    }

    /// Reads all rows and tells the session how many there were, with those of the OFFSET or without.
    pub fn counting_all(mut self, counts_skipped: bool) -> Limit {
        self.count = Some(Count { counts_skipped, rows: 0 });
        self
    }

    fn end(&mut self, context: &Context) -> Poll {
        self.input = None;
        if let Some(count) = self.count.take() {
            context.session.calculated_rows.set(Some(count.rows));
        }
        Poll::Done
    }
}

/// A LIMIT or OFFSET as a number of rows.
pub fn row_number(expr: &Option<Expr>, otherwise: u64, context: &Context) -> Result<u64> {
    let Some(expr) = expr else { return Ok(otherwise) };
    let number = match expr.eval_constant(context)? {
        // Clients send numbers as text, too.
        Value::Bytes(bytes) => context.cast(&Value::Bytes(bytes), &SqlType::BIGINT)?,
        other @ (Value::Text(_) | Value::Decimal(_) | Value::Double(_)) => {
            let text = value::convert::to_string(&other)?.into_owned();
            context.cast(&Value::text(text), &SqlType::Decimal { precision: 20, scale: 0 })?
        }
        other => other,
    };
    match number {
        Value::Int(n) if n >= 0 => Ok(n as u64),
        Value::UInt(n) => Ok(n),
        Value::Decimal(n) if !n.is_negative() => Ok(n.to_u64().unwrap_or(u64::MAX)),
        Value::Int(_) | Value::Decimal(_) => Err(SqlError::general("Invalid syntax: negative limit")),
        _ => Err(SqlError::general("LIMIT and OFFSET take whole numbers from 0")),
    }
}

impl Operator for Limit {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        let (mut skip, mut give) = match self.left {
            Some(left) => left,
            None => {
                let mut skip = row_number(&self.offset, 0, context)?;
                if let (None, Some(input), 1..) = (&self.count, &mut self.input, skip) {
                    skip -= input.skip(skip)?;
                }
                (skip, row_number(&self.rows, u64::MAX, context)?)
            }
        };
        loop {
            self.left = Some((skip, give));
            if give == 0 && self.count.is_none() {
                self.input = None;
            }
            let Some(input) = &mut self.input else { return Ok(Poll::Done) };
            let batch = match input.next(context)? {
                Poll::Batch(batch) => batch,
                Poll::Yield => return Ok(Poll::Yield),
                Poll::Done => return Ok(self.end(context)),
            };
            let rows = batch.rows as u64;
            if let Some(count) = &mut self.count {
                count.rows += if count.counts_skipped { rows } else { rows.saturating_sub(skip) };
            }
            if skip >= rows {
                skip -= rows;
                continue;
            }
            let start = skip as usize;
            let taken = (rows - skip).min(give);
            (skip, give) = (0, give - taken);
            self.left = Some((skip, give));
            if taken == 0 {
                continue;
            }
            if give == 0 && self.count.is_none() {
                self.input = None;
            }
            return Ok(Poll::Batch(if taken == rows { batch } else { batch.slice(start, taken as usize) }));
        }
    }
}
