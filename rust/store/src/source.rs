//! Chunk source: one file of chunks, whatever its kind.

use codec::Address;
use region::Mapping;

use crate::StoreError;

/// The position of a chunk in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) offset: u64,
    pub(crate) len: u32,
    pub(crate) form: Form,
}

/// What the bytes of a chunk are, and so what has been proved of them once they are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A Snappy record with its checksum.
    Record,
    /// A Snappy record at a place that only `journal.idx` vouches for.
    Indexed,
    /// A zstd frame without checksum, the chunk at this position of its archive, made with the dictionary in this span.
    Zstd { position: u32, dictionary: u32 },
}

/// A chunk as an index lists it. Of one that only `journal.idx` lists, the last four bytes of the address are zeros.
pub(crate) struct Listed {
    pub(crate) address: Address,
    pub(crate) place: Place,
}

/// A file of chunks that are found in place.
pub(crate) trait Source {
    fn mapping(&self) -> &Mapping;

    /// Announces what nearly every lookup needs, so that a remote fetches it at once.
    fn announce(&self) {}

    /// Whether a lookup waits for a remote: other files are searched before.
    fn is_slow(&self) -> bool {
        false
    }

    /// Finds a chunk.
    fn find(&self, address: &Address) -> Result<Option<Place>, StoreError>;

    /// Finds many chunks; `found` gets the position in `addresses`. Sorted addresses touch index pages in order. Index pages are
    /// announced before they are touched, so that a remote fetches them together.
    fn find_many(&self, addresses: &[(Address, usize)], found: &mut dyn FnMut(usize, Place)) -> Result<(), StoreError> {
        for (address, i) in addresses {
            if let Some(place) = self.find(address)? {
                found(*i, place);
            }
        }
        Ok(())
    }

    /// Reads and decompresses the chunk at `place`, where `address` was found.
    fn read(&self, address: &Address, place: Place) -> Result<Vec<u8>, StoreError>;

    /// Whether the bytes of the chunk at `place` have been compared with its address since the file was opened, or have a checksum of
    /// their own.
    fn is_proved(&self, place: Place) -> bool {
        !matches!(place.form, Form::Zstd { .. })
    }

    /// They have been compared.
    fn prove(&self, _: Place) {}

    /// Has the bytes of the chunk at `place` read anew, and whatever it takes to decode them: they are wrong.
    fn renew(&self, place: Place) {
        self.mapping().renew(place.offset..place.offset + u64::from(place.len));
    }

    /// Has the index read anew, and whatever was computed from it: it is wrong.
    fn renew_index(&self) {}

    /// How many chunks the index lists.
    fn count(&self) -> u64;

    /// Every chunk that the index lists, or what is wrong with its entry, in the order of the index.
    fn each_listed(&self, each: &mut dyn FnMut(Result<Listed, StoreError>));
}
