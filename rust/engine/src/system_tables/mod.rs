//! Tables that Dolt computes: history, branches, status, diffs (docs/format/sql-surface.md, sections 2 and 4).

pub(crate) mod diff;
mod help;
mod history;
mod information_schema;
pub(crate) mod merge;
mod mysql;
pub mod relation;
mod statistics;
mod test_run;
mod user_space;

use std::rc::Rc;

use parse::ast;
use value::Value;
use vcs::{RootValue, Schema, Table};

use crate::catalog::{Catalog, ComputedTables, Place, Relation};
use crate::error::{Result, SqlError};
use crate::write::definitions;

pub(crate) use help::procedure_names;
pub(crate) use information_schema::{
    NAME as INFORMATION_SCHEMA, PRIVILEGES, row_bytes, width as information_schema_width,
};
pub(crate) use mysql::NAME as MYSQL;
pub(crate) use user_space::is_written_by_users;

use diff::{column_diff, json_diff, patch, query_diff, summary, table_diff, workspace};
use history::{blame, branch_status, changed_tables, commits, log, reflog, refs, table_history};
use merge::{artifact_rows, preview, status};
use relation::at::At;
use relation::computed::Computed;
use relation::overridden_schema;

/// The system tables and table functions that there are.
#[derive(Debug)]
pub struct SystemTables;

impl ComputedTables for SystemTables {
    fn global(&self, catalog: &Catalog, database: Option<&str>, table: &str) -> Result<Option<Rc<dyn Relation>>> {
        let used = catalog.state.database();
        let Some(database) = database.or(used.as_deref()) else { return Ok(None) };
        let found = match database {
            name if name.eq_ignore_ascii_case(information_schema::NAME) => information_schema::find(catalog, table)?,
            name if name.eq_ignore_ascii_case(mysql::NAME) => mysql::find(table)?,
            _ => return Ok(None),
        };
        Ok(Some(Rc::new(found.ok_or_else(|| SqlError::table_not_found(table))?)))
    }

    fn of_database(
        &self,
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
            "dolt_branches" => refs::branches,
            "dolt_remote_branches" => refs::remote_branches,
            "dolt_remotes" => refs::remotes,
            "dolt_backups" => refs::backups,
            "dolt_help" => help::help,
            "dolt_tags" => refs::tags,
            "dolt_stashes" => refs::stashes,
            "dolt_status" => status::status,
            "dolt_status_ignored" => status::status_ignored,
            "dolt_merge_status" => status::merge_status,
            "dolt_conflicts" => status::conflicts,
            "dolt_schema_conflicts" => status::schema_conflicts,
            "dolt_constraint_violations" => status::constraint_violations,
            "dolt_diff" => changed_tables::diff,
            "dolt_column_diff" => column_diff::table,
            "dolt_statistics" => statistics::table,
            "dolt_branch_control" => user_space::branch_control,
            "dolt_branch_namespace_control" => user_space::branch_namespace_control,
            "dolt_branch_activity" => {
                let text = "branch activity tracking is not enabled; enable it in the server config with \
                            'behavior.branch_activity_tracking: true'";
                return Err(SqlError::general(text));
            }
            _ => return of_table(At::new(place, root, as_of), &name),
        };
        Ok(Some(Rc::new(make(At::new(place, root, as_of)))))
    }

    fn under_schema(&self, place: &Place, name: &str, rows: Option<Table>, schema: Rc<Schema>) -> Rc<dyn Relation> {
        Rc::new(overridden_schema::table(place, name, rows, schema))
    }

    fn failed_tests(&self, catalog: &Catalog, name: &str) -> Result<Vec<(String, String)>> {
        test_run::failed(catalog, name)
    }

    fn function(
        &self,
        catalog: &Catalog,
        name: &ast::ObjectName,
        arguments: &[Value<'static>],
    ) -> Result<Rc<dyn Relation>> {
        let place = || catalog.place(name.database.as_ref().map(|database| &*database.text));
        let computed = match &*name.name.text.to_lowercase() {
            "dolt_log" => log::function(&place()?, arguments)?,
            "dolt_diff" => table_diff::function(catalog, &place()?, arguments)?,
            "dolt_diff_summary" => summary::diff_summary(&place()?, arguments)?,
            "dolt_diff_stat" => summary::diff_stat(&place()?, arguments)?,
            "dolt_schema_diff" => summary::schema_diff(&place()?, arguments)?,
            "dolt_patch" => patch::function(&place()?, arguments)?,
            "dolt_branch_status" => branch_status::function(&place()?, arguments)?,
            "dolt_json_diff" => json_diff::function(arguments)?,
            "dolt_query_diff" => query_diff::function(catalog, arguments)?,
            "dolt_reflog" => reflog::function(&place()?, arguments)?,
            "dolt_preview_merge_conflicts_summary" => preview::summary(&place()?, arguments)?,
            "dolt_preview_merge_conflicts" => preview::conflicts(&place()?, arguments)?,
            "dolt_test_run" => test_run::function(catalog, arguments)?,
            _ => return Err(SqlError::general(format!("table function: '{}' not found", name.name.text))),
        };
        Ok(Rc::new(computed))
    }
}

/// The tables of a database that is not one of ours, with what SHOW TABLES calls them; `None` for ours.
pub(crate) fn global_tables(database: &str) -> Option<(Vec<&'static str>, &'static str)> {
    match database {
        name if name.eq_ignore_ascii_case(information_schema::NAME) => {
            Some((information_schema::names().collect(), "SYSTEM VIEW"))
        }
        name if name.eq_ignore_ascii_case(mysql::NAME) => Some((mysql::names().collect(), "BASE TABLE")),
        _ => None,
    }
}

/// System tables that SHOW TABLES lists when it lists them at all, beside those that are stored: as in native Dolt not all that there are.
pub(crate) fn listed_names(tables: &[String]) -> Vec<String> {
    const NAMES: [&str; 14] = [
        "dolt_branches",
        "dolt_remote_branches",
        "dolt_log",
        "dolt_conflicts",
        "dolt_constraint_violations",
        "dolt_commits",
        "dolt_commit_ancestors",
        "dolt_remotes",
        "dolt_help",
        "dolt_backups",
        "dolt_stashes",
        "dolt_branch_activity",
        "dolt_status",
        "dolt_status_ignored",
    ];
    let listed = PREFIXES.iter().filter(|prefix| **prefix != "dolt_blame_");
    let of_tables = listed.flat_map(|prefix| tables.iter().map(move |table| format!("{prefix}{table}")));
    NAMES.iter().map(|name| (*name).to_owned()).chain(of_tables).collect()
}

/// What the names of system tables that belong to one table begin with.
const PREFIXES: [&str; 7] = [
    "dolt_commit_diff_",
    "dolt_diff_",
    "dolt_history_",
    "dolt_blame_",
    "dolt_conflicts_",
    "dolt_constraint_violations_",
    "dolt_workspace_",
];

/// A system table that belongs to one table, such as `dolt_diff_<table>`, or that is stored after its first write.
fn of_table(at: At, name: &str) -> Result<Option<Rc<dyn Relation>>> {
    if at.root.find_table(name)?.is_some() {
        return Ok(None);
    }
    if let Some(empty) = user_space::empty(&at, name) {
        return Ok(Some(Rc::new(empty)));
    }
    let Some(prefix) = PREFIXES.into_iter().find(|prefix| name.starts_with(prefix)) else { return Ok(None) };
    let table = &name[prefix.len()..];
    if prefix == "dolt_workspace_" {
        let stored = at.root.find_table(table)?.map_or_else(|| table.into(), |(stored, _)| stored);
        return Ok(Some(Rc::new(workspace::table(at, name, &stored)?)));
    }
    let (stored, table) = match at.root.find_table(table)? {
        Some((stored, address)) => (stored, at.objects().table(&address)?),
        // Definitions have a past also where there are none now.
        None if matches!(prefix, "dolt_diff_" | "dolt_history_") => match definitions::empty(table)? {
            Some(empty) => (table.into(), empty),
            None => return Ok(None),
        },
        None => return Ok(None),
    };
    let computed = match prefix {
        "dolt_commit_diff_" => table_diff::between_commits(at, name, stored, &table),
        "dolt_diff_" => table_diff::history(at, name, stored, &table),
        "dolt_history_" => table_history::table(at, name, stored, &table),
        "dolt_blame_" => blame::table(at, name, stored, &table)?,
        "dolt_conflicts_" => artifact_rows::conflicts(at, name, stored, &table)?,
        _ => artifact_rows::violations(at, name, &table),
    };
    Ok(Some(Rc::new(computed)))
}
