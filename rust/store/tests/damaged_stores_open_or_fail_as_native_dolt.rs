//! The damaged fixtures: what native Dolt opens, opens, and what it refuses is refused with the file's name and a reason.

mod common;

use std::collections::HashMap;

use codec::Address;
use common::build;
use serde_json::Value;
use store::{ChunkStore, Chunks, OpenOptions, StoreError, Verify};

const JOURNAL: &str = ".dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv";
const CHECKED: OpenOptions = OpenOptions { mode: region::Mode::Mmap, verify: Verify::Always };

/// Reads every listed chunk; answers the count and the failures.
fn read_all(store: &ChunkStore) -> (usize, Vec<StoreError>) {
    let (addresses, mut failures) = (common::addresses(store), Vec::new());
    for address in &addresses {
        failures.extend(store.read(address).err());
    }
    (addresses.len(), failures)
}

#[test]
fn damaged_stores_open_or_fail_as_native_dolt() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let oracle = std::fs::read(shared.join("fixtures/j_damaged.json")).unwrap();
    let oracle: Vec<Value> = serde_json::from_slice(&oracle).unwrap();
    let mut whole = HashMap::new();
    for (fixture, name) in [("a_journal", "a"), ("b_archive", "b"), ("c_tablefile", "c")] {
        let store = common::open(&common::unpack(&shared, fixture, "whole"), CHECKED).unwrap();
        whole.insert(name, (store.root(), read_all(&store).0));
    }
    assert!(oracle.len() >= 38);
    for case in &oracle {
        let fixture = case["fixture"].as_str().unwrap();
        let (kind, damage) = fixture.strip_prefix("j_").unwrap().split_once('_').unwrap();
        let damaged_file = case["damaged_file"].as_str().unwrap();
        let path = common::unpack(&shared, fixture, "damaged");
        let opened = common::open(&path, CHECKED);
        let native_opens = case["native"]["opens"] == true;
        let (whole_root, whole_count) = whole[kind];
        match damage {
            // Native takes it for an empty store, and then finds no branch.
            "missing_manifest" => assert!(matches!(opened, Err(StoreError::NoManifest { .. })), "{fixture}"),
            // Not a file of the store; listings of databases look for it.
            "missing_repo_state" => assert_eq!(opened.unwrap().root(), whole_root),
            _ => assert_eq!(opened.is_ok(), native_opens, "{fixture}: {:?}", opened.err()),
        }
        let opened = common::open(&path, CHECKED);
        match (kind, damage) {
            (_, "garbage_manifest" | "empty_manifest") => match opened {
                Err(StoreError::Corrupt { file, at_bytes: 0, .. }) => assert!(file.ends_with("noms/manifest")),
                other => panic!("{fixture}: {:?}", other.err()),
            },
            (_, "missing_file") => match opened {
                Err(StoreError::AbsentFile { file }) => assert!(damaged_file.starts_with(&*file), "{fixture}: {file}"),
                other => panic!("{fixture}: {:?}", other.err()),
            },
            ("a", "flipped_data") => match opened {
                // The offset that native prints.
                Err(StoreError::DataLoss { file, at_bytes: 37_089 }) => assert_eq!(&*file, JOURNAL),
                other => panic!("{fixture}: {:?}", other.err()),
            },
            ("a", "truncated_tail" | "truncated_half" | "flipped_index" | "flipped_index2") => {
                let store = opened.unwrap();
                assert_ne!(store.root(), whole_root, "{fixture}");
                let (count, failures) = read_all(&store);
                assert!(count <= whole_count && failures.is_empty(), "{fixture}: {failures:?}");
                assert_eq!(&store.read(&store.root()).unwrap()[8..12], b"STRT");
                assert!(store.torn_bytes() > 0);
            }
            ("a", "zeroed_tail" | "garbage_tail") => {
                let store = opened.unwrap();
                assert_eq!((store.root(), store.torn_bytes()), (whole_root, 200), "{fixture}");
                assert_eq!(read_all(&store), (whole_count, vec![]));
            }
            ("a", "missing_journal_index" | "flipped_journal_index") => {
                let store = opened.unwrap();
                assert_eq!((store.root(), store.torn_bytes()), (whole_root, 0), "{fixture}");
                assert_eq!(read_all(&store), (whole_count, vec![]));
            }
            (_, "flipped_data" | "flipped_index" | "flipped_index2") => {
                let store = opened.unwrap();
                assert_eq!(store.root(), whole_root, "{fixture}");
                let (count, failures) = read_all(&store);
                assert_eq!(count, whole_count, "{fixture}");
                println!("{fixture}: {} of {count} chunks: {:?}", failures.len(), failures.first());
                assert!(failures.len() <= 3, "{fixture}: {failures:?}");
                for failure in failures {
                    let text = failure.to_string();
                    assert!(
                        text.contains(damaged_file) || matches!(failure, StoreError::Missing(_)),
                        "{fixture}: {text}"
                    );
                }
            }
            (_, "truncated_tail" | "truncated_half" | "zeroed_tail" | "garbage_tail") => match opened {
                Err(StoreError::Corrupt { file, .. }) => assert_eq!(&*file, damaged_file, "{fixture}"),
                other => panic!("{fixture}: {:?}", other.err()),
            },
            (_, "missing_manifest" | "missing_repo_state") => {}
            other => panic!("{other:?} is a new kind of damage: say what must happen"),
        }
    }
}

/// A journal of three commits: two chunks and a root each, 1,000 bytes apart or so.
fn journal() -> (Vec<Vec<u8>>, Vec<Address>) {
    let chunks = build::chunks(6, 300);
    let (mut records, mut roots) = (Vec::new(), Vec::new());
    for pair in chunks.chunks(2) {
        let root = Address::of(&pair[1]);
        records.extend([build::journal_chunk(&pair[0]), build::journal_chunk(&pair[1]), build::journal_root(&root)]);
        roots.push(root);
    }
    (records, roots)
}

fn open_journal(bytes: Vec<u8>) -> Result<ChunkStore, StoreError> {
    let directory = build::database(&Address::of(b"checkpoint"), &"v".repeat(32), 1, bytes);
    ChunkStore::open(&common::region(), &directory, OpenOptions::default())
}

#[test]
fn a_journal_cut_anywhere_opens_at_its_last_whole_root() {
    let (records, roots) = journal();
    let bytes = records.concat();
    let ends: Vec<usize> = records
        .iter()
        .scan(0, |end, record| {
            *end += record.len();
            Some(*end)
        })
        .collect();
    for cut in 0..=bytes.len() {
        let store = open_journal(bytes[..cut].to_vec()).unwrap();
        let whole = ends.iter().take_while(|end| **end <= cut).count();
        let expected = if whole >= 3 { roots[whole / 3 - 1] } else { Address::of(b"checkpoint") };
        assert_eq!(store.root(), expected, "cut at {cut}");
        let end = if whole > 0 { ends[whole - 1] } else { 0 };
        assert_eq!(store.torn_bytes(), (cut - end) as u64);
    }
}

#[test]
fn a_flipped_byte_is_a_torn_tail_only_if_no_root_and_record_follow() {
    let (records, roots) = journal();
    let starts: Vec<usize> = records
        .iter()
        .scan(0, |end, record| {
            let start = *end;
            *end += record.len();
            Some(start)
        })
        .collect();
    let flipped = |record: usize| {
        let mut bytes = records.concat();
        bytes[starts[record] + records[record].len() / 2] ^= 1;
        open_journal(bytes)
    };
    // A root and another record lie behind the first six records, only chunks and one root behind the others.
    for (record, start) in starts.iter().enumerate().take(5) {
        match flipped(record) {
            Err(StoreError::DataLoss { file, at_bytes }) => {
                assert_eq!((&*file, at_bytes), (JOURNAL, *start as u64))
            }
            other => panic!("record {record}: {:?}", other.err()),
        }
    }
    assert_eq!(flipped(5).unwrap().root(), roots[0]);
    for record in 6..=8 {
        assert_eq!(flipped(record).unwrap().root(), roots[1], "record {record}");
    }
}

#[test]
fn unknown_records_are_fatal_and_odd_ones_are_not() {
    let root = Address::of(b"root");
    let unknown_tag = build::journal_record(&[&[1, 1, 2], root.as_bytes(), &[9, 9]]);
    let unknown_kind = build::journal_record(&[&[1, 7, 2], root.as_bytes()]);
    for record in [unknown_tag, unknown_kind] {
        let bytes = [build::journal_root(&root), record].concat();
        match open_journal(bytes) {
            Err(StoreError::Corrupt { file, at_bytes, .. }) => assert_eq!((&*file, at_bytes >= 40), (JOURNAL, true)),
            other => panic!("{:?}", other.err()),
        }
    }
    // Fields in another order, no timestamp.
    let odd = build::journal_record(&[&[2], root.as_bytes(), &[1, 1]]);
    assert_eq!(open_journal(odd).unwrap().root(), root);
    // A record over 5 MiB is cut off, with everything after it.
    let long = build::journal_record(&[&[1, 2, 2], root.as_bytes(), &[3], &vec![0; 5 << 20]]);
    let store =
        open_journal([build::journal_root(&root), long.clone(), build::journal_root(&Address::JOURNAL)].concat())
            .unwrap();
    assert_eq!((store.root(), store.torn_bytes()), (root, long.len() as u64 + 40));
}

#[test]
fn manifests_and_files_that_dolt_refuses() {
    let chunks = build::chunks(3, 50);
    let root = Address::of(&chunks[0]);
    let open =
        |directory: &region::MemoryDirectory| ChunkStore::open(&common::region(), directory, CHECKED).map(|_| ());
    let table = build::table_file(&chunks);
    assert_eq!(open(&build::database(&root, &"1".repeat(32), 3, table.clone())), Ok(()));
    let error = open(&build::database(&root, &"1".repeat(32), 4, table)).unwrap_err().to_string();
    assert!(error.contains("1111: table file does not have as many chunks as the manifest says"), "{error}");

    let spans: Vec<Vec<u8>> = chunks.iter().map(|chunk| store::encode_record(chunk).unwrap()).collect();
    let references: Vec<_> = chunks.iter().zip(1..).map(|(chunk, span)| (Address::of(chunk), 0, span)).collect();
    let archive = |version| {
        let directory = build::database(
            &root,
            &format!("{}.darc", "2".repeat(32)),
            77,
            build::archive(version, &spans, &references),
        );
        let store = ChunkStore::open(&common::region(), &directory, CHECKED)?;
        store.read(&root)
    };
    assert_eq!(archive(3).as_ref(), Ok(&chunks[0]), "a wrong count of an archive is no error");
    assert_eq!(archive(2).as_ref(), Ok(&chunks[0]));
    let error = archive(1).unwrap_err().to_string();
    assert!(error.contains("archive of version 1 has a chunk without dictionary"), "{error}");
    assert!(matches!(archive(4), Err(StoreError::Unsupported { what: "archive version", found: 4, .. })));
}

#[test]
fn an_unlisted_journal_gives_the_root_and_no_chunks() {
    let (records, roots) = journal();
    let directory = build::database(&roots[0], &"1".repeat(32), 1, build::table_file(&build::chunks(1, 300)));
    directory.insert(JOURNAL, records.concat());
    let store = ChunkStore::open(&common::region(), &directory, OpenOptions::default()).unwrap();
    assert_eq!(store.root(), roots[2]);
    assert_eq!(store.read(&roots[2]), Err(StoreError::Missing(roots[2])));
    assert!(store.read(&Address::of(&build::chunks(1, 300)[0])).is_ok());
}
