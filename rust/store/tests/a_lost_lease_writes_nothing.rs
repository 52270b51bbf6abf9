//! A writer whose lock did not keep others away writes nothing: it says what it found, reads the files again, and goes on.

mod common;

use core::cell::Cell;
use std::rc::Rc;

use codec::Address;
use common::{build, commit, contents, create, open_writable, write_options};
use region::{Directory, FileError, Lock, MemoryDirectory};
use store::{ChunkStore, Chunks, CollectMode, Collection, Committed, Obstacle, StoreError, WriteOptions};

const JOURNAL: &str = ".dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv";
const MANIFEST: &str = ".dolt/noms/manifest";

/// A lock that its holder believes to have all the time, until `lease_epoch` says otherwise.
struct Believed {
    lease_epoch: Cell<Option<u64>>,
    is_to_be_had: Cell<bool>,
}

impl Lock for Believed {
    fn try_lock(&self) -> Result<bool, FileError> {
        Ok(self.is_to_be_had.get())
    }

    fn unlock(&self) {}

    fn lease_epoch(&self) -> Option<u64> {
        self.lease_epoch.get()
    }

    fn may_defer(&self) -> bool {
        true
    }
}

/// A database with some commits, the lock of a writer that has just committed, and another writer that asks for no lock.
struct Two {
    directory: Rc<MemoryDirectory>,
    lock: Rc<Believed>,
    ours: ChunkStore,
    other: ChunkStore,
}

fn two() -> Two {
    let directory = Rc::new(MemoryDirectory::new());
    let other = create(&directory, write_options()).unwrap();
    commit(&other, &build::chunks(3, 100));
    let lock = Rc::new(Believed { lease_epoch: Cell::new(Some(1)), is_to_be_had: Cell::new(true) });
    let ours = open_writable(&directory, WriteOptions { lock: lock.clone(), ..write_options() }).unwrap();
    // The second of two leaves room behind it.
    commit(&ours, &[b"ours, before".to_vec()]);
    commit(&ours, &[b"ours, and once more".to_vec()]);
    other.refresh().unwrap();
    Two { directory, lock, ours, other }
}

fn put_and_commit(store: &ChunkStore, chunk: &[u8]) -> Result<Committed, StoreError> {
    let address = store.put(chunk).unwrap();
    store.commit(&store.root(), &address, &[address])
}

/// Nothing is written, the error names the file, and the same call does it afterwards.
fn loses_and_goes_on(Two { directory, ours, .. }: &Two, file: &str, kept: &[Address]) {
    let before = (contents(&**directory, JOURNAL), contents(&**directory, MANIFEST));
    let error = put_and_commit(ours, b"ours, after").unwrap_err();
    assert_eq!(error.obstacle(), Some(Obstacle::LeaseLost), "{error}");
    assert_eq!(error.place().0.map(|file| &**file), Some(file), "{error}");
    let text = error.to_string();
    assert!(text.contains("expected") && text.contains("found") && text.contains("run it again"), "{text}");
    assert_eq!((contents(&**directory, JOURNAL), contents(&**directory, MANIFEST)), before);
    // What the other one wrote is taken in first.
    let mut outcome = put_and_commit(ours, b"ours, after").unwrap();
    if outcome == Committed::Moved {
        outcome = put_and_commit(ours, b"ours, after").unwrap();
    }
    assert_eq!(outcome, Committed::Done);
    let again = open_writable(directory, write_options()).unwrap();
    assert_eq!(again.root(), Address::of(b"ours, after"));
    for address in kept.iter().chain(&[Address::of(b"ours, before"), Address::of(b"ours, and once more")]) {
        assert!(again.read(address).is_ok() && ours.read(address).is_ok());
    }
}

#[test]
fn a_commit_of_another_writer_in_the_room_behind_the_last_record() {
    let two = two();
    let len = contents(&*two.directory, JOURNAL).len();
    commit(&two.other, &[b"other".to_vec()]);
    assert_eq!(contents(&*two.directory, JOURNAL).len(), len, "the length says nothing");
    loses_and_goes_on(&two, JOURNAL, &[Address::of(b"other")]);
}

#[test]
fn a_commit_of_another_writer_that_makes_the_journal_longer() {
    let two = two();
    let chunks = build::chunks(40, 5000);
    commit(&two.other, &chunks);
    loses_and_goes_on(&two, JOURNAL, &[Address::of(&chunks[0]), Address::of(&chunks[39])]);
}

#[test]
fn a_reader_of_the_same_store_hides_nothing_of_a_write_that_goes_on() {
    let two = two();
    let file = two.directory.open(JOURNAL).unwrap().unwrap();
    // Half of a record, as of a writer that is not done.
    file.write_at(file.len(), &[0, 0, 1, 0, 1, 2, 3, 4, 5, 6]).unwrap();
    two.ours.refresh().unwrap();
    loses_and_goes_on(&two, JOURNAL, &[]);
}

#[test]
fn a_journal_that_was_cut() {
    let two = two();
    let file = two.directory.open(JOURNAL).unwrap().unwrap();
    let root = two.ours.root();
    // The room: native Dolt takes it away when it opens a database for writing.
    let end = contents(&*two.directory, JOURNAL).iter().rposition(|byte| *byte != 0).unwrap() as u64 + 1;
    file.truncate(end).unwrap();
    loses_and_goes_on(&two, JOURNAL, &[root]);
}

fn collection() -> Collection {
    Collection::new(CollectMode::Default, Vec::new(), Rc::new(|_, _| Ok(())))
}

#[test]
fn a_collection_of_another_writer() {
    let two = two();
    let mut collection = collection();
    while !two.other.collect(&mut collection, 10).unwrap().is_done {}
    let manifest = contents(&*two.directory, MANIFEST);
    let error = put_and_commit(&two.ours, b"ours, after").unwrap_err();
    assert_eq!(error.obstacle(), Some(Obstacle::LeaseLost), "{error}");
    assert_eq!(error.place().0.map(|file| &**file), Some(MANIFEST), "{error}");
    assert_eq!(contents(&*two.directory, MANIFEST), manifest);
    // What was put before leans on what the collection may have taken: the transaction is run again.
    assert_eq!(put_and_commit(&two.ours, b"ours, after"), Err(StoreError::Collected));
    two.ours.forget_pending();
    assert_eq!(put_and_commit(&two.ours, b"ours, after"), Ok(Committed::Done));
    let again = open_writable(&two.directory, write_options()).unwrap();
    assert_eq!(again.root(), Address::of(b"ours, after"));
}

#[test]
fn a_collection_drops_no_journal_that_another_writer_has_written_to() {
    let two = two();
    let mut collection = collection();
    for _ in 0..2 {
        assert!(!two.ours.collect(&mut collection, 1).unwrap().is_done);
    }
    commit(&two.other, &[b"other".to_vec()]);
    let manifest = contents(&*two.directory, MANIFEST);
    let error = loop {
        match two.ours.collect(&mut collection, 10) {
            Ok(progress) => assert!(!progress.is_done),
            Err(error) => break error,
        }
    };
    assert_eq!(error.obstacle(), Some(Obstacle::LeaseLost), "{error}");
    assert_eq!(contents(&*two.directory, MANIFEST), manifest);
    two.ours.refresh().unwrap();
    assert_eq!(two.ours.root(), Address::of(b"other"));
    assert_eq!(put_and_commit(&two.ours, b"ours, after"), Ok(Committed::Done));
}

#[test]
fn a_lock_that_the_host_has_lost() {
    for term in [None, Some(2)] {
        let two = two();
        // The redo record keeps the lock.
        let mut redo = || Some(b"changes".to_vec());
        assert!(two.ours.hold(&two.ours.root(), &mut redo).unwrap());
        two.lock.lease_epoch.set(term);
        two.lock.is_to_be_had.set(false);
        let before = contents(&*two.directory, JOURNAL);
        if term.is_none() {
            // One more deferred commit is refused at once, and does not wait.
            let error = two.ours.hold(&two.ours.root(), &mut redo).unwrap_err();
            assert_eq!(error.obstacle(), Some(Obstacle::LeaseLost), "{error}");
        }
        // It is taken anew, which has to be waited for.
        assert!(put_and_commit(&two.ours, b"ours, after").unwrap_err().is_wait());
        assert_eq!(contents(&*two.directory, JOURNAL), before);
        // The other writer finds what was acknowledged, and commits it.
        two.other.refresh().unwrap();
        assert_eq!(two.other.left_redo(true).unwrap(), [b"changes"]);
        commit(&two.other, &[b"other".to_vec()]);
        two.lock.is_to_be_had.set(true);
        two.lock.lease_epoch.set(Some(3));
        assert_eq!(put_and_commit(&two.ours, b"ours, after"), Ok(Committed::Moved));
        assert_eq!(two.ours.root(), Address::of(b"other"));
        assert_eq!(put_and_commit(&two.ours, b"ours, after"), Ok(Committed::Done));
    }
}
