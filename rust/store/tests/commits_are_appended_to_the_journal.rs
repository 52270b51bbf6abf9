//! A commit appends chunks and one root, and flushes once; who opens the files again finds it.

mod common;

use std::cell::Cell;
use std::rc::Rc;

use codec::Address;
use common::{build, commit, create, open_writable, write_options};
use region::{Directory, FaultFile, File, FileError, Lock, MemoryDirectory, MemoryLock};
use store::{ChunkStore, Chunks, Committed, Durability, OpenOptions, StoreError, WriteOptions};

const JOURNAL: &str = ".dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv";

fn new_database() -> (Rc<MemoryDirectory>, ChunkStore) {
    let directory = Rc::new(MemoryDirectory::new());
    let store = create(&directory, write_options()).unwrap();
    (directory, store)
}

#[test]
fn nothing_is_there_before_the_first_commit() {
    let (directory, store) = new_database();
    let chunks = build::chunks(3, 100);
    let put: Vec<Address> = chunks.iter().map(|chunk| store.put(chunk).unwrap()).collect();
    assert_eq!(directory.paths(), Vec::<String>::new());
    assert!(store.is_pending(&put[0]) && store.root().is_empty());
    assert_eq!(store.read(&put[1]).unwrap(), chunks[1]);
    assert_eq!(store.commit(&Address::EMPTY, &put[2], &put[..]), Ok(Committed::Done));
    assert_eq!(directory.paths(), [".dolt/noms/manifest", JOURNAL]);
    assert_eq!((store.root(), store.stats().flushes), (put[2], 1));
    assert!(matches!(create(&directory, write_options()), Err(StoreError::Exists { .. })));
    let again = open_writable(&directory, write_options()).unwrap();
    assert_eq!((again.root(), again.torn_bytes()), (put[2], 0));
    assert_eq!(again.manifest().root, put[2]);
    for (address, chunk) in put.iter().zip(&chunks) {
        assert!(!store.is_pending(address));
        assert_eq!(again.read(address).unwrap(), *chunk);
        assert_eq!(store.read(address).unwrap(), *chunk);
    }
}

#[test]
fn records_are_those_of_native_dolt() {
    let (directory, store) = new_database();
    let chunks = build::chunks(2, 5000);
    commit(&store, &chunks);
    commit(&store, &build::chunks(3, 70)[2..]);
    let mut expected: Vec<u8> = chunks.iter().flat_map(|chunk| build::journal_chunk(chunk)).collect();
    let root = |chunk: &[u8]| {
        let (seconds, root) = (common::noon() / 1000, Address::of(chunk));
        build::journal_record(&[&[1, 1, 4], &seconds.to_be_bytes(), &[2], root.as_bytes()])
    };
    expected.extend(root(&chunks[1]));
    expected.extend(build::journal_chunk(&build::chunks(3, 70)[2]));
    expected.extend(root(&build::chunks(3, 70)[2]));
    let mut written = common::contents(&*directory, JOURNAL);
    let room = written.split_off(expected.len());
    assert_eq!(written, expected);
    assert!(room.len() >= 64 << 10 && room.iter().all(|byte| *byte == 0), "behind them there is room for more");
}

#[test]
fn one_flush_for_each_commit_of_any_size() {
    let (_, store) = new_database();
    for count in [1, 5, 2000] {
        let before = store.stats();
        commit(&store, &build::chunks(count, 3000 + count as usize));
        let after = store.stats();
        assert_eq!((after.flushes - before.flushes, after.commits - before.commits), (1, 1));
        assert_eq!(after.pending_bytes, 0);
        assert!(after.file_bytes - before.file_bytes <= after.appended_bytes - before.appended_bytes + (1 << 20));
    }
    let before = store.stats();
    assert_eq!(store.commit(&store.root(), &store.root(), &[]), Ok(Committed::Done));
    assert_eq!(store.stats().flushes, before.flushes, "nothing changed");
}

/// A flush of bytes alone is cheap, one of a new length is not.
#[test]
fn the_file_seldom_becomes_longer() {
    let (directory, store) = new_database();
    let mut lengths = Vec::new();
    for chunk in build::chunks(300, 700) {
        commit(&store, &[chunk]);
        lengths.push(common::contents(&*directory, JOURNAL).len());
    }
    lengths.dedup();
    assert!(lengths.len() <= 6, "{lengths:?}");
    let again = open_writable(&directory, write_options()).unwrap();
    assert_eq!(again.root(), store.root());
    let before = again.stats().flushes;
    commit(&again, &build::chunks(2, 800)[1..]);
    assert_eq!(again.stats().flushes - before, 1, "the room is used");
    assert_eq!(common::contents(&*directory, JOURNAL).len(), lengths[lengths.len() - 1]);
    let late = build::chunks(3, 900).remove(2);
    assert_eq!(common::try_commit(&store, core::slice::from_ref(&late)), Ok(Committed::Moved), "nobody writes over it");
    commit(&store, &[late]);
    again.refresh().unwrap();
    assert_eq!(again.root(), store.root(), "and what others write there is seen");
}

#[test]
fn two_stores_see_what_the_other_appended() {
    let (directory, first) = new_database();
    commit(&first, &build::chunks(1, 50));
    let second = open_writable(&directory, write_options()).unwrap();
    let chunks = build::chunks(40, 3000);
    for (i, chunk) in chunks.iter().enumerate() {
        let (one, other) = if i % 3 == 0 { (&second, &first) } else { (&first, &second) };
        let address = one.put(chunk).unwrap();
        let before = one.root();
        match one.commit(&before, &address, &[address]).unwrap() {
            Committed::Done => {}
            Committed::Moved => {
                assert!(one.is_pending(&address), "nothing was written");
                assert_eq!(one.commit(&one.root(), &address, &[address]), Ok(Committed::Done));
            }
        }
        assert!(other.root() != address && !other.contains(&address).unwrap());
        if i % 5 == 0 {
            other.refresh().unwrap();
            assert_eq!(other.root(), address);
            assert_eq!(other.read(&address).unwrap(), *chunk);
        }
    }
    second.refresh().unwrap();
    let third = open_writable(&directory, write_options()).unwrap();
    for chunk in &chunks {
        for store in [&second, &third] {
            assert_eq!(store.read(&Address::of(chunk)).unwrap(), *chunk);
        }
    }
}

#[test]
fn what_is_pending_beyond_the_budget_goes_to_the_journal_early() {
    let directory = Rc::new(MemoryDirectory::new());
    let store = create(&directory, WriteOptions { pending_bytes_max: 20_000, ..write_options() }).unwrap();
    commit(&store, &build::chunks(1, 10));
    let root = store.root();
    let chunks = build::chunks(95, 1000);
    let mut put = Vec::new();
    for chunk in &chunks {
        put.push(store.put(chunk).unwrap());
        assert!(store.stats().pending_bytes <= 21_100);
    }
    assert!(!store.is_pending(&put[0]) && store.is_pending(&put[94]));
    let other = open_writable(&directory, write_options()).unwrap();
    assert_eq!(other.root(), root, "there is no root after them");
    let before = store.stats();
    assert_eq!(store.commit(&root, &put[94], &put), Ok(Committed::Done));
    assert_eq!(store.stats().flushes - before.flushes, 1);
    assert!(store.stats().appended_bytes - before.appended_bytes < 25_000, "only what was not there yet");
    other.refresh().unwrap();
    for (address, chunk) in put.iter().zip(&chunks) {
        assert_eq!(other.read(address).unwrap(), *chunk);
    }
    // These are never committed: they stay, without effect.
    assert!(build::chunks(100, 1100).iter().all(|chunk| store.put(chunk).is_ok()));
    store.forget_pending();
    assert_eq!((store.stats().pending_bytes, store.root()), (0, put[94]));
    assert_eq!(open_writable(&directory, write_options()).unwrap().root(), put[94]);
}

/// A lock that another writer holds until it is released.
#[derive(Default)]
struct Busy(core::cell::Cell<bool>);

impl Lock for Busy {
    fn try_lock(&self) -> Result<bool, FileError> {
        Ok(self.0.get())
    }

    fn unlock(&self) {}
}

#[test]
fn without_the_lock_nothing_is_written_and_the_call_can_be_repeated() {
    let (directory, first) = new_database();
    commit(&first, &build::chunks(1, 50));
    let lock = Rc::new(Busy::default());
    let write = WriteOptions { lock: lock.clone(), pending_bytes_max: 1000, ..write_options() };
    let store = open_writable(&directory, write).unwrap();
    let before = common::contents(&*directory, JOURNAL);
    let put: Vec<Address> = build::chunks(50, 1000).iter().map(|chunk| store.put(chunk).unwrap()).collect();
    let error = store.commit(&store.root(), &put[49], &put).unwrap_err();
    assert!(error.is_wait());
    assert_eq!(common::contents(&*directory, JOURNAL), before);
    assert!(put.iter().all(|address| store.is_pending(address)));
    assert!(store.make_room().unwrap_err().is_wait());
    lock.0.set(true);
    store.make_room().unwrap();
    assert_eq!(store.stats().pending_bytes, 0);
    assert_eq!(store.commit(&store.root(), &put[49], &put), Ok(Committed::Done));
    first.refresh().unwrap();
    assert_eq!(first.root(), put[49]);
}

#[test]
fn a_torn_tail_is_cut_off_before_anything_is_appended() {
    let (directory, store) = new_database();
    commit(&store, &build::chunks(2, 500));
    let whole = common::contents(&*directory, JOURNAL);
    let record = build::journal_chunk(&build::chunks(9, 400)[8]);
    // A record that is cut, with a whole root behind it that must not come back to life.
    let mut torn = whole.clone();
    torn.extend(&record[..100]);
    torn.extend(build::journal_root(&Address::of(b"never")));
    directory.insert(JOURNAL, torn);
    let again = open_writable(&directory, write_options()).unwrap();
    assert_eq!((again.root(), again.torn_bytes()), (store.root(), 140));
    commit(&again, &[b"x".to_vec()]);
    let after = common::contents(&*directory, JOURNAL);
    assert_eq!(after.len(), whole.len() + build::journal_chunk(b"x").len() + 40);
    assert_eq!(open_writable(&directory, write_options()).unwrap().read(&Address::of(b"x")).unwrap(), b"x");
}

#[test]
fn a_store_without_journal_gets_one() {
    let chunks = build::chunks(10, 200);
    let directory = Rc::new(build::database(&Address::of(&chunks[9]), &"1".repeat(32), 10, build::table_file(&chunks)));
    let store = open_writable(&directory, write_options()).unwrap();
    commit(&store, &build::chunks(12, 300)[11..]);
    assert_eq!(store.read(&Address::of(&chunks[3])).unwrap(), chunks[3]);
    assert!(directory.paths().contains(&JOURNAL.to_owned()));
    let again = open_writable(&directory, write_options()).unwrap();
    assert_eq!(again.root(), store.root());
    assert_eq!(again.manifest().files.len(), 2);
    assert_eq!(again.read(&store.root()).unwrap(), build::chunks(12, 300)[11]);
}

#[test]
fn room_is_made_while_nobody_waits() {
    let (directory, store) = new_database();
    let len = || common::contents(&*directory, JOURNAL).len();
    let mut chunks = build::chunks(200, 6000).into_iter();
    let mut next = || commit(&store, &[chunks.next().unwrap()]);
    next();
    assert_eq!(store.make_room_when_idle(10), Ok(None), "one commit may be all there is");
    next();
    assert_eq!(store.make_room_when_idle(10), Ok(Some(14)));
    next();
    assert_eq!(store.make_room_when_idle(14), Ok(Some(18)), "there was another commit");
    let (before, flushes) = (len(), store.stats().flushes);
    assert_eq!(store.make_room_when_idle(18), Ok(None));
    let after = len();
    assert!(after > before && store.stats().flushes == flushes + 1);
    // More is made before all of it is used.
    while store.make_room_when_idle(50) == Ok(None) {
        next();
    }
    assert_eq!(len(), after, "the room is used");
    assert_eq!(store.make_room_when_idle(54), Ok(None));
    assert!(len() > after);
    let (full, flushes) = (len(), store.stats().flushes);
    assert_eq!([store.make_room_when_idle(60), store.make_room_when_idle(64)], [Ok(None), Ok(None)]);
    assert_eq!((len(), store.stats().flushes), (full, flushes));
    let again = open_writable(&directory, write_options()).unwrap();
    assert_eq!(again.root(), store.root());
    commit(&again, &build::chunks(2, 800)[1..]);
    assert_eq!(len(), full, "by others, too");
}

#[test]
fn relaxed_commits_are_flushed_when_they_are_due() {
    let directory = Rc::new(MemoryDirectory::new());
    let durability = Durability::Relaxed { window_ms: 100 };
    let store = create(&directory, WriteOptions { durability, ..write_options() }).unwrap();
    let chunks = build::chunks(6, 300);
    let now = common::noon();
    commit(&store, &chunks[..1]);
    assert_eq!((store.stats().flushes, store.flush_if_due(now)), (1, Ok(None)), "a new database is safe at once");
    commit(&store, &chunks[1..2]);
    commit(&store, &chunks[2..3]);
    assert_eq!((store.stats().flushes, store.flush_if_due(now + 99)), (1, Ok(Some(now + 100))));
    assert_eq!((store.flush_if_due(now + 100), store.stats().flushes), (Ok(None), 2));
    assert_eq!((store.flush_if_due(now + 999), store.stats().flushes), (Ok(None), 2));
    commit(&store, &chunks[3..4]);
    let set_back = now - 3_600_000;
    assert_eq!((store.flush_if_due(set_back), store.stats().flushes), (Ok(None), 3), "a clock that was set back");
    commit(&store, &chunks[4..5]);
    store.flush().unwrap();
    assert_eq!(store.stats().flushes, 4);
    // Others see them before they are safe.
    let other = open_writable(&directory, write_options()).unwrap();
    commit(&store, &chunks[5..6]);
    other.refresh().unwrap();
    assert_eq!(other.root(), store.root());
}

/// Files that are closed under the store.
struct Closable {
    directory: Rc<MemoryDirectory>,
    is_closed: Cell<bool>,
}

impl Directory for Closable {
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError> {
        if self.is_closed.get() { Err(FileError::Gone) } else { self.directory.open(path) }
    }

    fn list(&self, path: &str) -> Result<Option<Vec<String>>, FileError> {
        if self.is_closed.get() { Err(FileError::Gone) } else { self.directory.list(path) }
    }
}

#[test]
fn what_is_known_of_files_that_are_gone_can_be_read() {
    let (memory, store) = new_database();
    let chunks = build::chunks(3, 100);
    commit(&store, &chunks[..2]);
    let directory = Rc::new(Closable { directory: memory, is_closed: Cell::new(false) });
    let reader =
        ChunkStore::open_writable(&common::region(), directory.clone(), OpenOptions::default(), write_options())
            .unwrap();
    assert_eq!(reader.read(&store.root()).unwrap(), chunks[1]);
    commit(&store, &chunks[2..]);
    directory.is_closed.set(true);
    let before = reader.root();
    reader.refresh().unwrap();
    assert_eq!((reader.root(), reader.read(&before).unwrap()), (before, chunks[1].clone()));
    let lost = reader.put(b"lost").unwrap();
    assert!(reader.commit(&before, &lost, &[lost]).unwrap_err().is_gone());
    directory.is_closed.set(false);
    reader.refresh().unwrap();
    assert_eq!(reader.root(), store.root());
}

#[test]
fn what_cannot_be_written_says_so() {
    let (directory, store) = new_database();
    commit(&store, &build::chunks(1, 50));
    let reader = ChunkStore::open(&common::region(), &*directory, OpenOptions::default()).unwrap();
    assert!(matches!(reader.put(b"x"), Err(StoreError::ReadOnly(_))));
    assert!(matches!(reader.commit(&reader.root(), &Address::EMPTY, &[]), Err(StoreError::ReadOnly(_))));
    reader.refresh().unwrap();
    assert_eq!(store.put(b""), Err(StoreError::ChunkLength { bytes: 0 }));
    // More than a record may have, and does not shrink.
    let mut state = 1u64;
    let long: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    })
    .take(6 << 20)
    .collect();
    let before = common::contents(&*directory, JOURNAL);
    assert!(matches!(common::try_commit(&store, &[b"y".to_vec(), long]), Err(StoreError::Corrupt { .. })));
    assert_eq!(common::contents(&*directory, JOURNAL), before);
    store.forget_pending();
    commit(&store, &[b"z".to_vec()]);
}

/// A lock of a host that tells when others have written.
#[derive(Default)]
struct Telling {
    inner: MemoryLock,
    change_counter: core::cell::Cell<u64>,
}

impl Lock for Telling {
    fn try_lock(&self) -> Result<bool, FileError> {
        self.inner.try_lock()
    }

    fn unlock(&self) {
        self.inner.unlock();
    }

    fn change_counter(&self) -> Option<u64> {
        Some(self.change_counter.get())
    }
}

#[test]
fn files_are_looked_at_when_there_is_news() {
    let (directory, writer) = new_database();
    commit(&writer, &[b"first".to_vec()]);
    let first = writer.root();
    let lock = Rc::new(Telling::default());
    let reader = open_writable(&directory, WriteOptions { lock: lock.clone(), ..write_options() }).unwrap();
    reader.refresh().unwrap();
    commit(&writer, &[b"second".to_vec()]);
    reader.refresh().unwrap();
    assert_eq!(reader.root(), first);
    // Before it writes it looks, whatever it was told.
    let chunk = reader.put(b"third").unwrap();
    assert_eq!(reader.commit(&first, &chunk, &[chunk]), Ok(Committed::Moved));
    assert_eq!(reader.root(), writer.root());
    commit(&writer, &[b"fourth".to_vec()]);
    lock.change_counter.set(1);
    reader.refresh().unwrap();
    assert_eq!(reader.root(), writer.root());
}

/// A lock of a host that knows whether others have had it.
#[derive(Default)]
struct Kept {
    inner: MemoryLock,
    lease_epoch: core::cell::Cell<u64>,
}

impl Lock for Kept {
    fn try_lock(&self) -> Result<bool, FileError> {
        self.inner.try_lock()
    }

    fn unlock(&self) {
        self.inner.unlock();
    }

    fn lease_epoch(&self) -> Option<u64> {
        Some(self.lease_epoch.get())
    }
}

#[test]
fn while_nobody_else_had_the_lock_files_are_not_looked_at() {
    let (directory, other) = new_database();
    commit(&other, &[b"first".to_vec()]);
    let journal = FaultFile::new(directory.open(JOURNAL).unwrap().unwrap(), 4096);
    directory.insert_file(JOURNAL, journal.clone());
    let lock = Rc::new(Kept::default());
    let store = open_writable(&directory, WriteOptions { lock: lock.clone(), ..write_options() }).unwrap();
    let chunks = build::chunks(20, 500);
    commit(&store, &chunks[..1]);
    let reads = journal.reads().len();
    for chunk in &chunks[1..] {
        commit(&store, core::slice::from_ref(chunk));
    }
    // But for the four bytes behind the last record, which say that this lock has kept others away.
    assert!(journal.reads()[reads..].iter().all(|read| read.end - read.start == 4));
    assert!(journal.reads().len() - reads < chunks.len());
    other.refresh().unwrap();
    assert_eq!(other.root(), store.root());
    commit(&other, &[b"second".to_vec()]);
    lock.lease_epoch.set(1);
    assert_eq!(common::try_commit(&store, &[b"third".to_vec()]), Ok(Committed::Moved));
    assert_eq!(store.root(), other.root());
    commit(&store, &[b"fourth".to_vec()]);
    let again = open_writable(&directory, write_options()).unwrap();
    assert!(again.root() == store.root() && chunks.iter().all(|chunk| again.read(&Address::of(chunk)).is_ok()));
}

#[test]
fn a_long_journal_gets_an_index() {
    const INDEX: &str = ".dolt/noms/journal.idx";
    let (directory, store) = new_database();
    let opened_bytes = |directory: &Rc<MemoryDirectory>| {
        let region = common::region();
        let write = write_options();
        let store = ChunkStore::open_writable(&region, directory.clone(), OpenOptions::default(), write).unwrap();
        (store, region.stats().bytes)
    };
    commit(&store, &build::chunks(16_000, 30));
    assert!(!directory.paths().contains(&INDEX.to_owned()));
    commit(&store, &build::chunks(1000, 40));
    let index = common::contents(&*directory, INDEX);
    assert_eq!(index.len(), 17_000 * 29 + 41);
    // What native Dolt leaves behind the last batch is cut off, and another writer continues.
    directory.insert(INDEX, [&index[..], &[0; 29 * 3]].concat());
    let (other, bytes) = opened_bytes(&directory);
    assert!(bytes < 2 * index.len() as u64, "{bytes}: the journal was not scanned");
    commit(&other, &build::chunks(17_000, 50));
    let index = common::contents(&*directory, INDEX);
    assert_eq!(index.len(), 34_000 * 29 + 2 * 41);
    // The first one has seen all of that by itself, and still writes no batch twice.
    store.refresh().unwrap();
    commit(&store, &build::chunks(10, 60));
    assert_eq!(common::contents(&*directory, INDEX), index);
    commit(&store, &build::chunks(17_000, 70));
    assert_eq!(common::contents(&*directory, INDEX).len(), 51_010 * 29 + 3 * 41);
    let (last, bytes) = opened_bytes(&directory);
    assert!(bytes < 60 * 51_010, "{bytes}");
    assert_eq!(last.root(), store.root());
    for (count, len) in [(16_000, 30), (1000, 40), (17_000, 50), (10, 60), (17_000, 70)] {
        let chunk = &build::chunks(count, len)[count as usize / 2];
        assert_eq!(last.read(&Address::of(chunk)).unwrap(), *chunk);
    }
}

#[test]
fn past_roots_are_told() {
    let (directory, store) = new_database();
    let chunks = build::chunks(4, 50);
    for chunk in &chunks {
        commit(&store, core::slice::from_ref(chunk));
    }
    let again = open_writable(&directory, write_options()).unwrap();
    for store in [&store, &again] {
        let past = store.past_roots();
        assert_eq!(
            past.iter().map(|root| root.address).collect::<Vec<_>>(),
            chunks.iter().map(|chunk| Address::of(chunk)).collect::<Vec<_>>()
        );
        assert!(past.iter().all(|root| root.seconds == Some(common::noon() / 1000)));
    }
}
