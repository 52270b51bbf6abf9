//! `varve_verify`: verifies a database. Its rows are arrays of JSON, which `web/src/client/versions/verify.ts` reads: progress, problems,
//! counts.

use std::collections::VecDeque;
use std::rc::Rc;

use value::Value;
use value::json::quote;
use vcs::{Flaw, Problem, Verification};

use crate::batch::Batch;
use crate::cursor::{Cursor, Procedure, ProcedureStep, batches};
use crate::engine::Attached;
use crate::error::{Result, SqlError};
use crate::procedures::call::{Call, text_column};
use crate::procedures::entry::{Entry, Work};

pub const ENTRIES: &[Entry] = &[Entry::of(
    "varve_verify",
    Work::Cursor(|call, context| Ok(Cursor::of_procedure(Box::new(Verifying::new(&call)?), context))),
)];

/// As for a collection of garbage.
const PART_CHUNKS: usize = 64;
const PART_ROWS: i64 = 64 * 32;

/// A running verification. It writes nothing, and does not block writers.
pub struct Verifying {
    attached: Rc<Attached>,
    verification: Verification,
    /// Of all chunks, hundredths that were told; none before the columns were.
    told: Option<u64>,
    batches: VecDeque<Batch>,
    is_done: bool,
}

impl Verifying {
    /// Of the database that is named. No name in it is looked at before: it may be broken.
    pub fn new(call: &Call) -> Result<Verifying> {
        let name = call.arguments.first().map_or("", String::as_str);
        let attached = call.context.catalog.engine.database(name);
        let attached = attached.ok_or_else(|| SqlError::database_not_found(name))?;
        let (verification, batches) = Default::default();
        Ok(Verifying { attached, verification, told: None, batches, is_done: false })
    }

    /// All that was found.
    fn lines(&self) -> Vec<Vec<Value<'static>>> {
        let Verification { problems, counts, .. } = &self.verification;
        let mut lines: Vec<_> = problems.iter().map(problem_line).collect();
        let named = [
            ("problems", counts.problems),
            ("refs", counts.refs),
            ("commits", counts.commits),
            ("reachable_commits", counts.reachable_commits),
            ("reachable_chunks", counts.reachable_chunks),
            ("elsewhere", counts.elsewhere),
        ];
        lines.extend(named.map(|(name, count)| count_line(name, count, counts.problems)));
        let kinds = counts.kinds.iter();
        lines.extend(kinds.map(|(id, count)| count_line(&String::from_utf8_lossy(id), *count, counts.problems)));
        lines
    }
}

impl Procedure for Verifying {
    fn next(&mut self, mut fuel: i64) -> Result<ProcedureStep> {
        let Some(told) = self.told else {
            self.told = Some(0);
            return Ok(ProcedureStep::Result(Rc::new([text_column("report")])));
        };
        loop {
            if let Some(batch) = self.batches.pop_front() {
                return Ok(ProcedureStep::Batch(batch));
            }
            if self.is_done {
                return Ok(ProcedureStep::Done(None));
            }
            if fuel <= 0 {
                return Ok(ProcedureStep::Yield);
            }
            fuel -= PART_ROWS;
            let scanned = match self.attached.database.verify(&mut self.verification, PART_CHUNKS) {
                Err(error) if error.is_wait() => return Ok(ProcedureStep::Wait),
                scanned => scanned?,
            };
            self.is_done = scanned.is_done;
            let hundredths = (scanned.chunks * 100).checked_div(scanned.chunks_total).unwrap_or_default();
            let mut lines = Vec::new();
            if hundredths > told {
                self.told = Some(hundredths);
                lines.push(count_line("scanned", scanned.chunks, scanned.chunks_total));
            }
            if self.is_done {
                lines.extend(self.lines());
            }
            self.batches = batches(1, lines);
        }
    }
}

/// `[what, count, of]`
pub fn count_line(what: &str, count: u64, of: u64) -> Vec<Value<'static>> {
    line(&[Some(what), Some(&count.to_string()), Some(&of.to_string())])
}

/// `[null, flaw, address, file, offset, owner, table, message]`
fn problem_line(problem: &Problem) -> Vec<Value<'static>> {
    let flaw = match problem.flaw {
        Flaw::Damaged => "damaged",
        Flaw::Missing => "missing",
        Flaw::Malformed => "malformed",
        Flaw::Unreadable => "unreadable",
    };
    let (address, at_bytes) = (problem.address.map(|it| it.to_string()), problem.at_bytes.map(|it| it.to_string()));
    let owner = problem.needed_by.as_deref();
    line(&[
        None,
        Some(flaw),
        address.as_deref(),
        problem.file.as_deref(),
        at_bytes.as_deref(),
        owner.map(|owner| &*owner.name),
        owner.and_then(|owner| owner.table.as_deref()),
        Some(&problem.message),
    ])
}

fn line(fields: &[Option<&str>]) -> Vec<Value<'static>> {
    let mut line = String::new();
    for field in fields {
        line.push(if line.is_empty() { '[' } else { ',' });
        match field {
            Some(text) => line.push_str(&quote(text)),
            None => line.push_str("null"),
        }
    }
    line.push(']');
    vec![Value::text(line)]
}
