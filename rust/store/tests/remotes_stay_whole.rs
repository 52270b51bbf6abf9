//! Whatever happens to a push or a fetch: the remote stays whole, what was acknowledged is there, and a chunk that is present has all
//! that it leads to.

mod common;

use core::cell::{Cell, RefCell};
use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::HashSet;
use std::rc::Rc;

use codec::Address;
use common::graph::{self, children, chunk, references};
use common::{memory_lock, noon, region, write_options};
use region::{CrashDirectory, Directory, File, FileError, Lock, MemoryDirectory};
use store::{ChunkStore, Chunks, Committed, Copy, MemoryChunks, OpenOptions, Remote, RemoteOptions, StoreError};

fn tree(chunks: &MemoryChunks, seed: u64, below: Option<Address>) -> Address {
    graph::tree(chunks, seed, below, |i| format!("leaf {i} of {seed}").repeat(30).into_bytes())
}

/// All that `root` leads to, read and found.
fn closure(chunks: &dyn Chunks, root: Address) -> HashSet<Address> {
    let (mut open, mut seen) = (vec![root], HashSet::new());
    while let Some(address) = open.pop() {
        if !address.is_empty() && seen.insert(address) {
            open.extend(children(&chunks.read(&address).unwrap()));
        }
    }
    seen
}

fn open(directory: &Rc<impl Directory + 'static>, lock: &Rc<dyn Lock>) -> Result<Remote, StoreError> {
    Remote::open(&region(), directory.clone(), RemoteOptions::new(lock.clone(), noon))
}

/// Copies what `root` leads to and makes it the root, if it is still `from`.
fn push(remote: &Remote, source: &dyn Chunks, from: Address, root: Address) -> Result<Committed, StoreError> {
    let mut copy = Copy::new(vec![root], references()).cut_at(2_000);
    while !patiently(|| remote.take(&mut copy, source, 9))?.is_done {}
    let small = remote.put(&source.read(&root)?)?;
    patiently(|| remote.commit(&from, &root, &[small]))
}

/// Repeats `call` while it wants to wait.
fn patiently<T>(mut call: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    for _ in 0..50 {
        match call() {
            Err(error) if error.is_wait() => {}
            outcome => return outcome,
        }
    }
    panic!("it never ends");
}

#[test]
fn a_push_that_is_killed_or_has_no_space_leaves_the_remote_whole() {
    let source = MemoryChunks::new();
    let first = tree(&source, 1, None);
    let second = tree(&source, 2, Some(first));
    let whole = closure(&source, second);
    let (mut acknowledged, mut lost) = (0, 0);
    for is_killed in [true, false] {
        for operation in 0_u64.. {
            let directory = CrashDirectory::new(operation);
            let lock = memory_lock();
            let remote = open(&directory, &lock).unwrap();
            assert_eq!(push(&remote, &source, Address::EMPTY, first), Ok(Committed::Done));
            match is_killed {
                true => directory.cut_power_after(operation),
                false => directory.fail_after(operation),
            }
            let before = directory.operations();
            let pushed = push(&remote, &source, first, second);
            let is_over = pushed.is_ok() && directory.operations() - before <= operation;
            drop(remote);
            let after = if is_killed { directory.crash() } else { directory };
            let remote = open(&after, &memory_lock()).unwrap();
            let root = remote.root();
            if pushed == Ok(Committed::Done) {
                assert_eq!(root, second, "operation {operation}");
            }
            assert!([first, second].contains(&root));
            assert_eq!(closure(&remote, root).len() == whole.len(), root == second);
            match root == second {
                true => acknowledged += 1,
                false => lost += 1,
            }
            // The next writer succeeds, whatever was left.
            let from = remote.root();
            assert_eq!(push(&remote, &source, from, second), Ok(Committed::Done), "operation {operation}");
            assert_eq!(closure(&open(&after, &memory_lock()).unwrap(), second), whole);
            if is_over {
                break;
            }
        }
    }
    assert!(acknowledged > 1 && lost > 10, "{acknowledged} {lost}");
}

#[test]
fn a_fetch_that_is_killed_leaves_no_chunk_without_its_children() {
    let source = MemoryChunks::new();
    let first = tree(&source, 1, None);
    let second = tree(&source, 2, Some(first));
    let whole = closure(&source, second);
    let mut complete = 0;
    for operation in 0_u64.. {
        let directory = CrashDirectory::new(operation);
        let local = ChunkStore::create(&region(), directory.clone(), OpenOptions::default(), write_options()).unwrap();
        let root = local.put(&chunk(&[], b"a database")).unwrap();
        assert_eq!(local.commit(&Address::EMPTY, &root, &[root]), Ok(Committed::Done));
        // Pending chunks may be dropped later, and prove nothing.
        local.put(&source.read(&first).unwrap()).unwrap();
        directory.cut_power_after(operation);
        let before = directory.operations();
        let mut copy = Copy::new(vec![second], references()).cut_at(2_000);
        let fetched = loop {
            match patiently(|| local.take(&mut copy, &source, 9)) {
                Ok(copied) if copied.is_done => break Ok(()),
                Ok(_) => {}
                Err(error) => break Err(error),
            }
        };
        let is_over = fetched.is_ok() && directory.operations() - before <= operation;
        drop(local);
        let after = directory.crash();
        let local = ChunkStore::open_writable(&region(), after, OpenOptions::default(), write_options()).unwrap();
        assert_eq!(local.root(), root);
        let there = common::addresses(&local);
        for address in &there {
            closure(&local, *address);
        }
        if fetched.is_ok() {
            assert_eq!(closure(&local, second), whole);
            complete += 1;
        }
        if is_over {
            break;
        }
    }
    assert!(complete > 0);
}

#[test]
fn a_collection_keeps_what_was_fetched_for_a_root_that_comes() {
    let source = MemoryChunks::new();
    let fetched = tree(&source, 1, None);
    let directory = Rc::new(MemoryDirectory::new());
    let local = common::create(&directory, write_options()).unwrap();
    let root = local.put(&chunk(&[], b"a database")).unwrap();
    assert_eq!(local.commit(&Address::EMPTY, &root, &[root]), Ok(Committed::Done));
    let mut copy = Copy::new(vec![fetched], references());
    while !local.take(&mut copy, &source, 100).unwrap().is_done {}
    let collect = || {
        let mut collection = store::Collection::new(store::CollectMode::Default, vec![], references());
        while !local.collect(&mut collection, 100).unwrap().is_done {}
    };
    collect();
    let next = local.put(&chunk(&[root, fetched], b"next")).unwrap();
    assert_eq!(local.commit(&root, &next, &[next]), Ok(Committed::Done));
    assert_eq!(closure(&local, next).len(), closure(&source, fetched).len() + 2);
    // In the middle of a copy what it leans on may go.
    let more = tree(&source, 2, Some(fetched));
    let mut copy = Copy::new(vec![more], references());
    let temporary = || directory.paths().iter().filter(|path| path.contains("temptf")).count();
    for _ in 0..3 {
        local.take(&mut copy, &source, 5).unwrap();
    }
    assert_eq!(temporary(), 1);
    drop(copy);
    assert_eq!(temporary(), 0, "one that is given up leaves nothing");
    let mut copy = Copy::new(vec![more], references());
    for _ in 0..3 {
        local.take(&mut copy, &source, 5).unwrap();
    }
    local.forget_pending();
    collect();
    let over = loop {
        match local.take(&mut copy, &source, 100) {
            Ok(copied) => assert!(!copied.is_done),
            Err(error) => break error,
        }
    };
    assert_eq!(over, StoreError::Collected);
    assert_eq!(temporary(), 0);
}

/// A directory whose manifest is read once as it was before its files were merged.
#[derive(Default)]
struct Conjoined {
    inner: MemoryDirectory,
    stale: RefCell<Option<Rc<dyn File>>>,
}

impl Directory for Conjoined {
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError> {
        let stale = if path == "manifest" { self.stale.take() } else { None };
        stale.map_or_else(|| self.inner.open(path), |stale| Ok(Some(stale)))
    }

    fn list(&self, path: &str) -> Result<Option<Vec<String>>, FileError> {
        self.inner.list(path)
    }

    fn create(&self, path: &str) -> Result<Rc<dyn File>, FileError> {
        self.inner.create(path)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        self.inner.rename(from, to)
    }

    fn remove(&self, path: &str) -> Result<(), FileError> {
        self.inner.remove(path)
    }
}

#[test]
fn files_that_are_merged_while_a_remote_is_refreshed_are_looked_for_again() {
    let (directory, lock) = (Rc::new(Conjoined::default()), memory_lock());
    let source = MemoryChunks::new();
    let first = tree(&source, 1, None);
    let second = tree(&source, 2, Some(first));
    let remote = open(&directory, &lock).unwrap();
    assert_eq!(push(&remote, &source, Address::EMPTY, first), Ok(Committed::Done));
    let other = open(&directory, &lock).unwrap();
    assert_eq!(push(&other, &source, first, second), Ok(Committed::Done));
    let mut stale = remote.manifest();
    stale.files[0].id = Address::of(b"gone by now");
    let file = directory.inner.create("stale").unwrap();
    file.write_at(0, stale.to_string().as_bytes()).unwrap();
    *directory.stale.borrow_mut() = Some(file);
    remote.refresh().unwrap();
    assert!(directory.stale.borrow().is_none());
    assert_eq!(remote.root(), second);
    assert_eq!(closure(&remote, second), closure(&source, second));
}

#[test]
fn a_journal_that_grew_since_the_manifest_was_read_changes_no_root() {
    let source = MemoryChunks::new();
    let [first, second, third] = [1, 2, 3].map(|seed| tree(&source, seed, None));
    let database = Rc::new(MemoryDirectory::default());
    let served = Rc::new(MemoryDirectory::default());
    let serve = || {
        for name in database.list(".dolt/noms").unwrap().unwrap() {
            let Some(file) = database.open(&format!(".dolt/noms/{name}")).unwrap() else { continue };
            let mut bytes = vec![0; file.len() as usize];
            file.read_at(0, &mut bytes).unwrap();
            served.create(&name).unwrap().write_at(0, &bytes).unwrap();
        }
    };
    let store = ChunkStore::create(&region(), database.clone(), OpenOptions::default(), write_options()).unwrap();
    let commit = |from: Address, to: Address| {
        let chunks: Vec<_> = closure(&source, to)
            .into_iter()
            .map(|address| store.put(&source.read(&address).unwrap()).unwrap())
            .collect();
        assert_eq!(store.commit(&from, &to, &chunks), Ok(Committed::Done));
    };
    commit(Address::EMPTY, first);
    serve();
    let options = RemoteOptions { accepts_journal: true, ..RemoteOptions::new(memory_lock(), noon) };
    let remote = Remote::open(&region(), served.clone(), options).unwrap();
    assert_eq!(remote.root(), first);
    commit(first, second);
    serve();
    let mut copy = Copy::new(vec![third], references());
    while !remote.take(&mut copy, &source, 9).unwrap().is_done {}
    assert_eq!(remote.root(), first);
    remote.refresh().unwrap();
    assert_eq!(remote.root(), second);
    assert!(remote.contains(&third).unwrap());
}

/// A directory whose renames have to be asked for twice, and where another writer may be first.
#[derive(Default)]
struct Service {
    inner: MemoryDirectory,
    asked: RefCell<HashSet<String>>,
    is_first: Cell<bool>,
}

impl Directory for Service {
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError> {
        self.inner.open(path)
    }

    fn list(&self, path: &str) -> Result<Option<Vec<String>>, FileError> {
        self.inner.list(path)
    }

    fn create(&self, path: &str) -> Result<Rc<dyn File>, FileError> {
        self.inner.create(path)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        if self.asked.borrow_mut().insert(to.to_owned()) {
            return Err(FileError::Wait);
        }
        self.asked.borrow_mut().remove(to);
        match to == "manifest" && self.is_first.take() {
            true => Err(FileError::Moved),
            false => self.inner.rename(from, to),
        }
    }

    fn remove(&self, path: &str) -> Result<(), FileError> {
        self.inner.remove(path)
    }
}

#[derive(Default)]
struct OneAtATime(Cell<bool>);

impl Lock for OneAtATime {
    fn try_lock(&self) -> Result<bool, FileError> {
        Ok(!self.0.replace(true))
    }

    fn unlock(&self) {
        self.0.set(false);
    }
}

#[test]
fn of_two_that_push_at_once_each_loser_is_told() {
    let mut losses = 0;
    for seed in 0..20_u64 {
        let directory = Rc::new(Service::default());
        let lock: Rc<dyn Lock> = Rc::new(OneAtATime::default());
        let mut random = seed;
        let mut below = |limit: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % limit
        };
        struct Pusher {
            remote: Remote,
            source: MemoryChunks,
            copy: Option<(Copy, Address, Address)>,
            is_copied: bool,
            done: Vec<Address>,
        }
        let mut pushers = [0, 1].map(|_| Pusher {
            remote: open(&directory, &lock).unwrap(),
            source: MemoryChunks::new(),
            copy: None,
            is_copied: false,
            done: Vec::new(),
        });
        for step in 0..800 {
            directory.is_first.set(below(15) == 0);
            let Pusher { remote, source, copy, is_copied, done } = &mut pushers[below(2) as usize];
            match copy {
                None => {
                    remote.refresh().unwrap();
                    let from = remote.root();
                    let below = (!from.is_empty()).then_some(from);
                    let root = tree(source, seed * 1_000 + step, below);
                    *copy = Some((Copy::new(vec![root], references()), from, root));
                    *is_copied = false;
                }
                Some((copying, from, root)) if !*is_copied => match remote.take(copying, source, 30) {
                    Err(error) => assert!(error.is_wait(), "{error}"),
                    Ok(copied) => *is_copied = copied.is_done,
                },
                Some((_, from, root)) => match remote.commit(from, root, &[]) {
                    Err(error) => assert!(error.is_wait(), "{error}"),
                    Ok(Committed::Done) => {
                        done.push(*root);
                        *copy = None;
                    }
                    Ok(Committed::Moved) => {
                        losses += 1;
                        *copy = None;
                    }
                },
            }
        }
        let remote = open(&directory, &memory_lock()).unwrap();
        let there = closure(&remote, remote.root());
        for root in pushers.iter().flat_map(|pusher| &pusher.done) {
            assert!(there.contains(root), "seed {seed}: an acknowledged push is lost");
        }
        assert!(pushers.iter().all(|pusher| pusher.done.len() > 2));
    }
    assert!(losses > 20, "{losses}");
}

#[test]
fn a_database_with_a_journal_is_no_remote() {
    let directory = Rc::new(MemoryDirectory::new());
    directory.insert("vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv", vec![]);
    assert!(matches!(open(&directory, &memory_lock()), Err(StoreError::Exists { .. })));
}

#[test]
fn files_that_were_left_go_after_a_day() {
    let directory = Rc::new(MemoryDirectory::new());
    let (old, new) = (noon() - 25 * 60 * 60 * 1000, noon() - 1000);
    for name in [format!("nbs_table_varve_{old}_0"), format!("nbs_table_varve_{new}_0"), "nbs_table_123".to_owned()] {
        directory.insert(&name, b"left".to_vec());
    }
    let source = MemoryChunks::new();
    let root = tree(&source, 1, None);
    let remote = open(&directory, &memory_lock()).unwrap();
    assert_eq!(push(&remote, &source, Address::EMPTY, root), Ok(Committed::Done));
    let left: Vec<String> = directory.paths().into_iter().filter(|path| path.starts_with("nbs_")).collect();
    assert_eq!(left, ["nbs_table_123".to_owned(), format!("nbs_table_varve_{new}_0")]);
}

/// A host that answers *wait* to everything that it is asked for the first time, and a clock that goes on meanwhile.
#[derive(Default)]
struct Hesitant {
    inner: MemoryDirectory,
    asked: RefCell<HashSet<String>>,
    is_locked: Cell<bool>,
}

impl Hesitant {
    fn again(&self, what: String) -> Result<(), FileError> {
        let mut asked = self.asked.borrow_mut();
        if asked.remove(&what) {
            return Ok(());
        }
        asked.insert(what);
        Err(FileError::Wait)
    }
}

impl Directory for Hesitant {
    fn open(&self, path: &str) -> Result<Option<Rc<dyn File>>, FileError> {
        self.inner.open(path)
    }

    fn list(&self, path: &str) -> Result<Option<Vec<String>>, FileError> {
        self.inner.list(path)
    }

    fn create(&self, path: &str) -> Result<Rc<dyn File>, FileError> {
        self.again(format!("create {path}"))?;
        self.inner.create(path)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FileError> {
        self.again(format!("rename {from} {to}"))?;
        self.inner.rename(from, to)
    }

    fn remove(&self, path: &str) -> Result<(), FileError> {
        self.again(format!("remove {path}"))?;
        self.inner.remove(path)
    }
}

struct Slow(Rc<Hesitant>);

impl Lock for Slow {
    fn try_lock(&self) -> Result<bool, FileError> {
        assert!(!self.0.is_locked.get(), "it is taken twice");
        self.0.is_locked.set(self.0.again("lock".into()).is_ok());
        Ok(self.0.is_locked.get())
    }

    fn unlock(&self) {
        self.0.is_locked.set(false);
    }
}

fn later() -> u64 {
    static CLOCK: AtomicU64 = AtomicU64::new(0);
    noon() + CLOCK.fetch_add(1, Ordering::Relaxed)
}

#[test]
fn a_host_may_ask_for_time_at_every_step() {
    let source = MemoryChunks::new();
    let root = tree(&source, 1, None);
    let whole = closure(&source, root);
    let directory = Rc::new(Hesitant::default());
    directory.inner.insert("nbs_table_varve_1_0", vec![]);
    let lock: Rc<dyn Lock> = Rc::new(Slow(directory.clone()));
    let options = RemoteOptions::new(lock.clone(), later);
    let remote = Remote::open(&region(), directory.clone(), options).unwrap();
    assert_eq!(push(&remote, &source, Address::EMPTY, root), Ok(Committed::Done));
    assert_eq!(closure(&remote, root), whole);
    assert!(directory.inner.paths().iter().all(|path| !path.starts_with("nbs_")), "{:?}", directory.inner.paths());

    for copies_files in [false, true] {
        let directory = Rc::new(Hesitant::default());
        let lock: Rc<dyn Lock> = Rc::new(Slow(directory.clone()));
        let write = store::WriteOptions { clock: later, ..store::WriteOptions::new(lock, noon) };
        let local = ChunkStore::create(&region(), directory.clone(), OpenOptions::default(), write).unwrap();
        let copy = Copy::new(vec![root], references());
        let mut copy = if copies_files { copy.by_files() } else { copy.cut_at(2_000) };
        while !patiently(|| local.take(&mut copy, &remote, 9)).unwrap().is_done {}
        assert!(directory.inner.open(".dolt/noms/manifest").unwrap().is_none(), "a database before its first root");
        assert_eq!(patiently(|| local.commit(&Address::EMPTY, &root, &[])), Ok(Committed::Done));
        let left = |path: &&String| path.contains("temptf");
        assert_eq!(directory.inner.paths().iter().filter(left).count(), 0);
        let local = ChunkStore::open(&region(), &*directory, OpenOptions::default()).unwrap();
        assert_eq!((local.root(), closure(&local, root) == whole), (root, true));
    }
}

#[test]
fn what_is_damaged_in_the_remote_does_not_come() {
    let source = MemoryChunks::new();
    let root = tree(&source, 1, None);
    let directory = Rc::new(MemoryDirectory::new());
    let remote = open(&directory, &memory_lock()).unwrap();
    assert_eq!(push(&remote, &source, Address::EMPTY, root), Ok(Committed::Done));
    for path in directory.paths().iter().filter(|path| path.ends_with(".darc")) {
        let file = directory.open(path).unwrap().unwrap();
        let mut byte = [0];
        file.read_at(30, &mut byte).unwrap();
        file.write_at(30, &[byte[0] ^ 1]).unwrap();
    }
    for copies_files in [false, true] {
        let local = Rc::new(MemoryDirectory::new());
        let store = common::create(&local, write_options()).unwrap();
        let remote = open(&directory, &memory_lock()).unwrap();
        let copy = Copy::new(vec![root], references());
        let mut copy = if copies_files { copy.by_files() } else { copy };
        let error = loop {
            match store.take(&mut copy, &remote, 9) {
                Ok(copied) => assert!(!copied.is_done),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, StoreError::Corrupt { .. } | StoreError::WrongAddress { .. }), "{error}");
        assert!(local.open(".dolt/noms/manifest").unwrap().is_none());
        // It is over, and says so.
        assert!(matches!(store.take(&mut copy, &remote, 9), Err(StoreError::ReadOnly(_))));
    }
}
