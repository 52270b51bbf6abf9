//! `dolt_preview_merge_conflicts_summary` and `dolt_preview_merge_conflicts`: the conflicts that a merge of two branches would have.

use std::rc::Rc;

use codec::CompactSort;
use value::{SqlType, Value};
use vcs::{Commit, MergeOptions, MergeProgress, Merged, RootValue, Table, VcsReason};

use super::artifact_rows::{self, Versions};
use crate::catalog::{Place, Relation, RowIterator};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::system_tables::entry::Entry;
use crate::system_tables::relation::arguments::text_of;
use crate::system_tables::relation::at::At;
use crate::system_tables::relation::computed::{Computed, all, column, nothing, required, text};
use crate::write::{SchemaExpressions, merge_progress};

pub const ENTRIES: &[Entry] = &[
    Entry::function(SUMMARY, |call| summary(&call.place()?, call.arguments)),
    Entry::function(CONFLICTS, |call| conflicts(&call.place()?, call.arguments)),
];

const SUMMARY: &str = "dolt_preview_merge_conflicts_summary";
const CONFLICTS: &str = "dolt_preview_merge_conflicts";

/// Two branches and the commit that they have in common.
struct Sides {
    ours: Rc<Commit>,
    theirs: Rc<Commit>,
    base: Rc<Commit>,
}

impl Sides {
    fn new(place: &Place, ours: &str, theirs: &str) -> Result<Sides> {
        if place.branch().is_none() {
            return Err(SqlError::general("this operation is not supported while in a detached head state"));
        }
        let missing = |name: &str| SqlError::general(format!("branch not found: {name}"));
        let commit = |name: &str| {
            place.refs.commit(name, &place.head).map_err(|error| match error.reason() {
                VcsReason::InvalidRevision | VcsReason::BranchNotFound(_) | VcsReason::CommitNotFound(_) => {
                    missing(name)
                }
                _ => error.into(),
            })
        };
        if let Some(name) = [ours, theirs].into_iter().find(|name| ["WORKING", "STAGED"].contains(name)) {
            return Err(missing(name));
        }
        let (ours, theirs) = (commit(ours)?, commit(theirs)?);
        let objects = place.refs.objects();
        let base = objects.merge_base(&ours, &theirs)?.ok_or(VcsReason::NoCommonAncestor)?;
        Ok(Sides { base: objects.commit(&base)?, ours, theirs })
    }

    /// The merge, of one table where it is named; `None` when there is nothing to merge.
    fn merge(
        &self,
        place: &Place,
        only: Option<&str>,
        context: &Rc<Context>,
        progress: &MergeProgress,
    ) -> Result<Option<Merged>> {
        if self.base.address == self.ours.address || self.base.address == self.theirs.address {
            return Ok(None);
        }
        let catalog = &context.catalog;
        catalog.transaction.will_write();
        let expressions = SchemaExpressions::new(catalog).interruptible();
        let options = MergeOptions {
            their_source: self.theirs.address,
            base_source: self.base.address,
            expressions: &expressions,
            names: place.names(),
            merges_json: catalog.state.variables.borrow().integer("dolt_dont_merge_json") == 0,
            keeps_schema_conflicts: true,
            is_cherry_pick: false,
            records_violations: false,
            progress: Some(progress),
        };
        let root = |commit: &Commit| -> Result<RootValue> {
            let objects = place.refs.objects();
            let whole = objects.root_value(&commit.root)?;
            let Some(name) = only else { return Ok(whole) };
            let alone = RootValue::empty(objects, whole.collation())?;
            match whole.find_table(name)? {
                Some((stored, address)) => Ok(alone.with_tables_at(&[(stored, Some(address))])?),
                None => Ok(alone),
            }
        };
        Ok(Some(vcs::merge(&root(&self.ours)?, &root(&self.theirs)?, &root(&self.base)?, &options)?))
    }
}

fn words<'a, const COUNT: usize>(name: &str, arguments: &'a [Value<'_>]) -> Result<[&'a str; COUNT]> {
    let mut words = [""; COUNT];
    if arguments.len() != COUNT {
        let text = format!("function '{name}' expected {COUNT} arguments, {} received", arguments.len());
        return Err(SqlError::general(text));
    }
    for (word, argument) in words.iter_mut().zip(arguments) {
        *word = text_of(name, argument)?;
    }
    Ok(words)
}

pub fn summary(place: &Place, arguments: &[Value<'_>]) -> Result<Computed> {
    let [ours, theirs] = words(SUMMARY, arguments)?;
    let sides = Sides::new(place, ours, theirs)?;
    let columns = vec![
        required(text("table")),
        column("num_data_conflicts", SqlType::BIGINT_UNSIGNED),
        column("num_schema_conflicts", SqlType::BIGINT_UNSIGNED),
    ];
    let (name, place) = (place.name.clone(), place.clone());
    let rows = move |context: &Rc<Context>, progress: &MergeProgress| {
        let Some(merged) = sides.merge(&place, None, context, progress)? else { return Ok(nothing()) };
        let mut rows: Vec<(Box<str>, Value<'static>, u64)> = Vec::new();
        for conflict in &merged.schema_conflicts {
            rows.push((conflict.table.clone(), Value::Null, conflict.descriptions.len() as u64));
        }
        for (name, counts) in merged.artifacts.iter().filter(|(_, counts)| counts.conflicts > 0) {
            if !rows.iter().any(|(known, ..)| *known == *name) {
                rows.push((name.clone(), Value::UInt(counts.conflicts), 0));
            }
        }
        rows.compact_sort_by(|one, two| one.0.cmp(&two.0));
        let row =
            |(name, data, schema): (Box<str>, _, _)| vec![Value::text(name.into_string()), data, Value::UInt(schema)];
        all(Ok(rows.into_iter().map(row).collect()))
    };
    let rows = Rc::new(rows);
    Ok(Computed::new(name, SUMMARY, columns, move |context, _, _| {
        let rows = rows.clone();
        Ok(RowsOfMerge::begin(context, move |context, progress| rows(context, progress)))
    }))
}

pub fn conflicts(place: &Place, arguments: &[Value<'_>]) -> Result<Computed> {
    let [ours, theirs, table] = words(CONFLICTS, arguments)?;
    let sides = Sides::new(place, ours, theirs)?;
    let of =
        |commit: &Commit| -> Result<Option<Table>> { Ok(place.refs.objects().root_value(&commit.root)?.table(table)?) };
    let (ours, versions) = (of(&sides.ours)?, Versions { base: of(&sides.base)?, theirs: of(&sides.theirs)? });
    let any = ours.as_ref().or(versions.theirs.as_ref()).or(versions.base.as_ref());
    let any = any.ok_or_else(|| SqlError::table_not_found(table))?;
    let (columns, _) = artifact_rows::conflict_columns(any.schema(), &versions);
    let (database, place, table) = (place.name.clone(), place.clone(), Box::<str>::from(table));
    let names: Rc<[Rc<str>]> = columns.iter().map(|column| column.name.clone()).collect();
    let rows = move |context: &Rc<Context>, progress: &MergeProgress, wanted: &[usize]| {
        let Some(merged) = sides.merge(&place, Some(&table), context, progress)? else { return Ok(nothing()) };
        if let Some(conflict) = merged.schema_conflicts.iter().find(|conflict| conflict.table == table) {
            return Err(SqlError::general(format!("schema conflicts found: {}", conflict.descriptions.len())));
        }
        let Some(ours) = merged.root.table(&table)? else { return Ok(nothing()) };
        let at = At::new(&place, &merged.root, None);
        let conflicts = artifact_rows::conflicts(at, CONFLICTS, table.clone(), &ours)?;
        // The merged table may have columns that ours has not.
        let place = |name: &Rc<str>| conflicts.columns().iter().position(|column| column.name == *name);
        let places: Vec<_> = names.iter().map(place).collect();
        let needed: Vec<usize> = wanted.iter().filter_map(|&at| places[at]).collect();
        let rows = conflicts.rows(context, &needed, &[])?;
        Ok(Box::new(rows.map(move |row| {
            let row = row?;
            Ok(places.iter().map(|place| place.map_or(Value::Null, |at| row[at].clone())).collect())
        })) as RowIterator)
    };
    let rows = Rc::new(rows);
    Ok(Computed::new(database, CONFLICTS, columns, move |context, wanted, _| {
        let (rows, wanted) = (rows.clone(), wanted.to_vec());
        Ok(RowsOfMerge::begin(context, move |context, progress| rows(context, progress, &wanted)))
    }))
}

type Merge = dyn Fn(&Rc<Context>, &MergeProgress) -> Result<RowIterator>;

/// The rows of a merge, which comes before the first one. While it lasts there are rows without values, at which the host has its turn.
struct RowsOfMerge {
    context: Rc<Context>,
    progress: MergeProgress,
    merge: Box<Merge>,
    rows: Option<RowIterator>,
}

impl RowsOfMerge {
    fn begin(
        context: &Rc<Context>,
        merge: impl Fn(&Rc<Context>, &MergeProgress) -> Result<RowIterator> + 'static,
    ) -> RowIterator {
        let (progress, merge) = (merge_progress(context), Box::new(merge));
        Box::new(RowsOfMerge { context: context.clone(), progress, merge, rows: None })
    }
}

impl Iterator for RowsOfMerge {
    type Item = Result<Vec<Value<'static>>>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = match &mut self.rows {
            Some(rows) => rows,
            none => match (self.merge)(&self.context, &self.progress) {
                Ok(rows) => none.insert(rows),
                Err(_) if self.progress.take_pause() => return Some(Ok(Vec::new())),
                Err(error) => return Some(Err(error)),
            },
        };
        rows.next()
    }
}
