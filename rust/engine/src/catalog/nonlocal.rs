//! Nonlocal tables: names that refer to tables of other branches, by `dolt_nonlocal_tables` (docs/format/database.md, section 5.1).
//!
//! Its rows are looked at where a name is looked up, and once: a name that is found on the other branch means there what it says.

use std::rc::Rc;

use codec::Address;
use value::Value;
use vcs::{Head, NonlocalTables, RootValue};

use super::{Catalog, Place, Relation};
use crate::error::{Result, SqlError};

/// Where a name leads.
pub struct Elsewhere {
    pub place: Place,
    pub root: RootValue,
    /// What the table is called there.
    pub name: Box<str>,
}

/// A table as listings show it.
pub struct Listed {
    pub name: Box<str>,
    pub address: Address,
    /// The root that has it.
    pub root: RootValue,
}

impl Elsewhere {
    fn of(there: vcs::Elsewhere, from: &Place) -> Elsewhere {
        let vcs::Elsewhere { head, root, name } = there;
        let revision = match &head {
            _ if head == from.head => return Elsewhere { place: from.clone(), root, name },
            Head::Branch(branch) => branch.to_string(),
            Head::Commit(commit) => commit.to_string(),
        };
        let place = Place { name: format!("{}/{revision}", from.attached.name).into(), head, ..from.clone() };
        Elsewhere { place, root, name }
    }
}

impl Place {
    /// Where `dolt_nonlocal_tables` of a root leads a name, whether there is such a table or not; `None` for most names.
    ///
    /// # Errors
    /// 1105 for a row whose options mean nothing, and for a branch that is not there.
    pub fn elsewhere(&self, root: &RootValue, table: &str) -> Result<Option<Elsewhere>> {
        Ok(self.names().elsewhere(root, table)?.map(|there| Elsewhere::of(there, self)))
    }

    /// As [`Place::elsewhere`], where a stored table is there; its name is spelled as it is stored.
    ///
    /// # Errors
    /// As [`Place::elsewhere`].
    pub fn table_elsewhere(&self, root: &RootValue, table: &str) -> Result<Option<Elsewhere>> {
        Ok(self.names().table_elsewhere(root, table)?.map(|there| Elsewhere::of(there, self)))
    }

    /// The tables that the names of a root mean: its own first, then those of other branches that it has no table for.
    ///
    /// # Errors
    /// As [`Place::elsewhere`].
    pub fn listed(&self, root: &RootValue) -> Result<Vec<Listed>> {
        let mut listed = Vec::new();
        let leads_elsewhere = NonlocalTables::are_in(root)?;
        for entry in root.tables() {
            let (name, address) = entry?;
            let there = if leads_elsewhere { self.table_elsewhere(root, &name)? } else { None };
            match there {
                Some(there) => listed.extend(there.listed()?),
                None => listed.push(Listed { name, address, root: root.clone() }),
            }
        }
        for name in self.names().names_elsewhere(root)? {
            if let Some(there) = self.table_elsewhere(root, &name)? {
                listed.extend(there.listed()?);
            }
        }
        Ok(listed)
    }
}

impl Elsewhere {
    fn listed(self) -> Result<Option<Listed>> {
        let Elsewhere { root, name, .. } = self;
        Ok(root.table_address(&name)?.map(|address| Listed { name, address, root }))
    }
}

impl Catalog {
    /// The place and the name of the stored table that a name means; the name as it was written where there is none.
    ///
    /// # Errors
    /// As [`Place::elsewhere`], and 1049 for a database that is not there.
    pub fn table_place(&self, database: Option<&str>, table: &str) -> Result<(Place, Box<str>)> {
        if let Some(place) = self.temporary_place(database, table)? {
            return Ok((place, table.into()));
        }
        let place = self.place(database)?;
        Ok(match place.table_elsewhere(&place.root()?, table)? {
            Some(there) => (there.place, there.name),
            None => (place, table.into()),
        })
    }

    /// The table or system table of another branch that a name means in a root, if it means one.
    ///
    /// As in native Dolt AS OF finds the table of the other name in the state that it says: what another branch holds has no past here.
    pub(super) fn found_elsewhere(
        &self,
        place: &Place,
        root: &RootValue,
        table: &str,
        as_of: Option<&Value<'static>>,
    ) -> Result<Option<Rc<dyn Relation>>> {
        let Some(there) = place.elsewhere(root, table)? else { return Ok(None) };
        if self.view(place, table)?.is_some() {
            return Ok(None);
        }
        if let Some(computed) = self.computed.of_database(&there.place, &there.root, &there.name, None)? {
            return Ok(Some(computed));
        }
        // What is called from a tag or a commit cannot be written, whatever it is.
        let written_at = if place.branch().is_none() { place } else { &there.place };
        let Some(stored) = self.stored(written_at, &there.root, &there.name)? else { return Ok(None) };
        if as_of.is_none() {
            return Ok(Some(Rc::new(stored.called(place.name.clone(), table.into()))));
        }
        match self.stored(place, root, &there.name)? {
            Some(then) => Ok(Some(then)),
            None => Err(SqlError::table_not_found(&there.name)),
        }
    }
}
