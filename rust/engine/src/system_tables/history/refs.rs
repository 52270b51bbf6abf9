//! Branches, tags, remotes and stashes.

use std::collections::BTreeMap;

use value::json::JsonObject;
use value::{Json, SqlType, Value};
use vcs::{Commit, Remote, RepoState};

use crate::catalog::{Column, ToldIndex};
use crate::error::Result;
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::at::At;
use crate::system_tables::relation::computed::{Computed, TEXT, all, column, key, moment, required, text};

pub const ENTRIES: &[Entry] = &[
    Entry::listed_table("dolt_branches", branches),
    Entry::listed_table("dolt_remote_branches", remote_branches),
    Entry::listed_table("dolt_remotes", remotes),
    Entry::listed_table("dolt_backups", backups),
    Entry::table("dolt_tags", tags),
    Entry::listed_table("dolt_stashes", stashes),
];

fn owned(text: &str) -> Value<'static> {
    Value::text(text.to_owned())
}

fn date(name: &str) -> Column {
    column(name, SqlType::DateTime { decimals: 3 })
}

/// Name, hash and the first columns about the latest commit, then those about its author.
fn latest(name: &str, commit: &Commit) -> ([Value<'static>; 6], [Value<'static>; 3]) {
    let meta = &commit.meta;
    (
        [
            owned(name),
            Value::text(commit.address.to_string()),
            owned(&meta.committer.name),
            owned(&meta.committer.email),
            moment(meta.committer_millis),
            owned(&meta.description),
        ],
        [owned(&meta.author.name), owned(&meta.author.email), moment(meta.author_millis)],
    )
}

fn latest_columns() -> (Vec<Column>, Vec<Column>) {
    (
        vec![
            key("name", TEXT),
            required(text("hash")),
            text("latest_committer"),
            text("latest_committer_email"),
            date("latest_commit_date"),
            text("latest_commit_message"),
        ],
        vec![text("latest_author"), text("latest_author_email"), date("latest_author_date")],
    )
}

pub fn branches(at: At) -> Computed {
    let (mut columns, author) = latest_columns();
    columns.extend([text("remote"), text("branch"), column("dirty", SqlType::BOOLEAN)]);
    columns.extend(author);
    Computed::new(at.database(), "dolt_branches", columns, move |context, columns, _| {
        // Branches are listed as everybody sees them, without what this transaction has not committed.
        let refs = context.catalog.transaction.base(&at.place.attached).unwrap_or_else(|| at.place.refs.clone());
        let reads_dirty = columns.contains(&8);
        let reads_upstreams = columns.contains(&6) || columns.contains(&7);
        let state = if reads_upstreams { at.place.attached.database.state()? } else { RepoState::default() };
        let rows = refs.branches().map(|branch| -> Result<_> {
            let (name, address) = branch?;
            let commit = at.objects().commit(&address)?;
            let dirty = match reads_dirty {
                true => {
                    let set = refs.working_set(&name)?;
                    Value::boolean(set.working != commit.root || set.staged != commit.root)
                }
                false => Value::Null,
            };
            let upstream = state.upstreams.get(&*name);
            let (first, author) = latest(&name, &commit);
            let mut row = Vec::from(first);
            row.push(owned(upstream.map_or("", |upstream| &upstream.remote)));
            row.push(owned(upstream.map_or("", |upstream| &upstream.branch)));
            row.push(dirty);
            row.extend(author);
            Ok(row)
        });
        all(rows.collect())
    })
    .with_indexes([ToldIndex::unique("dolt_branches_name_idx", [0])])
}

pub fn remote_branches(at: At) -> Computed {
    let (mut columns, author) = latest_columns();
    columns.extend(author);
    Computed::new(at.database(), "dolt_remote_branches", columns, move |_, _, _| {
        let rows = at.place.refs.remote_branches().map(|branch| -> Result<_> {
            let branch = branch?;
            let commit = at.objects().commit(&branch.head)?;
            let (first, author) = latest(&format!("remotes/{}/{}", branch.remote, branch.branch), &commit);
            Ok(first.into_iter().chain(author).collect())
        });
        all(rows.collect())
    })
    .with_indexes([ToldIndex::unique("dolt_branches_name_idx", [0])])
}

pub fn tags(at: At) -> Computed {
    let columns = vec![
        key("tag_name", TEXT),
        key("tag_hash", TEXT),
        required(text("tagger")),
        required(text("email")),
        required(date("date")),
        required(text("message")),
    ];
    Computed::new(at.database(), "dolt_tags", columns, move |_, _, _| {
        let rows = at.place.refs.tags().map(|tag| -> Result<_> {
            let (name, tag) = tag?;
            let hash = Value::text(tag.commit.to_string());
            let date = moment(tag.user_millis);
            Ok(vec![owned(&name), hash, owned(&tag.name), owned(&tag.email), date, owned(&tag.description)])
        });
        all(rows.collect())
    })
}

fn parameters(parameters: &BTreeMap<Box<str>, Box<str>>) -> Value<'static> {
    let mut object = JsonObject::new();
    for (name, value) in parameters {
        object.insert(name.clone(), Json::String(value.clone()));
    }
    Value::json(Json::Object(object))
}

pub fn remotes(at: At) -> Computed {
    let columns = vec![
        key("name", TEXT),
        required(text("url")),
        column("fetch_specs", SqlType::Json),
        column("params", SqlType::Json),
    ];
    Computed::new(at.database(), "dolt_remotes", columns, move |_, _, _| {
        let row = |remote: &Remote| {
            let specs = remote.fetch_specs.iter().cloned().map(Json::String).collect();
            vec![owned(&remote.name), owned(&remote.url), Value::json(Json::Array(specs)), parameters(&remote.params)]
        };
        all(Ok(at.place.attached.database.state()?.remotes.iter().map(row).collect()))
    })
}

pub fn backups(at: At) -> Computed {
    let columns = vec![key("name", TEXT), required(text("url")), required(column("params", SqlType::Json))];
    Computed::new(at.database(), "dolt_backups", columns, move |_, _, _| {
        let row = |backup: &Remote| vec![owned(&backup.name), owned(&backup.url), parameters(&backup.params)];
        all(Ok(at.place.attached.database.state()?.backups.iter().map(row).collect()))
    })
}

pub fn stashes(at: At) -> Computed {
    let columns = ["name", "stash_id", "branch", "hash"].map(|name| required(text(name)));
    let columns = columns.into_iter().chain([text("commit_message")]).collect();
    Computed::new(at.database(), "dolt_stashes", columns, move |_, _, _| {
        let row = |listed: vcs::ListedStash| {
            let stash = &listed.stash;
            let id = Value::text(format!("stash@{{{}}}", listed.index));
            let hash = Value::text(stash.head_commit.to_string());
            let branch = stash.branch.strip_prefix("refs/heads/").unwrap_or(&stash.branch);
            vec![owned(&listed.list), id, owned(branch), hash, owned(&stash.description)]
        };
        all(Ok(at.place.refs.stashes()?.into_iter().map(row).collect()))
    })
}
