//! Three-way diff: the changes of two maps since a common base (docs/format/tree.md, section 12).

use core::cmp::Ordering;

use crate::TreeError;
use crate::map::Map;
use crate::read::diff::{Change, Diff};

/// A key that one side changed, or both. At least one of the two is there.
#[derive(Debug, Clone)]
pub struct SideChanges {
    pub ours: Option<Change>,
    pub theirs: Option<Change>,
}

impl SideChanges {
    /// The key, in the bytes of the side that has it.
    pub fn key(&self) -> &[u8] {
        let change = self.ours.as_ref().or(self.theirs.as_ref());
        let item = change.and_then(|change| change.to.as_ref().or(change.from.as_ref()));
        item.map(|item| item.key()).unwrap_or_default()
    }
}

/// Both differences from a base, walked together in key order. Subtrees that neither side touched are not read.
pub struct ThreeWayDiff {
    base: Map,
    ours: Ahead,
    theirs: Ahead,
}

/// A diff and its next change.
struct Ahead {
    diff: Diff,
    next: Option<Change>,
    is_at_end: bool,
}

/// Which sides' tuples mean something else than the base's with the same bytes: there every row counts as changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EveryRow {
    pub of_ours: bool,
    pub of_theirs: bool,
}

impl ThreeWayDiff {
    /// The maps have keys of one form. Values are compared by their bytes.
    pub fn new(base: &Map, ours: &Map, theirs: &Map, every_row: EveryRow) -> Result<ThreeWayDiff, TreeError> {
        Ok(ThreeWayDiff {
            base: base.clone(),
            ours: Ahead::new(Diff::new(base, ours)?, every_row.of_ours),
            theirs: Ahead::new(Diff::new(base, theirs)?, every_row.of_theirs),
        })
    }

    /// The changes of the next key; `None` at the end.
    ///
    /// # Errors
    /// What is wrong with a chunk on the way; the walk cannot go on then.
    pub fn next_changes(&mut self) -> Result<Option<SideChanges>, TreeError> {
        let (ours, theirs) = (self.ours.peek()?, self.theirs.peek()?);
        let order = match (ours, theirs) {
            (None, None) => return Ok(None),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(ours), Some(theirs)) => self.base.order.compare(&self.base.nodes, key(ours), key(theirs))?,
        };
        let ours = if order.is_le() { self.ours.next.take() } else { None };
        let theirs = if order.is_ge() { self.theirs.next.take() } else { None };
        Ok(Some(SideChanges { ours, theirs }))
    }
}

impl Ahead {
    fn new(diff: Diff, every_row: bool) -> Ahead {
        let diff = diff.by_bytes();
        Ahead { diff: if every_row { diff.with_every_row() } else { diff }, next: None, is_at_end: false }
    }

    fn peek(&mut self) -> Result<Option<&Change>, TreeError> {
        if self.next.is_none() && !self.is_at_end {
            self.next = self.diff.next_change()?;
            self.is_at_end = self.next.is_none();
        }
        Ok(self.next.as_ref())
    }
}

fn key(change: &Change) -> &[u8] {
    change.to.as_ref().or(change.from.as_ref()).map(|item| item.key()).unwrap_or_default()
}
