//! A lazy clone reads from its remote what it lacks, and never anything else: whatever happens to either of them, a chunk is the one that was
//! asked for, or there is an error that names the remote. Completing it can be killed at any point.

mod common;

use std::collections::HashSet;
use std::rc::Rc;

use codec::Address;
use common::graph::{self, children, chunk, references};
use common::{memory_lock, noon, region, write_options};
use region::{CrashDirectory, Directory, MemoryDirectory};
use store::{
    ChunkStore, Chunks, CollectMode, Collection, Committed, Copy, LazyClone, MemoryChunks, OpenOptions, Remote,
    RemoteOptions, StoreError,
};

const URL: &str = "https://a.example/db";

/// Bytes that do not become fewer when they are compressed.
fn noise(seed: u64) -> Vec<u8> {
    (0..15).flat_map(|i| *Address::of(format!("{i} of {seed}").as_bytes()).as_bytes()).collect()
}

fn tree(chunks: &MemoryChunks, seed: u64, below: Option<Address>) -> Address {
    graph::tree(chunks, seed, below, |i| noise(seed * 1_000 + i))
}

/// All that `root` leads to, read and compared with its addresses.
fn closure(chunks: &dyn Chunks, root: Address) -> Result<HashSet<Address>, StoreError> {
    let (mut open, mut seen) = (vec![root], HashSet::new());
    while let Some(address) = open.pop() {
        if !address.is_empty() && seen.insert(address) {
            let bytes = chunks.read(&address)?;
            assert_eq!(Address::of(&bytes), address);
            open.extend(children(&bytes));
        }
    }
    Ok(seen)
}

fn open_remote(directory: &Rc<MemoryDirectory>) -> Remote {
    Remote::open(&region(), directory.clone(), RemoteOptions::new(memory_lock(), noon)).unwrap()
}

/// Makes `root` of `source` that of the remote.
fn push(remote: &Remote, source: &dyn Chunks, root: Address) {
    let mut copy = Copy::new(vec![root], references()).cut_at(6_000);
    while !remote.take(&mut copy, source, 9).unwrap().is_done {}
    assert_eq!(remote.commit(&remote.root(), &root, &[]), Ok(Committed::Done));
}

/// A remote with two trees in several files, and its root.
fn remote() -> (Rc<MemoryDirectory>, Address) {
    let source = MemoryChunks::new();
    let first = tree(&source, 1, None);
    let second = tree(&source, 2, Some(first));
    let directory = Rc::new(MemoryDirectory::new());
    let remote = open_remote(&directory);
    push(&remote, &source, first);
    push(&remote, &source, second);
    (directory, second)
}

/// A lazy clone, whose root leads to that of the remote.
fn lazy_clone(directory: Rc<dyn Directory>, there: &Remote) -> Result<(ChunkStore, Address), StoreError> {
    let local = ChunkStore::create(&region(), directory, OpenOptions::default(), write_options())?;
    assert_eq!(local.lean_on(there, URL, Some("me"))?, []);
    let root = local.put(&chunk(&[there.root()], b"names"))?;
    assert_eq!(local.commit(&Address::EMPTY, &root, &[root])?, Committed::Done);
    Ok((local, root))
}

fn open(directory: &Rc<impl Directory + 'static>, remote: &Rc<MemoryDirectory>) -> Result<ChunkStore, StoreError> {
    let remote: Rc<dyn Directory> = remote.clone();
    let (directory, write) = (directory.clone(), Some(write_options()));
    let lazy = LazyClone::read(&*directory)?;
    ChunkStore::open_lazy(&region(), directory, OpenOptions::default(), write, (lazy, &remote))
}

fn complete(local: &ChunkStore, there: &Remote) -> Result<(), StoreError> {
    let mut copy = Copy::completing(vec![local.root()], references()).cut_at(2_000);
    loop {
        match local.take(&mut copy, there, 5) {
            Ok(copied) if copied.is_done => return Ok(()),
            Err(error) if !error.is_wait() => return Err(error),
            _ => {}
        }
    }
}

#[test]
fn what_is_lacking_is_read_written_on_top_of_and_pushed_without_being_read() {
    let (there, top) = remote();
    let directory = Rc::new(MemoryDirectory::new());
    let (local, root) = lazy_clone(directory.clone(), &open_remote(&there)).unwrap();
    assert_eq!(common::addresses(&local), [root], "nothing else is here");
    assert_eq!(closure(&local, root).unwrap().len(), 2 * (40 + 6 + 1) + 1);
    drop(local);

    // Not without the remote, not by a program that does not know of lazy clones; otherwise as any other one.
    let refused = ChunkStore::open_writable(&region(), directory.clone(), OpenOptions::default(), write_options());
    assert_eq!(refused.err(), Some(StoreError::Incomplete { url: URL.into(), what: "opening it without its remote" }));
    assert!(common::contents(&*directory, ".dolt/noms/manifest").starts_with(b"L:__DOLT__:"));
    let local = open(&directory, &there).unwrap();
    assert_eq!(local.root(), root);
    assert_eq!(local.lazy().unwrap().user.as_deref(), Some("me"));
    assert!(local.contains(&top).unwrap());
    let mut addresses: Vec<Address> = closure(&local, root).unwrap().into_iter().collect();
    addresses.push(root);
    let mut read = 0;
    local
        .read_many(&addresses, &mut |position, bytes| {
            assert_eq!(Address::of(&bytes), addresses[position]);
            read += 1;
        })
        .unwrap();
    assert_eq!(read, addresses.len());
    let next = local.put(&chunk(&[root, top], b"more")).unwrap();
    assert_eq!(local.commit(&root, &next, &[next]), Ok(Committed::Done));
    assert!(open(&directory, &there).unwrap().manifest().is_lazy(), "commits leave the mark");
    assert!(local.whole_files().is_none(), "there is a journal");
    let mut collection = Collection::new(CollectMode::Default, vec![], references());
    let refused = local.collect(&mut collection, 10).unwrap_err();
    assert_eq!(refused, StoreError::Incomplete { url: URL.into(), what: "a garbage collection" });
    assert!(refused.to_string().contains("CALL varve_complete()"), "{refused}");

    // Of a push nothing is read that the remote has.
    drop(local);
    let local = open(&directory, &there).unwrap();
    let before = local.stats().chunks_read;
    let remote = open_remote(&there);
    push(&remote, &local, next);
    assert_eq!(local.stats().chunks_read - before, 2, "the two new ones");
    closure(&open_remote(&there), next).unwrap();
}

#[test]
fn a_fetch_into_it_brings_what_is_new() {
    let (there, top) = remote();
    let directory = Rc::new(MemoryDirectory::new());
    let remote = open_remote(&there);
    let (local, root) = lazy_clone(directory.clone(), &remote).unwrap();
    let source = MemoryChunks::new();
    let (first, newer) = (tree(&source, 1, None), tree(&source, 3, None));
    assert_eq!(tree(&source, 2, Some(first)), top);
    let both = source.insert(chunk(&[newer, top], b"newer"));
    push(&remote, &source, both);
    let mut copy = Copy::new(vec![both], references());
    while !local.take(&mut copy, &remote, 9).unwrap().is_done {}
    assert_eq!(copy.progress().chunks, 40 + 6 + 1 + 1);
    let next = local.put(&chunk(&[root, both], b"fetched")).unwrap();
    assert_eq!(local.commit(&root, &next, &[next]), Ok(Committed::Done));
    drop((local, remote));
    let local = open(&directory, &there).unwrap();
    assert_eq!(closure(&local, next).unwrap().len(), 3 * (40 + 6 + 1) + 3);
}

#[test]
fn completing_it_can_be_killed_at_any_point_and_goes_on_where_it_was() {
    let (there, _) = remote();
    let mut ends = (0, 0);
    for is_killed in [true, false] {
        for operation in 0_u64.. {
            let directory = CrashDirectory::new(operation);
            let remote = open_remote(&there);
            let (local, root) = lazy_clone(directory.clone(), &remote).unwrap();
            match is_killed {
                true => directory.cut_power_after(operation),
                false => directory.fail_after(operation),
            }
            let before = directory.operations();
            let completed = complete(&local, &remote);
            let is_over = completed.is_ok() && directory.operations() - before <= operation;
            drop(local);
            let after = if is_killed { directory.crash() } else { directory };
            let plain = ChunkStore::open(&region(), &*after, OpenOptions::default());
            let is_whole = plain.is_ok();
            if completed.is_ok() {
                assert!(is_whole, "operation {operation}");
            }
            match plain {
                Ok(local) => {
                    assert_eq!(closure(&local, root).unwrap().len(), 95);
                    ends.0 += 1;
                }
                Err(error) => {
                    assert!(matches!(error, StoreError::Incomplete { .. }), "{error}");
                    let local = open(&after, &there).unwrap();
                    assert_eq!(closure(&local, root).unwrap().len(), 95);
                    complete(&local, &remote).unwrap();
                    ends.1 += 1;
                }
            }
            let whole =
                ChunkStore::open_writable(&region(), after.clone(), OpenOptions::default(), write_options()).unwrap();
            assert_eq!((whole.root(), closure(&whole, root).unwrap().len()), (root, 95), "operation {operation}");
            assert!(whole.lazy().is_none() && !whole.manifest().is_lazy());
            if is_over {
                break;
            }
        }
    }
    assert!(ends.0 > 3 && ends.1 > 10, "{ends:?}");
}

#[test]
fn what_was_copied_before_an_end_is_not_copied_again() {
    let (there, _) = remote();
    let directory = Rc::new(MemoryDirectory::new());
    let remote = open_remote(&there);
    let (local, root) = lazy_clone(directory.clone(), &remote).unwrap();
    let mut copy = Copy::completing(vec![root], references()).cut_at(2_000);
    while local.take(&mut copy, &remote, 5).unwrap().chunks < 60 {}
    drop((copy, local));
    let local = open(&directory, &there).unwrap();
    let before = common::addresses(&local).len();
    assert!(before > 20, "{before}");
    // Another writer commits meanwhile: what its root leads to comes, too.
    let mut copy = Copy::completing(vec![root], references());
    let mut next = root;
    for step in 0.. {
        let copied = local.take(&mut copy, &remote, 5).unwrap();
        if copied.is_done {
            break;
        }
        if step == 3 {
            let added = local.put(&chunk(&[root], b"meanwhile")).unwrap();
            assert_eq!(local.commit(&root, &added, &[added]), Ok(Committed::Done));
            next = added;
        }
    }
    assert_eq!(copy.progress().chunks as usize, 95 - before);
    assert!(local.lazy().is_none());
    drop(local);
    let whole = ChunkStore::open(&region(), &*directory, OpenOptions::default()).unwrap();
    assert_eq!((whole.root(), closure(&whole, next).unwrap().len()), (next, 96));
    assert!(!directory.paths().iter().any(|path| path.ends_with("varve_lazy")), "{:?}", directory.paths());
}

#[test]
fn a_transaction_that_began_before_the_end_is_told_to_try_again() {
    let (there, top) = remote();
    let directory = Rc::new(MemoryDirectory::new());
    let remote = open_remote(&there);
    let (local, root) = lazy_clone(directory.clone(), &remote).unwrap();
    let other = open(&directory, &there).unwrap();
    let theirs = other.put(&chunk(&[top], b"theirs")).unwrap();
    // Of this process nothing fails: what is pending is looked at.
    let ours = local.put(&chunk(&[root], b"ours")).unwrap();
    complete(&local, &remote).unwrap();
    assert_eq!(local.commit(&root, &ours, &[ours]), Ok(Committed::Done));
    assert_eq!(other.commit(&root, &theirs, &[theirs]), Ok(Committed::Moved));
    assert_eq!(other.commit(&ours, &theirs, &[theirs]), Err(StoreError::Collected));
    assert!(other.lazy().is_none(), "the other one has seen it");
    assert_eq!(closure(&other, ours).unwrap().len(), 96);
}

#[test]
fn a_remote_that_lost_its_files_is_named_and_what_it_still_has_is_fetched() {
    let (there, top) = remote();
    let directory = Rc::new(MemoryDirectory::new());
    let (local, root) = lazy_clone(directory.clone(), &open_remote(&there)).unwrap();
    drop(local);
    let lost = |error: StoreError| match error {
        StoreError::NotFetched { url, reason, .. } => {
            assert_eq!(&*url, URL);
            reason
        }
        error => panic!("{error}"),
    };
    let files: Vec<String> = there.paths().into_iter().filter(|path| path.ends_with(".darc")).collect();
    assert!(files.len() > 1);
    // All of it is gone: what is here can be read and changed.
    let nothing = Rc::new(MemoryDirectory::new());
    let local = open(&directory, &nothing).unwrap();
    assert_eq!(local.read(&root).unwrap(), chunk(&[top], b"names"));
    assert_eq!(&*lost(local.read(&top).unwrap_err()), "it is not there any more");
    assert_eq!(&*lost(local.contains(&top).unwrap_err()), "it is not there any more");
    lost(complete(&local, &open_remote(&nothing)).unwrap_err());
    assert!(local.lazy().is_some());
    let next = local.put(&chunk(&[root], b"offline")).unwrap();
    assert_eq!(local.commit(&root, &next, &[next]), Ok(Committed::Done));
    drop(local);
    // A file is another one, or damaged, or only one is gone.
    for file in &files {
        for change in ["shorter", "damaged", "gone"] {
            let changed = Rc::new(MemoryDirectory::new());
            for path in there.paths().into_iter().filter(|path| change != "gone" || path != file) {
                let mut bytes = common::contents(&*there, &path);
                match (path == *file, change) {
                    (true, "shorter") => drop(bytes.pop()),
                    (true, _) => bytes.iter_mut().step_by(7).for_each(|byte| *byte ^= 1),
                    _ => {}
                }
                changed.insert(&path, bytes);
            }
            let local = open(&directory, &changed).unwrap();
            // Each chunk is right, or an error.
            closure(&local, next).unwrap_err();
            assert_eq!(local.read(&next).unwrap(), chunk(&[root], b"offline"));
        }
    }
    // The remote was collected: other files, the same chunks.
    let collected = Rc::new(MemoryDirectory::new());
    let remote = open_remote(&collected);
    push(&remote, &open_remote(&there), top);
    let local = open(&directory, &collected).unwrap();
    if files.iter().any(|file| !collected.paths().contains(file)) {
        lost(closure(&local, next).unwrap_err());
    }
    complete(&local, &remote).unwrap();
    drop(local);
    let whole = ChunkStore::open(&region(), &*directory, OpenOptions::default()).unwrap();
    assert_eq!(closure(&whole, next).unwrap().len(), 96);
}
