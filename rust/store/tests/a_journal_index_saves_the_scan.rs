//! `journal.idx` spares the scan of what it covers, and never leads to a wrong chunk.

mod common;

use codec::{Address, crc32c};
use common::build;
use region::{FaultFile, MemoryDirectory, MemoryFile};
use store::{ChunkStore, Chunks, OpenOptions, StoreError, Verify};

const INDEX: &str = ".dolt/noms/journal.idx";

struct Made {
    journal: Vec<u8>,
    index: Vec<u8>,
    addresses: Vec<Address>,
    root: Address,
}

/// A journal of 1,000 chunks with roots after 400 and 800, covered by two batches, then 200 chunks and a root that no batch covers.
fn made() -> Made {
    let chunks = build::chunks(1000, 400);
    let addresses: Vec<Address> = chunks.iter().map(|chunk| Address::of(chunk)).collect();
    let (mut journal, mut index, mut keys, mut start) = (Vec::new(), Vec::new(), Vec::new(), 0u64);
    for (i, chunk) in chunks.iter().enumerate() {
        let record = build::journal_chunk(chunk);
        index.push(0);
        index.extend(&addresses[i].as_bytes()[..16]);
        index.extend((journal.len() as u64 + 28).to_be_bytes());
        index.extend((record.len() as u32 - 32).to_be_bytes());
        keys.extend(&addresses[i].as_bytes()[..16]);
        journal.extend(record);
        if matches!(i, 399 | 799 | 999) {
            let end = journal.len() as u64;
            journal.extend(build::journal_root(&addresses[i]));
            if i < 999 {
                index.push(1);
                index.extend(start.to_be_bytes());
                index.extend(end.to_be_bytes());
                index.extend(crc32c(&keys).to_be_bytes());
                index.extend(addresses[i].as_bytes());
                start = end;
                keys.clear();
            }
        }
    }
    Made { journal, index, root: addresses[999], addresses }
}

/// Opens; answers the store and the bytes of the journal that were read to open it.
fn open(made: &Made, index: Option<Vec<u8>>) -> (ChunkStore, u64) {
    let directory: MemoryDirectory = build::database(&made.root, &"v".repeat(32), 1, vec![]);
    let journal = FaultFile::new(MemoryFile::new(made.journal.clone()), 4096);
    directory.insert_file(&format!(".dolt/noms/{}", "v".repeat(32)), journal.clone());
    if let Some(index) = index {
        directory.insert(INDEX, index);
    }
    let options = OpenOptions { verify: Verify::Never, ..OpenOptions::default() };
    let store = ChunkStore::open(&common::region(), &directory, options).unwrap();
    (store, journal.reads().iter().map(|read| read.end - read.start).sum())
}

fn read_all(made: &Made, store: &ChunkStore) -> Result<(), StoreError> {
    for address in &made.addresses {
        assert_eq!(Address::of(&store.read(address)?), *address);
    }
    Ok(())
}

#[test]
fn only_what_no_batch_covers_is_scanned() {
    let made = made();
    let (store, scanned) = open(&made, Some(made.index.clone()));
    assert_eq!((store.root(), store.torn_bytes()), (made.root, 0));
    read_all(&made, &store).unwrap();
    let mut listed = common::addresses(&store);
    listed.sort_unstable();
    let mut expected = made.addresses.clone();
    expected.sort_unstable();
    assert_eq!(listed, expected);
    let (_, whole) = open(&made, None);
    assert!(whole >= made.journal.len() as u64);
    // The last fifth is scanned, and a page or two is read around each of the two roots.
    assert!(scanned * 3 < whole, "{scanned} of {whole} bytes");
}

#[test]
fn a_damaged_index_is_ignored_and_everything_replayed() {
    let made = made();
    let batch_bytes = 400 * 29 + 41;
    let mut damages: Vec<Vec<u8>> = Vec::new();
    // A key, a tag, a meta's start, end, checksum and root.
    for at in [5, 29, batch_bytes - 40, batch_bytes - 30, batch_bytes - 22, batch_bytes - 1] {
        let mut index = made.index.clone();
        index[at] ^= 0x40;
        damages.push(index);
    }
    damages.push(b"garbage".to_vec());
    damages.push(made.index[29..].to_vec());
    for index in damages {
        let (store, scanned) = open(&made, Some(index));
        assert!(scanned >= made.journal.len() as u64, "everything was replayed");
        assert_eq!(store.root(), made.root);
        read_all(&made, &store).unwrap();
    }
    // Cut in the middle of a lookup of the second batch: the first one counts.
    let (store, _) = open(&made, Some(made.index[..batch_bytes + 100].to_vec()));
    read_all(&made, &store).unwrap();
}

#[test]
fn a_wrong_place_is_not_believed() {
    let made = made();
    let mut index = made.index.clone();
    // The first lookup gets the place of the second: a whole record of another chunk, and no checksum covers this.
    let second = index[29 + 17..29 + 29].to_vec();
    index[17..29].copy_from_slice(&second);
    let (store, scanned) = open(&made, Some(index));
    assert!(scanned >= made.journal.len() as u64, "everything was replayed");
    read_all(&made, &store).unwrap();
}

#[test]
fn a_wrong_address_is_an_error_and_not_another_chunk() {
    let made = made();
    let mut index = made.index.clone();
    // The first two lookups change places, and so do their addresses in what the checksum covers.
    let (first, second) = (index[1..17].to_vec(), index[30..46].to_vec());
    index[1..17].copy_from_slice(&second);
    index[30..46].copy_from_slice(&first);
    let keys: Vec<u8> = (0..400).flat_map(|i| index[29 * i + 1..29 * i + 17].to_vec()).collect();
    index[400 * 29 + 17..400 * 29 + 21].copy_from_slice(&crc32c(&keys).to_be_bytes());
    let (store, scanned) = open(&made, Some(index));
    assert!(scanned < made.journal.len() as u64);
    for address in &made.addresses[..2] {
        assert!(matches!(store.read(address), Err(StoreError::WrongAddress { .. })));
    }
    assert!(store.read(&made.addresses[2]).is_ok());
}
