//! Sorted runs: edits of a tree that wait beside it, as trees of their own.

use std::cmp::Ordering;
use std::rc::Rc;

use tree::{AddressFields, Bound, Chunker, Cursor, Edit, Item, Kind, Map, TreeError, tuple};

use super::edit_log::{ByKey, EditLog, Mark, Start};
use crate::error::Result;

/// Memory for edits on their way into the tree: a step takes some ten milliseconds.
pub const STEP_BYTES: usize = 1 << 20;

/// Trees of edits, the oldest first. A statement that changes rows all over a large tree fills its memory many times, and each time
/// nearly every leaf would be written anew for a few edits. So they are written beside it, once, and go into it together when they are
/// many. No root leads to these trees: no other session sees them, and a collection drops them.
#[derive(Clone, Default)]
pub struct SortedRuns(Vec<Run>);

#[derive(Clone)]
struct Run {
    /// The entries that are put, or the keys that are deleted.
    entries: Map,
    deletes: bool,
    filter: Rc<Filter>,
}

/// Tells of most keys that a run does not have them: two bits stand for each that it has.
struct Filter {
    /// A power of two of words.
    bits: Vec<u64>,
}

impl Filter {
    fn new(keys: usize) -> Filter {
        Filter { bits: vec![0; keys.div_ceil(4).next_power_of_two()] }
    }

    /// The words and the bits in them for a key, by [`tree::TupleDescriptor::first_hash`].
    fn places(&self, hash: u64) -> [(usize, u64); 2] {
        let hash = (hash ^ hash >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        [hash >> 38, hash >> 12].map(|part| ((part >> 6) as usize & (self.bits.len() - 1), 1 << (part & 63)))
    }

    fn add(&mut self, hash: u64) {
        for (word, bit) in self.places(hash) {
            self.bits[word] |= bit;
        }
    }

    fn may_have(&self, hash: u64) -> bool {
        self.places(hash).into_iter().all(|(word, bit)| self.bits[word] & bit != 0)
    }
}

impl Run {
    fn tree(&self) -> (&Map, bool) {
        (&self.entries, self.deletes)
    }
}

impl SortedRuns {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many edits there are; a key may have several.
    pub fn edits(&self) -> u64 {
        self.0.iter().map(|run| run.entries.count()).sum()
    }

    /// Adds edits of `map`, which are newer than those that are there.
    pub fn add(&mut self, map: &Map, edits: &ByKey<'_>) -> Result<()> {
        for deletes in [false, true] {
            let edits = || edits.iter(Start::First).filter(|edit| edit.value.is_none() == deletes);
            let count = edits().count();
            if count == 0 {
                continue;
            }
            let mut chunker = Chunker::new(&*map.nodes, Kind::Rows, AddressFields::default());
            let mut filter = Filter::new(count);
            for Edit { key, value } in edits() {
                chunker.append(key, value.unwrap_or(tuple::EMPTY))?;
                filter.add(map.key.first_hash(key));
            }
            let entries = map.with_root(&chunker.finish()?)?;
            self.0.push(Run { entries, deletes, filter: Rc::new(filter) });
        }
        Ok(())
    }

    /// The newest edit of a key.
    pub fn get(&self, key: &[u8]) -> Result<Option<Edited>> {
        let Some(hash) = self.0.first().map(|run| run.entries.key.first_hash(key)) else { return Ok(None) };
        for Run { entries, deletes, .. } in self.0.iter().rev().filter(|run| run.filter.may_have(hash)) {
            if let Some(found) = entries.get(key)? {
                return Ok(Some(if *deletes { Edited::Deleted } else { Edited::Put(found) }));
            }
        }
        Ok(None)
    }

    /// Begins to put all edits into the tree.
    pub fn merge(&self, map: &Map) -> Result<Merging> {
        let edits = Merged::new(self.0.iter().map(Run::tree), Map::first)?;
        Ok(Merging { tree: map.clone(), edits, way: EditLog::new(map.clone()) })
    }

    /// The entries of a tree whose first `fields` fields equal those of `prefix`, with the edits on top, from a bound on; behind them
    /// there may be others.
    pub fn with_prefix(&self, map: &Map, prefix: &[u8], fields: usize, from: &Bound<'_>) -> Result<Merged> {
        let hash = map.key.first_hash(prefix);
        let runs = self.0.iter().filter(|run| fields == 0 || run.filter.may_have(hash));
        Merged::new(std::iter::once((map, false)).chain(runs.map(Run::tree)), |tree| tree.seek(from))
    }
}

/// Edits on their way into a tree, in steps: there may be millions.
pub struct Merging {
    /// With the edits of the steps so far.
    tree: Map,
    edits: Merged,
    /// Those of one step.
    way: EditLog,
}

impl Merging {
    /// Goes on with edits of so much memory, and tells how many these are; none when all are in the tree.
    pub fn step(&mut self, bytes: usize) -> Result<usize> {
        while let Some(edit) = self.edits.head()
            && self.way.size() < bytes
        {
            self.way.push(edit);
            self.edits.advance()?;
        }
        let edits = self.way.len();
        if edits > 0 {
            self.tree = self.tree.edited(self.way.since(Mark::default()))?;
            self.way.cut(Mark::default());
        }
        Ok(edits)
    }

    /// The tree with all edits.
    pub fn finish(mut self) -> Result<Map> {
        while self.step(STEP_BYTES)? > 0 {}
        Ok(self.tree)
    }
}

/// What became of a key.
pub enum Edited {
    Put(Item),
    Deleted,
}

/// The entries and edits of several trees in the order of their keys; of equal keys that of the last tree.
pub struct Merged {
    /// The one with the smallest key is the last.
    heads: Vec<Head>,
}

struct Head {
    tree: Map,
    deletes: bool,
    /// Its place among the trees.
    number: usize,
    /// At a row.
    cursor: Cursor,
    /// See [`tree::TupleDescriptor::leading`].
    leading: u64,
}

impl Merged {
    fn new<'a>(
        trees: impl Iterator<Item = (&'a Map, bool)>,
        seek: impl Fn(&Map) -> std::result::Result<Cursor, TreeError>,
    ) -> Result<Merged> {
        let mut merged = Merged { heads: Vec::new() };
        for (number, (tree, deletes)) in trees.enumerate() {
            let mut cursor = seek(tree)?;
            if cursor.is_at_row() || cursor.next_leaf()? {
                merged.add(Head { tree: tree.clone(), deletes, number, cursor, leading: 0 });
            }
        }
        Ok(merged)
    }

    /// What comes next.
    pub fn head(&self) -> Option<Edit<'_>> {
        let Head { cursor, deletes, .. } = self.heads.last()?;
        Some(Edit { key: cursor.key(), value: (!deletes).then(|| cursor.value()) })
    }

    pub fn advance(&mut self) -> Result<()> {
        let Some(newest) = self.heads.pop() else { return Ok(()) };
        while let Some(older) = self.heads.pop_if(|older| older.order(&newest).is_eq()) {
            self.go_on(older)?;
        }
        self.go_on(newest)
    }

    fn go_on(&mut self, mut head: Head) -> Result<()> {
        if head.cursor.advance()? {
            self.add(head);
        }
        Ok(())
    }

    fn add(&mut self, mut head: Head) {
        head.leading = head.tree.key.leading(head.cursor.key());
        let at = self.heads.partition_point(|other| other.order(&head).then(head.number.cmp(&other.number)).is_gt());
        self.heads.insert(at, head);
    }
}

impl Head {
    /// As [`EditLog::order`].
    fn order(&self, other: &Head) -> Ordering {
        let (key, other_key) = (self.cursor.key(), other.cursor.key());
        self.leading.cmp(&other.leading).then_with(|| {
            self.tree.key.compare(&self.tree.nodes, key, other_key).unwrap_or_else(|_| key.cmp(other_key))
        })
    }
}
