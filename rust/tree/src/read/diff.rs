//! Diff of two maps (docs/format/tree.md, section 12).

use core::cmp::Ordering;

use crate::TreeError;
use crate::map::{Item, Map};
use crate::read::cursor::Cursor;
use crate::tuple::Bound;

/// A row that differs. Only `from`: removed. Only `to`: added. Both: same key, other value.
#[derive(Debug, Clone)]
pub struct Change {
    pub from: Option<Item>,
    pub to: Option<Item>,
}

/// The changes from one map to another, in key order, one at a time.
///
/// Subtrees that both maps share are skipped without reading them, so the work is in proportion to the changes.
pub struct Diff {
    from: Side,
    to: Side,
    /// Values that differ in bytes are compared by fields too, since both maps have the same fields.
    same_fields: bool,
    /// Rows whose keys are equal count as changed even if their values are.
    every_row: bool,
    /// Nothing was compared yet.
    fresh: bool,
}

struct Side {
    map: Map,
    cursor: Cursor,
    /// Rows before the end of the range.
    end: u64,
}

impl Diff {
    /// All changes between two maps with the same key order.
    pub fn new(from: &Map, to: &Map) -> Result<Diff, TreeError> {
        Diff::between(from, to, None, None)
    }

    /// The changes between two bounds; `None` is open.
    pub fn between(
        from: &Map,
        to: &Map,
        lower: Option<&Bound<'_>>,
        upper: Option<&Bound<'_>>,
    ) -> Result<Diff, TreeError> {
        let same_fields = from.value.has_form_of(&to.value);
        let side = |map: &Map| {
            let cursor = lower.map_or_else(|| map.first(), |bound| map.seek(bound))?;
            let end = upper.map_or(Ok(map.count()), |bound| map.rank(bound))?;
            Ok::<_, TreeError>(Side { map: map.clone(), cursor, end })
        };
        let fresh = lower.is_none();
        Ok(Diff { from: side(from)?, to: side(to)?, same_fields, every_row: false, fresh })
    }

    /// Reports rows with equal keys as changed whatever their values: for maps whose value tuples have different fields.
    pub fn with_every_row(mut self) -> Diff {
        self.every_row = true;
        self
    }

    /// Reports rows whose values differ in bytes although their fields are equal, such as text that differs in case only.
    pub fn by_bytes(mut self) -> Diff {
        self.same_fields = false;
        self
    }

    /// The next change; `None` at the end.
    ///
    /// # Errors
    /// What is wrong with a chunk on the way; the diff cannot go on then.
    pub fn next_change(&mut self) -> Result<Option<Change>, TreeError> {
        if core::mem::take(&mut self.fresh) && !self.every_row {
            if self.from.map.root.is_same(&self.to.map.root) {
                (self.from.end, self.to.end) = (0, 0);
            } else {
                self.skip_shared_start()?;
            }
        }
        loop {
            if !self.every_row {
                self.leave_leaves()?;
            }
            match (self.from.is_at_row()?, self.to.is_at_row()?) {
                (false, false) => return Ok(None),
                (true, false) => return Ok(Some(Change { from: Some(self.from.take()?), to: None })),
                (false, true) => return Ok(Some(Change { from: None, to: Some(self.to.take()?) })),
                (true, true) => {}
            }
            // Where only the collation of the key is another one, rows are paired as the older map has them, as in native Dolt.
            let order = &self.from.map.order;
            match order.compare(&self.to.map.nodes, self.from.cursor.key(), self.to.cursor.key())? {
                Ordering::Less => return Ok(Some(Change { from: Some(self.from.take()?), to: None })),
                Ordering::Greater => return Ok(Some(Change { from: None, to: Some(self.to.take()?) })),
                Ordering::Equal => {
                    let changed = self.every_row || !self.values_are_equal()?;
                    let change = Change { from: Some(self.from.take()?), to: Some(self.to.take()?) };
                    if changed {
                        return Ok(Some(change));
                    }
                    self.skip_shared()?;
                }
            }
        }
    }

    fn values_are_equal(&self) -> Result<bool, TreeError> {
        let (from, to) = (self.from.cursor.value(), self.to.cursor.value());
        if from == to {
            return Ok(true);
        }
        let fields = &self.to.map.value;
        Ok(self.same_fields && !fields.is_empty() && fields.compare(&self.to.map.nodes, from, to)?.is_eq())
    }

    /// Moves both sides past what they share at the start, from the top of the trees.
    fn skip_shared_start(&mut self) -> Result<(), TreeError> {
        let level = self.from.cursor.height().min(self.to.cursor.height());
        self.skip_shared_from(level)
    }

    /// Moves both sides, which are at rows, past the rows that they share from here on.
    fn skip_shared(&mut self) -> Result<(), TreeError> {
        if self.from.is_at_row()? && self.to.is_at_row()? && self.equal_at(0) {
            self.skip_shared_from(0)
        } else {
            Ok(())
        }
    }

    /// As [`Diff::skip_shared`], with both sides at a child of `level`; below it they are at the first row.
    fn skip_shared_from(&mut self, mut level: usize) -> Result<(), TreeError> {
        let top = self.from.cursor.height().min(self.to.cursor.height());
        loop {
            if !self.equal_at(level) {
                if level == 0 {
                    return Ok(());
                }
                self.from.cursor.enter(level, |_| 0)?;
                self.to.cursor.enter(level, |_| 0)?;
                level -= 1;
                continue;
            }
            // The same child of the same parent: the parents' place may be shared too, then it is skipped as a whole.
            while level < top && self.equal_at(level + 1) {
                level += 1;
            }
            if level == 0 {
                self.skip_shared_rows();
            }
            level = self.level_that_goes_on(level);
            if !self.step_over(level)? {
                return Ok(());
            }
        }
    }

    /// When both sides are at the ends of their leaves: moves on past what follows in both, unread.
    fn leave_leaves(&mut self) -> Result<(), TreeError> {
        let (from, to) = (&self.from.cursor, &self.to.cursor);
        let at_ends = !from.is_at_row() && !to.is_at_row() && from.height() > 0 && to.height() > 0;
        if !at_ends {
            return Ok(());
        }
        let level = self.level_that_goes_on(1);
        if self.step_over(level)? { self.skip_shared_from(level) } else { Ok(()) }
    }

    /// The level from `level` up at which both sides do not end a node: there the next ones are compared by their addresses before
    /// they are read.
    fn level_that_goes_on(&self, mut level: usize) -> usize {
        let top = self.from.cursor.height().min(self.to.cursor.height());
        while level < top && self.from.is_at_last(level) && self.to.is_at_last(level) {
            level += 1;
        }
        level
    }

    /// Moves both sides to their next items of `level`. False when one has ended; then the other is at the first row below its place.
    fn step_over(&mut self, level: usize) -> Result<bool, TreeError> {
        let (from, to) = (self.from.step_over(level)?, self.to.step_over(level)?);
        if from && to {
            return Ok(true);
        }
        if from {
            self.from.cursor.go_down(level)?;
        }
        if to {
            self.to.cursor.go_down(level)?;
        }
        Ok(false)
    }

    /// Moves both sides, which are at equal rows, to the last of the equal rows of their leaves.
    fn skip_shared_rows(&mut self) {
        let (from, to) = (&mut self.from.cursor, &mut self.to.cursor);
        let (leaf, other, i, j) = (from.leaf(), to.leaf(), from.index(), to.index());
        let keys = leaf.keys().shared(i, &other.keys(), j);
        let rows = keys.min(leaf.values().shared(i, &other.values(), j));
        from.set_index(i + rows.saturating_sub(1));
        to.set_index(j + rows.saturating_sub(1));
    }

    /// Whether both sides are at equal items of `level`: rows with the same bytes, children with the same address.
    fn equal_at(&self, level: usize) -> bool {
        let (from, to) = (&self.from.cursor, &self.to.cursor);
        if level == 0 {
            return from.is_at_row() && to.is_at_row() && from.key() == to.key() && from.value() == to.value();
        }
        match (from.at_level(level), to.at_level(level)) {
            (Some((from, i)), Some((to, j))) => from.value(i) == to.value(j),
            _ => false,
        }
    }
}

impl Side {
    /// Whether a row follows within the range; moves to the leaf that it is in.
    fn is_at_row(&mut self) -> Result<bool, TreeError> {
        if !self.cursor.is_at_row() && !self.cursor.next_leaf()? {
            return Ok(false);
        }
        Ok(self.end >= self.map.count() || self.cursor.ordinal() < self.end)
    }

    /// Whether the current item of `level` is the last of its node.
    fn is_at_last(&self, level: usize) -> bool {
        match level {
            0 => self.cursor.index() + 1 == self.cursor.leaf().len(),
            _ => self.cursor.at_level(level).is_some_and(|(node, child)| child + 1 == node.len()),
        }
    }

    /// The current row; moves behind it.
    fn take(&mut self) -> Result<Item, TreeError> {
        let item = Item { leaf: self.cursor.leaf().clone(), index: self.cursor.index() };
        self.cursor.set_index(item.index + 1);
        Ok(item)
    }

    /// Moves to the next item of `level`. At the end of the tree false: then the gap is behind the last row.
    fn step_over(&mut self, level: usize) -> Result<bool, TreeError> {
        if level == 0 {
            return self.cursor.advance();
        }
        if self.cursor.step_over(level)? {
            return Ok(true);
        }
        self.cursor = self.map.end()?;
        Ok(false)
    }
}
