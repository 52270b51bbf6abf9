//! Completion of a lazy clone: follows everything below its root and fetches the chunks that are missing.
//!
//! Of a lazy clone a chunk that is present does not mean that all it leads to is: so nothing is left out, and each new file becomes part of
//! the store as soon as it is whole.

use codec::Address;

use super::{Copy, Target};
use crate::opened::Opened;
use crate::{Chunks, StoreError};

/// Bytes at which the next file begins: an interruption loses one of them, most of which the host keeps.
pub(super) const FILE_BYTES_MAX: u64 = 64 << 20;

/// Those of some addresses that the files of the target have, or that are pending there, and the others.
pub(super) fn parted(target: &dyn Target, asked: &[Address]) -> Result<(Vec<Address>, Vec<Address>), StoreError> {
    let has = target.opened().has_many(asked, true)?;
    let (mut present, mut absent) = (Vec::new(), Vec::new());
    for (address, has) in asked.iter().zip(has) {
        let is_here = has || target.pending(address).is_some();
        if is_here { present.push(*address) } else { absent.push(*address) }
    }
    Ok((present, absent))
}

impl Copy {
    /// Looks what is below chunks that are here.
    pub(super) fn follow_present(&mut self, target: &dyn Target) -> Result<(), StoreError> {
        let here = Here(target);
        core::mem::swap(&mut self.walk.absent, &mut self.walk.present);
        let read = self.walk.read(&here, &self.references, &mut |_, _| Ok(()));
        core::mem::swap(&mut self.walk.absent, &mut self.walk.present);
        read
    }
}

/// What the target has, pending or not.
struct Here<'a>(&'a dyn Target);

impl Chunks for Here<'_> {
    fn root(&self) -> Address {
        self.0.opened().root.get()
    }

    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        self.0.pending(address).map_or_else(|| self.0.opened().read(address), Ok)
    }

    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        self.0.opened().read_many(addresses, |address| self.0.pending(address), each)
    }

    fn will_need(&self, _: &[Address]) {}

    fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        self.0.opened().contains(address)
    }
}

/// The remote as it is now, and where it lacks something the files that it had when it was cloned: those may still be there, or be kept.
pub(super) struct Both<'a> {
    pub(super) now: &'a dyn Chunks,
    pub(super) then: &'a Opened,
}

impl Chunks for Both<'_> {
    fn root(&self) -> Address {
        self.now.root()
    }

    fn read(&self, address: &Address) -> Result<Vec<u8>, StoreError> {
        match self.now.read(address) {
            Err(StoreError::Missing(_)) => self.then.read(address),
            outcome => outcome,
        }
    }

    fn read_many(&self, addresses: &[Address], each: &mut dyn FnMut(usize, Vec<u8>)) -> Result<(), StoreError> {
        let mut is_read = vec![false; addresses.len()];
        let read = self.now.read_many(addresses, &mut |position, chunk| {
            if let Some(is_read) = is_read.get_mut(position) {
                *is_read = true;
            }
            each(position, chunk);
        });
        let Err(StoreError::Missing(_)) = read else { return read };
        for (position, address) in addresses.iter().enumerate() {
            if is_read.get(position) == Some(&false) {
                each(position, self.read(address)?);
            }
        }
        Ok(())
    }

    fn will_need(&self, addresses: &[Address]) {
        self.now.will_need(addresses);
    }

    fn contains(&self, address: &Address) -> Result<bool, StoreError> {
        Ok(self.now.contains(address)? || self.then.contains(address)?)
    }
}
