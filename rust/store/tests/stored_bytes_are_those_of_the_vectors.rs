//! Every vector of `../shared/format/vectors/store`.

mod common;

use std::path::Path;

use codec::{Address, crc32c, snappy, zstd};
use common::build;
use region::MemoryDirectory;
use serde_json::Value;
use store::{ChunkStore, Chunks, Manifest, OpenOptions, StoreError, Verify, encode_record};

fn vector(shared: &Path, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(shared.join("format/vectors/store").join(name)).unwrap()).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn hex(value: &Value) -> Vec<u8> {
    let digits = text(value).as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn address(value: &Value) -> Address {
    text(value).parse().unwrap()
}

fn open(directory: &MemoryDirectory) -> Result<ChunkStore, StoreError> {
    ChunkStore::open(&common::region(), directory, OpenOptions { verify: Verify::Always, ..OpenOptions::default() })
}

/// Opens a file as the only one of a database and reads its chunks.
fn check_file(vector: &Value, name: &str, count: u32) {
    let chunks = vector["chunks"].as_array().unwrap();
    let root = address(&chunks[0]["address"]);
    let directory = build::database(&root, name, count, hex(&vector["file_hex"]));
    let store = open(&directory).unwrap();
    let mut listed = common::addresses(&store);
    listed.sort_unstable();
    assert_eq!(listed, chunks.iter().map(|chunk| address(&chunk["address"])).collect::<Vec<_>>());
    for chunk in chunks {
        assert_eq!(store.read(&address(&chunk["address"])).unwrap(), hex(&chunk["data_hex"]));
    }
}

#[test]
fn vector_01_addresses() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let vector = vector(&shared, "01-address.json");
    for case in vector["cases"].as_array().unwrap() {
        let address = Address::of(&hex(&case["data_hex"]));
        assert_eq!(address.as_bytes()[..], hex(&case["address_hex"]));
        assert_eq!(address.to_string(), text(&case["address"]));
        assert_eq!(address, self::address(&case["address"]));
    }
    for (special, expected) in vector["special"].as_array().unwrap().iter().zip([Address::EMPTY, Address::JOURNAL]) {
        assert_eq!(address(&special["address"]), expected);
    }
}

#[test]
fn vector_02_chunk_records() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let vector = vector(&shared, "02-chunk-record.json");
    assert_eq!(crc32c(b"123456789").to_be_bytes()[..], hex(&vector["crc32c_check"]["crc"]));
    for case in vector["cases"].as_array().unwrap() {
        let (record, data) = (hex(&case["record_hex"]), hex(&case["data_hex"]));
        let (block, checksum) = record.split_at(case["snappy_len"].as_u64().unwrap() as usize);
        assert_eq!(crc32c(block).to_be_bytes(), checksum);
        assert_eq!(snappy::decompress(block, data.len()).unwrap(), data);
        assert_eq!(Address::of(&data), address(&case["address"]));
        let ours = encode_record(&data).unwrap();
        assert_eq!(snappy::decompress(&ours[..ours.len() - 4], data.len()).unwrap(), data);
    }
}

#[test]
fn vector_03_manifests() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    for case in vector(&shared, "03-manifest.json")["cases"].as_array().unwrap() {
        let label = text(&case["label"]);
        let directory = MemoryDirectory::new();
        directory.insert("manifest", text(&case["manifest"]).into());
        let manifest = Manifest::read(&directory, &"manifest".into()).unwrap().unwrap();
        assert_eq!(manifest.to_string(), text(&case["manifest"]), "{label}");
        assert_eq!(manifest.version.to_string(), text(&case["storage_version"]), "{label}");
        assert_eq!(manifest.root, address(&case["root"]), "{label}");
        assert_eq!(manifest.gc_generation, address(&case["gc_gen"]), "{label}");
        for (file, spec) in manifest.files.iter().zip(case["specs"].as_array().unwrap()) {
            assert_eq!((file.id, u64::from(file.chunks)), (address(&spec[0]), spec[1].as_u64().unwrap()), "{label}");
        }
        let ids = || manifest.files.iter().map(|file| file.id);
        assert_eq!(Manifest::lock_of(&manifest.root, ids()), manifest.lock, "{label}");
        if let Some(extra) = case["gc_gen_extra"].as_str() {
            let generation = Manifest::gc_generation_of(&manifest.root, ids(), extra == "full");
            assert_eq!(generation, manifest.gc_generation, "{label}");
        }
    }
}

#[test]
fn vector_04_table_file() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let vector = vector(&shared, "04-table-file.json");
    check_file(&vector, text(&vector["name"]), 2);
}

#[test]
fn vectors_05_07_08_archives() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    for name in ["05-archive-v3-snappy.json", "07-archive-v2-snappy.json", "08-archive-conjoined.json"] {
        let vector = vector(&shared, name);
        check_file(&vector, &format!("{}.darc", text(&vector["name"])), 99);
    }
}

#[test]
fn vector_06_zstd_spans_in_archives_of_every_version() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let vector = vector(&shared, "06-archive-zstd-spans.json");
    let frame = hex(&vector["dictionary_span_hex"]);
    let bytes = zstd::decompress(&frame, None, 1 << 20).unwrap();
    assert_eq!(bytes.len() as u64, vector["dictionary_len"].as_u64().unwrap());
    assert_eq!(Address::of(&bytes).as_bytes()[..], hex(&vector["dictionary_sha512_20"]));
    let dictionary = zstd::Dictionary::new(&bytes).unwrap();
    assert_eq!(u64::from(dictionary.id()), vector["zstd_dict_id"].as_u64().unwrap());
    let chunks = vector["chunks"].as_array().unwrap();
    let (mut spans, mut references) = (vec![frame], Vec::new());
    for (chunk, span) in chunks.iter().zip(2..) {
        spans.push(hex(&chunk["span_hex"]));
        references.push((address(&chunk["address"]), 1, span));
    }
    for version in 1..=3 {
        let bytes = build::archive(version, &spans, &references);
        let directory = build::database(&references[0].0, &format!("{}.darc", Address::of(&bytes)), 1, bytes);
        let store = open(&directory).unwrap();
        for chunk in chunks {
            assert_eq!(store.read(&address(&chunk["address"])).unwrap(), hex(&chunk["data_hex"]));
        }
        assert_eq!(store.stats().verified, chunks.len() as u64);
    }
}

#[test]
fn vectors_09_10_journal() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let vector9 = vector(&shared, "09-journal.json");
    let records = vector9["records"].as_array().unwrap();
    let root = address(&vector9["current_root"]);
    let journal = hex(&vector9["journal_hex"]);
    let index = vector(&shared, "10-journal-idx.json");
    let stale = Address::of(b"the manifest is a checkpoint, its root is stale while a journal is in use");
    for (extra, index) in [(vec![], None), (hex(&vector9["legacy_root_record_hex"]), Some(hex(&index["complete_hex"])))]
    {
        let bytes = [journal.clone(), extra].concat();
        let directory = build::database(&stale, &"v".repeat(32), 9, bytes);
        if let Some(index) = index {
            directory.insert(".dolt/noms/journal.idx", index);
        }
        let store = open(&directory).unwrap();
        assert_eq!((store.root(), store.torn_bytes()), (root, 0));
        for record in records.iter().filter(|record| record["kind"] == "chunk") {
            let chunk = store.read(&address(&record["address"])).unwrap();
            assert_eq!(chunk.len() as u64, record["data_len"].as_u64().unwrap());
        }
        let kinds = records.iter().filter(|record| record["kind"] == "chunk").count();
        assert_eq!(common::addresses(&store).len(), kinds);
    }
}
