//! Status: differences between HEAD, the staged and the working root (docs/format/database.md, section 5.2).

use crate::diff::table_deltas::{DeltaKind, RootDelta, TableDelta};
use crate::error::Result;
use crate::ignore::IgnorePatterns;
use crate::refs::Refs;
use crate::root_value::RootValue;

/// One line of a status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusRow {
    /// `from -> to` for a renamed table.
    pub table: Box<str>,
    pub is_staged: bool,
    pub kind: StatusKind,
    /// Left out of `dolt_status`, shown by `dolt_status_ignored`.
    pub is_ignored: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusKind {
    ConstraintViolation,
    SchemaConflict,
    Conflict,
    Table(DeltaKind),
}

impl StatusKind {
    /// As `dolt_status.status` words it.
    pub fn text(self) -> &'static str {
        match self {
            StatusKind::ConstraintViolation => "constraint violation",
            StatusKind::SchemaConflict => "schema conflict",
            StatusKind::Conflict => "conflict",
            StatusKind::Table(DeltaKind::Added) => "new table",
            StatusKind::Table(DeltaKind::Dropped) => "deleted",
            StatusKind::Table(DeltaKind::Renamed) => "renamed",
            StatusKind::Table(DeltaKind::Modified) => "modified",
        }
    }
}

/// The three roots of a branch.
pub struct Roots {
    pub head: RootValue,
    pub staged: RootValue,
    pub working: RootValue,
}

impl Refs {
    /// HEAD, staged and working root of a branch.
    pub fn roots(&self, branch: &str) -> Result<Roots> {
        let set = self.working_set(branch)?;
        let root = |address| self.objects().root_value(address);
        Ok(Roots {
            head: root(&self.branch_head(branch)?.root)?,
            staged: root(&set.staged)?,
            working: root(&set.working)?,
        })
    }

    /// The status of a branch: violations, schema conflicts, conflicts, staged changes, then changes that are not staged.
    /// Ignored tables are listed and marked.
    pub fn status(&self, branch: &str) -> Result<Vec<StatusRow>> {
        let roots = self.roots(branch)?;
        let set = self.working_set(branch)?;
        let unmergable = set.merge.map(|merge| merge.unmergable_tables).unwrap_or_default();
        status(&roots, &unmergable)
    }
}

/// The status of three roots; `unmergable` are the tables with schema conflicts.
pub fn status(roots: &Roots, unmergable: &[Box<str>]) -> Result<Vec<StatusRow>> {
    let patterns = IgnorePatterns::read(&roots.working)?;
    let staged = RootDelta::between(&roots.head, &roots.staged)?;
    let unstaged = RootDelta::between(&roots.staged, &roots.working)?;
    let [violated, conflicted] = tables_with_artifacts(&roots.working)?;
    let row = |table: &str, kind| StatusRow { table: table.into(), is_staged: false, kind, is_ignored: false };
    let mut rows: Vec<StatusRow> = Vec::new();
    rows.extend(violated.iter().map(|table| row(table, StatusKind::ConstraintViolation)));
    rows.extend(unmergable.iter().map(|table| row(table, StatusKind::SchemaConflict)));
    rows.extend(conflicted.iter().map(|table| row(table, StatusKind::Conflict)));
    let is_listed =
        |delta: &&TableDelta| !is_full_text_table(delta.name()) && !violated.iter().any(|t| **t == *delta.name());
    for delta in staged.tables.iter().filter(is_listed) {
        let kind = StatusKind::Table(delta.kind());
        rows.push(StatusRow { is_staged: true, ..row(&delta.display_name(), kind) });
    }
    for delta in unstaged.tables.iter().filter(|delta| delta.is_visible()).filter(is_listed) {
        let is_ignored = delta.kind() == DeltaKind::Added && patterns.is_ignored(delta.name())?;
        rows.push(StatusRow { is_ignored, ..row(&delta.display_name(), StatusKind::Table(delta.kind())) });
    }
    Ok(rows)
}

/// Names of the tables with constraint violations, and of those with data conflicts.
pub fn tables_with_artifacts(root: &RootValue) -> Result<[Vec<Box<str>>; 2]> {
    let [mut violated, mut conflicted] = [Vec::new(), Vec::new()];
    for entry in root.tables() {
        let (name, address) = entry?;
        if !root.objects().has_artifacts(&address)? {
            continue;
        }
        let table = root.objects().table(&address)?;
        let counts = table.artifact_counts()?;
        if counts.violations > 0 {
            violated.push(name.clone());
        }
        if counts.conflicts > 0 {
            conflicted.push(name);
        }
    }
    Ok([violated, conflicted])
}

/// Tables that full-text indexes keep; they are not shown as changes.
pub fn is_full_text_table(name: &str) -> bool {
    let name = name.to_lowercase();
    let ends = ["_fts_config", "_fts_position", "_fts_doc_count", "_fts_global_count", "_fts_row_count"];
    name.starts_with("dolt_") && ends.iter().any(|end| name.ends_with(end))
}
