//! Regular expressions with ICU's syntax, as MySQL has them, whose searches have a limit on their work.
//!
//! A pattern is parsed ([`parse`]) into a tree ([`node`]) and compiled into a program ([`program`]). Programs without
//! back-references, look-around and atomic groups run in linear time: in a Thompson simulation ([`simulation`]) that finds the
//! span of a match, or, where text and program are small or groups are wanted, in a backtracker with memoization
//! ([`backtracker`]). The others run in the same backtracker without it. Every instruction that is executed is a step of the
//! search's [`Budget`]: a search that exceeds it is an error, so that no pattern runs for longer than the caller allows.
//!
//! Native code uses the crate as it is; the browser and Node load it as a second WebAssembly module (`exports`).

mod backtracker;
mod class;
#[cfg(target_family = "wasm")]
mod exports;
mod look;
mod node;
mod parse;
mod program;
mod simulation;

use std::cell::RefCell;

use backtracker::{Memory, Outcome};
use program::Program;
use simulation::Threads;

/// Why a pattern is not compiled, or a search has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The pattern is malformed; says how.
    Invalid(&'static str),
    /// Valid in ICU, but not implemented.
    Unsupported(&'static str),
    /// The pattern, or its program, exceeds a limit.
    TooBig,
    /// The search exceeds its budget of steps.
    Timeout,
    /// The backtracking stack exceeds its limit.
    StackOverflow,
}

pub type Result<T> = core::result::Result<T, Error>;

/// MySQL's match types, other than `c`, which is the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags {
    pub ignore_case: bool,
    pub multi_line: bool,
    pub dot_all: bool,
    pub unix_lines: bool,
}

impl Flags {
    /// From the bits 1, 2, 4 and 8, in the order of the fields.
    pub fn from_bits(bits: u32) -> Flags {
        let has = |bit: u32| bits & bit != 0;
        Flags { ignore_case: has(1), multi_line: has(2), dot_all: has(4), unix_lines: has(8) }
    }
}

/// What searches may use. Steps are shared by all searches with the same budget.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Instructions that may still be executed; each takes some nanoseconds.
    pub steps: u64,
    /// Limit of the backtracking stack of patterns with back-references or look-around.
    pub stack_bytes: usize,
    /// Asked now and then: when it answers false, the search ends as if its steps were used up.
    goes_on: fn() -> bool,
    ask_below: u64,
}

/// Steps between two questions: some milliseconds.
const ASK_STEPS: u64 = 1 << 18;

impl Budget {
    pub fn new(steps: u64, stack_bytes: usize) -> Budget {
        Budget::asking(steps, stack_bytes, || true)
    }

    pub fn asking(steps: u64, stack_bytes: usize, goes_on: fn() -> bool) -> Budget {
        Budget { steps, stack_bytes, goes_on, ask_below: steps.saturating_sub(ASK_STEPS) }
    }

    fn spend(&mut self, steps: u64) -> Result<()> {
        self.steps = self.steps.checked_sub(steps).ok_or(Error::Timeout)?;
        if self.steps < self.ask_below { self.ask() } else { Ok(()) }
    }

    #[cold]
    fn ask(&mut self) -> Result<()> {
        self.ask_below = self.steps.saturating_sub(ASK_STEPS);
        if (self.goes_on)() { Ok(()) } else { Err(Error::Timeout) }
    }
}

/// How much of a match the caller wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Whether there is one: the span need not be the leftmost-first one.
    Existence,
    Span,
    Groups,
}

/// Byte offsets of the start and end of the match and its groups, two each; [`NONE`] for a group that took no part.
pub type Slots = Vec<u32>;

/// The offset of a group that took no part in the match.
pub const NONE: u32 = u32::MAX;

/// Longest searchable text: offsets are `u32`.
const TEXT_BYTES_MAX: usize = 1 << 30;

/// A compiled pattern.
pub struct Regex {
    program: Program,
    names: Vec<Option<Box<str>>>,
    scratch: RefCell<Scratch>,
}

/// Memory of searches, kept between them while it is small.
#[derive(Default)]
struct Scratch {
    threads: Threads,
    memory: Memory,
}

impl Regex {
    /// # Errors
    /// [`Error::Invalid`], [`Error::Unsupported`] and [`Error::TooBig`].
    pub fn new(pattern: &str, flags: Flags) -> Result<Regex> {
        let mut parsed = parse::parse(pattern, flags)?;
        let names = std::mem::take(&mut parsed.names);
        let program = Program::new(parsed, names.len() as u32)?;
        Ok(Regex { program, names, scratch: RefCell::default() })
    }

    /// Names of groups, by number from 1.
    pub fn names(&self) -> &[Option<Box<str>>] {
        &self.names
    }

    /// Approximate memory of the compiled pattern.
    pub fn bytes(&self) -> usize {
        self.program.bytes()
    }

    /// The first match that starts at byte `start` or after it; `start` is a character boundary. Assertions see the text before it.
    ///
    /// # Errors
    /// [`Error::Timeout`] and [`Error::StackOverflow`]; [`Error::TooBig`] for a text of a gigabyte.
    pub fn find(&self, text: &str, start: usize, wanted: Wanted, budget: &mut Budget) -> Result<Option<Slots>> {
        if text.len() >= TEXT_BYTES_MAX || start > text.len() {
            return Err(Error::TooBig);
        }
        let scratch = &mut *self.scratch.borrow_mut();
        let found = self.search(text, start, wanted, budget, scratch);
        scratch.memory.shrink();
        found
    }

    fn search(
        &self,
        text: &str,
        start: usize,
        wanted: Wanted,
        budget: &mut Budget,
        Scratch { threads, memory }: &mut Scratch,
    ) -> Result<Option<Slots>> {
        let program = &self.program;
        if !program.is_regular {
            return backtracker::search(program, text, start..text.len(), None, budget, memory);
        }
        // Where the memo is small it is quicker than the simulation, and has the groups.
        if let Some(memo) = memory.memo(program, text.len() - start, backtracker::SMALL_MEMO_BITS) {
            return backtracker::search(program, text, start..text.len(), Some(memo), budget, memory);
        }
        let Some(span) = simulation::find(program, text, start, wanted == Wanted::Existence, budget, threads)? else {
            return Ok(None);
        };
        if wanted != Wanted::Groups || program.groups == 0 {
            return Ok(Some(vec![span.start as u32, span.end as u32]));
        }
        let memo = memory.memo(program, span.len(), backtracker::LARGE_MEMO_BITS);
        match backtracker::run_at(program, text, span, memo, budget, memory)? {
            Outcome::Match(slots) => Ok(Some(slots)),
            // The simulation found a match of this span, so the backtracker does.
            Outcome::NoMatch => Ok(None),
        }
    }
}

/// The start of the search after the match `start..end`: one character on where it is empty; `None` after the last.
pub fn next_start(text: &str, start: usize, end: usize) -> Option<usize> {
    if end > start {
        return Some(end);
    }
    text[end..].chars().next().map(|c| end + c.len_utf8())
}
