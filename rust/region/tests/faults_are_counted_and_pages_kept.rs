//! What a touch costs: faults, read-ahead, eviction, pins, failed reads.
#![allow(clippy::single_range_in_vec_init, reason = "lists of one read")]

use std::rc::Rc;

use region::{Advice, FaultFile, File, FileError, Mapping, MemoryFile, Mode, Options, Region, RegionError};

const PAGE: u64 = 4096;
const SEGMENT: u64 = 64 << 10;

fn mapped(segments: u64, budget_segments: u64) -> (Rc<Region>, Rc<FaultFile>, Mapping) {
    let mut bytes = vec![0; (segments * SEGMENT) as usize];
    bytes.chunks_mut(PAGE as usize).enumerate().for_each(|(page, bytes)| bytes.fill(page as u8));
    let file = FaultFile::new(MemoryFile::new(bytes), PAGE as usize);
    let region = Region::new(Options { budget_bytes: budget_segments * SEGMENT, segment_bytes: SEGMENT as usize });
    let mapping = region.map(file.clone() as Rc<dyn File>, "file", Mode::Mmap);
    (region, file, mapping)
}

#[test]
fn a_second_touch_reads_nothing() {
    let (region, file, mapping) = mapped(4, 4);
    mapping.advise(Advice::Random);
    assert_eq!(mapping.bytes(5 * PAGE + 7, 10).unwrap()[0], 5);
    assert_eq!(mapping.u64_be(5 * PAGE).unwrap(), 0x0505_0505_0505_0505);
    assert_eq!(file.reads(), [5 * PAGE..6 * PAGE]);
    let stats = region.stats();
    assert_eq!((stats.faults, stats.reads, stats.hits, stats.bytes), (1, 1, 1, PAGE));
    // A range over three pages, the first of them resident: one read for the two others.
    mapping.bytes(5 * PAGE, 3 * PAGE as usize).unwrap();
    assert_eq!(file.reads()[1..], [6 * PAGE..8 * PAGE]);
    assert_eq!(region.stats().faults, 3);
}

#[test]
fn sequential_reading_reads_ahead_twice_as_far_each_time() {
    let (region, file, mapping) = mapped(4, 4);
    mapping.advise(Advice::Sequential);
    for page in 0..16 {
        assert_eq!(mapping.bytes(page * PAGE, 1).unwrap()[0], page as u8);
    }
    let pages: Vec<u64> = file.reads().iter().map(|read| (read.end - read.start) / PAGE).collect();
    assert_eq!(pages, [2, 3, 5, 6], "one page and 1, 2, 4, 8 ahead, cut at the segment's end");
    assert_eq!((region.stats().faults, region.stats().ahead), (4, 12));
    assert_eq!(file.announced(), [16 * PAGE..19 * PAGE], "the rest of the window is announced");
    mapping.advise(Advice::Random);
    mapping.bytes(20 * PAGE, 1).unwrap();
    assert_eq!(file.reads().last().unwrap(), &(20 * PAGE..21 * PAGE));
}

#[test]
fn what_is_written_is_read_from_its_page() {
    let (region, file, mapping) = mapped(2, 2);
    mapping.advise(Advice::Random);
    mapping.bytes(0, 3 * PAGE as usize).unwrap();
    let reads = file.reads().len();
    // Two pages that are there, and one that is not.
    mapping.write_at(2 * PAGE - 2, &[8, 9, 9]).unwrap();
    mapping.write_at(3 * PAGE - 1, &[7; 100]).unwrap();
    assert_eq!(*mapping.bytes(2 * PAGE - 3, 4).unwrap(), [1, 8, 9, 9]);
    assert_eq!(mapping.bytes(2 * PAGE, PAGE as usize).unwrap().last(), Some(&7));
    assert_eq!(file.reads().len(), reads);
    assert_eq!(*mapping.bytes(3 * PAGE + 98, 2).unwrap(), [7, 3]);
    assert_eq!(file.reads()[reads..], [3 * PAGE..4 * PAGE]);
    // A holder of the pinned page keeps its old content.
    let pinned = mapping.bytes(0, 2).unwrap();
    mapping.write_at(0, &[5]).unwrap();
    assert_eq!(*pinned, [0, 0]);
    assert_eq!(*mapping.bytes(0, 2).unwrap(), [5, 0]);
    assert_eq!(region.stats().resident_bytes, 2 * SEGMENT);
}

#[test]
fn a_straddling_slice_is_copied_and_counted() {
    let (region, _, mapping) = mapped(3, 3);
    let pinned = mapping.bytes(SEGMENT - 10, 20).unwrap();
    assert_eq!((pinned[9], pinned[10]), (15, 16));
    assert_eq!(region.stats().straddles, 1);
    drop(pinned);
    let error = mapping.bytes(0, 3 * SEGMENT as usize + 1).unwrap_err();
    assert!(matches!(error, RegionError::PastEnd { .. }));
    assert_eq!(
        mapping.bytes(0, 3 * SEGMENT as usize).unwrap().len(),
        3 * SEGMENT as usize,
        "a slice as long as the budget"
    );
}

#[test]
fn eviction_takes_the_oldest_untouched_frame_and_never_a_pinned_one() {
    let (region, _, mapping) = mapped(8, 2);
    let pinned = mapping.bytes(3, 100).unwrap();
    for segment in 1..8 {
        assert_eq!(mapping.bytes(segment * SEGMENT, 1).unwrap()[0], (segment * 16) as u8);
    }
    let stats = region.stats();
    assert_eq!((stats.evictions, stats.peak_bytes), (6, 2 * SEGMENT));
    assert!(pinned.iter().all(|byte| *byte == 0));
    let reads = region.stats().reads;
    mapping.bytes(0, 1).unwrap();
    assert_eq!(region.stats().reads, reads, "the pinned frame was still there");
}

#[test]
fn pinned_full_falls_back_to_a_copy_and_then_to_an_error() {
    let (_, _, mapping) = mapped(4, 2);
    let first = mapping.bytes(0, 1).unwrap();
    let second = mapping.bytes(SEGMENT, 1).unwrap();
    match mapping.bytes(2 * SEGMENT, 16) {
        Err(RegionError::Budget { used_bytes, budget_bytes, .. }) => {
            assert_eq!((used_bytes, budget_bytes), (2 * SEGMENT, 2 * SEGMENT));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(mapping.u64_be(2 * SEGMENT).unwrap(), 0x2020_2020_2020_2020, "an integer needs no frame");
    drop(first);
    mapping.bytes(2 * SEGMENT, 16).unwrap();
    drop(second);

    // Room for a small copy, not for a frame.
    let region = Region::new(Options { budget_bytes: SEGMENT + 5000, segment_bytes: SEGMENT as usize });
    let mapping = region.map(MemoryFile::new(vec![9; 3 * SEGMENT as usize]), "file", Mode::Mmap);
    let _pinned = mapping.bytes(0, 1).unwrap();
    assert_eq!(*mapping.bytes(2 * SEGMENT, 5000).unwrap(), [9; 5000]);
    assert_eq!(region.stats().copies, 1);
}

#[test]
fn a_failed_read_leaves_the_page_absent_and_the_next_try_works() {
    let (region, file, mapping) = mapped(2, 2);
    file.fail_after(0);
    let error = mapping.bytes(0, 8).unwrap_err();
    assert!(matches!(error, RegionError::File { error: FileError::ShortRead { .. }, .. }), "{error}");
    assert_eq!(*mapping.bytes(PAGE - 4, 8).unwrap(), [0, 0, 0, 0, 1, 1, 1, 1]);
    file.fail_after(0);
    assert!(mapping.bytes(SEGMENT - 4, 8).is_err(), "a straddling copy fails as a whole");
    assert!(mapping.bytes(SEGMENT - 4, 8).is_ok());
    assert!(region.stats().peak_bytes <= 2 * SEGMENT);
}

#[test]
fn announced_ranges_are_merged_pages_that_are_not_resident() {
    let (_, file, mapping) = mapped(4, 4);
    mapping.bytes(2 * PAGE, 1).unwrap();
    mapping.will_need(&[5 * PAGE + 1..5 * PAGE + 2, 10..3 * PAGE, 4 * PAGE..6 * PAGE, 4 * SEGMENT - 1..u64::MAX, 7..7]);
    assert_eq!(file.announced(), [0..2 * PAGE, 4 * PAGE..6 * PAGE, 4 * SEGMENT - PAGE..4 * SEGMENT]);
}

#[test]
fn a_growing_file_is_seen_after_extend_and_old_pins_stay() {
    let memory = MemoryFile::new(vec![1; 5000]);
    let region = Region::new(Options::default());
    let mapping = region.map(memory.clone(), "journal", Mode::Mmap);
    let before = mapping.bytes(4000, 1000).unwrap();
    memory.append(&[2; 3000]);
    assert!(matches!(mapping.bytes(4000, 1001), Err(RegionError::PastEnd { length_bytes: 5000, .. })));
    assert_eq!(mapping.extend(), 8000);
    let after = mapping.bytes(4990, 20).unwrap();
    assert_eq!((after[9], after[10]), (1, 2));
    assert!(before.iter().all(|byte| *byte == 1));
}

#[test]
fn appending_brings_in_only_the_page_that_grew() {
    let file = FaultFile::new(MemoryFile::new(vec![1; 3 * PAGE as usize + 100]), PAGE as usize);
    let region = Region::new(Options::default());
    let mapping = region.map(file.clone(), "journal", Mode::Mmap);
    mapping.set_growing();
    mapping.bytes(0, 3 * PAGE as usize + 100).unwrap();
    let before = file.reads().len();
    for i in 0..20u64 {
        mapping.append(&[2; 50]).unwrap();
        let end = 3 * PAGE + 100 + 50 * i;
        assert_eq!(*mapping.bytes(end - 1, 2).unwrap(), [if i == 0 { 1 } else { 2 }, 2]);
        mapping.bytes(0, 3 * PAGE as usize).unwrap();
    }
    assert_eq!(file.reads().len() - before, 20, "the first three pages stay");
    mapping.truncate(3 * PAGE + 100).unwrap();
    assert!(mapping.bytes(3 * PAGE + 100, 1).is_err());
    mapping.append(&[3]).unwrap();
    assert_eq!(*mapping.bytes(3 * PAGE + 99, 2).unwrap(), [1, 3]);
}

#[test]
fn only_the_index_is_kept_in_mode_mmap_index() {
    let file = FaultFile::new(MemoryFile::new(vec![3; 100_000]), PAGE as usize);
    let region = Region::new(Options::default());
    let mapping = region.map(file.clone(), "archive", Mode::MmapIndex);
    mapping.set_index(60_000..90_000);
    for _ in 0..2 {
        mapping.u64_be(60_000).unwrap();
        mapping.bytes(100, 50).unwrap();
    }
    assert_eq!(file.reads().len(), 3, "one page of the index, and each read outside");
    assert_eq!(region.stats().faults, 1);
}
