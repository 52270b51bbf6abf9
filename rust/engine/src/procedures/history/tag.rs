//! `dolt_tag`: makes and deletes tags.

use vcs::{Tag, is_valid_branch_name};

use crate::error::{Result, SqlError};
use crate::procedures::arguments::Syntax;
use crate::procedures::call::{Answer, Call};
use crate::procedures::entry::Entry;
use crate::state::{Authorship, parse_author};

pub const ENTRIES: &[Entry] = &[Entry::new("dolt_tag", tag).help(
    "dolt_tag(name [, revision])",
    "Makes and deletes tags",
    &[("-m", "a message"), ("-d", "deletes")],
)];

const SYNTAX: Syntax = Syntax {
    command: "tag",
    flags: &[("verbose", "v"), ("delete", "d")],
    values: &[("message", "m"), ("author", "")],
    positional_max: None,
    too_many: None,
};

pub fn tag(call: &Call) -> Result<Answer> {
    let place = call.place()?;
    let arguments = SYNTAX.parse(&call.arguments)?;
    let names = &arguments.positional;
    if names.is_empty() || arguments.has("verbose") {
        return Err(SqlError::general("error: invalid argument, use 'dolt_tags' system table to list tags"));
    }
    let transaction = &call.context.catalog.transaction;
    if arguments.has("delete") {
        if arguments.has("message") {
            return Err(SqlError::general("delete and tag message options are incompatible"));
        }
        for name in names {
            if place.refs.tag(name)?.is_none() {
                return Err(SqlError::general("tag not found"));
            }
        }
        transaction.change_refs_now(&place.attached, &|draft| {
            names.iter().try_for_each(|name| draft.set_tag(name, None))?;
            Ok(())
        })?;
        return Ok(Answer::status(0));
    }
    let [name, start @ ..] = &names[..] else { return Err(SqlError::internal("a tag without a name")) };
    if start.len() > 1 {
        return Err(SqlError::general("create tag takes at most two args"));
    }
    let authorship = Authorship::of(&call.context.session)?;
    let tagger = match arguments.value("author") {
        Some(author) => parse_author(author)?,
        None => authorship.committer,
    };
    if place.refs.tag(name)?.is_some() {
        return Err(SqlError::general("already exists"));
    }
    if !is_valid_branch_name(name) {
        return Err(SqlError::general("not a valid user tag name"));
    }
    let start = start.first().map_or("HEAD", |start| start);
    let commit = place.refs.commit(start, &place.head)?;
    let millis = call.context.session.host.now_microseconds().div_euclid(1000);
    let tag = Tag {
        commit: commit.address,
        name: tagger.name.trim().into(),
        email: tagger.email.trim().into(),
        description: arguments.value("message").unwrap_or_default().trim().into(),
        millis: millis.unsigned_abs(),
        user_millis: millis,
    };
    transaction.change_refs_now(&place.attached, &|draft| Ok(draft.set_tag(name, Some(&tag))?))?;
    Ok(Answer::status(0))
}
