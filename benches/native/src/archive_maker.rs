//! Archives of any size around a small valid database, for measuring what opening costs.
//!
//! The chunks of a collected database and `filler_chunks` more go into one archive (docs/format/store.md, section 5), so that
//! finding the database's own chunks means searching an index of that size. Filler chunks are 32 bytes each: the
//! index, not the data, is what grows.

use codec::{Address, Reader, crc32c, snappy};
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

const FOOTER_BYTES: usize = 220;
const FORMAT_VERSION: u8 = 3;
const METADATA: &[u8] = br#"{"dolt_version":"2.2.0"}"#;

/// Where a chunk lies: span numbers from 1, dictionary 0 for a Snappy record.
struct Entry {
    address: Address,
    dictionary: u32,
    span: u32,
}

/// An archive while it is written.
struct Maker {
    out: BufWriter<File>,
    span_ends: Vec<u64>,
    entries: Vec<Entry>,
}

/// Copies the database in `source` (collected with `dolt gc --archive-level 1`, so that all its chunks lie in archives)
/// to `target`, with `filler_chunks` more chunks in its one archive.
///
/// # Errors
/// When `source` is no such database or `target` cannot be written.
pub fn make(source: &Path, target: &Path, filler_chunks: u32) -> Result<(), Box<dyn Error>> {
    let (from, to) = (source.join(".dolt/noms"), target.join(".dolt/noms"));
    fs::create_dir_all(to.join("oldgen"))?;
    let unnamed = to.join("unnamed");
    let mut maker = Maker { out: BufWriter::new(File::create(&unnamed)?), span_ends: Vec::new(), entries: Vec::new() };
    for directory in [from.clone(), from.join("oldgen")] {
        for file in fs::read_dir(directory)? {
            let path = file?.path();
            if path.extension().is_some_and(|extension| extension == "darc") {
                maker.copy(&fs::read(path)?)?;
            }
        }
    }
    maker.fill(filler_chunks)?;
    let chunks = maker.entries.len();
    let id = maker.finish()?;
    fs::rename(unnamed, to.join(format!("{id}.darc")))?;

    // version:format:lock:root:generation, then one file; the lock is opaque to readers, so the old one serves.
    let manifest = fs::read_to_string(from.join("manifest"))?;
    let head: Vec<&str> = manifest.split(':').take(5).collect();
    fs::write(to.join("manifest"), format!("{}:{id}:{chunks}", head.join(":")))?;
    fs::copy(source.join(".dolt/repo_state.json"), target.join(".dolt/repo_state.json"))?;
    Ok(())
}

impl Maker {
    /// Appends every span and chunk of a whole archive of version 3.
    fn copy(&mut self, archive: &[u8]) -> Result<(), Box<dyn Error>> {
        let footer_at = archive.len().checked_sub(FOOTER_BYTES).ok_or("shorter than a footer")?;
        let mut footer = Reader::new(&archive[footer_at..]);
        let index_bytes = usize::try_from(footer.u64_be()?)?;
        let (spans, chunks, metadata_bytes) = (footer.u32_be()?, footer.u32_be()?, footer.u32_be()? as usize);
        let index_at = footer_at.checked_sub(metadata_bytes + index_bytes).ok_or("index longer than the file")?;
        let mut index = Reader::new(&archive[index_at..footer_at]);

        let first_span = u32::try_from(self.span_ends.len())?;
        let start = self.span_ends.last().copied().unwrap_or(0);
        for _ in 0..spans {
            self.span_ends.push(start + index.u64_be()?);
        }
        self.out.write_all(&archive[..index_at])?;
        let prefixes = (0..chunks).map(|_| index.array::<8>()).collect::<Result<Vec<_>, _>>()?;
        let places =
            (0..chunks).map(|_| Ok((index.u32_be()?, index.u32_be()?))).collect::<Result<Vec<_>, codec::Corrupt>>()?;
        for (prefix, (dictionary, span)) in prefixes.iter().zip(places) {
            let address = Address::from_slice(&[prefix.as_slice(), index.take(12)?].concat())?;
            let dictionary = if dictionary == 0 { 0 } else { dictionary + first_span };
            self.entries.push(Entry { address, dictionary, span: span + first_span });
        }
        Ok(())
    }

    /// Appends chunks of 32 bytes that nothing refers to.
    fn fill(&mut self, chunks: u32) -> Result<(), Box<dyn Error>> {
        let mut end = self.span_ends.last().copied().unwrap_or(0);
        for number in 0..chunks {
            let mut chunk = [0_u8; 32];
            chunk[..4].copy_from_slice(&number.to_be_bytes());
            chunk[28..].copy_from_slice(b"fill");
            let mut record = snappy::compress(&chunk)?;
            record.extend(crc32c(&record).to_be_bytes());
            self.out.write_all(&record)?;
            end += record.len() as u64;
            self.span_ends.push(end);
            let span = u32::try_from(self.span_ends.len())?;
            self.entries.push(Entry { address: Address::of(&chunk), dictionary: 0, span });
        }
        Ok(())
    }

    /// Writes index, metadata and footer; gives the name, as conjoined archives are named: by these three.
    fn finish(mut self) -> Result<Address, Box<dyn Error>> {
        self.entries.sort_unstable_by_key(|entry| entry.address);
        let mut tail = Vec::with_capacity(self.span_ends.len() * 8 + self.entries.len() * 28 + 300);
        for end in &self.span_ends {
            tail.extend(end.to_be_bytes());
        }
        for entry in &self.entries {
            tail.extend(entry.address.prefix().to_be_bytes());
        }
        for entry in &self.entries {
            tail.extend(entry.dictionary.to_be_bytes());
            tail.extend(entry.span.to_be_bytes());
        }
        for entry in &self.entries {
            tail.extend(entry.address.suffix());
        }
        let index_bytes = tail.len() as u64;
        tail.extend(METADATA);
        tail.extend(index_bytes.to_be_bytes());
        tail.extend(u32::try_from(self.span_ends.len())?.to_be_bytes());
        tail.extend(u32::try_from(self.entries.len())?.to_be_bytes());
        tail.extend(u32::try_from(METADATA.len())?.to_be_bytes());
        tail.extend([0_u8; 192]); // three checksums that nobody reads
        tail.push(FORMAT_VERSION);
        tail.extend(b"DOLTARC");
        self.out.write_all(&tail)?;
        self.out.flush()?;
        Ok(Address::of(&tail))
    }
}
