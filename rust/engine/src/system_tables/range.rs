//! Two states to compare: `('a', 'b')`, `('a..b')`, `('a...b')`, then perhaps a table.

use std::rc::Rc;

use codec::CompactSort;
use value::Value;
use vcs::{Commit, RootDelta, RootValue, TableDelta, VcsError};

use super::arguments::invalid;
use crate::catalog::Place;
use crate::error::{Result, SqlError};

/// One side of a comparison.
#[derive(Clone)]
pub struct Side {
    /// As it was written; of a merge base its hash.
    pub text: Rc<str>,
    pub root: RootValue,
    /// None for WORKING and STAGED.
    pub commit: Option<Rc<Commit>>,
}

#[derive(Clone)]
pub struct Range {
    pub from: Side,
    pub to: Side,
    pub table: Option<Rc<str>>,
}

fn number_of_arguments(function: &str, expected: &str, got: usize) -> SqlError {
    SqlError::general(format!("function '{function}' expected {expected} arguments, {got} received"))
}

impl Range {
    /// Takes a function's arguments apart and looks the revisions up. `needs_table` says that a table has to be named.
    pub fn parse(place: &Place, function: &str, arguments: &[Value<'_>], needs_table: bool) -> Result<Range> {
        let mut texts = Vec::new();
        for argument in arguments {
            match argument {
                Value::Text(text) => texts.push(&**text),
                other => {
                    let shown = value::convert::to_string(other).unwrap_or_default().into_owned();
                    return Err(invalid(function, shown));
                }
            }
        }
        let is_range = texts.first().is_some_and(|text| text.contains(".."));
        let (least, most) = match (is_range, needs_table) {
            (true, true) => (2, 2),
            (true, false) => (1, 2),
            (false, true) => (3, 3),
            (false, false) => (2, 3),
        };
        if texts.len() < least || texts.len() > most {
            let expected = match (is_range, needs_table) {
                (true, true) => "2",
                (false, true) => "3",
                (true, false) => "1 or 2",
                (false, false) => "2 or 3",
            };
            return Err(number_of_arguments(function, expected, texts.len()));
        }
        let table = texts.get(if is_range { 1 } else { 2 }).map(|table| Rc::from(*table));
        let (from, to) = match (is_range, texts[0].split_once("...")) {
            (true, Some((left, right))) => {
                let (left, other) = (place.refs.commit(left, &place.head)?, place.refs.commit(right, &place.head)?);
                let base = place.refs.objects().merge_base(&left, &other)?.ok_or(VcsError::NoCommonAncestor)?;
                (base.to_string(), right.to_owned())
            }
            (true, None) => {
                let (left, right) = texts[0].split_once("..").unwrap_or_default();
                (left.to_owned(), right.to_owned())
            }
            (false, _) => (texts[0].to_owned(), texts[1].to_owned()),
        };
        if from.is_empty() || to.is_empty() {
            let text = format!("expected strings for from and to revisions, got: {from}, {to}");
            return Err(SqlError::general(text));
        }
        Ok(Range { from: Side::find(place, &from)?, to: Side::find(place, &to)?, table })
    }

    /// What differs, in the order of the names before, or of those after.
    pub fn deltas(&self, by_new_name: bool) -> Result<RootDelta> {
        let mut delta = RootDelta::between(&self.from.root, &self.to.root)?;
        if by_new_name {
            delta.tables.compact_sort_by(|a, b| {
                let name = |delta: &TableDelta| delta.to.as_ref().map(|side| side.name.clone());
                name(a).cmp(&name(b))
            });
        }
        Ok(delta)
    }

    /// The difference of the named table, under its old or its new name.
    pub fn delta_of(&self, table: &str) -> Result<Option<TableDelta>> {
        let is = |side: &Option<vcs::NamedTable>| {
            side.as_ref().is_some_and(|side| side.name.to_lowercase() == table.to_lowercase())
        };
        let mut tables = self.deltas(false)?.tables;
        let at = tables.iter().position(|delta| is(&delta.to)).or_else(|| tables.iter().position(|d| is(&d.from)));
        Ok(at.map(|at| tables.swap_remove(at)))
    }

    /// Whether a side is not committed: then `dolt_ignore` hides new tables.
    pub fn is_uncommitted(&self) -> bool {
        self.from.commit.is_none() || self.to.commit.is_none()
    }
}

impl Side {
    pub fn find(place: &Place, text: &str) -> Result<Side> {
        let named = place.refs.named_root(text, &place.head)?;
        Ok(Side { text: text.into(), root: named.root, commit: named.commit })
    }

    /// The commit's hash, or WORKING or STAGED.
    pub fn hash(&self) -> String {
        self.commit.as_ref().map_or_else(|| self.text.to_string(), |commit| commit.address.to_string())
    }
}
