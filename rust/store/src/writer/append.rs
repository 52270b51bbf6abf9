//! Appends chunks and roots to the journal, and writes the manifest that lists it.

use std::rc::Rc;

use codec::Address;

use super::{Root, Tail, Writer};
use crate::files::JournalFile;
use crate::journal::{Appender, Journal, Room};
use crate::manifest::ListedFile;
use crate::opened::Opened;
use crate::record::Packing;
use crate::{Durability, StoreError};

impl Writer {
    /// Moves all pending chunks to the journal. Without a root after them they mean nothing to others.
    pub(super) fn append_early(&self, opened: &Opened) -> Result<(), StoreError> {
        let _held = self.lock()?;
        self.look(opened, true)?;
        // A database that is not there yet stays in memory, as one step.
        if opened.files().manifest.is_absent() {
            return Ok(());
        }
        let journal = self.listed_journal(opened)?;
        let addresses = self.pending.borrow().addresses();
        self.append(opened, &journal, &addresses, None)?;
        self.pending.borrow_mut().are_elsewhere(addresses);
        self.early_at_bytes.set(self.options.pending_bytes_max);
        Ok(())
    }

    /// The journal, made part of the store if it is none: from then on new chunks go there.
    pub(super) fn listed_journal(&self, opened: &Opened) -> Result<Rc<Journal>, StoreError> {
        let files = opened.files();
        if let Some(journal) = files.journal.as_ref().filter(|_| files.lists_journal()) {
            return Ok(journal.clone());
        }
        // An unlisted one was left by a collection, and may have been removed after it was opened here.
        let opener = opened.opener(&*self.directory);
        let journal = match opener.open_journal(opened.layout(), &files.manifest)? {
            Some(journal) => journal,
            None => opener.create_journal(opened.layout())?,
        };
        // A root in a journal that is not listed yet must be one whose chunks are elsewhere.
        let address = files.root();
        if journal.root() != Some(address) && !address.is_empty() {
            self.append(opened, &journal, &[], Some(Root { address, is_loose: false }))?;
        }
        let mut listed = files.manifest.files.clone();
        listed.push(ListedFile { id: Address::JOURNAL, chunks: 0 });
        let manifest = files.manifest.next(address, listed);
        let path = opened.layout().manifest_path();
        if !manifest.replace(&*self.directory, &path, &files.manifest.lock)? {
            return Err(StoreError::Collected);
        }
        let files = opened.opener(&*self.directory).open_files(
            opened.layout(),
            manifest,
            JournalFile::Keep(journal.clone()),
        )?;
        opened.set_files(files);
        Ok(journal)
    }

    /// The first commit of a new store: the journal, safe, and then the manifest that makes it a database.
    pub(super) fn append_first(&self, opened: &Opened, to: &Address, chunks: &[Address]) -> Result<(), StoreError> {
        let opener = opened.opener(&*self.directory);
        let journal = opener.create_journal(opened.layout())?;
        self.append(opened, &journal, chunks, Some(Root { address: *to, is_loose: false }))?;
        let absent = opened.files().manifest.clone();
        // Files that were copied before have waited for this.
        let mut files = absent.files.clone();
        files.push(ListedFile { id: Address::JOURNAL, chunks: chunks.len() as u32 });
        let manifest = absent.next(*to, files);
        let path = opened.layout().manifest_path();
        self.first.set(Some(manifest.lock));
        if !manifest.replace(&*self.directory, &path, &absent.lock)? {
            return Err(StoreError::Exists { file: path });
        }
        opened.set_files(opener.open_files(opened.layout(), manifest, JournalFile::Keep(journal))?);
        Ok(())
    }

    /// Appends those of `chunks` that are pending, and `root`, which is flushed unless it is loose. On failure nothing has happened.
    pub(super) fn append(
        &self,
        opened: &Opened,
        journal: &Journal,
        chunks: &[Address],
        root: Option<Root>,
    ) -> Result<(), StoreError> {
        let now_ms = (self.options.clock)();
        let is_flushed = root.is_some_and(|root| !root.is_loose);
        self.append_records(opened, journal, is_flushed, |appender| {
            self.write_records(appender, journal, chunks, root, now_ms / 1000)
        })?;
        if let Some(Root { is_loose, .. }) = root {
            self.tail.set(match self.tail.get() {
                _ if !is_loose => Tail::Settled,
                Tail::Unflushed { since_ms } => Tail::Unflushed { since_ms },
                Tail::Settled | Tail::Flushed { .. } => Tail::Unflushed { since_ms: now_ms },
            });
        }
        Ok(())
    }

    /// Appends what `write` writes, and flushes it if it is to be. On failure nothing has happened.
    pub(super) fn append_records(
        &self,
        opened: &Opened,
        journal: &Journal,
        is_flushed: bool,
        write: impl FnOnce(&mut Appender<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.check_lease(opened, journal)?;
        self.settle_loss(opened, journal)?;
        let mut appender = Appender::new(journal)?;
        let flush = || if is_flushed { self.flush(opened, journal) } else { Ok(()) };
        if let Err(error) = write(&mut appender).and_then(|()| flush()) {
            self.is_broken.set(appender.undo().is_err());
            return Err(error);
        }
        opened.counters.update(|stats| stats.appended_bytes += appender.len());
        appender.keep();
        Ok(())
    }

    fn write_records(
        &self,
        appender: &mut Appender<'_>,
        journal: &Journal,
        chunks: &[Address],
        root: Option<Root>,
        seconds: u64,
    ) -> Result<(), StoreError> {
        if let (Tail::Flushed { end }, Some(Root { is_loose: true, .. }), Some(last)) =
            (self.tail.get(), root, journal.root())
            && end == journal.end()
        {
            // Everything before this record is safe: damage there is not the work of a crash.
            appender.root(&last, seconds, false);
        }
        self.write_chunks(appender, chunks)?;
        if let Some(Root { address, is_loose }) = root {
            appender.root(&address, seconds, is_loose);
            if journal.is_busy() {
                appender.leave_room(if is_loose { Room::Length } else { Room::Written });
            }
        }
        appender.write()
    }

    /// Appends those of `chunks` that are pending.
    pub(super) fn write_chunks(&self, appender: &mut Appender<'_>, chunks: &[Address]) -> Result<(), StoreError> {
        let pending = self.pending.borrow();
        let mut chunks = chunks.iter().filter_map(|address| Some((address, pending.get(address)?)));
        chunks.try_for_each(|(address, chunk)| appender.chunk(address, chunk, Packing::Small))
    }

    pub(super) fn flush(&self, opened: &Opened, journal: &Journal) -> Result<(), StoreError> {
        opened.counters.update(|stats| stats.flushes += 1);
        journal.flush()
    }

    pub(super) fn is_relaxed(&self) -> bool {
        self.options.durability != Durability::Full
    }
}
