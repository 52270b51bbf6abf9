//! `dolt_backup`: copies of a database with all that it has, with branches that were not pushed and working sets.

use std::rc::Rc;

use vcs::remote::Sync;
use vcs::{Database, Remote};

use super::exchange::{Absent, Exchange, Peer, STEP_CHUNKS};
use super::remotes::{check_address, is_no_name, put, whole_url};
use crate::engine::Attached;
use crate::error::{Result, SqlError};
use crate::procedures::arguments::{AWS, Arguments, Syntax};
use crate::procedures::call::{Answer, Call};
use crate::procedures::entry::Entry;
use crate::procedures::maintenance::new_database::NewDatabase;

pub const ENTRIES: &[Entry] = &[Entry::exchange("dolt_backup", backup).help(
    "dolt_backup('add', name, url)",
    "Adds, removes and writes backups",
    &[],
)];

const VALUES: [(&str, &str); 5] = [AWS[0], AWS[1], AWS[2], AWS[3], ("user", "")];
const SYNTAX: Syntax = Syntax {
    command: "backup",
    flags: &[("verbose", "v"), ("force", "f")],
    values: &VALUES,
    positional_max: None,
    too_many: None,
};

/// What only changes the list of backups.
struct Named(Option<Answer>);

/// A backup that is written.
struct Writing {
    from: Rc<Attached>,
    peer: Peer,
    sync: Option<Sync>,
}

/// A backup that is read.
struct Restoring {
    peer: Peer,
    into: Into,
    sync: Option<Sync>,
}

/// Where a backup is restored to.
enum Into {
    New(Box<NewDatabase>),
    /// In the place of what is there.
    Known(Rc<Attached>),
}

pub fn backup(call: &Call) -> Result<Box<dyn Exchange>> {
    let attached = call.place()?.attached;
    let arguments = SYNTAX.parse(&call.arguments)?;
    let peer = |remote: &Remote, absent| Peer::new(remote, arguments.value("user"), absent);
    let unnamed = |url: &str| Remote::new("", &whole_url(url));
    Ok(match arguments.positional.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["sync", name] => {
            let state = attached.database.state()?;
            let known = state.backups.iter().find(|backup| &*backup.name == name);
            let known = known.ok_or_else(|| not_found(name))?;
            Box::new(Writing { from: attached, peer: peer(known, Absent::IsMade), sync: None })
        }
        ["sync-url", url] => {
            Box::new(Writing { from: attached, peer: peer(&unnamed(url), Absent::IsMade), sync: None })
        }
        ["restore", url, name] => {
            let into = match call.context.catalog.engine.database(name) {
                Some(known) if arguments.has("force") => Into::Known(known),
                Some(_) => {
                    let text = format!("database '{name}' already exists, use '--force' to overwrite");
                    return Err(SqlError::general(text));
                }
                None => Into::New(Box::new(NewDatabase::named(call, name)?)),
            };
            Box::new(Restoring { peer: peer(&unnamed(url), Absent::IsEmpty), into, sync: None })
        }
        _ => Box::new(Named(Some(names(&attached, &arguments)?))),
    })
}

impl Exchange for Named {
    fn step(&mut self, _: &Call) -> Result<Option<Answer>> {
        Ok(self.0.take())
    }
}

impl Exchange for Writing {
    fn step(&mut self, call: &Call) -> Result<Option<Answer>> {
        let to = self.peer.open(call, str::to_owned)?;
        let is_done = advance(call, &mut self.sync, &self.from.database, to)?;
        Ok(is_done.then(|| Answer::status(0)))
    }
}

impl Exchange for Restoring {
    fn step(&mut self, call: &Call) -> Result<Option<Answer>> {
        let from = self.peer.open(call, str::to_owned)?;
        if from.refs()?.branches().next().is_none() {
            return Err(SqlError::general("not found"));
        }
        let to = match &mut self.into {
            Into::New(made) => made.database()?,
            Into::Known(known) => &known.database,
        };
        if !advance(call, &mut self.sync, from, to)? {
            return Ok(None);
        }
        if let Into::New(made) = &mut self.into {
            made.attach(call);
        }
        Ok(Some(Answer::status(0)))
    }
}

fn advance(call: &Call, sync: &mut Option<Sync>, from: &Database, to: &Database) -> Result<bool> {
    let sync = match sync {
        Some(sync) => sync,
        none => {
            from.refresh()?;
            to.refresh()?;
            none.insert(Sync::begin(from, to)?)
        }
    };
    let copied = sync.step(from, to, STEP_CHUNKS)?;
    call.context.catalog.engine.note_copied(copied);
    Ok(copied.is_done)
}

fn not_found(name: &str) -> SqlError {
    SqlError::general(format!("backup '{name}' not found"))
}

/// What only changes the list of backups.
fn names(attached: &Rc<Attached>, arguments: &Arguments) -> Result<Answer> {
    let words: Vec<&str> = arguments.positional.iter().map(String::as_str).collect();
    if words.is_empty() || arguments.has("verbose") {
        return Err(SqlError::general("use 'dolt_backups' table to list backups"));
    }
    let state = attached.database.state()?;
    let is_known = |name: &str| state.backups.iter().any(|backup| &*backup.name == name);
    match words[..] {
        ["add", name, url] => {
            if AWS.iter().any(|(option, _)| arguments.has(option)) {
                return Err(SqlError::general("AWS parameters are unavailable when running in server mode"));
            }
            if name.is_empty() || is_no_name(name) {
                return Err(SqlError::general(format!("backup name '{name}' is invalid")));
            }
            if url.is_empty() {
                return Err(SqlError::general("backup URL '' is invalid"));
            }
            if is_known(name) {
                return Err(SqlError::general(format!("backup '{name}' already exists")));
            }
            let backup = Remote::new(name, &whole_url(url));
            check_address(&backup, state.remotes.iter().chain(&state.backups))?;
            Ok(Answer::status(0).changing_state(attached, move |state| put(&mut state.backups, backup.clone())))
        }
        ["remove" | "rm", name] if is_known(name) => {
            let name: Box<str> = name.into();
            Ok(Answer::status(0).changing_state(attached, move |state| {
                state.backups.retain(|backup| backup.name != name);
            }))
        }
        ["remove" | "rm", name] => Err(not_found(name)),
        ["add", ..] => Err(usage("add", "'name', 'url'", true)),
        [word @ ("remove" | "rm" | "sync"), ..] => Err(usage(word, "'name'", false)),
        ["sync-url", ..] => Err(usage("sync-url", "'remote_url'", true)),
        ["restore", ..] => Err(usage("restore", "'remote_url', 'new_db_name', ['--force']", true)),
        _ => Err(SqlError::general(format!("unrecognized dolt_backup parameter '{}'", words[0]))),
    }
}

fn usage(word: &str, arguments: &str, has_vendor: bool) -> SqlError {
    let mut text = format!("usage: dolt_backup('{word}', {arguments}");
    for (option, _) in AWS.iter().filter(|_| has_vendor) {
        let what = option.rsplit('-').next().unwrap_or_default();
        text.push_str(&format!(", ['--{option}=<{what}>']"));
    }
    SqlError::general(text + ")")
}
