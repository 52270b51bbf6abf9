//! Checks the chunks of a data file that a client pushes to `varve serve`.
//!
//! Each chunk is decompressed, compared with its address, decoded as far as it refers to other chunks, and its references are collected.
//! At the end those remain that the file does not contain: the server looks them up in its store. The server has no engine, so this crate
//! is a WebAssembly module of its own (`exports`), loaded with the first push.

mod addresses;
#[cfg(target_family = "wasm")]
mod exports;

use codec::{Address, Corrupt, zstd};
use store::CHUNK_BYTES_MAX;
use tree::message::references::each_reference;
use tree::message::{flat, foreign_keys, schema};
use tree::{Kind, Node, TreeError};

use addresses::AddressList;
pub use addresses::{ADDRESSES_MAX, TooMany};

/// Why a file is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Bytes that do not decompress.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
    #[error("its content has the address {0}")]
    WrongAddress(Address),
    /// A message that this version cannot read, so that its references are unknown.
    #[error(transparent)]
    Malformed(#[from] TreeError),
    #[error(transparent)]
    TooMany(#[from] TooMany),
}

/// How a chunk is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// A Snappy block with its checksum: table files, and archives where the chunk has no dictionary.
    Record,
    /// A zstd frame, with the dictionary that was set last.
    Frame,
}

/// The check of one file.
#[derive(Default)]
pub struct FileCheck {
    dictionary: Option<zstd::Dictionary>,
    contained: AddressList,
    referenced: AddressList,
}

impl FileCheck {
    /// Sets the dictionary of the frames that follow.
    ///
    /// # Errors
    /// [`Refusal::Corrupt`] when `frame` is no compressed dictionary.
    pub fn use_dictionary(&mut self, frame: &[u8]) -> Result<(), Refusal> {
        self.dictionary = Some(store::decode_dictionary(frame)?);
        Ok(())
    }

    /// Checks a chunk and collects its references. Returns its decompressed length in bytes.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn add(&mut self, address: &Address, packing: Packing, bytes: &[u8]) -> Result<usize, Refusal> {
        let chunk = match packing {
            Packing::Record => store::decode_record(bytes)?,
            Packing::Frame => zstd::decompress(bytes, self.dictionary.as_ref(), CHUNK_BYTES_MAX)?,
        };
        let actual = Address::of(&chunk);
        if actual != *address {
            return Err(Refusal::WrongAddress(actual));
        }
        self.contained.push(*address)?;
        let referenced = &mut self.referenced;
        let mut outcome = Ok(());
        let mut each = |reference: Address| {
            if outcome.is_ok() {
                outcome = referenced.push(reference);
            }
        };
        each_reference(&chunk, &mut each)?;
        // Native Dolt looks up the ancestors that a closure lists, too.
        tree::each_ancestor(&chunk, &mut each)?;
        outcome?;
        let length = chunk.len();
        decode_rest(chunk)?;
        Ok(length)
    }

    /// The addresses that chunks of the file refer to and that it does not contain, sorted.
    pub fn outgoing(&mut self) -> Vec<Address> {
        let mut contained = self.contained.sorted().iter().peekable();
        let is_absent = |address: &&Address| {
            while contained.next_if(|contained| contained < address).is_some() {}
            contained.peek() != Some(address)
        };
        self.referenced.sorted().iter().filter(is_absent).copied().collect()
    }
}

/// Decodes what [`each_reference`] leaves out: items of nodes, schemas, foreign keys.
fn decode_rest(chunk: Vec<u8>) -> Result<(), TreeError> {
    match flat::file_id(&chunk)? {
        schema::ID => drop(schema::Schema::decode(&chunk)?),
        foreign_keys::ID => drop(foreign_keys::decode(&chunk)?),
        _ if Kind::of(&chunk)?.is_some() => drop(Node::new(chunk)?),
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tree::message::tag::Tag;

    fn tag_of(commit: Address) -> Vec<u8> {
        let (name, email, description) = ("tester".into(), "tester@example.com".into(), "".into());
        Tag { commit, name, email, description, millis: 1, user_millis: 1 }.encode().unwrap()
    }

    fn add(check: &mut FileCheck, chunk: &[u8]) -> Result<usize, Refusal> {
        check.add(&Address::of(chunk), Packing::Record, &store::encode_record(chunk).unwrap())
    }

    #[test]
    fn references_that_leave_the_file_remain() {
        let elsewhere = Address::of(b"elsewhere");
        let below = tag_of(elsewhere);
        let above = tag_of(Address::of(&below));
        let mut check = FileCheck::default();
        for chunk in [&above, &below, &above] {
            assert_eq!(add(&mut check, chunk).unwrap(), chunk.len());
        }
        assert_eq!(check.outgoing(), [elsewhere]);
    }

    #[test]
    fn a_chunk_with_another_address_is_refused() {
        let chunk = tag_of(Address::of(b"elsewhere"));
        let record = store::encode_record(&chunk).unwrap();
        let refused = FileCheck::default().add(&Address::of(b"another"), Packing::Record, &record);
        assert!(matches!(refused, Err(Refusal::WrongAddress(actual)) if actual == Address::of(&chunk)));
    }

    #[test]
    fn damaged_and_unknown_chunks_are_refused() {
        let chunk = tag_of(Address::of(b"elsewhere"));
        let record = store::encode_record(&chunk).unwrap();
        let mut check = FileCheck::default();
        for at in 0..record.len() {
            let mut damaged = record.clone();
            damaged[at] ^= 1;
            let refused = check.add(&Address::of(&chunk), Packing::Record, &damaged);
            assert!(matches!(refused, Err(Refusal::Corrupt(_))), "byte {at}");
        }
        assert!(matches!(add(&mut check, b"no message"), Err(Refusal::Malformed(_))));
        assert!(matches!(add(&mut check, &chunk[..chunk.len() - 8]), Err(Refusal::Malformed(_))));
        let frame = codec::zstd::compress(&chunk, None).unwrap();
        assert_eq!(check.add(&Address::of(&chunk), Packing::Frame, &frame).unwrap(), chunk.len());
        assert!(check.use_dictionary(&frame[1..]).is_err());
    }
}
