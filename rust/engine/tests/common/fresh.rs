//! New databases in memory.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use engine::{Databases, Engine, Host, Regex, RegexFailure, RegexFlags, Session};
use serde_json::{Map, Value as Json};
use store::{Committed, MemoryChunks};
use tree::NodeStore;
use value::Value;
use vcs::{CommitMeta, Database, Identity, RepoState};

/// 2024-01-01 00:00:00 UTC.
pub const FIRST_MILLIS: i64 = 1_704_067_200_000;

/// A database over chunks that are there.
pub fn open(chunks: &Rc<MemoryChunks>) -> Database {
    Database::new(NodeStore::new(chunks.clone(), tree::Options::default()), RepoState::default())
}

/// The chunks of a database as `dolt init` makes it: one branch, `main`, with an empty commit.
pub fn chunks() -> Rc<MemoryChunks> {
    chunks_by("A")
}

fn chunks_by(maker: &str) -> Rc<MemoryChunks> {
    let chunks = Rc::new(MemoryChunks::new());
    commit_first(&open(&chunks), maker);
    chunks
}

/// What `dolt init` commits to a new store.
pub fn commit_first(database: &Database, maker: &str) {
    let author = Identity { name: maker.into(), email: "a@b.c".into() };
    let meta = CommitMeta {
        committer: author.clone(),
        author,
        author_millis: FIRST_MILLIS,
        committer_millis: FIRST_MILLIS,
        description: "Initialize data repository".into(),
        signature: None,
    };
    let first = database.first_refs("main", meta).expect("the first names are written");
    let before = database.refs().expect("a new store has no names");
    assert_eq!(database.commit(&before, &first).expect("committed"), Committed::Done);
}

/// New databases are in memory, too, and so are those that were dropped.
#[derive(Default)]
struct InMemory {
    made: RefCell<BTreeMap<String, Rc<MemoryChunks>>>,
    aside: RefCell<BTreeMap<String, Rc<MemoryChunks>>>,
    backups: Cell<u64>,
    /// By their addresses.
    remotes: RefCell<BTreeMap<String, Rc<MemoryChunks>>>,
}

impl Databases for InMemory {
    fn create(&self, name: &str) -> engine::Result<Database> {
        let chunks = Rc::new(MemoryChunks::new());
        self.made.borrow_mut().insert(name.into(), chunks.clone());
        Ok(open(&chunks))
    }

    fn remove(&self, name: &str) -> engine::Result<()> {
        let Some(chunks) = self.made.borrow_mut().remove(name) else { return Ok(()) };
        let mut aside = self.aside.borrow_mut();
        if let Some(before) = aside.insert(name.into(), chunks) {
            self.backups.set(self.backups.get() + 1);
            aside.insert(format!("{name}.backup.{}", self.backups.get()), before);
        }
        Ok(())
    }

    fn open_remote(&self, url: &str, _: Option<&str>, _: bool) -> engine::Result<Database> {
        if !url.starts_with("file://") {
            return Err(engine::SqlError::general(format!("{url} cannot be reached from here")));
        }
        Ok(open(self.remotes.borrow_mut().entry(url.into()).or_default()))
    }

    fn removed(&self) -> engine::Result<Vec<String>> {
        Ok(self.aside.borrow().keys().cloned().collect())
    }

    fn restore(&self, name: &str) -> engine::Result<Option<(String, Database)>> {
        let mut aside = self.aside.borrow_mut();
        let Some(own) = aside.keys().find(|known| known.eq_ignore_ascii_case(name)).cloned() else { return Ok(None) };
        let chunks = aside.remove(&own).expect("it is there");
        self.made.borrow_mut().insert(own.clone(), chunks.clone());
        Ok(Some((own, open(&chunks))))
    }

    fn purge(&self) -> engine::Result<()> {
        self.aside.borrow_mut().clear();
        Ok(())
    }
}

/// An engine with the database `mydb` over these chunks.
pub fn engine_over(chunks: &Rc<MemoryChunks>) -> Rc<Engine> {
    let engine = super::empty_engine();
    engine.set_databases(Rc::new(InMemory::default()));
    engine.attach("mydb", open(chunks));
    engine
}

/// A session in a new, empty database of this name, with a clock that goes on by a second with each look at it.
pub fn session_named(name: &str) -> Session {
    ticking_engine(name, "A").session()
}

/// An engine whose clock goes on, with an existing database.
pub fn ticking_engine(name: &str, maker: &str) -> Rc<Engine> {
    engine_by(TickingHost::default(), name, maker)
}

/// An engine on a host, with a new database.
pub fn engine_with(host: impl Host + 'static, name: &str) -> Rc<Engine> {
    engine_by(host, name, "A")
}

fn engine_by(host: impl Host + 'static, name: &str, maker: &str) -> Rc<Engine> {
    let engine = super::engine_on(host);
    engine.set_databases(Rc::new(InMemory::default()));
    engine.attach(name, open(&chunks_by(maker)));
    engine
}

/// As [`super::FixedHost`], with a clock that never tells the same time twice.
#[derive(Default)]
pub struct TickingHost(Cell<i64>);

impl Host for TickingHost {
    fn now_microseconds(&self) -> i64 {
        self.0.set(self.0.get() + 1_000_000);
        FIRST_MILLIS * 1000 + self.0.get()
    }

    fn random(&self, bytes: &mut [u8]) {
        super::FixedHost.random(bytes);
    }

    fn zone_offset_seconds(&self, _: &str, _: i64) -> Option<i32> {
        None
    }

    fn regex(&self, pattern: &str, flags: RegexFlags) -> Option<Result<Rc<dyn Regex>, RegexFailure>> {
        super::FixedHost.regex(pattern, flags)
    }
}

/// A session in a new, empty database `mydb`.
pub fn session() -> Session {
    engine_over(&chunks()).session()
}

/// Runs a statement; its rows as text, NULL as `NULL`.
pub fn rows(session: &Session, sql: &str) -> Vec<Vec<String>> {
    let (_, rows, _) =
        session.query(sql).and_then(engine::Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let text = |value: &value::Value<'_>| match value {
        value::Value::Null => "NULL".to_owned(),
        value => value::convert::to_string(value).expect("a value has a text").into_owned(),
    };
    rows.iter().map(|row| row.iter().map(text).collect()).collect()
}

/// Runs a statement; its rows as objects, without what is NULL, or the text of its error.
pub fn objects(session: &Session, sql: &str) -> Result<Json, String> {
    let (columns, rows, _) =
        session.query(sql).and_then(engine::Cursor::collect).map_err(engine::SqlError::into_message)?;
    let cell = |value: &Value<'static>| match value {
        Value::Int(number) => Json::from(*number),
        Value::UInt(number) => Json::from(*number),
        value => Json::from(value::convert::to_string(value).expect("a value has a text").into_owned()),
    };
    let object = |row: &Vec<Value<'static>>| -> Json {
        let cells = columns.iter().zip(row).filter(|(_, value)| !value.is_null());
        cells.map(|(column, value)| (column.name.to_string(), cell(value))).collect::<Map<String, Json>>().into()
    };
    Ok(rows.iter().map(object).collect())
}

/// Runs a statement; how many rows it changed.
pub fn affected(session: &Session, sql: &str) -> u64 {
    let summary =
        session.query(sql).and_then(engine::Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}")).2;
    summary.affected.unwrap_or_else(|| panic!("{sql} gave rows"))
}

/// Runs a statement that fails; number and text of its error.
pub fn error(session: &Session, sql: &str) -> (u16, String) {
    match session.query(sql).and_then(engine::Cursor::collect) {
        Ok(_) => panic!("{sql} did not fail"),
        Err(error) => (error.errno, error.into_message()),
    }
}
