//! Engines over one disk that share the lock of its writers, as tabs of a browser do.

use std::cell::Cell;
use std::rc::Rc;

use engine::{Cursor, Engine, Host, Prepared, Session};
use region::{CrashDirectory, FileError, Lock, Region};
use store::{ChunkStore, Durability, OpenOptions, WriteOptions};
use tree::NodeStore;
use value::Value;
use vcs::{Database, RepoState};

use super::changes::CHANGES;
use super::fresh::{commit_first, rows};

/// A lock of two tabs, which changes hands only when the other one wants it.
struct TabLock {
    me: u64,
    /// The holder, the last holder, and the number of handovers.
    shared: Rc<Cell<(Option<u64>, u64, u64)>>,
}

impl Lock for TabLock {
    fn try_lock(&self) -> Result<bool, FileError> {
        let (holder, last, term) = self.shared.get();
        if holder.is_some_and(|holder| holder != self.me) {
            return Ok(false);
        }
        assert_eq!(holder, None, "the lock is taken twice");
        self.shared.set((Some(self.me), self.me, term + u64::from(last != self.me)));
        Ok(true)
    }

    fn unlock(&self) {
        let (_, last, term) = self.shared.get();
        self.shared.set((None, last, term));
    }

    fn claim(&self) -> Result<bool, FileError> {
        Ok(self.shared.get().0.is_none_or(|holder| holder == self.me))
    }

    fn lease_epoch(&self) -> Option<u64> {
        Some(self.shared.get().2)
    }
}

/// A tab: an engine over the disk.
pub struct Tab {
    pub engine: Rc<Engine>,
    pub store: Rc<ChunkStore>,
    /// What the clock of its engine tells, in microseconds.
    pub clock: Rc<Cell<i64>>,
    /// By how much it goes on with each look at it.
    pub tick: Rc<Cell<i64>>,
}

/// As [`super::FixedHost`], with a clock that tests set.
struct ClockHost {
    clock: Rc<Cell<i64>>,
    tick: Rc<Cell<i64>>,
}

impl Host for ClockHost {
    fn now_microseconds(&self) -> i64 {
        self.clock.replace(self.clock.get() + self.tick.get())
    }

    fn random(&self, bytes: &mut [u8]) {
        super::FixedHost.random(bytes);
    }

    fn zone_offset_seconds(&self, zone: &str, epoch_seconds: i64) -> Option<i32> {
        super::FixedHost.zone_offset_seconds(zone, epoch_seconds)
    }
}

pub type SharedLock = Rc<Cell<(Option<u64>, u64, u64)>>;

impl Tab {
    /// A tab of a number, which makes the database if `is_new`.
    pub fn open(disk: &Rc<CrashDirectory>, shared: &SharedLock, me: u64, durability: Durability, is_new: bool) -> Tab {
        let region = Region::new(region::Options::default());
        let lock = Rc::new(TabLock { me, shared: shared.clone() });
        let write = WriteOptions { durability, ..WriteOptions::new(lock, || 1_795_262_400_000) };
        let open = if is_new { ChunkStore::create } else { ChunkStore::open_writable };
        let store = Rc::new(open(&region, disk.clone(), OpenOptions::default(), write).expect("the store opens"));
        let database = Database::new(NodeStore::new(store.clone(), tree::Options::default()), RepoState::default());
        if is_new {
            commit_first(&database, "A");
        }
        let clock = Rc::new(Cell::new(super::FixedHost.now_microseconds()));
        let tick = Rc::default();
        let engine = Engine::new(Rc::new(ClockHost { clock: clock.clone(), tick: Rc::clone(&tick) }));
        engine.attach("mydb", database);
        Tab { engine, store, clock, tick }
    }

    pub fn commits(&self) -> u64 {
        self.store.stats().commits
    }
}

/// A session with statements that are kept.
pub struct Client {
    pub session: Session,
    pub prepared: Vec<Rc<Prepared>>,
}

impl Client {
    pub fn new(engine: &Rc<Engine>) -> Client {
        let session = engine.session();
        rows(&session, "USE mydb");
        let prepared = CHANGES.map(|(text, _)| session.prepare(text).unwrap()).to_vec();
        Client { session, prepared }
    }

    /// What a change tells, or its error.
    pub fn change(&self, at: usize, params: &[Value<'static>]) -> String {
        told(self.session.execute(&self.prepared[at], params))
    }
}

pub fn told(cursor: engine::Result<Cursor>) -> String {
    match cursor.and_then(Cursor::collect) {
        Ok((_, _, summary)) => format!("{:?} {:?} {}", summary.affected, summary.info, summary.last_insert_id),
        Err(error) => error.to_string(),
    }
}

pub fn ints(numbers: &[i64]) -> Vec<Value<'static>> {
    numbers.iter().map(|number| Value::Int(*number)).collect()
}

/// Checks that both have the same in the tables of `changes::TABLES`.
pub fn assert_same_tables(found: &Session, wanted: &Session, what: &str) {
    for table in ["parent", "child", "strict_child", "bag"] {
        let text = format!("SELECT dolt_hashof_table('{table}')");
        assert_eq!(rows(found, &text), rows(wanted, &text), "{what}: {table}");
    }
}
