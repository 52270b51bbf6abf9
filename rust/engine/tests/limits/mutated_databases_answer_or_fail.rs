//! Files of whole databases with some bytes changed, opened as a page opens them, whose reads are not checked: every statement that
//! reads answers or fails, and never panics, which would end the worker and all sessions in it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use engine::{Session, Step};
use native_dolt::fixtures;
use region::{MemoryDirectory, Mode, Region};
use store::{ChunkStore, OpenOptions, Verify};
use tree::NodeStore;
use vcs::{Database, RepoState};

use crate::common;
use crate::common::fresh;
use crate::common::generate::Random;

fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = random.below(bytes.len());
    match random.below(6) {
        0 => bytes.truncate(at),
        1 => {
            let end = bytes.len().min(at + 1 + random.below(64));
            bytes[at..end].fill(0);
        }
        2 => bytes[at] = 0xff,
        3 => {
            let len = random.below(bytes.len().min(64));
            let [from, to] = [(); 2].map(|()| random.below(bytes.len() - len + 1));
            bytes.copy_within(from..from + len, to);
        }
        _ => {
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
        }
    }
    bytes
}

fn open(files: &[(String, Vec<u8>)]) -> Option<Session> {
    let directory = MemoryDirectory::new();
    files.iter().for_each(|(path, bytes)| directory.insert(path, bytes.clone()));
    let region = Region::new(region::Options { budget_bytes: 8 << 20, ..region::Options::default() });
    let options = OpenOptions { mode: Mode::Mmap, verify: Verify::Unchecked };
    let store = ChunkStore::open(&region, &directory, options).ok()?;
    let nodes = NodeStore::new(Rc::new(store), tree::Options::default());
    let engine = common::empty_engine();
    engine.attach("mydb", Database::new(nodes, RepoState::default()));
    Some(engine.session())
}

/// Runs a statement as long as a test can wait: a row may say that it is there 10^15 times.
fn run(session: &Session, sql: &str) -> bool {
    let Ok(mut cursor) = session.query(sql) else { return false };
    for _ in 0..100 {
        match cursor.next(10_000) {
            Ok(Step::Done(_)) => break,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    true
}

/// How many statements failed.
fn ask(session: &Session, tables: &[String]) -> usize {
    fixtures::queries_of(tables).iter().filter(|sql| !run(session, sql)).count()
}

/// `VARVE_SEED` and `VARVE_ATTEMPTS` are for longer hunts.
#[test]
fn mutated_databases_answer_or_fail() {
    let set = |name: &str, usual: u64| std::env::var(name).map_or(usual, |number| number.parse().expect("a number"));
    let (seed, attempts) = (set("VARVE_SEED", 1), set("VARVE_ATTEMPTS", 10));
    for fixture in fixtures::EACH_FORMAT {
        let Some(directory) = common::fixture(fixture) else { return };
        let whole = fixtures::store_files(&directory);
        let session = open(&whole).expect("it is whole");
        let tables: Vec<String> =
            fresh::rows(&session, "SHOW TABLES").into_iter().map(|mut row| row.remove(0)).collect();
        let failing = ask(&session, &tables);
        let mut random = Random::new(seed);
        let (mut refused, mut noticed, mut panicked) = (0, 0, Vec::new());
        for _ in 0..attempts {
            let at = random.below(whole.len());
            let mut files = whole.clone();
            files[at].1 = mutated(&whole[at].1, &mut random);
            let first = std::iter::zip(&whole[at].1, &files[at].1).position(|(was, is)| was != is);
            match catch_unwind(AssertUnwindSafe(|| open(&files).map(|session| ask(&session, &tables)))) {
                Ok(None) => refused += 1,
                Ok(Some(failed)) => noticed += usize::from(failed > failing),
                Err(_) => panicked.push(format!("{} from byte {first:?}", files[at].0)),
            }
        }
        println!("{fixture}: {refused} of {attempts} refused, {noticed} noticed");
        assert!(panicked.is_empty(), "{fixture}: panics over {panicked:#?}");
    }
}
