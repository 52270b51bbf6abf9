//! Compare-and-swap of a remote's root: the root changes together with the new files, in one step, if it is still the expected one.

use std::rc::Rc;

use codec::Address;
use region::FileError;

use super::Remote;
use crate::archive::{ArchiveWriter, NamelessArchive};
use crate::copy::Target;
use crate::layout::Layout;
use crate::manifest::{ListedFile, Manifest};
use crate::writer::Held;
use crate::{Chunks, Committed, StoreError};

const MANIFEST_TEMPORARY: &str = "nbs_manifest_varve";

/// A change of the root that is under way. The lock is kept while the host has something to do.
pub(super) struct Swap {
    from: Address,
    to: Address,
    _held: Rc<Held>,
    /// Where the new chunks are written first.
    temporary: String,
    /// The new chunks, and whether their file has its name.
    small: Option<NamelessArchive>,
    is_named: bool,
    /// The manifest that is to be, once it is written under another name.
    next: Option<Manifest>,
}

impl Remote {
    /// Makes `to` the root if it is still `from`, with `chunks`, which are pending, and all that is staged.
    pub(super) fn swap_root(&self, from: &Address, to: &Address, chunks: &[Address]) -> Result<Committed, StoreError> {
        let waiting = self.swap.borrow_mut().take().filter(|swap| swap.from == *from && swap.to == *to);
        let mut swap = match waiting {
            Some(swap) => swap,
            None => {
                let held = self.lock()?;
                self.look()?;
                if self.root() != *from {
                    return Ok(Committed::Moved);
                }
                let has_staged = !self.staged.borrow().is_empty();
                if has_staged && self.generation.get() != self.manifest().gc_generation {
                    return Err(StoreError::Collected);
                }
                if from == to && !has_staged {
                    return Ok(Committed::Done);
                }
                // There is only one of it, for its writer holds the lock.
                let temporary = format!("{}{}_root", self.temporary(), self.now_ms());
                Swap { from: *from, to: *to, _held: held, temporary, small: None, is_named: false, next: None }
            }
        };
        match self.go_on(&mut swap, chunks) {
            Err(error) if error.is_wait() => {
                *self.swap.borrow_mut() = Some(swap);
                Err(error)
            }
            Err(StoreError::Region(region::RegionError::File { error: FileError::Moved, .. })) => {
                drop(swap);
                self.look()?;
                Ok(Committed::Moved)
            }
            Err(error) => {
                if !swap.is_named {
                    let _ = self.directory.remove(&swap.temporary);
                }
                Err(error)
            }
            Ok(manifest) => {
                let mut pending = self.pending.borrow_mut();
                chunks.iter().for_each(|address| drop(pending.remove(address)));
                drop(pending);
                // It is done, whatever becomes of looking at it.
                if self.adopt(manifest, Some(*to)).is_err() {
                    self.opened.root.set(*to);
                }
                Ok(Committed::Done)
            }
        }
    }

    fn go_on(&self, swap: &mut Swap, chunks: &[Address]) -> Result<Manifest, StoreError> {
        let manifest = self.manifest();
        let has_chunks = chunks.iter().any(|address| self.is_pending(address));
        if swap.small.is_none() && has_chunks {
            let mut archive = ArchiveWriter::create(&*self.directory, swap.temporary.clone())?;
            let pending = self.pending.borrow();
            for address in chunks {
                if let Some(chunk) = pending.get(address) {
                    archive.add(*address, chunk.clone())?;
                }
            }
            swap.small = Some(archive.finish()?);
        }
        if let Some(small) = swap.small.as_ref().filter(|_| !swap.is_named) {
            small.name(&*self.directory, "", manifest.lists(&small.id))?;
            swap.is_named = true;
        }
        let path = Layout::Remote.manifest_path();
        let of_file = |error| StoreError::file(&path, error);
        if swap.next.is_none() {
            let mut files = manifest.files.clone();
            let small = swap.small.as_ref().map(|small| ListedFile { id: small.id, chunks: small.chunks });
            for file in self.staged.borrow().iter().copied().chain(small) {
                if !files.iter().any(|known| known.id == file.id) {
                    files.push(file);
                }
            }
            let next = manifest.next(swap.to, files);
            let file = self.directory.create(MANIFEST_TEMPORARY).map_err(of_file)?;
            file.write_at(0, next.to_string().as_bytes()).map_err(of_file)?;
            file.flush().map_err(of_file)?;
            swap.next = Some(next);
        }
        self.directory.rename(MANIFEST_TEMPORARY, &path).map_err(of_file)?;
        Ok(swap.next.take().unwrap_or(manifest))
    }
}
