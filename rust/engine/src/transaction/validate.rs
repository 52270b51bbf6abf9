//! Validation of a commit: conflicts, and rows that violate constraints (docs/format/database.md, section 6.3).

use std::collections::BTreeMap;
use std::rc::Rc;

use vcs::{Artifact, ArtifactKind, Objects, RefChange, RootValue};

use super::merge::WORKING_SETS;
use crate::catalog::Catalog;
use crate::error::{Result, SqlError};

const CONFLICTS: &str = "Merge conflict detected, transaction rolled back. Merge conflicts must be resolved using the \
     dolt_conflicts and dolt_schema_conflicts tables before committing a transaction. To commit transactions with merge \
     conflicts, set @@dolt_allow_commit_conflicts = 1";
const CONFLICTS_AUTOCOMMIT: &str = "Merge conflict detected, @autocommit transaction rolled back. @autocommit must be \
     disabled so that merge conflicts can be resolved using the dolt_conflicts and dolt_schema_conflicts tables before \
     manually committing the transaction. Alternatively, to commit transactions with merge conflicts, set \
     @@dolt_allow_commit_conflicts = 1";
const VIOLATIONS: &str = "Committing this transaction resulted in a working set with constraint violations, transaction \
     rolled back. This constraint violation may be the result of a previous merge or the result of transaction sequencing. \
     Constraint violations from a merge can be resolved using the dolt_constraint_violations table before committing the \
     transaction. To allow transactions to be committed with constraint violations from a merge or transaction sequencing \
     set @@dolt_force_transaction_commit=1.\nConstraint violations: ";

/// Refuses working sets with conflicts or violations, unless the session's variables allow them.
///
/// The addresses come from `edits`: the nodes that had the names before were dropped when others came in their place.
pub fn working_sets(catalog: &Catalog, objects: &Rc<Objects>, edits: &[RefChange]) -> Result<()> {
    let is_on = |name: &str| catalog.state.variables.borrow().integer(name) != 0;
    if is_on("dolt_force_transaction_commit") {
        return Ok(());
    }
    for edit in edits.iter().filter(|edit| edit.name.starts_with(WORKING_SETS)) {
        let Some(after) = edit.after else { continue };
        let set = objects.working_set(&after)?;
        let root = objects.root_value(&set.working)?;
        let tables = match (&set.merge, edit.before) {
            (Some(_), _) => all_tables(&root)?,
            (None, Some(before)) => {
                let before = objects.working_set(&before)?.working;
                if before == set.working {
                    continue;
                }
                vcs::changed_tables(&objects.root_value(&before)?, &root)?
            }
            (None, None) => continue,
        };
        let artifacts = artifacts(&root, &tables)?;
        let has_schema_conflicts = set.merge.as_ref().is_some_and(|merge| !merge.unmergable_tables.is_empty());
        let is_conflict = |artifact: &Artifact| artifact.kind == ArtifactKind::Conflict;
        let has_conflicts = artifacts.iter().any(|(_, artifacts)| artifacts.iter().any(is_conflict));
        if (has_conflicts || has_schema_conflicts) && !is_on("dolt_allow_commit_conflicts") {
            let is_autocommit = catalog.state.variables.borrow().is_autocommit();
            return Err(SqlError::general(if is_autocommit { CONFLICTS_AUTOCOMMIT } else { CONFLICTS }));
        }
        let violations: Vec<String> =
            artifacts.iter().map(|(_, artifacts)| described(artifacts)).filter(|text| !text.is_empty()).collect();
        if !violations.is_empty() {
            return Err(SqlError::general(format!("{VIOLATIONS}{}", violations.join(", "))));
        }
    }
    Ok(())
}

fn all_tables(root: &RootValue) -> Result<Vec<Box<str>>> {
    root.tables().map(|entry| Ok(entry?.0)).collect()
}

fn artifacts(root: &RootValue, tables: &[Box<str>]) -> Result<Vec<(Box<str>, Vec<Artifact>)>> {
    let mut all = Vec::new();
    for name in tables {
        let Some(table) = root.table(name)? else { continue };
        let mut artifacts = Vec::new();
        table.each_artifact(&mut |artifact| {
            artifacts.push(artifact);
            Ok(())
        })?;
        if !artifacts.is_empty() {
            all.push((name.clone(), artifacts));
        }
    }
    Ok(all)
}

/// The violations of a table, each kind with its number of rows.
fn described(artifacts: &[Artifact]) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for artifact in artifacts.iter().filter(|artifact| artifact.kind != ArtifactKind::Conflict) {
        *counts.entry(description(artifact)).or_default() += 1;
    }
    let text = |(text, rows): (String, usize)| match rows {
        1 => text,
        rows => format!("{text} ({rows} row(s))"),
    };
    counts.into_iter().map(text).collect()
}

fn description(artifact: &Artifact) -> String {
    let info = artifact.violation_info().and_then(|info| value::Json::parse(&info).ok());
    let field = |name: &str| -> String {
        let Some(value::Json::Object(members)) = &info else { return String::new() };
        match members.get(name) {
            Some(value::Json::Array(items)) => {
                let items: Vec<String> = items.iter().map(value::Json::unquoted).collect();
                format!("[{}]", items.join(" "))
            }
            Some(value) => value.unquoted(),
            None => String::new(),
        }
    };
    match artifact.kind {
        ArtifactKind::Conflict => String::new(),
        ArtifactKind::ForeignKeyViolation => format!(
            "\nType: Foreign Key Constraint Violation\n\tForeignKey: {},\n\tTable: {},\n\tReferencedTable: {},\n\tIndex: \
             {},\n\tReferencedIndex: {}",
            field("ForeignKey"),
            field("Table"),
            field("ReferencedTable"),
            field("Index"),
            field("ReferencedIndex")
        ),
        ArtifactKind::UniqueViolation => format!(
            "\nType: Unique Key Constraint Violation,\n\tName: {},\n\tColumns: {}",
            field("Name"),
            field("Columns")
        ),
        ArtifactKind::NotNullViolation => {
            format!("\nType: Null Constraint Violation,\n\tColumns: {}", field("Columns"))
        }
        ArtifactKind::CheckViolation => format!(
            "\nType: Check Constraint Violation,\n\tName: {},\n\tExpression: {}",
            field("Name"),
            field("Expression")
        ),
    }
}
