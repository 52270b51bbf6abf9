//! Shared hash table: built on first use by one of several runs of a plan, and kept until the statement ends.

use std::cell::RefCell;
use std::rc::Rc;

use super::hash_table::{END, HashTable, HashTableBuild};
use crate::batch::Batch;
use crate::error::{Result, SqlError};
use crate::exec::batches::concat::concat;
use crate::exec::operator::{Poll, Source};
use crate::exec::physical_plan::PhysicalPlan;
use crate::expr::{Comparison, Context, Expr};

/// What the rows are found by.
pub struct Settings {
    /// Under this name the table is kept.
    pub name: Rc<str>,
    pub columns: usize,
    /// Over the columns of the rows.
    pub keys: Vec<Expr>,
    /// Of the outer row.
    pub values: Vec<Expr>,
    pub comparisons: Vec<Comparison>,
}

#[derive(Default)]
pub struct SharedHashTable {
    /// How often it was done without.
    pub runs: u64,
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
    Hashing(HashTableBuild),
    Full(Rc<HashTable>),
    /// More than memory has room for.
    TooLarge,
}

/// How an outer row is answered.
pub enum Next {
    /// Without the table.
    Run,
    Wait,
    Look(Rc<HashTable>),
}

impl SharedHashTable {
    pub fn of(name: &Rc<str>, context: &Context) -> Result<Rc<RefCell<SharedHashTable>>> {
        if let Some(kept) = context.kept(name) {
            return kept.downcast().map_err(|_| SqlError::internal("rows of another kind"));
        }
        let kept = Rc::<RefCell<SharedHashTable>>::default();
        context.keep(name.clone(), kept.clone());
        Ok(kept)
    }

    /// The table as far as the fuel goes; `rows` gives what is in it.
    pub fn fill(&mut self, rows: &PhysicalPlan, settings: &Settings, context: &Rc<Context>) -> Result<Next> {
        if let Table::None = self.table {
            self.table = Table::Filling { source: rows.build(context)?, batches: Vec::new(), bytes: 0 };
        }
        let bytes_max = HashTable::rows_bytes_max(context);
        loop {
            self.table = match &mut self.table {
                Table::Filling { source, batches, bytes } => match source.next(context)? {
                    Poll::Yield => return Ok(Next::Wait),
                    Poll::Batch(batch) => {
                        *bytes += batch.memory_bytes();
                        // Text of many batches would pin the nodes that contain it.
                        batches.push(if *bytes > bytes_max / 8 { batch.detached() } else { batch });
                        if *bytes <= bytes_max {
                            continue;
                        }
                        Table::TooLarge
                    }
                    Poll::Done => {
                        let rows = concat(&std::mem::take(batches), settings.columns);
                        Table::Hashing(HashTableBuild::new(rows, &settings.keys, &settings.comparisons))
                    }
                },
                Table::Hashing(build) => match build.go_on(&settings.comparisons, context)? {
                    None => return Ok(Next::Wait),
                    Some(table) => Table::Full(Rc::new(table)),
                },
                Table::Full(table) => return Ok(Next::Look(table.clone())),
                Table::TooLarge | Table::None => return Ok(Next::Run),
            };
        }
    }
}

impl Settings {
    /// For each row of a batch the first row of the table that it asks for, or [`END`].
    pub fn heads(&self, table: &HashTable, around: &Batch, context: &Context) -> Result<Vec<u32>> {
        if table.rows.rows == 0 {
            return Ok(vec![END; around.rows]);
        }
        table.heads_of(around, &self.values, &self.comparisons, context)
    }
}
