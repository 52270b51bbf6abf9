//! A proxy, or a cache on disk, may hold wrong bytes of a remote file: they are fetched again before anything fails because of them.

mod common;

use core::ops::Range;

use codec::Address;
use common::{faulty_database, region};
use region::{Directory, Mode};
use store::{ChunkStore, Chunks, OpenOptions, StoreError, Verify};

/// Opens with these wrong bytes, one of each file, and reads everything, one by one or many at once. Gives what was renewed.
fn read_all(seed: u64, many: bool) -> Result<Vec<Range<u64>>, StoreError> {
    let (directory, files, addresses) = faulty_database();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for file in &files {
        let len = region::File::len(&**file);
        // Half of them in the index.
        let at = if random(2) == 0 { random(len) } else { len - 1 - random(len.min(4000)) };
        file.make_wrong(at);
    }
    let options = OpenOptions { mode: Mode::Mmap, verify: Verify::Always };
    let store = ChunkStore::open(&region(), &directory, options)?;
    let mut read = 0;
    let mut check = |address: &Address, chunk: Vec<u8>| {
        assert_eq!(Address::of(&chunk), *address, "seed {seed}");
        read += 1;
    };
    if many {
        store.read_many(&addresses, &mut |i, chunk| check(&addresses[i], chunk))?;
    } else {
        for address in &addresses {
            check(address, store.read(address)?);
        }
    }
    assert_eq!(read, addresses.len());
    Ok(files.iter().flat_map(|file| file.renewed()).collect())
}

#[test]
fn one_wrong_byte_anywhere_in_each_file_changes_nothing() {
    let mut renewed = 0;
    for seed in 0..400 {
        let ranges = read_all(seed, seed % 2 == 0).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        renewed += ranges.len();
    }
    assert!(renewed > 1000, "{renewed}");
}

#[test]
fn bytes_that_stay_wrong_are_an_error_of_their_chunk() {
    let (directory, _, addresses) = faulty_database();
    let options = OpenOptions { mode: Mode::Mmap, verify: Verify::Always };
    let path = format!(".dolt/noms/{}", "2".repeat(32));
    let table = directory.open(&path).unwrap().unwrap();
    let mut bytes = vec![0; table.len() as usize];
    table.read_at(0, &mut bytes).unwrap();
    bytes[20] ^= 1;
    directory.insert(&path, bytes);
    let store = ChunkStore::open(&region(), &directory, options).unwrap();
    assert!(matches!(store.read(&addresses[200]), Err(StoreError::Corrupt { .. } | StoreError::WrongAddress { .. })));
    assert_eq!(store.read(&addresses[201]).map(|chunk| Address::of(&chunk)), Ok(addresses[201]));
}
