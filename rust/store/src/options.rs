//! Settings of an open store.

use std::rc::Rc;

use region::{Lock, Mode};

/// When a chunk's bytes are hashed and compared with the address it was asked by. SHA-512 of 4 KiB takes 15 us in wasm, about as
/// long as its decompression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verify {
    /// Only zstd frames, and each once as long as its file is open: they carry no checksum, and a damaged one can decode to wrong
    /// bytes. Snappy records have a CRC-32C.
    #[default]
    Unchecked,
    /// Every chunk, every time, as for bytes from an untrusted remote: what was fetched can be gone from memory, and what is
    /// fetched in its place can be something else.
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

/// What a commit has survived when it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// Whatever happens: each commit is flushed.
    #[default]
    Full,
    /// The end of this process or page, but for what was put off with [`Chunks::hold`]. A crash of the machine may take the
    /// commits since the last flush, the newest first: never one without those after it. The host flushes through
    /// [`ChunkStore::flush_if_due`].
    ///
    /// [`Chunks::hold`]: crate::Chunks::hold
    /// [`ChunkStore::flush_if_due`]: crate::ChunkStore::flush_if_due
    Relaxed {
        /// Milliseconds from a commit to the flush that it is due to.
        window_ms: u64,
    },
}

/// How to write a store.
#[derive(Clone)]
pub struct WriteOptions {
    /// Held while something is written, and only then.
    pub lock: Rc<dyn Lock>,
    pub durability: Durability,
    /// The time in milliseconds since 1970.
    pub clock: fn() -> u64,
    /// Uncompressed bytes of pending chunks that are kept in memory. Beyond, they go to the journal before their root does.
    pub pending_bytes_max: usize,
    /// Writes even where the newest commit is known to be lost ([`LossKind::MissingRoot`]): what is appended takes its place.
    ///
    /// [`LossKind::MissingRoot`]: crate::LossKind::MissingRoot
    pub accepts_loss: bool,
}

impl WriteOptions {
    /// The pending chunks of most transactions fit several times.
    pub const PENDING_BYTES_MAX: usize = 32 << 20;

    /// Full durability and the usual memory.
    pub fn new(lock: Rc<dyn Lock>, clock: fn() -> u64) -> WriteOptions {
        let pending_bytes_max = Self::PENDING_BYTES_MAX;
        WriteOptions { lock, durability: Durability::Full, clock, pending_bytes_max, accepts_loss: false }
    }
}
