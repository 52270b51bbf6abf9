//! Programs: what a pattern is compiled into, and what both machines execute.

use crate::class::Class;
use crate::look::Look;
use crate::node::{Greed, Node};
use crate::parse::Parsed;
use crate::{Budget, Error, Result};

/// Most instructions. The simulation takes some bytes of each, the backtracker a bit of each and character.
const INSTRUCTIONS_MAX: usize = 100_000;
/// An alternation of so many words is entered at those that begin with the next byte.
const DISPATCH_MIN: usize = 8;

/// Bytes that are skipped in the time of a step.
const BYTES_PER_STEP: u64 = 8;

pub type Address = u32;
pub type Slot = u32;

#[derive(Debug, Clone, Copy)]
pub enum Instruction {
    Char(char, Address),
    Class(u32, Address),
    /// The first is tried first.
    Split(Address, Address),
    /// Number of a table of addresses by the next byte.
    Dispatch(u32),
    Look(Look, Address),
    /// Keeps the position in a slot: an end of a group.
    Save(Slot, Address),
    /// Keeps the position at which a round of a loop begins, whose body may match nothing.
    BeginRound(Slot, Address),
    /// Another round (`again`), or on (`out`): a round that matched nothing is the last.
    EndRound {
        slot: Slot,
        again: Address,
        out: Address,
        is_lazy: bool,
    },
    BackReference {
        group: u32,
        ignore_case: bool,
        next: Address,
    },
    /// `number` of [`Program::arounds`].
    Around {
        number: u32,
        next: Address,
    },
    Atomic {
        body: Address,
        next: Address,
    },
    /// The end of a look-behind: it ends where it was asked.
    EndsAt(Slot),
    Match,
    Fail,
}

/// A look-ahead or look-behind.
#[derive(Debug, Clone, Copy)]
pub struct Around {
    pub body: Address,
    pub is_negated: bool,
    /// Of a look-behind: the slot of its end, least and most characters.
    pub behind: Option<(Slot, u32, u32)>,
}

pub struct Program {
    pub instructions: Vec<Instruction>,
    pub classes: Vec<Class>,
    pub arounds: Vec<Around>,
    /// Addresses by the next byte; the last is that of the end of the text.
    pub tables: Vec<[Address; 257]>,
    pub word: Class,
    pub start: Address,
    pub groups: u32,
    pub slots: u32,
    /// Without back-references, look-around and atomic groups: it runs in linear time.
    pub is_regular: bool,
    /// It matches at the start of the text only.
    pub is_anchored: bool,
    /// Bytes with which a match may begin; `None` where it may be empty, or begin with most bytes.
    pub first_bytes: Option<Box<[bool; 256]>>,
}

impl Program {
    pub fn new(parsed: Parsed, groups: u32) -> Result<Program> {
        let mut compiler = Compiler {
            instructions: vec![Instruction::Match, Instruction::Fail],
            arounds: Vec::new(),
            tables: Vec::new(),
            classes: &parsed.classes,
            slots: 2 * (groups + 1),
            is_regular: true,
        };
        let end = compiler.push(Instruction::Save(1, MATCH))?;
        let body = compiler.emit(&parsed.node, end)?;
        let start = compiler.push(Instruction::Save(0, body))?;
        let firsts = firsts(&parsed.node, &parsed.classes).filter(|firsts| firsts.iter().any(|first| !first));
        let Compiler { instructions, arounds, tables, slots, is_regular, .. } = compiler;
        Ok(Program {
            instructions,
            classes: parsed.classes,
            arounds,
            tables,
            word: parsed.word,
            start,
            groups,
            slots,
            is_regular,
            is_anchored: parsed.node.is_anchored(),
            first_bytes: firsts,
        })
    }

    pub fn bytes(&self) -> usize {
        self.instructions.len() * size_of::<Instruction>()
            + self.classes.iter().map(Class::bytes).sum::<usize>()
            + self.tables.len() * size_of::<[Address; 257]>()
    }

    /// The next position, from `at`, at which a match may begin.
    #[inline]
    pub fn candidate(&self, text: &str, at: usize, budget: &mut Budget) -> Result<Option<usize>> {
        let Some(firsts) = &self.first_bytes else { return Ok(Some(at)) };
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        let ahead = rest.iter().position(|byte| firsts[usize::from(*byte)]);
        budget.spend(ahead.unwrap_or(rest.len()) as u64 / BYTES_PER_STEP)?;
        Ok(ahead.map(|ahead| at + ahead))
    }
}

const MATCH: Address = 0;
const FAIL: Address = 1;

struct Compiler<'a> {
    instructions: Vec<Instruction>,
    arounds: Vec<Around>,
    tables: Vec<[Address; 257]>,
    classes: &'a [Class],
    slots: u32,
    is_regular: bool,
}

impl Compiler<'_> {
    fn push(&mut self, instruction: Instruction) -> Result<Address> {
        if self.instructions.len() >= INSTRUCTIONS_MAX {
            return Err(Error::TooBig);
        }
        self.instructions.push(instruction);
        Ok(self.instructions.len() as Address - 1)
    }

    fn new_slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    /// The address at which `node` begins, after which the program goes on at `next`.
    fn emit(&mut self, node: &Node, next: Address) -> Result<Address> {
        match node {
            Node::Char(c) => self.push(Instruction::Char(*c, next)),
            Node::Class(class) => self.push(Instruction::Class(*class, next)),
            Node::Look(look) => self.push(Instruction::Look(*look, next)),
            Node::Concat(nodes) => nodes.iter().rev().try_fold(next, |next, node| self.emit(node, next)),
            Node::Alternation(nodes) => self.alternation(nodes, next),
            Node::Repeat { node, min, max, greed: Greed::Possessive } => {
                self.is_regular = false;
                let body = self.repeat(node, (*min, *max), false, MATCH)?;
                self.push(Instruction::Atomic { body, next })
            }
            Node::Repeat { node, min, max, greed } => self.repeat(node, (*min, *max), *greed == Greed::Lazy, next),
            Node::Group(number, node) => {
                let end = self.push(Instruction::Save(number * 2 + 1, next))?;
                let body = self.emit(node, end)?;
                self.push(Instruction::Save(number * 2, body))
            }
            Node::BackReference { group, ignore_case } => {
                self.is_regular = false;
                self.push(Instruction::BackReference { group: *group, ignore_case: *ignore_case, next })
            }
            Node::Atomic(node) => {
                self.is_regular = false;
                let body = self.emit(node, MATCH)?;
                self.push(Instruction::Atomic { body, next })
            }
            Node::Around { node, is_ahead, is_negated } => {
                self.is_regular = false;
                let (min, max) = node.length();
                let behind = match is_ahead {
                    true => None,
                    false => Some((self.new_slot(), min, max.ok_or(Error::TooBig)?)),
                };
                let end = match behind {
                    Some((slot, ..)) => self.push(Instruction::EndsAt(slot))?,
                    None => MATCH,
                };
                let body = self.emit(node, end)?;
                self.arounds.push(Around { body, is_negated: *is_negated, behind });
                self.push(Instruction::Around { number: self.arounds.len() as u32 - 1, next })
            }
        }
    }

    fn alternation(&mut self, nodes: &[Node], next: Address) -> Result<Address> {
        let starts = nodes.iter().map(|node| self.emit(node, next)).collect::<Result<Vec<Address>>>()?;
        if nodes.len() >= DISPATCH_MIN
            && let Some(firsts) =
                nodes.iter().map(|node| firsts(node, self.classes)).collect::<Option<Vec<Box<[bool; 256]>>>>()
        {
            let mut table = [FAIL; 257];
            for byte in 0..256 {
                let possible: Vec<Address> =
                    starts.iter().zip(&firsts).filter(|(_, firsts)| firsts[byte]).map(|(start, _)| *start).collect();
                table[byte] = self.choice(&possible)?;
            }
            self.tables.push(table);
            return self.push(Instruction::Dispatch(self.tables.len() as u32 - 1));
        }
        self.choice(&starts)
    }

    fn choice(&mut self, starts: &[Address]) -> Result<Address> {
        let Some((last, others)) = starts.split_last() else { return Ok(FAIL) };
        others.iter().rev().try_fold(*last, |rest, start| self.push(Instruction::Split(*start, rest)))
    }

    fn split(&mut self, body: Address, out: Address, is_lazy: bool) -> Result<Address> {
        self.push(if is_lazy { Instruction::Split(out, body) } else { Instruction::Split(body, out) })
    }

    fn repeat(&mut self, node: &Node, (min, max): (u32, Option<u32>), is_lazy: bool, next: Address) -> Result<Address> {
        let (least, most) = node.length();
        // What matches nothing but places does so as often as it is asked.
        let (min, max) = if most == Some(0) { (min.min(1), max.map(|max| max.min(1))) } else { (min, max) };
        let mut start = next;
        match max {
            None if least == 0 => {
                let slot = self.new_slot();
                let end = self.push(Instruction::EndRound { slot, again: FAIL, out: next, is_lazy })?;
                let body = self.emit(node, end)?;
                let again = self.push(Instruction::BeginRound(slot, body))?;
                if let Some(Instruction::EndRound { again: address, .. }) = self.instructions.get_mut(end as usize) {
                    *address = again;
                }
                start = self.split(again, next, is_lazy)?;
            }
            None => {
                let split = self.split(FAIL, next, is_lazy)?;
                let body = self.emit(node, split)?;
                self.instructions[split as usize] =
                    if is_lazy { Instruction::Split(next, body) } else { Instruction::Split(body, next) };
                start = split;
            }
            Some(max) => {
                for _ in min..max {
                    let body = self.emit(node, start)?;
                    start = self.split(body, next, is_lazy)?;
                }
            }
        }
        for _ in 0..min {
            let before = self.instructions.len();
            start = self.emit(node, start)?;
            // Of what is empty there is nothing to repeat.
            if self.instructions.len() == before {
                break;
            }
        }
        Ok(start)
    }
}

/// Bytes with which a match of `node` begins; `None` where it may be empty.
fn firsts(node: &Node, classes: &[Class]) -> Option<Box<[bool; 256]>> {
    match node {
        Node::Char(c) => {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes);
            let mut firsts = Box::new([false; 256]);
            firsts[usize::from(bytes[0])] = true;
            Some(firsts)
        }
        Node::Class(class) => {
            let class = &classes[*class as usize];
            let mut firsts = Box::new([false; 256]);
            for (byte, first) in firsts.iter_mut().enumerate() {
                *first = if byte < 128 { class.ascii() >> byte & 1 != 0 } else { !class.is_ascii() && byte >= 0xc2 };
            }
            Some(firsts)
        }
        Node::Look(_) | Node::Around { .. } | Node::BackReference { .. } => None,
        Node::Group(_, node) | Node::Atomic(node) => firsts(node, classes),
        // Places before do not matter.
        Node::Concat(nodes) => {
            nodes.iter().find(|node| node.length().1 != Some(0)).and_then(|node| firsts(node, classes))
        }
        Node::Alternation(nodes) => {
            let mut all = Box::new([false; 256]);
            for node in nodes {
                let some = firsts(node, classes)?;
                all.iter_mut().zip(some.iter()).for_each(|(first, other)| *first |= other);
            }
            Some(all)
        }
        Node::Repeat { node, min, .. } => {
            if *min == 0 {
                None
            } else {
                firsts(node, classes)
            }
        }
    }
}
