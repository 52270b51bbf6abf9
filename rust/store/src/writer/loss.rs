//! Lost state before the first append: the dropped bytes are copied, and the manifest follows the journal (docs/format/store.md, section
//! 6.8).

use std::rc::Rc;

use region::Mode;

use super::Writer;
use crate::files::JournalFile;
use crate::journal::Journal;
use crate::opened::Opened;
use crate::{LossKind, StoreError};

/// Copies of dropped bytes at one offset, at most: more of them are the work of something that goes wrong again and again.
const COPIES_MAX: u32 = 100;

impl Writer {
    /// Whether the newest commit is lost, and the user has not accepted the older state.
    pub(crate) fn is_held_back(&self, opened: &Opened) -> bool {
        !self.options.accepts_loss && opened.files().lacks_root()
    }

    /// Keeps the bytes that the next append to `journal` cuts off, where they may be those of an acknowledged commit, and makes a root of
    /// the manifest of the root that is appended to. The caller has the lock and has caught up.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] when the newest commit is lost; what the host says.
    pub(crate) fn settle_loss(&self, opened: &Opened, journal: &Journal) -> Result<(), StoreError> {
        let files = opened.files();
        if files.loss.is_none() && !journal.is_torn() {
            return Ok(());
        }
        if self.is_held_back(opened) {
            return Err(StoreError::ReadOnly("its newest commit is lost"));
        }
        let is_alarm = |kind: LossKind| kind.is_alarm() || files.lacks_root();
        if journal.tail()?.is_some_and(|tail| is_alarm(tail.kind)) {
            self.keep_tail(opened, journal)?;
        }
        let mut manifest = files.manifest.clone();
        if files.lacks_root() {
            let next = manifest.next(files.root(), manifest.files.clone());
            if !next.replace(self.directory(), &opened.layout().manifest_path(), &manifest.lock)? {
                return Err(StoreError::Collected);
            }
            manifest = next;
        }
        if files.loss.is_some() {
            let journal = files.journal.clone().map_or(JournalFile::None, JournalFile::Keep);
            let mut files = opened.opener(self.directory()).open_files(opened.layout(), manifest, journal)?;
            files.loss = None;
            opened.set_files(files);
        }
        Ok(())
    }

    /// Copies the tail of `journal` beside it, unless there is a copy already.
    fn keep_tail(&self, opened: &Opened, journal: &Journal) -> Result<(), StoreError> {
        let stem = format!("{}_tail_{}", opened.layout().journal_path(), journal.end());
        let opener = opened.opener(self.directory());
        for copy in 1..=COPIES_MAX {
            let path = if copy == 1 { stem.clone() } else { format!("{stem}_{copy}") };
            let of_file = |error| StoreError::file(&Rc::from(path.as_str()), error);
            let there = self.directory.open(&path).map_err(of_file)?;
            let there = there.filter(|file| !file.is_empty()).map(|file| opener.mapping(file, &path, Mode::Pread));
            match there {
                Some(there) if journal.is_tail(&there)? => return Ok(()),
                Some(_) => {}
                None => {
                    let file = self.directory.create(&path).map_err(of_file)?;
                    return journal.copy_tail(&opener.mapping(file, &path, Mode::Pread));
                }
            }
        }
        Err(StoreError::ReadOnly("there are too many copies of bytes that were dropped from its journal"))
    }
}
