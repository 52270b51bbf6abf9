//! Whole files of a store, which can be copied without decompression.

use std::rc::Rc;

use codec::Address;

use crate::manifest::ListedFile;
use crate::source::Source;

/// A file of a store that can be copied as it is: [`crate::Chunks::whole_files`].
#[derive(Clone)]
pub struct WholeFile {
    pub(crate) source: Rc<dyn Source>,
    pub(crate) listed: ListedFile,
    /// Of an archive `.darc`.
    pub(crate) suffix: &'static str,
}

impl WholeFile {
    /// The files that have these sources, `None` where one is a journal, which is no whole file.
    pub(crate) fn of(sources: &[Rc<dyn Source>]) -> Option<Vec<WholeFile>> {
        sources.iter().map(WholeFile::new).collect()
    }

    pub(crate) fn new(source: &Rc<dyn Source>) -> Option<WholeFile> {
        let path = source.mapping().name();
        let name = path.rsplit('/').next().unwrap_or(path);
        let (id, suffix) = name.strip_suffix(".darc").map_or((name, ""), |id| (id, ".darc"));
        let id: Address = id.parse().ok().filter(|id| *id != Address::JOURNAL)?;
        let chunks = u32::try_from(source.count()).ok()?;
        Some(WholeFile { source: source.clone(), listed: ListedFile { id, chunks }, suffix })
    }

    pub(crate) fn len(&self) -> u64 {
        self.source.mapping().len()
    }

    /// The path of its copy in `folder`.
    pub(crate) fn path_in(&self, folder: &str) -> String {
        format!("{folder}{}{}", self.listed.id, self.suffix)
    }
}
