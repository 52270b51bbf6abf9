//! Full scan of the files of a store: reads every chunk and compares it with its address.

use std::rc::Rc;

use codec::{Address, CompactSort};

use crate::files::Files;
use crate::journal::is_key_of;
use crate::opened::Opened;
use crate::source::Listed;
use crate::writer::Writer;
use crate::{LossKind, StoreError};

/// Gets each chunk with its address, or what is wrong with it. Without an address it is a file that has something wrong.
pub type EachScanned<'a> = dyn FnMut(Option<Address>, Result<Vec<u8>, StoreError>) + 'a;

/// A scan that is under way, in steps: see [`Chunks::scan`]. It sees the files that were there when it began.
///
/// [`Chunks::scan`]: crate::Chunks::scan
#[derive(Default)]
pub struct Scan {
    files: Option<Rc<Files>>,
    /// How many of the files were listed.
    sources: usize,
    /// What is still to be read of the last one, the next one last: 44 bytes for a chunk.
    waiting: Vec<Listed>,
    progress: Scanned,
}

/// How far a scan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scanned {
    /// The root of the files that are scanned.
    pub root: Address,
    /// Chunks that were read, and all that the indexes list: one that two files have counts twice.
    pub chunks: u64,
    pub chunks_total: u64,
    pub is_done: bool,
}

impl Scan {
    /// One step: at most `chunks_max` chunks, or one index.
    pub(crate) fn step(
        &mut self,
        opened: &Opened,
        writer: Option<&Writer>,
        chunks_max: usize,
        each: &mut EachScanned<'_>,
    ) -> Result<Scanned, StoreError> {
        let files = match &self.files {
            Some(files) => files.clone(),
            None => self.begin(opened, writer, each)?,
        };
        if self.waiting.is_empty() {
            let Some(source) = files.sources.get(self.sources) else {
                return Ok(Scanned { is_done: true, ..self.progress });
            };
            let (mut listed, mut passing, mut flaws) = (Vec::new(), None, 0);
            source.each_listed(&mut |entry| match entry {
                Ok(entry) => listed.push(entry),
                Err(error) if is_passing(&error) => passing = Some(error),
                Err(flaw) => {
                    flaws += 1;
                    each(None, Err(flaw));
                }
            });
            if let Some(error) = passing {
                return Err(error);
            }
            self.progress.chunks += flaws;
            listed.compact_sort_by_key(|listed| core::cmp::Reverse(listed.place.offset));
            self.waiting = listed;
            self.sources += 1;
            return Ok(self.progress);
        }
        let Some(source) = self.sources.checked_sub(1).and_then(|last| files.sources.get(last)) else {
            return Ok(self.progress);
        };
        let part = self.waiting.len().saturating_sub(chunks_max.max(1));
        let range = |listed: &Listed| listed.place.offset..listed.place.offset + u64::from(listed.place.len);
        let ranges: Vec<_> = self.waiting.iter().skip(part).rev().map(range).collect();
        source.mapping().will_need(&ranges);
        while let Some(Listed { address, place }) = self.waiting.get(part..).and_then(<[_]>::last) {
            let (mut found, mut chunk) = (*address, source.read(address, *place));
            if let Ok(bytes) = &chunk {
                found = Address::of(bytes);
                if found != *address && !is_key_of(address, &found) {
                    found = *address;
                    let file = source.mapping().name().clone();
                    chunk = Err(StoreError::WrongAddress { file, address: found, at_bytes: place.offset });
                }
            }
            match chunk {
                Err(error) if is_passing(&error) => return Err(error),
                chunk => each(Some(found), chunk),
            }
            self.progress.chunks += 1;
            self.waiting.pop();
        }
        Ok(self.progress)
    }

    fn begin(
        &mut self,
        opened: &Opened,
        writer: Option<&Writer>,
        each: &mut EachScanned<'_>,
    ) -> Result<Rc<Files>, StoreError> {
        if let Some(writer) = writer {
            // What another process is about to append would look like a torn record.
            match writer.lock() {
                Ok(_held) => writer.look(opened, true)?,
                Err(error) if error.is_wait() => return Err(error),
                // Nothing is to be written.
                Err(_) => {}
            }
        }
        let files = opened.files();
        if let Some(journal) = &files.journal {
            let mut flaws = journal.flaws()?;
            if let Some(loss) = files.loss.as_ref().filter(|loss| loss.kind.is_alarm()) {
                if loss.kind == LossKind::DamagedRecord {
                    flaws.retain(|flaw| flaw.place().1 != Some(loss.at_bytes));
                }
                flaws.push(StoreError::Loss(Box::new(loss.clone())));
            }
            flaws.into_iter().for_each(|flaw| each(None, Err(flaw)));
        }
        self.progress.root = files.root();
        self.progress.chunks_total = files.sources.iter().map(|source| source.count()).sum();
        self.files = Some(files.clone());
        Ok(files)
    }

    /// The files that are scanned, once it has begun.
    pub(crate) fn files(&self) -> Option<&Rc<Files>> {
        self.files.as_ref()
    }
}

/// Whether an error says nothing about the bytes: the host has to act first, or the file was removed.
fn is_passing(error: &StoreError) -> bool {
    error.is_wait() || error.is_gone()
}
