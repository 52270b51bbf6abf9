//! `varve_complete`: fetches what a lazy clone still lacks, which ends its laziness. `varve_lazy`: whether a database is a lazy clone.

use std::rc::Rc;

use value::Value;
use vcs::Remote;
use vcs::remote::Completion;

use super::exchange::{Absent, Exchange, Peer, STEP_CHUNKS};
use crate::engine::Attached;
use crate::error::{Result, SqlError};
use crate::procedures::call::{Answer, Call, number_column, text_column};
use crate::procedures::entry::Entry;

pub const ENTRIES: &[Entry] = &[Entry::exchange("varve_complete", complete), Entry::new("varve_lazy", lazy)];

struct Completing {
    attached: Rc<Attached>,
    peer: Peer,
    url: Box<str>,
    completion: Option<Completion>,
}

/// What lacks nothing.
struct Complete;

/// The database that is meant: the one that is named, or the current one.
fn meant(call: &Call) -> Result<Rc<Attached>> {
    match call.arguments.first() {
        None => Ok(call.place()?.attached),
        Some(name) => {
            let named = call.context.catalog.engine.database(name);
            named.ok_or_else(|| SqlError::database_not_found(name))
        }
    }
}

/// Of a lazy clone one row: its remote, and the bytes of the files there that it reads.
pub fn lazy(call: &Call) -> Result<Answer> {
    let lazy = meant(call)?.database.lazy();
    let row = lazy.map(|lazy| {
        let bytes: u64 = lazy.files.iter().map(|file| file.bytes).sum();
        vec![Value::text(lazy.url.to_string()), Value::Int(i64::try_from(bytes).unwrap_or(i64::MAX))]
    });
    let answer = Answer::new(vec![text_column("url"), number_column("remote_bytes")], Vec::new());
    Ok(Answer { rows: row.into_iter().collect(), ..answer })
}

pub fn complete(call: &Call) -> Result<Box<dyn Exchange>> {
    let attached = meant(call)?;
    let Some(lazy) = attached.database.lazy() else { return Ok(Box::new(Complete)) };
    if call.context.catalog.transaction.is_open() {
        return Err(SqlError::general("varve_complete is not possible while a transaction is open"));
    }
    crate::transaction::redo_recovery::take_over(&call.context.catalog, &attached, true)?;
    let peer = Peer::new(&Remote::new("", &lazy.url), lazy.user.as_deref(), Absent::IsEmpty);
    Ok(Box::new(Completing { attached, peer, url: (*lazy.url).into(), completion: None }))
}

impl Exchange for Complete {
    fn step(&mut self, _: &Call) -> Result<Option<Answer>> {
        Ok(Some(Answer::status(0)))
    }
}

impl Exchange for Completing {
    fn step(&mut self, call: &Call) -> Result<Option<Answer>> {
        let Completing { attached, url, .. } = self;
        let there = self
            .peer
            .open(call, |words| format!("{url}, which has what this lazy clone lacks, could not be opened: {words}"))?;
        let local = &attached.database;
        let completion = match &mut self.completion {
            Some(completion) => completion,
            none => {
                there.refresh()?;
                local.refresh()?;
                none.insert(Completion::begin(local))
            }
        };
        let copied = completion.step(local, there, STEP_CHUNKS)?;
        call.context.catalog.engine.note_copied(copied);
        Ok(copied.is_done.then(|| Answer::status(0)))
    }
}
