//! Databases written by native Dolt, and how to open them.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod build;
pub mod graph;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use codec::Address;
use native_dolt::fixtures;
use region::{
    Directory, FaultFile, File, FileError, Lock, MemoryDirectory, MemoryFile, MemoryLock, NativeDirectory, NativeLock,
    Options, Region,
};
use store::{ChunkStore, Chunks, Committed, Durability, OpenOptions, Scan, StoreError, WriteOptions};

/// Unpacks a fixture and answers the directory in it. `use_name` keeps tests that unpack the same one apart.
pub fn unpack(shared: &Path, fixture: &str, use_name: &str) -> PathBuf {
    fixtures::unpack(shared, fixture, &Path::new(env!("CARGO_TARGET_TMPDIR")).join(use_name).join(fixture))
}

/// Names of all fixtures that begin with one of `prefixes`.
pub fn fixtures(shared: &Path, prefixes: &[&str]) -> Vec<String> {
    let entries = std::fs::read_dir(shared.join("fixtures")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names
        .filter_map(|name| name.strip_suffix(".tar.gz").map(str::to_owned))
        .filter(|name| prefixes.iter().any(|prefix| name.starts_with(prefix)))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

pub fn region() -> Rc<Region> {
    Region::new(Options::default())
}

/// Every address that an index lists; of a chunk in two files twice.
pub fn addresses(store: &ChunkStore) -> Vec<Address> {
    scan(store).0
}

/// The same, and what a scan finds to be wrong.
pub fn scan(store: &ChunkStore) -> (Vec<Address>, Vec<StoreError>) {
    let (mut scan, mut addresses, mut flaws) = (Scan::default(), Vec::new(), Vec::new());
    let mut each = |address, chunk: Result<Vec<u8>, StoreError>| {
        addresses.extend(address);
        flaws.extend(chunk.err());
    };
    while !store.scan(&mut scan, 100, &mut each).unwrap().is_done {}
    (addresses, flaws)
}

pub fn open(path: &Path, options: OpenOptions) -> Result<ChunkStore, StoreError> {
    ChunkStore::open(&region(), &NativeDirectory::new(path), options)
}

/// The directories that are databases or remotes in what a fixture unpacks to.
pub fn stores(path: &Path) -> Vec<PathBuf> {
    if path.join("manifest").is_file() || path.join(".dolt").is_dir() {
        return vec![path.to_owned()];
    }
    let mut inside: Vec<PathBuf> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    inside.retain(|path| path.join(".dolt/noms").is_dir());
    inside.sort();
    inside
}

/// Everything under `path`, copied to memory.
pub fn in_memory(path: &Path) -> MemoryDirectory {
    fn copy(from: &Path, to: &MemoryDirectory, prefix: &str) {
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().into_string().unwrap());
            if entry.path().is_dir() {
                copy(&entry.path(), to, &format!("{name}/"));
            } else {
                to.insert(&name, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    let memory = MemoryDirectory::new();
    copy(path, &memory, "");
    memory
}

/// All bytes of a file.
pub fn contents(directory: &dyn Directory, path: &str) -> Vec<u8> {
    let file: Rc<dyn File> = directory.open(path).unwrap().unwrap();
    let mut bytes = vec![0; file.len() as usize];
    file.read_at(0, &mut bytes).unwrap();
    bytes
}

/// Noon of a day in 2026.
pub fn noon() -> u64 {
    1_795_262_400_000
}

pub fn memory_lock() -> Rc<dyn Lock> {
    Rc::new(MemoryLock::default())
}

pub fn write_options() -> WriteOptions {
    WriteOptions::new(memory_lock(), noon)
}

pub fn open_writable(directory: &Rc<MemoryDirectory>, write: WriteOptions) -> Result<ChunkStore, StoreError> {
    ChunkStore::open_writable(&region(), directory.clone(), OpenOptions::default(), write)
}

pub fn create(directory: &Rc<MemoryDirectory>, write: WriteOptions) -> Result<ChunkStore, StoreError> {
    ChunkStore::create(&region(), directory.clone(), OpenOptions::default(), write)
}

fn native_options(path: &Path) -> WriteOptions {
    WriteOptions::new(Rc::new(NativeLock::new(path.join(".dolt/noms/LOCK"))), noon)
}

/// Opens a database on disk for writing, under the lock of native Dolt.
pub fn open_native(path: &Path) -> ChunkStore {
    open_native_with(path, native_options(path))
}

/// As [`open_native`], with flushes by the second.
pub fn open_native_relaxed(path: &Path) -> ChunkStore {
    let durability = Durability::Relaxed { window_ms: 1000 };
    open_native_with(path, WriteOptions { durability, ..native_options(path) })
}

/// A lock without other writers.
pub struct OneTerm<L>(pub L);

impl<L: Lock> Lock for OneTerm<L> {
    fn try_lock(&self) -> Result<bool, FileError> {
        self.0.try_lock()
    }

    fn unlock(&self) {
        self.0.unlock();
    }

    fn lease_epoch(&self) -> Option<u64> {
        Some(1)
    }
}

/// As [`open_native`], with these options.
pub fn open_native_with(path: &Path, write: WriteOptions) -> ChunkStore {
    ChunkStore::open_writable(&region(), Rc::new(NativeDirectory::writable(path)), OpenOptions::default(), write)
        .unwrap()
}

/// A new store on disk.
pub fn create_native(path: &Path) -> ChunkStore {
    let directory = Rc::new(NativeDirectory::writable(path));
    ChunkStore::create(&region(), directory, OpenOptions::default(), native_options(path)).unwrap()
}

/// Puts `chunks` and commits them; the last one is the root.
pub fn commit(store: &ChunkStore, chunks: &[Vec<u8>]) {
    assert_eq!(try_commit(store, chunks), Ok(Committed::Done));
}

/// As [`commit`], which may fail.
pub fn try_commit(store: &ChunkStore, chunks: &[Vec<u8>]) -> Result<Committed, StoreError> {
    let put: Result<Vec<Address>, StoreError> = chunks.iter().map(|chunk| store.put(chunk)).collect();
    let put = put?;
    store.commit(&store.root(), put.last().unwrap(), &put)
}

/// A database of two archives (one in the old generation, with a dictionary), a table file and a journal.
pub fn faulty_database() -> (MemoryDirectory, Vec<Rc<FaultFile>>, Vec<Address>) {
    let chunks = build::chunks(400, 300);
    let addresses: Vec<Address> = chunks.iter().map(|chunk| Address::of(chunk)).collect();
    let dictionary = codec::zstd::Dictionary::new(&chunks[0]).unwrap();
    let mut spans = vec![codec::zstd::compress(&chunks[0], None).unwrap()];
    spans.extend(chunks[..100].iter().map(|chunk| codec::zstd::compress(chunk, Some(&dictionary)).unwrap()));
    let references: Vec<_> = addresses[..100].iter().zip(2..).map(|(address, span)| (*address, 1, span)).collect();
    let mut journal: Vec<u8> = chunks[300..].iter().flat_map(|chunk| build::journal_chunk(chunk)).collect();
    journal.extend(build::journal_root(&addresses[399]));

    let directory = MemoryDirectory::new();
    let id = |digit: &str| digit.repeat(32).parse::<Address>().unwrap();
    let listed = [(id("1"), 100), (id("2"), 100), (Address::JOURNAL, 100)];
    directory.insert(".dolt/noms/manifest", build::manifest(&addresses[0], &listed));
    directory.insert(".dolt/noms/oldgen/manifest", build::manifest(&Address::EMPTY, &[(id("3"), 100)]));
    let mut files = Vec::new();
    for (path, bytes) in [
        (format!("{}.darc", id("1")), build::snappy_archive(&chunks[100..200])),
        (id("2").to_string(), build::table_file(&chunks[200..300])),
        (Address::JOURNAL.to_string(), journal),
        (format!("oldgen/{}.darc", id("3")), build::archive(3, &spans, &references)),
    ] {
        let file = FaultFile::new(MemoryFile::new(bytes), 4096);
        directory.insert_file(&format!(".dolt/noms/{path}"), file.clone());
        files.push(file);
    }
    (directory, files, addresses)
}
