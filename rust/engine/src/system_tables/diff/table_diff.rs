//! Changed rows of one table: `dolt_diff_<table>`, `dolt_commit_diff_<table>` and the function `dolt_diff`
//! (docs/format/database.md, section 11.3).

use std::cmp::Ordering;
use std::rc::Rc;

use value::{Collation, SqlType, Value};
use vcs::{ChangeKind, ColumnMap, Commit, Comparable, DiffHistory, RowChange, RowDiff, Schema, Table, Version};

use super::revision_range::{Range, Side};
use super::summary::{KEY_CHANGED, key_changed_text};
use crate::catalog::{Catalog, Column, Place, Pushed, RowIterator, ToldIndex, column_of};
use crate::error::{Result, SqlError};
use crate::expr::{CompareOp, Context};
use crate::system_tables::entry::{Entry, RowsOfTable};
use crate::system_tables::history::table_history::{as_definitions, has_definitions};
use crate::system_tables::relation::arguments::{Arguments, OptionName, Takes, option};
use crate::system_tables::relation::at::At;
use crate::system_tables::relation::computed::{Computed, column, equal_text, moment, nothing};
use crate::system_tables::relation::row_reader::{KeyConditions, Part, RowReader, shown};
use crate::write::definitions;

pub const ENTRIES: &[Entry] = &[
    Entry::function("dolt_diff", |call| function(call.catalog, &call.place()?, call.arguments)),
    Entry::of_table(
        "dolt_commit_diff_",
        RowsOfTable::Table(|at, name, stored, table| Ok(between_commits(at, name, stored, table))),
    ),
    Entry::of_table("dolt_diff_", RowsOfTable::Past(|at, name, stored, table| Ok(history(at, name, stored, table)))),
];

/// The columns of a diff: those of the new version, its commit and date, those of the old one, its commit and date, and
/// what happened.
#[derive(Clone)]
pub struct Layout {
    to: Rc<Schema>,
    from: Rc<Schema>,
    /// Positions in the schemas that are shown.
    to_shown: Rc<[usize]>,
    from_shown: Rc<[usize]>,
}

impl Layout {
    pub fn of(to: &Rc<Schema>, from: &Rc<Schema>) -> Layout {
        Layout { to: to.clone(), from: from.clone(), to_shown: shown(to).into(), from_shown: shown(from).into() }
    }

    fn to_commit(&self) -> usize {
        self.to_shown.len()
    }

    fn start_of_from(&self) -> usize {
        self.to_shown.len() + 2
    }

    fn place_of_from_commit(&self) -> usize {
        self.start_of_from() + self.from_shown.len()
    }

    fn width(&self) -> usize {
        self.place_of_from_commit() + 3
    }

    pub fn columns(&self) -> Vec<Column> {
        let mut columns = Vec::new();
        let sides = [("to", &self.to, &self.to_shown), ("from", &self.from, &self.from_shown)];
        for (prefix, schema, shown) in sides {
            columns.extend(shown.iter().map(|&at| prefixed(prefix, &schema.columns[at])));
            columns.push(column(&format!("{prefix}_commit"), SqlType::varchar(1023)));
            columns.push(column(&format!("{prefix}_commit_date"), SqlType::DateTime { decimals: 6 }));
        }
        columns.push(column("diff_type", SqlType::varchar(1023)));
        columns
    }

    /// The columns of the key on either side.
    fn keys(&self) -> [Vec<usize>; 2] {
        let key = |schema: &Schema, shown: &[usize], start: usize| {
            let places = schema.primary_key.iter().filter_map(|column| shown.iter().position(|at| at == column));
            places.map(|at| start + at).collect()
        };
        [key(&self.to, &self.to_shown, 0), key(&self.from, &self.from_shown, self.start_of_from())]
    }

    fn commits(&self) -> [usize; 2] {
        [self.to_commit(), self.place_of_from_commit()]
    }

    /// The commits, and the first column of the key on either side.
    fn less_by(&self) -> Vec<usize> {
        self.commits().into_iter().chain(self.keys().iter().filter_map(|key| key.first().copied())).collect()
    }

    /// The columns of a table's history; without a key not even the commits are unique.
    fn indexes_of_history(&self) -> Vec<ToldIndex> {
        let [to, from] = self.keys();
        if to.is_empty() {
            return Vec::new();
        }
        let [to_commit, from_commit] = self.commits();
        vec![
            ToldIndex::unique("to_pks", to),
            ToldIndex::unique("from_pks", from),
            ToldIndex::repeating("to_commit", [to_commit]),
            ToldIndex::repeating("from_commit", [from_commit]),
        ]
    }

    /// The same of two commits: these, then the key.
    fn indexes_between_commits(&self) -> [ToldIndex; 2] {
        let [to, from] = self.keys().map(|key| self.commits().into_iter().chain(key).collect::<Vec<_>>());
        [ToldIndex::unique("commits_to", to), ToldIndex::unique("commits_from", from)]
    }

    /// What the conditions say about the key of either side.
    fn conditions(&self, pushed: &[Pushed]) -> KeyConditions {
        let place = |shown: &[usize], start: usize, column: usize| {
            shown.iter().position(|&at| at == column).map_or(usize::MAX, |at| start + at)
        };
        let to = KeyConditions::new(&self.to, pushed, |column| place(&self.to_shown, 0, column));
        match to.is_empty() {
            true => KeyConditions::new(&self.from, pushed, |c| place(&self.from_shown, self.start_of_from(), c)),
            false => to,
        }
    }
}

/// A column of one side of a comparison, where the row may not exist.
pub fn prefixed(prefix: &str, of: &vcs::Column) -> Column {
    let mut column = column_of(of);
    column.name = format!("{prefix}_{}", of.name).into();
    column.ty.nullable = true;
    column.primary = false;
    let (generated, on_update) = (None, None);
    column.shows = Some(Rc::new(vcs::Column { generated, on_update, is_auto_increment: false, ..of.clone() }));
    column
}

/// One side: a version of the table and what it is called.
#[derive(Clone)]
struct End {
    table: Option<Table>,
    name: Rc<str>,
    date: Value<'static>,
}

impl End {
    fn of_commit(table: Option<Table>, commit: &Commit) -> End {
        let name = commit.address.to_string().into();
        End { table, name, date: moment(commit.meta.committer_millis) }
    }

    fn of_version(version: &Version) -> Result<End> {
        let table = version.table()?;
        Ok(match &version.commit {
            Some(commit) => End::of_commit(table, commit),
            None => End { table, name: "WORKING".into(), date: Value::Null },
        })
    }

    fn of_side(side: &Side, table: Option<Table>) -> End {
        let date = side.commit.as_ref().map_or(Value::Null, |commit| moment(commit.meta.committer_millis));
        End { table, name: side.text.clone(), date }
    }
}

/// Two versions to compare.
struct Pair {
    from: End,
    to: End,
}

impl Pair {
    fn comparable(&self) -> Comparable {
        match (&self.from.table, &self.to.table) {
            // A table that was dropped is another one than that of the same name that came later.
            (_, None) => Comparable::Not,
            (None, Some(_)) => Comparable::Fully,
            (Some(from), Some(to)) => vcs::comparable(from.schema(), to.schema()),
        }
    }

    fn key_changed(&self) -> String {
        key_changed_text(&self.from.name, &self.to.name)
    }
}

/// Whether a keyless row is listed once for each equal row that was added or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repeat {
    Each,
    Once,
}

/// What a query asks of a diff.
#[derive(Clone)]
struct Asked {
    layout: Layout,
    columns: Rc<[usize]>,
    conditions: KeyConditions,
    repeat: Repeat,
    context: Rc<Context>,
}

impl Asked {
    fn of(layout: &Layout, columns: &[usize], pushed: &[Pushed], repeat: Repeat, context: &Rc<Context>) -> Asked {
        let conditions = layout.conditions(pushed);
        Asked { layout: layout.clone(), columns: columns.into(), conditions, repeat, context: context.clone() }
    }
}

/// The rows of one pair of versions.
fn pair_rows(asked: &Asked, pair: Pair) -> Result<RowIterator> {
    let layout = &asked.layout;
    let some = pair.to.table.as_ref().or(pair.from.table.as_ref());
    let Some(some) = some else { return Ok(nothing()) };
    let nodes = some.objects().nodes().clone();
    // With no conditions on the key everything is compared; with some only the part of the key that they leave.
    let target = if some.schema().address == layout.to.address { &layout.to } else { &layout.from };
    let part = match (&pair.from.table, &pair.to.table) {
        (Some(from), Some(to)) if !from.schema().key.has_form_of(&to.schema().key) => Part::All,
        _ => asked.conditions.bounds(some, target, &asked.context)?,
    };
    let spans = part.spans();
    if spans.is_empty() {
        return Ok(nothing());
    }
    let (from, to) = (pair.from.table.as_ref(), pair.to.table.as_ref());
    let diffs = spans.iter().map(|(lower, upper)| RowDiff::between(from, to, lower.as_ref(), upper.as_ref()));
    let diff = diffs.collect::<vcs::Result<Vec<_>>>()?.into_iter().flatten();
    let reader = |table: &Option<Table>, target: &Rc<Schema>, shown: &[usize], start: usize| -> Result<_> {
        let Some(table) = table else { return Ok(None) };
        let source = table.schema();
        let Some(map) = ColumnMap::for_diff(source, target) else { return Ok(None) };
        let outputs = shown.iter().enumerate().map(|(at, &column)| (column, start + at));
        let wanted = outputs.filter(|(_, output)| asked.columns.contains(output));
        Ok(Some(RowReader::new(&nodes, source, target, &map, wanted)))
    };
    let to_reader = reader(&pair.to.table, &layout.to, &layout.to_shown, 0)?;
    let from_reader = reader(&pair.from.table, &layout.from, &layout.from_shown, layout.start_of_from())?;
    let (asked, repeat) = (asked.clone(), asked.repeat);
    let row = move |change: &RowChange| -> Result<Vec<Value<'static>>> {
        let layout = &asked.layout;
        let mut row = vec![Value::Null; layout.width()];
        for (item, reader) in [(&change.to, &to_reader), (&change.from, &from_reader)] {
            if let (Some(item), Some(reader)) = (item, reader) {
                reader.fill(item, &mut row, &asked.context)?;
            }
        }
        for (end, start) in [(&pair.to, layout.to_commit()), (&pair.from, layout.place_of_from_commit())] {
            row[start] = Value::text(end.name.to_string());
            row[start + 1] = end.date.clone();
        }
        row[layout.width() - 1] = Value::text(change.kind.text());
        Ok(row)
    };
    Ok(Box::new(diff.flat_map(move |change| {
        let read = || -> Result<_> {
            let change = change?;
            let times = if repeat == Repeat::Each { change.times } else { 1 };
            Ok((row(&change)?, times))
        };
        let (row, times) = match read() {
            Ok((row, times)) => (Ok(row), times),
            Err(error) => (Err(error), 1),
        };
        std::iter::repeat_n(row, usize::try_from(times).unwrap_or(usize::MAX))
    })))
}

/// Whether the conditions on commits and dates let a pair through; the engine tests all of them again.
fn passes(layout: &Layout, pushed: &[Pushed], pair: &Pair) -> bool {
    pushed.iter().all(|condition| {
        let ends = [(&pair.to, layout.to_commit()), (&pair.from, layout.place_of_from_commit())];
        ends.into_iter().all(|(end, start)| {
            let value = match condition.column.checked_sub(start) {
                Some(0) => Value::text(&*end.name),
                Some(1) => end.date.clone(),
                _ => return true,
            };
            match value::compare(&value, &condition.value, Collation::UTF8MB4_0900_BIN) {
                Ok(Some(order)) => holds(condition.op, order),
                Ok(None) => false,
                Err(_) => true,
            }
        })
    })
}

fn holds(op: CompareOp, order: Ordering) -> bool {
    match op {
        CompareOp::Equal | CompareOp::NullSafeEqual => order.is_eq(),
        CompareOp::NotEqual => order.is_ne(),
        CompareOp::Less => order.is_lt(),
        CompareOp::LessOrEqual => order.is_le(),
        CompareOp::Greater => order.is_gt(),
        CompareOp::GreaterOrEqual => order.is_ge(),
    }
}

/// The rows of pair after pair, until one cannot be compared.
struct HistoryRows<P> {
    asked: Asked,
    pushed: Vec<Pushed>,
    pairs: P,
    rows: RowIterator,
    ended: bool,
}

impl<P: Iterator<Item = Result<Pair>>> HistoryRows<P> {
    fn new(asked: Asked, pushed: &[Pushed], pairs: P) -> HistoryRows<P> {
        HistoryRows { asked, pushed: pushed.to_vec(), pairs, rows: nothing(), ended: false }
    }

    /// Goes on to the next pair; `false` at the end.
    fn advance(&mut self) -> Result<bool> {
        while !self.ended {
            let Some(pair) = self.pairs.next().transpose()? else { break };
            if !passes(&self.asked.layout, &self.pushed, &pair) {
                continue;
            }
            match pair.comparable() {
                Comparable::Fully => {}
                comparable => {
                    self.asked.context.session.warn(KEY_CHANGED, pair.key_changed());
                    self.ended = true;
                    if comparable == Comparable::Not {
                        break;
                    }
                }
            }
            self.rows = pair_rows(&self.asked, pair)?;
            return Ok(true);
        }
        self.ended = true;
        Ok(false)
    }
}

impl<P: Iterator<Item = Result<Pair>>> Iterator for HistoryRows<P> {
    type Item = Result<Vec<Value<'static>>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.rows.next() {
                return Some(row);
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// `dolt_diff_<table>`: every change in the history of HEAD, then of the working set, newest first.
pub fn history(at: At, name: &str, stored: Box<str>, table: &Table) -> Computed {
    let layout = Layout::of(table.schema(), table.schema());
    let mut columns = layout.columns();
    let working = table.clone();
    let less_by = layout.less_by();
    // The reference says nothing of the keys of these two, compares each commit with its first parent, and takes a table that is not
    // there for one without rows.
    let of_definitions = has_definitions(&stored);
    let indexes = if of_definitions { Vec::new() } else { layout.indexes_of_history() };
    if of_definitions {
        as_definitions(&stored, &mut columns);
        for at in layout.commits().into_iter().chain([layout.width() - 1]) {
            columns[at].ty.sql = SqlType::VarChar { length: 1023, collation: Collation::UTF8MB4_0900_AI_CI };
        }
        columns[layout.width() - 1].ty.nullable = false;
    }
    let rows = Computed::new(at.database(), name, columns, move |context, columns, pushed| {
        let asked = Asked::of(&layout, columns, pushed, Repeat::Each, context);
        let head = at.head()?;
        let now = End { table: Some(working.clone()), name: "WORKING".into(), date: Value::Null };
        let empty = if of_definitions { definitions::empty(&stored)? } else { None };
        let or_empty = move |end: End| End { table: end.table.or_else(|| empty.clone()), ..end };
        // One commit needs no walk: it is compared with its parents.
        if let Some(to) = equal_text(pushed, layout.to_commit()) {
            let commit = if to == "WORKING" { Some(head.clone()) } else { at.reachable(to)? };
            let Some(commit) = commit else { return Ok(nothing()) };
            let (to, from) = match to {
                "WORKING" => (now, vec![head.clone()]),
                _ => {
                    let to = or_empty(End::of_commit(table_at(&at, &commit, &stored)?, &commit));
                    let parents_max = if of_definitions { 1 } else { usize::MAX };
                    let parents = commit.parents.iter().take(parents_max).map(|parent| at.objects().commit(parent));
                    (to, parents.collect::<vcs::Result<Vec<_>>>()?)
                }
            };
            let mut pairs = Vec::new();
            for from in from {
                let from = or_empty(End::of_commit(table_at(&at, &from, &stored)?, &from));
                let address = |end: &End| end.table.as_ref().map(Table::address);
                if address(&from) != address(&to) && (to.table.is_some() || &*to.name == "WORKING") {
                    pairs.push(Ok(Pair { from, to: to.clone() }));
                }
            }
            return Ok(Box::new(HistoryRows::new(asked, pushed, pairs.into_iter())));
        }
        let address = at.root.find_table(&stored)?.map(|(_, address)| address);
        let history = match of_definitions {
            true => DiffHistory::of_definitions(at.objects(), &stored, &head, address),
            false => DiffHistory::new(at.objects(), &stored, &head, address),
        };
        let pairs = history.map(move |pair| {
            let pair = pair?;
            Ok(Pair { from: or_empty(End::of_version(&pair.from)?), to: or_empty(End::of_version(&pair.to)?) })
        });
        Ok(Box::new(HistoryRows::new(asked, pushed, pairs)))
    });
    rows.with_less_by(less_by).with_indexes(indexes)
}

/// The table as it is at a commit.
fn table_at(at: &At, commit: &Commit, name: &str) -> Result<Option<Table>> {
    Ok(at.objects().root_value(&commit.root)?.table(name)?)
}

/// `dolt_commit_diff_<table>`: between two commits that the query has to name.
pub fn between_commits(at: At, name: &str, stored: Box<str>, table: &Table) -> Computed {
    let layout = Layout::of(table.schema(), table.schema());
    let columns = layout.columns();
    let name: Rc<str> = name.into();
    let indexes = layout.indexes_between_commits();
    let rows = Computed::new(at.database(), &name.clone(), columns, move |context, columns, pushed| {
        let side = |column: usize, column_name: &str| -> Result<End> {
            let text = equal_text(pushed, column).ok_or_else(|| {
                let what = "dolt_commit_diff_* tables must be filtered to a single";
                SqlError::general(format!("error querying table {name}: {what} '{column_name}'"))
            })?;
            let side = Side::called(text, at.place.named_root(text)?);
            let table = side.root.table(&stored)?;
            Ok(End::of_side(&side, table))
        };
        let (to, from) = (side(layout.to_commit(), "to_commit")?, side(layout.place_of_from_commit(), "from_commit")?);
        let asked = Asked::of(&layout, columns, pushed, Repeat::Each, context);
        if to.table.as_ref().map(Table::address) == from.table.as_ref().map(Table::address) {
            return Ok(nothing());
        }
        pair_rows(&asked, Pair { from, to })
    });
    rows.with_indexes(indexes)
}

const OPTIONS: [OptionName; 2] = [option("skinny", '\0', Takes::Nothing), option("include-cols", '\0', Takes::List)];

/// `dolt_diff(from, to, table)`.
pub fn function(catalog: &Catalog, place: &Place, values: &[Value<'_>]) -> Result<Computed> {
    const NAME: &str = "dolt_diff";
    let arguments = Arguments::parse(NAME, &OPTIONS, values)?;
    let words: Vec<Value<'_>> = arguments.words.iter().map(|word| Value::text(word.as_str())).collect();
    let range = Range::parse_with_table(place, NAME, &words)?;
    let name = range.table.clone().unwrap_or_default();
    let (mut from, mut to) = (range.from.root.table(&name)?, range.to.root.table(&name)?);
    if (from.is_none() || to.is_none())
        && let Some(delta) = range.delta_of(&name)?
    {
        // A renamed table is there under its other name.
        from = delta.from.map(|side| side.table);
        to = delta.to.map(|side| side.table);
    }
    let schema = |own: &Option<Table>, other: &Option<Table>| {
        own.as_ref().or(other.as_ref()).map(|table| table.schema().clone())
    };
    let (Some(from_schema), Some(to_schema)) = (schema(&from, &to), schema(&to, &from)) else {
        return Err(SqlError::table_not_found(&name));
    };
    let overriding = catalog.overriding_schema(place, &name)?;
    let mut layout = match &overriding {
        Some(schema) => Layout::of(schema, schema),
        None => Layout::of(&to_schema, &from_schema),
    };
    let pair = Pair { from: End::of_side(&range.from, from), to: End::of_side(&range.to, to) };
    if overriding.is_none() && (arguments.has("skinny") || arguments.has("include-cols")) {
        let included: Vec<&str> = arguments.list("include-cols").collect();
        make_skinny(&mut layout, &pair, &included)?;
    }
    let columns = layout.columns();
    Ok(Computed::new(place.name.clone(), NAME, columns, move |context, columns, pushed| {
        // What is not committed changed now.
        let dated = |end: &End| match end.date {
            Value::Null => End { date: Value::DateTime(context.now()), ..end.clone() },
            _ => end.clone(),
        };
        let pair = Pair { from: dated(&pair.from), to: dated(&pair.to) };
        if let (Some(from), Some(to)) = (&pair.from.table, &pair.to.table)
            && from.address() == to.address()
        {
            return Ok(nothing());
        }
        // A table that came or went has each of its rows once.
        let repeat = if pair.from.table.is_some() && pair.to.table.is_some() { Repeat::Each } else { Repeat::Once };
        let asked = Asked::of(&layout, columns, pushed, repeat, context);
        pair_rows(&asked, pair)
    }))
}

/// Leaves out columns that no change touches; those of the key and the named ones stay.
fn make_skinny(layout: &mut Layout, pair: &Pair, included: &[&str]) -> Result<()> {
    let (Some(from), Some(to)) = (&pair.from.table, &pair.to.table) else { return Ok(()) };
    let touched = touched_columns(from, to)?;
    let stays = |schema: &Schema, &at: &usize| {
        let column = &schema.columns[at];
        column.is_primary_key || included.iter().any(|name| *name == &*column.name) || touched.contains(&column.name)
    };
    layout.to_shown = layout.to_shown.iter().copied().filter(|at| stays(&layout.to, at)).collect();
    layout.from_shown = layout.from_shown.iter().copied().filter(|at| stays(&layout.from, at)).collect();
    Ok(())
}

/// Names of the columns that some changed row has another value in, or that only one version has. Rows that came or went
/// touch every column.
pub fn touched_columns(from: &Table, to: &Table) -> Result<Vec<Rc<str>>> {
    let (from_schema, to_schema) = (from.schema(), to.schema());
    let mut pairs = Vec::new();
    let mut touched: Vec<Rc<str>> = Vec::new();
    for column in &from_schema.columns {
        match to_schema.columns.iter().find(|to| to.name == column.name && to.sql_type == column.sql_type) {
            Some(twin) => pairs.push((column, twin)),
            None => touched.push(column.name.clone()),
        }
    }
    let only_new = to_schema.columns.iter().filter(|to| pairs.iter().all(|(_, twin)| twin.tag != to.tag));
    touched.extend(only_new.map(|column| column.name.clone()));
    for change in RowDiff::new(Some(from), Some(to))? {
        let change = change?;
        if pairs.is_empty() {
            break;
        }
        if change.kind != ChangeKind::Modified {
            touched.extend(pairs.drain(..).map(|(column, _)| column.name.clone()));
            break;
        }
        let (Some(old), Some(new)) = (&change.from, &change.to) else { continue };
        pairs.retain(|(column, twin)| {
            let is_same = match (column.place, twin.place) {
                (vcs::Place::Key(a), vcs::Place::Key(b)) => old.key_tuple().field(a) == new.key_tuple().field(b),
                (vcs::Place::Value(a), vcs::Place::Value(b)) => {
                    old.value_tuple().field(a) == new.value_tuple().field(b)
                }
                (vcs::Place::Virtual, vcs::Place::Virtual) => true,
                _ => false,
            };
            if !is_same {
                touched.push(column.name.clone());
            }
            is_same
        });
    }
    Ok(touched)
}
