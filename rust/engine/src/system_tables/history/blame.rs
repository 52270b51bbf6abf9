//! `dolt_blame_<table>`: the commit that changed each row last (docs/format/database.md, section 11.3).

use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

use codec::CompactSort;
use hashbrown::HashMap;
use tree::Bound;
use value::{SqlType, Value};
use vcs::{ChangeKind, Commit, Comparable, DiffHistory, Table, VersionPair};

use super::table_history::has_definitions;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::system_tables::diff::summary::{KEY_CHANGED, key_changed_text};
use crate::system_tables::diff::table_diff::prefixed;
use crate::system_tables::entry::{Entry, OfTable, RowsOfTable};
use crate::system_tables::relation::at::At;
use crate::system_tables::relation::computed::{Computed, column, moment, required, text};
use crate::system_tables::relation::row_reader::{KeyConditions, Part, RowReader, Sides};

pub const ENTRIES: &[Entry] =
    &[Entry::OfTable(OfTable { prefix: "dolt_blame_", rows: RowsOfTable::Table(table), is_listed: false })];

/// The newest change of a row that was met so far.
struct Last {
    /// `None` for a change that is not committed.
    commit: Option<Rc<Commit>>,
    removed: bool,
}

/// # Errors
/// 1105 for a table without primary key.
pub fn table(at: At, name: &str, stored: Box<str>, now: &Table) -> Result<Computed> {
    let schema = now.schema().clone();
    if schema.is_keyless() {
        return Err(SqlError::general("unable to generate blame view for table without primary key"));
    }
    let mut columns: Vec<_> = schema.primary_key.iter().map(|&at| prefixed("", &schema.columns[at])).collect();
    for (column, &at) in columns.iter_mut().zip(&schema.primary_key) {
        column.name = schema.columns[at].name.clone();
    }
    columns.push(column("commit", SqlType::varchar(1023)));
    columns.push(column("commit_date", SqlType::DateTime { decimals: 6 }));
    columns.extend(["committer", "email", "message"].map(|name| required(text(name))));
    let (width, keys) = (columns.len(), schema.primary_key.len());
    let now = now.clone();
    Ok(Computed::new(at.database(), name, columns, move |context, _, pushed| {
        let place = |column| schema.primary_key.iter().position(|&at| at == column).unwrap_or(usize::MAX);
        let part = KeyConditions::new(&schema, pushed, place).bounds(&now, &schema, context)?;
        let outputs = schema.primary_key.iter().copied().enumerate().map(|(output, column)| (column, output));
        let reader = RowReader::same(at.objects().nodes(), &schema, outputs);
        let mut pieces = Pieces::new(&at, &stored, &now, part, context)?;
        let context = context.clone();
        let blamed = std::iter::from_fn(move || pieces.next().transpose()).flat_map(|piece| {
            let (rows, failed) = match piece {
                Ok(rows) => (rows, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            rows.into_iter().map(Ok).chain(failed)
        });
        Ok(Box::new(blamed.map(move |blamed| {
            let (key, commit) = blamed?;
            let mut row = vec![Value::Null; width];
            reader.fill_from(&key, &[], &mut row, &context)?;
            row[keys] = Value::text(commit.address.to_string());
            row[keys + 1] = moment(commit.meta.committer_millis);
            row[keys + 2] = Value::text(commit.meta.committer.name.to_string());
            row[keys + 3] = Value::text(commit.meta.committer.email.to_string());
            row[keys + 4] = Value::text(commit.meta.description.to_string());
            Ok(row)
        })))
    }))
}

/// The key of a row and the commit that last changed it.
type Blamed = (Box<[u8]>, Rc<Commit>);

/// Rows of the first piece of a table; each further one has so many times as many. Each goes through the history once.
const FIRST_ROWS: u64 = 128;
const GROWTH: u64 = 16;

/// A part of a table in pieces in the order of its keys, so that a reader of the first rows does not wait for others.
struct Pieces {
    at: At,
    stored: Box<str>,
    now: Table,
    part: Part,
    context: Rc<Context>,
    /// Of the rows that are there now those that are to come; `None` where the part is not one run of keys, and is taken at once.
    rest: Option<Range<u64>>,
    size: u64,
    is_first: bool,
    is_over: bool,
}

impl Pieces {
    fn new(at: &At, stored: &str, now: &Table, part: Part, context: &Rc<Context>) -> Result<Pieces> {
        let spans = part.spans();
        let rest = match &spans[..] {
            [(lower, upper)] => Some(now.rows().ordinals(lower.as_ref(), upper.as_ref())?),
            _ => None,
        };
        let is_over = spans.is_empty();
        let (at, stored, now, context) = (at.clone(), stored.into(), now.clone(), context.clone());
        Ok(Pieces { at, stored, now, part, context, rest, size: FIRST_ROWS, is_first: true, is_over })
    }

    fn next(&mut self) -> Result<Option<Vec<Blamed>>> {
        if self.is_over {
            return Ok(None);
        }
        // An error is the last that there is.
        self.is_over = true;
        let mut spans = self.part.spans();
        let (rows, fields) = (self.now.rows(), self.now.schema().primary_key.len());
        let (mut first, mut end) = (None, None);
        if let Some(rest) = &mut self.rest {
            let until = rest.start.saturating_add(self.size).min(rest.end);
            first = if self.is_first { None } else { rows.item(rest.start)? };
            end = if until < rest.end { rows.item(until)? } else { None };
            rest.start = until;
        }
        if let (Some(first), Some((lower, _))) = (&first, spans.first_mut()) {
            *lower = Some(Bound::before(first.key(), fields));
        }
        if let (Some(end), Some((_, upper))) = (&end, spans.first_mut()) {
            *upper = Some(Bound::before(end.key(), fields));
        }
        let warned = if self.is_first { Some(&*self.context) } else { None };
        let blamed = blamed(&self.at, &self.stored, &self.now, &spans, warned)?;
        self.size = self.size.saturating_mul(GROWTH);
        (self.is_first, self.is_over) = (false, end.is_none());
        Ok(Some(blamed))
    }
}

/// Keys of the rows of a part of the table with the commits that changed them last, in key order. Rows that were changed since,
/// or are gone, have none.
fn blamed(at: &At, stored: &str, now: &Table, spans: &[Sides<'_>], warned: Option<&Context>) -> Result<Vec<Blamed>> {
    let (head, address) = (at.head()?, Some(now.address()));
    let of_definitions = has_definitions(stored);
    let history = match of_definitions {
        true => DiffHistory::of_definitions(at.objects(), stored, &head, address),
        false => DiffHistory::new(at.objects(), stored, &head, address),
    };
    let mut found = LastChanges { now, spans, last: HashMap::new() };
    for pair in history {
        let pair = pair?;
        // Of definitions the reference tells what is committed.
        if of_definitions && pair.to.commit.is_none() {
            continue;
        }
        // Definitions have one key, and where their table is not there it counts as one without rows.
        let comparable = if of_definitions { Comparable::Fully } else { pair.comparable()? };
        if let (Some(context), false) = (warned, comparable == Comparable::Fully) {
            let hash = |commit: &Option<Rc<Commit>>| {
                commit.as_ref().map_or_else(|| "WORKING".to_owned(), |commit| commit.address.to_string())
            };
            context.session.warn(KEY_CHANGED, key_changed_text(&hash(&pair.from.commit), &hash(&pair.to.commit)));
        }
        if comparable == Comparable::Not {
            break;
        }
        found.take(&pair, comparable == Comparable::Fully)?;
        if comparable != Comparable::Fully {
            break;
        }
    }
    found.into_blamed(at)
}

/// The last changes of the rows of a part of a table.
struct LastChanges<'a> {
    now: &'a Table,
    spans: &'a [Sides<'a>],
    last: HashMap<Box<[u8]>, Last>,
}

impl LastChanges<'_> {
    /// Takes in what changed between two versions.
    fn take(&mut self, pair: &VersionPair, has_same_key: bool) -> Result<()> {
        let LastChanges { now, spans, last } = self;
        let rows = now.rows();
        let changes = spans.iter().map(|(lower, upper)| pair.rows_between(lower.as_ref(), upper.as_ref()));
        let ordinals =
            |(lower, upper): &Sides<'_>| -> Result<Range<u64>> { Ok(rows.ordinals(lower.as_ref(), upper.as_ref())?) };
        // Where the key is another one all changes come, whatever is asked.
        let parts = match has_same_key {
            true => None,
            false => Some(spans.iter().map(ordinals).collect::<Result<Vec<_>>>()?),
        };
        let date =
            |commit: &Option<Rc<Commit>>| commit.as_ref().map_or(i64::MAX, |commit| commit.meta.committer_millis);
        for change in changes.collect::<vcs::Result<Vec<_>>>()?.into_iter().flatten() {
            let change = change?;
            let Some(item) = change.to.as_ref().or(change.from.as_ref()) else { continue };
            if let Some(parts) = &parts {
                let before = Bound::before(item.key(), now.schema().primary_key.len());
                let at = rows.ordinals(Some(&before), None)?.start;
                if change.to.is_none() || !parts.iter().any(|part| part.contains(&at)) {
                    continue;
                }
            }
            // A key in other letters that its collation takes for the same is gone with them.
            let other_letters = match (&change.from, &change.to) {
                (Some(from), Some(to)) if from.key() != to.key() => Some((from.key(), true)),
                _ => None,
            };
            let changed = (item.key(), change.kind == ChangeKind::Removed);
            for (key, removed) in std::iter::once(changed).chain(other_letters) {
                match last.get_mut(key) {
                    // Of changes at one time the one that was met first counts.
                    Some(known) if date(&known.commit) >= date(&pair.to.commit) => {}
                    Some(known) => *known = Last { commit: pair.to.commit.clone(), removed },
                    None => {
                        last.insert(key.into(), Last { commit: pair.to.commit.clone(), removed });
                    }
                }
            }
        }
        Ok(())
    }

    /// The rows that are there and were committed, in key order.
    fn into_blamed(self, at: &At) -> Result<Vec<Blamed>> {
        let there = self.last.into_iter().filter(|(_, last)| !last.removed);
        let mut rows: Vec<Blamed> = there.filter_map(|(key, last)| Some((key, last.commit?))).collect();
        let mut failed = None;
        rows.compact_sort_by(|(a, _), (b, _)| {
            self.now.schema().key.compare(at.objects().nodes(), a, b).unwrap_or_else(|error| {
                failed.get_or_insert(error);
                Ordering::Equal
            })
        });
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(rows),
        }
    }
}
