//! `dolt_commits` and `dolt_commit_ancestors`: every commit of every branch.

use codec::Address;
use value::{SqlType, Value};
use vcs::Commit;

use crate::catalog::{RowIterator, ToldIndex};
use crate::error::Result;
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::at::At;
use crate::system_tables::relation::computed::{
    Computed, TEXT, column, equal_text, key, moment, nothing, required, row_of, text,
};

pub const ENTRIES: &[Entry] =
    &[Entry::listed_table("dolt_commits", commits), Entry::listed_table("dolt_commit_ancestors", ancestors)];

/// The heads of all branches, in the order of their names.
fn heads(at: &At) -> Result<Vec<Address>> {
    at.place.refs.branches().map(|branch| Ok(branch?.1)).collect()
}

pub fn commits(at: At) -> Computed {
    let columns = vec![
        key("commit_hash", TEXT),
        required(text("committer")),
        required(text("email")),
        required(column("date", SqlType::DateTime { decimals: 3 })),
        required(text("message")),
        required(text("author")),
        required(text("author_email")),
        required(column("author_date", SqlType::DateTime { decimals: 3 })),
    ];
    Computed::new(at.database(), "dolt_commits", columns, move |_, columns, pushed| {
        let columns = columns.to_vec();
        let row = move |commit: &Commit| {
            let meta = &commit.meta;
            row_of(8, &columns, |at| match at {
                0 => Value::text(commit.address.to_string()),
                1 => Value::text(meta.committer.name.to_string()),
                2 => Value::text(meta.committer.email.to_string()),
                3 => moment(meta.committer_millis),
                4 => Value::text(meta.description.to_string()),
                5 => Value::text(meta.author.name.to_string()),
                6 => Value::text(meta.author.email.to_string()),
                _ => moment(meta.author_millis),
            })
        };
        if let Some(hash) = equal_text(pushed, 0) {
            return one(&at, hash, |commit| vec![row(commit)]);
        }
        let walk = at.objects().walk(&heads(&at)?);
        Ok(Box::new(walk.map(move |commit| Ok(row(&*commit?)))))
    })
    .with_indexes([ToldIndex::unique("commit_hash", [0])])
}

pub fn ancestors(at: At) -> Computed {
    let columns = vec![key("commit_hash", TEXT), key("parent_hash", TEXT), key("parent_index", SqlType::INT)];
    let columns = columns.into_iter().enumerate().map(|(position, mut column)| {
        // The first commit has no parent.
        column.ty.nullable = position == 1;
        column
    });
    let columns = columns.collect();
    Computed::new(at.database(), "dolt_commit_ancestors", columns, move |_, _, pushed| {
        if let Some(hash) = equal_text(pushed, 0) {
            return one(&at, hash, edges);
        }
        let walk = at.objects().walk(&heads(&at)?);
        let rows: RowIterator = Box::new(walk.flat_map(|commit| match commit {
            Ok(commit) => edges(&commit).into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error.into())],
        }));
        Ok(rows)
    })
    .with_indexes([ToldIndex::unique("commit_hash", [0])])
}

/// A row for each parent; one without parent for a first commit.
fn edges(commit: &Commit) -> Vec<Vec<Value<'static>>> {
    let hash = || Value::text(commit.address.to_string());
    if commit.parents.is_empty() {
        return vec![vec![hash(), Value::Null, Value::Int(0)]];
    }
    let row =
        |(index, parent): (usize, &Address)| vec![hash(), Value::text(parent.to_string()), Value::Int(index as i64)];
    commit.parents.iter().enumerate().map(row).collect()
}

/// The rows of one commit, if some branch has it.
fn one(at: &At, hash: &str, rows: impl Fn(&Commit) -> Vec<Vec<Value<'static>>>) -> Result<RowIterator> {
    let Some(commit) = at.commit(hash)? else { return Ok(nothing()) };
    for head in heads(at)? {
        if at.objects().has_ancestor(&*at.objects().commit(&head)?, &commit)? {
            return Ok(Box::new(rows(&commit).into_iter().map(Ok)));
        }
    }
    Ok(nothing())
}
