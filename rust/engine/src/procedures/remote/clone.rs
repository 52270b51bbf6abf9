//! `dolt_clone`: a new database with what a remote has.

use vcs::Remote;
use vcs::remote::{CloneOptions, Cloning as Copying, Lazy};

use super::exchange::{Absent, Exchange, Peer, STEP_CHUNKS, prefixed};
use super::remotes::new_remote;
use crate::error::{Result, SqlError};
use crate::procedures::arguments::{AWS, Syntax};
use crate::procedures::call::{Answer, Call};
use crate::procedures::entry::Entry;
use crate::procedures::maintenance::new_database::NewDatabase;

pub const ENTRIES: &[Entry] =
    &[Entry::exchange("dolt_clone", clone).help("dolt_clone(url [, name])", "Copies a remote database", &[])];

const SYNTAX: Syntax = Syntax {
    command: "clone",
    flags: &[("single-branch", ""), ("silent", ""), ("lazy", "")],
    values: &[
        ("remote", ""),
        ("branch", "b"),
        ("depth", ""),
        ("user", "u"),
        ("ref", ""),
        AWS[0],
        AWS[1],
        AWS[2],
        AWS[3],
    ],
    positional_max: Some(2),
    too_many: None,
};

struct Cloning {
    remote: Remote,
    peer: Peer,
    options: CloneOptions,
    copying: Option<Copying>,
    made: NewDatabase,
}

pub fn clone(call: &Call) -> Result<Box<dyn Exchange>> {
    let arguments = SYNTAX.parse(&call.arguments)?;
    let (url, name) = match &arguments.positional[..] {
        [] => {
            let text =
                "error: invalid number of arguments: database URL must be specified and database name is optional";
            return Err(SqlError::general(text));
        }
        [url] => (url, url.trim_end_matches('/').rsplit('/').next().unwrap_or_default()),
        [url, name, ..] => (url, &**name),
    };
    let made = NewDatabase::named(call, name)?;
    let remote = arguments.value("remote").filter(|name| !name.is_empty()).unwrap_or("origin");
    let remote = new_remote(remote, url, arguments.value("ref"))?;
    let user = arguments.value("user");
    let lazy = arguments.has("lazy").then(|| Lazy { url: remote.url.clone(), user: user.map(Box::from) });
    let options = CloneOptions {
        lazy,
        remote: remote.name.clone(),
        branch: arguments.value("branch").map(Box::from),
        is_single_branch: arguments.has("single-branch"),
        // As in native Dolt, what is no number means all of it.
        depth: arguments.value("depth").and_then(|depth| depth.parse().ok()).filter(|depth| *depth > 0),
    };
    let peer = Peer::new(&remote, user, Absent::IsEmpty);
    Ok(Box::new(Cloning { remote, peer, options, copying: None, made }))
}

impl Exchange for Cloning {
    fn step(&mut self, call: &Call) -> Result<Option<Answer>> {
        let there = self.peer.open(call, str::to_owned)?;
        let copying = match &mut self.copying {
            Some(copying) => copying,
            none => {
                there.refresh()?;
                let begun = Copying::begin(there, &self.options);
                none.insert(begun.map_err(|error| prefixed(error.into(), "clone failed; "))?)
            }
        };
        let state = copying.state(self.remote.clone());
        let database = self.made.database()?;
        let copied = copying.step(database, there, STEP_CHUNKS)?;
        call.context.catalog.engine.note_copied(copied);
        if !copied.is_done {
            return Ok(None);
        }
        database.change_state(&|beside| *beside = state.clone())?;
        self.made.write(&|database, draft| Ok(copying.write(database, draft)?))?;
        self.made.attach(call);
        Ok(Some(Answer::status(0)))
    }
}
