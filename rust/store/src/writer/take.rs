//! Adoption of whole new files by a store: all of them with one manifest.

use std::rc::Rc;

use codec::Address;
use region::Directory;

use super::target::Target;
use super::{Held, Writer};
use crate::StoreError;
use crate::files::{Files, JournalFile};
use crate::ghosts;
use crate::lazy::LAZY_PATH;
use crate::manifest::{ListedFile, Manifest, replace_file};
use crate::opened::Opened;

/// The store that a writer writes, as what something is copied to.
pub(crate) struct Taking<'a> {
    writer: &'a Writer,
    opened: &'a Opened,
}

impl Writer {
    pub(crate) fn target<'a>(&'a self, opened: &'a Opened) -> Taking<'a> {
        Taking { writer: self, opened }
    }
}

impl Target for Taking<'_> {
    fn opened(&self) -> &Opened {
        self.opened
    }

    fn directory(&self) -> &Rc<dyn Directory> {
        &self.writer.directory
    }

    /// Native Dolt has its temporary files there, too, and removes those that are old; a garbage collection leaves them alone.
    fn temporary(&self) -> &'static str {
        ".dolt/temptf/varve_"
    }

    fn now_ms(&self) -> u64 {
        (self.writer.options.clock)()
    }

    fn lock(&self) -> Result<Rc<Held>, StoreError> {
        self.writer.lock()
    }

    fn pending(&self, address: &Address) -> Option<Vec<u8>> {
        self.writer.pending(address)
    }

    /// As after a garbage collection, transactions of others that began before fail: what they lean on may be nowhere any more.
    fn complete(&self, seen: &dyn Fn(&Address) -> bool) -> Result<Vec<Address>, StoreError> {
        let Taking { writer, opened } = *self;
        let _held = writer.lock()?;
        writer.look(opened, true)?;
        let files = opened.files();
        if !files.manifest.is_lazy() {
            return Ok(Vec::new());
        }
        if writer.has_redo_of_others(opened)? {
            let why = "changes in its journal are still to be committed; try again";
            return Err(StoreError::ReadOnly(why));
        }
        let mut roots = writer.put_ever(opened);
        roots.push(files.root());
        roots.retain(|root| !root.is_empty() && !seen(root));
        if !roots.is_empty() {
            return Ok(roots);
        }
        writer.check_lease_of(opened)?;
        let manifest = &files.manifest;
        let ids = manifest.files.iter().map(|file| file.id);
        let gc_generation = Manifest::gc_generation_of(&files.root(), ids, false);
        let next = Manifest { gc_generation, ..manifest.clone().made_lazy(false) };
        next.write(writer.directory(), &opened.layout().manifest_path())?;
        let journal = files.journal.clone().map_or(JournalFile::None, JournalFile::Keep);
        let loss = files.loss.clone();
        let opened_files = opened.opener(writer.directory()).open_files(opened.layout(), next, journal)?;
        opened.set_files(Files { loss, ..opened_files });
        writer.follow(manifest.gc_generation, gc_generation);
        // Where it stays it says nothing any more.
        let _ = self.directory().remove(LAZY_PATH);
        Ok(Vec::new())
    }

    fn list(&self, files: &[ListedFile]) -> Result<(), StoreError> {
        let Taking { writer, opened } = *self;
        let _held = writer.lock()?;
        let generation = opened.files().manifest.gc_generation;
        writer.look(opened, true)?;
        let manifest = opened.files().manifest.clone();
        if manifest.gc_generation != generation {
            return Err(StoreError::Collected);
        }
        for file in files {
            // A collection of before it had a generation may have taken it.
            let path = format!("{}{}", opened.layout().folder(), file.id);
            let archive = format!("{path}.darc");
            let is_there =
                |path: &str| self.directory().open(path).map_err(|error| StoreError::file(&path.into(), error));
            if is_there(&path)?.is_none() && is_there(&archive)?.is_none() {
                return Err(StoreError::Collected);
            }
        }
        let mut listed = manifest.files.clone();
        listed.extend(files.iter().filter(|file| !manifest.lists(&file.id)));
        // The checkpoint stays: of a root that is only in the journal the newest records may be lost yet.
        let next = match manifest.is_absent() {
            // There is no database before its first root.
            true => Manifest { files: listed, ..manifest },
            false => {
                let next = manifest.next(manifest.root, listed);
                if !next.replace(writer.directory(), &opened.layout().manifest_path(), &manifest.lock)? {
                    return Err(StoreError::Collected);
                }
                next
            }
        };
        let journal = opened.files().journal.clone().map_or(JournalFile::None, JournalFile::Keep);
        let loss = opened.files().loss.clone();
        let opened_files = opened.opener(writer.directory()).open_files(opened.layout(), next, journal)?;
        opened.set_files(Files { loss, ..opened_files });
        Ok(())
    }

    fn add_ghosts(&self, ghosts: &[Address]) -> Result<(), StoreError> {
        let Taking { writer, opened } = *self;
        let _held = writer.lock()?;
        let mut all = opened.files().ghosts.clone();
        all.extend(ghosts);
        let path = opened.layout().ghosts_path();
        let text = ghosts::encode(&all);
        replace_file(writer.directory(), &path.as_str().into(), &format!("{path}.varve"), text.as_bytes())
    }

    fn keep(&self, roots: &[Address]) {
        let mut pending = self.writer.pending.borrow_mut();
        pending.note_generation(self.opened.files().manifest.gc_generation);
        roots.iter().for_each(|root| pending.is_elsewhere(*root));
    }
}
