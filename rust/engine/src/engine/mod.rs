//! Engine: the open databases, shared by the sessions.

mod counters;
mod damage;
mod locks;
mod statistics;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use codec::{Address, CompactSort};
use hashbrown::HashMap;
use value::Value;
use vcs::Database;
use vcs::remote::Copied;

use crate::error::{Result, SqlError};
use crate::host::Host;

pub use counters::Counters;
pub use locks::Locks;
pub use statistics::{Bucket, Gathering, IndexStatistics, Statistics, TableStatistics};

/// What SET GLOBAL has set, for all sessions.
pub type Globals = Rc<RefCell<HashMap<Box<str>, Value<'static>>>>;

/// A database under the name that SQL knows it by.
pub struct Attached {
    pub name: Rc<str>,
    pub database: Database,
    /// What AUTO_INCREMENT gives next.
    pub counters: Counters,
    /// What is counted of its tables' keys.
    pub statistics: Statistics,
    /// Whether it holds the temporary tables of a session: no transaction is about it.
    pub is_temporary: bool,
}

/// The databases of one process. Sessions share it.
pub struct Engine {
    databases: RefCell<Vec<Rc<Attached>>>,
    host: Rc<dyn Host>,
    /// Counters of lower layers: pages, bytes, chunks. Shown by `SHOW STATUS`.
    status: RefCell<Option<Rc<dyn Status>>>,
    /// For CREATE and DROP DATABASE.
    makes: RefCell<Option<Rc<dyn Databases>>>,
    sessions: Cell<u64>,
    /// Those that are there.
    readers: RefCell<Vec<Weak<dyn Reader>>>,
    /// Those of GET_LOCK.
    pub(crate) locks: RefCell<Locks>,
    pub(crate) globals: Globals,
    /// The session with pending commits: one at a time, which stays until they are flushed.
    group: RefCell<Option<Rc<dyn CommitGroup>>>,
    /// Why acknowledged changes were lost, until a statement has failed with it.
    loss: RefCell<Option<SqlError>>,
    /// How many transactions have put chunks that are not committed.
    pub(crate) writers: Cell<usize>,
    pub(crate) gathering: Gathering,
    /// How far the copy from or to a remote is that went on last.
    copied: Cell<Copied>,
}

/// Makes databases and removes them: where they lie is the host's business.
pub trait Databases {
    /// An empty store for a database of this name, which no attached one has. The engine writes its first commit.
    ///
    /// # Errors
    /// Where the host cannot; one that [`SqlError::is_wait`] when nothing was done yet and the call has to be repeated.
    fn create(&self, name: &str) -> Result<Database>;

    /// Puts the files of a database aside. It is detached afterwards.
    ///
    /// # Errors
    /// As [`Databases::create`].
    fn remove(&self, name: &str) -> Result<()>;

    /// Removes what [`Databases::create`] has made for good: no session has seen it.
    ///
    /// # Errors
    /// Where the host cannot.
    fn discard(&self, name: &str) -> Result<()> {
        self.remove(name)
    }

    /// The remote at an address, as a user where one is named; an empty one where there is none, which is made if `create` says so.
    ///
    /// # Errors
    /// As [`Databases::create`], in the host's words.
    fn open_remote(&self, url: &str, _user: Option<&str>, _create: bool) -> Result<Database> {
        Err(SqlError::general(format!("{url} cannot be reached from here")))
    }

    /// The databases that were put aside, by their names.
    ///
    /// # Errors
    /// As [`Databases::create`].
    fn removed(&self) -> Result<Vec<String>>;

    /// Brings one of them back, which is called so in any case; no attached one is. Its own name, and `None` where there is none.
    ///
    /// # Errors
    /// As [`Databases::create`].
    fn restore(&self, name: &str) -> Result<Option<(String, Database)>>;

    /// Removes them for good.
    ///
    /// # Errors
    /// As [`Databases::create`].
    fn purge(&self) -> Result<()>;
}

/// A reader: its transaction pins a state of a database.
pub trait Reader {
    /// The store root on which the open transaction began.
    fn open_root(&self, attached: &Rc<Attached>) -> Option<Address>;
}

/// Group commit: the pending commits of a session, whose statements were acknowledged before they are committed.
pub trait CommitGroup {
    /// Commits them.
    ///
    /// # Errors
    /// As [`Engine::flush_group`].
    fn flush(&self) -> Result<()>;

    /// When they will have waited for long enough, in microseconds since 1970; `None` when they have.
    fn flush_due_at(&self, now: i64) -> Option<i64>;
}

/// Counters from below the engine.
pub trait Status {
    /// Names such as `region_faults` and their values.
    fn counters(&self) -> Vec<(&'static str, u64)>;

    /// What the databases on a network have cost; `None` where there are none.
    fn remote(&self) -> Option<Remote> {
        None
    }
}

/// Databases that are read over a network.
pub struct Remote {
    /// Names such as `remote_requests` and their values, of the session that asks and of its last statement.
    pub figures: Vec<(&'static str, u64)>,
    /// What a chunk takes in its file, on an average.
    pub chunk_bytes: f64,
}

impl Engine {
    pub fn new(host: Rc<dyn Host>) -> Rc<Engine> {
        Rc::new(Engine {
            databases: RefCell::default(),
            host,
            status: RefCell::default(),
            makes: RefCell::default(),
            sessions: Cell::new(0),
            readers: RefCell::default(),
            locks: RefCell::default(),
            globals: Globals::default(),
            group: RefCell::default(),
            loss: RefCell::default(),
            writers: Cell::new(0),
            gathering: Gathering::default(),
            copied: Cell::default(),
        })
    }

    /// Makes a database known under `name`; one of the same name is replaced.
    pub fn attach(&self, name: &str, database: Database) {
        let mut databases = self.databases.borrow_mut();
        databases.retain(|known| !known.name.eq_ignore_ascii_case(name));
        databases.push(Rc::new(Attached {
            name: name.into(),
            database,
            counters: Counters::default(),
            statistics: Statistics::default(),
            is_temporary: false,
        }));
        databases.compact_sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// Forgets a database. A session may hold on to its tables for a while, not to what was read of them.
    pub fn detach(&self, name: &str) {
        if let Some(attached) = self.database(name) {
            attached.database.objects().nodes().forget_all();
        }
        self.databases.borrow_mut().retain(|known| !known.name.eq_ignore_ascii_case(name));
    }

    /// Sets the host that makes and removes databases.
    pub fn set_databases(&self, databases: Rc<dyn Databases>) {
        *self.makes.borrow_mut() = Some(databases);
    }

    /// # Errors
    /// 1235 where databases are neither made nor removed.
    pub(crate) fn databases_of_host(&self) -> Result<Rc<dyn Databases>> {
        let makes = self.makes.borrow().clone();
        makes.ok_or_else(|| SqlError::unsupported("CREATE and DROP DATABASE"))
    }

    pub fn set_status(&self, status: Rc<dyn Status>) {
        *self.status.borrow_mut() = Some(status);
    }

    pub fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut counters = self.status.borrow().as_ref().map_or_else(Vec::new, |status| status.counters());
        let Copied { chunks, bytes, bytes_total, .. } = self.copied.get();
        counters.extend([("copied_chunks", chunks), ("copied_bytes", bytes), ("copied_bytes_total", bytes_total)]);
        counters
    }

    /// Notes how far a copy from or to a remote is.
    pub(crate) fn note_copied(&self, copied: Copied) {
        self.copied.set(copied);
    }

    pub fn remote(&self) -> Option<Remote> {
        self.status.borrow().as_ref()?.remote()
    }

    pub fn databases(&self) -> Vec<Rc<Attached>> {
        self.databases.borrow().clone()
    }

    /// Takes in what others have written to the databases.
    pub(crate) fn refresh(&self) -> Result<()> {
        self.databases.borrow().iter().try_for_each(|attached| Ok(attached.database.refresh()?))
    }

    /// Flushes the group: commits the statements whose commits are pending. The host calls it before it closes the engine or copies its
    /// files; every statement that does not join the group begins with it.
    ///
    /// # Errors
    /// One that [`SqlError::is_wait`]: try again. Else what has kept it; the message says what becomes of the changes, and the next statement
    /// that changes something fails with the same.
    pub fn flush_group(&self) -> Result<()> {
        if let Some(loss) = self.loss.take() {
            return Err(loss);
        }
        let group = self.group.borrow().clone();
        group.map_or(Ok(()), |group| group.flush())
    }

    /// As [`Engine::flush_group`], where no caller takes an error: the next statement fails with it.
    pub fn flush_group_quietly(&self) {
        if let Err(error) = self.flush_group()
            && !self.has_pending_commits()
        {
            *self.loss.borrow_mut() = Some(error);
        }
    }

    /// As [`Engine::flush_group_quietly`], once no statement has come for a while. Before that, answers when that will be, in microseconds
    /// since 1970.
    pub fn flush_group_when_idle(&self) -> Option<i64> {
        let now = self.host.now_microseconds();
        let due_at = self.group.borrow().as_ref().map(|group| group.flush_due_at(now))?;
        if due_at.is_none() {
            self.flush_group_quietly();
        }
        due_at
    }

    /// Forgets pending commits: the engine is closed, and the host knows why they could not be flushed.
    pub fn abandon(&self) {
        drop(self.group.take());
    }

    pub(crate) fn has_pending_commits(&self) -> bool {
        self.group.borrow().is_some()
    }

    /// The commit of a statement of this session is pending.
    pub(crate) fn group_began(&self, group: Rc<dyn CommitGroup>) {
        *self.group.borrow_mut() = Some(group);
    }

    /// The pending commits were flushed, or are lost.
    pub(crate) fn group_ended(&self) {
        drop(self.group.take());
    }

    /// The store roots of a database on which open transactions began.
    pub(crate) fn roots_in_transactions(&self, attached: &Rc<Attached>) -> Vec<Address> {
        self.readers.borrow().iter().filter_map(|reader| reader.upgrade()?.open_root(attached)).collect()
    }

    /// Whether the store roots of all databases, as `root` returns them, are these.
    pub(crate) fn roots_are(&self, roots: &[Address], root: impl Fn(&Rc<Attached>) -> Address) -> bool {
        let databases = self.databases.borrow();
        let is = |(attached, known): (&Rc<Attached>, &Address)| root(attached) == *known;
        databases.len() == roots.len() && databases.iter().zip(roots).all(is)
    }

    /// Whether a database was not dropped; that of a session's temporary tables never is.
    pub(crate) fn is_there(&self, attached: &Rc<Attached>) -> bool {
        attached.is_temporary || self.databases.borrow().iter().any(|known| Rc::ptr_eq(known, attached))
    }

    /// A database by name, in any case.
    pub fn database(&self, name: &str) -> Option<Rc<Attached>> {
        self.databases.borrow().iter().find(|known| known.name.eq_ignore_ascii_case(name)).cloned()
    }

    pub fn host(&self) -> &Rc<dyn Host> {
        &self.host
    }

    /// Whether no commit is pending, and no loss is still to be reported.
    pub(crate) fn is_flushed(&self) -> bool {
        !self.has_pending_commits() && self.loss.borrow().is_none()
    }

    /// How many sessions began.
    pub(crate) fn sessions(&self) -> u64 {
        self.sessions.get()
    }

    pub(crate) fn set_sessions(&self, sessions: u64) {
        self.sessions.set(sessions);
    }

    /// The number of a connection that begins.
    pub(crate) fn next_connection(&self) -> u64 {
        self.sessions.set(self.sessions.get() + 1);
        self.sessions.get()
    }

    /// Registers a reader, until it is dropped.
    pub(crate) fn add_reader(&self, reader: Weak<dyn Reader>) {
        let mut readers = self.readers.borrow_mut();
        readers.retain(|reader| reader.strong_count() > 0);
        readers.push(reader);
    }
}
