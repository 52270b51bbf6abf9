//! The manifest: which files make up a store, and its root (docs/format/store.md, section 3).

use core::fmt::{self, Write as _};
use std::rc::Rc;

use codec::{Address, Corrupt};
use region::{Directory, File};

use crate::StoreError;

/// Git LFS leaves a short pointer, which begins with this, where it has not fetched a file.
pub(crate) const GIT_LFS: &[u8; 30] = b"version https://git-lfs.github";

/// The storage format that everything above expects; Dolt writes no other.
const FORMAT: &str = "__DOLT__";
/// 40,000 files would fit; Dolt merges files past 256.
const BYTES_MAX: u64 = 2 << 20;

/// The version that is written.
const VERSION: u8 = 5;
/// The letter `L`: version 5 of a store that lacks chunks ([`crate::LazyClone`]). Native Dolt says that it does not know it.
const LAZY: u8 = b'L';
/// A name that native Dolt takes for one of its own temporary manifests.
const TEMPORARY: &str = "nbs_manifest_varve";

/// Contents of a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// 4 or 5, or the letter of a lazy clone; version 4 has no `gc_generation`.
    pub version: u8,
    /// Value for compare-and-swap; see [`Manifest::lock_of`].
    pub lock: Address,
    /// Root chunk. Where a journal is in use this is a checkpoint, the journal's last root counts.
    pub root: Address,
    /// Changes only when a collection replaces the files; [`Address::EMPTY`] until the first.
    pub gc_generation: Address,
    pub files: Vec<ListedFile>,
}

/// A table file, an archive, or the journal ([`Address::JOURNAL`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedFile {
    pub id: Address,
    /// Exact for table files, anything for archives and the journal.
    pub chunks: u32,
}

impl Manifest {
    /// Reads the manifest at `path`; `None` when there is none.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`], [`StoreError::Unsupported`], or what the host says.
    pub fn read(directory: &dyn Directory, path: &Rc<str>) -> Result<Option<Manifest>, StoreError> {
        let Some(file) = directory.open(path).map_err(|error| StoreError::file(path, error))? else {
            return Ok(None);
        };
        let text = read_small(&*file, path, BYTES_MAX)?;
        match Self::decode(&text) {
            Ok(manifest) => Ok(Some(manifest)),
            Err(Refused::Corrupt(corrupt)) => Err(StoreError::corrupt(path, 0, corrupt)),
            Err(Refused::Version(found)) => {
                Err(StoreError::Unsupported { file: path.clone(), what: "manifest version", found })
            }
        }
    }

    /// What takes the place of the manifest of a store that is not there yet.
    pub(crate) fn absent() -> Manifest {
        let [lock, root, gc_generation] = [Address::EMPTY; 3];
        Manifest { version: VERSION, lock, root, gc_generation, files: Vec::new() }
    }

    /// Whether there is no manifest on disk.
    pub(crate) fn is_absent(&self) -> bool {
        self.lock.is_empty()
    }

    /// Whether some chunks are only in a remote.
    pub fn is_lazy(&self) -> bool {
        self.version == LAZY
    }

    /// The same, of a store that lacks chunks, or that lacks none any more.
    pub(crate) fn made_lazy(self, is_lazy: bool) -> Manifest {
        Manifest { version: if is_lazy { LAZY } else { VERSION }, ..self }
    }

    /// Whether `id` is one of the files.
    pub(crate) fn lists(&self, id: &Address) -> bool {
        self.files.iter().any(|file| file.id == *id)
    }

    /// The manifest that follows this one: version 5, unless it lacks chunks, and a lock of its own.
    pub(crate) fn next(&self, root: Address, files: Vec<ListedFile>) -> Manifest {
        let lock = Self::lock_of(&root, files.iter().map(|file| file.id));
        let next = Manifest { version: VERSION, lock, root, gc_generation: self.gc_generation, files };
        next.made_lazy(self.is_lazy())
    }

    /// Puts this manifest in the place of the one whose lock is `last` ([`Address::EMPTY`]: of none), as one step. The caller has the
    /// store's lock. Answers `false` when another one is there. Where it is in its place already nothing is done.
    ///
    /// # Errors
    /// What the host says; the manifest is one of the two then, whole.
    pub(crate) fn replace(
        &self,
        directory: &dyn Directory,
        path: &Rc<str>,
        last: &Address,
    ) -> Result<bool, StoreError> {
        let there = Self::read(directory, path)?.map_or(Address::EMPTY, |manifest| manifest.lock);
        if there != *last || there == self.lock {
            return Ok(there == self.lock);
        }
        self.write(directory, path)?;
        Ok(true)
    }

    /// Puts this manifest in the place of whatever is there, as one step. The caller has the store's lock, and has looked what that is.
    pub(crate) fn write(&self, directory: &dyn Directory, path: &Rc<str>) -> Result<(), StoreError> {
        let folder = path.strip_suffix("manifest").unwrap_or_default();
        let temporary = format!("{folder}{TEMPORARY}");
        replace_file(directory, path, &temporary, self.to_string().as_bytes())
    }

    /// Decodes the one line of a manifest, as strictly as Dolt does: no newline, lower-case ids.
    pub(crate) fn decode(text: &[u8]) -> Result<Manifest, Refused> {
        let mut fields = Fields { rest: Some(text), at: 0 };
        let version = match fields.next("manifest is empty")? {
            b"5" => 5,
            b"4" => 4,
            b"L" => LAZY,
            _ if text.starts_with(b"<<<<<<< ") => {
                return Err(Corrupt::new(
                    "git left its conflict markers: take the manifest of one side, with its files,",
                    0,
                )
                .into());
            }
            _ if text.starts_with(GIT_LFS) => {
                return Err(Corrupt::new(
                    "a Git LFS pointer is in the place of the manifest, which `git lfs pull` fetches,",
                    0,
                )
                .into());
            }
            other => {
                let number = core::str::from_utf8(other).ok().and_then(|text| text.parse().ok());
                return Err(number.map_or(Corrupt::new("unknown manifest version", 0).into(), Refused::Version));
            }
        };
        if fields.next("manifest ends before the storage format")? != FORMAT.as_bytes() {
            return Err(Corrupt::new("storage format is not __DOLT__", 2).into());
        }
        let lock = fields.address("manifest ends before the lock", "manifest lock is not an address")?;
        if lock.is_empty() {
            // Dolt would open it as an empty database, and overwrite it.
            return Err(Corrupt::new("manifest lock is zero", 0).into());
        }
        let root = fields.address("manifest ends before the root", "manifest root is not an address")?;
        let gc_generation = match version {
            4 => Address::EMPTY,
            _ => {
                fields.address("manifest ends before the GC generation", "manifest GC generation is not an address")?
            }
        };
        let mut files = Vec::new();
        while fields.rest.is_some() {
            let id = fields.address("", "manifest lists a file that is not an address")?;
            let at = fields.at;
            let digits = fields.next("manifest ends before a chunk count")?;
            let number = Some(digits).filter(|digits| digits.iter().all(u8::is_ascii_digit));
            let number = number.and_then(|digits| core::str::from_utf8(digits).ok()).and_then(|text| text.parse().ok());
            let chunks = number.ok_or(Corrupt::new("manifest has a chunk count that is no number", at))?;
            files.push(ListedFile { id, chunks });
        }
        Ok(Manifest { version, lock, root, gc_generation, files })
    }

    /// The lock of a manifest with this root and these files in this order. Counts and generation take no part.
    pub fn lock_of(root: &Address, files: impl IntoIterator<Item = Address>) -> Address {
        Self::hash(root, files, b"")
    }

    /// The GC generation of a collection that leaves this root and these files; `full` for one of both generations.
    pub fn gc_generation_of(root: &Address, files: impl IntoIterator<Item = Address>, full: bool) -> Address {
        Self::hash(root, files, if full { b"full" } else { b"" })
    }

    fn hash(root: &Address, files: impl IntoIterator<Item = Address>, extra: &[u8]) -> Address {
        let mut bytes = root.as_bytes().to_vec();
        bytes.push(0);
        for id in files {
            bytes.extend_from_slice(id.as_bytes());
        }
        if !extra.is_empty() {
            bytes.push(0);
            bytes.extend_from_slice(extra);
        }
        bytes.push(0);
        Address::of(&bytes)
    }
}

/// The text that goes to disk.
impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_lazy() {
            true => f.write_char(char::from(LAZY))?,
            false => write!(f, "{}", self.version)?,
        }
        write!(f, ":{FORMAT}:{}:{}", self.lock, self.root)?;
        if self.version >= 5 {
            write!(f, ":{}", self.gc_generation)?;
        }
        self.files.iter().try_for_each(|file| write!(f, ":{}:{}", file.id, file.chunks))
    }
}

/// Why a manifest was not decoded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    Corrupt(Corrupt),
    Version(u32),
}

impl From<Corrupt> for Refused {
    fn from(corrupt: Corrupt) -> Self {
        Refused::Corrupt(corrupt)
    }
}

/// Fields between colons.
struct Fields<'a> {
    rest: Option<&'a [u8]>,
    /// Byte of the next field.
    at: usize,
}

impl<'a> Fields<'a> {
    fn next(&mut self, absent: &'static str) -> Result<&'a [u8], Corrupt> {
        let rest = self.rest.filter(|rest| self.at > 0 || !rest.is_empty()).ok_or(Corrupt::new(absent, self.at))?;
        let mut halves = rest.splitn(2, |byte| *byte == b':');
        let field = halves.next().unwrap_or_default();
        self.rest = halves.next();
        self.at += field.len() + 1;
        Ok(field)
    }

    fn address(&mut self, absent: &'static str, malformed: &'static str) -> Result<Address, Corrupt> {
        let at = self.at;
        let field = self.next(absent)?;
        let text = core::str::from_utf8(field).map_err(|_| Corrupt::new(malformed, at))?;
        text.parse().map_err(|_| Corrupt::new(malformed, at))
    }
}

/// All bytes of a file that has no business being longer than `bytes_max`.
pub(crate) fn read_small(file: &dyn File, name: &Rc<str>, bytes_max: u64) -> Result<Vec<u8>, StoreError> {
    // Asking for the length is a system call.
    let len = file.len();
    if len > bytes_max {
        let what = "file is far too long for what it holds";
        return Err(StoreError::Corrupt { file: name.clone(), what, at_bytes: bytes_max });
    }
    let mut bytes = vec![0; len as usize];
    if !bytes.is_empty() {
        file.read_at(0, &mut bytes).map_err(|error| StoreError::file(name, error))?;
    }
    Ok(bytes)
}

/// Puts a file with these bytes in the place of another one, as one step; until then it has a temporary name.
pub(crate) fn replace_file(
    directory: &dyn Directory,
    path: &Rc<str>,
    temporary: &str,
    bytes: &[u8],
) -> Result<(), StoreError> {
    let write = || {
        let file = directory.create(temporary)?;
        file.write_at(0, bytes)?;
        file.flush()?;
        directory.rename(temporary, path)
    };
    write().map_err(|error| StoreError::file(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "5:__DOLT__:rnud0v9q3rl77f1ln9p2pv3khnj1fs1v:0qndj80bgtfe6jvtpocdjh95m3mf9osr:\
                        00000000000000000000000000000000:vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv:9";

    #[test]
    fn round_trips() {
        let manifest = Manifest::decode(GOOD.as_bytes()).unwrap();
        assert_eq!(manifest.to_string(), GOOD);
        assert_eq!(manifest.files, [ListedFile { id: Address::JOURNAL, chunks: 9 }]);
        let older = Manifest { version: 4, ..manifest.clone() };
        assert_eq!(Manifest::decode(older.to_string().as_bytes()).unwrap(), older);
        let lazy = manifest.clone().made_lazy(true);
        assert_eq!(lazy.to_string(), GOOD.replacen('5', "L", 1));
        assert_eq!(Manifest::decode(lazy.to_string().as_bytes()).unwrap(), lazy);
        assert!(lazy.is_lazy() && lazy.next(lazy.root, vec![]).is_lazy() && !manifest.is_lazy());
        let empty = Manifest { files: vec![], ..manifest };
        assert_eq!(Manifest::decode(empty.to_string().as_bytes()).unwrap(), empty);
    }

    #[test]
    fn refuses_what_dolt_refuses() {
        let refused = |text: &str| match Manifest::decode(text.as_bytes()) {
            Err(Refused::Corrupt(corrupt)) => (corrupt.what, corrupt.at_bytes),
            other => panic!("{other:?}"),
        };
        assert_eq!(Manifest::decode(GOOD.replacen('5', "6", 1).as_bytes()), Err(Refused::Version(6)));
        assert_eq!(refused(""), ("manifest is empty", 0));
        let conflict = refused(&format!("<<<<<<< HEAD\n{GOOD}\n=======\n{GOOD}\n>>>>>>> other\n"));
        assert_eq!(conflict, ("git left its conflict markers: take the manifest of one side, with its files,", 0));
        let pointer = refused("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 145\n");
        assert_eq!(pointer.0, "a Git LFS pointer is in the place of the manifest, which `git lfs pull` fetches,");
        assert_eq!(refused("garbage"), ("unknown manifest version", 0));
        assert_eq!(refused(&format!("{GOOD}\n")), ("manifest has a chunk count that is no number", 144 - 1));
        assert_eq!(refused(&format!("{GOOD}:")), ("manifest lists a file that is not an address", 145));
        assert_eq!(refused(&GOOD[..142]), ("manifest ends before a chunk count", 143));
        assert_eq!(refused(&GOOD.replace("rnud", "RNUD")), ("manifest lock is not an address", 11));
        assert_eq!(refused(&GOOD.replace("__DOLT__", "__LD_1__")), ("storage format is not __DOLT__", 2));
        let zero_lock = GOOD.replace("rnud0v9q3rl77f1ln9p2pv3khnj1fs1v", &"0".repeat(32));
        assert_eq!(refused(&zero_lock), ("manifest lock is zero", 0));
    }
}
