//! Copies whole files: nothing is decompressed, and all their chunks are taken.

use std::rc::Rc;

use region::File;

use super::files::Phase;
use super::{Copy, Target};
use crate::scan::Scan;
use crate::{Chunks, StoreError, WholeFile};

/// Bytes that are copied at a time.
const PIECE_BYTES: u64 = 1 << 20;
/// Pieces that are announced ahead, so that a remote is never waited for longer than for the first.
const PIECES_AHEAD: u64 = 8;
/// Bytes that a step copies for each chunk that it may.
const CHUNK_BYTES: u64 = 4096;

/// What a copy of whole files has between its steps.
#[derive(Default)]
pub(super) struct OfWhole {
    /// Those that are not copied yet, the next one last.
    files: Vec<WholeFile>,
    /// The copy of that one, and how much of it there is.
    copy: Option<(Rc<dyn File>, u64)>,
    is_begun: bool,
    scan: Scan,
}

impl OfWhole {
    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }
}

impl Copy {
    /// Whether the source has whole files, and they are copied.
    pub(super) fn begin_whole(&mut self, source: &dyn Chunks) -> Result<bool, StoreError> {
        let Some(mut files) = source.whole_files() else { return Ok(false) };
        self.progress.bytes_total = files.iter().map(WholeFile::len).sum();
        let mut known = hashbrown::HashSet::new();
        files.retain(|file| known.insert(file.listed.id));
        self.of_files.whole = OfWhole { files, is_begun: true, ..OfWhole::default() };
        Ok(true)
    }

    /// Copies a part of a file, or gives one that is whole its name.
    pub(super) fn copy_whole(&mut self, target: &dyn Target, chunks_max: usize) -> Result<Phase, StoreError> {
        let Some(from) = self.of_files.whole.files.last().cloned() else { return Ok(Phase::List) };
        let temporary = self.of_files.temporary(target)?;
        let name: Rc<str> = temporary.as_str().into();
        let of_file = |error| StoreError::file(&name, error);
        let (file, mut at) = match self.of_files.whole.copy.take() {
            Some(copy) => copy,
            None => (target.directory().create(&temporary).map_err(of_file)?, 0),
        };
        let (mapping, len) = (from.source.mapping(), from.len());
        let mut room = (chunks_max.max(1) as u64).saturating_mul(CHUNK_BYTES);
        let mut piece = Vec::new();
        while at < len && room > 0 {
            let end = len.min(at + PIECE_BYTES);
            mapping.will_need(core::slice::from_ref(&(at..len.min(at + PIECES_AHEAD * PIECE_BYTES))));
            piece.resize((end - at) as usize, 0);
            mapping.read_past_pages(at, &mut piece)?;
            file.write_at(at, &piece).map_err(of_file)?;
            self.progress.bytes += end - at;
            room = room.saturating_sub(end - at);
            at = end;
        }
        if at < len {
            self.of_files.whole.copy = Some((file, at));
            return Ok(Phase::Whole);
        }
        file.flush().map_err(of_file)?;
        let path = from.path_in(target.opened().layout().folder());
        if let Err(error) = target.directory().rename(&temporary, &path) {
            self.of_files.whole.copy = Some((file, at));
            return Err(StoreError::file(&path.as_str().into(), error));
        }
        self.progress.chunks += u64::from(from.listed.chunks);
        self.of_files.named_temporary();
        self.of_files.named.push(from.listed);
        self.of_files.whole.files.pop();
        Ok(Phase::Whole)
    }

    /// Compares what came with its addresses. No root leads to it before.
    pub(super) fn verify(&mut self, target: &dyn Target, chunks_max: usize) -> Result<Phase, StoreError> {
        let mut flaw = None;
        let mut each = |_, chunk: Result<Vec<u8>, StoreError>| flaw = flaw.take().or(chunk.err());
        let scanned = self.of_files.whole.scan.step(target.opened(), None, chunks_max, &mut each)?;
        match flaw {
            Some(flaw) => Err(flaw),
            None => Ok(if scanned.is_done { Phase::Done } else { Phase::Verify }),
        }
    }
}
