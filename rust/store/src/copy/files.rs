//! Copy target in files: archives under names of their own, which one manifest lists together.

use std::rc::Rc;

use region::{Directory, FileError};

use super::complete::Both;
use super::whole::OfWhole;
use super::{Copied, Copy, Target};
use crate::archive::{ArchiveWriter, NamelessArchive};
use crate::manifest::ListedFile;
use crate::writer::Held;
use crate::{Chunks, StoreError};
use codec::Address;

/// Bytes at which the next file begins, as in native Dolt.
pub(super) const FILE_BYTES_MAX: u64 = 1 << 30;
/// Age after which a file under construction counts as orphaned; native Dolt waits as long.
const LEFT_MS: u64 = 24 * 60 * 60 * 1000;
/// Names that are tried: so many copies at once are the work of something that goes wrong again and again.
const NAMES_MAX: u64 = 10_000;

/// What is done next. One that the host has to prepare something for is entered again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Phase {
    #[default]
    Begin,
    Walk,
    Name,
    Whole,
    List,
    Verify,
    Done,
    Failed,
}

/// What a copy to files has between its steps.
#[derive(Default)]
pub(super) struct OfFiles {
    pub(super) phase: Phase,
    /// Of the target when the copy began: what it has leans on nothing that goes.
    generation: Address,
    /// Temporary files that were left by others, to be removed.
    left: Vec<String>,
    /// A path that the host was asked to make a file at.
    chosen: Option<String>,
    /// The path of the file that is written, until it has its name.
    pub(super) temporary: Option<Temporary>,
    writing: Option<ArchiveWriter>,
    nameless: Option<NamelessArchive>,
    finished_bytes: u64,
    pub(super) named: Vec<ListedFile>,
    pub(super) whole: OfWhole,
}

impl Copy {
    /// One step: at most `chunks_max` chunks, or one operation on files.
    pub(crate) fn step(
        &mut self,
        target: &dyn Target,
        source: &dyn Chunks,
        chunks_max: usize,
    ) -> Result<Copied, StoreError> {
        let outcome = match self.of_files.phase {
            Phase::Begin => self.begin(target, source),
            Phase::Walk => self.copy(target, source, chunks_max),
            Phase::Name => self.name(target),
            Phase::Whole => self.copy_whole(target, chunks_max),
            Phase::List => self.list(target),
            Phase::Verify => self.verify(target, chunks_max),
            Phase::Done => Ok(Phase::Done),
            Phase::Failed => return Err(StoreError::ReadOnly("copying to it failed; begin anew")),
        };
        match outcome {
            Ok(phase) => self.of_files.phase = phase,
            Err(error) if error.is_wait() => return Err(error),
            Err(error) => {
                self.of_files = OfFiles { phase: Phase::Failed, ..OfFiles::default() };
                return Err(error);
            }
        }
        self.progress.is_done = self.of_files.phase == Phase::Done;
        Ok(self.progress)
    }

    fn begin(&mut self, target: &dyn Target, source: &dyn Chunks) -> Result<Phase, StoreError> {
        if let Some(path) = self.of_files.left.last() {
            match target.directory().remove(path) {
                Err(error @ FileError::Wait) => return Err(StoreError::file(&path.as_str().into(), error)),
                // It is found again by the next copy.
                Err(_) | Ok(()) => drop(self.of_files.left.pop()),
            }
        } else {
            self.of_files.generation = target.opened().files().manifest.gc_generation;
            self.of_files.left = left(target)?;
        }
        if !self.of_files.left.is_empty() {
            return Ok(Phase::Begin);
        }
        let is_new = target.opened().files().manifest.is_absent();
        if self.copies_files && is_new && self.begin_whole(source)? {
            return Ok(Phase::Whole);
        }
        Ok(Phase::Walk)
    }

    fn copy(&mut self, target: &dyn Target, source: &dyn Chunks, chunks_max: usize) -> Result<Phase, StoreError> {
        if !self.walk.next(chunks_max, target, &self.roots, self.completes)? {
            let Some(archive) = self.of_files.writing.take() else { return Ok(Phase::List) };
            return self.finish(archive);
        }
        if !self.walk.present.is_empty() {
            self.follow_present(target)?;
            return Ok(Phase::Walk);
        }
        if self.walk.absent.is_empty() {
            return Ok(Phase::Walk);
        }
        let of_files = &mut self.of_files;
        let mut archive = match of_files.writing.take() {
            Some(archive) => archive,
            None => ArchiveWriter::create(&**target.directory(), of_files.temporary(target)?)?,
        };
        let progress = &mut self.progress;
        let both = Both { now: source, then: target.opened() };
        let source = if self.completes { &both } else { source };
        let read = self.walk.read(source, &self.references, &mut |address, chunk| {
            archive.add(address, chunk)?;
            progress.chunks += 1;
            progress.bytes = of_files.finished_bytes + archive.bytes();
            Ok(())
        });
        let bytes = if self.completes { archive.bytes_to_be() } else { archive.bytes() };
        if read.is_ok() && bytes >= self.file_bytes_max {
            return self.finish(archive);
        }
        of_files.writing = Some(archive);
        read.map(|()| Phase::Walk)
    }

    fn finish(&mut self, archive: ArchiveWriter) -> Result<Phase, StoreError> {
        let archive = archive.finish()?;
        self.of_files.finished_bytes += archive.bytes;
        self.progress.bytes = self.of_files.finished_bytes;
        self.of_files.nameless = Some(archive);
        Ok(Phase::Name)
    }

    fn name(&mut self, target: &dyn Target) -> Result<Phase, StoreError> {
        let of_files = &mut self.of_files;
        if let Some(archive) = &of_files.nameless {
            let opened = target.opened();
            let is_there = opened.files().manifest.lists(&archive.id);
            archive.name(&**target.directory(), opened.layout().folder(), is_there)?;
            of_files.named.push(ListedFile { id: archive.id, chunks: archive.chunks });
        }
        of_files.nameless = None;
        of_files.named_temporary();
        if self.completes {
            target.list(&of_files.named)?;
            of_files.named.clear();
        }
        // There may be more to walk.
        Ok(Phase::Walk)
    }

    fn list(&mut self, target: &dyn Target) -> Result<Phase, StoreError> {
        if target.opened().files().manifest.gc_generation != self.of_files.generation {
            return Err(StoreError::Collected);
        }
        if self.completes {
            let more = target.complete(&|address| self.walk.seen.contains(address))?;
            let is_done = more.is_empty();
            self.walk.stack.extend(more);
            return Ok(if is_done { Phase::Done } else { Phase::Walk });
        }
        if !self.ghosts.is_empty() {
            target.add_ghosts(&self.ghosts)?;
        }
        if !self.of_files.named.is_empty() {
            target.list(&self.of_files.named)?;
        }
        target.keep(&self.roots);
        Ok(if self.of_files.whole.is_begun() { Phase::Verify } else { Phase::Done })
    }
}

/// A file without its name. It goes with this; if it cannot be removed now, a later copy does that.
pub(super) struct Temporary {
    directory: Rc<dyn Directory>,
    path: String,
    is_named: bool,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_named {
            let _ = self.directory.remove(&self.path);
        }
    }
}

impl OfFiles {
    /// The file that was written has its name.
    pub(super) fn named_temporary(&mut self) {
        if let Some(mut temporary) = self.temporary.take() {
            temporary.is_named = true;
        }
    }

    /// The path of the file that is written next: unused by other writers.
    pub(super) fn temporary(&mut self, target: &dyn Target) -> Result<String, StoreError> {
        if let Some(temporary) = &self.temporary {
            return Ok(temporary.path.clone());
        }
        let of_file = |path: &str, error| StoreError::file(&path.into(), error);
        let directory = target.directory();
        // Others who have the lock find the file.
        let _lock: Rc<Held> = target.lock()?;
        if self.chosen.is_none() {
            let begin = format!("{}{}_", target.temporary(), target.now_ms());
            for number in 0..NAMES_MAX {
                let path = format!("{begin}{number}");
                if directory.open(&path).map_err(|error| of_file(&path, error))?.is_none() {
                    self.chosen = Some(path);
                    break;
                }
            }
        }
        let too_many = StoreError::ReadOnly("too many files are being written to it");
        let path = self.chosen.clone().ok_or(too_many)?;
        directory.create(&path).map_err(|error| of_file(&path, error))?;
        self.chosen = None;
        self.temporary = Some(Temporary { directory: directory.clone(), path: path.clone(), is_named: false });
        Ok(path)
    }
}

/// Temporary files of copies that are long over.
fn left(target: &dyn Target) -> Result<Vec<String>, StoreError> {
    let begin = target.temporary();
    let (folder, name_begin) = begin.rsplit_once('/').unwrap_or(("", begin));
    let names = target.directory().list(folder).map_err(|error| StoreError::file(&begin.into(), error))?;
    let is_left = |name: &&String| {
        let since_ms = name.strip_prefix(name_begin).and_then(|rest| rest.split('_').next()?.parse::<u64>().ok());
        since_ms.is_some_and(|since_ms| since_ms.saturating_add(LEFT_MS) < target.now_ms())
    };
    let names = names.unwrap_or_default();
    let path = |name: &String| if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
    Ok(names.iter().filter(is_left).map(path).collect())
}
