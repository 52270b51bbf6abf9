//! Row diff of two versions of a table (docs/format/database.md, section 11.3).

use tree::{Bound, Diff, Direction, Item};

use crate::diff::column_map::{Comparable, comparable};
use crate::diff::rekeyed_diff::{RoughDiff, Rows};
use crate::error::Result;
use crate::table::{Table, cardinality};

/// One changed row, in the schemas of the two versions.
#[derive(Debug, Clone)]
pub struct RowChange {
    pub kind: ChangeKind,
    /// The row before; absent for [`ChangeKind::Added`].
    pub from: Option<Item>,
    /// The row after; absent for [`ChangeKind::Removed`].
    pub to: Option<Item>,
    /// How many equal rows came or went; more than 1 only without primary key.
    pub times: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Added,
    Modified,
    Removed,
}

impl ChangeKind {
    /// As the `diff_type` columns word it.
    pub fn text(self) -> &'static str {
        match self {
            ChangeKind::Added => "added",
            ChangeKind::Modified => "modified",
            ChangeKind::Removed => "removed",
        }
    }
}

/// The changes of rows from one version of a table to another, in key order. Subtrees that both share are not read.
pub struct RowDiff {
    changes: Changes,
    is_keyless: bool,
}

enum Changes {
    None,
    /// One version has no table: all rows came, or all went.
    OneSided(ChangeKind, Box<Rows>),
    Both(Box<Diff>),
    /// The primary key is another one.
    Rough(Box<RoughDiff>),
}

impl RowDiff {
    /// All changes of rows between two versions of a table; `None` where there is none of it.
    pub fn new(from: Option<&Table>, to: Option<&Table>) -> Result<RowDiff> {
        RowDiff::between(from, to, None, None)
    }

    /// The changes of rows whose keys lie between two bounds; `None` is open. Where the primary key is another one in each
    /// version bounds mean nothing, and all changes come.
    pub fn between(
        from: Option<&Table>,
        to: Option<&Table>,
        lower: Option<&Bound<'_>>,
        upper: Option<&Bound<'_>>,
    ) -> Result<RowDiff> {
        let rows = |table: &Table| -> Result<Box<Rows>> {
            Ok(Box::new(Rows::new(table.rows().scan(lower, upper, Direction::Forward)?)))
        };
        let changes = match (from, to) {
            (None, None) => Changes::None,
            (None, Some(to)) => Changes::OneSided(ChangeKind::Added, rows(to)?),
            (Some(from), None) => Changes::OneSided(ChangeKind::Removed, rows(from)?),
            (Some(from), Some(to)) if from.schema().key.has_form_of(&to.schema().key) => {
                Changes::Both(Box::new(Diff::between(&from.rows(), &to.rows(), lower, upper)?))
            }
            (Some(from), Some(to)) => Changes::Rough(Box::new(RoughDiff::new(from, to)?)),
        };
        let is_keyless = from.or(to).is_some_and(|table| table.schema().is_keyless())
            && to.or(from).is_some_and(|table| table.schema().is_keyless());
        Ok(RowDiff { changes, is_keyless })
    }

    fn step(&mut self) -> Result<Option<RowChange>> {
        loop {
            let (from, to) = match &mut self.changes {
                Changes::None => return Ok(None),
                Changes::OneSided(kind, rows) => {
                    let Some(item) = rows.next().transpose()? else { return Ok(None) };
                    if *kind == ChangeKind::Added { (None, Some(item)) } else { (Some(item), None) }
                }
                Changes::Both(diff) => match diff.next_change()? {
                    Some(change) => (change.from, change.to),
                    None => return Ok(None),
                },
                Changes::Rough(diff) => match diff.next_change()? {
                    Some(change) => change,
                    None => return Ok(None),
                },
            };
            let change = if self.is_keyless { keyless_change(from, to)? } else { keyed_change(from, to) };
            if change.times > 0 {
                return Ok(Some(change));
            }
        }
    }
}

impl Iterator for RowDiff {
    type Item = Result<RowChange>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = self.step();
        if step.is_err() {
            self.changes = Changes::None;
        }
        step.transpose()
    }
}

fn keyed_change(from: Option<Item>, to: Option<Item>) -> RowChange {
    let kind = match (&from, &to) {
        (None, _) => ChangeKind::Added,
        (_, None) => ChangeKind::Removed,
        _ => ChangeKind::Modified,
    };
    RowChange { kind, from, to, times: 1 }
}

/// Without primary key a change of the cardinality is rows that came or went.
fn keyless_change(from: Option<Item>, to: Option<Item>) -> Result<RowChange> {
    let times = |item: &Option<Item>| item.as_ref().map_or(Ok(0), |item| cardinality(item.value()));
    let (before, after) = (times(&from)?, times(&to)?);
    Ok(match before < after {
        true => RowChange { kind: ChangeKind::Added, from: None, to, times: after - before },
        false => RowChange { kind: ChangeKind::Removed, from, to: None, times: before - after },
    })
}

/// How well two versions of a table can be compared. A version without table compares with one that has it, but only
/// forwards: a table that was dropped is another one than that of the same name that came later.
pub fn comparable_versions(from: Option<&Table>, to: Option<&Table>) -> Comparable {
    match (from, to) {
        (_, None) => Comparable::Not,
        (None, Some(_)) => Comparable::Fully,
        (Some(from), Some(to)) => comparable(from.schema(), to.schema()),
    }
}
