//! Tables that Dolt computes: history, branches, status, diffs (format: sql-surface.md, sections 2 and 4).

mod arguments;
mod at;
mod changes;
mod commits;
pub mod computed;
mod log;
mod names;
mod range;
mod status;
mod summary;

use std::rc::Rc;

use parse::ast;
use value::Value;
use vcs::RootValue;

use crate::catalog::{Catalog, Place, Relation};
use crate::error::{Result, SqlError};

use at::At;
use computed::Computed;

/// Tables that belong to no database of ours: `information_schema`, `mysql`.
pub fn global(_catalog: &Catalog, _database: Option<&str>, _name: &str) -> Result<Option<Rc<dyn Relation>>> {
    Ok(None)
}

/// A system table of a database.
pub fn find(
    _catalog: &Catalog,
    place: &Place,
    root: &RootValue,
    name: &str,
    as_of: Option<&Value<'static>>,
) -> Result<Option<Rc<dyn Relation>>> {
    if !vcs::is_system_table(name) {
        return Ok(None);
    }
    let name = name.to_lowercase();
    let make: fn(At) -> Computed = match &*name {
        "dolt_log" => log::table,
        "dolt_commits" => commits::commits,
        "dolt_commit_ancestors" => commits::ancestors,
        "dolt_branches" => names::branches,
        "dolt_remote_branches" => names::remote_branches,
        "dolt_remotes" => names::remotes,
        "dolt_backups" => names::backups,
        "dolt_tags" => names::tags,
        "dolt_stashes" => names::stashes,
        "dolt_status" => status::status,
        "dolt_status_ignored" => status::status_ignored,
        "dolt_merge_status" => status::merge_status,
        "dolt_conflicts" => status::conflicts,
        "dolt_schema_conflicts" => status::schema_conflicts,
        "dolt_constraint_violations" => status::constraint_violations,
        "dolt_diff" => changes::diff,
        _ => return Ok(None),
    };
    Ok(Some(Rc::new(make(At::new(place, root, as_of)))))
}

/// A table function, of the session's database unless another one is named.
pub fn table_function(
    catalog: &Catalog,
    name: &ast::ObjectName,
    arguments: &[Value<'static>],
) -> Result<Rc<dyn Relation>> {
    let place = || catalog.place(name.database.as_ref().map(|database| &*database.text));
    let computed = match &*name.name.text.to_lowercase() {
        "dolt_log" => log::function(&place()?, arguments)?,
        "dolt_diff_summary" => summary::diff_summary(&place()?, arguments)?,
        "dolt_diff_stat" => summary::diff_stat(&place()?, arguments)?,
        "dolt_schema_diff" => summary::schema_diff(&place()?, arguments)?,
        _ => return Err(SqlError::general(format!("table function: '{}' not found", name.name.text))),
    };
    Ok(Rc::new(computed))
}
