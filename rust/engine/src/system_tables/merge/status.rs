//! The state of the working set: `dolt_status`, `dolt_merge_status`, conflicts and violations by table.

use std::rc::Rc;

use codec::CompactSort;
use value::{SqlType, Value};
use vcs::{DeltaKind, RootValue, Schema, StatusKind, StatusRow, WorkingSet};

use crate::catalog::create_table::definition;
use crate::error::Result;
use crate::system_tables::diff::summary::database_row_name;
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::at::At;
use crate::system_tables::relation::computed::{Computed, TEXT, all, column, key, required, text};
use crate::write::SchemaExpressions;

pub const ENTRIES: &[Entry] = &[
    Entry::listed_table("dolt_status", status),
    Entry::listed_table("dolt_status_ignored", status_ignored),
    Entry::table("dolt_merge_status", merge_status),
    Entry::listed_table("dolt_conflicts", conflicts),
    Entry::table("dolt_schema_conflicts", schema_conflicts),
    Entry::listed_table("dolt_constraint_violations", constraint_violations),
];

fn owned(text: &str) -> Value<'static> {
    Value::text(text.to_owned())
}

/// The status of the branch that AS OF names, as a rule that of the session; nothing where that is a commit.
fn rows_of(at: &At) -> Result<Vec<StatusRow>> {
    let Some(branch) = at.branch()? else { return Ok(Vec::new()) };
    let mut rows = at.place.refs.status(&branch)?;
    let roots = at.place.refs.roots(&branch)?;
    let collations = [&roots.head, &roots.staged, &roots.working].map(RootValue::collation);
    for (is_staged, pair) in [(true, &collations[..2]), (false, &collations[1..])] {
        if pair[0] != pair[1] {
            let table = database_row_name(&at.place.attached.name).into();
            rows.push(StatusRow { table, is_staged, kind: StatusKind::Table(DeltaKind::Modified), is_ignored: false });
        }
    }
    Ok(rows)
}

fn working_set(at: &At) -> Result<Option<WorkingSet>> {
    Ok(at.place.branch().map(|branch| at.place.refs.working_set(branch)).transpose()?)
}

pub fn status(at: At) -> Computed {
    let columns = vec![key("table_name", TEXT), key("staged", SqlType::BOOLEAN), key("status", TEXT)];
    Computed::new(at.database(), "dolt_status", columns, move |_, _, _| {
        let rows = rows_of(&at)?.into_iter().filter(|row| !row.is_ignored).map(|row| status_row(&row));
        all(Ok(rows.collect()))
    })
}

fn status_row(row: &StatusRow) -> Vec<Value<'static>> {
    vec![owned(&row.table), Value::boolean(row.is_staged), owned(row.kind.text())]
}

pub fn status_ignored(at: At) -> Computed {
    let columns = vec![
        key("table_name", TEXT),
        key("staged", SqlType::BOOLEAN),
        key("status", TEXT),
        required(column("ignored", SqlType::BOOLEAN)),
    ];
    Computed::new(at.database(), "dolt_status_ignored", columns, move |_, _, _| {
        let rows = rows_of(&at)?.into_iter().map(|row| {
            let mut values = status_row(&row);
            values.push(Value::boolean(row.is_ignored));
            values
        });
        all(Ok(rows.collect()))
    })
}

pub fn merge_status(at: At) -> Computed {
    let columns = vec![
        required(column("is_merging", SqlType::BOOLEAN)),
        text("source"),
        text("source_commit"),
        text("target"),
        text("unmerged_tables"),
    ];
    Computed::new(at.database(), "dolt_merge_status", columns, move |_, _, _| {
        let merge = working_set(&at)?.and_then(|set| set.merge);
        let (Some(merge), Some(branch)) = (merge, at.place.branch()) else {
            let mut row = vec![Value::boolean(false)];
            row.resize(5, Value::Null);
            return all(Ok(vec![row]));
        };
        let mut tables: Vec<Box<str>> = Vec::new();
        for (name, counts) in tables_with_artifacts(&at)? {
            if counts.conflicts > 0 || counts.violations > 0 {
                tables.push(name);
            }
        }
        for table in &merge.unmergable_tables {
            if !tables.contains(table) {
                tables.push(table.clone());
            }
        }
        all(Ok(vec![vec![
            Value::boolean(true),
            owned(&merge.from_spec),
            Value::text(merge.from_commit.to_string()),
            Value::text(format!("refs/heads/{branch}")),
            Value::text(tables.join(", ")),
        ]]))
    })
}

/// Tables of the root that have conflicts or violations, in the order of their names.
fn tables_with_artifacts(at: &At) -> Result<Vec<(Box<str>, vcs::ArtifactCounts)>> {
    let mut tables = Vec::new();
    for entry in at.root.tables() {
        let (name, address) = entry?;
        let table = at.objects().table(&address)?;
        if table.artifacts_address().is_some() {
            tables.push((name, table.artifact_counts()?));
        }
    }
    Ok(tables)
}

pub fn conflicts(at: At) -> Computed {
    let columns = vec![key("table", TEXT), required(column("num_conflicts", SqlType::BIGINT_UNSIGNED))];
    Computed::new(at.database(), "dolt_conflicts", columns, move |_, _, _| {
        let merge = working_set(&at)?.and_then(|set| set.merge);
        let mut tables: Vec<(Box<str>, u64)> = Vec::new();
        for (name, counts) in tables_with_artifacts(&at)?.into_iter().filter(|(_, counts)| counts.conflicts > 0) {
            tables.push((name, counts.conflicts));
        }
        // A table whose schemas do not merge has no conflicts in its data, and none is there at all if it was dropped.
        for table in merge.map(|merge| merge.unmergable_tables).unwrap_or_default() {
            if !tables.iter().any(|(name, _)| *name == table) && at.root.find_table(&table)?.is_some() {
                tables.push((table, 0));
            }
        }
        tables.compact_sort();
        all(Ok(tables.into_iter().map(|(name, count)| vec![owned(&name), Value::UInt(count)]).collect()))
    })
}

pub fn constraint_violations(at: At) -> Computed {
    let columns = vec![key("table", TEXT), required(column("num_violations", SqlType::BIGINT_UNSIGNED))];
    Computed::new(at.database(), "dolt_constraint_violations", columns, move |_, _, _| {
        let tables = tables_with_artifacts(&at)?.into_iter().filter(|(_, counts)| counts.violations > 0);
        all(Ok(tables.map(|(name, counts)| vec![owned(&name), Value::UInt(counts.violations)]).collect()))
    })
}

pub fn schema_conflicts(at: At) -> Computed {
    let rest = ["base_schema", "our_schema", "their_schema", "description"].map(|name| required(text(name)));
    let columns = std::iter::once(key("table_name", TEXT)).chain(rest).collect();
    Computed::new(at.database(), "dolt_schema_conflicts", columns, move |context, _, _| {
        let Some(merge) = working_set(&at)?.and_then(|set| set.merge) else { return all(Ok(Vec::new())) };
        if merge.unmergable_tables.is_empty() {
            return all(Ok(Vec::new()));
        }
        let ours = at.place.refs.head(&at.place.head)?;
        let theirs = at.objects().commit(&merge.from_commit)?;
        let base = at.objects().merge_base(&ours, &theirs)?.ok_or(vcs::VcsReason::NoCommonAncestor)?;
        let base = at.objects().commit(&base)?;
        let mut rows = Vec::new();
        for name in &merge.unmergable_tables {
            let mut schemas: Vec<Option<Rc<Schema>>> = Vec::new();
            let mut row = vec![owned(name)];
            for commit in [&base, &ours, &theirs] {
                let root = at.objects().root_value(&commit.root)?;
                let table = root.table(name)?;
                row.push(Value::text(match &table {
                    Some(table) => definition(name, table.schema(), &root)?,
                    None => "<deleted>".to_owned(),
                }));
                schemas.push(table.map(|table| table.schema().clone()));
            }
            row.push(Value::text(match &schemas[..] {
                [_, Some(_), Some(_)] => {
                    let root = |commit: &vcs::Commit| at.objects().root_value(&commit.root);
                    let expressions = SchemaExpressions::new(&context.catalog);
                    let [ours, theirs, base] = [root(&ours)?, root(&theirs)?, root(&base)?];
                    let conflict = vcs::schema_conflict(name, &ours, &theirs, &base, &expressions)?;
                    conflict.map_or(String::new(), |conflict| conflict.description())
                }
                [Some(base), ours, theirs] => {
                    let kept = ours.as_deref().or(theirs.as_deref());
                    let what = if kept.is_some_and(|kept| kept.looks_like(base)) { "data" } else { "schema" };
                    format!("cannot merge a table deletion with {what} modification")
                }
                _ => String::new(),
            }));
            rows.push(row);
        }
        all(Ok(rows))
    })
}
