//! What the engine asks of its host: in a page JavaScript, in tests the process.

use std::rc::Rc;

use crate::error::Result;

/// What the engine needs of the world and may not reach for itself: in wasm these are imports.
pub trait Host {
    /// Microseconds since 1970-01-01 UTC.
    fn now_microseconds(&self) -> i64;

    /// Fills `bytes` from a cryptographic source.
    fn random(&self, bytes: &mut [u8]);

    /// Seconds east of UTC that the named zone has at a moment; `None` for an unknown name.
    fn zone_offset_seconds(&self, zone: &str, epoch_seconds: i64) -> Option<i32>;

    /// Whether the statement that runs is to end: its time is over, or it was cancelled as far as the host can see that while the engine
    /// works. Asked every few milliseconds at most, and only within calls that do not return by themselves.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Opens a file that the user named in LOAD DATA LOCAL; `None` where there is none of that name.
    fn open_file(&self, _name: &str) -> Option<Box<dyn LocalFile>> {
        None
    }

    /// Compiles a regular expression. `None` where the host has none; `Some(Err)` says what is wrong with the pattern.
    ///
    /// The pattern is in the syntax of JavaScript's `RegExp` with its `u` flag (see `functions::regexp`), and uses nothing whose
    /// meaning other engines do not share.
    fn regex(&self, _pattern: &str, _case: LetterCase) -> Option<core::result::Result<Rc<dyn Regex>, String>> {
        None
    }

    /// A temporary file for what a statement cannot keep in memory; `None` where there is no place for one: then operators
    /// keep everything.
    fn spill(&self) -> Option<Box<dyn Spill>> {
        None
    }

    /// Bytes of rows that an operator keeps, more or less, before it asks for a temporary file.
    fn operator_bytes(&self) -> usize {
        32 << 20
    }
}

/// A temporary file: written from its start to its end, read anywhere, gone when dropped.
pub trait Spill {
    /// # Errors
    /// In words of the host, such as that the disk is full.
    fn append(&mut self, bytes: &[u8]) -> core::result::Result<(), String>;

    /// Fills `into` with what was appended at `offset`.
    fn read(&self, offset: u64, into: &mut [u8]) -> core::result::Result<(), String>;
}

/// A file that is read from its beginning to its end.
pub trait LocalFile {
    /// The next bytes, some kilobytes at a time.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn read(&mut self) -> Result<FileRead>;
}

/// What reading a file gave.
pub enum FileRead {
    Bytes(Vec<u8>),
    /// The host has to read first; ask again then.
    Wait,
    End,
}

/// How a regular expression takes letters; what else can be said about one is part of its pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LetterCase {
    #[default]
    Matters,
    IsIgnored,
}

/// Where a match and its groups lie, in bytes of the text; the first is the whole match.
pub type Groups = Vec<Option<(usize, usize)>>;

/// A compiled regular expression: in a page the browser's own.
pub trait Regex {
    /// The first match that starts at byte `start` or behind it. What stands before `start` is seen by look-behind and
    /// `\b`. `start` is on a character boundary and at most `text.len()`.
    ///
    /// # Errors
    /// A message, when matching took too long or failed otherwise.
    fn find_at(&self, text: &str, start: usize) -> core::result::Result<Option<Groups>, String>;
}
