//! Table history: the versions of a table along the commits (docs/format/database.md, section 11.3).

use std::rc::Rc;

use codec::Address;
use hashbrown::HashMap;
use tree::Bound;

use crate::commit::Commit;
use crate::commit::walk::Walk;
use crate::diff::column_map::Comparable;
use crate::diff::row_diff::{RowDiff, comparable_versions};
use crate::diff::table_deltas::table_address;
use crate::error::Result;
use crate::objects::Objects;
use crate::table::Table;

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

/// The steps in which a table became what it is (`dolt_diff_<table>`), in the order of a [`Walk`]. Commits that have the table as the
/// other one has it cost a look-up and no more.
pub struct DiffHistory {
    objects: Rc<Objects>,
    table: Box<str>,
    commits: Walk,
    compared: Compared,
    failed: bool,
}

/// What a commit is compared with.
enum Compared {
    /// The child that the walk came past last, from WORKING on: versions by the commits that the walk will come to.
    WithChild(HashMap<Address, Version>),
    /// Its first parent. The working set comes last.
    WithParent { head: Rc<Commit>, working: Option<Version> },
}

impl DiffHistory {
    /// The history of `head`; `working` is the table's address in the working root.
    pub fn new(objects: &Rc<Objects>, table: &str, head: &Commit, working: Option<Address>) -> DiffHistory {
        let version = Version { objects: objects.clone(), commit: None, address: working };
        DiffHistory::of(objects, table, head, Compared::WithChild(HashMap::from_iter([(head.address, version)])))
    }

    /// The same of a table that holds definitions.
    pub fn of_definitions(
        objects: &Rc<Objects>,
        table: &str,
        head: &Rc<Commit>,
        working: Option<Address>,
    ) -> DiffHistory {
        let working = Some(Version { objects: objects.clone(), commit: None, address: working });
        DiffHistory::of(objects, table, head, Compared::WithParent { head: head.clone(), working })
    }

    fn of(objects: &Rc<Objects>, table: &str, head: &Commit, compared: Compared) -> DiffHistory {
        let commits = objects.walk(&[head.address]);
        DiffHistory { objects: objects.clone(), table: table.into(), commits, compared, failed: false }
    }

    fn version(&self, commit: &Rc<Commit>) -> Result<Version> {
        let address = table_address(&self.objects.root_value(&commit.root)?, &self.table)?;
        Ok(Version { objects: self.objects.clone(), commit: Some(commit.clone()), address })
    }

    fn step(&mut self) -> Result<Option<VersionPair>> {
        loop {
            let commit = self.commits.next().transpose()?;
            let own = commit.as_ref().map(|commit| self.version(commit)).transpose()?;
            let (from, to) = match (&mut self.compared, commit, own) {
                (Compared::WithChild(children), Some(commit), Some(from)) => {
                    let to = children.remove(&commit.address);
                    for parent in &commit.parents {
                        children.insert(*parent, from.clone());
                    }
                    (Some(from), to)
                }
                (Compared::WithParent { .. }, Some(commit), to) => {
                    let parent = commit.parents.first().map(|parent| self.objects.commit(parent)).transpose()?;
                    (parent.map(|parent| self.version(&parent)).transpose()?, to)
                }
                (Compared::WithParent { head, working }, ..) => {
                    let Some(working) = working.take() else { return Ok(None) };
                    let head = head.clone();
                    (Some(self.version(&head)?), Some(working))
                }
                _ => return Ok(None),
            };
            if let (Some(from), Some(to)) = (from, to)
                && from.address != to.address
            {
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
