//! `varve_prefetch`: reads ahead what later statements will need of a database on a network. Its rows are arrays of JSON, which
//! `web/src/client/prefetch.ts` reads: chunks read, and chunks known so far.

use std::rc::Rc;

use vcs::{Objects, Prefetch};

use crate::cursor::{Cursor, Procedure, ProcedureStep, batches};
use crate::error::{Result, SqlError};
use crate::procedures::call::{Call, find_table, text_column};
use crate::procedures::entry::{Entry, Work};
use crate::procedures::maintenance::fsck::count_line;

pub const ENTRIES: &[Entry] = &[Entry::of(
    "varve_prefetch",
    Work::Cursor(|call, context| Ok(Cursor::of_procedure(Box::new(Prefetching::new(&call)?), context))),
)];

/// Chunks that are read together: a megabyte or two.
const PART_CHUNKS: usize = 512;

pub struct Prefetching {
    objects: Rc<Objects>,
    prefetch: Prefetch,
    has_columns: bool,
}

impl Prefetching {
    /// The arguments are a revision (by default the current one), `history` or nothing, and the tables (by default all of them).
    pub fn new(call: &Call) -> Result<Prefetching> {
        let (place, mut prefetch) = (call.place()?, Prefetch::default());
        let objects = place.refs.objects().clone();
        let argument = |number: usize| call.arguments.get(number).map_or("", String::as_str);
        let tables = call.arguments.get(2..).unwrap_or_default();
        let commit = place.refs.commit(if argument(0).is_empty() { "HEAD" } else { argument(0) }, &place.head)?;
        if tables.is_empty() && argument(1) == "history" {
            prefetch.add([commit.address]);
            return Ok(Prefetching { objects, prefetch, has_columns: false });
        }
        let mut roots = vec![commit.root];
        // What is not committed is what statements read.
        if argument(0).is_empty()
            && let Ok(state) = call.state()
        {
            roots.insert(0, state.working()?.address());
        }
        if argument(1) == "history" {
            for commit in objects.log(&[commit.address], &[])? {
                roots.push(commit?.root);
            }
        }
        let mut missing: Vec<&String> = tables.iter().collect();
        for root in roots {
            if tables.is_empty() {
                prefetch.add([root]);
                continue;
            }
            let root = objects.root_value(&root)?;
            let mut found = Vec::new();
            for table in tables {
                if let Some(name) = find_table(table, &[&root])? {
                    found.extend(root.table_address(&name)?);
                    missing.retain(|missing| *missing != table);
                }
            }
            prefetch.add(found);
        }
        match missing.first() {
            Some(table) => Err(SqlError::table_not_found(table)),
            None => Ok(Prefetching { objects, prefetch, has_columns: false }),
        }
    }
}

impl Procedure for Prefetching {
    fn next(&mut self, fuel: i64) -> Result<ProcedureStep> {
        if !self.has_columns {
            self.has_columns = true;
            return Ok(ProcedureStep::Result(Rc::new([text_column("report")])));
        }
        if self.prefetch.left() == 0 {
            return Ok(ProcedureStep::Done(None));
        }
        if fuel <= 0 {
            return Ok(ProcedureStep::Yield);
        }
        self.prefetch.step(&self.objects, PART_CHUNKS)?;
        let read = self.prefetch.chunks;
        let lines = vec![count_line("read", read, read + self.prefetch.left())];
        Ok(batches(1, lines).pop_front().map_or(ProcedureStep::Yield, ProcedureStep::Batch))
    }
}
