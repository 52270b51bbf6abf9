//! Built from sorted rows, a tree has the address that Dolt gave it.

mod common;

use common::{Row, vector};
use store::MemoryChunks;
use tree::tuple::TupleBuilder;
use tree::{AddressFields, Chunker, Kind, Root};

fn build(rows: impl IntoIterator<Item = Row>) -> Root {
    let chunks = MemoryChunks::new();
    let mut chunker = Chunker::new(&chunks, Kind::Rows, AddressFields::default());
    for (key, value) in rows {
        chunker.append(&key, &value).unwrap();
    }
    chunker.finish().unwrap()
}

fn row(key: &[Option<&[u8]>], value: &[Option<&[u8]>]) -> Row {
    let mut tuple = TupleBuilder::new();
    let mut pack = |fields: &[Option<&[u8]>]| {
        fields.iter().for_each(|field| {
            tuple.push(*field);
        });
        tuple.finish().unwrap()
    };
    (pack(key), pack(value))
}

/// Text or bytes as a tuple holds them.
fn text(text: &str) -> Vec<u8> {
    format!("{text}\0").into_bytes()
}

#[track_caller]
fn check(name: &str, rows: impl IntoIterator<Item = Row>) {
    let Some(vector) = vector(name) else { return };
    let primary = &vector["tables"]["t"]["primary"];
    let root = build(rows);
    assert_eq!(root.address.to_string(), primary["root"].as_str().unwrap(), "{name}");
    assert_eq!(common::hex(&root.message), primary["root_bytes"].as_str().unwrap(), "{name}");
}

#[test]
fn five_thousand_rows() {
    check("seq5k", (1..=5000i32).map(|id| row(&[Some(&id.to_le_bytes())], &[Some(&(id * 7).to_le_bytes())])));
}

fn id_v_s(id: i32, v: i32, s: &str) -> Row {
    row(&[Some(&id.to_le_bytes())], &[Some(&v.to_le_bytes()), Some(&text(s))])
}

#[test]
fn fifty_thousand_rows() {
    check("seq50k", (1..=50_000i32).map(|id| id_v_s(id, id * 3, &format!("row-{id}"))));
}

#[test]
fn rows_that_were_edited_many_times() {
    let mut rows: std::collections::BTreeMap<i32, (i32, String)> =
        (1..=50_000).map(|id| (id, (id * 3, format!("row-{id}")))).collect();
    rows.retain(|id, _| !(5000..=5900).contains(id));
    for (id, row) in rows.iter_mut().filter(|(id, _)| *id % 37 == 0) {
        row.1 = format!("u{}", i64::from(*id) * 7919 % 30011);
    }
    rows.retain(|id, _| id % 1001 != 5);
    rows.insert(-5, (1, "neg".into()));
    rows.insert(100_000, (2, "big".into()));
    rows.insert(5500, (3, "mid".into()));
    for id in 20_000..=20_100 {
        if let Some(row) = rows.remove(&id) {
            rows.insert(id + 200_000, row);
        }
    }
    check("edited_50k", rows.iter().map(|(id, (v, s))| id_v_s(*id, *v, s)));
}

#[test]
fn keys_of_three_kilobytes_make_seven_levels() {
    let mut rows: Vec<(String, i32)> = (0..=60).map(|n| (format!("{}{n}", "k".repeat(3000)), n)).collect();
    rows.sort();
    check("deep_tree", rows.iter().map(|(key, n)| row(&[Some(&text(key))], &[Some(&n.to_le_bytes())])));
}

#[test]
fn rows_larger_than_a_chunk() {
    let snow = "☃".repeat(1000);
    let a = "a".repeat(1000);
    let long = |letter: &str, count| Some(text(&letter.repeat(count)));
    type Columns<'a> = (i32, &'a str, Option<&'a str>, Option<Vec<u8>>);
    let rows: [Columns<'_>; 8] = [
        (1, &a, Some(&snow), long("c", 33_000)),
        (2, "x", Some("y"), long("c", 50_000)),
        (3, "x", Some("y"), long("z", 1)),
        (4, "x", None, long("c", 500)),
        (5, "", None, long("d", 50_000)),
        (6, "", Some(""), None),
        (7, &snow, Some("2"), long("e", 12_000)),
        (8, &snow, Some("2"), long("e", 50_000)),
    ];
    let rows = rows
        .iter()
        .map(|(id, a, b, c)| row(&[Some(&id.to_le_bytes())], &[Some(&text(a)), b.map(text).as_deref(), c.as_deref()]));
    check("overflow", rows);
}

#[test]
fn rows_after_a_merge() {
    let mut rows: std::collections::BTreeMap<i32, (i32, i32)> = (1..=3000).map(|n| (n, (n, n))).collect();
    rows.retain(|id, _| !(2000..=2400).contains(id) && !(2900..=2950).contains(id));
    for (id, row) in &mut rows {
        if id % 100 == 1 && *id < 2900 {
            row.0 = -1;
        }
        if (id % 100 == 1 || id % 100 == 2) && *id < 1900 {
            row.1 = -2;
        }
    }
    rows.insert(5001, (1, 1));
    rows.insert(6000, (2, 2));
    let rows = rows
        .iter()
        .map(|(id, (a, b))| row(&[Some(&id.to_le_bytes())], &[Some(&a.to_le_bytes()), Some(&b.to_le_bytes())]));
    check("merge", rows);
}

#[test]
fn blobs() {
    let Some(vector) = vector("primitives") else { return };
    for blob in vector["blobs"].as_array().unwrap() {
        let length = blob["length"].as_u64().unwrap() as usize;
        let content: Vec<u8> = b"0123456789abcdef".iter().copied().cycle().take(length).collect();
        let chunks = MemoryChunks::new();
        let address = tree::blob::write(&mut &chunks, &content).unwrap();
        assert_eq!(address.to_string(), blob["root"].as_str().unwrap(), "{length}");
        let nodes = common::node_store(chunks);
        assert_eq!(tree::blob::read_exact(&nodes, &address, length as u64).unwrap(), content);
        assert!(tree::blob::may_have(&nodes, &address, length as u64).unwrap());
        for prefix in [1, length / 2, length.saturating_sub(1), length, length + 1] {
            let expected = &content[..prefix.min(length)];
            assert_eq!(tree::blob::read_prefix(&nodes, &address, prefix).unwrap(), expected);
        }
    }
    let chunks = MemoryChunks::new();
    assert!(tree::blob::write(&mut &chunks, b"").unwrap().is_empty());
}

#[test]
fn trees_without_rows() {
    for (kind, address) in [
        (Kind::Rows, "52qkcc17dcqtblc9aml4so2jrooun338"),
        (Kind::Addresses, "o0te4bsh307ieff51bhqo7omuobm5cdc"),
        (Kind::Closure, "ors33cm97i640t2rs60olpf1nvc30lei"),
        (Kind::Artifacts, "gq182tnf4d3r2rm2nrp3c3q9m1h7smlc"),
    ] {
        let chunks = MemoryChunks::new();
        let root = Chunker::new(&chunks, kind, AddressFields::default()).finish().unwrap();
        assert_eq!(root.address.to_string(), address);
        assert_eq!(tree::Node::new(root.message).unwrap().len(), 0);
    }
}
