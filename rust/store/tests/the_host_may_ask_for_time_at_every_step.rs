//! A host that answers *wait* to everything that it is asked for the first time: the same call, repeated, comes through, and nothing
//! is done twice.

mod common;

use core::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use codec::Address;
use common::build;
use region::{Directory, File, FileError, Lock, MemoryDirectory};
use store::{ChunkStore, Chunks, CollectMode, Collection, Committed, OpenOptions, StoreError, WriteOptions};

/// What was asked and not done yet.
#[derive(Default)]
struct Asked(RefCell<HashSet<String>>);

impl Asked {
    /// Whether it was asked before; then it counts as done.
    fn again(&self, what: String) -> bool {
        let mut asked = self.0.borrow_mut();
        asked.remove(&what) || !asked.insert(what)
    }
}

#[derive(Default)]
struct Hesitant {
    inner: MemoryDirectory,
    asked: Asked,
}

impl Directory for Hesitant {
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError> {
        self.inner.open(path)
    }

    fn list(&self, path: &str) -> Result<Option<Vec<String>>, FileError> {
        self.inner.list(path)
    }

    fn create(&self, path: &str) -> Result<Rc<dyn File>, FileError> {
        if self.asked.again(format!("create {path}")) { self.inner.create(path) } else { Err(FileError::Wait) }
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        if self.asked.again(format!("rename {from} {to}")) { self.inner.rename(from, to) } else { Err(FileError::Wait) }
    }

    fn remove(&self, path: &str) -> Result<(), FileError> {
        if self.asked.again(format!("remove {path}")) { self.inner.remove(path) } else { Err(FileError::Wait) }
    }
}

/// A lock that is never there at once.
#[derive(Default)]
struct Slow(Asked);

impl Lock for Slow {
    fn try_lock(&self) -> Result<bool, FileError> {
        Ok(self.0.again("lock".to_owned()))
    }

    fn unlock(&self) {}
}

/// Repeats `call` until it does not want to wait; answers how often it wanted to.
fn patiently<T>(mut call: impl FnMut() -> Result<T, StoreError>) -> (T, u32) {
    for waits in 0..50 {
        match call() {
            Err(error) if error.is_wait() => {}
            outcome => return (outcome.unwrap(), waits),
        }
    }
    panic!("it never ends");
}

#[test]
fn every_call_comes_through_in_the_end() {
    let directory = Rc::new(Hesitant::default());
    let write = WriteOptions::new(Rc::new(Slow::default()), common::noon);
    let store = ChunkStore::create(&common::region(), directory.clone(), OpenOptions::default(), write).unwrap();
    let chunks = build::chunks(40, 300);
    let mut waits = 0;
    let mut expected = Vec::new();
    for round in 0..4 {
        for chunk in &chunks[10 * round..10 * round + 10] {
            let address = store.put(chunk).unwrap();
            let from = store.root();
            let (committed, waited) = patiently(|| store.commit(&from, &address, &[address]));
            assert_eq!(committed, Committed::Done);
            waits += waited;
            expected.push(address);
            assert_eq!(store.root(), address);
        }
        let mode = if round == 2 { CollectMode::Full } else { CollectMode::Default };
        // Every chunk refers to the one before it.
        let all = expected.clone();
        let before = move |chunk: &[u8], each: &mut dyn FnMut(Address)| {
            let address = Address::of(chunk);
            let at = all.iter().position(|known| *known == address).unwrap();
            all[..at].last().copied().into_iter().for_each(each);
            Ok(())
        };
        let mut collection = Collection::new(mode, expected[..5].to_vec(), Rc::new(before));
        let mut is_done = false;
        while !is_done {
            let (progress, waited) = patiently(|| store.collect(&mut collection, 3));
            (is_done, waits) = (progress.is_done, waits + waited);
        }
        for (address, chunk) in expected.iter().zip(&chunks) {
            assert_eq!(store.read(address).unwrap(), *chunk);
        }
    }
    assert!(waits > 60, "{waits}");
    let names = directory.inner.paths();
    assert!(names.iter().all(|name| name.ends_with("manifest") || name.ends_with(".darc")), "{names:?}");
    let again = ChunkStore::open(&common::region(), &*directory, OpenOptions::default()).unwrap();
    assert_eq!(again.root(), store.root());
}
