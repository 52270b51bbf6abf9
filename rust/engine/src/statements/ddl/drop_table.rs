//! DROP TABLE.

use std::rc::Rc;

use parse::ast::{DropObjects, ObjectName};
use vcs::is_system_table;

use super::work::Work;
use crate::bind::unreadable_view;
use crate::catalog::objects::triggers;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::Session;
use crate::write::definitions::drop_fragment;
use crate::{procedures, system_tables};

pub fn run(session: &Session, sql: &str, drop: &DropObjects, context: &Rc<Context>) -> Result<()> {
    let mut names = Vec::new();
    for name in &drop.names {
        if !drop_temporary(session, sql, name, context)? {
            names.push(name);
        }
    }
    let Some(first) = names.first() else { return Ok(()) };
    if drop.temporary {
        let error = SqlError::general(format!("Unknown table '{}'", first.name.text)).at(first.span);
        return if drop.if_exists { Ok(()) } else { Err(error) };
    }
    let mut work = Work::begin(session, sql, context, first.database.as_ref())?;
    let mut dropped: Vec<Box<str>> = Vec::new();
    for name in names {
        let database = name.database.as_ref().map(|database| &*database.text);
        if database.is_some_and(|database| !database.eq_ignore_ascii_case(&work.place.name)) {
            return Err(SqlError::general("tables of one database at a time can be dropped").at(name.span));
        }
        let text = &*name.name.text;
        match work.root.find_table(text)? {
            _ if is_system_table(text) && !can_be_dropped(text) => return Err(system_table(text).at(name.span)),
            Some((stored, _)) => dropped.push(stored),
            None if drop.if_exists => work.note(1051, format!("Unknown table '{text}'")),
            None if session.catalog().view(&work.place, text)?.is_some() => {
                return Err(unreadable_view(&work.place.name, text).at(name.span));
            }
            None => return Err(SqlError::table_not_found(text).at(name.span)),
        }
    }
    for name in children_first(&dropped, &work.root.foreign_keys()?) {
        drop_table(&mut work, name)?;
    }
    work.finish()
}

/// The tables in an order in which none is dropped before those that refer to it, where there is one.
fn children_first<'n>(names: &'n [Box<str>], keys: &[vcs::ForeignKey]) -> Vec<&'n str> {
    let mut left: Vec<&str> = names.iter().map(|name| &**name).collect();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let is_needed = |name: &str| {
            let mut referring = keys.iter().filter(|key| key.parent_table.eq_ignore_ascii_case(name));
            referring.any(|key| left.iter().any(|other| *other != name && key.child_table.eq_ignore_ascii_case(other)))
        };
        let at = left.iter().position(|name| !is_needed(name)).unwrap_or_default();
        ordered.push(left.remove(at));
    }
    ordered
}

/// Drops a temporary table; `false` where there is none of that name.
fn drop_temporary(session: &Session, sql: &str, name: &ObjectName, context: &Rc<Context>) -> Result<bool> {
    let database = name.database.as_ref().map(|database| &*database.text);
    if session.catalog().find_lost(database, &name.name.text) {
        return Ok(true);
    }
    let Some(place) = session.catalog().temporary_place(database, &name.name.text)? else { return Ok(false) };
    let mut work = Work::at(session, sql, context, place)?;
    if let Some((stored, _)) = work.root.find_table(&name.name.text)? {
        drop_table(&mut work, &stored)?;
    }
    if work.root.tables().next().is_none() {
        session.catalog().forget_temporary(&work.place);
        return Ok(true);
    }
    work.finish()?;
    Ok(true)
}

/// System tables that hold nothing but what people wrote there, which are made anew when they write again.
fn can_be_dropped(name: &str) -> bool {
    system_tables::stored(name).is_some_and(|stored| stored.can_be_dropped)
        || name.eq_ignore_ascii_case(procedures::REBASE_PLAN)
}

fn system_table(name: &str) -> SqlError {
    SqlError::general(format!("Cannot alter table {name}: system tables cannot be dropped or altered"))
}

/// Drops a table that is there, with its foreign keys.
fn drop_table(work: &mut Work<'_>, name: &str) -> Result<()> {
    let keys = work.root.foreign_keys()?;
    let is_child = |key: &&vcs::ForeignKey| key.child_table.eq_ignore_ascii_case(name);
    let referring = keys.iter().find(|key| key.parent_table.eq_ignore_ascii_case(name) && !is_child(key));
    // A key may mean another branch's table by that name.
    let is_parent = work.place.table_elsewhere(&work.root, name)?.is_none();
    if let Some(key) = referring.filter(|_| is_parent && work.is_on("foreign_key_checks")) {
        let text = format!("cannot drop table `{name}` as it is referenced in foreign key `{}`", key.name);
        return Err(SqlError::general(text));
    }
    for trigger in triggers(work.session.catalog(), &work.place, &work.root)? {
        // A table takes its triggers with it.
        if trigger.table.eq_ignore_ascii_case(name)
            && let Some(root) = drop_fragment(&work.root, "trigger", &trigger.name)?
        {
            work.root = root;
        }
    }
    // As in native Dolt the tables behind full-text indexes stay.
    work.root = work.root.without_table(name)?;
    work.place.attached.counters.forget(name);
    if keys.iter().any(|key| is_child(&key)) {
        let kept: Vec<vcs::ForeignKey> = keys.iter().filter(|key| !is_child(key)).cloned().collect();
        work.root = work.root.with_foreign_keys(&kept)?;
    }
    Ok(())
}
