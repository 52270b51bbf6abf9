//! What a transaction writes goes to the journal while it runs: however much that is, only so much waits in memory, also where the
//! lock has to be asked for.

use std::cell::Cell;
use std::rc::Rc;

use engine::{Cursor, Databases, Prepared, Session, Step};
use region::{FileError, Lock, MemoryDirectory, Region};
use store::{ChunkStore, OpenOptions, WriteOptions};
use tree::NodeStore;
use value::Value;
use vcs::{Database, RepoState};

use crate::common::{self, fresh::rows};

const PENDING_BYTES_MAX: usize = 1 << 20;
const STATEMENT_ROWS: i64 = 500;
const TEXT_BYTES: usize = 600;

/// A lock that the host has to be asked for, and that it takes away again when it was not used for a while.
#[derive(Default)]
struct Asked {
    is_asked: Cell<bool>,
    is_here: Cell<bool>,
}

impl Asked {
    fn grant(&self) {
        assert!(self.is_asked.take(), "nobody waits for nothing");
        self.is_here.set(true);
    }
}

impl Lock for Asked {
    fn try_lock(&self) -> Result<bool, FileError> {
        self.is_asked.set(!self.is_here.get());
        Ok(self.is_here.get())
    }

    fn unlock(&self) {
        self.is_here.set(false);
    }
}

struct OnDisk(Rc<Asked>, Cell<Option<Rc<ChunkStore>>>);

impl Databases for OnDisk {
    fn create(&self, _: &str) -> engine::Result<Database> {
        let region = Region::new(region::Options::default());
        let write = WriteOptions::new(self.0.clone(), || 1_795_262_400_000);
        let write = WriteOptions { pending_bytes_max: PENDING_BYTES_MAX, ..write };
        let store = ChunkStore::create(&region, Rc::new(MemoryDirectory::new()), OpenOptions::default(), write);
        let store = Rc::new(store.expect("a store"));
        self.1.set(Some(store.clone()));
        Ok(Database::new(NodeStore::new(store, tree::Options::default()), RepoState::default()))
    }

    fn remove(&self, _: &str) -> engine::Result<()> {
        Ok(())
    }

    fn removed(&self) -> engine::Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn restore(&self, _: &str) -> engine::Result<Option<(String, Database)>> {
        Ok(None)
    }

    fn purge(&self) -> engine::Result<()> {
        Ok(())
    }
}

struct Bench {
    session: Session,
    lock: Rc<Asked>,
    store: Rc<ChunkStore>,
    /// Steps that waited for the lock.
    waits: Cell<u32>,
}

impl Bench {
    fn new() -> Bench {
        let engine = common::empty_engine();
        let disk = Rc::new(OnDisk(Rc::default(), Cell::default()));
        engine.set_databases(disk.clone());
        let session = engine.session();
        disk.0.is_asked.set(true);
        disk.0.grant();
        rows(&session, "CREATE DATABASE d");
        rows(&session, "USE d");
        let store = disk.1.take().expect("it was made");
        let bench = Bench { session, lock: disk.0.clone(), store, waits: Cell::default() };
        bench.run("CREATE TABLE t (id INT PRIMARY KEY, k INT, text VARCHAR(1000), KEY (k))", &[]);
        bench
    }

    fn run(&self, sql: &str, params: &[Value<'static>]) {
        self.run_prepared(&self.session.prepare(sql).unwrap(), params);
    }

    fn run_prepared(&self, prepared: &Prepared, params: &[Value<'static>]) {
        let waits = || {
            self.waits.set(self.waits.get() + 1);
            self.lock.grant();
        };
        let mut cursor: Cursor = loop {
            match self.session.execute(prepared, params) {
                // Nothing was done yet.
                Err(error) if error.is_wait() => waits(),
                begun => break begun.unwrap(),
            }
        };
        loop {
            match cursor.next(1000).unwrap() {
                Step::Wait => waits(),
                Step::Done(_) => return,
                _ => {}
            }
        }
    }
}

/// The most that waited in memory, and what was written, in one transaction of so many INSERTs.
fn transaction_of(statements: i64) -> (u64, u64) {
    let bench = Bench::new();
    let marks = vec!["(?, ?, ?)"; STATEMENT_ROWS as usize].join(", ");
    let insert = bench.session.prepare(&format!("INSERT INTO t VALUES {marks}")).unwrap();
    bench.run("START TRANSACTION", &[]);
    let before = (bench.waits.take(), bench.store.stats());
    let mut most = 0;
    for statement in 0..statements {
        let row = |id: i64| {
            let text = format!("{:011}-", id * 7919 % 99_999_999_977).repeat(TEXT_BYTES / 12);
            [Value::Int(id), Value::Int(id * 7919 % 100_003), Value::text(text)]
        };
        let first = statement * STATEMENT_ROWS;
        let params: Vec<Value<'static>> = (first..first + STATEMENT_ROWS).flat_map(row).collect();
        bench.run_prepared(&insert, &params);
        most = most.max(bench.store.stats().pending_bytes);
    }
    assert!(bench.waits.get() > 0, "the lock was never there");
    assert_eq!(bench.store.stats().commits, before.1.commits, "nobody sees anything yet");
    bench.run("COMMIT", &[]);
    assert_eq!(bench.store.stats().commits, before.1.commits + 1);
    assert_eq!(
        rows(&bench.session, "SELECT count(*), count(DISTINCT k) FROM t")[0][0],
        (statements * STATEMENT_ROWS).to_string()
    );
    (most, bench.store.stats().appended_bytes - before.1.appended_bytes)
}

#[test]
fn what_waits_in_memory_does_not_grow_with_the_transaction() {
    let (few, many) = (transaction_of(50), transaction_of(150));
    println!("waiting in memory and written: {few:?} of 25,000 rows, {many:?} of 75,000");
    assert!(many.1 > 2 * few.1);
    // What one flush of edits writes comes on top of what may wait, and the index has grown.
    assert!(many.0 <= few.0 + few.0 / 4, "{many:?} {few:?}");
}
