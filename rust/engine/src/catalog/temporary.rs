//! Temporary tables: per session, in an in-memory database that shadows the tables of the real one.
//!
//! They are no part of any root, commit or transaction: what a statement has done to them stays, whatever ROLLBACK says.

use std::rc::Rc;

use vcs::{Committed, Database, Head};

use super::{Catalog, Place, Relation, write_first_commit};
use crate::engine::{Attached, Counters, Statistics};
use crate::error::{Result, SqlError};

/// Temporary tables of a session, by the name of the database in which they hide others: in `mydb/branch`, those of `mydb` do not.
#[derive(Default)]
pub struct Temporary {
    databases: Vec<(Rc<str>, Rc<Attached>)>,
    /// Databases and tables that another instance of the engine had: nothing else answers in their place until they are made again.
    lost: Vec<(Box<str>, Box<str>)>,
}

impl Temporary {
    pub fn is_empty(&self) -> bool {
        self.databases.is_empty() && self.lost.is_empty()
    }
}

impl Catalog {
    /// The place of a table: that of the session's temporary tables, when it is one of them.
    pub fn place_of(&self, database: Option<&str>, table: &str) -> Result<Place> {
        match self.temporary_place(database, table)? {
            Some(place) => Ok(place),
            None => self.place(database),
        }
    }

    /// The place of the table that a relation is.
    pub fn place_of_table(&self, table: &dyn Relation) -> Result<Place> {
        self.place_of(Some(table.database()), table.name())
    }

    /// The place of a temporary table; `None` where there is none of that name.
    pub fn temporary_place(&self, database: Option<&str>, table: &str) -> Result<Option<Place>> {
        if self.temporary.borrow().is_empty() {
            return Ok(None);
        }
        let name: Rc<str> = match database {
            Some(name) => name.into(),
            None => match self.state.database() {
                Some(name) => name,
                None => return Ok(None),
            },
        };
        self.check_lost(&name, table)?;
        let found =
            self.temporary.borrow().databases.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)).cloned();
        let Some((_, attached)) = found else { return Ok(None) };
        let place = self.place_in(attached, name)?;
        Ok(place.root()?.find_table(table)?.is_some().then_some(place))
    }

    /// # Errors
    /// 2013 for a temporary table that went with another instance of the engine.
    fn check_lost(&self, database: &str, table: &str) -> Result<()> {
        let is_meant = |(known, name): &(Box<str>, Box<str>)| {
            known.eq_ignore_ascii_case(database) && name.to_lowercase() == table.to_lowercase()
        };
        if !self.temporary.borrow().lost.iter().any(is_meant) {
            return Ok(());
        }
        let text = format!("The temporary table `{table}` went with the engine or the tab that had it: make it again");
        Err(SqlError::new(2013, text))
    }

    /// A temporary table is made again, or dropped: whether it was one that was lost.
    pub fn find_lost(&self, database: Option<&str>, table: &str) -> bool {
        if self.temporary.borrow().lost.is_empty() {
            return false;
        }
        let Some(name) = database.map(Rc::from).or_else(|| self.state.database()) else { return false };
        let is_lost = self.check_lost(&name, table).is_err();
        self.temporary.borrow_mut().lost.retain(|(known, lost)| {
            !(known.eq_ignore_ascii_case(&name) && lost.to_lowercase() == table.to_lowercase())
        });
        is_lost
    }

    pub(crate) fn lose_temporary(&self, database: &str, table: &str) {
        self.temporary.borrow_mut().lost.push((database.into(), table.into()));
    }

    /// Whether the session has temporary tables, whose rows no other instance of the engine could have.
    pub(crate) fn has_temporary(&self) -> bool {
        !self.temporary.borrow().databases.is_empty()
    }

    /// The databases and names of all, and of those that were lost.
    pub(crate) fn temporary_names(&self) -> Result<Vec<(Box<str>, Box<str>)>> {
        let mut names = self.temporary.borrow().lost.clone();
        let databases = self.temporary.borrow().databases.clone();
        for (name, attached) in databases {
            for table in self.place_in(attached, name.clone())?.root()?.tables() {
                names.push(((&*name).into(), table?.0));
            }
        }
        Ok(names)
    }

    /// Where new temporary tables of a database go.
    pub fn place_for_temporary(&self, database: Option<&str>) -> Result<Place> {
        let real = self.place(database)?;
        let known =
            self.temporary.borrow().databases.iter().find(|(known, _)| known.eq_ignore_ascii_case(&real.name)).cloned();
        let attached = match known {
            Some((_, attached)) => attached,
            None => {
                let database = Database::in_memory();
                write_first_commit(&database, &self.state)?;
                let counters = Counters::default();
                let statistics = Statistics::default();
                let attached =
                    Rc::new(Attached { name: "".into(), database, counters, statistics, is_temporary: true });
                self.temporary.borrow_mut().databases.push((real.name.clone(), attached.clone()));
                attached
            }
        };
        self.place_in(attached, real.name)
    }

    /// Forgets the database of temporary tables when the last of them was dropped, and all that it has collected.
    pub(crate) fn forget_temporary(&self, place: &Place) {
        self.temporary.borrow_mut().databases.retain(|(_, attached)| !Rc::ptr_eq(attached, &place.attached));
        self.has_moved();
    }

    fn place_in(&self, attached: Rc<Attached>, name: Rc<str>) -> Result<Place> {
        let refs = self.transaction.refs(&attached)?;
        Ok(Place { attached, name, refs, head: Head::Branch(vcs::DEFAULT_BRANCH.into()) })
    }
}

impl Attached {
    /// Makes names of temporary tables those of the session for good.
    pub(crate) fn keep(&self, from: &vcs::Refs, to: &vcs::Refs) -> Result<()> {
        match self.database.commit(from, to)? {
            Committed::Done => Ok(()),
            Committed::Moved => Err(SqlError::internal("temporary tables of another session")),
        }
    }
}
