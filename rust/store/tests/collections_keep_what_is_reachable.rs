//! A garbage collection keeps what the root and history lead to, drops the rest, and can be cut off anywhere.

mod common;

use std::collections::HashSet;
use std::rc::Rc;

use codec::Address;
use common::{OneTerm, write_options};
use region::{CrashDirectory, Directory, MemoryDirectory, MemoryLock};
use store::{
    ChunkStore, Chunks, CollectMode, Collection, Committed, Durability, MemoryChunks, OpenOptions, Progress,
    References, StoreError, Verify, WriteOptions,
};

/// A chunk of these tests: how many it refers to, their addresses, then anything.
fn chunk(references: &[Address], text: &str) -> Vec<u8> {
    let mut chunk = vec![references.len() as u8];
    references.iter().for_each(|address| chunk.extend(address.as_bytes()));
    chunk.extend(text.bytes());
    chunk
}

fn references() -> References {
    Rc::new(|chunk, each| {
        let end = 1 + 20 * usize::from(chunk[0]);
        chunk[1..end].chunks(20).for_each(|address| each(Address::from_slice(address).unwrap()));
        Ok(())
    })
}

/// What was committed: each commit has a root, which leads to a working chunk and to a history chunk, which leads to the history
/// before and to rows.
#[derive(Default, Clone)]
struct Made {
    history: Vec<Address>,
    root: Address,
    working: Address,
    kept: HashSet<Address>,
    garbage: HashSet<Address>,
}

impl Made {
    fn commit(&mut self, store: &dyn Chunks, rows: usize, len: usize) -> Result<(), StoreError> {
        let number = self.history.len();
        let put = |references: &[Address], text: String| store.put(&chunk(references, &text));
        let mut below: Vec<Address> = self.history.last().copied().into_iter().collect();
        let mut all = Vec::new();
        for row in 0..rows {
            let row = put(&[], format!("row {row} of {number}: {}", "common to all rows, ".repeat(len / 20)))?;
            all.push(row);
            below.push(row);
        }
        // A chunk of these tests refers to 255 others at most.
        let mut leaves = Vec::new();
        for part in below.chunks(200) {
            leaves.push(put(part, format!("part of {number}"))?);
        }
        let history = put(&leaves, format!("history {number}"))?;
        let working = put(&[], format!("working set {number}"))?;
        let root = put(&[history, working], format!("root {number}"))?;
        all.extend(leaves.into_iter().chain([history, working, root]));
        assert_eq!(store.commit(&store.root(), &root, &all)?, Committed::Done);
        if !self.root.is_empty() {
            self.garbage.extend([self.root, self.working]);
            self.kept.retain(|address| *address != self.root && *address != self.working);
        }
        self.history.push(history);
        (self.root, self.working) = (root, working);
        self.kept.extend(all);
        Ok(())
    }

    fn collection(&self, mode: CollectMode) -> Collection {
        Collection::new(mode, self.history.last().copied().into_iter().collect(), references())
    }

    fn check(&self, store: &dyn Chunks, is_clean: bool) {
        assert_eq!(store.root(), self.root);
        for address in &self.kept {
            assert_eq!(Address::of(&store.read(address).unwrap()), *address);
        }
        for address in self.garbage.iter().filter(|_| is_clean) {
            assert_eq!(store.read(address), Err(StoreError::Missing(*address)));
        }
    }
}

fn collect(store: &dyn Chunks, collection: &mut Collection) -> Result<Progress, StoreError> {
    loop {
        let progress = store.collect(collection, 7)?;
        if progress.is_done {
            return Ok(progress);
        }
    }
}

fn reopen(directory: &MemoryDirectory) -> ChunkStore {
    let options = OpenOptions { verify: Verify::Always, ..OpenOptions::default() };
    ChunkStore::open(&common::region(), directory, options).unwrap()
}

fn archives(directory: &MemoryDirectory) -> Vec<String> {
    directory.paths().into_iter().filter(|path| path.ends_with(".darc")).collect()
}

#[test]
fn history_moves_to_the_old_generation_and_garbage_goes() {
    let directory = Rc::new(MemoryDirectory::new());
    let store = common::create(&directory, write_options()).unwrap();
    let mut made = Made::default();
    for _ in 0..5 {
        made.commit(&store, 20, 200).unwrap();
    }
    let progress = collect(&store, &mut made.collection(CollectMode::Default)).unwrap();
    assert_eq!(progress.chunks, made.kept.len() as u64);
    assert_eq!(progress.bytes, store.stats().file_bytes);
    made.check(&store, true);
    made.check(&reopen(&directory), true);
    let manifest = store.manifest();
    assert!(!manifest.gc_generation.is_empty() && manifest.files.len() == 1);
    assert_eq!(manifest.files[0].chunks, 2, "root and working set");
    let names = directory.paths();
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(names.iter().all(|name| name.ends_with("manifest") || name.ends_with(".darc")));
    // Once more, with more history: what is old is not written again.
    for _ in 0..2 {
        made.commit(&store, 20, 200).unwrap();
    }
    let progress = collect(&store, &mut made.collection(CollectMode::Default)).unwrap();
    assert_eq!(progress.chunks, 2 * (20 + 2) + 2);
    made.check(&reopen(&directory), true);
    assert_eq!(archives(&directory).len(), 3);
    // All of it once more: two files are left.
    let progress = collect(&store, &mut made.collection(CollectMode::Full)).unwrap();
    assert_eq!(progress.chunks, made.kept.len() as u64);
    assert_eq!(archives(&directory).len(), 2);
    made.check(&store, true);
    made.check(&reopen(&directory), true);
    made.commit(&store, 3, 100).unwrap();
    made.check(&reopen(&directory), false);
}

#[test]
fn many_chunks_share_a_dictionary() {
    let directory = Rc::new(MemoryDirectory::new());
    let store = common::create(&directory, write_options()).unwrap();
    let mut made = Made::default();
    for _ in 0..3 {
        made.commit(&store, 1100, 700).unwrap();
    }
    let before = store.stats().file_bytes;
    let progress = collect(&store, &mut made.collection(CollectMode::Default)).unwrap();
    assert!(progress.bytes * 4 < before * 3, "{} of {before} bytes", progress.bytes);
    made.check(&reopen(&directory), true);
}

#[test]
fn a_second_collection_changes_nothing() {
    let directory = Rc::new(MemoryDirectory::new());
    let store = common::create(&directory, write_options()).unwrap();
    let mut made = Made::default();
    made.commit(&store, 20, 200).unwrap();
    for mode in [CollectMode::Default, CollectMode::Full] {
        collect(&store, &mut made.collection(mode)).unwrap();
        let (names, manifest) = (directory.paths(), store.manifest());
        collect(&store, &mut made.collection(mode)).unwrap();
        assert_eq!((directory.paths(), store.manifest()), (names, manifest));
        made.check(&reopen(&directory), true);
    }
}

#[test]
fn a_shallow_collection_only_removes_files() {
    let directory = Rc::new(MemoryDirectory::new());
    let store = common::create(&directory, write_options()).unwrap();
    let mut made = Made::default();
    made.commit(&store, 5, 100).unwrap();
    let before = directory.paths();
    for name in [
        "1".repeat(32),
        format!("{}.darc", "2".repeat(32)),
        "nbs_table_123".into(),
        "oldgen/".to_owned() + &"3".repeat(32),
    ] {
        directory.insert(&format!(".dolt/noms/{name}"), vec![0; 10]);
    }
    directory.insert(".dolt/noms/LOCK", vec![]);
    directory.insert(".dolt/noms/README.md", vec![]);
    let progress = collect(&store, &mut made.collection(CollectMode::Shallow)).unwrap();
    assert_eq!((progress.chunks, progress.removed), (0, 4));
    assert_eq!(directory.paths().len(), before.len() + 2, "files of other names stay");
    made.check(&reopen(&directory), false);
}

#[test]
fn another_store_notices_and_opens_the_new_files() {
    let directory = Rc::new(MemoryDirectory::new());
    let store = common::create(&directory, write_options()).unwrap();
    let mut made = Made::default();
    made.commit(&store, 20, 200).unwrap();
    made.commit(&store, 20, 200).unwrap();
    let other = common::open_writable(&directory, write_options()).unwrap();
    let late = other.put(b"\0late").unwrap();
    collect(&store, &mut made.collection(CollectMode::Default)).unwrap();
    assert_eq!(other.commit(&made.root, &late, &[late]), Err(StoreError::Collected));
    other.forget_pending();
    other.refresh().unwrap();
    made.check(&other, true);
    made.commit(&other, 5, 50).unwrap();
    store.refresh().unwrap();
    made.check(&store, false);
}

#[test]
fn nobody_writes_while_it_runs_and_dropping_it_gives_the_lock_back() {
    let directory = Rc::new(MemoryDirectory::new());
    let store = common::create(&directory, write_options()).unwrap();
    let mut made = Made::default();
    made.commit(&store, 20, 200).unwrap();
    let before = store.manifest();
    let mut collection = made.collection(CollectMode::Default);
    store.collect(&mut collection, 3).unwrap();
    store.collect(&mut collection, 3).unwrap();
    let late = store.put(b"\0late").unwrap();
    assert!(store.commit(&made.root, &late, &[late]).unwrap_err().is_wait());
    drop(collection);
    assert_eq!(store.manifest(), before);
    assert_eq!(store.commit(&made.root, &late, &[late]), Ok(Committed::Done));
}

#[test]
fn what_was_put_before_it_can_be_committed_after_it() {
    for mode in [CollectMode::Default, CollectMode::Full] {
        let directory = Rc::new(MemoryDirectory::new());
        let in_files: Box<dyn Chunks> = Box::new(common::create(&directory, write_options()).unwrap());
        for store in [in_files, Box::new(MemoryChunks::new())] {
            let mut made = Made::default();
            made.commit(&*store, 20, 200).unwrap();
            let garbage = made.root;
            made.commit(&*store, 20, 200).unwrap();
            // One that only an older root leads to, put again; one that is new; one that comes in the middle and leans on both.
            assert_eq!(store.put(&store.read(&garbage).unwrap()), Ok(garbage));
            let new = store.put(&chunk(&[made.history[0]], "new")).unwrap();
            let mut collection = made.collection(mode);
            let is_done = store.collect(&mut collection, 3).unwrap().is_done;
            let late = store.put(&chunk(&[garbage, new, made.root], "late")).unwrap();
            assert!(is_done || store.commit(&made.root, &late, &[new, late]).unwrap_err().is_wait());
            collect(&*store, &mut collection).unwrap();
            assert_eq!(store.commit(&made.root, &late, &[new, late]), Ok(Committed::Done));
            for address in [garbage, new, late].iter().chain(&made.kept) {
                assert_eq!(Address::of(&store.read(address).unwrap()), *address);
            }
        }
        assert!(reopen(&directory).root() != Address::EMPTY);
    }
}

#[test]
fn a_chunk_that_cannot_be_followed_ends_it() {
    let directory = Rc::new(MemoryDirectory::new());
    let store = common::create(&directory, write_options()).unwrap();
    let mut made = Made::default();
    made.commit(&store, 5, 100).unwrap();
    let manifest = store.manifest();
    let refusing: References = Rc::new(|_, _| Err("of a kind that nobody knows".into()));
    let mut collection = Collection::new(CollectMode::Default, vec![], refusing);
    let error = collect(&store, &mut collection).unwrap_err();
    assert_eq!(error.to_string(), format!("chunk {}: of a kind that nobody knows", made.root));
    assert!(store.collect(&mut collection, 1).is_err());
    assert_eq!(store.manifest(), manifest);
    made.commit(&store, 5, 100).unwrap();
    let missing = Address::of(b"nowhere");
    let mut collection = Collection::new(CollectMode::Default, vec![missing], references());
    assert_eq!(collect(&store, &mut collection), Err(StoreError::Missing(missing)));
    made.check(&reopen(&directory), false);
}

#[test]
fn memory_is_collected_too() {
    let store = MemoryChunks::new();
    let mut made = Made::default();
    for _ in 0..3 {
        made.commit(&store, 5, 100).unwrap();
    }
    let progress = collect(&store, &mut made.collection(CollectMode::Default)).unwrap();
    assert_eq!((progress.chunks, store.len()), (made.kept.len() as u64, made.kept.len()));
    made.check(&store, true);
}

#[test]
fn a_crash_in_the_middle_loses_nothing() {
    let (mut finished, mut cut) = (0, 0);
    for seed in 0..600u64 {
        let disk = CrashDirectory::new(seed);
        let options = OpenOptions { verify: Verify::Always, ..OpenOptions::default() };
        let open = |disk: &Rc<CrashDirectory>| {
            ChunkStore::open_writable(&common::region(), disk.clone(), options, write_options())
        };
        let store = ChunkStore::create(&common::region(), disk.clone(), options, write_options()).unwrap();
        let mut made = Made::default();
        for _ in 0..1 + seed % 3 {
            made.commit(&store, 4, 60).unwrap();
        }
        let mode = if seed % 2 == 0 { CollectMode::Default } else { CollectMode::Full };
        if seed % 4 >= 2 {
            // There is an old generation already.
            collect(&store, &mut made.collection(CollectMode::Default)).unwrap();
            made.commit(&store, 4, 60).unwrap();
        }
        disk.cut_power_after(seed / 4 % 20);
        match collect(&store, &mut made.collection(mode)) {
            Ok(_) => finished += 1,
            Err(_) => cut += 1,
        }
        drop(store);
        let disk = disk.crash();
        let store = open(&disk).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        made.check(&store, false);
        // The leftovers of an interrupted collection do no harm.
        made.commit(&store, 4, 60).unwrap();
        collect(&store, &mut made.collection(mode)).unwrap();
        made.check(&store, true);
        assert_eq!(disk.list(".dolt/noms").unwrap().unwrap().len(), 3, "seed {seed}: manifest, an archive, oldgen");
        made.check(&open(&disk).unwrap(), true);
    }
    assert!(finished > 50 && cut > 200, "{finished} {cut}");
}

#[test]
fn a_journal_that_is_removed_after_it_was_opened_is_not_written() {
    let directory = Rc::new(MemoryDirectory::new());
    let store = common::create(&directory, write_options()).unwrap();
    let mut made = Made::default();
    made.commit(&store, 20, 200).unwrap();
    made.commit(&store, 20, 200).unwrap();
    let journal = format!(".dolt/noms/{}", Address::JOURNAL);
    let other = common::open_writable(&directory, write_options()).unwrap();
    let mut collection = made.collection(CollectMode::Default);
    // The other one looks between the swap of the manifest and the removal of the journal.
    while store.manifest().gc_generation.is_empty() {
        assert!(!store.collect(&mut collection, 100).unwrap().is_done);
    }
    other.refresh().unwrap();
    assert!(directory.open(&journal).unwrap().is_some());
    collect(&store, &mut collection).unwrap();
    assert!(directory.open(&journal).unwrap().is_none());
    // Now either of them is the first to want a journal again.
    for writers in [[&other, &store], [&store, &other]] {
        for writer in writers {
            writer.refresh().unwrap();
            made.commit(writer, 5, 50).unwrap();
            made.check(&reopen(&directory), false);
        }
        collect(&store, &mut made.collection(CollectMode::Default)).unwrap();
    }
}

#[test]
fn what_somebody_left_to_be_committed_is_not_collected() {
    let directory = Rc::new(MemoryDirectory::new());
    let options = || WriteOptions::new(Rc::new(OneTerm(MemoryLock::default())), common::noon);
    let gone = common::create(&directory, options()).unwrap();
    let mut made = Made::default();
    made.commit(&gone, 5, 50).unwrap();
    made.commit(&gone, 5, 50).unwrap();
    assert_eq!(gone.hold(&gone.root(), &mut || Some(vec![7; 50])), Ok(true));
    drop(gone);
    let store = common::open_writable(&directory, options()).unwrap();
    let refused = collect(&store, &mut made.collection(CollectMode::Default)).err();
    assert!(matches!(refused, Some(StoreError::ReadOnly(_))), "{refused:?}");
    assert_eq!(store.left_redo(false), Ok(vec![vec![7; 50]]));
}

#[test]
fn a_relaxed_commit_is_not_deferred_until_a_journal_is_listed() {
    let directory = Rc::new(MemoryDirectory::new());
    let options = || {
        let mut options = WriteOptions::new(Rc::new(OneTerm(MemoryLock::default())), common::noon);
        options.durability = Durability::Relaxed { window_ms: 100 };
        options
    };
    let store = common::create(&directory, options()).unwrap();
    let mut made = Made::default();
    made.commit(&store, 5, 50).unwrap();
    assert_eq!(store.hold(&store.root(), &mut || None), Ok(true));
    store.release();
    // After a collection there is none: to make it may wait, and the lock would go to another writer meanwhile.
    collect(&store, &mut made.collection(CollectMode::Default)).unwrap();
    assert_eq!(store.hold(&store.root(), &mut || None), Ok(false));
    made.commit(&store, 5, 50).unwrap();
    assert_eq!(store.hold(&store.root(), &mut || None), Ok(true));
}
