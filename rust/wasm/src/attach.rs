//! Engine with its region, and attachment of databases.

use core::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use engine::{Databases, Engine, Remote, Session, SqlError, Status};
use region::{Directory, FileError, Mode, Region, RegionError};
use store::{
    ChunkStore, Durability, LazyClone, Loss, LossKind, OpenOptions, RemoteOptions, StoreError, Verify, WriteOptions,
};
use tree::NodeStore;
use vcs::{Database, REPO_STATE_PATH, RepoState, VcsError};

use crate::failure::{Code, Failure};
use crate::files::{HostDirectory, RemoteDirectory, error_of};
use crate::host::{self, Refusal};
use crate::memory;
use crate::world::World;

/// `repo_state.json` is a few hundred bytes; more than this is something else.
const REPO_STATE_BYTES_MAX: u64 = 1 << 20;

/// Databases that are opened when the shares of memory are small have so much for their nodes: some tables' worth.
const NODE_BYTES_MIN: usize = 1 << 20;

/// What is to be committed and flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flush {
    /// What has waited for long enough.
    Due,
    /// What another tab waits for as well.
    Wanted,
    All,
}

/// One opened source: an engine over a region of its own.
pub(crate) struct OpenEngine {
    engine: Rc<Engine>,
    counted: Rc<Counted>,
    mode: Mode,
    durability: Durability,
    accepts_loss: bool,
    /// Memory that decoded nodes of the first database may take.
    node_bytes: usize,
    /// The database that sessions start on: the first that was attached.
    first: RefCell<Option<Rc<str>>>,
}

/// Databases beside the one that was opened first, for CREATE and DROP DATABASE and `dolt_undrop`.
struct Siblings {
    open: Weak<OpenEngine>,
    /// The directory of that one.
    beside: u32,
}

impl Databases for Siblings {
    fn create(&self, name: &str) -> engine::Result<Database> {
        let number = host::create_database(self.beside, name).map_err(|refusal| sql_error(name, refusal))?;
        self.open(name, number, true)
    }

    fn remove(&self, name: &str) -> engine::Result<()> {
        Siblings::remove(self, name, false)
    }

    fn discard(&self, name: &str) -> engine::Result<()> {
        Siblings::remove(self, name, true)
    }

    fn open_remote(&self, url: &str, user: Option<&str>, create: bool) -> engine::Result<Database> {
        let opened = host::open_remote(self.beside, url, user.unwrap_or_default(), create);
        let number = opened.map_err(|refusal| match refusal {
            Refusal::Host => SqlError::general(host::text()),
            // ER_FILE_NOT_FOUND and ER_ACCESS_DENIED_ERROR, in the words of the transport.
            Refusal::Gone => SqlError::new(1017, host::text()),
            Refusal::Denied => SqlError::new(1045, host::text()).in_state(*b"28000"),
            refusal => sql_error(url, refusal),
        })?;
        let open = self.open.upgrade().ok_or_else(gone)?;
        open.open_remote(HostDirectory::new(number)).map_err(|error| VcsError::from(error).into())
    }

    fn removed(&self) -> engine::Result<Vec<String>> {
        let names = host::removed_databases(self.beside).map_err(|refusal| sql_error(ASIDE, refusal))?;
        Ok(names.lines().map(str::to_owned).collect())
    }

    fn restore(&self, name: &str) -> engine::Result<Option<(String, Database)>> {
        match host::restore_database(self.beside, name) {
            Ok((number, own)) => {
                let database = self.open(&own, number, false)?;
                Ok(Some((own, database)))
            }
            Err(Refusal::Absent) => Ok(None),
            Err(refusal) => Err(sql_error(name, refusal)),
        }
    }

    fn purge(&self) -> engine::Result<()> {
        host::purge_databases(self.beside).map_err(|refusal| sql_error(ASIDE, refusal))
    }
}

impl Siblings {
    fn remove(&self, name: &str, for_good: bool) -> engine::Result<()> {
        host::remove_database(self.beside, name, for_good).map_err(|refusal| sql_error(name, refusal))?;
        if let Some(open) = self.open.upgrade() {
            open.counted.databases.borrow_mut().retain(|known| !known.is_named(name));
        }
        Ok(())
    }

    /// The database in a directory that the host has just made or brought back.
    fn open(&self, name: &str, directory: u32, is_new: bool) -> engine::Result<Database> {
        let open = self.open.upgrade().ok_or_else(gone)?;
        let opened = open.open(name, HostDirectory::new(directory), is_new);
        let opened = opened.map_err(|failure| SqlError::general(failure.to_string()))?;
        Ok(open.take_in(opened))
    }
}

fn gone() -> SqlError {
    SqlError::general("the engine is closed")
}

/// What errors call the databases that were dropped.
const ASIDE: &str = "dropped databases";

fn sql_error(name: &str, refusal: Refusal) -> SqlError {
    let error = RegionError::File { file: name.into(), error: error_of(refusal) };
    VcsError::from(StoreError::Region(error)).into()
}

/// What counts below the engine.
struct Counted {
    region: Rc<Region>,
    databases: RefCell<Vec<OpenStore>>,
    is_remote: Cell<bool>,
}

/// The layers below a database.
struct OpenStore {
    name: String,
    store: Rc<ChunkStore>,
    nodes: Rc<NodeStore>,
    /// Memory that its decoded nodes may take.
    node_bytes: usize,
}

impl OpenStore {
    fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

impl OpenEngine {
    /// Half of the budget is for pages of files, the rest for decoded nodes: a table that fits there is scanned at the speed of
    /// memory.
    pub(crate) fn new(budget_bytes: u64, mode: Mode, durability: Durability, accepts_loss: bool) -> OpenEngine {
        let node_bytes = budget_bytes / 2;
        let options = region::Options { budget_bytes: budget_bytes - node_bytes, ..region::Options::default() };
        let counted = Rc::new(Counted {
            region: Region::new(options),
            databases: RefCell::default(),
            is_remote: Cell::new(false),
        });
        let engine = Engine::new(Rc::new(World));
        engine.set_status(counted.clone());
        let node_bytes = node_bytes as usize;
        OpenEngine { engine, counted, mode, durability, accepts_loss, node_bytes, first: RefCell::default() }
    }

    /// Opens the database in a directory of the host. Answers why its state may not be the newest one, as [`loss_line`] writes it.
    ///
    /// # Errors
    /// What is wrong with its files.
    pub(crate) fn attach(self: &Rc<OpenEngine>, name: &str, directory: HostDirectory) -> Result<String, Failure> {
        let number = directory.number();
        let opened = self.open(name, directory, false)?;
        let line = loss_line(&opened.0.store);
        // Reads the store's root: a database without one is better refused now than at every statement.
        opened.1.refs().map_err(|error| Failure::of_vcs(name, &error))?;
        self.engine.attach(name, self.take_in(opened));
        if self.first.borrow().is_none() {
            *self.first.borrow_mut() = Some(name.into());
            self.engine.set_databases(Rc::new(Siblings { open: Rc::downgrade(self), beside: number }));
        }
        Ok(line)
    }

    /// Opens a store; `is_new` is for one that is not there yet.
    fn open(&self, name: &str, directory: HostDirectory, is_new: bool) -> Result<(OpenStore, Database), Failure> {
        let repo_state = repo_state(name, &directory)?;
        self.counted.is_remote.set(directory.is_remote());
        let verify = if directory.is_remote() { Verify::Always } else { Verify::Unchecked };
        let options = OpenOptions { mode: self.mode, verify };
        let region = &self.counted.region;
        let node_bytes = self.free_node_bytes(name);
        let write = directory.is_writable().then(|| {
            let clock = || host::now_milliseconds() as u64;
            let pending_bytes_max = WriteOptions::PENDING_BYTES_MAX.min(node_bytes / 2);
            let durability = self.durability;
            let accepts_loss = self.accepts_loss;
            WriteOptions { durability, pending_bytes_max, accepts_loss, ..WriteOptions::new(directory.lock(), clock) }
        });
        let directory = Rc::new(directory);
        let store = match write.clone() {
            Some(write) if is_new => ChunkStore::create(region, directory.clone(), options, write),
            Some(write) => ChunkStore::open_writable(region, directory.clone(), options, write),
            None => ChunkStore::open(region, &*directory, options),
        };
        let store = match store {
            Err(StoreError::Incomplete { .. }) => self.open_lazy(directory, options, write),
            store => store,
        };
        let store = Rc::new(store.map_err(|error| Failure::of_store(name, &error))?);
        let nodes = NodeStore::new(store.clone(), tree::Options { cache_bytes: node_bytes });
        let database = Database::new(nodes.clone(), repo_state);
        Ok((OpenStore { name: name.to_owned(), store, nodes, node_bytes }, database))
    }

    /// Opens a lazy clone with the remote that has the rest.
    fn open_lazy(
        &self,
        directory: Rc<HostDirectory>,
        options: OpenOptions,
        write: Option<WriteOptions>,
    ) -> Result<ChunkStore, StoreError> {
        let lazy = LazyClone::read(&*directory)?;
        let number = host::open_pinned(directory.number(), &lazy.to_string()).map_err(|refusal| {
            StoreError::Region(RegionError::File { file: (&*lazy.url).into(), error: error_of(refusal) })
        })?;
        let remote: Rc<dyn Directory> = Rc::new(RemoteDirectory(HostDirectory::new(number)));
        ChunkStore::open_lazy(&self.counted.region, directory, options, write, (lazy, &remote))
    }

    /// Opens a remote, for one statement.
    fn open_remote(&self, directory: HostDirectory) -> Result<Database, StoreError> {
        let options = RemoteOptions {
            mode: self.mode,
            accepts_journal: directory.is_remote(),
            asserts_working_set: directory.asserts_working_set(),
            ..RemoteOptions::new(directory.lock(), || host::now_milliseconds() as u64)
        };
        let remote = store::Remote::open(&self.counted.region, Rc::new(RemoteDirectory(directory)), options)?;
        let nodes = NodeStore::new(Rc::new(remote), tree::Options { cache_bytes: NODE_BYTES_MIN });
        Ok(Database::new(nodes, RepoState::default()))
    }

    /// Memory for the nodes of one more database. Further ones get less, half of the one before, so that together they never take more
    /// than twice the first share; what a dropped one had is free again. The least is so little that many of them fit.
    fn free_node_bytes(&self, name: &str) -> usize {
        let databases = self.counted.databases.borrow();
        let is_taken = |bytes| databases.iter().any(|known| known.node_bytes == bytes && !known.is_named(name));
        let mut bytes = self.node_bytes;
        while bytes > NODE_BYTES_MIN && is_taken(bytes) {
            bytes /= 2;
        }
        bytes
    }

    /// In the place of one of that name: a statement that had to wait opens what it makes once more.
    fn take_in(&self, (store, database): (OpenStore, Database)) -> Database {
        let mut databases = self.counted.databases.borrow_mut();
        databases.retain(|known| !known.is_named(&store.name));
        databases.push(store);
        database
    }

    pub(crate) fn session(&self) -> Session {
        let session = self.engine.session();
        session.state().set_database(self.first.borrow().clone());
        session
    }

    /// A session of another instance, which goes on here.
    ///
    /// # Errors
    /// For bytes that are no image.
    pub(crate) fn session_of(&self, image: &[u8], keeps_id: bool) -> engine::Result<Session> {
        self.engine.session_of(image, keeps_id)
    }

    pub(crate) fn image(&self, out: &mut Vec<u8>) {
        self.engine.image(out);
    }

    /// # Errors
    /// For bytes that are no image.
    pub(crate) fn take_image(&self, image: &[u8]) -> engine::Result<()> {
        self.engine.take_image(image)
    }

    /// Commits what statements have left to be committed later, and flushes commits; tells in how many milliseconds there is more to do.
    ///
    /// # Errors
    /// What the host says.
    pub(crate) fn flush(&self, what: Flush) -> Result<Option<u64>, Failure> {
        let mut due_ms: Option<u64> = None;
        match what {
            Flush::Due => {
                due_ms = self.engine.flush_group_when_idle().map(|at| at.max(0).cast_unsigned().div_ceil(1000))
            }
            Flush::Wanted => self.engine.flush_group_quietly(),
            Flush::All => self.engine.flush_group().map_err(|error| Failure::Sql(error, "".into()))?,
        }
        let now_ms = host::now_milliseconds() as u64;
        for OpenStore { store, .. } in self.counted.databases.borrow().iter() {
            let next = if what == Flush::All { store.flush().map(|()| None) } else { store.flush_if_due(now_ms) };
            let next = next.map_err(|error| Failure::of_store("the journal", &error))?;
            due_ms = due_ms.into_iter().chain(next).min();
            if what == Flush::Due {
                // The next commit fails if nothing can be written any more.
                let idle_ms = store.make_room_when_idle(now_ms).unwrap_or_default();
                due_ms = due_ms.into_iter().chain(idle_ms).min();
            }
        }
        Ok(due_ms.map(|at| at.saturating_sub(now_ms).max(1)))
    }

    /// Forgets what could not be committed.
    pub(crate) fn close(&self) {
        self.engine.abandon();
    }

    /// Pages faulted in and bytes read, which every statement is measured by.
    pub(crate) fn reads(&self) -> (u64, u64) {
        let stats = self.counted.region.stats();
        (stats.faults, stats.bytes)
    }

    pub(crate) fn counters(&self) -> Vec<(&'static str, u64)> {
        self.engine.counters()
    }
}

impl Status for Counted {
    fn counters(&self) -> Vec<(&'static str, u64)> {
        let region = self.region.stats();
        let mut stores = store::Stats::default();
        let mut nodes = tree::Stats::default();
        for OpenStore { store, nodes: node_store, .. } in self.databases.borrow().iter() {
            let (of_store, of_nodes) = (store.stats(), node_store.stats());
            stores.chunks_read += of_store.chunks_read;
            stores.stored_bytes += of_store.stored_bytes;
            stores.chunk_bytes += of_store.chunk_bytes;
            stores.verified += of_store.verified;
            stores.searches += of_store.searches;
            stores.commits += of_store.commits;
            stores.flushes += of_store.flushes;
            stores.appended_bytes += of_store.appended_bytes;
            stores.pending_bytes += of_store.pending_bytes;
            stores.file_bytes += of_store.file_bytes;
            nodes.cache_hits += of_nodes.cache_hits;
            nodes.evictions += of_nodes.evictions;
            nodes.nodes_cached += of_nodes.nodes_cached;
            nodes.bytes_cached += of_nodes.bytes_cached;
        }
        vec![
            ("region_faults", region.faults),
            ("region_ahead", region.ahead),
            ("region_reads", region.reads),
            ("region_bytes", region.bytes),
            ("region_hits", region.hits),
            ("region_evictions", region.evictions),
            ("region_straddles", region.straddles),
            ("region_copies", region.copies),
            ("region_announced", region.announced),
            ("region_resident_bytes", region.resident_bytes),
            ("region_peak_bytes", region.peak_bytes),
            ("region_budget_bytes", region.budget_bytes),
            ("store_chunks_read", stores.chunks_read),
            ("store_stored_bytes", stores.stored_bytes),
            ("store_chunk_bytes", stores.chunk_bytes),
            ("store_verified", stores.verified),
            ("store_searches", stores.searches),
            ("store_commits", stores.commits),
            ("store_flushes", stores.flushes),
            ("store_appended_bytes", stores.appended_bytes),
            ("store_pending_bytes", stores.pending_bytes),
            ("store_file_bytes", stores.file_bytes),
            ("tree_cache_hits", nodes.cache_hits),
            ("tree_evictions", nodes.evictions),
            ("tree_nodes_cached", nodes.nodes_cached),
            ("tree_bytes_cached", nodes.bytes_cached),
            ("memory_bytes", memory::bytes()),
            ("heap_bytes", memory::heap_bytes()),
        ]
    }

    fn remote(&self) -> Option<Remote> {
        if !self.is_remote.get() {
            return None;
        }
        let figures = REMOTE_FIGURES.iter().zip(0..).map(|(name, number)| (*name, host::remote_figure(number) as u64));
        let (mut bytes, mut chunks) = (0, 0);
        for OpenStore { store, .. } in self.databases.borrow().iter() {
            bytes += store.stats().file_bytes;
            chunks += store.chunk_count();
        }
        Some(Remote { figures: figures.collect(), chunk_bytes: bytes as f64 / chunks.max(1) as f64 })
    }
}

/// Figures of the host, by their numbers there.
const REMOTE_FIGURES: [&str; 8] = [
    "remote_requests",
    "remote_bytes_network",
    "remote_bytes_cache",
    "remote_rounds",
    "remote_last_requests",
    "remote_last_bytes_network",
    "remote_last_bytes_cache",
    "remote_last_rounds",
];

/// Why the state that was opened may not be the newest one: fields of one line between tabs, or nothing. `web/src/host/wasm/wire_loss.ts` reads
/// it.
fn loss_line(store: &ChunkStore) -> String {
    let Some(loss) = store.loss() else { return String::new() };
    let Loss { kind, file, at_bytes, dropped_bytes, valid_records, expected, opened } = &loss;
    let kind = match kind {
        LossKind::TornTail => "torn_tail",
        LossKind::DamagedRecord => "damaged_record",
        LossKind::MissingRoot => "missing_root",
    };
    let held_back = u8::from(store.is_held_back());
    let expected = if expected.is_empty() { String::new() } else { expected.to_string() };
    format!("{kind}\t{held_back}\t{at_bytes}\t{dropped_bytes}\t{valid_records}\t{expected}\t{opened}\t{file}\t{loss}")
}

/// The files beside the store; a remote has none.
fn repo_state(name: &str, directory: &HostDirectory) -> Result<RepoState, Failure> {
    let unreadable = |error: FileError| Failure::Other(Code::Unreadable, format!("{name}: {REPO_STATE_PATH}: {error}"));
    let Some(file) = directory.open(REPO_STATE_PATH).map_err(unreadable)? else {
        return Ok(RepoState::default());
    };
    if file.len() > REPO_STATE_BYTES_MAX {
        return Err(Failure::of_store(
            name,
            &StoreError::Corrupt {
                file: REPO_STATE_PATH.into(),
                what: "unreasonable length",
                at_bytes: REPO_STATE_BYTES_MAX,
            },
        ));
    }
    let mut text = vec![0; file.len() as usize];
    file.read_at(0, &mut text).map_err(unreadable)?;
    RepoState::parse(&text).map_err(|error| Failure::of_vcs(name, &error))
}
