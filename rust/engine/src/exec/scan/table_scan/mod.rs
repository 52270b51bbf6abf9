//! Table scan: rows of stored tables, decoded column by column straight from the nodes of the tree.
//!
//! Columns that the filter needs are decoded first; the others only for rows that pass. Text is not copied: it stays in
//! its node, which the batch pins.

mod decoding;
pub(crate) mod parts;
pub mod pieces;
pub(crate) mod ranges;
pub mod reader;
pub mod sample;

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

use codec::CompactSort;
use tree::{Column, Direction, KeyList, Map, Span, TupleBuilder};

use self::decoding::{Decoding, EarlyFilter};
use self::parts::{Keys, Part, Sought};
use self::pieces::{Copies, Piece};
use self::ranges::Bounds;
use self::reader::{ColumnReader, Field};
use crate::batch::{BATCH_ROWS, Batch};
use crate::catalog::{BaseTable, IndexChoice, KeyRange, Relation, Tree};
use crate::error::{Result, SqlError};
use crate::exec::join::runtime_filter::RuntimeFilter;
use crate::exec::operator::{Operator, Poll};
use crate::exec::sort::limit::row_number;
use crate::expr::{Context, Expr, ExprKind};
use crate::functions::numbers_of_vector;
use crate::plan::{ColumnSet, Scan};

/// Rows of the first batch; each further one may be twice as large, so that a LIMIT reads little.
const FIRST_ROWS: usize = 64;

/// A scan of so few rows gives them all at once: a further batch costs more than they do.
const SHORT_ROWS: u64 = 128;

/// What a scan is asked for.
pub struct Settings {
    access: IndexChoice,
    reverse: bool,
    /// Over positions in `columns`.
    filter: Rc<[Expr]>,
    /// For each column whether the filter needs it.
    early: Vec<bool>,
    /// The index has all columns: the rows need not be looked up.
    covering: bool,
    fields: Vec<Field>,
    /// The keys of literals that it looks for, once it has run.
    keys: OnceCell<Rc<KeyList>>,
}

impl Settings {
    pub fn new(
        relation: &Rc<dyn Relation>,
        access: IndexChoice,
        columns: Rc<[usize]>,
        filter: Rc<[Expr]>,
        reverse: bool,
    ) -> Result<Settings> {
        let mut used = ColumnSet::default();
        filter.iter().for_each(|term| term.collect_columns(&mut used));
        let early = (0..columns.len() as u32).map(|position| used.contains(&position)).collect();
        let table = base(relation)?;
        let schema = table.schema();
        let (covering, fields) = match table.tree(access.index) {
            Tree::Primary => (true, Field::of_rows(schema, &columns)?),
            Tree::Secondary(at) => match Field::of_index(schema, &schema.indexes[at], &columns) {
                Some(fields) => (true, fields),
                None => (false, Field::of_rows(schema, &columns)?),
            },
        };
        Ok(Settings { access, reverse, filter, early, covering, fields, keys: OnceCell::new() })
    }

    /// Reads only the parts of documents and texts that a scan asks for; its columns are those of the settings.
    pub fn read_parts(mut self, scan: &Scan) -> Settings {
        for (field, (id, _)) in self.fields.iter_mut().zip(&scan.columns) {
            if let Some((_, parts)) = scan.parts.iter().find(|(of, _)| of == id) {
                field.read_parts(parts.clone());
            }
        }
        self
    }

    fn direction(&self) -> Direction {
        if self.reverse { Direction::Backward } else { Direction::Forward }
    }

    /// What is to be read of `map`.
    fn parts(&self, map: &Map, table: &BaseTable, context: &Context) -> Result<VecDeque<Part>> {
        match self.sought(map, table, context)? {
            Sought::Parts(parts) => Ok(parts),
            Sought::Bounds(bounds) => parts::scans(map, &bounds, self.direction()),
        }
    }

    fn sought(&self, map: &Map, table: &BaseTable, context: &Context) -> Result<Sought> {
        let direction = self.direction();
        let keys = |list: &Rc<KeyList>| Sought::of(Part::Keys(Keys::new(list.clone())));
        let all = || Ok(Sought::of(Part::Range(Box::new(map.scan(None, None, direction)?))));
        if let Some(nearest) = &self.access.nearest {
            let to = numbers_of_vector(&nearest.to.eval_constant(context)?)?;
            let rows = row_number(&nearest.offset, 0, context)?.saturating_add(row_number(&nearest.rows, 0, context)?);
            return Ok(Sought::of(Part::Items(
                map.nearest(&to, usize::try_from(rows).unwrap_or(usize::MAX))?.into_iter(),
            )));
        }
        let Some(ranges) = &self.access.ranges else { return all() };
        if let Some(known) = self.keys.get() {
            return Ok(keys(known));
        }
        let types = table_types(table, self.access.index);
        if let Some(list) = ranges::integer_keys(ranges, map, &types, context, direction)? {
            let list = Rc::new(list);
            let is_literal = |expr: &Expr| matches!(expr.kind, ExprKind::Literal(_));
            if ranges.iter().all(|range| range.equal.iter().all(is_literal)) {
                let _ = self.keys.set(list.clone());
            }
            return Ok(keys(&list));
        }
        ranges::evaluate(ranges, map, &types, context)?.map_or_else(all, |bounds| Ok(Sought::Bounds(bounds)))
    }
}

fn base(relation: &Rc<dyn Relation>) -> Result<&BaseTable> {
    relation.base().ok_or_else(|| SqlError::internal("not a stored table"))
}

/// The parts of an index that are chosen of it. `None` where that is all of it, or where values in them are not known.
pub fn bounds_of(access: &IndexChoice, relation: &Rc<dyn Relation>, context: &Context) -> Option<Vec<Bounds>> {
    let (map, types) = map_of(relation, access.index).ok()?;
    ranges::evaluate(access.ranges.as_ref()?, &map, &types, context).ok().flatten()
}

/// How many rows the ranges of a scan hold, exactly, and how many of its conditions they cover. `None` where there are
/// no ranges, or values in them that are not known before the scan runs. `relation` is the scan's, or a later version of it.
pub fn count_ranges(scan: &Scan, relation: &Rc<dyn Relation>, context: &Context) -> Option<(u64, usize)> {
    let ranges = scan.access.ranges.as_ref()?;
    if ranges.iter().any(KeyRange::reads_outer) {
        return None;
    }
    let (map, types) = map_of(relation, scan.access.index).ok()?;
    let bounds = ranges::evaluate(ranges, &map, &types, context).ok().flatten()?;
    let fixed = ranges
        .first()
        .map_or(0, |range| range.equal.len() + usize::from(range.lower.is_some()) + usize::from(range.upper.is_some()));
    Some((parts::count(&map, &bounds).ok()?, fixed))
}

/// The tree of an index and the types of its columns.
pub fn map_of(relation: &Rc<dyn Relation>, index: Option<usize>) -> Result<(Map, Vec<value::SqlType>)> {
    let table = base(relation)?;
    let map = match table.tree(index) {
        Tree::Primary => table.table.rows(),
        Tree::Secondary(at) => table.table.index(&table.schema().indexes[at])?,
    };
    Ok((map, table_types(table, index)))
}

/// Where rows come from, before columns are decoded.
enum Rows {
    /// The tree that is scanned holds the columns.
    Direct,
    /// Each index entry leads to a row of the table.
    Lookup { rows: Map, key: Vec<usize> },
}

pub struct TableScan {
    settings: Rc<Settings>,
    /// The tree that is scanned.
    map: Map,
    rows: Rows,
    /// Parts of the index still to be read.
    parts: VecDeque<Part>,
    /// Those of the look-ups that come after this one.
    ahead: VecDeque<VecDeque<Part>>,
    readers: Vec<ColumnReader>,
    /// The columns as the columnar cache of the tree may have them; none where it cannot have all.
    cached_columns: Vec<Column>,
    /// Rows of a table without key, each as often as it is there.
    copies: Option<Copies>,
    want: usize,
    /// What joins above leave of the rows: those by whole numbers first.
    early_filters: Vec<EarlyFilter>,
    filters_by_number: usize,
    /// Pieces of the last batch: probably those of the next.
    spans_before: usize,
    /// Rows of a batch, at most, as their bytes and the work of the filter allow.
    rows_max: usize,
    /// Rows that were found and go into the next batches.
    held: Vec<Piece>,
}

impl TableScan {
    pub fn open(settings: Rc<Settings>, relation: &Rc<dyn Relation>, context: &Context) -> Result<TableScan> {
        let mut scan = TableScan::new(settings, relation)?;
        scan.parts = scan.settings.parts(&scan.map, base(relation)?, context)?;
        let is_short = scan.parts.iter().map(Part::rows_max).sum::<u64>() <= SHORT_ROWS;
        scan.want = if is_short { SHORT_ROWS as usize } else { FIRST_ROWS };
        Ok(scan)
    }

    /// A scan that gets its keys later.
    pub fn new(settings: Rc<Settings>, relation: &Rc<dyn Relation>) -> Result<TableScan> {
        let table = base(relation)?;
        let schema = table.schema().clone();
        let rows = table.table.rows();
        let (map, rows) = match table.tree(settings.access.index) {
            Tree::Primary => (rows, Rows::Direct),
            Tree::Secondary(at) => {
                let index = &schema.indexes[at];
                let map = table.table.index(index)?;
                let rows = match settings.covering {
                    true => Rows::Direct,
                    false => Rows::Lookup { rows, key: row_key(&schema, index)? },
                };
                (map, rows)
            }
        };
        let nodes = table.table.objects().nodes().clone();
        let readers = settings.fields.iter().map(|field| ColumnReader::new(field.clone(), nodes.clone())).collect();
        let is_of_rows = matches!(rows, Rows::Lookup { .. }) || table.tree(settings.access.index) == Tree::Primary;
        let copies = (schema.is_keyless() && is_of_rows).then(Copies::default);
        let cached_columns = match (&rows, &copies) {
            (Rows::Direct, None) => settings.fields.iter().map(Field::cached_column).collect::<Option<_>>(),
            _ => None,
        };
        let cached_columns = cached_columns.unwrap_or_default();
        Ok(TableScan {
            settings,
            map,
            rows,
            parts: VecDeque::new(),
            ahead: VecDeque::new(),
            readers,
            cached_columns,
            copies,
            want: FIRST_ROWS,
            early_filters: Vec::new(),
            filters_by_number: 0,
            spans_before: 0,
            rows_max: BATCH_ROWS,
            held: Vec::new(),
        })
    }

    /// Pieces of leaves with up to `self.want` rows together.
    fn next_spans(&mut self) -> Result<Vec<Span>> {
        let mut spans = Vec::with_capacity(self.spans_before);
        let mut rows = 0;
        while rows < self.want {
            let Some(part) = self.parts.front_mut() else { break };
            match part.next_span(self.want - rows, &self.map, &self.cached_columns)? {
                Some(span) => {
                    rows += span.items.len();
                    spans.push(span);
                }
                None => {
                    self.parts.pop_front();
                }
            }
        }
        self.want = (self.want * 2).min(BATCH_ROWS);
        self.spans_before = spans.len();
        Ok(spans)
    }

    /// The rows that entries lead to, in their order.
    fn rows_of(&self, entries: Vec<Piece>) -> Result<Vec<Piece>> {
        let Rows::Lookup { rows, key } = &self.rows else { return Ok(entries) };
        let mut keys = KeyList::default();
        let mut builder = TupleBuilder::new();
        let mut row_key = Vec::new();
        for Piece { leaf, items } in &entries {
            items.try_for_each(|item| {
                let entry = tree::Tuple::new(leaf.key(item));
                for &field in key {
                    builder.push(entry.field(field));
                }
                builder.finish_into(&mut row_key)?;
                keys.push(&row_key);
                Ok::<_, SqlError>(())
            })?;
        }
        let mut found = Vec::with_capacity(keys.len());
        rows.get_all(&keys, 0..keys.len(), |row| found.extend(row.map(|row| Piece::one(row.leaf, row.index))))?;
        match found.len() == keys.len() {
            true => Ok(found),
            false => Err(SqlError::general("an index entry leads to no row: the database is damaged")),
        }
    }

    /// The next entries of the tree that is scanned; none at the end.
    fn next_entries(&mut self) -> Result<Vec<Piece>> {
        let reverse = self.settings.reverse;
        Ok(self.next_spans()?.into_iter().map(|span| Piece::of(span, reverse)).collect())
    }

    /// The pieces of the next batch; none at the end.
    fn next_pieces(&mut self) -> Result<Vec<Piece>> {
        if self.copies.as_ref().is_none_or(Copies::are_given) {
            let entries = self.next_entries()?;
            let rows = self.rows_of(entries)?;
            match &mut self.copies {
                Some(copies) => copies.give(rows),
                None => return Ok(rows),
            }
        }
        self.copies.as_mut().map_or(Ok(Vec::new()), |copies| Ok(copies.take(self.want)?))
    }

    /// Whether all lookups of [`TableScan::look_for_each`] have begun.
    pub fn has_none_ahead(&self) -> bool {
        self.ahead.is_empty()
    }

    /// Looks for what rows around lead to, all of them together; `bind` has the values of one that the ranges read. They are found
    /// one after the other, each after a [`TableScan::begin_next`].
    pub fn look_for_each(
        &mut self,
        relation: &Rc<dyn Relation>,
        context: &Context,
        rows: Range<usize>,
        bind: impl Fn(usize),
    ) -> Result<()> {
        let table = base(relation)?;
        let sought = rows.map(|row| {
            bind(row);
            self.settings.sought(&self.map, table, context)
        });
        let sought = sought.collect::<Result<Vec<_>>>()?;
        self.ahead = parts::parts_of_each(sought, &self.map, self.settings.direction())?;
        Ok(())
    }

    pub fn begin_next(&mut self) {
        self.parts = self.ahead.pop_front().unwrap_or_default();
    }

    /// The next entries, so many at most, to be decoded; none at the end of what one row leads to.
    pub fn found(&mut self, rows_max: usize) -> Result<Vec<Piece>> {
        self.want = rows_max;
        if self.copies.is_some() { self.next_pieces() } else { self.next_entries() }
    }

    /// [`TableScan::decode`] of what was [found](TableScan::found).
    pub fn decode_found(&mut self, found: Vec<Piece>, context: &Context) -> Result<(Batch, Option<Vec<u32>>)> {
        let rows = if self.copies.is_some() { found } else { self.rows_of(found)? };
        self.decode(&rows, context)
    }

    /// Whether rows that are found may be left out.
    pub fn has_filter(&self) -> bool {
        !self.settings.filter.is_empty() || !self.early_filters.is_empty()
    }

    /// Decodes the rows that are wanted, with the numbers that they had among the pieces; `None` when all are.
    pub fn decode(&mut self, pieces: &[Piece], context: &Context) -> Result<(Batch, Option<Vec<u32>>)> {
        let mut decoding = Decoding::new(&self.readers, pieces, context);
        // To look for a number costs less than most conditions.
        let (by_number, by_bytes) = self.early_filters.split_at_mut(self.filters_by_number);
        by_number.iter_mut().try_for_each(|filter| filter.apply(&mut decoding))?;
        by_number.compact_sort_by_key(|filter| filter.passed);
        let Settings { filter, early, .. } = &*self.settings;
        if !filter.is_empty() && decoding.rows > 0 {
            decoding.select(filter, early, context)?;
        }
        by_bytes.iter_mut().try_for_each(|filter| filter.apply(&mut decoding))?;
        decoding.finish()
    }
}

fn table_types(table: &BaseTable, index: Option<usize>) -> Vec<value::SqlType> {
    let Some(index) = index else { return Vec::new() };
    table.indexes()[index].columns.iter().map(|&column| table.columns()[column].ty.sql.clone()).collect()
}

impl TableScan {
    /// Decodes as many of the rows as make a batch; holds the others.
    fn decode_range(&mut self, pieces: Vec<Piece>, context: &Context) -> Result<Batch> {
        let mut rows = pieces.iter().map(|piece| piece.items.len()).sum();
        let mut range = pieces;
        if rows > self.rows_max {
            (range, self.held) = pieces::split(range, self.rows_max);
            rows = self.rows_max;
        }
        loop {
            match context.in_range(rows, || self.decode(&range, context)) {
                Err(error) if error.is_cut() => {
                    let rest;
                    self.rows_max = context.session.work.rows_of(rows);
                    (range, rest) = pieces::split(range, self.rows_max);
                    self.held.splice(0..0, rest);
                    rows = self.rows_max;
                }
                decoded => {
                    context.spend(rows);
                    self.rows_max = context.session.work.rows_after(self.rows_max);
                    return Ok(decoded?.0);
                }
            }
        }
    }
}

impl Operator for TableScan {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        loop {
            if context.is_out_of_fuel() {
                return Ok(Poll::Yield);
            }
            context.check()?;
            let pieces = match self.held.is_empty() {
                true => self.next_pieces()?,
                false => std::mem::take(&mut self.held),
            };
            if pieces.is_empty() {
                return Ok(Poll::Done);
            }
            let batch = self.decode_range(pieces, context)?;
            if batch.rows > 0 {
                return Ok(Poll::Batch(batch));
            }
        }
    }

    /// The tree counts its rows.
    fn skip(&mut self, rows: u64) -> Result<u64> {
        let mut skipped = 0;
        if !self.settings.filter.is_empty() || !self.early_filters.is_empty() || self.copies.is_some() {
            return Ok(0);
        }
        while let Some(Part::Range(scan)) = self.parts.front_mut()
            && skipped < rows
        {
            let all = scan.remaining();
            scan.skip(rows - skipped)?;
            skipped += all - scan.remaining();
            if scan.remaining() > 0 {
                break;
            }
            self.parts.pop_front();
        }
        Ok(skipped)
    }

    fn push_runtime_filter(&mut self, filter: &RuntimeFilter) {
        if filter.is_empty() {
            self.parts.clear();
        }
        let by_number = filter.is_by_number();
        let place = if by_number { 0 } else { self.early_filters.len() };
        self.early_filters.insert(place, EarlyFilter::new(filter.clone()));
        self.filters_by_number += usize::from(by_number);
    }
}

/// The positions of a row's key fields in the keys of an index.
fn row_key(schema: &vcs::Schema, index: &vcs::Index) -> Result<Vec<usize>> {
    let find = |column: Option<usize>| {
        let found = index.fields.iter().position(|field| field.column == column);
        found.ok_or_else(|| SqlError::internal("an index without the key of its rows"))
    };
    match schema.is_keyless() {
        true => Ok(vec![find(None)?]),
        false => schema.primary_key.iter().map(|&column| find(Some(column))).collect(),
    }
}
