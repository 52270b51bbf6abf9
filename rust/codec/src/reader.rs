//! Checked byte reader: the only code that turns bytes into integers.

use crate::{Address, Corrupt};

/// Reads integers and slices from the front of `bytes`, checked, with the byte order in every name.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

macro_rules! integers {
    ($($be:ident $le:ident $ty:ty),*) => { $(
        #[doc = concat!("The next big-endian `", stringify!($ty), "`.")]
        pub fn $be(&mut self) -> Result<$ty, Corrupt> { Ok(<$ty>::from_be_bytes(self.array()?)) }
        #[doc = concat!("The next little-endian `", stringify!($ty), "`.")]
        pub fn $le(&mut self) -> Result<$ty, Corrupt> { Ok(<$ty>::from_le_bytes(self.array()?)) }
    )* };
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    /// Bytes consumed so far.
    pub fn position(&self) -> usize {
        self.at
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    pub fn is_empty(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// The next `len` bytes.
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Corrupt> {
        let end = self.at.checked_add(len).ok_or(Corrupt::new("length overflows", self.at))?;
        let taken = self.bytes.get(self.at..end).ok_or(Corrupt::new("input ends too early", self.at))?;
        self.at = end;
        Ok(taken)
    }

    /// The next `N` bytes by value.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Corrupt> {
        let at = self.at;
        self.take(N)?.try_into().map_err(|_| Corrupt::new("input ends too early", at))
    }

    pub fn u8(&mut self) -> Result<u8, Corrupt> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    pub fn address(&mut self) -> Result<Address, Corrupt> {
        Ok(Address::from_bytes(self.array()?))
    }

    integers!(u16_be u16_le u16, u32_be u32_le u32, u64_be u64_le u64, i16_be i16_le i16, i32_be i32_le i32,
              i64_be i64_le i64, f32_be f32_le f32, f64_be f64_le f64);
}
