//! Revisions: ACTIVE_BRANCH, HASHOF and their kin. All speak of the session's database.

use value::Value;

use super::{Arguments, Entry, Function, Traits, result};
use crate::catalog::Place;
use crate::error::{Result, SqlError};

pub(super) const ENTRIES: &[Entry<Function>] = &[
    Entry::new("active_branch", (0, 0), result::text, |a| {
        if a.context.session.database().is_none() {
            return Ok(Value::Null);
        }
        let place = match place(a) {
            // `information_schema` and `mysql` have no branches.
            Err(error) if error.errno == 1049 => return Ok(Value::Null),
            found => found?,
        };
        Ok(match place.branch() {
            // Another session may have deleted it.
            Some(branch) if place.refs.branch(branch)?.is_some() => Value::text(branch.to_owned()),
            _ => Value::Null,
        })
    })
    .stable()
    .with(Traits::READS_CATALOG)
    .common()
    .about("", "The branch of the session"),
    Entry::new("dolt_hashof", (1, 1), result::text, hash_of)
        .stable()
        .with(Traits::READS_CATALOG)
        .common()
        .about("revision", "The hash of a commit")
        .also(&["hashof"]),
    Entry::new("dolt_hashof_db", (0, 1), result::text, hash_of_database)
        .stable()
        .with(Traits::READS_CATALOG)
        .about("[revision]", "The hash of all tables of a revision"),
    Entry::new("dolt_hashof_table", (1, 1), result::text, |a| {
        let table = a.text(0)?;
        let found = place(a)?.root()?.find_table(&table)?;
        let (_, address) = found.ok_or_else(|| SqlError::table_not_found(&table))?;
        Ok(Value::text(address.to_string()))
    })
    .stable()
    .with(Traits::READS_CATALOG)
    .about("table", "The hash of a table with its rows"),
    Entry::new("dolt_merge_base", (2, 2), result::text, |a| {
        let place = place(a)?;
        let left = place.refs.commit(&a.text(0)?, &place.head)?;
        let right = place.refs.commit(&a.text(1)?, &place.head)?;
        let base = place.refs.objects().merge_base(&left, &right)?;
        let base = base.ok_or_else(|| SqlError::general("no common ancestor"))?;
        Ok(Value::text(base.to_string()))
    })
    .stable()
    .with(Traits::READS_CATALOG)
    .about("revision, revision", "The hash of the nearest commit that both descend from"),
    Entry::new("dolt_storage_format", (0, 0), result::text, |_| Ok(Value::text("NEW ( __DOLT__ )")))
        .with(Traits::READS_CATALOG)
        .about("", "The format of the files"),
    Entry::new("dolt_version", (0, 0), result::text, |_| Ok(Value::text("2.2.0")))
        .with(Traits::READS_CATALOG)
        .about("", "The version of Dolt that this engine follows"),
    Entry::new("has_ancestor", (2, 2), result::boolean, |a| {
        let place = place(a)?;
        let commit = place.refs.commit(&a.text(0)?, &place.head)?;
        let ancestor = place.refs.commit(&a.text(1)?, &place.head)?;
        Ok(Value::boolean(place.refs.objects().has_ancestor(&commit, &ancestor)?))
    })
    .stable()
    .with(Traits::READS_CATALOG)
    .about("revision, ancestor", "Whether a commit descends from another"),
];

fn place(a: &Arguments<'_>) -> Result<Place> {
    a.context.catalog.place(None)
}

fn hash_of(a: &Arguments<'_>) -> Result<Value<'static>> {
    let place = place(a)?;
    let commit = place.refs.commit(&a.text(0)?, &place.head)?;
    Ok(Value::text(commit.address.to_string()))
}

/// The hash of a root: WORKING, STAGED, HEAD or that of a commit. Ancestors cannot be named here.
fn hash_of_database(a: &Arguments<'_>) -> Result<Value<'static>> {
    let place = place(a)?;
    let text = if a.is_empty() { "WORKING".into() } else { a.text(0)? };
    if text.contains(['~', '^']) {
        return Err(SqlError::general(format!(
            "error getting ref '{text}' from database '{}': invalid ref spec",
            place.name
        )));
    }
    let root = match text.to_ascii_uppercase().as_str() {
        known @ ("WORKING" | "STAGED") => place.named_root(known)?.root,
        _ => place.named_root(&text)?.root,
    };
    Ok(Value::text(root.address().to_string()))
}
