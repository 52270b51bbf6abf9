//! `dolt_count_commits`: how many commits one revision is ahead of another, and behind.

use value::Value;

use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call, number_column};
use crate::procedures::entry::Entry;

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_count_commits", count_commits)];

const COUNT: Syntax = Syntax {
    command: "gc",
    flags: &[],
    values: &[("from", "f"), ("to", "t")],
    positional_max: Some(0),
    too_many: None,
};

pub fn count_commits(call: &Call) -> Result<Answer> {
    let place = call.place()?;
    let arguments = COUNT.parse(&call.arguments)?;
    let revision = |name: &str| match arguments.value(name) {
        None => Err(SqlError::general(format!("missing {name} ref"))),
        Some("") => Err(SqlError::general(format!("empty {name} ref"))),
        Some(text) => Ok(place.refs.commit(text, &place.head)?),
    };
    let (from, to) = (revision("from")?, revision("to")?);
    let count = |one: &vcs::Commit, other: &vcs::Commit| -> Result<Value<'static>> {
        Ok(Value::Int(place.refs.objects().commits_ahead(&one.address, &other.address)? as i64))
    };
    let row = vec![count(&from, &to)?, count(&to, &from)?];
    Ok(Answer::new(vec![number_column("ahead"), number_column("behind")], row))
}
