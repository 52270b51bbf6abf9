//! New database of a procedure: invisible to sessions until it is complete, and removed on failure.

use std::rc::Rc;

use vcs::{Database, RefsDraft};

use crate::catalog::write_first_refs;
use crate::engine::Databases;
use crate::error::{Result, SqlError};
use crate::procedures::call::Call;

pub struct NewDatabase {
    host: Rc<dyn Databases>,
    name: Box<str>,
    database: Option<Database>,
    is_whole: bool,
}

impl NewDatabase {
    /// # Errors
    /// For a name that is taken, or none.
    pub fn named(call: &Call, name: &str) -> Result<NewDatabase> {
        let engine = &call.context.catalog.engine;
        let is_reserved = crate::system_tables::global_tables(name).is_some();
        if name.is_empty() || is_reserved || engine.database(name).is_some() {
            return Err(SqlError::new(1007, format!("can't create database {name}; database exists")));
        }
        let is_plain = |c: char| !matches!(c, '/' | '@' | '\\' | '\0') && !c.is_control();
        if !name.chars().all(is_plain) {
            return Err(SqlError::new(1102, format!("Incorrect database name '{name}'")));
        }
        Ok(NewDatabase { host: engine.databases_of_host()?, name: name.into(), database: None, is_whole: false })
    }

    /// Its store, which is made now unless it is there.
    ///
    /// # Errors
    /// Where the host cannot; one that is to wait.
    pub fn database(&mut self) -> Result<&Database> {
        match self.database.take() {
            Some(database) => Ok(self.database.insert(database)),
            None => Ok(self.database.insert(self.host.create(&self.name)?)),
        }
    }

    /// Writes its first names.
    pub fn write(&self, edit: &dyn Fn(&Database, &mut RefsDraft) -> Result<()>) -> Result<()> {
        let Some(database) = &self.database else { return Err(SqlError::internal("there is no new database")) };
        let before = database.refs()?;
        let mut draft = before.draft();
        edit(database, &mut draft)?;
        write_first_refs(database, &before, &draft.write()?)
    }

    /// Sessions see it from now on.
    pub fn attach(&mut self, call: &Call) {
        if let Some(database) = self.database.take() {
            call.context.catalog.engine.attach(&self.name, database);
            self.is_whole = true;
        }
    }
}

impl Drop for NewDatabase {
    fn drop(&mut self) {
        if self.database.take().is_some() && !self.is_whole {
            // Where this fails, the next creation of a database of this name begins anew.
            let _ = self.host.discard(&self.name);
        }
    }
}
