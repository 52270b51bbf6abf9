//! The initial commit of a database.

use vcs::{CommitMeta, Committed, DEFAULT_BRANCH, Database, Identity, Refs};

use crate::error::{Result, SqlError};
use crate::state::SessionState;

/// Gives a new store its branch, unless it has one.
pub fn write_first_commit(database: &Database, session: &SessionState) -> Result<()> {
    let before = database.refs()?;
    if before.branches().next().is_some() {
        return Ok(());
    }
    let millis = session.host.now_microseconds().div_euclid(1000);
    let variables = session.variables.borrow();
    let or = |name: &str, otherwise: &str| match variables.text(name) {
        text if text.is_empty() => otherwise.into(),
        text => text.into(),
    };
    let author = Identity { name: or("dolt_author_name", "root"), email: or("dolt_author_email", "root@%") };
    let meta = CommitMeta {
        committer: author.clone(),
        author,
        author_millis: millis,
        committer_millis: millis,
        description: "Initialize data repository".into(),
        signature: None,
    };
    write_first_refs(database, &before, &database.first_refs(DEFAULT_BRANCH, meta)?)
}

/// Gives a new store its first names.
///
/// # Errors
/// Where another process has given it some.
pub fn write_first_refs(database: &Database, before: &Refs, first: &Refs) -> Result<()> {
    match database.commit(before, first)? {
        Committed::Done => Ok(()),
        Committed::Moved => Err(SqlError::general("the new database is being written by another process")),
    }
}
