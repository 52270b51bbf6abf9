//! Archive writer, front to back: spans as chunks come, then index and footer (docs/format/store.md, sections 5.2 and 5.7).

use core::mem;
use std::rc::Rc;

use codec::{Address, AddressBuilder, CompactSort, Corrupt, samples, zstd};
use region::{Directory, File, FileError};

use super::footer;
use crate::StoreError;
use crate::record;

/// Chunks that wait for a dictionary. With fewer a file has none and they are Snappy records, as in Dolt.
const SAMPLES: usize = 1000;
/// Bytes of waiting chunks at which the dictionary is made nevertheless.
const SAMPLE_BYTES_MAX: usize = 16 << 20;
/// Bytes of a dictionary, as Dolt trains them.
const DICTIONARY_BYTES: usize = 4096;
/// Bytes at the start of a chunk that say what it has in common with others.
const SAMPLE_BYTES: usize = 4096;
/// Bytes that are written at a time.
const PIECE_BYTES: usize = 1 << 20;
/// A string in a JSON object; nothing in it is needed for reading.
const METADATA: &str = concat!(r#"{"varve_version":""#, env!("CARGO_PKG_VERSION"), r#""}"#);

/// A new archive under a temporary name.
pub(crate) struct ArchiveWriter {
    file: Rc<dyn File>,
    path: Rc<str>,
    temporary: String,
    piece: Vec<u8>,
    written_bytes: u64,
    name: AddressBuilder,
    span_ends: Vec<u64>,
    /// Address, dictionary span (0: none), data span.
    chunks: Vec<(Address, u32, u32)>,
    waiting: Vec<(Address, Vec<u8>)>,
    waiting_bytes: usize,
    dictionary: Option<(zstd::Dictionary, u32)>,
}

impl ArchiveWriter {
    /// Begins an archive at the path `temporary`.
    ///
    /// # Errors
    /// What the host says.
    pub(crate) fn create(directory: &dyn Directory, temporary: String) -> Result<ArchiveWriter, StoreError> {
        let path: Rc<str> = temporary.as_str().into();
        let file = directory.create(&temporary).map_err(|error| StoreError::file(&path, error))?;
        let (piece, span_ends, chunks, waiting) = Default::default();
        Ok(ArchiveWriter {
            file,
            path,
            temporary,
            piece,
            written_bytes: 0,
            name: AddressBuilder::default(),
            span_ends,
            chunks,
            waiting,
            waiting_bytes: 0,
            dictionary: None,
        })
    }

    /// Bytes in the file so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.written_bytes + self.piece.len() as u64
    }

    /// The same, with those of chunks that are not written yet.
    pub(crate) fn bytes_to_be(&self) -> u64 {
        self.bytes() + self.waiting_bytes as u64
    }

    /// Adds a chunk that was not added before.
    ///
    /// # Errors
    /// What the host says.
    pub(crate) fn add(&mut self, address: Address, chunk: Vec<u8>) -> Result<(), StoreError> {
        if self.dictionary.is_some() {
            return self.add_zstd(address, &chunk);
        }
        self.waiting_bytes += chunk.len();
        self.waiting.push((address, chunk));
        if self.waiting.len() >= SAMPLES || self.waiting_bytes >= SAMPLE_BYTES_MAX {
            self.add_waiting(true)?;
        }
        Ok(())
    }

    /// Writes the chunks that waited, with a dictionary of theirs if they have anything in common.
    fn add_waiting(&mut self, with_dictionary: bool) -> Result<(), StoreError> {
        let waiting = mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        if with_dictionary {
            let samples: Vec<&[u8]> =
                waiting.iter().map(|(_, chunk)| chunk.get(..SAMPLE_BYTES).unwrap_or(chunk)).collect();
            let content = samples::common_content(&samples, DICTIONARY_BYTES);
            if !content.is_empty() {
                let prepared = zstd::Dictionary::new(&content).map_err(|error| self.corrupt(error))?;
                let frame = zstd::compress(&content, None).map_err(|error| self.corrupt(error))?;
                let span = self.add_span(&frame)?;
                self.dictionary = Some((prepared, span));
            }
        }
        for (address, chunk) in waiting {
            if self.dictionary.is_some() {
                self.add_zstd(address, &chunk)?;
            } else {
                let record = record::encode(&chunk).map_err(|error| self.corrupt(error))?;
                let span = self.add_span(&record)?;
                self.chunks.push((address, 0, span));
            }
        }
        Ok(())
    }

    fn add_zstd(&mut self, address: Address, chunk: &[u8]) -> Result<(), StoreError> {
        let Some((dictionary, span)) = &self.dictionary else { return Ok(()) };
        let dictionary_span = *span;
        let frame = zstd::compress(chunk, Some(dictionary)).map_err(|error| self.corrupt(error))?;
        let span = self.add_span(&frame)?;
        self.chunks.push((address, dictionary_span, span));
        Ok(())
    }

    /// Appends a span and answers its number, counted from 1.
    fn add_span(&mut self, bytes: &[u8]) -> Result<u32, StoreError> {
        self.write(bytes)?;
        self.span_ends.push(self.bytes());
        Ok(self.span_ends.len() as u32)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE_BYTES { self.write_piece() } else { Ok(()) }
    }

    fn write_piece(&mut self) -> Result<(), StoreError> {
        self.file.write_at(self.written_bytes, &self.piece).map_err(|error| self.file_error(error))?;
        self.name.update(&self.piece);
        self.written_bytes += self.piece.len() as u64;
        self.piece.clear();
        Ok(())
    }

    /// Writes index and footer and flushes; what is left is to give the file its name.
    ///
    /// # Errors
    /// What the host says.
    pub(crate) fn finish(mut self) -> Result<NamelessArchive, StoreError> {
        self.add_waiting(false)?;
        let mut chunks = mem::take(&mut self.chunks);
        chunks.compact_sort();
        for end in mem::take(&mut self.span_ends).chunks(4096) {
            self.write(&end.iter().flat_map(|end| end.to_be_bytes()).collect::<Vec<u8>>())?;
        }
        for part in chunks.chunks(4096) {
            self.write(&part.iter().flat_map(|(address, ..)| address.prefix().to_be_bytes()).collect::<Vec<u8>>())?;
        }
        for part in chunks.chunks(4096) {
            let references = part.iter().flat_map(|(_, dictionary, data)| [dictionary, data]);
            self.write(&references.flat_map(|span| span.to_be_bytes()).collect::<Vec<u8>>())?;
        }
        for part in chunks.chunks(4096) {
            self.write(&part.iter().flat_map(|(address, ..)| address.suffix()).copied().collect::<Vec<u8>>())?;
        }
        let spans = chunks.iter().map(|(_, dictionary, data)| *dictionary.max(data)).max().unwrap_or_default();
        self.write(METADATA.as_bytes())?;
        self.write(&footer::encode(spans, chunks.len() as u32, METADATA.len() as u32))?;
        self.write_piece()?;
        self.file.flush().map_err(|error| self.file_error(error))?;
        let id = mem::take(&mut self.name).finish();
        Ok(NamelessArchive { id, chunks: chunks.len() as u32, bytes: self.written_bytes, temporary: self.temporary })
    }

    fn corrupt(&self, error: Corrupt) -> StoreError {
        StoreError::corrupt(&self.path, self.bytes(), error)
    }

    fn file_error(&self, error: FileError) -> StoreError {
        StoreError::file(&self.path, error)
    }
}

/// A whole archive that still has its temporary name.
pub(crate) struct NamelessArchive {
    pub(crate) id: Address,
    pub(crate) chunks: u32,
    pub(crate) bytes: u64,
    temporary: String,
}

impl NamelessArchive {
    /// Gives the file its name in `folder`, which is that of its bytes; `is_there` says that a file of that name is in use.
    ///
    /// # Errors
    /// What the host says; the call can be repeated.
    pub(crate) fn name(&self, directory: &dyn Directory, folder: &str, is_there: bool) -> Result<(), StoreError> {
        let path = format!("{folder}{}.darc", self.id);
        let outcome =
            if is_there { directory.remove(&self.temporary) } else { directory.rename(&self.temporary, &path) };
        outcome.map_err(|error| StoreError::file(&path.as_str().into(), error))
    }
}
