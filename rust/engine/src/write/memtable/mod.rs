//! Memtable over a base map: a tree and the edits of it that are not in it yet, as one sorted map.

mod changes;
mod edit_log;
mod lookup;
mod sorted_runs;

use std::cell::{Cell, OnceCell};

use tree::{Bound, Edit, Kind, Map, VectorIndexBuild};

use crate::error::Result;
use changes::Undo;
pub use changes::{Since, Told};
use edit_log::{EDIT_BYTES, EditLog, Mark, Start};
pub use lookup::Entry;
use sorted_runs::{Merging, STEP_BYTES, SortedRuns};

/// A tree, sorted runs of edits of it, and the newest edits, seen as one sorted map.
pub struct Memtable {
    map: Map,
    /// The tree before all edits.
    base: Map,
    /// Edits on top of the tree.
    runs: SortedRuns,
    /// Edits on top of these.
    edits: EditLog,
    /// Beyond, they go into the tree, or into a run.
    edit_bytes_max: usize,
    /// The largest key of the tree, once it is known: what comes behind it needs no look-up.
    last_key: LastKey,
    /// Whether the last look-up found nothing: then the next key may be new as well.
    has_missed: Cell<bool>,
    undo: Option<Undo>,
    /// The runs on their way into the tree.
    merging: Option<Merging>,
    /// The edits on their way into the tree, without runs.
    flushing: Option<Flushing>,
    /// Most of the room is taken by edits that lie among many more entries.
    is_seen_scattered: bool,
    /// Where [`Memtable::begin_undo_scope`] was.
    scope: Option<Mark>,
    /// A vector index that is being made anew.
    rebuild: Option<VectorIndexBuild>,
}

/// When a memtable is asked to put edits into its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergePoint {
    /// Between the rows of a statement whose writer others share: edits stay edits, for redo records are made of them.
    Shared,
    /// Between the rows of any other statement.
    Between,
    /// After the last edit.
    End,
}

/// Edits that go into the tree in steps.
struct Flushing {
    /// With the edits of the steps so far.
    tree: Map,
    /// The key of the last of them.
    last: Vec<u8>,
}

type LastKey = OnceCell<Box<[u8]>>;

/// Edits behind all of the tree take so much memory at least if they go into it at once: it writes its last nodes anew, some KiB each.
const BEHIND_BYTES_MIN: usize = 32 << 10;

/// Edits among so many times more entries are not put into the tree by themselves: a leaf has some hundred.
const ENTRIES_TO_AN_EDIT: u64 = 4;

impl Memtable {
    /// `edit_bytes_max` is how much memory edits may take before they go into the tree.
    pub fn new(map: Map, edit_bytes_max: usize) -> Memtable {
        let (base, edits) = (map.clone(), EditLog::new(map.clone()));
        let (runs, last_key, has_missed, undo, scope) = Default::default();
        let (merging, flushing, rebuild) = (None, None, None);
        Memtable {
            map,
            base,
            runs,
            edits,
            edit_bytes_max,
            last_key,
            has_missed,
            undo,
            merging,
            flushing,
            is_seen_scattered: false,
            scope,
            rebuild,
        }
    }

    pub fn put(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.edit(Edit::put(key, value))
    }

    pub fn delete(&mut self, key: &[u8]) -> Result<()> {
        self.edit(Edit { key, value: None })
    }

    fn edit(&mut self, edit: Edit<'_>) -> Result<()> {
        self.edits.push(edit);
        self.flushing = None;
        if self.edits.size() > self.edit_bytes_max && self.scope.is_none() { self.make_room() } else { Ok(()) }
    }

    /// Edits that lie close to each other go into the tree. Where one would be of many, they wait until they are half as many as its entries:
    /// so a tree is written about three times while it grows, however often there is no room.
    fn make_room(&mut self) -> Result<()> {
        // Those that are many were left to [`Memtable::merge_step`], which was not called.
        if self.is_due() || self.runs.is_empty() && !self.is_scattered()? {
            return self.flush();
        }
        self.put_aside()
    }

    /// Whether so many edits wait beside the tree that they are to go into it.
    fn is_due(&self) -> bool {
        !self.runs.is_empty() && self.runs.edits() * 2 >= self.map.count()
    }

    /// Goes on to put what waits beside the tree into it: at the end of all edits, or where it has become much. Tells with how many edits;
    /// with none when nothing, or little, is left to do. What [`Memtable::flush`] would else do in one go.
    pub fn merge_step(&mut self, at: MergePoint) -> Result<usize> {
        if self.scope.is_some() {
            return Ok(0);
        }
        if self.runs.is_empty() {
            return if self.flushes_in_steps(at)? { self.flush_step() } else { Ok(0) };
        }
        if at != MergePoint::End && !self.is_due() {
            return Ok(0);
        }
        if self.merging.is_none() {
            if !self.edits.is_empty() {
                self.put_aside()?;
            }
            self.merging = Some(self.runs.merge(&self.map)?);
        }
        let step_bytes = self.step_bytes();
        let Some(merging) = &mut self.merging else { return Ok(0) };
        let merged = merging.step(step_bytes)?;
        if merged == 0
            && let Some(merging) = self.merging.take()
        {
            // Edits that came meanwhile lie on top.
            let (tree, mut runs) = (merging.finish()?, SortedRuns::default());
            runs.add(&tree, &self.edits.by_key())?;
            self.flushed(tree, runs);
        }
        Ok(merged)
    }

    /// Whether edits go into the tree in steps, without runs: at the end where they are many, and before that where most of the room is
    /// taken, so that they need not go there in one step when it is full.
    fn flushes_in_steps(&mut self, at: MergePoint) -> Result<bool> {
        let size = self.edits.size();
        if !self.is_tree_of_rows() || size <= self.step_bytes() || at == MergePoint::Shared {
            return Ok(false);
        }
        if at == MergePoint::End || self.flushing.is_some() {
            return Ok(true);
        }
        if size <= self.edit_bytes_max / 4 * 3 || self.is_seen_scattered {
            return Ok(false);
        }
        self.is_seen_scattered = self.is_scattered()?;
        Ok(!self.is_seen_scattered)
    }

    fn step_bytes(&self) -> usize {
        STEP_BYTES.min(self.edit_bytes_max)
    }

    /// Puts the next edits into the tree, without runs; how many. After the last of them all are there.
    fn flush_step(&mut self) -> Result<usize> {
        let mut left = self.step_bytes();
        let by_key = self.edits.by_key();
        let (tree, start) = match &self.flushing {
            Some(Flushing { tree, last }) => (tree, Start::Behind(last)),
            None => (&self.map, Start::First),
        };
        let fits = |edit: &Edit<'_>| {
            let has_room = left > 0;
            left = left.saturating_sub(EDIT_BYTES + edit.key.len() + edit.value.map_or(0, <[u8]>::len));
            has_room
        };
        let step: Vec<Edit<'_>> = by_key.iter(start).take_while(fits).collect();
        let (count, last) = (step.len(), step.last().map(|edit| edit.key.to_vec()));
        let tree = if count > 0 { tree.edited(step)? } else { tree.clone() };
        drop(by_key);
        match last {
            Some(last) => self.flushing = Some(Flushing { tree, last }),
            None => self.flushed(tree, SortedRuns::default()),
        }
        Ok(count)
    }

    /// Whether the edits lie among many more entries of the tree.
    fn is_scattered(&self) -> Result<bool> {
        let (first, last) = (self.edits.least_key_since(Mark::default()), self.edits.largest_key());
        let (Some(first), Some(last)) = (first, last) else { return Ok(false) };
        let bounds = (Bound::before(first, usize::MAX), Bound::after(last, usize::MAX));
        let among = self.map.ordinals(Some(&bounds.0), Some(&bounds.1))?;
        Ok(self.is_tree_of_rows() && among.end - among.start > ENTRIES_TO_AN_EDIT * self.edits.len() as u64)
    }

    /// Makes a run of the edits.
    fn put_aside(&mut self) -> Result<()> {
        let mut runs = self.runs.clone();
        runs.add(&self.map, &self.edits.by_key())?;
        self.flushed(self.map.clone(), runs);
        Ok(())
    }

    /// Puts the edits into the tree.
    pub fn flush(&mut self) -> Result<()> {
        if !self.runs.is_empty() {
            if !self.edits.is_empty() {
                self.put_aside()?;
            }
            let merging = self.merging.take().map_or_else(|| self.runs.merge(&self.map), Ok)?;
            self.flushed(merging.finish()?, SortedRuns::default());
        } else if self.flushing.is_some() {
            while self.flush_step()? > 0 {}
        } else if !self.edits.is_empty() {
            let flushed = self.map.edited(self.edits.by_key().iter(Start::First))?;
            self.flushed(flushed, SortedRuns::default());
        }
        Ok(())
    }

    /// Goes on to make a vector index anew that the edits leave nothing of, by about so many distances; `true` when that is done, and where
    /// nothing is to be done. Edits may not come in between, and [`Memtable::finish`] comes next.
    pub fn rebuild_step(&mut self, distances: usize) -> Result<bool> {
        if self.rebuild.is_none() {
            self.rebuild =
                self.map.rebuild_vector_index(&self.edits.by_key().iter(Start::First).collect::<Vec<_>>())?;
        }
        let Some(rebuild) = &mut self.rebuild else { return Ok(true) };
        let Some(root) = rebuild.step(distances, &mut &*self.map.nodes)? else { return Ok(false) };
        self.rebuild = None;
        self.flushed(Map { root, ..self.map.clone() }, SortedRuns::default());
        Ok(true)
    }

    /// The edits are in this tree and these runs now.
    fn flushed(&mut self, flushed: Map, runs: SortedRuns) {
        (self.merging, self.flushing, self.is_seen_scattered) = (None, None, false);
        let last_key = std::mem::take(&mut self.last_key);
        let map = std::mem::replace(&mut self.map, flushed);
        let runs = std::mem::replace(&mut self.runs, runs);
        match &mut self.undo {
            Some(undo) if undo.flushed.is_none() => {
                let edits = std::mem::replace(&mut self.edits, EditLog::new(self.base.clone()));
                undo.flushed = Some((map, last_key, runs, edits));
            }
            _ => self.edits.cut(Mark::default()),
        }
    }

    /// Where many edits since the mark have keys behind all of the tree, all edits go into it: they touch its end, mostly, and what is written
    /// of it is written once. Those of an undo scope stay.
    pub fn flush_behind(&mut self) -> Result<()> {
        let mark = match &self.undo {
            Some(Undo { mark, flushed: None }) => *mark,
            _ => Mark::default(),
        };
        let may_be = self.scope.is_none() && self.runs.is_empty() && self.is_tree_of_rows();
        if may_be
            && self.edits.size_since(mark) >= BEHIND_BYTES_MIN
            && let Some(least) = self.edits.least_key_since(mark)
            && self.is_behind(least)?
        {
            self.flush()?;
        }
        Ok(())
    }

    fn is_tree_of_rows(&self) -> bool {
        self.map.root.kind() == Kind::Rows
    }

    /// Whether some edits are in the tree, or in runs.
    fn is_flushed(&self) -> bool {
        !self.runs.is_empty() || !self.map.root.is_same(&self.base.root)
    }

    /// The tree with all edits. Its root is no chunk yet: see [`Map::put_root`].
    pub fn finish(&mut self) -> Result<&Map> {
        self.flush()?;
        Ok(&self.map)
    }

    /// Memory that edits take which are not in the tree, about.
    pub fn edit_bytes(&self) -> usize {
        self.edits.size()
    }

    /// The tree before all edits.
    pub fn base(&self) -> &Map {
        &self.base
    }

    /// The tree without the edits that are not in it yet.
    pub fn map(&self) -> &Map {
        &self.map
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::rc::Rc;

    use store::MemoryChunks;
    use tree::{AddressFields, Chunker, Encoding, FieldType, NodeStore, Options, TupleBuilder, TupleDescriptor};
    use value::SqlType;

    use super::*;

    /// What the map is to hold, by the numbers in its keys.
    type Model = BTreeMap<i32, u32>;

    fn key(number: i32) -> Vec<u8> {
        let mut tuple = TupleBuilder::new();
        tuple.push(Some(&number.to_le_bytes()));
        tuple.finish().unwrap()
    }

    fn value(number: u32) -> Vec<u8> {
        let mut tuple = TupleBuilder::new();
        tuple.push(Some(&number.to_le_bytes()));
        tuple.finish().unwrap()
    }

    fn map_of(model: &Model) -> Map {
        map_in(Rc::new(MemoryChunks::default()), model)
    }

    fn map_in(chunks: Rc<MemoryChunks>, model: &Model) -> Map {
        let mut chunker = Chunker::new(&*chunks, Kind::Rows, AddressFields::default());
        for (number, stored) in model {
            chunker.append(&key(*number), &value(*stored)).unwrap();
        }
        let root = chunker.finish().unwrap();
        let descriptor = |encoding| Rc::new(TupleDescriptor::new(vec![FieldType::new(encoding, false, SqlType::INT)]));
        let nodes = NodeStore::new(chunks, Options::default());
        let root = nodes.root(&root).unwrap();
        Map::new(nodes, root, descriptor(Encoding::Int32), descriptor(Encoding::Uint32))
    }

    /// Numbers below what is asked for.
    fn random_of(seed: u64) -> impl FnMut(u64) -> u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        move |end| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % end
        }
    }

    #[track_caller]
    fn assert_holds(edited: &Memtable, model: &Model, asked: i32) {
        let found = edited.get(&key(asked)).unwrap().map(|entry| entry.value);
        assert_eq!(found, model.get(&asked).map(|stored| value(*stored)), "{asked}");
        let same = edited.first_with_prefix(&key(asked), 1, None).unwrap().map(|entry| entry.value);
        assert_eq!(same, found, "the only one with {asked}");
        let next = edited.first_with_prefix(&key(asked), 0, Some(&key(asked))).unwrap().map(|entry| entry.key);
        assert_eq!(next, model.range(asked + 1..).next().map(|(number, _)| key(*number)), "behind {asked}");
    }

    fn rows(map: &Map) -> Vec<(Vec<u8>, Vec<u8>)> {
        let all = (0..map.count()).map(|ordinal| map.item(ordinal).unwrap().unwrap());
        all.map(|item| (item.key().to_vec(), item.value().to_vec())).collect()
    }

    /// 30,000 entries that come in no order, with room for a few hundred: each time most leaves would be written for them.
    #[test]
    fn a_tree_that_grows_everywhere_is_written_a_few_times() {
        let chunks = Rc::new(MemoryChunks::default());
        let empty = map_in(chunks.clone(), &Model::new());
        let mut edited = Memtable::new(empty, 16 << 10);
        let mut model = Model::new();
        for number in (0..30_000_i32).map(|number| number.wrapping_mul(0x0135_1f35)) {
            assert!(edited.get(&key(number)).unwrap().is_none());
            edited.put(&key(number), &value(1)).unwrap();
            model.insert(number, 1);
            // Statements do so between their rows. A step is as long as one of those that write a run.
            let merged = edited.merge_step(MergePoint::Between).unwrap();
            assert!(merged <= 512, "{merged} edits in one step");
        }
        let steps =
            std::iter::from_fn(|| Some(edited.merge_step(MergePoint::End).unwrap())).take_while(|merged| *merged > 0);
        assert!(steps.count() > 8, "the last ones come in steps, too");
        assert!(edited.edits.is_empty() && edited.runs.is_empty(), "nothing is left for the end");
        let whole = Rc::new(MemoryChunks::default());
        assert_eq!(edited.finish().unwrap().address(), map_in(whole.clone(), &model).address());
        let (written, least) = (chunks.pending_len(), whole.len());
        assert!(written < 8 * least, "{written} chunks for a tree of {least}");
    }

    /// DELETE of several large tables: the room of each is full in the middle of the statement.
    #[test]
    fn edits_close_to_each_other_go_into_the_tree_in_steps_before_the_room_is_full() {
        let model: Model = (0..100_000).map(|number| (number, 0)).collect();
        let mut edited = Memtable::new(map_of(&model), 4 << 20);
        for number in 0..90_000 {
            edited.delete(&key(number)).unwrap();
        }
        let size = edited.edit_bytes();
        assert!((3 << 20..4 << 20).contains(&size), "{size} bytes are most of the room, and not all");
        assert_eq!(edited.merge_step(MergePoint::Shared).unwrap(), 0, "redo records are made of edits");
        let steps =
            std::iter::from_fn(|| Some(edited.merge_step(MergePoint::Between).unwrap()).filter(|step| *step > 0));
        let steps: Vec<usize> = steps.collect();
        assert!(steps.len() > 2, "{steps:?}");
        assert_eq!(steps.iter().sum::<usize>(), 90_000);
        assert_eq!(edited.edit_bytes(), 0);
        assert_eq!(edited.finish().unwrap().count(), 10_000);
    }

    /// Of a statement whose edits have room until its end.
    #[test]
    fn many_edits_go_into_the_tree_in_steps() {
        let mut model: Model = (0..30_000).map(|number| (2 * number, 0)).collect();
        let chunks = Rc::new(MemoryChunks::default());
        let mut edited = Memtable::new(map_in(chunks.clone(), &model), usize::MAX);
        edited.mark();
        for number in (0..60_000).rev() {
            match number % 3 {
                0 => edited.delete(&key(number)).unwrap(),
                _ => edited.put(&key(number), &value(1)).unwrap(),
            }
            if number % 3 == 0 {
                model.remove(&number)
            } else {
                model.insert(number, 1)
            };
        }
        assert_eq!(edited.merge_step(MergePoint::Between).unwrap(), 0);
        let first = edited.merge_step(MergePoint::End).unwrap();
        assert!(0 < first && first < 30_000, "{first}");
        // What comes in between begins anew.
        edited.put(&key(1), &value(2)).unwrap();
        model.insert(1, 2);
        let steps =
            std::iter::from_fn(|| Some(edited.merge_step(MergePoint::End).unwrap())).take_while(|edits| *edits > 0);
        assert_eq!(steps.sum::<usize>(), 60_000);
        assert!(edited.edits.is_empty(), "nothing is left for the end");
        assert_eq!(edited.finish().unwrap().address(), map_in(chunks.clone(), &model).address());
        edited.undo();
        assert_eq!(edited.finish().unwrap().count(), 30_000);
    }

    /// Edits, looks, and ways back in any order, over few keys and many, with and without room for all edits.
    #[test]
    fn an_edited_map_is_a_sorted_map_with_ways_back() {
        for seed in 1..=40_u64 {
            let mut random = random_of(seed);
            let keys = [8, 100, 3000][(seed % 3) as usize];
            let mut model: Model = (0..random(keys)).map(|number| (2 * number as i32, 0)).collect();
            let mut edited = Memtable::new(map_of(&model), if seed % 2 == 0 { 4096 } else { usize::MAX });
            let mut marked = model.clone();
            edited.mark();
            let mut scope: Option<Model> = None;
            for step in 0..4000 {
                let number = random(2 * keys) as i32;
                match random(100) {
                    0 => {
                        edited.mark();
                        marked = model.clone();
                    }
                    1 => {
                        edited.undo();
                        model = marked.clone();
                    }
                    2 if scope.is_none() => {
                        edited.begin_undo_scope();
                        (marked, scope) = (model.clone(), Some(model.clone()));
                    }
                    3 if scope.is_some() => {
                        edited.keep_undo_scope();
                        scope = None;
                    }
                    4 => {
                        if let Some(before) = scope.take() {
                            edited.undo_scope();
                            (marked, model) = (before.clone(), before);
                        }
                    }
                    5..35 => {
                        edited.delete(&key(number)).unwrap();
                        model.remove(&number);
                    }
                    35..37 => {
                        let points = [MergePoint::Shared, MergePoint::Between, MergePoint::End];
                        edited.merge_step(points[random(3) as usize]).unwrap();
                    }
                    37..60 => assert_holds(&edited, &model, number),
                    _ => {
                        edited.put(&key(number), &value(step)).unwrap();
                        model.insert(number, step);
                    }
                }
            }
            let wanted: Vec<_> = model.iter().map(|(number, stored)| (key(*number), value(*stored))).collect();
            assert_eq!(rows(edited.finish().unwrap()), wanted, "seed {seed}");
        }
    }

    /// Statements of scattered edits and of many behind all others, some of them taken back: the changes of each make the same tree.
    #[test]
    fn what_is_told_of_each_statement_is_all_that_has_changed() {
        for seed in 1..=12_u64 {
            let mut below = random_of(seed);
            let mut random = |end: u64| below(end) as i32;
            let model: Model = (0..random(3) * 500).map(|number| (number, 0)).collect();
            let chunks = Rc::new(MemoryChunks::default());
            let [mut edited, mut told] = [(); 2].map(|()| Memtable::new(map_in(chunks.clone(), &model), usize::MAX));
            let (mut next, mut trees) = (model.len() as i32, 0);
            for step in 0..40 {
                edited.mark();
                match random(3) {
                    0 => {
                        let many = next..next + 200 + random(1500);
                        next = many.end;
                        many.for_each(|number| edited.put(&key(number), &value(step)).unwrap());
                    }
                    1 => edited.delete(&key(random(3000))).unwrap(),
                    _ => (0..random(20)).for_each(|_| edited.put(&key(random(3000)), &value(step)).unwrap()),
                }
                if random(6) == 0 {
                    edited.undo();
                }
                edited.flush_behind().unwrap();
                if random(9) == 0 {
                    edited.undo();
                }
                let is_known = edited.each_since(Since::Mark, |change| match change {
                    Told::Tree(root) => {
                        trees += 1;
                        told.replace(root.bytes()).unwrap();
                    }
                    Told::Edit(Edit { key, value: Some(value) }) => told.put(key, value).unwrap(),
                    Told::Edit(Edit { key, value: None }) => told.delete(key).unwrap(),
                });
                assert!(is_known);
            }
            assert!(trees > 2, "{trees} of seed {seed}");
            assert_eq!(rows(told.finish().unwrap()), rows(edited.finish().unwrap()), "seed {seed}");
        }
    }
}
