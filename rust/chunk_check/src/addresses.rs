//! A list of distinct addresses with bounded memory.

use codec::Address;

/// Distinct addresses of one list: 160 MiB. A file of Dolt, which has about 1 GiB, contains some hundred thousand chunks.
pub const ADDRESSES_MAX: usize = 1 << 23;
/// Duplicates are dropped when a list has grown to this length, then at each doubling.
const FIRST_SORT: usize = 1 << 14;

/// More addresses than [`ADDRESSES_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it contains or refers to more than {ADDRESSES_MAX} chunks: push in smaller steps")]
pub struct TooMany;

/// Collects addresses. Sorting drops duplicates: addresses are chosen by the client, which could make a hash table slow.
#[derive(Default)]
pub(crate) struct AddressList {
    addresses: Vec<Address>,
    next_sort: usize,
}

impl AddressList {
    pub(crate) fn push(&mut self, address: Address) -> Result<(), TooMany> {
        if self.addresses.len() >= self.next_sort.max(FIRST_SORT) {
            let distinct = self.sorted().len();
            if distinct >= ADDRESSES_MAX {
                return Err(TooMany);
            }
            self.next_sort = (2 * distinct).min(ADDRESSES_MAX + ADDRESSES_MAX / 8);
        }
        self.addresses.push(address);
        Ok(())
    }

    pub(crate) fn sorted(&mut self) -> &[Address] {
        self.addresses.sort_unstable();
        self.addresses.dedup();
        &self.addresses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_take_no_memory() {
        let mut list = AddressList::default();
        for i in 0..200_000u64 {
            let mut bytes = [0; 20];
            bytes[..8].copy_from_slice(&(i % 20_000).to_be_bytes());
            list.push(Address::from_bytes(bytes)).unwrap();
        }
        assert!(list.addresses.capacity() <= 4 * 20_000);
        assert_eq!(list.sorted().len(), 20_000);
    }
}
