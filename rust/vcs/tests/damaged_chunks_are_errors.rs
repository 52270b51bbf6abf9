//! Every chunk between the store root and the rows, damaged in many ways: reading ends with an error or with other names,
//! never in a panic, never without end.

mod common;

use std::collections::BTreeMap;

use codec::Address;
use common::{Recorded, databases};
use vcs::{Database, Head, Result};

/// Asks for everything that a database is, rows left out.
fn read_all(database: &Database) -> Result<u64> {
    let refs = database.refs()?;
    let mut answers = refs.remote_branches().collect::<Result<Vec<_>>>()?.len() as u64;
    answers += refs.tags().collect::<Result<Vec<_>>>()?.len() as u64;
    refs.stashes()?;
    for entry in refs.branches() {
        let (branch, _) = entry?;
        let head = refs.branch_head(&branch)?;
        for commit in refs.objects().log(&[head.address], &[])? {
            answers += commit?.height;
        }
        answers += refs.objects().merge_base(&head, &head)?.is_some() as u64;
        answers += refs.status(&branch)?.len() as u64;
        let root = refs.named_root("WORKING", &Head::Branch(branch))?.root;
        answers += root.foreign_keys()?.len() as u64;
        for entry in root.tables() {
            let table = refs.objects().table(&entry?.1)?;
            answers += table.artifact_counts()?.conflicts;
            for index in &table.schema().indexes {
                answers += table.index_root(index)?.tree_count();
            }
        }
    }
    Ok(answers)
}

#[test]
fn damaged_chunks_are_errors_and_not_panics() {
    for opened in databases("damaged", &["a_", "f_conflicts"]) {
        let attempt = |replaced: Option<(Address, Vec<u8>)>| {
            let chunks = Recorded::of(&opened.database, replaced);
            (read_all(&chunks.open()), chunks.read.take())
        };
        let (whole, read) = attempt(None);
        whole.unwrap();
        // One of each kind is damaged thoroughly.
        let mut kinds: BTreeMap<Vec<u8>, (Address, Vec<u8>)> = BTreeMap::new();
        for (address, bytes) in read {
            let shortest = kinds.entry(bytes[8..12].to_vec()).or_insert_with(|| (address, bytes.clone()));
            if bytes.len() < shortest.1.len() {
                *shortest = (address, bytes);
            }
        }
        assert!(kinds.len() >= 6, "{kinds:?}");
        let (mut refused, mut tried) = (0, 0);
        for (address, bytes) in kinds.values() {
            for at in (0..bytes.len()).step_by(1 + bytes.len() / 100) {
                for byte in [0, 0xff, bytes[at] ^ 1] {
                    let mut damaged = bytes.clone();
                    damaged[at] = byte;
                    refused += usize::from(attempt(Some((*address, damaged))).0.is_err());
                    tried += 1;
                }
            }
            for length in [0, 3, 8, 12, bytes.len() / 2, bytes.len() - 1] {
                assert!(attempt(Some((*address, bytes[..length].to_vec()))).0.is_err());
            }
        }
        println!("{}: {refused} of {tried} damaged chunks refused", opened.fixture);
        assert!(refused > tried / 10);
    }
}

#[test]
fn a_root_of_a_newer_dolt_is_refused() {
    for opened in databases("newer", &["a_"]) {
        let refs = opened.database.refs().unwrap();
        let address = refs.working_set("main").unwrap().working;
        let chunk = refs.objects().nodes().message(&address).unwrap();
        let mut newer = tree::message::root_value::RootValue::decode(&chunk).unwrap();
        newer.feature_version = 8;
        let database = Recorded::of(&opened.database, Some((address, newer.encode().unwrap()))).open();
        let refs = database.refs().unwrap();
        let error = refs.named_root("WORKING", &Head::Branch("main".into())).err().unwrap();
        assert!(error.to_string().contains("feature version 8"), "{error}");
    }
}
