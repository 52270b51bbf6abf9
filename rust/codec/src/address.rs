//! Chunk addresses (docs/format/store.md, section 1).

use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use sha2::{Digest, Sha512};

use crate::Corrupt;

/// The name of a chunk: the first 20 bytes of the SHA-512 of its uncompressed bytes.
///
/// Ordered bytewise, which is also the ASCII order of the text form (32 digits of `0-9a-v`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Address([u8; Address::LEN]);

impl Address {
    /// Bytes of an address.
    pub const LEN: usize = 20;
    /// Digits of the text form.
    pub const TEXT_LEN: usize = 32;
    /// "None": the root of an empty store, an absent reference.
    pub const EMPTY: Address = Address([0; Self::LEN]);
    /// The file id of the chunk journal: all ones, `vvvv…` in text.
    pub const JOURNAL: Address = Address([0xff; Self::LEN]);

    /// The address of a chunk with these bytes.
    pub fn of(chunk: &[u8]) -> Address {
        let mut builder = AddressBuilder::default();
        builder.update(chunk);
        builder.finish()
    }

    pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Address {
        Address(bytes)
    }

    /// Takes exactly 20 bytes; any other length is an error.
    pub fn from_slice(bytes: &[u8]) -> Result<Address, Corrupt> {
        match bytes.try_into() {
            Ok(bytes) => Ok(Address(bytes)),
            Err(_) => Err(Corrupt::new("address is not 20 bytes long", 0)),
        }
    }

    /// Joins what indexes keep apart: [`Address::prefix`] and [`Address::suffix`].
    pub fn of_parts(prefix: [u8; 8], suffix: [u8; 12]) -> Address {
        let mut bytes = [0; Self::LEN];
        bytes[..8].copy_from_slice(&prefix);
        bytes[8..].copy_from_slice(&suffix);
        Address(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; Self::LEN] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// Bytes 0 to 7, the sort key of every index.
    pub fn prefix(&self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_be_bytes([a, b, c, d, e, f, g, h])
    }

    /// Bytes 8 to 19, what an index compares after the prefix.
    pub fn suffix(&self) -> &[u8] {
        &self.0[8..]
    }
}

/// Addresses are hashes: eight bytes of them tell them apart as well as all.
impl Hash for Address {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.prefix());
    }
}

/// The address of bytes that come in pieces.
#[derive(Default, Clone)]
pub struct AddressBuilder(Sha512);

impl AddressBuilder {
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The address of all bytes.
    pub fn finish(self) -> Address {
        let mut bytes = [0; Address::LEN];
        for (byte, hashed) in bytes.iter_mut().zip(self.0.finalize()) {
            *byte = hashed;
        }
        Address(bytes)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0u8; Self::TEXT_LEN];
        // Base32: five bytes are eight digits of 0-9a-v, most significant bits first.
        for (group, digits) in self.0.chunks_exact(5).zip(text.chunks_exact_mut(8)) {
            let bits = group.iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
            for (i, digit) in digits.iter_mut().enumerate() {
                let five = (bits >> (35 - 5 * i) & 31) as u8;
                *digit = if five < 10 { b'0' + five } else { b'a' + five - 10 };
            }
        }
        f.write_str(core::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Address {
    type Err = Corrupt;

    /// Accepts exactly `[0-9a-v]{32}`; upper case is an error, as in Dolt.
    fn from_str(text: &str) -> Result<Address, Corrupt> {
        if text.len() != Self::TEXT_LEN {
            return Err(Corrupt::new("address is not 32 digits long", 0));
        }
        let mut bytes = [0; Self::LEN];
        for (g, (digits, group)) in text.as_bytes().chunks_exact(8).zip(bytes.chunks_exact_mut(5)).enumerate() {
            let mut bits = 0u64;
            for (i, digit) in digits.iter().enumerate() {
                let five = match digit {
                    b'0'..=b'9' => digit - b'0',
                    b'a'..=b'v' => digit - b'a' + 10,
                    _ => return Err(Corrupt::new("address has a digit outside 0-9a-v", g * 8 + i)),
                };
                bits = bits << 5 | u64::from(five);
            }
            group.copy_from_slice(&bits.to_be_bytes()[3..]);
        }
        Ok(Address(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in
            ["00000000000000000000000000000000", "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv", "6dn25gfn09nrf1d50o94nvq6cnumv50n"]
        {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        assert!("6DN25GFN09NRF1D50O94NVQ6CNUMV50N".parse::<Address>().is_err());
        assert!("w".repeat(32).parse::<Address>().is_err());
    }
}
