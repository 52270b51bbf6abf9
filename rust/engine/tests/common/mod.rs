//! Real databases for tests, opened natively.
#![allow(dead_code)] // each test binary uses a part of it

pub mod cases;
pub mod changes;
pub mod files;
pub mod fresh;
pub mod generate;
pub mod history;
pub mod judge;
pub mod native;
pub mod over;
pub mod random_definitions;
pub mod random_queries;
pub mod random_writes;
mod regex;
pub mod tabs;
pub mod told;
pub mod turns;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use engine::{Engine, FileRead, Host, LocalFile, Regex, RegexFailure, RegexFlags, Session, Wish};
use native_dolt::fixtures;
use region::{NativeDirectory, NativeLock, Region};
use store::{ChunkStore, OpenOptions, WriteOptions};
use tree::NodeStore;
use vcs::{Database, RepoState};

/// The intact fixtures that are databases.
pub fn fixtures() -> impl Iterator<Item = &'static str> {
    fixtures::INTACT.into_iter().filter(|name| *name != "h_remote")
}

/// A frozen clock and a source of bytes that is not random: tests give the same answers every time.
pub struct FixedHost;

impl Host for FixedHost {
    fn now_microseconds(&self) -> i64 {
        1_700_000_000_000_000
    }

    fn random(&self, bytes: &mut [u8]) {
        bytes.iter_mut().enumerate().for_each(|(i, byte)| *byte = (i * 37 + 11) as u8);
    }

    fn zone_offset_seconds(&self, _: &str, _: i64) -> Option<i32> {
        None
    }

    fn open_file(&self, name: &str) -> Option<Box<dyn LocalFile>> {
        Some(Box::new(WholeFile(std::fs::read(name).ok()?)))
    }

    fn regex(&self, pattern: &str, flags: RegexFlags) -> Option<Result<Rc<dyn Regex>, RegexFailure>> {
        Some(regex::compile(pattern, flags))
    }
}

/// [`FixedHost`] that answers the questions asked within a call as a test says.
pub struct ScriptedHost {
    wish: Box<dyn Fn() -> Wish>,
    memory_left: Box<dyn Fn() -> usize>,
}

impl ScriptedHost {
    pub fn wishing(wish: impl Fn() -> Wish + 'static) -> ScriptedHost {
        ScriptedHost { wish: Box::new(wish), memory_left: Box::new(|| usize::MAX) }
    }

    pub fn with_memory(left: impl Fn() -> usize + 'static) -> ScriptedHost {
        ScriptedHost { wish: Box::new(|| Wish::GoOn), memory_left: Box::new(left) }
    }
}

impl Host for ScriptedHost {
    fn now_microseconds(&self) -> i64 {
        FixedHost.now_microseconds()
    }

    fn random(&self, bytes: &mut [u8]) {
        FixedHost.random(bytes);
    }

    fn zone_offset_seconds(&self, zone: &str, at: i64) -> Option<i32> {
        FixedHost.zone_offset_seconds(zone, at)
    }

    fn regex(&self, pattern: &str, flags: RegexFlags) -> Option<Result<Rc<dyn Regex>, RegexFailure>> {
        FixedHost.regex(pattern, flags)
    }

    fn wish(&self) -> Wish {
        (self.wish)()
    }

    fn memory_left(&self) -> usize {
        (self.memory_left)()
    }
}

/// A file that comes a few bytes at a time.
struct WholeFile(Vec<u8>);

impl LocalFile for WholeFile {
    fn read(&mut self) -> engine::Result<FileRead> {
        let rest = self.0.split_off(self.0.len().min(7));
        let first = std::mem::replace(&mut self.0, rest);
        Ok(if first.is_empty() { FileRead::End } else { FileRead::Bytes(first) })
    }
}

/// An engine with nothing attached.
pub fn empty_engine() -> Rc<Engine> {
    engine_on(FixedHost)
}

/// An engine that finds the weights of all collations, as with any host of the product.
pub fn engine_on(host: impl Host + 'static) -> Rc<Engine> {
    let weights = || std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../value/weights/collations.bin")).ok();
    value::Collation::load_with(weights);
    Engine::new(Rc::new(host))
}

/// Opens one `.dolt` directory's parent.
pub fn open_database(directory: &Path) -> Result<Database, Box<dyn std::error::Error>> {
    let region = Region::new(region::Options::default());
    let files = NativeDirectory::new(directory);
    let store = ChunkStore::open(&region, &files, OpenOptions::default())?;
    let state = match std::fs::read(directory.join(".dolt/repo_state.json")) {
        Ok(json) => RepoState::parse(&json)?,
        Err(_) => RepoState::default(),
    };
    Ok(Database::new(NodeStore::new(Rc::new(store), tree::Options::default()), state))
}

/// A session over the database in `directory`, for reading and writing under native Dolt's own lock.
pub fn open_writable(directory: &Path) -> Result<Session, Box<dyn std::error::Error>> {
    let region = Region::new(region::Options::default());
    let files = Rc::new(NativeDirectory::writable(directory));
    let lock = Rc::new(NativeLock::new(directory.join(".dolt/noms/LOCK")));
    let clock = || FixedHost.now_microseconds() as u64 / 1000;
    let store = ChunkStore::open_writable(&region, files, OpenOptions::default(), WriteOptions::new(lock, clock))?;
    let state = RepoState::parse(&std::fs::read(directory.join(".dolt/repo_state.json"))?)?;
    let engine = empty_engine();
    let name = directory.file_name().map_or_else(|| "database".into(), |name| name.to_string_lossy());
    engine.attach(&name, Database::new(NodeStore::new(Rc::new(store), tree::Options::default()), state));
    Ok(engine.session())
}

/// A session over the database in `directory`, or over all databases in it.
pub fn open(directory: &Path) -> Result<Session, Box<dyn std::error::Error>> {
    let engine = empty_engine();
    let mut directories = vec![directory.to_owned()];
    if !directory.join(".dolt/noms").exists() {
        directories = std::fs::read_dir(directory)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        directories.retain(|directory| directory.join(".dolt/noms").exists());
        directories.sort();
    }
    for directory in &directories {
        let name = directory.file_name().map_or_else(|| "database".into(), |name| name.to_string_lossy());
        engine.attach(&name, open_database(directory)?);
    }
    Ok(engine.session())
}

/// Unpacks a fixture once per test process, in cargo's directory for such files; its directory.
pub fn fixture(name: &str) -> Option<PathBuf> {
    // Tests of one process unpack one after the other.
    static UNPACKED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut unpacked = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
    let shared = fixtures::shared()?;
    // Examples use this, too, and have no such directory.
    let scratch = option_env!("CARGO_TARGET_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let target = scratch.join(env!("CARGO_CRATE_NAME")).join(name);
    Some(match unpacked.insert(name.to_owned()) {
        true => fixtures::unpack(&shared, name, &target),
        false => fixtures::directory_in(&target),
    })
}
