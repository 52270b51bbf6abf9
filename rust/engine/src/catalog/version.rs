//! Catalog version: whether the names that a plan was made for still mean the same.

use std::rc::Rc;

use vcs::NonlocalTables;

use super::{Catalog, Relation};
use crate::error::Result;

/// A table may grow by so many rows before plans for it are made anew.
const FEW_ROWS: u64 = 100;

/// A state of the catalog; plans that were made at an equal one are still right.
#[derive(Debug, Clone, PartialEq)]
pub struct CatalogVersion(Rc<State>);

#[derive(Debug, PartialEq)]
struct State {
    /// Store roots of all databases.
    roots: Vec<codec::Address>,
    database: Option<Rc<str>>,
    moves: u64,
    /// `@@dolt_override_schema`.
    overriding_commit: Option<Rc<str>>,
}

impl Catalog {
    /// The current version of everything that names depend on.
    pub fn version(&self) -> CatalogVersion {
        let mut last = self.version.borrow_mut();
        if let Some(last) = last.as_ref().filter(|last| self.is_at(last)) {
            return last.clone();
        }
        self.named.borrow_mut().clear();
        let roots = self.engine.databases().iter().map(|attached| self.transaction.root(attached)).collect();
        let overriding_commit = self.state.variables.borrow().overriding_commit();
        let state = State { roots, database: self.state.database(), moves: self.moves.get(), overriding_commit };
        last.insert(CatalogVersion(Rc::new(state))).clone()
    }

    /// Whether nothing has changed since `version` was taken.
    pub fn is_at(&self, version: &CatalogVersion) -> bool {
        self.is_placed_as(version)
            && self.engine.roots_are(&version.0.roots, |attached| self.transaction.root(attached))
    }

    /// Whether the session's position is the same as when `version` was taken.
    pub fn is_placed_as(&self, version: &CatalogVersion) -> bool {
        version.0.moves == self.moves.get()
            && self.state.is_database(version.0.database.as_ref())
            && self.state.variables.borrow().is_overriding_commit(version.0.overriding_commit.as_deref())
    }

    /// The current versions of tables. `None` where one is gone or has another schema, or where it has so many
    /// more or fewer rows that another plan may be better.
    pub(crate) fn moved(&self, tables: &[Rc<dyn Relation>]) -> Result<Option<Vec<Rc<dyn Relation>>>> {
        let mut moved: Vec<Rc<dyn Relation>> = Vec::with_capacity(tables.len());
        for known in tables {
            let Some(base) = known.base() else { return Ok(None) };
            let root = self.place_of(Some(base.database()), base.name())?.root()?;
            // Its name may refer to another table now.
            if base.is_nonlocal() || NonlocalTables::are_in(&root)? {
                return Ok(None);
            }
            let Some(now) = self.version_of(base, &root)? else { return Ok(None) };
            let is_alike = match (known.row_count(), now.row_count()) {
                (Some(before), Some(now)) => before / 2 <= now && now / 2 <= before.saturating_add(FEW_ROWS),
                (before, now) => before == now,
            };
            if !is_alike {
                return Ok(None);
            }
            moved.push(now);
        }
        Ok(Some(moved))
    }
}
