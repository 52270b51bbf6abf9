//! A host that fails at any one read, and memory that is too small: errors that say so, and nothing that is broken afterwards.

mod common;

use std::rc::Rc;

use codec::Address;
use common::build;
use common::faulty_database as database;
use region::{Directory, MemoryDirectory, Mode, Options, Region, RegionError};
use store::{ChunkStore, Chunks, OpenOptions, StoreError, Verify};

fn is_host_error(error: &StoreError) -> bool {
    matches!(error, StoreError::Region(RegionError::File { .. }))
}

#[test]
fn failing_reads_are_errors_and_can_be_tried_again() {
    for mode in [Mode::Mmap, Mode::Pread, Mode::MmapIndex] {
        let (directory, files, addresses) = database();
        let region = Region::new(Options { budget_bytes: 1 << 20, ..Options::default() });
        let options = OpenOptions { mode, verify: Verify::Always };
        for file in &files {
            file.fail_after(0);
            let error =
                ChunkStore::open(&region, &directory, options).err().expect("the footer or the journal is read");
            assert!(is_host_error(&error), "{error}");
            file.heal();
        }
        let store = ChunkStore::open(&region, &directory, options).unwrap();
        let mut failures = 0;
        for (i, address) in addresses.iter().enumerate() {
            for file in &files {
                file.fail_after(i % 7);
            }
            if let Err(error) = store.read(address) {
                assert!(is_host_error(&error), "{error}");
                failures += 1;
            }
            files.iter().for_each(|file| file.heal());
            assert_eq!(Address::of(&store.read(address).unwrap()), *address);
        }
        assert!(failures > 0, "{mode:?}");
    }
}

#[test]
fn any_budget_reads_or_says_that_it_is_too_small() {
    let (directory, _, addresses) = database();
    let mut smallest = None;
    for budget_bytes in [0, 100, 1000, 10_000, 70_000, 300_000] {
        let region = Region::new(Options { budget_bytes, segment_bytes: 64 << 10 });
        let outcome = ChunkStore::open(&region, &directory, OpenOptions::default())
            .and_then(|store| addresses.iter().try_for_each(|address| store.read(address).map(drop)));
        match outcome {
            Ok(()) => smallest = smallest.or(Some(budget_bytes)),
            Err(StoreError::Region(RegionError::Budget { budget_bytes: said, .. })) => assert_eq!(said, budget_bytes),
            Err(error) => panic!("{error}"),
        }
        assert!(region.stats().peak_bytes <= budget_bytes);
    }
    assert!(smallest.is_some_and(|smallest| smallest <= 10_000), "{smallest:?}");
}

#[test]
fn a_file_that_goes_while_the_store_opens_is_looked_for_again() {
    struct Collected {
        before: MemoryDirectory,
        after: MemoryDirectory,
        opens: core::cell::Cell<u32>,
    }
    impl Directory for Collected {
        fn open(&self, path: &str) -> Result<Option<Rc<dyn region::File>>, region::FileError> {
            self.opens.set(self.opens.get() + 1);
            if self.opens.get() == 1 { self.before.open(path) } else { self.after.open(path) }
        }

        fn list(&self, path: &str) -> Result<Option<Vec<String>>, region::FileError> {
            self.after.list(path)
        }
    }
    let chunks = build::chunks(3, 50);
    let root = Address::of(&chunks[0]);
    // The manifest lists file 1; by the time that it is opened, a collection has made file 2 of it.
    let directory = Collected {
        before: build::database(&root, &"1".repeat(32), 3, vec![]),
        after: build::database(&root, &"2".repeat(32), 3, build::table_file(&chunks)),
        opens: core::cell::Cell::new(0),
    };
    let store = ChunkStore::open(&common::region(), &directory, OpenOptions::default()).unwrap();
    assert_eq!(store.read(&root).unwrap(), chunks[0]);
}
