//! Flipped, cut and spliced files: every read returns the right bytes or an error, never panics, never allocates past a cap.
#![allow(unsafe_code, reason = "a counting allocator")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use codec::Address;
use common::build;
use region::{Directory, MemoryDirectory, Mode, Options, Region};
use store::{CHUNK_BYTES_MAX, ChunkStore, Chunks, OpenOptions, StoreError, Verify};

struct Largest;

/// The largest single allocation since it was reset.
static LARGEST_BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: hands everything to the system's allocator.
unsafe impl GlobalAlloc for Largest {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST_BYTES.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Largest = Largest;

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }

    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        let len = bytes.len();
        match self.below(10) {
            0 => bytes.truncate(self.below(len)),
            1 => {
                // A piece of the file over another.
                let piece_len = 1 + self.below(64.min(len));
                let (from, to) = (self.below(len - piece_len + 1), self.below(len - piece_len + 1));
                bytes.copy_within(from..from + piece_len, to);
            }
            2 => {
                let at = self.below(len);
                bytes.insert(at, self.below(256) as u8);
            }
            3 => {
                let at = self.below(len);
                let value = [[0; 4], [0xff; 4], [0, 0, 0, 1], [0x7f, 0xff, 0xff, 0xff]][self.below(4)];
                let end = (at + 4).min(len);
                bytes[at..end].copy_from_slice(&value[..end - at]);
            }
            // The end, where footers and indexes are, as often as anywhere.
            4 | 5 => {
                let at = len - 1 - self.below(len.min(300));
                bytes[at] ^= 1 << self.below(8);
            }
            _ => {
                for _ in 0..=self.below(4) {
                    let at = self.below(len);
                    bytes[at] ^= 1 << self.below(8);
                }
            }
        }
    }
}

/// Mutates `paths` of a store, `rounds` times each, and reads everything that the whole store had.
fn torture(name: &str, directory: &MemoryDirectory, paths: &[String], rounds: usize, mode: Mode) {
    let options = OpenOptions { mode, verify: Verify::Always };
    let whole = ChunkStore::open(&common::region(), directory, options).unwrap();
    let mut expected = HashMap::new();
    let addresses = common::addresses(&whole);
    for address in &addresses {
        expected.insert(*address, whole.read(address).unwrap());
    }
    drop(whole);
    // For longer hunts.
    let seed = std::env::var("VARVE_SEED").map_or(0x5eed, |seed| seed.parse().expect("a number"));
    let mut random = Random(seed ^ name.len() as u64);
    let (mut refused, mut opened, mut failed) = (0, 0, 0);
    for path in paths {
        let original = common::contents(directory, path);
        for _ in 0..rounds {
            let mut bytes = original.clone();
            random.mutate(&mut bytes);
            let file_bytes = bytes.len();
            directory.insert(path, bytes);
            LARGEST_BYTES.store(0, Ordering::Relaxed);
            let region = Region::new(Options { budget_bytes: 8 << 20, ..Options::default() });
            match ChunkStore::open(&region, directory, options) {
                Err(_) => refused += 1,
                Ok(store) => {
                    opened += 1;
                    let mut is_damaged = false;
                    for address in &addresses {
                        match store.read(address) {
                            Ok(chunk) => assert_eq!(chunk, expected[address], "{name}: {path}"),
                            Err(error) => {
                                failed += 1;
                                is_damaged |= !matches!(error, StoreError::Missing(_));
                            }
                        }
                    }
                    let (_, flaws) = common::scan(&store);
                    assert!(!is_damaged || !flaws.is_empty(), "{name}: {path}: a scan finds nothing");
                    let _ = store.read_many(&addresses, &mut |_, _| {});
                    let _ = store.read(&store.root());
                }
            }
            let cap = (CHUNK_BYTES_MAX + CHUNK_BYTES_MAX / 4).max(4 * file_bytes);
            let largest = LARGEST_BYTES.load(Ordering::Relaxed);
            assert!(largest <= cap, "{name}: {path}: allocated {largest} bytes at once");
        }
        directory.insert(path, original);
    }
    println!("{name}: {refused} refused, {opened} opened, {failed} chunks failed");
    assert!(refused > 0 && opened > 0, "{name}");
}

#[test]
fn mutated_files_return() {
    // One test function: the allocator is shared.
    let chunks = build::chunks(200, 200);
    let root = Address::of(&chunks[0]);
    let darc = format!("{}.darc", "2".repeat(32));
    let path = |name: &str| vec![format!(".dolt/noms/{name}"), ".dolt/noms/manifest".to_owned()];

    let table = build::database(&root, &"1".repeat(32), 200, build::table_file(&chunks));
    torture("table file", &table, &path(&"1".repeat(32)), 300, Mode::Mmap);

    let archive = build::database(&root, &darc, 200, build::snappy_archive(&chunks));
    torture("archive", &archive, &path(&darc), 300, Mode::MmapIndex);

    let raw_dictionary = chunks[..20].concat();
    let dictionary = codec::zstd::Dictionary::new(&raw_dictionary).unwrap();
    let frames = chunks.iter().map(|chunk| codec::zstd::compress(chunk, Some(&dictionary)).unwrap());
    let spans: Vec<Vec<u8>> =
        [codec::zstd::compress(&raw_dictionary, None).unwrap()].into_iter().chain(frames).collect();
    let references: Vec<_> = chunks.iter().zip(2..).map(|(chunk, span)| (Address::of(chunk), 1, span)).collect();
    let zstd = build::database(&root, &darc, 200, build::archive(3, &spans, &references));
    torture("zstd archive", &zstd, &path(&darc), 300, Mode::Mmap);

    let mut records: Vec<u8> = chunks.iter().flat_map(|chunk| build::journal_chunk(chunk)).collect();
    records.extend(build::journal_root(&root));
    let journal = build::database(&root, &"v".repeat(32), 200, records);
    torture("journal", &journal, &path(&"v".repeat(32)), 300, Mode::Pread);

    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let mixed = common::in_memory(&common::unpack(&shared, "d_mixed", "mutated"));
    let mut paths = Vec::new();
    for folder in [".dolt/noms", ".dolt/noms/oldgen"] {
        let names = mixed.list(folder).unwrap().unwrap();
        let names = names.into_iter().filter(|name| name.len() >= 32 || name == "manifest");
        paths.extend(names.map(|name| format!("{folder}/{name}")));
    }
    torture("d_mixed", &mixed, &paths, 4, Mode::Mmap);
}
