//! Paths of the files of a store in its directory (docs/format/store.md, section 2).

use std::rc::Rc;

use codec::Address;

/// What kind of directory was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A database: `.dolt/noms` with generations and a journal.
    Database,
    /// A `file://` remote: manifest and files at the top.
    Remote,
}

impl Layout {
    /// Where manifest and files are.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Layout::Database => ".dolt/noms/",
            Layout::Remote => "",
        }
    }

    pub(crate) fn manifest_path(self) -> Rc<str> {
        format!("{}manifest", self.folder()).into()
    }

    pub(crate) fn journal_path(self) -> String {
        format!("{}{}", self.folder(), Address::JOURNAL)
    }

    pub(crate) fn ghosts_path(self) -> String {
        format!("{}ghostObjects.txt", self.folder())
    }

    pub(crate) fn journal_index_path(self) -> String {
        format!("{}journal.idx", self.folder())
    }
}
