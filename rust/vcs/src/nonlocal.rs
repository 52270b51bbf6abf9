//! Nonlocal tables: names that refer to tables of other branches (docs/format/database.md, section 5.1, `dolt_nonlocal_tables`).

use codec::Address;
use tree::tuple::decode;
use tree::{Direction, Tuple};
use value::Value;

use crate::error::{Result, VcsError, VcsReason};
use crate::ignore::matches;
use crate::refs::Refs;
use crate::refs::revision::Head;
use crate::root_value::RootValue;
use crate::table::Table;

const NONLOCAL_TABLES: &str = "dolt_nonlocal_tables";
/// The only value of `options`.
const IMMEDIATE: &str = "immediate";

/// What names of tables mean in the roots of a branch or a commit.
#[derive(Clone, Copy)]
pub struct TableNames<'a> {
    pub refs: &'a Refs,
    pub head: &'a Head,
}

/// Where a name leads that means a table of another branch.
pub struct Elsewhere {
    /// A commit for what is no branch: nothing is written there.
    pub head: Head,
    pub root: RootValue,
    /// What the table is called there.
    pub name: Box<str>,
}

/// The rows of `dolt_nonlocal_tables`, in the order of their keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NonlocalTables(Vec<NonlocalTable>);

/// Which tables are found elsewhere, and where. What is NULL is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NonlocalTable {
    /// A pattern as those of `dolt_ignore`, in lower case.
    pub name: Box<str>,
    /// A branch, or what AS OF takes; empty for the branch itself.
    pub target_ref: Box<str>,
    /// What the table is called there; empty for the same name.
    pub ref_table: Box<str>,
    pub options: Box<str>,
}

impl NonlocalTable {
    /// Whether it is about a table of this name, in any case.
    pub fn is_about(&self, table: &str) -> bool {
        matches(&self.name, &table.to_lowercase(), false)
    }

    /// What a table of this name is called there.
    pub fn name_there(&self, table: &str) -> Box<str> {
        if self.ref_table.is_empty() { table.to_lowercase().into() } else { self.ref_table.clone() }
    }
}

impl NonlocalTables {
    /// Whether a root has the table: most have not, and need not be read.
    pub fn are_in(root: &RootValue) -> Result<bool> {
        Ok(root.table_address(NONLOCAL_TABLES)?.is_some())
    }

    /// Those of a root.
    pub fn read(root: &RootValue) -> Result<NonlocalTables> {
        let Some(address) = root.table_address(NONLOCAL_TABLES)? else { return Ok(NonlocalTables::default()) };
        let table = root.objects().table(&address)?;
        let mut tables = Vec::new();
        let mut scan = table.rows().scan(None, None, Direction::Forward)?;
        while let Some(span) = scan.next_span(usize::MAX)? {
            for item in span.items.clone() {
                tables.push(row(&table, span.leaf.key(item), span.leaf.value(item))?);
            }
        }
        Ok(NonlocalTables(tables))
    }

    /// The first that is about a table of this name. The table of these rows itself is never another branch's: a pattern for all names
    /// could not be taken back.
    pub fn about(&self, table: &str) -> Option<&NonlocalTable> {
        self.0.iter().find(|known| known.is_about(table)).filter(|_| !table.eq_ignore_ascii_case(NONLOCAL_TABLES))
    }
}

impl TableNames<'_> {
    /// Where `dolt_nonlocal_tables` of a root leads a name, whether there is such a table or not; `None` for most names.
    ///
    /// # Errors
    /// [`VcsReason::NonlocalOptions`], [`VcsReason::BranchNotFound`].
    pub fn elsewhere(&self, root: &RootValue, table: &str) -> Result<Option<Elsewhere>> {
        let tables = NonlocalTables::read(root)?;
        let Some(known) = tables.about(table) else { return Ok(None) };
        if *known.options != *IMMEDIATE {
            return Err(VcsReason::NonlocalOptions(known.options.clone()).into());
        }
        self.led(root, known, table).map(Some)
    }

    /// As [`TableNames::elsewhere`], where there is such a table; its name is spelled as it is stored.
    ///
    /// # Errors
    /// As [`TableNames::elsewhere`].
    pub fn table_elsewhere(&self, root: &RootValue, table: &str) -> Result<Option<Elsewhere>> {
        let Some(there) = self.elsewhere(root, table)? else { return Ok(None) };
        let found = there.root.find_table(&there.name)?;
        Ok(found.map(|(name, _)| Elsewhere { name, ..there }))
    }

    /// The stored name and the address of the table that a name means in a root.
    ///
    /// # Errors
    /// As [`TableNames::elsewhere`].
    pub fn find_table(&self, root: &RootValue, table: &str) -> Result<Option<(Box<str>, Address)>> {
        match self.table_elsewhere(root, table)? {
            Some(there) => there.root.find_table(&there.name),
            None => root.find_table(table),
        }
    }

    /// Names by which a root has tables of other branches, and none of its own.
    ///
    /// # Errors
    /// [`VcsReason::BranchNotFound`].
    pub fn names_elsewhere(&self, root: &RootValue) -> Result<Vec<Box<str>>> {
        let mut names: Vec<Box<str>> = Vec::new();
        for known in NonlocalTables::read(root)?.0 {
            let there = self.led(root, &known, &known.name)?;
            let mut found: Vec<Box<str>> = Vec::new();
            if known.ref_table.is_empty() {
                for entry in there.root.tables() {
                    let (name, _) = entry?;
                    found.extend(Some(name).filter(|name| known.is_about(name)));
                }
            } else if there.root.table_address(&known.ref_table)?.is_some() {
                found.push(known.name);
            }
            for name in found {
                if root.find_table(&name)?.is_none() && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        Ok(names)
    }

    /// Where a row leads a name.
    fn led(&self, root: &RootValue, known: &NonlocalTable, table: &str) -> Result<Elsewhere> {
        let (name, text) = (known.name_there(table), &*known.target_ref);
        if text.is_empty() {
            return Ok(Elsewhere { head: self.head.clone(), root: root.clone(), name });
        }
        if let Some(branch) = self.branch(text)? {
            let head = Head::Branch(branch);
            let root = self.refs.named_root("WORKING", &head)?.root;
            return Ok(Elsewhere { head, root, name });
        }
        let found = self.refs.named_root(text, self.head)?;
        let commit = match found.commit {
            Some(commit) => commit.address,
            None => self.refs.head(self.head)?.address,
        };
        Ok(Elsewhere { head: Head::Commit(commit), root: found.root, name })
    }

    /// The branch of this name, in any case.
    fn branch(&self, name: &str) -> Result<Option<Box<str>>> {
        if self.refs.branch(name)?.is_some() {
            return Ok(Some(name.into()));
        }
        for branch in self.refs.branches() {
            let (known, _) = branch?;
            if known.eq_ignore_ascii_case(name) {
                return Ok(Some(known));
            }
        }
        Ok(None)
    }
}

fn row(table: &Table, key: &[u8], value: &[u8]) -> Result<NonlocalTable> {
    let (schema, nodes) = (table.schema(), table.objects().nodes());
    let text = |tuple: &[u8], kinds: &tree::TupleDescriptor, field: usize| -> Result<Box<str>> {
        let Some(kind) = kinds.fields().get(field) else { return Ok(Box::default()) };
        match decode(nodes, kind, Tuple::new(tuple).field(field))? {
            Value::Text(text) => Ok(text.as_ref().into()),
            Value::Null => Ok(Box::default()),
            _ => Err(VcsError::corrupt(NONLOCAL_TABLES, "a column is not text")),
        }
    };
    Ok(NonlocalTable {
        name: text(key, &schema.key, 0)?.to_lowercase().into(),
        target_ref: text(value, &schema.value, 0)?,
        ref_table: text(value, &schema.value, 1)?,
        options: text(value, &schema.value, 2)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_in_any_case() {
        let of = |name: &str, ref_table: &str| NonlocalTable {
            name: name.into(),
            ref_table: ref_table.into(),
            ..NonlocalTable::default()
        };
        let tables = NonlocalTables(vec![of("a_*", ""), of("abc", "t"), of("b?", "")]);
        let found = |name: &str| tables.about(name).map(|known| known.name_there(name));
        assert_eq!(found("A_x"), Some("a_x".into()));
        assert_eq!(found("ABC"), Some("t".into()));
        assert_eq!(found("b1"), Some("b1".into()));
        assert_eq!(found("b12"), None);
    }
}
