//! Edits of a tree that are not in it yet.
#![expect(clippy::mutable_key_type, reason = "no cell that a key leads to decides how keys compare")]

use std::cell::{Cell, OnceCell};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Place;
use std::ops::Bound as End;
use std::rc::Rc;

use tree::{Bound, Edit, Map, Side, Tuple, TupleBuilder, TupleDescriptor, VectorIndexBuild};

use crate::error::Result;

/// What an edit costs beside its key and value.
const EDIT_BYTES: usize = 104;

/// A tree and the edits that come on top of it, seen as one sorted map.
pub struct EditedMap {
    map: Map,
    order: Rc<Order>,
    edits: Edits,
    edit_bytes: usize,
    /// Beyond, they go into the tree.
    edit_bytes_max: usize,
    /// The largest key of the tree, once it is known: what comes behind it needs no look-up.
    last_key: LastKey,
    /// Whether a key was looked for in vain: then the next one may be new as well.
    has_missed: Cell<bool>,
    undo: Option<Undo>,
    /// What was replaced since [`EditedMap::begin_own`], up to the mark.
    own: Option<Replaced>,
    /// A vector index that is being made anew.
    rebuild: Option<VectorIndexBuild>,
}

/// Keys that were edited, the oldest first, with the edits that were there before.
type Replaced = Vec<(Key, Option<(Key, NewValue)>)>;

/// From where on edits are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    Mark,
    /// [`EditedMap::begin_own`], or the beginning of all where that was not called.
    Own,
}

/// The new value of a key; `None` deletes.
type NewValue = Option<Box<[u8]>>;
type Edits = BTreeMap<Key, NewValue>;
type LastKey = OnceCell<Box<[u8]>>;

/// How to go back to where [`EditedMap::mark`] was.
#[derive(Default)]
struct Undo {
    /// Since then, or since the flush.
    replaced: Replaced,
    /// The tree before it was flushed, its last key, and the edits that there were.
    flushed: Option<(Map, LastKey, Edits)>,
}

impl Undo {
    fn apply(&mut self, edits: &mut Edits) {
        take_back(&mut self.replaced, edits);
    }
}

fn take_back(replaced: &mut Replaced, edits: &mut Edits) {
    for (key, before) in replaced.drain(..).rev() {
        edits.remove(&key);
        edits.extend(before);
    }
}

struct Order {
    map: Map,
    descriptor: Rc<TupleDescriptor>,
}

impl Order {
    /// Keys that cannot be compared are so by their bytes; the tree refuses them when they come to it.
    fn compare(&self, left: &[u8], right: &[u8]) -> Ordering {
        self.descriptor.compare(&self.map.nodes, left, right).unwrap_or_else(|_| left.cmp(right))
    }
}

/// A key in the order of its tree.
#[derive(Clone)]
struct Key {
    /// See [`TupleDescriptor::leading`]: a search among many keys looks at few others.
    leading: u64,
    bytes: Rc<[u8]>,
    order: Rc<Order>,
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        self.leading.cmp(&other.leading).then_with(|| self.order.compare(&self.bytes, &other.bytes))
    }
}

/// A key with its value, copied out of the tree or the edits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub key: Vec<u8>,
    pub value: Vec<u8>,
}

impl EditedMap {
    /// `edit_bytes_max` is how much memory edits may take before they go into the tree.
    pub fn new(map: Map, edit_bytes_max: usize) -> EditedMap {
        let order = Rc::new(Order { descriptor: map.key.clone(), map: map.clone() });
        let (edits, edit_bytes, last_key, has_missed, undo, own) = Default::default();
        EditedMap { map, order, edits, edit_bytes, edit_bytes_max, last_key, has_missed, undo, own, rebuild: None }
    }

    /// What is edited from here on can be taken back, until this is called again.
    pub fn mark(&mut self) {
        let before = self.undo.replace(Undo::default());
        if let (Some(own), Some(before)) = (&mut self.own, before) {
            own.extend(before.replaced);
        }
    }

    /// What is edited from here on can be taken back by itself, whatever is marked meanwhile, until [`EditedMap::keep_own`] or
    /// [`EditedMap::undo_own`]. None of it goes into the tree before.
    pub fn begin_own(&mut self) {
        self.mark();
        self.own = Some(Replaced::new());
    }

    pub fn keep_own(&mut self) {
        self.own = None;
    }

    /// Takes back what was edited since [`EditedMap::begin_own`].
    pub fn undo_own(&mut self) {
        self.undo();
        if let Some(mut own) = self.own.take() {
            take_back(&mut own, &mut self.edits);
        }
    }

    /// Takes back what was edited since [`EditedMap::mark`].
    pub fn undo(&mut self) {
        let Some(mut undo) = self.undo.replace(Undo::default()) else { return };
        match undo.flushed {
            Some(before) => (self.map, self.last_key, self.edits) = before,
            None => undo.apply(&mut self.edits),
        }
    }

    fn key(&self, key: &[u8]) -> Key {
        Key { leading: self.order.descriptor.leading(key), bytes: key.into(), order: self.order.clone() }
    }

    /// The entry with an equal key.
    pub fn get(&self, key: &[u8]) -> Result<Option<Entry>> {
        if !self.is_behind_edits(key)
            && let Some((known, edit)) = self.edits.get_key_value(&self.key(key))
        {
            return Ok(edit.as_ref().map(|value| Entry { key: known.bytes.to_vec(), value: value.to_vec() }));
        }
        if self.map.is_empty() || self.has_missed.get() && self.order.compare(self.last_key()?, key).is_lt() {
            return Ok(None);
        }
        let found = self.map.get(key)?;
        self.has_missed.set(found.is_none());
        Ok(found.map(|item| Entry { key: item.key().to_vec(), value: item.value().to_vec() }))
    }

    /// The largest key of the tree, which is not empty.
    fn last_key(&self) -> Result<&[u8]> {
        if let Some(known) = self.last_key.get() {
            return Ok(known);
        }
        let last = self.map.item(self.map.count().saturating_sub(1))?;
        Ok(self.last_key.get_or_init(|| last.map_or_else(Box::default, |item| item.key().into())))
    }

    /// Whether a key lies behind all edits, as the rows of an import in key order do.
    fn is_behind_edits(&self, key: &[u8]) -> bool {
        let last = self.edits.last_key_value();
        last.is_none_or(|(last, _)| self.order.compare(&last.bytes, key).is_lt())
    }

    pub fn put(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.edit(key, Some(value.into()))
    }

    pub fn delete(&mut self, key: &[u8]) -> Result<()> {
        self.edit(key, None)
    }

    fn edit(&mut self, key: &[u8], value: NewValue) -> Result<()> {
        self.edit_bytes += EDIT_BYTES + key.len() + value.as_ref().map_or(0, |value| value.len());
        let key = self.key(key);
        let before = match self.edits.entry(key.clone()) {
            Place::Vacant(place) => {
                place.insert(value);
                None
            }
            // The bytes of the key change where only the collation holds them for equal.
            Place::Occupied(place) => {
                let before = place.remove_entry();
                self.edits.insert(key.clone(), value);
                Some(before)
            }
        };
        if let Some(undo) = &mut self.undo {
            undo.replaced.push((key, before));
        }
        if self.edit_bytes > self.edit_bytes_max && self.own.is_none() { self.flush() } else { Ok(()) }
    }

    /// The first entry, in key order, whose first `fields` fields equal those of `prefix`, beginning behind `after`.
    pub fn first_with_prefix(&self, prefix: &[u8], fields: usize, after: Option<&[u8]>) -> Result<Option<Entry>> {
        let stored = self.first_stored(prefix, fields, after)?;
        let lower = match after {
            Some(after) => End::Excluded(self.key(after)),
            None => End::Included(self.key(&first_fields(prefix, fields)?)),
        };
        let is_within = |key: &Key| {
            let descriptor = &self.order.descriptor;
            descriptor.compare_prefix(&self.map.nodes, &key.bytes, prefix, fields).is_ok_and(Ordering::is_eq)
        };
        let mut edited = self.edits.range((lower, End::Unbounded)).take_while(|(key, _)| is_within(key));
        let edited = edited.find_map(|(key, value)| {
            value.as_ref().map(|value| Entry { key: key.bytes.to_vec(), value: value.to_vec() })
        });
        Ok(match (stored, edited) {
            (Some(stored), Some(edited)) if self.order.compare(&stored.key, &edited.key).is_lt() => Some(stored),
            (stored, None) => stored,
            (_, edited) => edited,
        })
    }

    /// As [`EditedMap::first_with_prefix`], in the tree: entries that an edit replaces or deletes are left out.
    fn first_stored(&self, prefix: &[u8], fields: usize, after: Option<&[u8]>) -> Result<Option<Entry>> {
        if self.map.is_empty() {
            return Ok(None);
        }
        let lower = match after {
            Some(after) => Bound::after(after, usize::MAX),
            None => Bound::before(prefix, fields),
        };
        let mut cursor = self.map.seek(&lower)?;
        let mut is_at_row = cursor.is_at_row() || cursor.next_leaf()?;
        let descriptor = &self.order.descriptor;
        while is_at_row && descriptor.compare_prefix(&self.map.nodes, cursor.key(), prefix, fields)?.is_eq() {
            let key = cursor.key();
            if self.edits.is_empty() || !self.edits.contains_key(&self.key(key)) {
                return Ok(Some(Entry { key: key.to_vec(), value: cursor.value().to_vec() }));
            }
            is_at_row = cursor.advance()?;
        }
        Ok(None)
    }

    /// Puts the edits into the tree.
    pub fn flush(&mut self) -> Result<()> {
        if self.edits.is_empty() {
            return Ok(());
        }
        let edits = self.edits.iter().map(|(key, value)| Edit { key: &key.bytes, value: value.as_deref() });
        let flushed = self.map.edited(edits)?;
        self.flushed(flushed);
        Ok(())
    }

    /// Goes on to make a vector index anew that the edits leave nothing of, by about so many distances; `true` when that is done, and where
    /// nothing is to be done. Edits may not come in between, and [`EditedMap::finish`] comes next.
    pub fn rebuild_step(&mut self, distances: usize) -> Result<bool> {
        if self.rebuild.is_none() {
            let edits = self.edits.iter().map(|(key, value)| Edit { key: &key.bytes, value: value.as_deref() });
            self.rebuild = self.map.rebuild_by_nearness(&edits.collect::<Vec<_>>())?;
        }
        let Some(rebuild) = &mut self.rebuild else { return Ok(true) };
        let Some(root) = rebuild.step(distances, &mut &*self.map.nodes)? else { return Ok(false) };
        self.rebuild = None;
        self.flushed(Map { root, ..self.map.clone() });
        Ok(true)
    }

    /// The edits are in this tree now.
    fn flushed(&mut self, flushed: Map) {
        let last_key = std::mem::take(&mut self.last_key);
        let map = std::mem::replace(&mut self.map, flushed);
        let mut edits = std::mem::take(&mut self.edits);
        self.edit_bytes = 0;
        if let Some(undo) = &mut self.undo {
            undo.apply(&mut edits);
            undo.flushed.get_or_insert((map, last_key, edits));
        }
    }

    /// The edits since then, or all where nothing was marked, to `each`; a key may come twice. False when some of them are in the tree
    /// already.
    pub fn each_since(&self, since: Since, mut each: impl FnMut(&[u8], Option<&[u8]>)) -> bool {
        let marked = self.undo.as_ref().map(|undo| &undo.replaced);
        let replaced = match since {
            Since::Mark if self.undo.as_ref().is_some_and(|undo| undo.flushed.is_some()) => return false,
            Since::Mark => marked.map(|marked| [&[], &marked[..]]),
            Since::Own => self.own.as_ref().map(|own| [&own[..], marked.map_or(&[], |marked| &marked[..])]),
        };
        match replaced {
            Some(replaced) => {
                for (key, _) in replaced.into_iter().flatten() {
                    if let Some((key, value)) = self.edits.get_key_value(key) {
                        each(&key.bytes, value.as_deref());
                    }
                }
            }
            None if !self.map.root.is_same(&self.order.map.root) => return false,
            None => self.edits.iter().for_each(|(key, value)| each(&key.bytes, value.as_deref())),
        }
        true
    }

    /// Whether an entry between two bounds is another one than in the tree before all edits.
    pub fn touches(&self, (lower, upper): (Option<Bound<'_>>, Option<Bound<'_>>)) -> Result<bool> {
        if !self.map.root.is_same(&self.order.map.root) {
            return Ok(true);
        }
        // A prefix of a key comes before or behind all keys that begin with it.
        let is_behind = |key: &Key, bound: &Bound<'_>| -> Result<bool> {
            let order = self.order.descriptor.compare_prefix(&self.map.nodes, &key.bytes, bound.key, bound.fields)?;
            Ok(order.is_gt() || order.is_eq() && bound.side == Side::Before)
        };
        let from = match &lower {
            Some(lower) => End::Included(self.key(&first_fields(lower.key, lower.fields)?)),
            None => End::Unbounded,
        };
        for (key, _) in self.edits.range((from, End::Unbounded)) {
            if lower.as_ref().map_or(Ok(true), |lower| is_behind(key, lower))? {
                return upper.as_ref().map_or(Ok(true), |upper| Ok(!is_behind(key, upper)?));
            }
        }
        Ok(false)
    }

    /// The tree with all edits. Its root is no chunk yet: see [`Map::put_root`].
    pub fn finish(&mut self) -> Result<&Map> {
        self.flush()?;
        Ok(&self.map)
    }

    /// Memory that edits take which are not in the tree, about.
    pub fn edit_bytes(&self) -> usize {
        self.edit_bytes
    }

    /// The tree before all edits.
    pub fn base(&self) -> &Map {
        &self.order.map
    }

    /// The tree without the edits that are not in it yet.
    pub fn map(&self) -> &Map {
        &self.map
    }
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
