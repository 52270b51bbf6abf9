//! The open files of a store, as one manifest lists them.

use std::rc::Rc;

use codec::Address;
use hashbrown::HashSet;
use region::{Directory, File, Mapping, Mode, Region};

use crate::archive::Archive;
use crate::journal::Journal;
use crate::layout::Layout;
use crate::lazy::{Elsewhere, LazyClone};
use crate::manifest::{GIT_LFS, Manifest};
use crate::source::Source;
use crate::table_file::TableFile;
use crate::{Loss, LossKind, OpenOptions, StoreError, Verify, ghosts};

/// A pointer of Git LFS is shorter than this.
const GIT_LFS_BYTES_MAX: u64 = 1024;

/// No footer of a table file or an archive is longer.
const FOOTER_BYTES_MAX: u64 = 1024;

/// How often an open starts over because a listed file was gone: a collection may have replaced the manifest meanwhile.
pub(crate) const ATTEMPTS_MAX: u32 = 5;

/// Both generations, the journal and the ghosts. What is in them changes only by the journal's growth.
pub(crate) struct Files {
    pub(crate) manifest: Manifest,
    /// Of a database, if it has one, whether the manifest lists it or not.
    pub(crate) journal: Option<Rc<Journal>>,
    /// Everything that has chunks, the journal first. An unlisted journal has none that count.
    pub(crate) sources: Vec<Rc<dyn Source>>,
    /// Where the old generation begins in them.
    pub(crate) old_start: usize,
    /// Of a lazy clone, the files of the remote.
    pub(crate) elsewhere: Option<Rc<Elsewhere>>,
    pub(crate) ghosts: HashSet<Address>,
    /// Why the root may not be the newest one.
    pub(crate) loss: Option<Loss>,
}

impl Files {
    /// Those of a store that is not there yet.
    pub(crate) fn absent() -> Files {
        let (journal, sources, old_start, elsewhere, ghosts, loss) = Default::default();
        Files { manifest: Manifest::absent(), journal, sources, old_start, elsewhere, ghosts, loss }
    }

    /// A file by the number that a search gave it: those of the remote come behind the others.
    pub(crate) fn source(&self, number: usize) -> Option<&Rc<dyn Source>> {
        self.sources.get(number).or_else(|| self.elsewhere.as_ref()?.source(number - self.sources.len()))
    }

    /// Whether the file with this number is one of a remote that a lazy clone leans on.
    pub(crate) fn is_elsewhere(&self, number: usize) -> bool {
        number >= self.sources.len()
    }

    /// What an error about the file with this number means.
    pub(crate) fn told(&self, number: usize, error: StoreError) -> StoreError {
        match &self.elsewhere {
            Some(elsewhere) if self.is_elsewhere(number) => elsewhere.told(number - self.sources.len(), error),
            _ => error,
        }
    }

    /// The current root: the journal's last one, or else the manifest's.
    pub(crate) fn root(&self) -> Address {
        match &self.journal {
            Some(journal) if !self.manifest.is_absent() => journal.root().unwrap_or(self.manifest.root),
            _ => self.manifest.root,
        }
    }

    /// Whether the manifest names a root that the journal has not: the commit of that root was acknowledged, and is lost.
    pub(crate) fn lacks_root(&self) -> bool {
        self.loss.as_ref().is_some_and(|loss| loss.kind == LossKind::MissingRoot)
    }

    /// Why the root may not be the newest one.
    fn find_loss(&self) -> Result<Option<Loss>, StoreError> {
        let Some(journal) = &self.journal else { return Ok(None) };
        let tail = journal.tail()?;
        let root = self.manifest.root;
        // Of the part that an index covers only the chunks are known.
        let is_missing = journal.lacks_checkpoint() && !(journal.has_index() && self.has(&root)?);
        let kind = if is_missing { Some(LossKind::MissingRoot) } else { tail.as_ref().map(|tail| tail.kind) };
        Ok(kind.map(|kind| {
            let (dropped_bytes, valid_records, named) =
                tail.map_or((0, 0, None), |tail| (tail.bytes, tail.valid_records, tail.root));
            Loss {
                kind,
                file: journal.mapping().name().clone(),
                at_bytes: journal.end(),
                dropped_bytes,
                valid_records,
                expected: if is_missing { root } else { named.unwrap_or_default() },
                opened: self.root(),
            }
        }))
    }

    /// Has the part of the journal that does not count read anew, if there is one.
    fn renews_journal(&self) -> bool {
        let (Some(journal), Some(loss)) = (&self.journal, &self.loss) else { return false };
        journal.mapping().renew(loss.at_bytes..journal.mapping().len());
        true
    }

    fn has(&self, address: &Address) -> Result<bool, StoreError> {
        for source in &self.sources {
            if source.find(address)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the old generation has the chunk.
    pub(crate) fn has_old(&self, address: &Address) -> Result<bool, StoreError> {
        for source in self.sources.iter().skip(self.old_start) {
            if source.find(address)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(crate) fn lists_journal(&self) -> bool {
        self.manifest.lists(&Address::JOURNAL)
    }

    /// Bytes of all files that have chunks.
    pub(crate) fn bytes(&self) -> u64 {
        let unlisted = self.journal.iter().filter(|_| !self.lists_journal()).map(|journal| journal.mapping().len());
        self.sources.iter().map(|source| source.mapping().len()).chain(unlisted).sum()
    }
}

/// Which journal a store gets when its files are opened.
pub(crate) enum JournalFile {
    /// The one that is there.
    Open,
    /// The one that is open already.
    Keep(Rc<Journal>),
    /// None: the one that is there is about to go.
    None,
}

/// What it takes to open files.
#[derive(Clone, Copy)]
pub(crate) struct Opener<'a> {
    pub(crate) region: &'a Rc<Region>,
    pub(crate) directory: &'a dyn Directory,
    pub(crate) options: OpenOptions,
    /// Where a lazy clone has its other chunks.
    pub(crate) elsewhere: Option<&'a Rc<Elsewhere>>,
}

impl Opener<'_> {
    /// Opens the store of the database in the directory, or of the remote that the directory is.
    pub(crate) fn open(self) -> Result<(Layout, Files), StoreError> {
        let mut attempt = 1;
        loop {
            match self.open_once() {
                Err(StoreError::AbsentFile { .. }) if attempt < ATTEMPTS_MAX => attempt += 1,
                // Native Dolt cuts the free room of a journal off when it opens it.
                Err(error) if error.is_past_end() && attempt < ATTEMPTS_MAX => attempt += 1,
                // Another process may be between a new manifest and the record of its root.
                Ok((_, files)) if files.lacks_root() && attempt < 2 => attempt += 1,
                // Of a remote, a faulty copy of the journal may be here.
                Ok((_, files)) if attempt < 2 && self.options.verify == Verify::Always && files.renews_journal() => {
                    attempt += 1
                }
                outcome => return outcome,
            }
        }
    }

    /// As [`Opener::open`], of the remote that the directory itself is, if it is one: an empty one otherwise.
    pub(crate) fn open_remote(self) -> Result<Files, StoreError> {
        let layout = Layout::Remote;
        let mut attempt = 1;
        loop {
            let Some(manifest) = Manifest::read(self.directory, &layout.manifest_path())? else {
                return Ok(Files::absent());
            };
            match self.open_files(layout, manifest, JournalFile::Open) {
                // Another one took its place meanwhile.
                Err(StoreError::AbsentFile { .. }) if attempt < ATTEMPTS_MAX => attempt += 1,
                outcome => return outcome,
            }
        }
    }

    fn open_once(self) -> Result<(Layout, Files), StoreError> {
        for layout in [Layout::Database, Layout::Remote] {
            if let Some(manifest) = Manifest::read(self.directory, &layout.manifest_path())? {
                return Ok((layout, self.open_files(layout, manifest, JournalFile::Open)?));
            }
        }
        Err(StoreError::NoManifest { file: Layout::Database.manifest_path() })
    }

    /// Opens what `manifest` lists, and the generation below.
    pub(crate) fn open_files(
        self,
        layout: Layout,
        manifest: Manifest,
        journal: JournalFile,
    ) -> Result<Files, StoreError> {
        let folder = layout.folder();
        let mut sources: Vec<Rc<dyn Source>> = Vec::new();
        let journal = match journal {
            JournalFile::Keep(journal) => Some(journal),
            JournalFile::Open => self.open_journal(layout, &manifest)?,
            JournalFile::None => None,
        };
        if manifest.lists(&Address::JOURNAL)
            && let Some(journal) = &journal
        {
            sources.push(journal.clone());
        }
        self.open_listed(&manifest, folder, &mut sources)?;
        let old_start = sources.len();
        let old_folder = format!("{folder}oldgen/");
        if let Some(old) = Manifest::read(self.directory, &format!("{old_folder}manifest").into())? {
            self.open_listed(&old, &old_folder, &mut sources)?;
        }
        let ghosts = match layout {
            Layout::Database => ghosts::read(self.directory, &layout.ghosts_path())?,
            Layout::Remote => HashSet::new(),
        };
        let elsewhere = match (manifest.is_lazy(), self.elsewhere) {
            (true, None) => {
                let url = LazyClone::read(self.directory)?.url;
                return Err(StoreError::Incomplete { url, what: "opening it without its remote" });
            }
            (true, elsewhere) => elsewhere.cloned(),
            (false, _) => None,
        };
        let mut files = Files { manifest, journal, sources, old_start, elsewhere, ghosts, loss: None };
        files.loss = files.find_loss()?;
        Ok(files)
    }

    fn map(self, path: &str, mode: Mode) -> Result<Option<Mapping>, StoreError> {
        let file = self.directory.open(path).map_err(|error| StoreError::file(&path.into(), error))?;
        Ok(file.map(|file| self.region.map(file, path, mode)))
    }

    pub(crate) fn mapping(self, file: Rc<dyn File>, path: &str, mode: Mode) -> Mapping {
        self.region.map(file, path, mode)
    }

    /// Replays the journal. Its root counts even when the manifest does not list it; its chunks only when it does.
    /// Remotes have none (each look for one over a network costs a round trip), but a copy of a `noms` folder looks like one.
    pub(crate) fn open_journal(self, layout: Layout, manifest: &Manifest) -> Result<Option<Rc<Journal>>, StoreError> {
        let path = layout.journal_path();
        let is_listed = manifest.lists(&Address::JOURNAL);
        if layout == Layout::Remote && !is_listed {
            return Ok(None);
        }
        let Some(mapping) = self.map_content(&path)? else {
            return if is_listed { Err(StoreError::AbsentFile { file: path.into() }) } else { Ok(None) };
        };
        let index = self.map(&layout.journal_index_path(), Mode::Pread)?;
        Ok(Some(Rc::new(Journal::open(mapping, index, manifest.root)?)))
    }

    /// Maps a file of chunks; `None` when there is none.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where git keeps a pointer in its place.
    fn map_content(self, path: &str) -> Result<Option<Mapping>, StoreError> {
        let Some(mapping) = self.map(path, self.options.mode)? else { return Ok(None) };
        let is_small = (GIT_LFS.len() as u64..GIT_LFS_BYTES_MAX).contains(&mapping.len());
        if is_small && mapping.array(0)? == *GIT_LFS {
            let what = "a Git LFS pointer is in the place of the file, which `git lfs pull` fetches,";
            return Err(StoreError::Corrupt { file: mapping.name().clone(), what, at_bytes: 0 });
        }
        Ok(Some(mapping))
    }

    /// The index of the journal, made if there is none.
    pub(crate) fn journal_index(self, layout: Layout) -> Result<Mapping, StoreError> {
        let path = layout.journal_index_path();
        if let Some(index) = self.map(&path, Mode::Pread)? {
            return Ok(index);
        }
        let file = self.directory.create(&path).map_err(|error| StoreError::file(&path.as_str().into(), error))?;
        Ok(self.region.map(file, &path, Mode::Pread))
    }

    /// Makes an empty journal, over one that no manifest lists.
    pub(crate) fn create_journal(self, layout: Layout) -> Result<Rc<Journal>, StoreError> {
        let path = layout.journal_path();
        let create = || {
            // An index is of one journal.
            self.directory.remove(&layout.journal_index_path())?;
            self.directory.create(&path)
        };
        let file = create().map_err(|error| StoreError::file(&path.as_str().into(), error))?;
        Ok(Rc::new(Journal::open(self.region.map(file, &path, self.options.mode), None, Address::EMPTY)?))
    }

    /// Opens what `manifest` lists in `folder`, except the journal.
    fn open_listed(
        self,
        manifest: &Manifest,
        folder: &str,
        sources: &mut Vec<Rc<dyn Source>>,
    ) -> Result<(), StoreError> {
        let mut opened = HashSet::new();
        for listed in &manifest.files {
            if listed.id == Address::JOURNAL || !opened.insert(listed.id) {
                continue;
            }
            let path = format!("{folder}{}", listed.id);
            let source = match self.open_content(&path, listed.chunks) {
                Err(error) if self.options.verify == Verify::Always && error.is_damage() => {
                    self.renew(&path)?;
                    self.open_content(&path, listed.chunks)?
                }
                outcome => outcome?,
            };
            if self.options.verify == Verify::Always {
                source.announce();
            }
            sources.push(source);
        }
        Ok(())
    }

    /// Opens a table file or an archive; the manifest does not tell which.
    fn open_content(self, path: &str, chunks: u32) -> Result<Rc<dyn Source>, StoreError> {
        if let Some(mapping) = self.map_content(path)? {
            Ok(Rc::new(TableFile::open(mapping, chunks)?))
        } else if let Some(mapping) = self.map_content(&format!("{path}.darc"))? {
            Ok(Rc::new(Archive::open(mapping)?))
        } else {
            Err(StoreError::AbsentFile { file: path.into() })
        }
    }

    /// Has the end of such a file read anew.
    fn renew(self, path: &str) -> Result<(), StoreError> {
        for path in [path, &format!("{path}.darc")] {
            if let Some(mapping) = self.map(path, self.options.mode)? {
                mapping.renew(mapping.len().saturating_sub(FOOTER_BYTES_MAX)..mapping.len());
            }
        }
        Ok(())
    }
}
