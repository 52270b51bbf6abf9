//! Partitioned spill files, processed one partition after the other.

use std::rc::Rc;

use crate::error::Result;
use crate::exec::operator::{Poll, Source};
use crate::expr::Context;

/// Parts of the input of an operator, `F` being the files of one.
pub struct Parts<F> {
    waiting: Vec<F>,
    /// The operator over the part in work.
    begun: Option<Source>,
}

impl<F> Default for Parts<F> {
    fn default() -> Parts<F> {
        Parts::new(Vec::new())
    }
}

impl<F> Parts<F> {
    pub fn new(waiting: Vec<F>) -> Parts<F> {
        Parts { waiting, begun: None }
    }

    /// The next rows of all parts. `begin` gives the operator over a part, or nothing for one that has no rows to give.
    pub fn next(&mut self, context: &Rc<Context>, begin: impl Fn(F) -> Result<Option<Source>>) -> Result<Poll> {
        loop {
            if let Some(part) = &mut self.begun {
                match part.next(context)? {
                    Poll::Done => self.begun = None,
                    other => return Ok(other),
                }
            }
            let Some(files) = self.waiting.pop() else { return Ok(Poll::Done) };
            self.begun = begin(files)?;
        }
    }
}
