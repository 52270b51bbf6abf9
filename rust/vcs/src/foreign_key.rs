//! Foreign keys by table and with names of columns (docs/format/database.md, section 9.1).

use tree::message::foreign_keys::ForeignKey;

use crate::error::{Result, VcsReason};
use crate::nonlocal::TableNames;
use crate::root_value::RootValue;

/// The columns of a foreign key by name, as SHOW CREATE TABLE lists them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyColumns {
    pub child: Vec<Box<str>>,
    pub parent: Vec<Box<str>>,
}

/// Whether a table declares the key.
pub(crate) fn is_child(key: &ForeignKey, table: &str) -> bool {
    key.child_table.to_lowercase() == table.to_lowercase()
}

impl RootValue {
    /// The foreign keys that a table declares, sorted by name.
    pub fn foreign_keys_of(&self, table: &str) -> Result<Vec<ForeignKey>> {
        let table = table.to_lowercase();
        let mut keys = self.foreign_keys()?;
        keys.retain(|key| key.child_table.to_lowercase() == table);
        Ok(keys)
    }

    /// The foreign keys that refer to a table, its own ones included, sorted by name.
    pub fn foreign_keys_to(&self, table: &str) -> Result<Vec<ForeignKey>> {
        let table = table.to_lowercase();
        let mut keys = self.foreign_keys()?;
        keys.retain(|key| key.parent_table.to_lowercase() == table);
        Ok(keys)
    }

    /// Without the keys of tables that are not there any more.
    ///
    /// # Errors
    /// [`VcsReason::MissingParent`] for a key whose parent table is not there.
    pub fn with_valid_foreign_keys(&self, names: TableNames<'_>) -> Result<RootValue> {
        let keys = self.foreign_keys()?;
        let mut kept = Vec::with_capacity(keys.len());
        for key in &keys {
            if self.find_table(&key.child_table)?.is_none() {
                continue;
            }
            if names.find_table(self, &key.parent_table)?.is_none() {
                return Err(VcsReason::MissingParent { key: key.name.clone(), table: key.parent_table.clone() }.into());
            }
            kept.push(key.clone());
        }
        if kept.len() == keys.len() { Ok(self.clone()) } else { self.with_foreign_keys(&kept) }
    }

    /// The names of a key's columns. They are kept by tag once the key is resolved, so renamed columns have their new names.
    pub fn key_columns(&self, key: &ForeignKey) -> Result<KeyColumns> {
        let names = |table: &str, tags: &[u64], unresolved: &[Box<str>]| -> Result<Vec<Box<str>>> {
            let schema = self.table(table)?.map(|table| table.schema().clone());
            let name = |tag: &u64| Some(schema.as_ref()?.column_by_tag(*tag)?.name.as_ref().into());
            let resolved: Option<Vec<Box<str>>> = tags.iter().map(name).collect();
            Ok(resolved.filter(|names| !names.is_empty()).unwrap_or_else(|| unresolved.to_vec()))
        };
        Ok(KeyColumns {
            child: names(&key.child_table, &key.child_columns, &key.unresolved_child_columns)?,
            parent: names(&key.parent_table, &key.parent_columns, &key.unresolved_parent_columns)?,
        })
    }
}
