//! Look-ups in a memtable over its base map: single keys, prefixes, and excerpts of ranges.

use std::cmp::Ordering;

use tree::{Bound, Edit, Item, Map, OverlayLeaf, Side, Sides, Tuple, TupleBuilder};

use super::Memtable;
use super::edit_log::{ByKey, Start};
use super::sorted_runs::Edited;
use crate::error::Result;

/// An excerpt has fewer edits: more are rather made a tree of.
const EXCERPT_EDITS_MAX: usize = 1024;

/// A key with its value, copied out of the tree or the edits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub key: Vec<u8>,
    pub value: Vec<u8>,
}

impl Entry {
    fn of(item: Item) -> Entry {
        Entry { key: item.key().to_vec(), value: item.value().to_vec() }
    }
}

impl Memtable {
    /// The entry with an equal key.
    pub fn get(&self, key: &[u8]) -> Result<Option<Entry>> {
        if !self.edits.is_before(key)
            && let Some(edit) = self.edits.by_key().get(key)
        {
            return Ok(entry_of(edit));
        }
        if let Some(edited) = self.runs.get(key)? {
            return Ok(match edited {
                Edited::Put(item) => Some(Entry::of(item)),
                Edited::Deleted => None,
            });
        }
        if self.map.is_empty() || self.has_missed.get() && self.is_behind(key)? {
            return Ok(None);
        }
        let found = self.map.get(key)?;
        self.has_missed.set(found.is_none());
        Ok(found.map(Entry::of))
    }

    /// Whether a key lies behind all of the tree.
    pub(super) fn is_behind(&self, key: &[u8]) -> Result<bool> {
        Ok(self.map.is_empty() || self.edits.order(self.last_key()?, key).is_lt())
    }

    /// The largest key of the tree, which is not empty.
    fn last_key(&self) -> Result<&[u8]> {
        if let Some(known) = self.last_key.get() {
            return Ok(known);
        }
        let last = self.map.item(self.map.count().saturating_sub(1))?;
        Ok(self.last_key.get_or_init(|| last.map_or_else(Box::default, |item| item.key().into())))
    }

    /// The first entry, in key order, whose first `fields` fields equal those of `prefix`, beginning behind `after`.
    pub fn first_with_prefix(&self, prefix: &[u8], fields: usize, after: Option<&[u8]>) -> Result<Option<Entry>> {
        let stored = self.first_stored(prefix, fields, after)?;
        let edits = self.edits.by_key();
        let first = first_fields(prefix, fields)?;
        let is_within =
            |key: &[u8]| self.map.key.compare_prefix(&self.map.nodes, key, prefix, fields).is_ok_and(Ordering::is_eq);
        let edited = edits.iter(after.map_or(Start::Key(&first), Start::Behind)).take_while(|edit| is_within(edit.key));
        let edited = edited.filter_map(entry_of).next();
        Ok(match (stored, edited) {
            (Some(stored), Some(edited)) if self.edits.order(&stored.key, &edited.key).is_lt() => Some(stored),
            (stored, None) => stored,
            (_, edited) => edited,
        })
    }

    /// As [`Memtable::first_with_prefix`], in the tree and the runs: entries that an edit replaces or deletes are left out.
    fn first_stored(&self, prefix: &[u8], fields: usize, after: Option<&[u8]>) -> Result<Option<Entry>> {
        let lower = match after {
            Some(after) => Bound::after(after, usize::MAX),
            None => Bound::before(prefix, fields),
        };
        if !self.runs.is_empty() {
            return self.first_in_runs(prefix, fields, &lower);
        }
        if self.map.is_empty() {
            return Ok(None);
        }
        let mut cursor = self.map.seek(&lower)?;
        let mut is_at_row = cursor.is_at_row() || cursor.next_leaf()?;
        let edits = self.edits.by_key();
        while is_at_row && self.map.key.compare_prefix(&self.map.nodes, cursor.key(), prefix, fields)?.is_eq() {
            let key = cursor.key();
            if edits.get(key).is_none() {
                return Ok(Some(Entry { key: key.to_vec(), value: cursor.value().to_vec() }));
            }
            is_at_row = cursor.advance()?;
        }
        Ok(None)
    }

    fn first_in_runs(&self, prefix: &[u8], fields: usize, lower: &Bound<'_>) -> Result<Option<Entry>> {
        let (mut merged, edits) = (self.runs.with_prefix(&self.map, prefix, fields, lower)?, self.edits.by_key());
        while let Some(edit) = merged.head() {
            if self.map.key.compare_prefix(&self.map.nodes, edit.key, prefix, fields)?.is_ne() {
                break;
            }
            if edits.get(edit.key).is_none()
                && let Some(found) = entry_of(edit)
            {
                return Ok(Some(found));
            }
            merged.advance()?;
        }
        Ok(None)
    }

    /// Whether an entry between two bounds is another one than in the tree before all edits.
    pub fn touches(&self, bounds: Sides<'_>) -> Result<bool> {
        Ok(self.is_flushed() || !self.within(&self.edits.by_key(), bounds, 1)?.is_empty())
    }

    /// The entries between bounds, which ascend and do not overlap, as a map of their own. `None` where they are more than a leaf holds.
    pub fn excerpt<'a>(&self, ranges: impl IntoIterator<Item = Sides<'a>>) -> Result<Option<Map>> {
        if !self.runs.is_empty() {
            return Ok(None);
        }
        let (mut excerpt, by_key) = (OverlayLeaf::new(&self.map)?, self.edits.by_key());
        for sides in ranges {
            let edits = self.within(&by_key, sides, EXCERPT_EDITS_MAX)?;
            if edits.len() == EXCERPT_EDITS_MAX || !excerpt.add(sides, edits)? {
                return Ok(None);
            }
        }
        Ok(Some(excerpt.finish()?))
    }

    /// The first edits, `most` at most, of keys between two bounds.
    fn within<'a>(&self, edits: &'a ByKey<'_>, (lower, upper): Sides<'_>, most: usize) -> Result<Vec<Edit<'a>>> {
        // A prefix of a key comes before or behind all keys that begin with it.
        let is_behind = |key: &[u8], bound: &Bound<'_>| -> Result<bool> {
            let order = self.map.key.compare_prefix(&self.map.nodes, key, bound.key, bound.fields)?;
            Ok(order.is_gt() || order.is_eq() && bound.side == Side::Before)
        };
        let first = lower.as_ref().map(|lower| first_fields(lower.key, lower.fields)).transpose()?;
        let mut found = Vec::new();
        for edit in edits.iter(first.as_deref().map_or(Start::First, Start::Key)) {
            if found.len() == most || upper.as_ref().map_or(Ok(false), |upper| is_behind(edit.key, upper))? {
                break;
            }
            if lower.as_ref().map_or(Ok(true), |lower| is_behind(edit.key, lower))? {
                found.push(edit);
            }
        }
        Ok(found)
    }
}

/// What there is by an edit; nothing where it deletes.
fn entry_of(Edit { key, value }: Edit<'_>) -> Option<Entry> {
    value.map(|value| Entry { key: key.to_vec(), value: value.to_vec() })
}

/// The tuple of the first `fields` fields: it lies before all that begin with them.
fn first_fields(tuple: &[u8], fields: usize) -> Result<Vec<u8>> {
    let tuple = Tuple::new(tuple);
    let mut builder = TupleBuilder::new();
    (0..fields).for_each(|field| {
        builder.push(tuple.field(field));
    });
    Ok(builder.finish()?)
}
