//! Writes seeds of the corpus from the databases in `fixtures`: `cargo test -p fuzz-targets -- --ignored`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use codec::Address;
use fuzz_targets::{Format, pack};
use region::{NativeDirectory, Region};
use store::{ChunkStore, Chunks, OpenOptions, Scan};
use tree::{Kind, Node};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Named by its address, so that equal inputs are one.
fn write(format: Format, bytes: &[u8]) {
    let folder = root().join("fuzz/corpus").join(format.name());
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(&Address::of(bytes).to_string()[..12]), bytes).unwrap();
}

fn chunks_of(directory: &Path) -> BTreeMap<Address, Vec<u8>> {
    let region = Region::new(region::Options::default());
    let store = ChunkStore::open(&region, &NativeDirectory::new(directory), OpenOptions::default()).unwrap();
    let mut chunks = BTreeMap::new();
    let mut scan = Scan::default();
    let mut each = |address: Option<Address>, chunk: Result<Vec<u8>, _>| {
        chunks.extend(address.zip(chunk.ok()));
    };
    while !store.scan(&mut scan, 100, &mut each).unwrap().is_done {}
    let _ = store.root();
    chunks
}

/// Bytes of a table file (docs/format/store.md).
fn table_file(chunks: &[Vec<u8>]) -> Vec<u8> {
    let records: Vec<Vec<u8>> = chunks.iter().map(|chunk| store::encode_record(chunk).unwrap()).collect();
    let addresses: Vec<Address> = chunks.iter().map(|chunk| Address::of(chunk)).collect();
    let mut bytes = records.concat();
    let mut prefixes: Vec<(u64, u32)> = addresses.iter().zip(0..).map(|(address, i)| (address.prefix(), i)).collect();
    prefixes.sort_unstable();
    for (prefix, ordinal) in prefixes {
        bytes.extend(prefix.to_be_bytes());
        bytes.extend(ordinal.to_be_bytes());
    }
    bytes.extend(records.iter().flat_map(|record| (record.len() as u32).to_be_bytes()));
    bytes.extend(addresses.iter().flat_map(|address| address.suffix().to_vec()));
    bytes.extend((chunks.len() as u32).to_be_bytes());
    bytes.extend((chunks.iter().map(Vec::len).sum::<usize>() as u64).to_be_bytes());
    bytes.extend([0xff, 0xb5, 0xd8, 0xc2, 0x24, 0x63, 0xee, 0x50]);
    bytes
}

/// A message with the messages that it names, children first, as far as they are small.
fn bundle(chunks: &BTreeMap<Address, Vec<u8>>, message: &[u8], depth: usize) -> Vec<Vec<u8>> {
    let mut messages = Vec::new();
    if depth > 0
        && let Ok(node) = Node::new(message.to_vec())
    {
        for i in 0..node.len().min(3) {
            if let Some(child) = node.child_address(i).and_then(|address| chunks.get(&address)) {
                messages.extend(bundle(chunks, child, depth - 1));
            }
        }
    }
    messages.push(message.to_vec());
    messages
}

const STATEMENTS: &[&str] = &[
    "SELECT t.a, u.x FROM t JOIN u ON u.t = t.a WHERE t.b LIKE 'o%' AND u.id IN (1, 2, 3) ORDER BY t.c DESC LIMIT 3",
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i, (SELECT MAX(a) FROM t WHERE a < i) FROM n",
    "SELECT a, COUNT(*), GROUP_CONCAT(DISTINCT b ORDER BY b SEPARATOR ';') FROM t GROUP BY a WITH ROLLUP HAVING COUNT(*) > 1",
    "SELECT a, ROW_NUMBER() OVER (PARTITION BY b ORDER BY c ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
    "SELECT * FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.t = t.a) AND a NOT IN (SELECT t FROM u) OR c = ANY (SELECT 1.5)",
    "SELECT j->>'$.a[0]', JSON_SET(j, '$.b', CAST('[1]' AS JSON)) FROM u WHERE JSON_CONTAINS(j, '1', '$.a')",
    "SELECT * FROM JSON_TABLE('[{\"a\": 1}]', '$[*]' COLUMNS (o FOR ORDINALITY, a INT PATH '$.a' DEFAULT '0' ON EMPTY)) AS jt",
    "(SELECT a FROM t UNION SELECT id FROM u) EXCEPT SELECT 2 ORDER BY 1",
    "INSERT INTO t (a, b) SELECT id + 10, x FROM u ON DUPLICATE KEY UPDATE b = VALUES(b)",
    "UPDATE t JOIN u ON u.t = t.a SET t.b = CONCAT(t.b, u.x), u.x = NULL WHERE t.d > NOW() - INTERVAL 1 DAY",
    "DELETE FROM t WHERE a BETWEEN 1 AND 2 ORDER BY a LIMIT 1",
    "UPDATE t SET b = 1 ORDER BY a LIMIT a",
    "CREATE TABLE n (id INT PRIMARY KEY, g INT GENERATED ALWAYS AS (id * 2) STORED, CHECK (id > 0), KEY k ((g + 1)))",
    "ALTER TABLE t ADD COLUMN e ENUM('x','y') NOT NULL DEFAULT 'x' AFTER b, DROP INDEX b, RENAME TO s",
    "CREATE PROCEDURE p(IN n INT) BEGIN DECLARE i INT DEFAULT 0; WHILE i < n DO SET i = i + 1; IF i = 3 THEN SELECT i; END IF; END WHILE; END",
    "CREATE TRIGGER tr BEFORE UPDATE ON t FOR EACH ROW SET NEW.b = CONCAT(OLD.b, '!')",
    "SELECT * FROM dolt_diff('HEAD~', 'HEAD', 't') JOIN dolt_log USING (commit_hash)",
    "SELECT * FROM t AS OF 'HEAD' WHERE MATCH (b) AGAINST ('one')",
    "EXPLAIN SELECT * FROM v LEFT JOIN LATERAL (SELECT * FROM u WHERE u.t = v.a) l ON TRUE",
    "SHOW FULL COLUMNS FROM t LIKE 'a%'",
    "SET @x = 1, @@session.sql_mode = 'ANSI', NAMES utf8mb4",
    "CALL DOLT_COMMIT('-Am', 'message')",
    "SELECT CASE WHEN a IS NULL THEN 'n' WHEN a IN (1, 2) THEN b ELSE CAST(c AS CHAR(3)) END, a <=> NULL, -a DIV 2, ~1 & 3 | 4 ^ 5 FROM t",
];

#[test]
#[ignore = "writes the corpus"]
fn the_corpus_comes_from_fixtures() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus");
    let _ = std::fs::remove_dir_all(&scratch);
    std::fs::create_dir_all(&scratch).unwrap();
    for name in ["a_journal", "b_archive", "e_types"] {
        let archive = root().join("fixtures/databases").join(format!("{name}.tar.gz"));
        assert!(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&scratch).status().unwrap().success());
    }
    let mut count = BTreeMap::new();
    for directory in std::fs::read_dir(&scratch).unwrap() {
        let directory = directory.unwrap().path();
        write(Format::Manifest, &std::fs::read(directory.join(".dolt/noms/manifest")).unwrap());
        for folder in [".dolt/noms", ".dolt/noms/oldgen"] {
            for entry in std::fs::read_dir(directory.join(folder)).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let format = match name.strip_suffix(".darc").unwrap_or(&name) {
                    journal if journal == "v".repeat(32) => Format::Journal,
                    id if id.len() == 32 && id != name => Format::Archive,
                    id if id.len() == 32 => Format::TableFile,
                    _ => continue,
                };
                // A journal ends anywhere: its first records are one.
                let mut bytes = std::fs::read(entry.path()).unwrap();
                if format == Format::Journal {
                    bytes.truncate(12_000);
                }
                if !bytes.is_empty() && bytes.len() <= 64_000 {
                    write(format, &bytes);
                }
            }
        }
        let chunks = chunks_of(&directory);
        let smallest: Vec<Vec<u8>> = chunks.values().filter(|chunk| chunk.len() < 300).take(12).cloned().collect();
        write(Format::TableFile, &table_file(&smallest));
        let mut sorted: Vec<&Vec<u8>> = chunks.values().collect();
        sorted.sort_by_key(|chunk| chunk.len());
        for chunk in sorted {
            let (format, kind) = match Node::new(chunk.clone()) {
                Ok(node) => {
                    let kind =
                        (node.kind().name().to_owned(), node.level().min(2), node.address_offsets().len().min(1));
                    (Format::Node, kind)
                }
                Err(_) => {
                    (Format::Message, (String::from_utf8_lossy(&chunk[4..8.min(chunk.len())]).into_owned(), 0, 0))
                }
            };
            let seen = count.entry((format.name(), kind)).or_insert(0);
            *seen += 1;
            if *seen > 3 || chunk.len() > 6_000 {
                continue;
            }
            if format == Format::Message {
                write(format, chunk);
                continue;
            }
            let bytes = pack(&bundle(&chunks, chunk, 2));
            if bytes.len() > 16_000 {
                continue;
            }
            write(Format::Node, &bytes);
            match Node::new(chunk.clone()).unwrap().kind() {
                Kind::Addresses => write(Format::AddressMap, &bytes),
                Kind::Blob => write(Format::Blob, &bytes),
                _ => {}
            }
        }
    }
    for sql in STATEMENTS {
        write(Format::Sql, sql.as_bytes());
    }
}
