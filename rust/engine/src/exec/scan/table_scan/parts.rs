//! Key ranges of a scan: the parts of an index within bounds, each row once and in the index's order.

use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

use codec::CompactSort;
use tree::{Bound, Column, Direction, Item, KeyList, Map, Scan, Side, Sides, Span};

use super::ranges::Bounds;
use crate::error::Result;

/// What a scan looks for.
pub enum Sought {
    Parts(VecDeque<Part>),
    Bounds(Vec<Bounds>),
}

impl Sought {
    pub fn of(part: Part) -> Sought {
        Sought::Parts(VecDeque::from([part]))
    }
}

/// A piece of an index.
pub enum Part {
    Range(Box<Scan>),
    Keys(Keys),
    /// Entries that were found already.
    Items(std::vec::IntoIter<Item>),
}

/// Whole keys, each of which has one entry or none.
pub struct Keys {
    list: Rc<KeyList>,
    next: usize,
    /// The entries of those before `next`, to be given.
    found: std::vec::IntoIter<Item>,
}

impl Keys {
    /// The keys of a list, which is in the scan's order.
    pub fn new(list: Rc<KeyList>) -> Keys {
        Keys { list, next: 0, found: Vec::new().into_iter() }
    }

    /// The entry of the next key that has one; `wanted` are to follow at most.
    fn next_item(&mut self, map: &Map, wanted: usize) -> Result<Option<Item>> {
        while self.found.len() == 0 && self.next < self.list.len() {
            let end = self.list.len().min(self.next + wanted);
            let mut found = Vec::with_capacity(end - self.next);
            map.get_all(&self.list, self.next..end, |item| found.extend(item))?;
            self.found = found.into_iter();
            self.next = end;
        }
        Ok(self.found.next())
    }
}

impl Part {
    /// Rows at most.
    pub fn rows_max(&self) -> u64 {
        match self {
            Part::Range(scan) => scan.remaining(),
            Part::Keys(keys) => keys.list.len() as u64,
            Part::Items(items) => items.len() as u64,
        }
    }

    /// The next rows, at most `rows_max`; `cached` are the columns that are read, if the columnar cache may have all.
    pub fn next_span(&mut self, rows_max: usize, map: &Map, cached: &[Column]) -> Result<Option<Span>> {
        let item = match self {
            Part::Range(scan) => return Ok(scan.next_columns(cached, rows_max)?),
            Part::Keys(keys) => keys.next_item(map, rows_max)?,
            Part::Items(items) => items.next(),
        };
        Ok(item.map(|item| Span { items: item.index..item.index + 1, leaf: item.leaf }))
    }
}

/// The bounds in the order of the index, no place twice; `None` for several that are more than keys.
pub fn ascending<'a>(map: &Map, bounds: &'a [Bounds]) -> Result<Option<Vec<Sides<'a>>>> {
    if let [one] = bounds {
        return Ok(Some(vec![one.sides()]));
    }
    let fields = map.key.len();
    let keys: Option<Vec<&[u8]>> = bounds.iter().map(|bounds| bounds.whole_key(fields)).collect();
    let Some(mut keys) = keys else { return Ok(None) };
    keys.try_compact_sort_by(|left, right| map.key.compare(&map.nodes, left, right))?;
    keys.dedup();
    let around =
        |key| (Some(Bound { key, fields, side: Side::Before }), Some(Bound { key, fields, side: Side::After }));
    Ok(Some(keys.into_iter().map(around).collect()))
}

/// Scans over the ranges in the order of the index, no row twice.
pub fn scans(map: &Map, bounds: &[Bounds], direction: Direction) -> Result<VecDeque<Part>> {
    if let [one] = bounds {
        let (lower, upper) = one.sides();
        return Ok(VecDeque::from([Part::Range(Box::new(map.scan(lower.as_ref(), upper.as_ref(), direction)?))]));
    }
    let fields = map.key.len();
    if let Some(keys) = bounds.iter().map(|bounds| bounds.whole_key(fields)).collect::<Option<Vec<&[u8]>>>() {
        return keys_in_order(map, keys, direction);
    }
    let sides: Vec<Sides> = bounds.iter().map(Bounds::sides).collect();
    let scans = map.scan_all(&sides, direction)?.into_iter().filter(|scan| scan.remaining() > 0);
    let mut scans: Vec<(Range<u64>, Box<Scan>)> = scans.map(|scan| (scan.ordinals(), Box::new(scan))).collect();
    scans.compact_sort_by_key(|(rows, _)| rows.start);
    let overlap = scans.windows(2).any(|pair| pair[0].0.end > pair[1].0.start);
    if overlap {
        return merged(map, scans.into_iter().map(|(rows, _)| rows), direction);
    }
    if direction == Direction::Backward {
        scans.reverse();
    }
    Ok(scans.into_iter().map(|(_, scan)| Part::Range(scan)).collect())
}

/// What is to be read for each of many look-ups. Those of one range each, as nearly all are, go down the tree together.
pub fn parts_of_each(sought: Vec<Sought>, map: &Map, direction: Direction) -> Result<VecDeque<VecDeque<Part>>> {
    fn only(sought: &Sought) -> Option<Sides<'_>> {
        match sought {
            Sought::Bounds(bounds) if let [one] = &bounds[..] => Some(one.sides()),
            _ => None,
        }
    }
    let alone: Vec<Sides> = sought.iter().filter_map(only).collect();
    let mut scans = map.scan_all(&alone, direction)?.into_iter();
    let parts = sought.into_iter().map(|sought| match sought {
        Sought::Parts(parts) => Ok(parts),
        Sought::Bounds(bounds) if bounds.len() == 1 => {
            Ok(scans.next().map(|scan| Part::Range(Box::new(scan))).into_iter().collect())
        }
        Sought::Bounds(bounds) => self::scans(map, &bounds, direction),
    });
    parts.collect()
}

/// Rows that lie in some of the bounds, exactly; nothing but the ways to their ends is read.
pub fn count(map: &Map, bounds: &[Bounds]) -> Result<u64> {
    let mut ordinals = Vec::with_capacity(bounds.len());
    for bounds in bounds {
        let (lower, upper) = bounds.sides();
        ordinals.push(map.ordinals(lower.as_ref(), upper.as_ref())?);
    }
    ordinals.compact_sort_by_key(|rows| rows.start);
    let (mut rows, mut counted_until) = (0, 0);
    for range in ordinals {
        rows += range.end.saturating_sub(range.start.max(counted_until));
        counted_until = counted_until.max(range.end);
    }
    Ok(rows)
}

/// Scans over rows that overlap, given by their first.
fn merged(map: &Map, ordinals: impl Iterator<Item = Range<u64>>, direction: Direction) -> Result<VecDeque<Part>> {
    let mut merged: Vec<Range<u64>> = Vec::new();
    for rows in ordinals {
        match merged.last_mut() {
            Some(last) if rows.start <= last.end => last.end = last.end.max(rows.end),
            _ => merged.push(rows),
        }
    }
    if direction == Direction::Backward {
        merged.reverse();
    }
    let scan = |rows| Ok(Part::Range(Box::new(map.scan_ordinals(rows, direction)?)));
    merged.into_iter().map(scan).collect()
}

/// Lookups of whole keys: one way down the tree for each.
fn keys_in_order(map: &Map, mut keys: Vec<&[u8]>, direction: Direction) -> Result<VecDeque<Part>> {
    keys.try_compact_sort_by(|left, right| map.key.compare(&map.nodes, left, right))?;
    keys.dedup();
    if direction == Direction::Backward {
        keys.reverse();
    }
    let mut all = KeyList::default();
    keys.into_iter().for_each(|key| all.push(key));
    Ok(VecDeque::from([Part::Keys(Keys::new(Rc::new(all)))]))
}
