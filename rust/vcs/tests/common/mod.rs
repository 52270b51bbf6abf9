//! Databases written by native Dolt, opened, each with what native Dolt says of it.
#![allow(dead_code, reason = "each test file uses a part of it")]

use core::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use codec::Address;
use native_dolt::fixtures;
use region::{NativeDirectory, Options, Region};
use serde_json::Value;
use store::{ChunkStore, Chunks, StoreError};
use tree::NodeStore;
use vcs::{Database, RepoState};

pub struct Opened {
    pub fixture: String,
    pub name: String,
    pub database: Database,
    /// Its part of the oracle.
    pub oracle: Value,
}

/// Chunks of another store. Remembers those that were read; one may be replaced.
pub struct Recorded {
    inner: Rc<dyn Chunks>,
    replaced: Option<(Address, Vec<u8>)>,
    pub read: RefCell<BTreeMap<Address, Vec<u8>>>,
}

impl Recorded {
    /// The chunks of an opened database.
    pub fn of(database: &Database, replaced: Option<(Address, Vec<u8>)>) -> Rc<Recorded> {
        let inner = database.objects().nodes().chunks().clone();
        Rc::new(Recorded { inner, replaced, read: RefCell::default() })
    }

    /// A database over these chunks.
    pub fn open(self: &Rc<Recorded>) -> Database {
        Database::new(NodeStore::new(self.clone(), Default::default()), RepoState::default())
    }
}

impl Chunks for Recorded {
    fn root(&self) -> Address {
        self.inner.root()
    }

    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        if let Some((replaced, bytes)) = &self.replaced
            && replaced == address
        {
            return Ok(bytes.clone());
        }
        let bytes = self.inner.read(address)?;
        self.read.borrow_mut().insert(*address, bytes.clone());
        Ok(bytes)
    }

    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        for (i, address) in addresses.iter().enumerate() {
            each(i, self.read(address)?);
        }
        Ok(())
    }

    fn will_need(&self, _: &[Address]) {}

    fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        self.inner.contains(address)
    }
}

/// A database directory, or a `file://` remote, which has no state beside its store.
pub fn open(directory: &Path) -> Database {
    let store =
        ChunkStore::open(&Region::new(Options::default()), &NativeDirectory::new(directory), Default::default());
    let state = match std::fs::read(directory.join(vcs::REPO_STATE_PATH)) {
        Ok(text) => RepoState::parse(&text).unwrap(),
        Err(_) => RepoState::default(),
    };
    Database::new(NodeStore::new(Rc::new(store.unwrap()), Default::default()), state)
}

/// Every database of every intact fixture, or of those whose names start with one of `prefixes`.
/// `use_name` keeps tests apart that unpack the same fixture.
pub fn databases(use_name: &str, prefixes: &[&str]) -> Vec<Opened> {
    let Some(shared) = fixtures::shared() else { return Vec::new() };
    let mut opened = Vec::new();
    for fixture in fixtures::INTACT.iter().filter(|name| prefixes.iter().any(|prefix| name.starts_with(prefix))) {
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(use_name).join(fixture);
        let directory = fixtures::unpack(&shared, fixture, &scratch);
        let text = std::fs::read_to_string(shared.join(format!("fixtures/{fixture}.json"))).unwrap();
        let oracle: Value = serde_json::from_str(&text).unwrap();
        // What a clone of a remote says is said of the remote itself.
        let oracles = oracle.get("databases").unwrap_or(&oracle["clone_oracle"]["databases"]);
        for (name, oracle) in oracles.as_object().unwrap() {
            let inner = directory.join(name);
            let database = open(if inner.is_dir() { &inner } else { &directory });
            opened.push(Opened { fixture: fixture.to_string(), name: name.clone(), database, oracle: oracle.clone() });
        }
    }
    opened
}

/// The rows of a result in the oracle, as text; NULL is `None`.
pub fn rows(result: &Value) -> Vec<Vec<Option<String>>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let rows = result["rows"].as_array().unwrap_or_else(|| panic!("no rows in {result}"));
    rows.iter().map(|row| row.as_array().unwrap().iter().map(text).collect()).collect()
}

/// A row of texts, none of them NULL.
pub fn row<const N: usize>(texts: [&str; N]) -> Vec<Option<String>> {
    texts.iter().map(|text| Some((*text).to_owned())).collect()
}

pub fn flag(claim: bool) -> &'static str {
    if claim { "1" } else { "0" }
}
