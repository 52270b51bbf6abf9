//! Garbage collection of a store in files, in Dolt's order of durable steps: the old generation, the new one, the manifest that drops the
//! journal, then the removal of unreferenced files.

use std::rc::Rc;

use codec::{Address, CompactSort};

use super::{CollectMode, Collection, Progress};
use crate::StoreError;
use crate::archive::{ArchiveWriter, NamelessArchive};
use crate::files::{Files, JournalFile};
use crate::manifest::{ListedFile, Manifest};
use crate::opened::Opened;
use crate::writer::{Alone, Writer};

/// What is done next. One that the host has to prepare something for is entered again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    Begin,
    Copy(Generation),
    Name(Generation),
    ListOld,
    Swap,
    /// Of a full collection: drops what the old generation was before.
    SwapOld,
    FindUnused,
    RemoveUnused,
    Done,
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Generation {
    Old,
    New,
}

impl Generation {
    fn folder(self, opened: &Opened) -> String {
        match self {
            Generation::Old => format!("{}oldgen/", opened.layout().folder()),
            Generation::New => opened.layout().folder().to_owned(),
        }
    }
}

/// What a collection of files has between its steps.
#[derive(Default)]
pub(super) struct OfFiles {
    phase: Phase,
    /// Of the writers, for as long as the collection runs.
    lock: Option<Alone>,
    writing: Option<ArchiveWriter>,
    /// Whole, but not under its name yet.
    nameless: Option<NamelessArchive>,
    /// Bytes of the files that are whole.
    finished_bytes: u64,
    old: Option<ListedFile>,
    new: Option<ListedFile>,
    unused: Vec<String>,
}

impl Collection {
    /// One step: at most `chunks_max` chunks, or one operation on files.
    pub(crate) fn step(&mut self, opened: &Opened, writer: &Writer, chunks_max: usize) -> Result<Progress, StoreError> {
        let outcome = match self.of_files.phase {
            Phase::Begin => self.begin(opened, writer),
            Phase::Copy(generation) => self.copy(opened, writer, generation, chunks_max),
            Phase::Name(generation) => self.name(opened, writer, generation),
            Phase::ListOld => self.list_old(opened, writer),
            Phase::Swap => self.swap(opened, writer),
            Phase::SwapOld => self.swap_old(opened, writer),
            Phase::FindUnused => self.find_unused(opened, writer),
            Phase::RemoveUnused => self.remove_unused(writer),
            Phase::Done => Ok(Phase::Done),
            Phase::Failed => return Err(StoreError::ReadOnly("its garbage collection failed; begin another one")),
        };
        match outcome {
            Ok(Phase::Done) => self.of_files = OfFiles { phase: Phase::Done, ..OfFiles::default() },
            Ok(phase) => self.of_files.phase = phase,
            Err(error) if error.is_wait() => return Err(error),
            Err(error) => {
                self.of_files = OfFiles { phase: Phase::Failed, ..OfFiles::default() };
                return Err(error);
            }
        }
        Ok(Progress { is_done: self.of_files.phase == Phase::Done, ..self.progress })
    }

    fn begin(&mut self, opened: &Opened, writer: &Writer) -> Result<Phase, StoreError> {
        let alone = writer.lock_alone()?;
        writer.look(opened, true)?;
        if writer.has_redo_of_others(opened)? {
            let why = "changes in its journal are still to be committed; begin another garbage collection";
            return Err(StoreError::ReadOnly(why));
        }
        self.of_files.lock = Some(alone);
        // Transactions of this process go on afterwards.
        self.kept.extend(writer.put_ever(opened));
        let files = opened.files();
        if files.manifest.is_absent() || files.root().is_empty() {
            return Ok(Phase::Done);
        }
        if self.mode == CollectMode::Shallow {
            return Ok(Phase::FindUnused);
        }
        self.walk.start(self.history.iter().copied());
        Ok(Phase::Copy(Generation::Old))
    }

    /// Copies what the walk finds to an archive of `generation`.
    fn copy(
        &mut self,
        opened: &Opened,
        writer: &Writer,
        generation: Generation,
        chunks_max: usize,
    ) -> Result<Phase, StoreError> {
        let files = opened.files();
        for _ in 0..chunks_max.max(1) {
            let Some(address) = self.walk.next() else {
                return self.finish_copy(&files, generation);
            };
            if let Err(error) = self.copy_chunk(opened, &files, writer, generation, &address) {
                self.walk.put_back(address);
                return Err(error);
            }
        }
        Ok(Phase::Copy(generation))
    }

    fn copy_chunk(
        &mut self,
        opened: &Opened,
        files: &Files,
        writer: &Writer,
        generation: Generation,
        address: &Address,
    ) -> Result<(), StoreError> {
        // The old generation is complete in itself: what it has leads to nothing that it has not.
        if self.mode == CollectMode::Default && files.has_old(address)? {
            return Ok(());
        }
        let chunk = match writer.pending(address).map_or_else(|| opened.read(address), Ok) {
            Err(StoreError::Ghost(_)) => return Ok(()),
            outcome => outcome?,
        };
        if self.of_files.writing.is_none() {
            // Native Dolt removes files of such names.
            let temporary = format!("{}nbs_table_varve", generation.folder(opened));
            let archive = ArchiveWriter::create(writer.directory(), temporary)?;
            self.of_files.writing = Some(archive);
        }
        self.walk.follow(&self.references, address, &chunk)?;
        if let Some(archive) = &mut self.of_files.writing {
            archive.add(*address, chunk)?;
            self.progress.chunks += 1;
            self.progress.bytes = self.of_files.finished_bytes + archive.bytes();
        }
        Ok(())
    }

    fn finish_copy(&mut self, files: &Files, generation: Generation) -> Result<Phase, StoreError> {
        if let Some(archive) = self.of_files.writing.take() {
            let archive = archive.finish()?;
            self.of_files.finished_bytes += archive.bytes;
            self.progress.bytes = self.of_files.finished_bytes;
            self.of_files.nameless = Some(archive);
            return Ok(Phase::Name(generation));
        }
        Ok(self.after(files, generation))
    }

    /// What follows when a generation has its file, or needs none.
    fn after(&mut self, files: &Files, generation: Generation) -> Phase {
        match generation {
            Generation::Old if self.of_files.old.is_some() => Phase::ListOld,
            Generation::Old => {
                let roots: Vec<Address> = self.roots(files.root()).collect();
                self.walk.start(roots);
                Phase::Copy(Generation::New)
            }
            Generation::New => Phase::Swap,
        }
    }

    fn name(&mut self, opened: &Opened, writer: &Writer, generation: Generation) -> Result<Phase, StoreError> {
        let files = opened.files();
        let Some(archive) = &self.of_files.nameless else { return Ok(self.after(&files, generation)) };
        let folder = generation.folder(opened);
        let manifest = match generation {
            Generation::Old => Manifest::read(writer.directory(), &format!("{folder}manifest").into())?,
            Generation::New => Some(files.manifest.clone()),
        };
        let is_there = manifest.is_some_and(|manifest| manifest.lists(&archive.id));
        archive.name(writer.directory(), &folder, is_there)?;
        let listed = Some(ListedFile { id: archive.id, chunks: archive.chunks });
        match generation {
            Generation::Old => self.of_files.old = listed,
            Generation::New => self.of_files.new = listed,
        }
        self.of_files.nameless = None;
        Ok(self.after(&files, generation))
    }

    /// Adds the new file to the old generation.
    fn list_old(&mut self, opened: &Opened, writer: &Writer) -> Result<Phase, StoreError> {
        let (path, manifest) = old_manifest(opened, writer)?;
        if let Some(added) = self.of_files.old.filter(|added| !manifest.lists(&added.id)) {
            let mut listed = manifest.files.clone();
            listed.push(added);
            replace(&manifest.next(Address::EMPTY, listed), writer, &path, &manifest.lock)?;
        }
        let roots: Vec<Address> = self.roots(opened.files().root()).collect();
        self.walk.start(roots);
        Ok(Phase::Copy(Generation::New))
    }

    /// Makes the new files the store, without the journal.
    fn swap(&mut self, opened: &Opened, writer: &Writer) -> Result<Phase, StoreError> {
        let files = opened.files();
        // The new manifest drops the journal: what another writer appended would go with it.
        writer.check_lease_of(opened)?;
        let (root, listed) = (files.root(), Vec::from_iter(self.of_files.new));
        let is_full = self.mode == CollectMode::Full;
        let gc_generation = Manifest::gc_generation_of(&root, listed.iter().map(|file| file.id), is_full);
        let manifest = Manifest { gc_generation, ..files.manifest.next(root, listed) };
        replace(&manifest, writer, &opened.layout().manifest_path(), &files.manifest.lock)?;
        if is_full {
            return Ok(Phase::SwapOld);
        }
        open_swapped(opened, writer, manifest)?;
        Ok(Phase::FindUnused)
    }

    fn swap_old(&mut self, opened: &Opened, writer: &Writer) -> Result<Phase, StoreError> {
        let (path, manifest) = old_manifest(opened, writer)?;
        if !manifest.is_absent() {
            let listed = Vec::from_iter(self.of_files.old);
            let gc_generation = Manifest::gc_generation_of(&Address::EMPTY, listed.iter().map(|file| file.id), true);
            let swapped = Manifest { gc_generation, ..manifest.next(Address::EMPTY, listed) };
            replace(&swapped, writer, &path, &manifest.lock)?;
        }
        let path = opened.layout().manifest_path();
        let manifest = Manifest::read(writer.directory(), &path)?.ok_or(StoreError::NoManifest { file: path })?;
        open_swapped(opened, writer, manifest)?;
        Ok(Phase::FindUnused)
    }

    /// Lists the files of the store that no manifest names.
    fn find_unused(&mut self, opened: &Opened, writer: &Writer) -> Result<Phase, StoreError> {
        let files = opened.files();
        let old = old_manifest(opened, writer)?.1;
        for (generation, manifest) in [(Generation::New, &files.manifest), (Generation::Old, &old)] {
            let folder = generation.folder(opened);
            let names = writer.directory().list(folder.trim_end_matches('/'));
            let names = names.map_err(|error| StoreError::file(&folder.as_str().into(), error))?.unwrap_or_default();
            let has_journal = manifest.lists(&Address::JOURNAL);
            let is_unused = |name: &String| match name.strip_suffix(".darc").unwrap_or(name).parse::<Address>() {
                Ok(id) => !manifest.lists(&id),
                Err(_) => name.starts_with("nbs_table_") || name == "journal.idx" && !has_journal,
            };
            let unused = names.into_iter().filter(is_unused).map(|name| format!("{folder}{name}"));
            self.of_files.unused.extend(unused);
        }
        // The index before its journal: alone it would mean nothing, and be taken for that of the next one.
        self.of_files.unused.compact_sort_by_key(|path| !path.ends_with("journal.idx"));
        self.of_files.unused.reverse();
        Ok(Phase::RemoveUnused)
    }

    fn remove_unused(&mut self, writer: &Writer) -> Result<Phase, StoreError> {
        let Some(path) = self.of_files.unused.last() else { return Ok(Phase::Done) };
        match writer.directory().remove(path) {
            Err(error @ region::FileError::Wait) => return Err(StoreError::file(&path.as_str().into(), error)),
            // Another process may still have it open. The next collection finds it again.
            Err(_) => {}
            Ok(()) => self.progress.removed += 1,
        }
        self.of_files.unused.pop();
        Ok(Phase::RemoveUnused)
    }
}

fn replace(manifest: &Manifest, writer: &Writer, path: &Rc<str>, last: &Address) -> Result<(), StoreError> {
    if manifest.replace(writer.directory(), path, last)? { Ok(()) } else { Err(StoreError::Collected) }
}

/// The manifest of the old generation, or an empty one, and its path.
fn old_manifest(opened: &Opened, writer: &Writer) -> Result<(Rc<str>, Manifest), StoreError> {
    let path: Rc<str> = format!("{}manifest", Generation::Old.folder(opened)).into();
    let manifest = Manifest::read(writer.directory(), &path)?;
    Ok((path, manifest.unwrap_or_else(Manifest::absent)))
}

/// Opens the files of after the swap. The journal of before is not one of them, though it is still there.
fn open_swapped(opened: &Opened, writer: &Writer, manifest: Manifest) -> Result<(), StoreError> {
    let opener = opened.opener(writer.directory());
    let (before, after) = (opened.files().manifest.gc_generation, manifest.gc_generation);
    opened.set_files(opener.open_files(opened.layout(), manifest, JournalFile::None)?);
    writer.follow(before, after);
    Ok(())
}
