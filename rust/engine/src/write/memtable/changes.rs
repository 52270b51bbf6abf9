//! Undo and redo of a memtable: marks and undo scopes to go back to, and the changes since then.

use tree::{Edit, Kind, Map, Node};

use super::edit_log::{EditLog, Mark};
use super::sorted_runs::SortedRuns;
use super::{LastKey, Memtable};
use crate::error::Result;
use crate::write::redo;

/// From where on edits are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    Mark,
    /// [`Memtable::begin_undo_scope`], or the beginning of all where that was not called.
    UndoScope,
}

/// What [`Memtable::each_since`] tells.
#[derive(Clone, Copy)]
pub enum Told<'a> {
    /// The root of a tree in place of the one before all edits.
    Tree(&'a Node),
    Edit(Edit<'a>),
}

/// How to go back to where [`Memtable::mark`] was.
pub(super) struct Undo {
    /// In the edits that there were then.
    pub(super) mark: Mark,
    /// The tree and the runs before they were flushed, the tree's last key, and they.
    pub(super) flushed: Option<(Map, LastKey, SortedRuns, EditLog)>,
}

impl Memtable {
    /// What is edited from here on can be taken back, until this is called again.
    pub fn mark(&mut self) {
        self.undo = Some(Undo { mark: self.edits.mark(), flushed: None });
    }

    /// What is edited from here on can be taken back by itself, whatever is marked meanwhile, until [`Memtable::keep_undo_scope`] or
    /// [`Memtable::undo_scope`]. None of it goes into the tree before.
    pub fn begin_undo_scope(&mut self) {
        self.mark();
        self.scope = Some(self.edits.mark());
    }

    pub fn keep_undo_scope(&mut self) {
        self.scope = None;
    }

    /// Takes back what was edited since [`Memtable::begin_undo_scope`].
    pub fn undo_scope(&mut self) {
        self.undo();
        if let Some(scope) = self.scope.take() {
            self.edits.cut(scope);
            self.mark();
        }
    }

    /// Takes back what was edited since [`Memtable::mark`].
    pub fn undo(&mut self) {
        self.flushing = None;
        if let Some(Undo { mark, flushed }) = self.undo.take() {
            if let Some(before) = flushed {
                (self.map, self.last_key, self.runs, self.edits) = before;
                self.merging = None;
            }
            self.edits.cut(mark);
        }
        self.mark();
    }

    /// What has changed since then, or all where nothing was marked: a tree that has all edits until it was made, if there is one, and the edits
    /// behind these; a key may come twice, the newest edit last. False where the edits lie in runs.
    pub fn each_since(&self, since: Since, mut each: impl FnMut(Told<'_>)) -> bool {
        let (is_in_tree, from) = match (since, &self.undo) {
            (Since::Mark, Some(Undo { flushed: Some(_), .. })) => (true, None),
            (Since::Mark, Some(Undo { mark, .. })) => (false, Some(*mark)),
            (Since::UndoScope, _) if self.scope.is_some() => (false, self.scope),
            _ => (self.is_flushed(), None),
        };
        if is_in_tree {
            if !self.runs.is_empty() || !self.is_tree_of_rows() {
                return false;
            }
            each(Told::Tree(&self.map.root));
        }
        self.edits.since(from.unwrap_or_default()).for_each(|edit| each(Told::Edit(edit)));
        true
    }

    /// A tree of a redo record takes the place of what was edited here. Its chunks are in the store.
    pub fn replace(&mut self, root: &[u8]) -> Result<()> {
        let root = self.map.nodes.embedded(root)?;
        if !self.is_tree_of_rows() || root.kind() != Kind::Rows {
            return Err(redo::damaged());
        }
        self.flushed(Map { root, ..self.map.clone() }, SortedRuns::default());
        Ok(())
    }
}
