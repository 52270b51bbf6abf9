//! Open and one lookup touch a small number of pages that does not grow with the archive.

mod common;

use std::rc::Rc;

use codec::Address;
use common::build;
use region::{FaultFile, File, MemoryDirectory, MemoryFile, Mode, Options, Region};
use store::{ChunkStore, Chunks, OpenOptions, Verify};

struct Counted {
    directory: MemoryDirectory,
    file: Rc<FaultFile>,
    addresses: Vec<Address>,
}

fn counted(bytes: Vec<u8>, extension: &str, addresses: Vec<Address>, page_bytes: usize) -> Counted {
    let name = format!("{}{extension}", Address::of(&bytes[bytes.len() - 100..]));
    let directory = build::database(&addresses[0], &name, addresses.len() as u32, vec![]);
    let file = FaultFile::new(MemoryFile::new(bytes), page_bytes);
    directory.insert_file(&format!(".dolt/noms/{name}"), file.clone());
    Counted { directory, file, addresses }
}

fn archive(count: u32, page_bytes: usize) -> Counted {
    let chunks = build::chunks(count, 60);
    let addresses = chunks.iter().map(|chunk| Address::of(chunk)).collect();
    counted(build::snappy_archive(&chunks), ".darc", addresses, page_bytes)
}

/// Pages that open and one lookup touch, the most of several lookups, each in a region of its own.
fn pages(counted: &Counted) -> u64 {
    let every = counted.addresses.len() / 20;
    let lookups = counted.addresses.iter().step_by(every).map(|address| {
        let region = Region::new(Options::default());
        let store = ChunkStore::open(&region, &counted.directory, OpenOptions::default()).unwrap();
        store.read(address).unwrap();
        let stats = region.stats();
        stats.faults + stats.ahead
    });
    lookups.max().unwrap()
}

#[test]
fn open_and_one_lookup_touch_as_few_pages_in_a_hundred_times_the_chunks() {
    for (page_bytes, pages_max) in [(64 << 10, 8), (4 << 10, 11)] {
        let small = archive(1_000, page_bytes);
        let large = archive(100_000, page_bytes);
        let (in_small, in_large) = (pages(&small), pages(&large));
        println!("pages of {page_bytes}: {in_small} of 1,000 chunks, {in_large} of 100,000 chunks");
        assert!(in_large <= pages_max, "{in_large} pages of {page_bytes} bytes");
        let whole_file = large.file.reads().iter().map(|read| read.end).max().unwrap();
        assert!(whole_file > 10_000_000, "the file is a large one");
    }
}

#[test]
fn an_absent_address_costs_a_page_or_two_of_prefixes() {
    let large = archive(100_000, 4096);
    let region = Region::new(Options::default());
    let store = ChunkStore::open(&region, &large.directory, OpenOptions::default()).unwrap();
    let before = region.stats().faults;
    for i in 0..50u32 {
        assert!(!store.contains(&Address::of(&i.to_be_bytes())).unwrap());
    }
    let faults = region.stats().faults - before;
    assert!(faults <= 150, "{faults} pages for 50 absent addresses");
}

#[test]
fn pread_reads_what_is_asked_and_keeps_nothing() {
    let counted = archive(1_000, 64 << 10);
    let region = Region::new(Options::default());
    let options = OpenOptions { mode: Mode::Pread, ..OpenOptions::default() };
    let store = ChunkStore::open(&region, &counted.directory, options).unwrap();
    let read = store.read(&counted.addresses[7]).unwrap();
    let longest = counted.file.reads().iter().map(|read| read.end - read.start).max().unwrap();
    assert!(longest <= 220, "nothing longer than the footer was read");
    assert_eq!((region.stats().faults, region.stats().resident_bytes), (0, 0));
    assert_eq!(Address::of(&read), counted.addresses[7]);
}

#[test]
fn read_many_goes_forward_and_announces_merged_ranges() {
    let counted = archive(20_000, 4096);
    let region = Region::new(Options::default());
    let options = OpenOptions { mode: Mode::MmapIndex, verify: Verify::Always };
    let store = ChunkStore::open(&region, &counted.directory, options).unwrap();
    let wanted: Vec<Address> = counted.addresses.iter().copied().skip(3).step_by(97).rev().collect();
    let before = counted.file.reads().len();
    let mut order = Vec::new();
    store
        .read_many(&wanted, &mut |i, chunk| {
            assert_eq!(Address::of(&chunk), wanted[i]);
            order.push(i);
        })
        .unwrap();
    assert_eq!(
        order,
        (0..wanted.len()).rev().collect::<Vec<_>>(),
        "in the order of the file, which is the reverse here"
    );
    let spans = counted.file.reads()[before..].iter().filter(|read| read.end - read.start < 200).count();
    assert_eq!(spans, wanted.len(), "each data span was read once");
    let announced = counted.file.announced();
    assert!(announced.len() >= wanted.len(), "every data span was announced before it was read");
    assert_eq!(store.stats().chunks_read, wanted.len() as u64);
}

#[test]
fn a_table_file_is_searched_in_place_and_its_lengths_are_summed_as_far_as_needed() {
    let chunks = build::chunks(30_000, 60);
    let addresses: Vec<Address> = chunks.iter().map(|chunk| Address::of(chunk)).collect();
    let counted = counted(build::table_file(&chunks), "", addresses, 4096);
    let region = Region::new(Options::default());
    let store = ChunkStore::open(&region, &counted.directory, OpenOptions::default()).unwrap();
    let pages = || region.stats().faults + region.stats().ahead;
    assert_eq!(pages(), 1, "open reads the footer's page");
    assert_eq!(store.read(&counted.addresses[100]).unwrap(), chunks[100]);
    let early = pages();
    assert!(early <= 8, "{early} pages for an early record");
    assert_eq!(store.read(&counted.addresses[29_999]).unwrap(), chunks[29_999]);
    let late = pages();
    assert!(late - early >= 20, "the lengths before the last record had to be summed");
    assert_eq!(store.read(&counted.addresses[15_000]).unwrap(), chunks[15_000]);
    assert!(pages() - late <= 6, "the sums were kept");
}

#[test]
fn what_lookups_in_a_remote_need_is_announced_before_they_wait() {
    let announced_bytes =
        |counted: &Counted| -> u64 { counted.file.announced().iter().map(|range| range.end - range.start).sum() };
    let remote = OpenOptions { verify: Verify::Always, ..OpenOptions::default() };
    let small = archive(1_000, 4096);
    ChunkStore::open(&Region::new(Options::default()), &small.directory, OpenOptions::default()).unwrap();
    assert_eq!(announced_bytes(&small), 0, "a local file is not read ahead");
    ChunkStore::open(&Region::new(Options::default()), &small.directory, remote).unwrap();
    assert!(announced_bytes(&small) >= 36 * 1_000, "the whole index");

    let large = archive(100_000, 4096);
    let store = ChunkStore::open(&Region::new(Options::default()), &large.directory, remote).unwrap();
    let at_open = announced_bytes(&large);
    assert!(at_open <= 256 << 10, "{at_open} bytes of a large file");
    let reads = large.file.reads().len();
    assert!(store.contains(&large.addresses[50_000]).unwrap());
    let announced = large.file.announced();
    let is_announced = |at: u64| announced.iter().any(|range| range.contains(&at));
    let unannounced = large.file.reads()[reads..].iter().filter(|read| !is_announced(read.start)).count();
    assert!(unannounced <= 1, "only where the span ends depends on what was read");
}

#[test]
fn the_first_chunks_of_a_remote_are_found_without_its_index() {
    let remote = OpenOptions { verify: Verify::Always, ..OpenOptions::default() };
    for count in [100_000, 200_000] {
        let large = archive(count, 4096);
        let store = ChunkStore::open(&Region::new(Options::default()), &large.directory, remote).unwrap();
        let opened = large.file.reads().len();
        for address in &large.addresses[..50] {
            assert_eq!(Address::of(&store.read(address).unwrap()), *address);
        }
        // Prefixes, references and suffixes: 28 bytes for each chunk.
        let arrays = large.file.len() - 28 * u64::from(count);
        let in_arrays = large.file.reads()[opened..].iter().filter(|read| read.start >= arrays).count();
        assert_eq!(in_arrays, 0, "{count} chunks");
    }
}
