//! View of a transaction: the snapshots of the databases that it reads and changes, its savepoints, and the chunks that it keeps.

use std::rc::Rc;

use super::savepoints::Savepoint;
use super::snapshot::Snapshot;
use crate::engine::{Attached, Engine};

#[derive(Default)]
pub(super) struct View {
    pub snapshots: Vec<Snapshot>,
    pub savepoints: Vec<Savepoint>,
    /// The snapshots after the open writer was published.
    pub published: Vec<Snapshot>,
    /// Set once chunks were put that no commit has written.
    pub chunks: Option<PendingChunks>,
    /// Changes are moved from one branch to another, so the working sets of both may change.
    pub moves_changes: bool,
}

impl View {
    pub fn find(&self, attached: &Rc<Attached>) -> Option<&Snapshot> {
        self.snapshots.iter().find(|known| Rc::ptr_eq(&known.attached, attached))
    }

    pub fn find_mut(&mut self, attached: &Rc<Attached>) -> Option<&mut Snapshot> {
        self.snapshots.iter_mut().find(|known| Rc::ptr_eq(&known.attached, attached))
    }

    pub fn is_changed(&self) -> bool {
        self.snapshots.iter().any(Snapshot::is_changed)
    }

    /// Forgets all changes. What was looked at and not changed stays known. The chunks are released by dropping them, once nothing of the
    /// view is borrowed.
    pub fn close(&mut self) -> Option<PendingChunks> {
        self.published.clear();
        self.savepoints.clear();
        self.snapshots.retain(|snapshot| !snapshot.is_changed());
        self.moves_changes = false;
        self.chunks.take()
    }
}

/// Keeps the pending chunks of all databases while a transaction may need some: the last one to go forgets them.
pub(super) struct PendingChunks(Rc<Engine>);

impl PendingChunks {
    pub fn keep(engine: &Rc<Engine>) -> PendingChunks {
        engine.writers.set(engine.writers.get() + 1);
        PendingChunks(engine.clone())
    }
}

impl Drop for PendingChunks {
    fn drop(&mut self) {
        let writers = self.0.writers.get().saturating_sub(1);
        self.0.writers.set(writers);
        if writers == 0 {
            self.0.databases().iter().for_each(|a| a.database.objects().nodes().chunks().forget_pending());
        }
    }
}
