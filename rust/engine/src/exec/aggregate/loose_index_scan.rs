//! Loose index scan operator: reads one index entry per group and skips to the next one by its count.

use std::ops::Range;
use std::rc::Rc;

use tree::{Bound, Item, Map, Side};

use crate::batch::{BATCH_ROWS, Batch};
use crate::catalog::{IndexChoice, Relation, Tree};
use crate::error::{Result, SqlError};
use crate::exec::operator::{Operator, Poll};
use crate::exec::scan::table_scan::map_of;
use crate::exec::scan::table_scan::pieces::Piece;
use crate::exec::scan::table_scan::ranges;
use crate::exec::scan::table_scan::reader::{ColumnReader, Field};
use crate::expr::Context;
use crate::plan::{self, GroupEnd, Scan};
use crate::vector::{Data, Vector};

/// Groups of the first batch; each further one may be twice as large.
const FIRST_GROUPS: usize = 16;

/// Groups that are looked at to guess how many there are.
const SAMPLE_GROUPS: u64 = 16;

pub struct Settings {
    access: IndexChoice,
    reverse: bool,
    fields: usize,
    /// The positions of the group columns, then those of the ends; a count has none.
    columns: Vec<Field>,
    ends: Vec<(GroupEnd, Option<Field>)>,
}

impl Settings {
    pub fn new(groups: &plan::LooseIndexScan) -> Result<Settings> {
        let scan = &groups.scan;
        let field = |position: usize| -> Result<Field> {
            let fields = fields_of(scan, &[position])?;
            fields.into_iter().next().ok_or_else(|| SqlError::internal("an index without the columns of its groups"))
        };
        let end = |end: &GroupEnd| match end {
            GroupEnd::Count => Ok((*end, None)),
            GroupEnd::Least(position) | GroupEnd::Greatest(position) => Ok((*end, Some(field(*position)?))),
        };
        Ok(Settings {
            access: scan.access.clone(),
            reverse: scan.reverse,
            fields: groups.fields,
            columns: scan.columns.iter().map(|(_, position)| field(*position)).collect::<Result<_>>()?,
            ends: groups.ends.iter().map(|(_, kind)| end(kind)).collect::<Result<_>>()?,
        })
    }
}

fn fields_of(scan: &Scan, positions: &[usize]) -> Result<Vec<Field>> {
    let table = scan.relation.base().ok_or_else(|| SqlError::internal("not a stored table"))?;
    let schema = table.schema();
    match table.tree(scan.access.index) {
        Tree::Primary => Field::of_rows(schema, positions),
        Tree::Secondary(at) => Field::of_index(schema, &schema.indexes[at], positions)
            .ok_or_else(|| SqlError::internal("an index without the columns of its groups")),
    }
}

/// About how many groups a scan has by the first `fields` fields of its index, which it tells from the sizes of some.
pub fn estimate(scan: &Scan, fields: usize, context: &Context) -> Option<f64> {
    let entries = Entries::of(&scan.access, &scan.relation, fields, context).ok()?;
    let rows = entries.rows.end - entries.rows.start;
    let samples = SAMPLE_GROUPS.min(rows);
    let mut share = 0.0;
    for number in 0..samples {
        let item = entries.map.item(entries.rows.start + number * rows / samples).ok()??;
        let group = entries.group_of(&item).ok()?;
        share += 1.0 / (group.end - group.start).max(1) as f64;
    }
    Some(if samples == 0 { 0.0 } else { rows as f64 * share / samples as f64 })
}

/// The entries of an index that are looked at.
struct Entries {
    map: Map,
    rows: Range<u64>,
    fields: usize,
}

impl Entries {
    fn of(access: &IndexChoice, relation: &Rc<dyn Relation>, fields: usize, context: &Context) -> Result<Entries> {
        let (map, types) = map_of(relation, access.index)?;
        let bounds = match &access.ranges {
            Some(ranges) => ranges::evaluate(ranges, &map, &types, context)?,
            None => None,
        };
        let rows = match bounds.as_deref() {
            None => 0..map.count(),
            Some([]) => 0..0,
            Some([one]) => {
                let (lower, upper) = one.sides();
                map.ordinals(lower.as_ref(), upper.as_ref())?
            }
            Some(_) => return Err(SqlError::internal("groups over several ranges")),
        };
        Ok(Entries { map, rows, fields })
    }

    fn rank(&self, item: &Item, fields: usize, side: Side) -> Result<u64> {
        let rank = self.map.rank(&Bound { key: item.key(), fields, side })?;
        Ok(rank.clamp(self.rows.start, self.rows.end))
    }

    fn group_of(&self, item: &Item) -> Result<Range<u64>> {
        Ok(self.rank(item, self.fields, Side::Before)?..self.rank(item, self.fields, Side::After)?)
    }

    fn item(&self, ordinal: u64) -> Result<Item> {
        self.map.item(ordinal)?.ok_or_else(|| SqlError::internal("a group without an entry"))
    }

    /// The next group with its first entry; it is not among the rows any more.
    fn next(&mut self, reverse: bool) -> Result<Option<(Range<u64>, Item)>> {
        if self.rows.is_empty() {
            return Ok(None);
        }
        let (group, first) = match reverse {
            false => {
                let first = self.item(self.rows.start)?;
                (self.rows.start..self.rank(&first, self.fields, Side::After)?, first)
            }
            true => {
                let last = self.item(self.rows.end - 1)?;
                let start = self.rank(&last, self.fields, Side::Before)?;
                (start..self.rows.end, self.item(start)?)
            }
        };
        match reverse {
            false => self.rows.start = group.end,
            true => self.rows.end = group.start,
        }
        Ok(Some((group, first)))
    }

    /// The first entry of a group whose next field is not NULL; where there is none, one with NULL.
    fn least(&self, group: &Range<u64>, first: &Item) -> Result<Item> {
        if first.key_tuple().field(self.fields).is_some() {
            return Ok(first.clone());
        }
        let behind = self.map.rank(&Bound { key: first.key(), fields: self.fields + 1, side: Side::After })?;
        if behind < group.end { self.item(behind) } else { Ok(first.clone()) }
    }
}

pub struct LooseIndexScan {
    settings: Rc<Settings>,
    entries: Entries,
    want: usize,
}

impl LooseIndexScan {
    pub fn open(settings: Rc<Settings>, relation: &Rc<dyn Relation>, context: &Context) -> Result<LooseIndexScan> {
        let entries = Entries::of(&settings.access, relation, settings.fields, context)?;
        Ok(LooseIndexScan { settings, entries, want: FIRST_GROUPS })
    }
}

impl Operator for LooseIndexScan {
    fn next(&mut self, context: &Rc<Context>) -> Result<Poll> {
        if context.is_out_of_fuel() {
            return Ok(Poll::Yield);
        }
        let settings = self.settings.clone();
        let piece = |item: Item| Piece::one(item.leaf, item.index);
        let mut firsts = Vec::with_capacity(self.want);
        let mut ends: Vec<(Vec<i64>, Vec<Piece>)> = settings.ends.iter().map(|_| Default::default()).collect();
        while firsts.len() < self.want
            && let Some((group, first)) = self.entries.next(settings.reverse)?
        {
            for ((end, _), (counts, pieces)) in settings.ends.iter().zip(&mut ends) {
                match end {
                    GroupEnd::Count => counts.push((group.end - group.start) as i64),
                    GroupEnd::Least(_) => pieces.push(piece(self.entries.least(&group, &first)?)),
                    GroupEnd::Greatest(_) => pieces.push(piece(self.entries.item(group.end - 1)?)),
                }
            }
            firsts.push(piece(first));
        }
        let rows = firsts.len();
        if rows == 0 {
            return Ok(Poll::Done);
        }
        self.want = (self.want * 2).min(BATCH_ROWS);
        context.spend(rows);
        let nodes = &self.entries.map.nodes;
        let read =
            |field: &Field, pieces: &[Piece]| ColumnReader::new(field.clone(), nodes.clone()).read(pieces, rows, None);
        let mut columns = settings.columns.iter().map(|field| read(field, &firsts)).collect::<Result<Vec<_>>>()?;
        for ((_, field), (counts, pieces)) in settings.ends.iter().zip(ends) {
            columns.push(match field {
                None => Rc::new(Vector::new(Data::Int(counts))),
                Some(field) => read(field, &pieces)?,
            });
        }
        Ok(Poll::Batch(Batch { rows, columns }))
    }
}
