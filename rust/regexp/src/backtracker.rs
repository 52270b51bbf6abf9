//! The backtracker: one alternative after the other. With a memo of what it has tried its time is linear, as that of the
//! simulation; without, as back-references and look-around need it, the budget ends it.

use std::ops::Range;

use crate::class::equals_ignoring_case;
use crate::program::{Address, Around, Instruction, Program, Slot};
use crate::{Budget, Error, NONE, Result, Slots};

/// Instructions times characters up to which the backtracker is preferred: 32 KiB, which are cleared in a microsecond.
pub const SMALL_MEMO_BITS: usize = 1 << 18;
/// As many for the groups of a match whose span is known.
pub const LARGE_MEMO_BITS: usize = 1 << 26;
/// Limit of the stack of a program that runs with a memo, which bounds it anyway.
const STACK_BYTES_MAX: usize = 64 << 20;
/// Memory that is kept between searches.
const KEPT_BYTES: usize = 256 << 10;

/// What is left to do, the last first.
#[derive(Debug, Clone, Copy)]
enum Job {
    Try(Address, u32),
    /// Gives a slot its value back.
    Restore(Slot, u32),
}

/// Memory of searches.
#[derive(Default)]
pub struct Memory {
    jobs: Vec<Job>,
    slots: Vec<u32>,
    visited: Vec<u64>,
}

/// The bits of [`Memory::visited`] by character and instruction.
#[derive(Debug, Clone, Copy)]
pub struct Memo {
    instructions: usize,
    bits: usize,
}

pub enum Outcome {
    Match(Slots),
    NoMatch,
}

impl Memory {
    /// A memo of a text of so many bytes; `None` if it has more than `bits_max` bits.
    pub fn memo(&self, program: &Program, bytes: usize, bits_max: usize) -> Option<Memo> {
        let instructions = program.instructions.len();
        let bits = instructions.checked_mul(bytes + 1).filter(|bits| *bits <= bits_max)?;
        Some(Memo { instructions, bits })
    }

    /// Returns memory that only a large text needed.
    pub fn shrink(&mut self) {
        if self.jobs.capacity() * size_of::<Job>() + self.visited.capacity() * 8 > KEPT_BYTES {
            *self = Memory::default();
        }
    }
}

/// The first match that starts in `range`.
pub fn search(
    program: &Program,
    text: &str,
    range: Range<usize>,
    memo: Option<Memo>,
    budget: &mut Budget,
    memory: &mut Memory,
) -> Result<Option<Slots>> {
    let mut machine = Machine::new(program, text, range.clone(), memo, budget, memory)?;
    let mut at = range.start;
    loop {
        if program.is_anchored && at > 0 {
            return Ok(None);
        }
        let Some(candidate) = program.candidate(text, at, machine.budget)? else { return Ok(None) };
        at = candidate;
        if machine.run(program.start, at)?.is_some() {
            return Ok(Some(machine.found()));
        }
        match text[at..].chars().next() {
            Some(c) => at += c.len_utf8(),
            None => return Ok(None),
        }
    }
}

/// The match that starts where `span` does and does not go on behind it.
pub fn run_at(
    program: &Program,
    text: &str,
    span: Range<usize>,
    memo: Option<Memo>,
    budget: &mut Budget,
    memory: &mut Memory,
) -> Result<Outcome> {
    let start = span.start;
    let mut machine = Machine::new(program, text, span, memo, budget, memory)?;
    Ok(match machine.run(program.start, start)? {
        Some(_) => Outcome::Match(machine.found()),
        None => Outcome::NoMatch,
    })
}

struct Machine<'a> {
    program: &'a Program,
    text: &'a str,
    /// Where a match may be.
    range: Range<usize>,
    memo: Option<Memo>,
    budget: &'a mut Budget,
    memory: &'a mut Memory,
    jobs_max: usize,
}

impl<'a> Machine<'a> {
    fn new(
        program: &'a Program,
        text: &'a str,
        range: Range<usize>,
        memo: Option<Memo>,
        budget: &'a mut Budget,
        memory: &'a mut Memory,
    ) -> Result<Machine<'a>> {
        memory.jobs.clear();
        memory.slots.clear();
        memory.slots.resize(program.slots as usize, NONE);
        memory.visited.clear();
        if let Some(memo) = memo {
            memory.visited.resize(memo.bits.div_ceil(64), 0);
        }
        budget.spend((memory.visited.len() + memory.slots.len()) as u64 / 64)?;
        let stack_bytes = if memo.is_some() { STACK_BYTES_MAX } else { budget.stack_bytes };
        Ok(Machine { program, text, range, memo, budget, memory, jobs_max: stack_bytes / size_of::<Job>() })
    }

    fn spend(&mut self, steps: u64) -> Result<()> {
        self.budget.spend(steps)
    }

    fn found(&self) -> Slots {
        self.memory.slots[..2 * (self.program.groups as usize + 1)].to_vec()
    }

    fn push(&mut self, job: Job) -> Result<()> {
        if self.memory.jobs.len() >= self.jobs_max {
            return Err(Error::StackOverflow);
        }
        self.memory.jobs.push(job);
        Ok(())
    }

    fn set(&mut self, slot: Slot, at: usize) -> Result<()> {
        let before = std::mem::replace(&mut self.memory.slots[slot as usize], at as u32);
        self.push(Job::Restore(slot, before))
    }

    /// The end of the match that begins at an instruction and a position. Jobs that restore slots stay behind a match, so that who
    /// asked can go back beyond it; behind none the slots are as before.
    fn run(&mut self, address: Address, at: usize) -> Result<Option<usize>> {
        let base = self.memory.jobs.len();
        self.push(Job::Try(address, at as u32))?;
        while self.memory.jobs.len() > base {
            match self.memory.jobs.pop() {
                Some(Job::Try(address, at)) => {
                    if let Some(end) = self.follow(address, at as usize)? {
                        let mut kept = base;
                        for index in base..self.memory.jobs.len() {
                            if let job @ Job::Restore(..) = self.memory.jobs[index] {
                                self.memory.jobs[kept] = job;
                                kept += 1;
                            }
                        }
                        let dropped = self.memory.jobs.len() - base;
                        self.memory.jobs.truncate(kept);
                        self.spend(dropped as u64 / 4)?;
                        return Ok(Some(end));
                    }
                }
                Some(Job::Restore(slot, before)) => self.memory.slots[slot as usize] = before,
                None => break,
            }
        }
        Ok(None)
    }

    /// Takes back what a match set, down to a height of the stack.
    fn undo(&mut self, height: usize) {
        while self.memory.jobs.len() > height {
            if let Some(Job::Restore(slot, before)) = self.memory.jobs.pop() {
                self.memory.slots[slot as usize] = before;
            }
        }
    }

    /// Whether an instruction was executed at a position before: then it led to nothing.
    #[inline]
    fn is_visited(&mut self, address: Address, at: usize) -> bool {
        let Some(memo) = self.memo else { return false };
        let bit = (at - self.range.start) * memo.instructions + address as usize;
        let word = &mut self.memory.visited[bit / 64];
        let is_visited = *word >> (bit % 64) & 1 != 0;
        *word |= 1 << (bit % 64);
        is_visited
    }

    /// Follows the preferred alternative to its end, leaving the others to do; the position at a match.
    fn follow(&mut self, mut address: Address, mut at: usize) -> Result<Option<usize>> {
        loop {
            self.spend(1)?;
            if self.is_visited(address, at) {
                return Ok(None);
            }
            match self.program.instructions[address as usize] {
                Instruction::Char(c, next) => {
                    if !self.text[at..].starts_with(c) {
                        return Ok(None);
                    }
                    (address, at) = (next, at + c.len_utf8());
                }
                Instruction::Class(class, next) => {
                    let Some(c) = self.text[at..].chars().next() else { return Ok(None) };
                    if !self.program.classes[class as usize].contains(c) {
                        return Ok(None);
                    }
                    (address, at) = (next, at + c.len_utf8());
                }
                Instruction::Split(first, second) => {
                    self.push(Job::Try(second, at as u32))?;
                    address = first;
                }
                Instruction::Dispatch(table) => {
                    let byte = self.text.as_bytes().get(at).map_or(256, |byte| usize::from(*byte));
                    address = self.program.tables[table as usize][byte];
                }
                Instruction::Look(look, next) => {
                    if !look.holds(self.text, at, &self.program.word) {
                        return Ok(None);
                    }
                    address = next;
                }
                Instruction::Save(slot, next) | Instruction::BeginRound(slot, next) => {
                    self.set(slot, at)?;
                    address = next;
                }
                Instruction::EndRound { slot, again, out, is_lazy } => {
                    let is_last = self.memory.slots[slot as usize] == at as u32;
                    match (is_last, is_lazy) {
                        (true, _) => address = out,
                        (false, false) => {
                            self.push(Job::Try(out, at as u32))?;
                            address = again;
                        }
                        (false, true) => {
                            self.push(Job::Try(again, at as u32))?;
                            address = out;
                        }
                    }
                }
                Instruction::BackReference { group, ignore_case, next } => {
                    let Some(length) = self.repeats(group, ignore_case, at)? else { return Ok(None) };
                    (address, at) = (next, at + length);
                }
                Instruction::Around { number, next } => {
                    if !self.look_around(self.program.arounds[number as usize], at)? {
                        return Ok(None);
                    }
                    address = next;
                }
                Instruction::Atomic { body, next } => {
                    let Some(end) = self.run(body, at)? else { return Ok(None) };
                    (address, at) = (next, end);
                }
                Instruction::EndsAt(slot) => {
                    return Ok((self.memory.slots[slot as usize] == at as u32).then_some(at));
                }
                Instruction::Match => return Ok(Some(at)),
                Instruction::Fail => return Ok(None),
            }
            if at > self.range.end {
                return Ok(None);
            }
        }
    }

    /// Bytes of the text of a group where it is repeated at a position. A group that took no part is not.
    fn repeats(&mut self, group: u32, ignore_case: bool, at: usize) -> Result<Option<usize>> {
        let slot = 2 * group as usize;
        let (start, end) = (self.memory.slots[slot], self.memory.slots[slot + 1]);
        if start == NONE || end == NONE || start > end {
            return Ok(None);
        }
        let text = self.text;
        let wanted = &text[start as usize..end as usize];
        let rest = &text[at..];
        if !ignore_case {
            self.spend(wanted.len() as u64 / 16)?;
            return Ok(rest.starts_with(wanted).then_some(wanted.len()));
        }
        let mut characters = rest.chars();
        for c in wanted.chars() {
            self.spend(if c.is_ascii() { 1 } else { 32 })?;
            if !characters.next().is_some_and(|other| equals_ignoring_case(c, other)) {
                return Ok(None);
            }
        }
        Ok(Some(rest.len() - characters.as_str().len()))
    }

    /// Whether a look-around holds.
    fn look_around(&mut self, around: Around, at: usize) -> Result<bool> {
        let height = self.memory.jobs.len();
        let found = match around.behind {
            None => self.run(around.body, at)?.is_some(),
            Some((slot, min, max)) => {
                self.memory.slots[slot as usize] = at as u32;
                self.ends_here(around.body, (min, max), at)?
            }
        };
        if around.is_negated {
            self.undo(height);
        }
        Ok(found != around.is_negated)
    }

    /// Whether a look-behind of so many characters ends at a position.
    fn ends_here(&mut self, body: Address, (min, max): (u32, u32), at: usize) -> Result<bool> {
        let text = self.text;
        let mut before = text[..at].chars();
        for characters in 0..=max {
            self.spend(1)?;
            if characters >= min && self.run(body, before.as_str().len())?.is_some() {
                return Ok(true);
            }
            if before.next_back().is_none() {
                break;
            }
        }
        Ok(false)
    }
}
