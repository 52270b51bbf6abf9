//! Schema override: tables under the schema of another commit, `@@dolt_override_schema` (docs/format/database.md, section 12.4).

use std::rc::Rc;

use vcs::{RootValue, Schema, is_system_table};

use super::{Catalog, Place, Relation};
use crate::error::{Result, SqlError};

impl Catalog {
    /// The schema that a table of a place shows in place of its own; `None` where it shows its own, and where no commit says how.
    ///
    /// # Errors
    /// 1105 for a commit that is not there, or that has no such table.
    pub fn overriding_schema(&self, place: &Place, table: &str) -> Result<Option<Rc<Schema>>> {
        let Some(root) = self.overriding_root(place)? else { return Ok(None) };
        let found = root.table(table)?;
        let found = found
            .ok_or_else(|| SqlError::general(format!("unable to find table '{table}' at overridden schema root")))?;
        Ok(Some(found.schema().clone()))
    }

    fn overriding_root(&self, place: &Place) -> Result<Option<RootValue>> {
        let Some(commit) = self.state.variables.borrow().overriding_commit() else { return Ok(None) };
        let commit = place
            .refs
            .commit(&commit, &place.head)
            .map_err(|error| SqlError::general(format!("unable to resolve schema override value: {error}")))?;
        Ok(Some(place.refs.objects().root_value(&commit.root)?))
    }

    /// A table of a root as it shows another schema, if it does; one that only the other commit has is empty.
    pub(super) fn overridden(&self, place: &Place, root: &RootValue, table: &str) -> Result<Option<Rc<dyn Relation>>> {
        if is_system_table(table) {
            return Ok(None);
        }
        let Some(other) = self.overriding_root(place)? else { return Ok(None) };
        let rows = root.table(table)?;
        let schema = match (&rows, other.find_table(table)?) {
            (None, None) => return Ok(None),
            (Some(_), _) => self.overriding_schema(place, table)?,
            (None, Some((_, address))) => Some(other.objects().table(&address)?.schema().clone()),
        };
        Ok(schema.map(|schema| self.computed.under_schema(place, table, rows, schema)))
    }

    /// # Errors
    /// 1105 while tables show the schema of another commit: then nothing is written.
    pub fn refuse_overridden(&self) -> Result<()> {
        match self.state.variables.borrow().overriding_commit() {
            Some(_) => Err(read_only(&self.state.database().unwrap_or_default())),
            None => Ok(()),
        }
    }
}

/// The error for a database that cannot be written.
pub(super) fn read_only(database: &str) -> SqlError {
    SqlError::general(format!("Database {database} is read-only."))
}
