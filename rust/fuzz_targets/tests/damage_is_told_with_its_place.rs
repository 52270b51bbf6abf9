//! Files of whole databases are damaged by the structure-aware mutations, so that checksums hold and what is behind them does not:
//! each error of an opening or a statement that the damage causes names the file and the byte, or the chunk that is missing.
//!
//! `VARVE_SEED` and `VARVE_ATTEMPTS` are for longer hunts.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use engine::{Engine, Session, Step};
use fuzz_targets::{Format, Random, StillHost, mutate};
use native_dolt::fixtures;
use region::{MemoryDirectory, Mode, Region};
use store::{ChunkStore, OpenOptions, Verify};
use tree::NodeStore;
use vcs::{Database, RepoState};

const NOMS: &str = ".dolt/noms";

type Files = Vec<(String, Vec<u8>)>;

/// The files that a mutation changes: not the lock, nor the index of the journal, which is made anew.
fn files_of(directory: &Path) -> Files {
    let mut files = fixtures::store_files(directory);
    files.retain(|(path, _)| !path.ends_with("LOCK") && !path.ends_with("journal.idx"));
    files
}

fn format_of(path: &str) -> Format {
    match path {
        path if path.ends_with("manifest") => Format::Manifest,
        path if path.ends_with(".darc") => Format::Archive,
        path if path.ends_with("vvvvvvvv") => Format::Journal,
        _ => Format::TableFile,
    }
}

/// A session of a database, opened as a page opens it.
fn open(files: &Files) -> Result<Session, String> {
    let directory = MemoryDirectory::new();
    files.iter().for_each(|(path, bytes)| directory.insert(path, bytes.clone()));
    let region = Region::new(region::Options { budget_bytes: 8 << 20, ..region::Options::default() });
    let options = OpenOptions { mode: Mode::Mmap, verify: Verify::Unchecked };
    let store = ChunkStore::open(&region, &directory, options).map_err(|error| error.to_string())?;
    let nodes = NodeStore::new(Rc::new(store), tree::Options::default());
    let engine = Engine::new(Rc::new(StillHost));
    engine.attach("mydb", Database::new(nodes, RepoState::default()));
    let session = engine.session();
    session.query("USE mydb").map_err(|error| error.message.clone())?;
    Ok(session)
}

/// Runs a statement as long as a test can wait: a row may say that it is there 10^15 times.
fn run(session: &Session, sql: &str) -> Result<(), String> {
    let mut cursor = session.query(sql).map_err(|error| error.message.clone())?;
    for _ in 0..100 {
        if let Step::Done(_) = cursor.next(10_000).map_err(|error| error.message.clone())? {
            break;
        }
    }
    Ok(())
}

fn ask(session: &Session, tables: &[String]) -> Vec<(String, Option<String>)> {
    let asked = fixtures::queries_of(tables).into_iter();
    asked.map(|sql| (run(session, &sql).err(), sql)).map(|(error, sql)| (sql, error)).collect()
}

fn tables_of(session: &Session) -> Vec<String> {
    let (_, rows, _) = session.query("SHOW TABLES").and_then(engine::Cursor::collect).expect("it is whole");
    let name = |value: &value::Value| match value {
        value::Value::Text(name) => name.to_string(),
        other => panic!("{other:?} is no name"),
    };
    rows.iter().map(|row| name(&row[0])).collect()
}

/// Whether a message is about names that a whole state lacks: an older one was opened, which the store reports, or a chunk with a
/// repaired checksum is as whole as the one that was written.
fn is_of_another_state(message: &str) -> bool {
    ["table not found", "invalid ancestor spec", "has no branch"].iter().any(|text| message.contains(text))
}

/// A missing file or chunk has no offset, nor has a file of another version.
fn names_its_place(message: &str) -> bool {
    let has_offset = message.contains(NOMS) && message.contains(" byte ");
    let offsetless = ["listed in the manifest but not there", "is not in this store", "is not supported"];
    has_offset || offsetless.iter().any(|text| message.contains(text))
}

#[test]
fn damage_is_told_with_its_place() {
    let set = |name: &str, usual: u64| std::env::var(name).map_or(usual, |number| number.parse().expect("a number"));
    let (seed, attempts) = (set("VARVE_SEED", 1), set("VARVE_ATTEMPTS", 5));
    let Some(shared) = fixtures::shared() else { return };
    let mut placeless: BTreeMap<String, usize> = BTreeMap::new();
    let mut placed = 0;
    for fixture in fixtures::EACH_FORMAT {
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("damage").join(fixture);
        let whole = files_of(&fixtures::unpack(&shared, fixture, &scratch));
        let session = open(&whole).expect("it is whole");
        let tables = tables_of(&session);
        let usual = ask(&session, &tables);
        for (at, (path, bytes)) in whole.iter().enumerate() {
            for attempt in 0..attempts {
                let mut files = whole.clone();
                let seed = Random::new(seed * 1_000_003 + attempt).below(usize::MAX) as u64;
                mutate(format_of(path), &mut files[at].1, seed, bytes.len() + 64);
                let messages: Vec<String> = match open(&files) {
                    Err(message) => vec![message],
                    Ok(session) => {
                        let told = ask(&session, &tables).into_iter().zip(&usual);
                        let told = told.filter(|(now, usual)| now.1 != usual.1);
                        told.filter_map(|((_, message), _)| message).collect()
                    }
                };
                for message in messages.into_iter().filter(|message| !is_of_another_state(message)) {
                    match names_its_place(&message) {
                        true => placed += 1,
                        false => *placeless.entry(message).or_default() += 1,
                    }
                }
            }
        }
    }
    println!("{placed} messages name the place");
    assert!(placeless.is_empty(), "{} do not: {placeless:#?}", placeless.values().sum::<usize>());
    assert!(placed > 100, "only {placed} were told");
}
