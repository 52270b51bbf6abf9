//! `dolt_backup`: backups are known by name, as remotes are; nothing is written to them from here.

use vcs::Remote;

use super::arguments::Syntax;
use super::call::{Answer, Call};
use super::remotes::{check_address, is_no_name, not_here, put, whole_url};
use crate::error::{Result, SqlError};

/// Options of the cloud of one vendor.
const VENDOR: [(&str, &str); 4] =
    [("aws-region", ""), ("aws-creds-type", ""), ("aws-creds-file", ""), ("aws-creds-profile", "")];
const SYNTAX: Syntax = Syntax {
    command: "backup",
    flags: &[("verbose", "v"), ("force", "f")],
    values: &VENDOR,
    positional_max: None,
    too_many: None,
};

pub fn backup(call: &Call) -> Result<Answer> {
    let attached = call.place()?.attached;
    let arguments = SYNTAX.parse(&call.arguments)?;
    let words: Vec<&str> = arguments.positional.iter().map(String::as_str).collect();
    if words.is_empty() || arguments.has("verbose") {
        return Err(SqlError::general("use 'dolt_backups' table to list backups"));
    }
    let state = attached.database.state()?;
    let not_found = |name: &str| SqlError::general(format!("backup '{name}' not found"));
    let is_known = |name: &str| state.backups.iter().any(|backup| &*backup.name == name);
    match words[..] {
        ["add", name, url] => {
            if VENDOR.iter().any(|(option, _)| arguments.has(option)) {
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
            Ok(Answer::status(0).changing_state(&attached, move |state| put(&mut state.backups, backup.clone())))
        }
        ["remove" | "rm", name] if is_known(name) => {
            let name: Box<str> = name.into();
            Ok(Answer::status(0).changing_state(&attached, move |state| {
                state.backups.retain(|backup| backup.name != name);
            }))
        }
        ["remove" | "rm", name] => Err(not_found(name)),
        ["sync", name] if !is_known(name) => Err(not_found(name)),
        ["sync", _] | ["sync-url", _] => {
            Err(not_here("dolt_backup", "copy the database's directory, or save it as a file"))
        }
        ["restore", _, _] => Err(not_here("dolt_backup", "open the backup's address as a database of its own")),
        ["add", ..] => Err(usage("add", "'name', 'url'", true)),
        [word @ ("remove" | "rm" | "sync"), ..] => Err(usage(word, "'name'", false)),
        ["sync-url", ..] => Err(usage("sync-url", "'remote_url'", true)),
        ["restore", ..] => Err(usage("restore", "'remote_url', 'new_db_name', ['--force']", true)),
        _ => Err(SqlError::general(format!("unrecognized dolt_backup parameter '{}'", words[0]))),
    }
}

fn usage(word: &str, arguments: &str, has_vendor: bool) -> SqlError {
    let mut text = format!("usage: dolt_backup('{word}', {arguments}");
    for (option, _) in VENDOR.iter().filter(|_| has_vendor) {
        let what = option.rsplit('-').next().unwrap_or_default();
        text.push_str(&format!(", ['--{option}=<{what}>']"));
    }
    SqlError::general(text + ")")
}
