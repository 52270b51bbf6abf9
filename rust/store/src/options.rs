//! Settings of an open store.

use region::Mode;

/// When a chunk's bytes are hashed and compared with the address it was asked by. SHA-512 of 4 KiB takes 15 us in wasm, about as
/// long as its decompression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verify {
    /// Only zstd frames: they carry no checksum, and a damaged one can decode to wrong bytes. Snappy records have a CRC-32C.
    #[default]
    Unchecked,
    /// Every chunk, as for bytes from a remote nobody vouches for.
    Always,
    /// None, as native Dolt.
    Never,
}

/// How to open a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenOptions {
    /// How files are read.
    pub mode: Mode,
    pub verify: Verify,
}
