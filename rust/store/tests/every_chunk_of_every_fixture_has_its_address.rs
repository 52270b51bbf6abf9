//! Databases that native Dolt wrote: every chunk that an index lists is read, alone and with others, and hashes to its address.

mod common;

use std::collections::BTreeSet;

use codec::Address;
use region::Mode;
use store::{ChunkStore, Chunks, Layout, OpenOptions, Verify};

fn check(name: &str, store: &ChunkStore) -> usize {
    let addresses = common::addresses(store);
    assert!(!addresses.is_empty(), "{name}");
    for address in &addresses {
        assert_eq!(Address::of(&store.read(address).unwrap()), *address, "{name}");
        assert!(store.contains(address).unwrap());
    }
    // The root is a store-root message: a four-byte header, a flatbuffer with its file id.
    let root = store.read(&store.root()).unwrap();
    assert_eq!(&root[8..12], b"STRT", "{name}");
    let mut seen = BTreeSet::new();
    store.will_need(&addresses);
    store
        .read_many(&addresses, &mut |i, chunk| {
            assert_eq!(Address::of(&chunk), addresses[i], "{name}");
            assert!(seen.insert(i));
        })
        .unwrap();
    assert_eq!(seen.len(), addresses.len(), "{name}");
    addresses.len()
}

#[test]
fn every_chunk_of_every_fixture_has_its_address() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    for fixture in common::fixtures(&shared, &["a_", "b_", "c_", "d_", "e_", "f_", "h_", "i_"]) {
        let path = common::unpack(&shared, &fixture, "every_chunk");
        for path in common::stores(&path) {
            let counts = [Mode::Mmap, Mode::Pread, Mode::MmapIndex].map(|mode| {
                let store = common::open(&path, OpenOptions { mode, verify: Verify::Never }).unwrap();
                assert_eq!(store.layout() == Layout::Remote, fixture == "h_remote");
                assert_eq!(store.torn_bytes(), 0);
                check(&fixture, &store)
            });
            println!("{fixture}: {} chunks", counts[0]);
            assert!(counts[0] == counts[1] && counts[1] == counts[2]);
        }
    }
}

#[test]
fn a_large_database_is_read_under_a_small_budget() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let path = common::unpack(&shared, "g_big", "large");
    let region = region::Region::new(region::Options { budget_bytes: 2 << 20, ..region::Options::default() });
    let directory = region::NativeDirectory::new(&path);
    let store = ChunkStore::open(&region, &directory, OpenOptions::default()).unwrap();
    let count = check("g_big", &store);
    let (pages, chunks) = (region.stats(), store.stats());
    println!("{count} chunks: {pages:?} {chunks:?}");
    assert!(pages.evictions > 0 && pages.peak_bytes <= 2 << 20);
    assert!(chunks.chunks_read > 2 * count as u64);
    assert!((1..=count as u64).contains(&chunks.verified), "the archive has zstd frames, each is compared once");
    let options = OpenOptions { verify: Verify::Always, ..OpenOptions::default() };
    let store = ChunkStore::open(&region, &directory, options).unwrap();
    (0..3).for_each(|_| drop(store.read(&store.root()).unwrap()));
    assert_eq!(store.stats().verified, 3, "whoever vouches for nothing is asked every time");
}

#[test]
fn absent_chunks_are_missing_and_ghosts_are_ghosts() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let path = common::unpack(&shared, "d_mixed", "absent");
    let directory = common::in_memory(&path);
    let absent = Address::of(b"not in any database");
    directory.insert(".dolt/noms/ghostObjects.txt", format!("{absent}\n").into_bytes());
    let store = ChunkStore::open(&common::region(), &directory, OpenOptions::default()).unwrap();
    let other = Address::of(b"nor is this");
    assert_eq!(store.read(&absent), Err(store::StoreError::Ghost(absent)));
    assert_eq!(store.read(&other), Err(store::StoreError::Missing(other)));
    assert!(store.is_ghost(&absent) && !store.contains(&absent).unwrap());
    let outcome = store.read_many(&[store.root(), other], &mut |_, _| panic!("nothing is read when one is missing"));
    assert_eq!(outcome, Err(store::StoreError::Missing(other)));
    let mut twice = 0;
    store.read_many(&[store.root(), store.root()], &mut |_, _| twice += 1).unwrap();
    assert_eq!(twice, 2);
}
