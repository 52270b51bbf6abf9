//! Files of the store: a database is opened around the input, and everything in it is read.

use std::rc::Rc;

use codec::Address;
use region::{MemoryDirectory, Mode, Options, Region};
use store::{ChunkStore, Chunks, ListedFile, Manifest, OpenOptions, Scan, Verify};

/// Chunks that are read of one input, at most.
const CHUNKS_MAX: usize = 2_000;
const TABLE_NAME: &str = "11111111111111111111111111111111";
const ARCHIVE_NAME: &str = "22222222222222222222222222222222";
const JOURNAL_NAME: &str = "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv";

pub(crate) fn manifest(input: &[u8]) {
    let directory = MemoryDirectory::new();
    directory.insert(".dolt/noms/manifest", input.to_vec());
    if let Ok(Some(manifest)) = Manifest::read(&directory, &".dolt/noms/manifest".into()) {
        let _ = manifest.to_string();
    }
    open(&directory);
}

pub(crate) fn table_file(input: &[u8]) {
    // The count is in the footer: 28 bytes before the end.
    let count = u32_at(input, input.len().wrapping_sub(20));
    open(&database(TABLE_NAME, "", count, input));
}

pub(crate) fn archive(input: &[u8]) {
    // 4 bytes of chunks, 4 of metadata, 192 of hashes, version, signature.
    let count = u32_at(input, input.len().wrapping_sub(208));
    open(&database(ARCHIVE_NAME, ".darc", count, input));
}

pub(crate) fn journal(input: &[u8]) {
    open(&database(JOURNAL_NAME, "", 0, input));
}

fn u32_at(input: &[u8], at: usize) -> u32 {
    input.get(at..).and_then(|bytes| bytes.first_chunk::<4>()).map_or(1, |bytes| u32::from_be_bytes(*bytes))
}

/// A database of one file, whose manifest agrees with it.
fn database(name: &str, extension: &str, chunks: u32, bytes: &[u8]) -> MemoryDirectory {
    let directory = MemoryDirectory::new();
    if let Ok(id) = name.parse::<Address>() {
        let root = Address::of(b"root");
        let lock = Manifest::lock_of(&root, [id]);
        let files = vec![ListedFile { id, chunks }];
        let manifest = Manifest { version: 5, lock, root, gc_generation: Address::EMPTY, files };
        directory.insert(".dolt/noms/manifest", manifest.to_string().into_bytes());
    }
    directory.insert(&format!(".dolt/noms/{name}{extension}"), bytes.to_vec());
    directory
}

/// Opens and reads it: with checks of addresses, as a verification does, and without, as a page does.
fn open(directory: &MemoryDirectory) {
    for (mode, verify) in [(Mode::Mmap, Verify::Always), (Mode::Pread, Verify::Unchecked)] {
        let region = Region::new(Options { budget_bytes: 2 << 20, ..Options::default() });
        let Ok(store) = ChunkStore::open(&region, directory, OpenOptions { mode, verify }) else { continue };
        let store = Rc::new(store);
        let mut addresses = Vec::new();
        let mut scan = Scan::default();
        let mut each = |address: Option<Address>, _: Result<Vec<u8>, _>| addresses.extend(address);
        for _ in 0..CHUNKS_MAX / 100 {
            match store.scan(&mut scan, 100, &mut each) {
                Ok(scanned) if !scanned.is_done => {}
                _ => break,
            }
        }
        addresses.truncate(CHUNKS_MAX);
        for address in &addresses {
            let _ = store.read(address);
        }
        let _ = store.read_many(&addresses, &mut |_, _| {});
        let _ = store.read(&store.root());
        let _ = store.read(&Address::of(b"absent"));
    }
}
