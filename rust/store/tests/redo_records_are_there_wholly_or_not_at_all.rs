//! A redo record that a crash tears at any byte is none, and those before it stay. What looks like one and is none of ours is refused
//! before memory is taken for it.

mod common;

use std::cell::Cell;
use std::rc::Rc;

use codec::Address;
use common::OneTerm;
use region::{MemoryDirectory, MemoryLock};
use store::{ChunkStore, Chunks, StoreError, WriteOptions};

const JOURNAL: &str = ".dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv";

fn options() -> WriteOptions {
    WriteOptions::new(Rc::new(OneTerm(MemoryLock::default())), common::noon)
}

/// Bytes that do not become shorter.
fn noise(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// A store with some commits, after which redo records lie in its journal.
fn left(records: &[Vec<u8>]) -> MemoryDirectory {
    let directory = Rc::new(MemoryDirectory::new());
    let store = common::create(&directory, options()).unwrap();
    (1..3).for_each(|number| common::commit(&store, &[vec![number; 40]]));
    for record in records {
        assert_eq!(store.hold(&store.root(), &mut || Some(record.clone())), Ok(true));
    }
    drop(store);
    Rc::try_unwrap(directory).unwrap_or_else(|_| panic!("nobody else has it"))
}

/// The redo records of a directory whose journal is this, and the store.
fn found(journal: Vec<u8>, from: &MemoryDirectory) -> (Vec<Vec<u8>>, ChunkStore) {
    let directory = Rc::new(MemoryDirectory::new());
    for name in [".dolt/noms/manifest", ".dolt/noms/LOCK"] {
        if region::Directory::open(from, name).unwrap().is_some() {
            directory.insert(name, common::contents(from, name));
        }
    }
    directory.insert(JOURNAL, journal);
    let store = common::open_writable(&directory, options()).unwrap();
    (store.left_redo(true).unwrap(), store)
}

#[test]
fn one_that_is_torn_at_any_byte_is_none() {
    let records = [noise(60, 1), noise(30_000, 2), noise(300, 3)];
    let ends: Vec<usize> = (0..3)
        .map(|count| {
            let journal = common::contents(&left(&records[..count]), JOURNAL);
            journal.iter().rposition(|byte| *byte != 0).unwrap() + 1
        })
        .collect();
    let whole = left(&records);
    let journal = common::contents(&whole, JOURNAL);
    assert_eq!(found(journal.clone(), &whole).0, records);
    let (begin, end) = (ends[1], ends[2]);
    assert!(end - begin > 30_000);
    let few = (begin..end).step_by(1_201).chain(begin..begin + 40).chain(end - 8..end);
    for at in few {
        let mut torn = journal[..end].to_vec();
        torn[at] ^= 0x5a;
        // The rest is lost, or what lay there before is still there, or one byte is another.
        let (cut, blank) = (journal[..at].to_vec(), [&journal[..at], &vec![0; end - at]].concat());
        for journal in [cut, blank, torn] {
            let (redo, store) = found(journal, &whole);
            assert_eq!(redo, records[..1], "torn at {at} of {begin}..{end}");
            // What is committed next comes behind the first one.
            common::commit(&store, &[vec![3; 40]]);
            assert_eq!(store.read(&Address::of(&[2; 40])).unwrap(), [2; 40]);
        }
    }
}

#[test]
fn the_longest_is_one_and_a_longer_one_is_not_written() {
    let longest = noise(1 << 20, 4);
    let directory = left(std::slice::from_ref(&longest));
    assert_eq!(found(common::contents(&directory, JOURNAL), &directory).0, std::slice::from_ref(&longest));
    let store = common::open_writable(&Rc::new(directory), options()).unwrap();
    let more = [&longest[..], &[0]].concat();
    store.release();
    assert_eq!(store.hold(&store.root(), &mut || Some(more.clone())), Ok(false));
}

/// A chunk of another writer may begin as a redo record does.
#[test]
fn what_only_begins_as_one_is_none() {
    let directory = Rc::new(MemoryDirectory::new());
    let write = WriteOptions { pending_bytes_max: 100, ..options() };
    let store = common::create(&directory, write).unwrap();
    common::commit(&store, &[vec![1; 40]]);
    let header = [&b"VarveRdo"[..], store.root().as_bytes(), &[0; 8]].concat();
    // Such chunks go to the journal early, without a root.
    for chunk in [header[..20].to_vec(), [&header[..], &vec![7; 2 << 20]].concat(), vec![0; 200]] {
        store.put(&chunk).unwrap();
    }
    drop(store);
    let store = common::open_writable(&directory, options()).unwrap();
    assert_eq!(store.left_redo(true), Ok(Vec::new()));
    let store_again = common::open_writable(&directory, WriteOptions { pending_bytes_max: 100, ..options() }).unwrap();
    for number in 0..20u8 {
        store_again.put(&[&header[..], &vec![number; 1 << 20]].concat()).unwrap();
    }
    drop((store, store_again));
    let store = common::open_writable(&directory, options()).unwrap();
    assert!(store.left_redo(true).unwrap_err().to_string().contains("more redo records"));
}

thread_local! {
    static NOW_MS: Cell<u64> = const { Cell::new(1_795_262_400_000) };
}

/// A writer that commits again and again is alive, so that no other one asks for the lock.
#[test]
fn those_of_somebody_who_goes_on_are_left_alone() {
    let directory = Rc::new(MemoryDirectory::new());
    let lock = Rc::new(OneTerm(MemoryLock::default()));
    let options = || WriteOptions::new(lock.clone(), || NOW_MS.get());
    let writer = common::create(&directory, options()).unwrap();
    common::commit(&writer, &[vec![1; 40]]);
    let reader = common::open_writable(&directory, options()).unwrap();
    assert_eq!(reader.left_redo(false), Ok(Vec::new()));
    let look = |wait_ms: u64| {
        NOW_MS.set(NOW_MS.get() + wait_ms);
        reader.refresh().unwrap();
        reader.left_redo(false)
    };
    for number in 2..8 {
        assert_eq!(writer.hold(&writer.root(), &mut || Some(vec![number; 50])), Ok(true));
        assert_eq!(look(10), Ok(Vec::new()));
        assert_eq!(look(50), Ok(Vec::new()));
        writer.release();
        common::commit(&writer, &[vec![number; 40]]);
    }
    assert_eq!(writer.hold(&writer.root(), &mut || Some(vec![8; 50])), Ok(true));
    assert_eq!(look(1), Ok(Vec::new()));
    assert_eq!(look(99), Ok(Vec::new()));
    assert_eq!(look(1), Err(StoreError::Wait));
    drop(writer);
    assert_eq!(look(1), Ok(vec![vec![8; 50]]));
}
