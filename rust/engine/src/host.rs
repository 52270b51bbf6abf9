//! Host interface: what the engine needs of JavaScript in a page, of the process in tests.

use std::ops::ControlFlow;
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

    /// What the statement that runs is to do. Asked every millisecond or so within a call, by the work meter's estimate.
    fn wish(&self) -> Wish {
        Wish::GoOn
    }

    /// Bytes of memory that can still be allocated, more or less. A statement may take half of what is left when it begins: one that
    /// takes more fails with error 1041 where it is noticed, which is asked as often as [`Host::wish`] and before each large
    /// value is made.
    fn memory_left(&self) -> usize {
        usize::MAX
    }

    /// Opens a file that the user named in LOAD DATA LOCAL; `None` where there is none of that name.
    fn open_file(&self, _name: &str) -> Option<Box<dyn LocalFile>> {
        None
    }

    /// Compiles a regular expression of ICU's syntax. `None` where the host has none.
    fn regex(&self, _pattern: &str, _flags: RegexFlags) -> Option<core::result::Result<Rc<dyn Regex>, RegexFailure>> {
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

/// What the host wants of the statement that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    GoOn,
    /// The call has lasted long enough: it returns as soon as it can.
    Yield,
    /// The statement's time is over, or it was cancelled as far as the host can see that while the engine works.
    End,
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

/// MySQL's match types, other than `c`, which is the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RegexFlags {
    pub ignore_case: bool,
    pub multi_line: bool,
    pub dot_all: bool,
    pub unix_lines: bool,
}

impl RegexFlags {
    /// The bits 1, 2, 4 and 8, in the order of the fields.
    pub fn bits(self) -> u32 {
        [self.ignore_case, self.multi_line, self.dot_all, self.unix_lines]
            .into_iter()
            .enumerate()
            .fold(0, |bits, (bit, is_set)| bits | u32::from(is_set) << bit)
    }
}

/// Why there is no compiled expression, or no answer of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegexFailure {
    /// The pattern is malformed; says how.
    Invalid(String),
    /// Valid in ICU, but not implemented.
    Unsupported(String),
    TooBig,
    /// The search exceeds its steps.
    Timeout,
    StackOverflow,
    /// The host failed, in its words.
    Host(String),
}

/// How much of a match a search is to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegexWanted {
    /// Whether there is one; its span is of no interest.
    Existence,
    Span,
    Groups,
}

/// What a search is to find, and what it may use.
#[derive(Debug, Clone, Copy)]
pub struct RegexSearch {
    /// Most matches that are visited.
    pub limit: u32,
    pub wanted: RegexWanted,
    /// Limit of the work of all matches together.
    pub steps: u32,
    /// Limit of the backtracking stack.
    pub stack_bytes: u32,
}

/// Where a match and its groups are, in bytes of the text; the first is the whole match.
pub type Groups = Vec<Option<(usize, usize)>>;

/// A compiled regular expression.
pub trait Regex {
    /// The number of a group that has a name, from 1.
    fn group(&self, name: &str) -> Option<usize>;

    /// Approximate memory that it takes.
    fn bytes(&self) -> usize;

    /// Visits matches that follow each other, the first at byte `start` or after it, until `visit` breaks; answers the steps that it
    /// took. After an empty match the search goes on at the next character. Assertions see what is before `start`, which is on a
    /// character boundary and at most `text.len()`.
    ///
    /// # Errors
    /// What the search exceeds; what the host says.
    fn find_each(
        &self,
        text: &str,
        start: usize,
        search: RegexSearch,
        visit: &mut dyn FnMut(&Groups) -> ControlFlow<()>,
    ) -> core::result::Result<u32, RegexFailure>;
}
