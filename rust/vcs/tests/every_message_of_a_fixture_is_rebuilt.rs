//! Every commit, root, table, schema … of every fixture encodes to the bytes that Dolt wrote.

mod common;

use std::collections::BTreeMap;

use codec::Address;
use common::{Recorded, databases};
use tree::TreeError;
use tree::message::{commit, flat, foreign_keys, root_value, schema, stash, store_root, table, tag, working_set};
use vcs::Refs;

/// The message after a round trip; `None` for tree nodes.
fn rebuild(message: &[u8]) -> Result<Option<Vec<u8>>, TreeError> {
    Ok(Some(match &flat::file_id(message)? {
        b"STRT" => store_root::StoreRoot::decode(message)?.encode()?,
        b"DCMT" => commit::Commit::decode(message)?.encode()?,
        b"DTAG" => tag::Tag::decode(message)?.encode()?,
        b"WRST" => working_set::WorkingSet::decode(message)?.encode()?,
        b"RTVL" => root_value::RootValue::decode(message)?.encode()?,
        b"DTBL" => table::Table::decode(message)?.encode()?,
        b"DSCH" => schema::Schema::decode(message)?.encode()?,
        b"DFKC" => foreign_keys::encode(&foreign_keys::decode(message)?)?,
        b"SLST" => stash::StashList::decode(message)?.encode()?,
        b"STSH" => stash::Stash::decode(message)?.encode()?,
        _ => return Ok(None),
    }))
}

/// Reads everything above the rows, through all of history.
fn read_all(refs: &Refs) {
    refs.tags().for_each(|tag| drop(tag.unwrap()));
    refs.stashes().unwrap();
    let heads: Vec<Address> = refs.branches().map(|entry| entry.unwrap().1).collect();
    let mut roots: Vec<Address> = refs.objects().walk(&heads).map(|commit| commit.unwrap().root).collect();
    for entry in refs.branches() {
        let set = refs.working_set(&entry.unwrap().0).unwrap();
        roots.extend([set.working, set.staged]);
    }
    for root in roots {
        let root = refs.objects().root_value(&root).unwrap();
        root.foreign_keys().unwrap();
        for entry in root.tables() {
            refs.objects().table(&entry.unwrap().1).unwrap();
        }
    }
}

#[test]
fn every_message_is_rebuilt() {
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for opened in databases("rebuilt", &[""]) {
        let recorded = Recorded::of(&opened.database, None);
        read_all(&recorded.open().refs().unwrap());
        for (address, message) in recorded.read.take() {
            if let Some(rebuilt) = rebuild(&message).unwrap() {
                assert_eq!(rebuilt, message, "{} {address}", opened.fixture);
                *kinds.entry(String::from_utf8(message[8..12].to_vec()).unwrap()).or_default() += 1;
            }
        }
    }
    println!("{kinds:?}");
    if !kinds.is_empty() {
        let wanted = ["DCMT", "DFKC", "DSCH", "DTAG", "DTBL", "RTVL", "STRT", "WRST"];
        assert_eq!(kinds.keys().map(String::as_str).collect::<Vec<_>>(), wanted);
    }
}
