//! A table through the commits (docs/format/database.md, section 11.3).

use std::rc::Rc;

use codec::Address;
use hashbrown::HashMap;
use tree::Bound;

use crate::column_map::Comparable;
use crate::commit::Commit;
use crate::deltas::table_address;
use crate::error::Result;
use crate::objects::Objects;
use crate::row_diff::{RowDiff, comparable_versions};
use crate::table::Table;
use crate::walk::Walk;

/// The versions of a table at some commits, those without it left out. `dolt_history_<table>` has those of a
/// [`Walk`] from HEAD.
pub struct TableHistory<C> {
    objects: Rc<Objects>,
    table: Box<str>,
    commits: C,
    /// The last version. Most commits leave a table as it was.
    last: Option<Table>,
}

impl<C> TableHistory<C> {
    /// `commits` gives commits one by one.
    pub fn new(objects: &Rc<Objects>, table: &str, commits: C) -> TableHistory<C> {
        TableHistory { objects: objects.clone(), table: table.into(), commits, last: None }
    }

    fn version(&mut self, commit: &Commit) -> Result<Option<Table>> {
        let Some(address) = table_address(&self.objects.root_value(&commit.root)?, &self.table)? else {
            return Ok(None);
        };
        if self.last.as_ref().is_none_or(|last| last.address() != address) {
            self.last = Some(self.objects.table(&address)?);
        }
        Ok(self.last.clone())
    }
}

impl<C: Iterator<Item = Result<Rc<Commit>>>> Iterator for TableHistory<C> {
    type Item = Result<(Rc<Commit>, Table)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let commit = match self.commits.next()? {
                Ok(commit) => commit,
                Err(error) => return Some(Err(error)),
            };
            match self.version(&commit) {
                Ok(Some(table)) => return Some(Ok((commit, table))),
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// A table at a commit or in the working set.
#[derive(Clone)]
pub struct Version {
    objects: Rc<Objects>,
    /// `None` for WORKING.
    pub commit: Option<Rc<Commit>>,
    /// `None` where the table is not there.
    pub address: Option<Address>,
}

impl Version {
    pub fn table(&self) -> Result<Option<Table>> {
        self.address.map(|address| self.objects.table(&address)).transpose()
    }
}

/// Two versions of a table that differ: of a commit, and of the child that was seen last before it.
pub struct VersionPair {
    pub from: Version,
    pub to: Version,
}

impl VersionPair {
    /// The changed rows, in the schemas of the versions.
    pub fn rows(&self) -> Result<RowDiff> {
        self.rows_between(None, None)
    }

    /// Those whose keys lie between two bounds; `None` is open.
    pub fn rows_between(&self, lower: Option<&Bound<'_>>, upper: Option<&Bound<'_>>) -> Result<RowDiff> {
        RowDiff::between(self.from.table()?.as_ref(), self.to.table()?.as_ref(), lower, upper)
    }

    /// Whether the rows can be compared. A diff of a whole history ends before a pair that cannot, with a warning, and
    /// after a pair that can only roughly.
    pub fn comparable(&self) -> Result<Comparable> {
        Ok(comparable_versions(self.from.table()?.as_ref(), self.to.table()?.as_ref()))
    }
}

/// The steps in which a table became what it is (`dolt_diff_<table>`), in the order of a [`Walk`].
///
/// Starts with WORKING against the head. A commit is compared with the child that the walk came past last; commits that
/// have the table as their child has it cost a look-up and no more.
pub struct DiffHistory {
    objects: Rc<Objects>,
    table: Box<str>,
    commits: Walk,
    /// Versions to compare commits with that the walk will come to.
    children: HashMap<Address, Version>,
    failed: bool,
}

impl DiffHistory {
    /// The history of `head`; `working` is the table's address in the working root.
    pub fn new(objects: &Rc<Objects>, table: &str, head: &Commit, working: Option<Address>) -> DiffHistory {
        let version = Version { objects: objects.clone(), commit: None, address: working };
        DiffHistory {
            objects: objects.clone(),
            table: table.into(),
            commits: objects.walk(&[head.address]),
            children: HashMap::from_iter([(head.address, version)]),
            failed: false,
        }
    }

    fn step(&mut self) -> Result<Option<VersionPair>> {
        loop {
            let Some(commit) = self.commits.next().transpose()? else { return Ok(None) };
            let address = table_address(&self.objects.root_value(&commit.root)?, &self.table)?;
            let from = Version { objects: self.objects.clone(), commit: Some(commit.clone()), address };
            let to = self.children.remove(&commit.address);
            for parent in &commit.parents {
                self.children.insert(*parent, from.clone());
            }
            if let Some(to) = to.filter(|to| to.address != from.address) {
                return Ok(Some(VersionPair { from, to }));
            }
        }
    }
}

impl Iterator for DiffHistory {
    type Item = Result<VersionPair>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let step = self.step();
        self.failed = step.is_err();
        step.transpose()
    }
}
