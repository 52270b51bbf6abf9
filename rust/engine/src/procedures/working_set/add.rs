//! `dolt_add`: stages tables.

use vcs::{DATABASE_PREFIX, Ignored};

use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call, find_table, table_error};
use crate::procedures::entry::Entry;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_add", add).help(
    "dolt_add(table, …)",
    "Stages changed tables for the next commit",
    &[("-A", "all tables")],
)];

const SYNTAX: Syntax = Syntax {
    command: "add",
    flags: &[("all", "A"), ("force", "f")],
    values: &[("branch", "")],
    positional_max: None,
    too_many: None,
};

pub fn add(call: &Call) -> Result<Answer> {
    call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    let state = call.state_at(arguments.value("branch"))?;
    let ignored = if arguments.has("force") { Ignored::Included } else { Ignored::LeftOut };
    let roots = state.roots()?;
    let roots = match &arguments.positional[..] {
        [] if !arguments.has("all") => {
            let text = "Nothing specified, nothing added. Maybe you wanted to say 'dolt add .'?";
            return Err(SqlError::general(text));
        }
        _ if arguments.has("all") => roots.stage_all(ignored)?,
        [dot] if dot == "." => roots.stage_all(ignored)?,
        names => {
            let (databases, tables): (Vec<_>, Vec<_>) =
                names.iter().partition(|name| name.starts_with(DATABASE_PREFIX));
            let (mut stored, mut missing) = (Vec::new(), Vec::new());
            for name in tables {
                match find_table(name, &[&roots.staged, &roots.working])? {
                    // Spelled as it is stored.
                    Some(known) if *known == **name => stored.push(known),
                    _ => missing.push(Box::from(&**name)),
                }
            }
            if !missing.is_empty() {
                return Err(table_error(&missing, "do not exist"));
            }
            let roots = if databases.is_empty() { roots } else { roots.stage_database()? };
            roots.stage(&stored, ignored)?
        }
    };
    call.set_working_set(&state, &state.with_roots(&roots))?;
    Ok(Answer::status(0))
}
