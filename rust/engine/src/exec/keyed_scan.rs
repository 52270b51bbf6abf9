//! Rows of a table that are asked for again and again, by values of the row around and without an index that has them.

use std::cell::RefCell;
use std::rc::Rc;

use super::build::Template;
use super::concat::concat;
use super::hash_table::{END, HashTable};
use super::{Operator, Poll, Source, pull};
use crate::batch::{BATCH_ROWS, Batch};
use crate::error::{Result, SqlError};
use crate::expr::{Comparison, Context, Expr};

/// So often the rows are read and filtered: a table takes as long as a few of these.
const SCANS: usize = 3;

pub struct KeyedScan {
    pub settings: Rc<Settings>,
    /// The rows that are asked for, filtered.
    pub asked: Template,
    /// Those that may be asked for.
    pub all: Template,
    pub state: State,
}

pub struct Settings {
    pub name: Rc<str>,
    pub columns: usize,
    /// Over the columns of the rows.
    pub keys: Vec<Expr>,
    /// Of the row around.
    pub values: Vec<Expr>,
    pub comparisons: Vec<Comparison>,
}

#[derive(Default)]
pub enum State {
    #[default]
    New,
    Scanning(Source),
    /// Waits for the table.
    Asking(Rc<RefCell<Kept>>),
    /// The row of the table to be given next.
    Found(Rc<HashTable>, u32),
}

/// What is kept from one time to the next.
#[derive(Default)]
pub struct Kept {
    scans: usize,
    table: Table,
}

#[derive(Default)]
enum Table {
    #[default]
    None,
    Filling {
        source: Source,
        batches: Vec<Batch>,
        bytes: usize,
    },
    Full(Rc<HashTable>),
    /// More than memory has room for: they are read each time.
    TooLarge,
}

/// What there is to be done for one more row around.
enum Next {
    Scan,
    Wait,
    Look(Rc<HashTable>),
}

impl Kept {
    /// The table as far as the fuel goes.
    fn fill(&mut self, all: &Template, settings: &Settings, context: &Rc<Context>) -> Result<Next> {
        if let Table::None = self.table {
            self.table = Table::Filling { source: all.build(context)?, batches: Vec::new(), bytes: 0 };
        }
        let bytes_max = HashTable::rows_bytes_max(context);
        while let Table::Filling { source, batches, bytes } = &mut self.table {
            match source.next(context)? {
                Poll::Yield => return Ok(Next::Wait),
                Poll::Batch(batch) => {
                    *bytes += batch.memory_bytes();
                    // Text of many batches would keep the nodes that it lies in.
                    batches.push(if *bytes > bytes_max / 8 { batch.detached() } else { batch });
                    if *bytes > bytes_max {
                        self.table = Table::TooLarge;
                    }
                }
                Poll::Done => {
                    let rows = concat(&std::mem::take(batches), settings.columns);
                    let table = HashTable::of(rows, &settings.keys, &settings.comparisons, context)?;
                    self.table = Table::Full(Rc::new(table));
                }
            }
        }
        Ok(match &self.table {
            Table::Full(table) => Next::Look(table.clone()),
            _ => Next::Scan,
        })
    }
}

impl KeyedScan {
    fn kept(&self, context: &Context) -> Result<Rc<RefCell<Kept>>> {
        if let Some(kept) = context.kept(&self.settings.name) {
            return kept.downcast().map_err(|_| SqlError::internal("rows of another kind"));
        }
        let kept = Rc::<RefCell<Kept>>::default();
        context.keep(self.settings.name.clone(), kept.clone());
        Ok(kept)
    }

    /// How one more row around is answered.
    fn begin(&self, context: &Rc<Context>) -> Result<State> {
        let kept = self.kept(context)?;
        let scans = kept.borrow().scans;
        if scans < SCANS {
            kept.borrow_mut().scans += 1;
            return Ok(State::Scanning(self.asked.build(context)?));
        }
        Ok(State::Asking(kept))
    }

    /// The first row that is asked for.
    fn look(&self, table: Rc<HashTable>, context: &Context) -> Result<State> {
        if table.rows.rows == 0 {
            return Ok(State::Found(table, END));
        }
        let Settings { values, comparisons, .. } = &*self.settings;
        let around = Batch::new(1, Vec::new());
        let head = table.heads_of(&around, values, comparisons, context)?[0];
        Ok(State::Found(table, head))
    }
}

impl Operator for KeyedScan {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            self.state = match &mut self.state {
                State::New => self.begin(context)?,
                State::Scanning(source) => {
                    return Ok(match pull!(source, context) {
                        Some(batch) => Poll::Batch(batch),
                        None => Poll::Done,
                    });
                }
                State::Asking(kept) => {
                    let next = kept.borrow_mut().fill(&self.all, &self.settings, context)?;
                    match next {
                        Next::Wait => return Ok(Poll::Yield),
                        Next::Scan => State::Scanning(self.asked.build(context)?),
                        Next::Look(table) => self.look(table, context)?,
                    }
                }
                State::Found(table, next) => {
                    let mut rows = Vec::new();
                    while *next != END && rows.len() < BATCH_ROWS {
                        rows.push(*next);
                        *next = table.next(*next);
                    }
                    context.spend(rows.len());
                    return Ok(if rows.is_empty() { Poll::Done } else { Poll::Batch(table.rows.gather(&rows)) });
                }
            };
        }
    }
}
