//! Thompson's simulation: all alternatives at once, in their order of preference, one character after the other.
//!
//! Its time is bounded by the instructions of the program times the characters of the text, whatever the pattern. It finds the
//! span of the leftmost-first match, as a backtracker does, and no groups.

use std::ops::Range;

use crate::program::{Address, Instruction, Program};
use crate::{Budget, Result};

/// Memory of a search.
#[derive(Default)]
pub struct Threads {
    current: List,
    next: List,
    stack: Vec<Address>,
}

/// A set of instructions in the order in which they were added, each with the start of the match that it belongs to.
#[derive(Default)]
struct List {
    places: Vec<(Address, u32)>,
    /// By instruction: where it is in `places`, if that says the same.
    known: Vec<u32>,
}

impl List {
    fn clear(&mut self, instructions: usize) {
        self.places.clear();
        if self.known.len() < instructions {
            self.known.resize(instructions, 0);
        }
    }

    /// Whether it was not there.
    #[inline]
    fn insert(&mut self, address: Address, start: u32) -> bool {
        let at = self.known[address as usize] as usize;
        if self.places.get(at).is_some_and(|place| place.0 == address) {
            return false;
        }
        self.known[address as usize] = self.places.len() as u32;
        self.places.push((address, start));
        true
    }
}

/// The span of the first match at or after `start`; of any match, whose span is of no interest, if `is_any_enough`.
pub fn find(
    program: &Program,
    text: &str,
    start: usize,
    is_any_enough: bool,
    budget: &mut Budget,
    threads: &mut Threads,
) -> Result<Option<Range<usize>>> {
    let Threads { current, next, stack } = threads;
    current.clear(program.instructions.len());
    next.clear(program.instructions.len());
    let mut found: Option<Range<usize>> = None;
    let mut at = start;
    loop {
        if current.places.is_empty() {
            if found.is_some() || (program.is_anchored && at > 0) {
                return Ok(found);
            }
            let Some(candidate) = program.candidate(text, at, budget)? else { return Ok(None) };
            at = candidate;
        }
        if found.is_none() && (at == 0 || !program.is_anchored) && may_begin(program, text, at) {
            add(program, text, at, (program.start, at as u32), current, stack);
        }
        let character = text[at..].chars().next();
        budget.spend(current.places.len() as u64 + 1)?;
        let after = at + character.map_or(0, char::len_utf8);
        for index in 0..current.places.len() {
            let (address, begun) = current.places[index];
            let goes_on = match program.instructions[address as usize] {
                Instruction::Char(c, to) if character == Some(c) => to,
                Instruction::Class(class, to)
                    if character.is_some_and(|c| program.classes[class as usize].contains(c)) =>
                {
                    to
                }
                Instruction::Match => {
                    found = Some(begun as usize..at);
                    // What comes after it is less preferred.
                    break;
                }
                _ => continue,
            };
            add(program, text, after, (goes_on, begun), next, stack);
        }
        if (is_any_enough && found.is_some()) || character.is_none() {
            return Ok(found);
        }
        std::mem::swap(current, next);
        next.places.clear();
        at = after;
    }
}

#[inline]
fn may_begin(program: &Program, text: &str, at: usize) -> bool {
    match &program.first_bytes {
        Some(firsts) => text.as_bytes().get(at).is_some_and(|byte| firsts[usize::from(*byte)]),
        None => true,
    }
}

/// Adds an instruction and those that it leads to without a character, in their order of preference.
fn add(
    program: &Program,
    text: &str,
    at: usize,
    (address, start): (Address, u32),
    list: &mut List,
    stack: &mut Vec<Address>,
) {
    stack.push(address);
    while let Some(address) = stack.pop() {
        if !list.insert(address, start) {
            continue;
        }
        match program.instructions[address as usize] {
            Instruction::Split(first, second) => stack.extend([second, first]),
            Instruction::EndRound { again, out, is_lazy: false, .. } => stack.extend([out, again]),
            Instruction::EndRound { again, out, is_lazy: true, .. } => stack.extend([again, out]),
            Instruction::Dispatch(table) => {
                let byte = text.as_bytes().get(at).map_or(256, |byte| usize::from(*byte));
                stack.push(program.tables[table as usize][byte]);
            }
            Instruction::Look(look, next) if look.holds(text, at, &program.word) => stack.push(next),
            Instruction::Save(_, next) | Instruction::BeginRound(_, next) => stack.push(next),
            // They wait for the next character; the others are in no regular program.
            _ => {}
        }
    }
}
