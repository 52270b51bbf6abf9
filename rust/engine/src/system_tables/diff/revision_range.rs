//! Two states to compare: `('a', 'b')`, `('a..b')`, `('a...b')`, then perhaps a table.

use std::ops::RangeInclusive;
use std::rc::Rc;

use codec::CompactSort;
use value::Value;
use vcs::{Commit, NamedRoot, RootDelta, RootValue, TableDelta, VcsReason};

use crate::catalog::Place;
use crate::error::{Result, SqlError};
use crate::system_tables::relation::arguments::text_of;

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

impl Range {
    /// Takes a function's arguments apart and looks the revisions up; a table may be named.
    pub fn parse(place: &Place, function: &str, arguments: &[Value<'_>]) -> Result<Range> {
        Range::with_tables(place, function, arguments, 0..=1)
    }

    /// The same of a function that is about one table.
    pub fn parse_with_table(place: &Place, function: &str, arguments: &[Value<'_>]) -> Result<Range> {
        Range::with_tables(place, function, arguments, 1..=1)
    }

    /// `tables` is how many names of tables follow the states.
    fn with_tables(
        place: &Place,
        function: &str,
        arguments: &[Value<'_>],
        tables: RangeInclusive<usize>,
    ) -> Result<Range> {
        let texts = arguments.iter().map(|argument| text_of(function, argument)).collect::<Result<Vec<_>>>()?;
        let is_range = texts.first().is_some_and(|text| text.contains(".."));
        let states = if is_range { 1 } else { 2 };
        let (least, most) = (states + tables.start(), states + tables.end());
        if texts.len() < least || texts.len() > most {
            let (got, fewest) = (texts.len(), 1 + tables.start());
            let expected = match least == most {
                _ if got < fewest => format!("{fewest} to 3"),
                true => least.to_string(),
                false => format!("{least} or {most}"),
            };
            let of_range = if is_range && least == most { " with .. or ..." } else { "" };
            let text = format!("function '{function}{of_range}' expected {expected} arguments, {got} received");
            return Err(SqlError::general(text));
        }
        let table = texts.get(states).map(|table| Rc::from(*table));
        let (from, to) = match (is_range, texts[0].split_once("...")) {
            (true, Some((left, right))) => {
                let (left, other) = (place.refs.commit(left, &place.head)?, place.refs.commit(right, &place.head)?);
                let base = place.refs.objects().merge_base(&left, &other)?.ok_or(VcsReason::NoCommonAncestor)?;
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

    /// What differs, in the order of the names before.
    pub fn deltas(&self) -> Result<RootDelta> {
        Ok(RootDelta::between(&self.from.root, &self.to.root)?)
    }

    /// What differs, in the order of the names after.
    pub fn deltas_by_new_name(&self) -> Result<RootDelta> {
        let mut delta = self.deltas()?;
        delta.tables.compact_sort_by(|a, b| {
            let name = |delta: &TableDelta| delta.to.as_ref().map(|side| side.name.clone());
            name(a).cmp(&name(b))
        });
        Ok(delta)
    }

    /// # Errors
    /// 1146 when there is a table named that neither side has.
    pub fn check_table(&self) -> Result<()> {
        let Some(table) = &self.table else { return Ok(()) };
        match self.from.root.find_table(table)?.is_none() && self.to.root.find_table(table)?.is_none() {
            true => Err(SqlError::table_not_found(table)),
            false => Ok(()),
        }
    }

    /// The difference of the named table, under its old or its new name.
    pub fn delta_of(&self, table: &str) -> Result<Option<TableDelta>> {
        let is = |side: &Option<vcs::NamedTable>| {
            side.as_ref().is_some_and(|side| side.name.to_lowercase() == table.to_lowercase())
        };
        let mut tables = self.deltas()?.tables;
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
        Ok(Side::called(text, place.refs.named_root(text, &place.head)?))
    }

    pub fn called(text: &str, named: NamedRoot) -> Side {
        Side { text: text.into(), root: named.root, commit: named.commit }
    }

    /// The commit's hash, or WORKING or STAGED.
    pub fn hash(&self) -> String {
        self.commit.as_ref().map_or_else(|| self.text.to_string(), |commit| commit.address.to_string())
    }
}
