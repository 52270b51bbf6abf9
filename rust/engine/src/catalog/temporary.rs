//! Temporary tables: those of one session, in a database of their own in memory, in front of the tables of the real one.
//!
//! They are no part of any root, commit or transaction: what a statement has done to them stays, whatever ROLLBACK says.

use std::rc::Rc;

use vcs::{Committed, Database, Head};

use super::{Catalog, Place, Relation, write_first_commit};
use crate::engine::{Attached, Counters, Statistics};
use crate::error::{Result, SqlError};

/// Temporary tables of a session, by the name of the database in which they hide others: in `mydb/branch`, those of `mydb` do not.
#[derive(Default)]
pub struct Temporary(Vec<(Rc<str>, Rc<Attached>)>);

impl Temporary {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
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
        let found = self.temporary.borrow().0.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)).cloned();
        let Some((_, attached)) = found else { return Ok(None) };
        let place = self.place_in(attached, name)?;
        Ok(place.root()?.find_table(table)?.is_some().then_some(place))
    }

    /// Where new temporary tables of a database go.
    pub fn place_for_temporary(&self, database: Option<&str>) -> Result<Place> {
        let real = self.place(database)?;
        let known = self.temporary.borrow().0.iter().find(|(known, _)| known.eq_ignore_ascii_case(&real.name)).cloned();
        let attached = match known {
            Some((_, attached)) => attached,
            None => {
                let database = Database::in_memory();
                write_first_commit(&database, &self.state)?;
                let counters = Counters::default();
                let statistics = Statistics::default();
                let attached =
                    Rc::new(Attached { name: "".into(), database, counters, statistics, is_temporary: true });
                self.temporary.borrow_mut().0.push((real.name.clone(), attached.clone()));
                attached
            }
        };
        self.place_in(attached, real.name)
    }

    /// Forgets the database of temporary tables when the last of them was dropped, and all that it has collected.
    pub(crate) fn forget_temporary(&self, place: &Place) {
        self.temporary.borrow_mut().0.retain(|(_, attached)| !Rc::ptr_eq(attached, &place.attached));
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
