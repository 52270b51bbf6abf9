//! Edit log of a memtable: edits in the order in which they came, and by their keys.

use std::cell::{Ref, RefCell};
use std::cmp::Ordering;

use codec::CompactSort;
use tree::{Edit, Map};

/// What an edit costs beside its key and value.
pub const EDIT_BYTES: usize = 32;

/// So many positions are in a block of [`Positions`] at most.
const BLOCK_MAX: usize = 512;

/// Edits, the oldest first. Those since a mark are taken back by cutting the log off there. The order of the keys is found when
/// it is asked for: most edits of an index are asked for once, all of them, and sorting them then is much less than keeping them in order.
pub struct EditLog {
    /// The tree in whose order keys are.
    map: Map,
    edits: Vec<Logged>,
    /// Keys and values, each behind the one before.
    bytes: Vec<u8>,
    /// The edit with the largest key.
    largest: Option<u32>,
    positions: RefCell<Positions>,
}

struct Logged {
    /// See [`tree::TupleDescriptor::leading`]: a search among many keys looks at few others.
    leading: u64,
    /// Where the key begins.
    key: usize,
    /// Where the value begins. It ends where the next key begins.
    value: usize,
    deletes: bool,
}

/// The end of a log, as it was.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mark {
    edits: usize,
    bytes: usize,
    largest: Option<u32>,
}

/// A key that is looked for.
#[derive(Clone, Copy)]
struct Sought<'a> {
    leading: u64,
    key: &'a [u8],
}

impl EditLog {
    pub fn new(map: Map) -> EditLog {
        EditLog { map, edits: Vec::new(), bytes: Vec::new(), largest: None, positions: RefCell::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// How many edits there are; a key may have several.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Memory, about.
    pub fn size(&self) -> usize {
        self.size_since(Mark::default())
    }

    /// Memory of the edits since a mark, about.
    pub fn size_since(&self, mark: Mark) -> usize {
        self.bytes.len() - mark.bytes + EDIT_BYTES * (self.edits.len() - mark.edits)
    }

    /// Adds an edit.
    pub fn push(&mut self, Edit { key, value }: Edit<'_>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(key);
        let behind_key = self.bytes.len();
        self.bytes.extend_from_slice(value.unwrap_or_default());
        let position = self.edits.len() as u32;
        let leading = self.map.key.leading(key);
        self.edits.push(Logged { leading, key: start, value: behind_key, deletes: value.is_none() });
        if self.largest.is_none_or(|largest| self.compare(largest, Sought { leading, key }).is_le()) {
            self.largest = Some(position);
        }
    }

    pub fn mark(&self) -> Mark {
        Mark { edits: self.edits.len(), bytes: self.bytes.len(), largest: self.largest }
    }

    /// Forgets the edits since a mark.
    pub fn cut(&mut self, mark: Mark) {
        let mut positions = self.positions.take();
        if mark.edits > 0 {
            positions.cut(mark.edits, self);
            self.positions = RefCell::new(positions);
        }
        self.edits.truncate(mark.edits);
        self.bytes.truncate(mark.bytes);
        self.largest = mark.largest;
    }

    /// The edits since a mark, the oldest first; a key may come several times.
    pub fn since(&self, mark: Mark) -> impl Iterator<Item = Edit<'_>> {
        (mark.edits..self.edits.len()).map(|position| self.edit(position as u32))
    }

    /// The least key of the edits since a mark. Does not sort them.
    pub fn least_key_since(&self, mark: Mark) -> Option<&[u8]> {
        let sought = (mark.edits..self.edits.len()).map(|position| self.sought_at(position as u32));
        sought.min_by(|one, other| self.compare_sought(*one, *other)).map(|least| least.key)
    }

    /// The largest key of the edits. Does not sort them either.
    pub fn largest_key(&self) -> Option<&[u8]> {
        self.largest.map(|position| self.sought_at(position).key)
    }

    /// Whether a key lies behind those of all edits.
    pub fn is_before(&self, key: &[u8]) -> bool {
        self.largest.is_none_or(|largest| self.compare(largest, self.sought(key)).is_lt())
    }

    /// The newest edit of each key.
    pub fn by_key(&self) -> ByKey<'_> {
        if self.positions.borrow().upto < self.edits.len() {
            self.positions.borrow_mut().catch_up(self);
        }
        ByKey { log: self, positions: self.positions.borrow() }
    }

    fn edit(&self, position: u32) -> Edit<'_> {
        let at = position as usize;
        let logged = &self.edits[at];
        let end = self.edits.get(at + 1).map_or(self.bytes.len(), |next| next.key);
        let value = (!logged.deletes).then(|| &self.bytes[logged.value..end]);
        Edit { key: &self.bytes[logged.key..logged.value], value }
    }

    fn sought<'a>(&self, key: &'a [u8]) -> Sought<'a> {
        Sought { leading: self.map.key.leading(key), key }
    }

    fn sought_at(&self, position: u32) -> Sought<'_> {
        let logged = &self.edits[position as usize];
        Sought { leading: logged.leading, key: &self.bytes[logged.key..logged.value] }
    }

    /// How two keys lie to each other. Those that cannot be compared are so by their bytes; the tree refuses them when they come to it.
    pub fn order(&self, left: &[u8], right: &[u8]) -> Ordering {
        self.map.key.compare(&self.map.nodes, left, right).unwrap_or_else(|_| left.cmp(right))
    }

    fn compare(&self, position: u32, other: Sought<'_>) -> Ordering {
        self.compare_sought(self.sought_at(position), other)
    }

    fn compare_sought(&self, one: Sought<'_>, other: Sought<'_>) -> Ordering {
        one.leading.cmp(&other.leading).then_with(|| self.order(one.key, other.key))
    }
}

/// The newest edit of each key, in the order of the keys.
pub struct ByKey<'a> {
    log: &'a EditLog,
    positions: Ref<'a, Positions>,
}

/// Where to begin.
#[derive(Clone, Copy)]
pub enum Start<'a> {
    First,
    /// The first key that is not less.
    Key(&'a [u8]),
    Behind(&'a [u8]),
}

impl ByKey<'_> {
    pub fn get(&self, key: &[u8]) -> Option<Edit<'_>> {
        let sought = self.log.sought(key);
        let place = self.positions.place(|position| self.log.compare(position, sought).is_lt());
        let position = self.positions.at(place)?;
        self.log.compare(position, sought).is_eq().then(|| self.log.edit(position))
    }

    pub fn iter(&self, start: Start<'_>) -> impl Iterator<Item = Edit<'_>> {
        let (block, at) = match start {
            Start::First => (0, 0),
            Start::Key(key) => {
                let sought = self.log.sought(key);
                self.positions.place(|position| self.log.compare(position, sought).is_lt())
            }
            Start::Behind(key) => {
                let sought = self.log.sought(key);
                self.positions.place(|position| self.log.compare(position, sought).is_le())
            }
        };
        let blocks = self.positions.blocks.get(block..).unwrap_or_default();
        blocks.iter().flatten().skip(at).map(|position| self.log.edit(*position))
    }
}

/// Where the newest edit of each key lies in the log, in the order of the keys.
#[derive(Default)]
struct Positions {
    /// None is empty.
    blocks: Vec<Vec<u32>>,
    /// So many edits of the log have been looked at.
    upto: usize,
    /// Edits of keys that had one before, with that one; the oldest first.
    replaced: Vec<(u32, u32)>,
}

/// The number of a block, and the place in it.
type Place = (usize, usize);

impl Positions {
    /// The first place that is not before what is looked for.
    fn place(&self, is_before: impl Fn(u32) -> bool) -> Place {
        let block = self.blocks.partition_point(|block| block.last().is_some_and(|last| is_before(*last)));
        let at = self.blocks.get(block).map_or(0, |block| block.partition_point(|position| is_before(*position)));
        (block, at)
    }

    fn at(&self, (block, at): Place) -> Option<u32> {
        self.blocks.get(block)?.get(at).copied()
    }

    fn place_of(&self, position: u32, log: &EditLog) -> Place {
        let sought = log.sought_at(position);
        self.place(|other| log.compare(other, sought).is_lt())
    }

    /// Takes in the edits that came since.
    fn catch_up(&mut self, log: &EditLog) {
        let len = log.edits.len();
        if self.blocks.is_empty() {
            self.fill(log);
        } else {
            (self.upto..len).for_each(|position| self.insert(position as u32, log));
        }
        self.upto = len;
    }

    fn fill(&mut self, log: &EditLog) {
        let edits = log.edits.iter().zip(0..);
        let mut order: Vec<(u64, u32)> = edits.map(|(edit, position)| (edit.leading, position)).collect();
        order.sort_unstable_by(|(leading, one), (other_leading, other)| {
            let by_key = leading.cmp(other_leading).then_with(|| log.compare(*one, log.sought_at(*other)));
            by_key.then(one.cmp(other))
        });
        order.dedup_by(|(_, newer), (_, older)| {
            let is_same = log.compare(*newer, log.sought_at(*older)).is_eq();
            if is_same {
                self.replaced.push((*newer, *older));
                *older = *newer;
            }
            is_same
        });
        self.replaced.compact_sort_by_key(|(newer, _)| *newer);
        let blocks = order.chunks(BLOCK_MAX / 2);
        self.blocks = blocks.map(|block| block.iter().map(|(_, position)| *position).collect()).collect();
    }

    fn insert(&mut self, position: u32, log: &EditLog) {
        let (block, at) = self.place_of(position, log);
        let found = self.at((block, at)).filter(|known| log.compare(*known, log.sought_at(position)).is_eq());
        if let Some(older) = found {
            self.replaced.push((position, older));
            self.blocks[block][at] = position;
            return;
        }
        // Behind all others it goes into the last block.
        let (block, at) = match self.blocks.last() {
            Some(last) if block == self.blocks.len() => (block - 1, last.len()),
            _ => (block, at),
        };
        let positions = &mut self.blocks[block];
        positions.insert(at, position);
        if positions.len() > BLOCK_MAX {
            let behind = positions.split_off(BLOCK_MAX / 2);
            self.blocks.insert(block + 1, behind);
        }
    }

    /// Takes out the edits from `first` on.
    fn cut(&mut self, first: usize, log: &EditLog) {
        for position in (first..self.upto).rev().map(|position| position as u32) {
            let (block, at) = self.place_of(position, log);
            match self.replaced.pop_if(|(newer, _)| *newer == position) {
                Some((_, older)) => self.blocks[block][at] = older,
                None => {
                    self.blocks[block].remove(at);
                    if self.blocks[block].is_empty() {
                        self.blocks.remove(block);
                    }
                }
            }
        }
        self.upto = self.upto.min(first);
    }
}
