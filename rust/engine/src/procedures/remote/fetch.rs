//! `dolt_fetch`, and the first half of `dolt_pull`: remote-tracking branches follow those of a remote.

use std::rc::Rc;

use vcs::Remote;
use vcs::remote::{Fetch, FetchOptions, RefSpec};

use super::exchange::{Absent, Exchange, Peer, STEP_CHUNKS, prefixed};
use crate::engine::Attached;
use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call};
use crate::procedures::entry::Entry;

pub const ENTRIES: &[Entry] =
    &[Entry::exchange("dolt_fetch", fetch).help("dolt_fetch([remote])", "Fetches what a remote has", &[])];

const SYNTAX: Syntax = Syntax {
    command: "fetch",
    flags: &[("prune", "p"), ("silent", "")],
    values: &[("user", "")],
    positional_max: None,
    too_many: None,
};

/// A fetch while it runs.
pub struct Fetching {
    attached: Rc<Attached>,
    pub remote: Remote,
    pub peer: Peer,
    specs: Vec<RefSpec>,
    is_default: bool,
    prunes: bool,
    fetch: Option<Fetch>,
}

pub fn fetch(call: &Call) -> Result<Box<dyn Exchange>> {
    let attached = call.place()?.attached;
    let arguments = SYNTAX.parse(&call.arguments)?;
    let state = attached.database.state()?;
    let (name, specs) = arguments.first_and_rest();
    let remote = match name {
        _ if state.remotes.is_empty() => return Err(SqlError::general("no remote")),
        Some(name) => state.remote(name).ok_or_else(|| no_database(name))?,
        None => default_remote(&state.remotes)?,
    };
    if arguments.has("prune") && !specs.is_empty() {
        return Err(SqlError::general("--prune option cannot be provided with a ref spec"));
    }
    let mut read = Vec::with_capacity(specs.len());
    for spec in specs {
        let known = RefSpec::of_fetch(&remote.name, spec);
        read.push(known.ok_or_else(|| SqlError::general(format!("invalid fetch spec: '{spec}'")))?);
    }
    let peer = Peer::new(remote, arguments.value("user"), Absent::IsEmpty);
    let specs = if read.is_empty() { None } else { Some(read) };
    Ok(Box::new(Fetching::new(attached, remote.clone(), peer, specs, arguments.has("prune"))?))
}

impl Fetching {
    /// `specs` are those of the remote where none are given.
    pub fn new(
        attached: Rc<Attached>,
        remote: Remote,
        peer: Peer,
        specs: Option<Vec<RefSpec>>,
        prunes: bool,
    ) -> Result<Fetching> {
        let is_default = specs.is_none();
        let specs = match specs {
            Some(specs) => specs,
            None => {
                let invalid = |spec: &str| SqlError::general(format!("invalid fetch spec: '{spec}'"));
                let all = remote.fetch_specs.iter();
                all.map(|spec| RefSpec::parse(spec).ok_or_else(|| invalid(spec))).collect::<Result<_>>()?
            }
        };
        Ok(Fetching { attached, remote, peer, specs, is_default, prunes, fetch: None })
    }

    pub fn is_new(&self) -> bool {
        self.fetch.is_none()
    }

    /// Whether all of it is here, and its names are up to date.
    pub fn advance(&mut self, call: &Call, told: impl FnOnce(&str) -> String) -> Result<bool> {
        let source = self.peer.open(call, told)?;
        let fetch = match &mut self.fetch {
            Some(fetch) => fetch,
            none => {
                source.refresh()?;
                let options = FetchOptions {
                    remote: &self.remote.name,
                    specs: &self.specs,
                    is_default: self.is_default,
                    prunes: self.prunes,
                };
                none.insert(Fetch::begin(source, &options)?)
            }
        };
        let local = &self.attached.database;
        let copied = fetch.step(local, source, STEP_CHUNKS)?;
        call.context.catalog.engine.note_copied(copied);
        if !copied.is_done {
            return Ok(false);
        }
        call.context.catalog.transaction.change_refs_now(&self.attached, &|draft| {
            fetch.write(local, draft)?;
            Ok(())
        })?;
        Ok(true)
    }
}

impl Exchange for Fetching {
    fn step(&mut self, call: &Call) -> Result<Option<Answer>> {
        let is_done = self.advance(call, str::to_owned).map_err(|error| match self.fetch {
            None if !self.peer.is_open() => error,
            _ => prefixed(error, "fetch failed: "),
        })?;
        Ok(is_done.then(|| Answer::status(0)))
    }
}

/// The remote that is meant where none is named.
pub fn default_remote(remotes: &[Remote]) -> Result<&Remote> {
    match remotes {
        [] => Err(SqlError::general("no remote")),
        [only] => Ok(only),
        several => {
            let origin = several.iter().find(|remote| &*remote.name == "origin");
            origin.ok_or_else(|| SqlError::general("no default remote"))
        }
    }
}

fn no_database(name: &str) -> SqlError {
    SqlError::general(format!(
        "unknown remote; '{name}' does not appear to be a dolt database. could not read from the remote database. please make sure \
         you have the correct access rights and the database exists"
    ))
}
