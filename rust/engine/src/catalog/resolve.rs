//! Resolution of database and table names at a revision.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use hashbrown::HashMap;
use parse::ast;
use value::{SqlType, Value};
use vcs::{Head, RootValue, WorkingSet, Written};

use super::overridden::read_only;
use super::temporary::Temporary;
use super::version::CatalogVersion;
use super::{BaseTable, BindStored, Column, ComputedTables, Found, Place, Relation, StoredExpr, View};
use crate::engine::{Attached, CommitGroup, Engine, Reader};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::state::SessionState;
use crate::transaction::Transaction;
use crate::write::KnownRules;

/// Tables that were read lately, by address: making one reads its schema.
const TABLES_MAX: usize = 256;

/// A table by its address, the name of its database as it was written, and its own.
type TableKey = (codec::Address, Rc<str>, Rc<str>);

/// A stored table and what statements called it, with the name of its database where one was written.
pub(super) struct Named {
    database: Option<Box<str>>,
    name: Box<str>,
    table: Rc<dyn Relation>,
}

/// More names are not kept.
const NAMED_MAX: usize = 64;

/// Types of columns, and rows.
pub type Rows = (Vec<SqlType>, Vec<Vec<Value<'static>>>);

/// Runs a statement that only reads, in a session.
pub type ReadStatement = Rc<dyn Fn(&Rc<Catalog>, &str) -> Result<Rows>>;

/// Finds what names mean for one session.
pub struct Catalog {
    this: Weak<Catalog>,
    pub engine: Rc<Engine>,
    pub state: Rc<SessionState>,
    pub transaction: Transaction,
    pub(crate) computed: &'static dyn ComputedTables,
    bind_stored: BindStored,
    read: ReadStatement,
    /// The session's current branch in each database, where it is not the default one.
    pub(super) branches: RefCell<HashMap<Rc<str>, Rc<str>>>,
    /// How often the session changed its branch.
    pub(super) moves: Cell<u64>,
    pub(super) tables: RefCell<HashMap<TableKey, Rc<BaseTable>>>,
    /// The version that was taken last.
    pub(super) version: RefCell<Option<CatalogVersion>>,
    /// Tables that were found by their names at that version: most statements are about those of the ones before.
    pub(super) named: RefCell<Vec<Named>>,
    /// What tables ask of their rows, bound.
    pub(crate) rules: RefCell<KnownRules>,
    pub(super) temporary: RefCell<Temporary>,
    /// The state that tables have for the statements of a procedure that was called AS OF it.
    past: RefCell<Option<Value<'static>>>,
}

impl Reader for Catalog {
    fn open_root(&self, attached: &Rc<Attached>) -> Option<codec::Address> {
        self.transaction.open_root(attached)
    }
}

impl CommitGroup for Catalog {
    fn flush(&self) -> Result<()> {
        self.transaction.flush_group()
    }

    fn flush_due_at(&self, now: i64) -> Option<i64> {
        self.transaction.flush_due_at(now)
    }
}

impl Drop for Catalog {
    fn drop(&mut self) {
        self.engine.locks.borrow_mut().release_all(self.state.connection_id);
    }
}

impl Catalog {
    pub fn new(
        engine: Rc<Engine>,
        state: Rc<SessionState>,
        computed: &'static dyn ComputedTables,
        bind_stored: BindStored,
        read: ReadStatement,
    ) -> Rc<Catalog> {
        let (branches, tables) = (RefCell::default(), RefCell::default());
        Rc::new_cyclic(|this| Catalog {
            this: this.clone(),
            transaction: Transaction::new(engine.clone(), this.clone()),
            engine,
            state,
            computed,
            bind_stored,
            read,
            branches,
            moves: Cell::new(0),
            tables,
            version: RefCell::default(),
            named: RefCell::default(),
            rules: RefCell::default(),
            temporary: RefCell::default(),
            past: RefCell::default(),
        })
    }

    /// Resets the session's position and private state to those of another session.
    pub(crate) fn reset(&self, beside: &Catalog) {
        let branches = beside.branches.borrow().clone();
        let had_own = !std::mem::take(&mut *self.temporary.borrow_mut()).is_empty();
        let was_past = self.past.take().is_some();
        if had_own || was_past || *self.branches.borrow() != branches {
            *self.branches.borrow_mut() = branches;
            self.has_moved();
        }
        self.state.set_database(beside.state.database());
        self.engine.locks.borrow_mut().release_all(self.state.connection_id);
    }

    /// The catalog for a relation to keep; `None` when the session is gone.
    pub(crate) fn shared(&self) -> Option<Rc<Catalog>> {
        self.this.upgrade()
    }

    /// The database named, or the one in use.
    pub fn place(&self, name: Option<&str>) -> Result<Place> {
        let name: Rc<str> = match name {
            Some(name) => name.into(),
            None => self.state.database().ok_or_else(SqlError::no_database)?,
        };
        let split = name.find(['/', '@']);
        let (base, revision) = match split {
            Some(at) => (&name[..at], Some(&name[at + 1..])),
            None => (&*name, None),
        };
        let attached = self.engine.database(base).ok_or_else(|| SqlError::database_not_found(&name))?;
        let refs = self.transaction.refs(&attached)?;
        let head = match revision {
            Some(revision) => refs.revision_database(revision)?.ok_or_else(|| SqlError::database_not_found(&name))?,
            None => Head::Branch(self.branch_of(&attached, &refs)?),
        };
        Ok(Place { attached, name, refs, head })
    }

    /// An error with the place of the damage that it is about.
    pub fn located(&self, error: SqlError) -> SqlError {
        let error = self.state.reported(error);
        let name = self.state.database();
        self.engine.located(error, name.as_deref().and_then(|name| name.split(['/', '@']).next()))
    }

    /// The database in use where its name has a revision.
    pub fn revision_in_use(&self) -> Option<Place> {
        self.place(None).ok().filter(|place| place.name != place.attached.name)
    }

    /// A database as listings show it: on its first branch where the session's branch is gone.
    pub fn listed_place(&self, attached: &Rc<Attached>) -> Result<Place> {
        let place = self.place(Some(&attached.name))?;
        let Some(branch) = place.branch() else { return Ok(place) };
        if place.refs.branch(branch)?.is_some() {
            return Ok(place);
        }
        let first = attached.database.default_branch(&place.refs)?;
        let head = first.map_or(place.head.clone(), Head::Branch);
        Ok(Place { head, ..place })
    }

    /// Makes `root` what the transaction sees at a place: the working root of its branch.
    ///
    /// # Errors
    /// 1105 for a place that is no branch, 1792 in a READ ONLY transaction.
    pub fn set_root(&self, place: &Place, root: &RootValue) -> Result<()> {
        let set = self.working_set(place)?;
        if set.working == root.address() {
            return Ok(());
        }
        self.set_working_set(place, WorkingSet { working: root.address(), ..set })
    }

    /// The working set of the branch at a place.
    ///
    /// # Errors
    /// 1105 for a place that is no branch: nothing can be written there.
    pub fn working_set(&self, place: &Place) -> Result<WorkingSet> {
        Ok(self.transaction.refs(&place.attached)?.working_set(self.writable(place)?)?)
    }

    /// Who changes working sets, and when.
    pub fn written_now(&self) -> Written {
        Written {
            name: "root".into(),
            email: "root@%".into(),
            description: "sql transaction".into(),
            seconds: self.state.now_seconds(),
        }
    }

    /// Puts the working set of a branch in place of the one that the transaction saw.
    pub fn set_working_set(&self, place: &Place, set: WorkingSet) -> Result<()> {
        let branch = self.writable(place)?;
        let written = Some(self.written_now());
        let refs = self.transaction.refs(&place.attached)?;
        let mut draft = refs.draft();
        draft.set_working_set(branch, Some(&WorkingSet { written, ..set }))?;
        self.transaction.set_refs(&place.attached, draft.write()?)?;
        if place.attached.is_temporary {
            self.has_moved();
        }
        Ok(())
    }

    /// How often [`Catalog::has_moved`] was said.
    pub(crate) fn moves(&self) -> u64 {
        self.moves.get()
    }

    /// What names mean is different, though no database is: plans that were made before must be made anew.
    pub(crate) fn has_moved(&self) {
        self.moves.set(self.moves.get() + 1);
    }

    /// All tables are what they were then, for reading only; `None` for now. Gives what was there before.
    pub(crate) fn set_past(&self, past: Option<Value<'static>>) -> Option<Value<'static>> {
        self.has_moved();
        self.past.replace(past)
    }

    fn writable<'p>(&self, place: &'p Place) -> Result<&'p str> {
        if self.past.borrow().is_some() {
            return Err(SqlError::general("CALL ... AS OF converts databases to read only"));
        }
        let is_overridden = self.state.variables.borrow().overriding_commit().is_some();
        place.branch().filter(|_| !is_overridden).ok_or_else(|| read_only(&place.name))
    }

    /// The version of a table that a root has, if its name and its schema are the same.
    pub(super) fn version_of(&self, base: &BaseTable, root: &RootValue) -> Result<Option<Rc<BaseTable>>> {
        let Some(address) = root.table_address(base.name())? else { return Ok(None) };
        let key = (address, base.database().clone(), base.name().clone());
        let now = match self.known(&key, root) {
            Some(known) => known,
            None => {
                let table = root.objects().table(&address)?;
                if table.schema().address != base.schema().address {
                    return Ok(None);
                }
                let now = Rc::new(base.over(table));
                self.know(key, now.clone());
                now
            }
        };
        Ok((now.schema().address == base.schema().address).then_some(now))
    }

    /// A table that was read lately. One of a database that was dropped, in whose place there is another of its name, is none: it looks
    /// into files that are gone.
    fn known(&self, key: &TableKey, root: &RootValue) -> Option<Rc<BaseTable>> {
        let tables = self.tables.borrow();
        tables.get(key).filter(|known| Rc::ptr_eq(known.table.objects(), root.objects())).cloned()
    }

    fn know(&self, key: TableKey, table: Rc<BaseTable>) {
        let mut tables = self.tables.borrow_mut();
        if tables.len() >= TABLES_MAX {
            tables.clear();
        }
        tables.insert(key, table);
    }

    /// `<db>_head`, `<db>_working`, `<db>_staged`, `<db>_head_ref`, `<db>_default_branch`.
    pub fn database_variable(&self, name: &str) -> Result<Option<Value<'static>>> {
        for attached in self.engine.databases() {
            let Some(field) = name.strip_prefix(&attached.name.to_lowercase()).and_then(|n| n.strip_prefix('_')) else {
                continue;
            };
            let place = self.place(Some(&attached.name))?;
            let set = || place.branch().map(|branch| place.refs.working_set(branch)).transpose();
            let text = match field {
                "head" => place.refs.head(&place.head)?.address.to_string(),
                "working" => set()?.map_or(String::new(), |set| set.working.to_string()),
                "staged" => set()?.map_or(String::new(), |set| set.staged.to_string()),
                "head_ref" => place.branch().map_or(String::new(), |branch| format!("refs/heads/{branch}")),
                "default_branch" => String::new(),
                _ => continue,
            };
            return Ok(Some(Value::text(text)));
        }
        Ok(None)
    }

    pub fn relation(&self, name: &ast::ObjectName, as_of: Option<&Value<'static>>) -> Result<Found> {
        self.relation_in(name.database.as_ref().map(|database| &*database.text), &name.name.text, as_of)
    }

    /// A table, system table or view; in the session's database when none is named.
    pub fn relation_in(&self, database: Option<&str>, table: &str, as_of: Option<&Value<'static>>) -> Result<Found> {
        let past = self.past.borrow().clone();
        if as_of.is_some() || past.is_some() {
            return self.find(database, table, as_of.or(past.as_ref()));
        }
        self.transaction.publish()?;
        // Forgets the names of another state.
        self.version();
        let is_meant = |named: &&Named| *named.name == *table && named.database.as_deref() == database;
        if let Some(known) = self.named.borrow().iter().find(is_meant) {
            return Ok(Found::Relation(known.table.clone()));
        }
        let found = self.find(database, table, None)?;
        let mut named = self.named.borrow_mut();
        if let Found::Relation(relation) = &found
            && relation.base().is_some()
            && named.len() < NAMED_MAX
        {
            named.push(Named { database: database.map(Box::from), name: table.into(), table: relation.clone() });
        }
        drop(named);
        Ok(found)
    }

    fn find(&self, database: Option<&str>, table: &str, as_of: Option<&Value<'static>>) -> Result<Found> {
        if let Some(relation) = self.computed.global(self, database, table)? {
            // The past of a procedure that is called AS OF is not theirs.
            return match as_of.is_some() && self.past.borrow().is_none() {
                true => {
                    let name = relation.database();
                    Err(SqlError::general(format!("AS OF not supported for database {name}")))
                }
                false => Ok(Found::Relation(relation)),
            };
        }
        if let (None, Some(place)) = (as_of, self.temporary_place(database, table)?)
            && let Some(relation) = self.stored(&place, &place.root()?, table)?
        {
            return Ok(Found::Relation(relation));
        }
        let place = self.place(database)?;
        let root = match as_of {
            None => place.root()?,
            Some(as_of) => place.root_as_of(as_of)?.ok_or_else(|| SqlError::table_not_found(table))?,
        };
        if let Some(relation) = self.found_elsewhere(&place, &root, table, as_of)? {
            return Ok(Found::Relation(relation));
        }
        if let Some(relation) = self.computed.of_database(&place, &root, table, as_of)? {
            return Ok(Found::Relation(relation));
        }
        if let Some(relation) = self.overridden(&place, &root, table)? {
            return Ok(Found::Relation(relation));
        }
        if let Some(relation) = self.stored(&place, &root, table)? {
            return Ok(Found::Relation(relation));
        }
        // One that is not there any more, or only on the other branch, is found as its tables are.
        let view = match self.view(&place, table)? {
            None if as_of.is_some() => self.view_of(&place, &root, table)?,
            view => view,
        };
        view.map(Found::View).ok_or_else(|| SqlError::table_not_found(table))
    }

    /// Arguments that give a table function the columns that it has with any others; `None` where it takes only literals.
    pub fn late_arguments(&self, function: &str) -> Option<&'static [Value<'static>]> {
        self.computed.late_arguments(function)
    }

    /// A table function, of the session's database unless another one is named.
    ///
    /// # Errors
    /// 1105 for a name that no function has.
    pub fn table_function(&self, name: &ast::ObjectName, arguments: &[Value<'static>]) -> Result<Rc<dyn Relation>> {
        self.computed.function(self, name, arguments)
    }

    /// Binds the text of an expression that a schema has, over the columns of its table.
    ///
    /// # Errors
    /// What is wrong with the expression.
    pub fn bind_stored(&self, columns: &[Column], text: &str, context: &Rc<Context>) -> Result<StoredExpr> {
        (self.bind_stored)(columns, text, context)
    }

    /// Runs a statement that is known to read only: SHOW, DESCRIBE, EXPLAIN.
    ///
    /// # Errors
    /// Those of the statement.
    pub fn read(&self, sql: &str) -> Result<Rows> {
        let this = self.shared().ok_or_else(|| SqlError::internal("the session has ended"))?;
        (self.read)(&this, sql)
    }

    /// A stored table of a root.
    pub fn stored(&self, place: &Place, root: &RootValue, table: &str) -> Result<Option<Rc<BaseTable>>> {
        let Some((name, address)) = root.find_table(table)? else { return Ok(None) };
        let key = (address, place.name.clone(), Rc::from(&*name));
        if let Some(known) = self.known(&key, root) {
            return Ok(Some(known));
        }
        let relation = Rc::new(BaseTable::new(key.1.clone(), key.2.clone(), root.objects().table(&address)?));
        self.know(key, relation.clone());
        Ok(Some(relation))
    }

    /// A view of the working root: views resolve there first, whatever AS OF says.
    pub fn view(&self, place: &Place, name: &str) -> Result<Option<View>> {
        self.view_of(place, &place.root()?, name)
    }

    fn view_of(&self, place: &Place, root: &RootValue, name: &str) -> Result<Option<View>> {
        let definitions = super::fragments::read(self, place, root)?;
        let Some(definition) = definitions.into_iter().find(|d| d.kind == "view" && d.name.eq_ignore_ascii_case(name))
        else {
            return Ok(None);
        };
        let view = match parse::kept(&definition.text, &definition.sql_mode) {
            Some(ast::StatementKind::CreateView(view)) => *view,
            _ => return Err(SqlError::unreadable("view", name)),
        };
        Ok(Some(View {
            database: place.name.clone(),
            name: definition.name.into(),
            sql: definition.text.into(),
            columns: view.columns.iter().map(|column| (*column.text).into()).collect(),
            check_option: view.check_option,
            query: view.query,
        }))
    }
}

impl std::fmt::Debug for Catalog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Catalog")
    }
}
