//! Every message recorded from Dolt decodes, and encodes to the same bytes again.

use std::collections::BTreeMap;

use codec::Address;
use tree::message::commit::Commit;
use tree::message::root_value::RootValue;
use tree::message::schema::Schema;
use tree::message::stash::{Stash, StashList};
use tree::message::statistic::Statistic;
use tree::message::store_root::StoreRoot;
use tree::message::table::Table;
use tree::message::tag::Tag;
use tree::message::tuple_value::TupleValue;
use tree::message::working_set::WorkingSet;
use tree::message::{flat, foreign_keys};
use tree::{TreeError, TreeReason};

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/format/vectors");

/// The message after a round trip; `None` for tree nodes, which are not read here.
fn rebuild(message: &[u8]) -> Result<Option<Vec<u8>>, TreeError> {
    Ok(Some(match &flat::file_id(message)? {
        b"STRT" => StoreRoot::decode(message)?.encode()?,
        b"DCMT" => Commit::decode(message)?.encode()?,
        b"DTAG" => Tag::decode(message)?.encode()?,
        b"WRST" => WorkingSet::decode(message)?.encode()?,
        b"RTVL" => RootValue::decode(message)?.encode()?,
        b"DTBL" => Table::decode(message)?.encode()?,
        b"DSCH" => Schema::decode(message)?.encode()?,
        b"DFKC" => foreign_keys::encode(&foreign_keys::decode(message)?)?,
        b"SLST" => StashList::decode(message)?.encode()?,
        b"STSH" => Stash::decode(message)?.encode()?,
        b"STAT" => Statistic::decode(message)?.encode()?,
        b"TUPL" => TupleValue::decode(message)?.encode()?,
        _ => return Ok(None),
    }))
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

fn hex_of(json: &serde_json::Value, at: &str) -> Vec<u8> {
    unhex(json[at].as_str().unwrap())
}

/// Address and bytes of every recorded message; empty without the vectors.
fn recorded() -> Vec<(String, Vec<u8>)> {
    let read = |name: &str| std::fs::read_to_string(format!("{VECTORS}/{name}/messages.json"));
    let (Ok(database), Ok(tree)) = (read("database"), read("tree")) else {
        println!("skipped: ../shared not found");
        return Vec::new();
    };
    let database: serde_json::Value = serde_json::from_str(&database).unwrap();
    let tree: Vec<serde_json::Value> = serde_json::from_str(&tree).unwrap();
    let text = |json: &serde_json::Value, at: &str| json[at].as_str().unwrap().to_owned();
    let database = database["messages"].as_array().unwrap().iter().map(|m| (text(m, "hash"), hex_of(m, "hex")));
    database.chain(tree.iter().map(|m| (text(m, "address"), hex_of(m, "bytes")))).collect()
}

#[test]
fn every_recorded_message_is_rebuilt() {
    let recorded = recorded();
    let mut kinds = BTreeMap::new();
    for (address, message) in &recorded {
        assert_eq!(Address::of(message).to_string(), *address);
        if let Some(rebuilt) = rebuild(message).unwrap() {
            assert_eq!(rebuilt, *message, "{address}");
            *kinds.entry(String::from_utf8(message[8..12].to_vec()).unwrap()).or_insert(0) += 1;
        }
    }
    if !recorded.is_empty() {
        let kinds: Vec<&str> = kinds.keys().map(String::as_str).collect();
        let wanted = ["DCMT", "DFKC", "DSCH", "DTAG", "DTBL", "RTVL", "SLST", "STAT", "STRT", "STSH", "WRST"];
        assert_eq!(kinds, wanted);
    }
}

#[test]
fn a_statistic_and_a_tuple_value_survive_a_round_trip() {
    let statistic = Statistic { root: Address::of(b"rows") }.encode().unwrap();
    assert_eq!(rebuild(&statistic).unwrap().unwrap(), statistic);
    let value = TupleValue { value: b"metadata" }.encode().unwrap();
    assert_eq!(TupleValue::decode(&value).unwrap().value, b"metadata");
    let refused = Statistic::decode(&value).unwrap_err();
    assert!(matches!(refused.reason(), TreeReason::WrongMessage { .. }));
}

#[test]
fn damaged_messages_are_read_or_refused() {
    let mut refused = 0;
    for (_, message) in recorded() {
        for at in 0..message.len() {
            for byte in [0, 1, 0x7f, 0xff, message[at] ^ 4] {
                let mut damaged = message.clone();
                damaged[at] = byte;
                refused += usize::from(rebuild(&damaged).is_err());
            }
        }
        for length in (0..message.len()).step_by(7) {
            assert!(rebuild(&message[..length]).is_err());
        }
    }
    println!("{refused} damaged messages refused");
}

#[test]
fn a_field_of_a_newer_dolt_is_refused_by_name() {
    let mut builder = tree::message::build::Builder::new();
    let root = builder.bytes(&[7; 20]);
    builder.start_table();
    builder.offset(0, root);
    builder.u64(12, 5);
    let table = builder.end_table();
    let newer = builder.finish(table, b"DCMT").unwrap();
    let error = Commit::decode(&newer).unwrap_err();
    assert_eq!(error.to_string(), "Commit has 13 fields, this version knows 12: written by a newer Dolt");
}
