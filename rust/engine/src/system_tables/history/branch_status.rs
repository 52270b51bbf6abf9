//! `dolt_branch_status`: how many commits branches are ahead of and behind a base.

use std::rc::Rc;

use value::{SqlType, Value};
use vcs::Commit;

use crate::catalog::Place;
use crate::error::{Result, SqlError};
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::arguments::text_of;
use crate::system_tables::relation::computed::{Computed, all, column, required, text};

pub const ENTRIES: &[Entry] = &[Entry::function("dolt_branch_status", |call| function(&call.place()?, call.arguments))];

const NAME: &str = "dolt_branch_status";

pub fn function(place: &Place, arguments: &[Value<'_>]) -> Result<Computed> {
    let mut commits: Vec<(String, Rc<Commit>)> = Vec::new();
    for argument in arguments {
        let text = text_of(NAME, argument)?;
        commits.push((text.to_string(), place.refs.commit(text, &place.head)?));
    }
    if commits.is_empty() {
        return Err(SqlError::general(format!("function '{NAME}' expected at least 1 arguments, 0 received")));
    }
    let counts = ["commits_ahead", "commits_behind"].map(|name| required(column(name, SqlType::BIGINT_UNSIGNED)));
    let columns = std::iter::once(required(text("branch"))).chain(counts).collect();
    let objects = place.refs.objects().clone();
    Ok(Computed::new(place.name.clone(), NAME, columns, move |_, _, _| {
        let Some(((_, base), branches)) = commits.split_first() else { return all(Ok(Vec::new())) };
        let count = |one: &Commit, other: &Commit| -> Result<Value<'static>> {
            Ok(Value::UInt(objects.commits_ahead(&one.address, &other.address)?))
        };
        let row = |(name, branch): &(String, Rc<Commit>)| -> Result<Vec<Value<'static>>> {
            Ok(vec![Value::text(name.clone()), count(branch, base)?, count(base, branch)?])
        };
        all(branches.iter().map(row).collect())
    }))
}
