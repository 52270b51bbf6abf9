//! A lazy clone: a store whose other chunks are in the files that a remote had when it was cloned (docs/format/store.md, section 7.6).

use core::cell::{Cell, OnceCell};
use core::fmt;
use std::rc::Rc;

use codec::{Address, Corrupt};
use region::{Directory, FileError, Mode, Region, RegionError};

use crate::archive::Archive;
use crate::manifest::read_small;
use crate::source::{Place, Source};
use crate::table_file::TableFile;
use crate::{StoreError, WholeFile};

/// The file beside the store that says where the other chunks are.
pub(crate) const LAZY_PATH: &str = ".dolt/varve_lazy";
/// Thousands of files.
const BYTES_MAX: u64 = 2 << 20;
/// The first line.
const TITLE: &str = "varve lazy clone 1";
const ARCHIVE_SUFFIX: &str = ".darc";
/// No footer of a table file or an archive is longer.
const FOOTER_BYTES_MAX: u64 = 1024;

/// Where the chunks are that a store lacks: `.dolt/varve_lazy`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LazyClone {
    /// Of the remote.
    pub url: Rc<str>,
    /// The user at the remote, where it needs one.
    pub user: Option<Box<str>>,
    /// Root of the remote when it was cloned: the files have all that it leads to.
    pub root: Address,
    pub files: Vec<PinnedFile>,
}

/// A file of a remote, which never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedFile {
    /// In the directory of the remote.
    pub path: Box<str>,
    /// As in a manifest.
    pub chunks: u32,
    pub bytes: u64,
}

impl LazyClone {
    /// Reads the file in the directory of a database.
    ///
    /// # Errors
    /// [`StoreError::AbsentFile`], [`StoreError::Corrupt`], or what the host says.
    pub fn read(directory: &dyn Directory) -> Result<LazyClone, StoreError> {
        let path: Rc<str> = LAZY_PATH.into();
        let file = directory.open(&path).map_err(|error| StoreError::file(&path, error))?;
        let file = file.ok_or_else(|| StoreError::AbsentFile { file: path.clone() })?;
        let text = read_small(&*file, &path, BYTES_MAX)?;
        Self::decode(&text).map_err(|error| StoreError::corrupt(&path, 0, error))
    }

    /// One thing a line: a title, the URL, the user, the root, then the files.
    fn decode(text: &[u8]) -> Result<LazyClone, Corrupt> {
        let text = core::str::from_utf8(text).map_err(|_| Corrupt::new("list of a lazy clone is no text", 0))?;
        let (mut url, mut user, mut root, mut files) = (None, None, None, Vec::new());
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let malformed = || Corrupt::new("line of a lazy clone's list says nothing known", at);
            match (at, line.trim_end_matches('\n').split_once(' ').ok_or_else(malformed)?) {
                (0, _) if line.trim_end_matches('\n') == TITLE => {}
                (0, _) => return Err(malformed()),
                (_, ("url", text)) => url = Some(text.into()),
                (_, ("user", text)) => user = Some(text.into()),
                (_, ("root", text)) => root = text.parse().ok(),
                (_, ("file", rest)) => files.push(PinnedFile::decode(rest).ok_or_else(malformed)?),
                _ => return Err(malformed()),
            }
            at += line.len();
        }
        let incomplete = || Corrupt::new("list of a lazy clone has no URL or no root", at);
        Ok(LazyClone { url: url.ok_or_else(incomplete)?, user, root: root.ok_or_else(incomplete)?, files })
    }
}

impl PinnedFile {
    fn decode(text: &str) -> Option<PinnedFile> {
        let mut words = text.split(' ');
        let (path, chunks, bytes) = (words.next()?, words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        // Nothing else of a remote is ever opened.
        let name = path.strip_prefix("oldgen/").unwrap_or(path);
        let id: Address = name.strip_suffix(ARCHIVE_SUFFIX).unwrap_or(name).parse().ok()?;
        let is_whole = words.next().is_none() && id != Address::JOURNAL;
        is_whole.then(|| PinnedFile { path: path.into(), chunks, bytes })
    }
}

/// The text that goes to disk.
impl fmt::Display for LazyClone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}\nurl {}", self.url)?;
        if let Some(user) = &self.user {
            writeln!(f, "user {user}")?;
        }
        writeln!(f, "root {}", self.root)?;
        let mut files = self.files.iter();
        files.try_for_each(|PinnedFile { path, chunks, bytes }| writeln!(f, "file {path} {chunks} {bytes}"))
    }
}

/// What a remote has at the moment, for a clone that leaves it there.
pub struct Pinned {
    pub(crate) directory: Rc<dyn Directory>,
    pub(crate) files: Vec<WholeFile>,
    /// Chunks of a journal, which is no file that stays as it is: they are copied.
    pub(crate) journal: Vec<Address>,
}

/// The files of a remote that a lazy clone reads. Each is opened when something is first looked for in it, so that what is here can be read
/// while the remote cannot.
pub(crate) struct Elsewhere {
    pub(crate) lazy: Rc<LazyClone>,
    sources: Vec<FarSource>,
    /// The source that had the last chunk.
    last: Cell<usize>,
}

struct FarSource {
    region: Rc<Region>,
    directory: Rc<dyn Directory>,
    mode: Mode,
    pinned: PinnedFile,
    opened: OnceCell<Rc<dyn Source>>,
}

impl Elsewhere {
    pub(crate) fn new(region: &Rc<Region>, directory: &Rc<dyn Directory>, mode: Mode, lazy: LazyClone) -> Elsewhere {
        let far = |pinned: &PinnedFile| {
            let (region, directory, pinned) = (region.clone(), directory.clone(), pinned.clone());
            FarSource { region, directory, mode, pinned, opened: OnceCell::new() }
        };
        Elsewhere { sources: lazy.files.iter().map(far).collect(), lazy: Rc::new(lazy), last: Cell::new(0) }
    }

    /// Of a remote that is open.
    pub(crate) fn of(
        region: &Rc<Region>,
        mode: Mode,
        pinned: &Pinned,
        (url, user): (&str, Option<&str>),
        root: Address,
    ) -> Elsewhere {
        let files = pinned.files.iter().map(|file| PinnedFile {
            path: (**file.source.mapping().name()).into(),
            chunks: file.listed.chunks,
            bytes: file.source.mapping().len(),
        });
        let lazy = LazyClone { url: url.into(), user: user.map(Box::from), root, files: files.collect() };
        let elsewhere = Elsewhere::new(region, &pinned.directory, mode, lazy);
        for (far, file) in elsewhere.sources.iter().zip(&pinned.files) {
            let _ = far.opened.set(file.source.clone());
        }
        elsewhere
    }

    /// An opened source by its number.
    pub(crate) fn source(&self, number: usize) -> Option<&Rc<dyn Source>> {
        self.sources.get(number)?.opened.get()
    }

    /// The number of the source that has a chunk, and the place in it. One that cannot be read is no hindrance where another one has it.
    pub(crate) fn find(&self, address: &Address) -> Result<Option<(usize, Place)>, StoreError> {
        let (last, mut failed) = (self.last.get(), None);
        for number in core::iter::once(last).chain((0..self.sources.len()).filter(|number| *number != last)) {
            let Some(far) = self.sources.get(number) else { continue };
            match far.source().and_then(|source| source.find(address)) {
                Ok(Some(place)) => {
                    self.last.set(number);
                    return Ok(Some((number, place)));
                }
                Ok(None) => {}
                Err(error) => failed = failed.or(Some(self.told(number, error))),
            }
        }
        failed.map_or(Ok(None), Err)
    }

    /// As [`Elsewhere::find`], of those of `wanted` that are not found yet, which are sorted.
    pub(crate) fn find_many(
        &self,
        wanted: &mut Vec<(Address, usize)>,
        found: &mut dyn FnMut(usize, usize, Place),
    ) -> Result<(), StoreError> {
        let mut failed = None;
        for (number, far) in self.sources.iter().enumerate() {
            if wanted.is_empty() {
                return Ok(());
            }
            let mut here = hashbrown::HashSet::new();
            let searched = far.source().and_then(|source| {
                source.find_many(wanted, &mut |position, place| {
                    if here.insert(position) {
                        found(number, position, place);
                    }
                })
            });
            if let Err(error) = searched {
                failed = failed.or(Some(self.told(number, error)));
            }
            wanted.retain(|(_, position)| !here.contains(position));
        }
        match failed {
            Some(error) if !wanted.is_empty() => Err(error),
            _ => Ok(()),
        }
    }

    /// What an error about a file of the remote means here.
    pub(crate) fn told(&self, number: usize, error: StoreError) -> StoreError {
        let reason: Box<str> = match &error {
            StoreError::Region(RegionError::File { error: FileError::Wait | FileError::Cancelled, .. }) => {
                return error;
            }
            StoreError::Region(RegionError::File { error: FileError::Gone, .. }) | StoreError::AbsentFile { .. } => {
                "it is not there any more".into()
            }
            StoreError::Region(RegionError::File { error, .. }) => error.to_string().into(),
            _ => return error,
        };
        let file = self.sources.get(number).map_or_else(Rc::default, |far| Rc::from(&*far.pinned.path));
        StoreError::NotFetched { url: self.lazy.url.clone(), file, reason }
    }

    /// Has all indexes read anew.
    pub(crate) fn renew_indexes(&self) {
        self.sources.iter().filter_map(|far| far.opened.get()).for_each(|source| source.renew_index());
    }

    pub(crate) fn refusal(&self, what: &'static str) -> StoreError {
        StoreError::Incomplete { url: self.lazy.url.clone(), what }
    }
}

impl FarSource {
    fn source(&self) -> Result<&Rc<dyn Source>, StoreError> {
        if let Some(source) = self.opened.get() {
            return Ok(source);
        }
        let source = match self.open() {
            Err(error) if error.is_damage() => {
                // A copy on the way may have been faulty.
                if let Some(file) = self.file()? {
                    let len = file.len();
                    file.renew(len.saturating_sub(FOOTER_BYTES_MAX)..len);
                }
                self.open()?
            }
            opened => opened?,
        };
        source.announce();
        Ok(self.opened.get_or_init(|| source))
    }

    fn file(&self) -> Result<Option<Rc<dyn region::File>>, StoreError> {
        let path = &*self.pinned.path;
        self.directory.open(path).map_err(|error| StoreError::file(&path.into(), error))
    }

    fn open(&self) -> Result<Rc<dyn Source>, StoreError> {
        let PinnedFile { path, chunks, bytes } = &self.pinned;
        let absent = || StoreError::AbsentFile { file: (**path).into() };
        let file = self.file()?.ok_or_else(absent)?;
        if file.len() != *bytes {
            let what = "a file of another length is in the place of the one that was cloned,";
            return Err(StoreError::Corrupt { file: (**path).into(), what, at_bytes: file.len() });
        }
        let mapping = self.region.map(file, path, self.mode);
        Ok(match path.ends_with(ARCHIVE_SUFFIX) {
            true => Rc::new(Archive::open(mapping)?),
            false => Rc::new(TableFile::open(mapping, *chunks)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_read_as_it_is_written() {
        let files = vec![
            PinnedFile { path: format!("{}.darc", "a".repeat(32)).into(), chunks: 7, bytes: 1 << 40 },
            PinnedFile { path: format!("oldgen/{}", "0".repeat(32)).into(), chunks: 0, bytes: 3 },
        ];
        let lazy = LazyClone { url: "https://a.b/c d".into(), user: Some("me".into()), root: Address::EMPTY, files };
        assert_eq!(LazyClone::decode(lazy.to_string().as_bytes()), Ok(lazy.clone()));
        let plain = LazyClone { user: None, files: vec![], ..lazy.clone() };
        assert_eq!(LazyClone::decode(plain.to_string().as_bytes()), Ok(plain));
        let text = lazy.to_string();
        let refused = |text: String| LazyClone::decode(text.as_bytes()).is_err();
        assert!(refused(String::new()) && refused(text.replace("clone 1", "clone 2")));
        assert!(refused(text.replace("oldgen/", "../")) && refused(text.replace("root ", "toor ")));
        assert!(refused(text.replace(" 7 ", " x ")) && refused(text.replace(&"0".repeat(32), &"v".repeat(32))));
        for end in 0..text.len() {
            let _ = LazyClone::decode(&text.as_bytes()[..end]);
        }
    }
}
