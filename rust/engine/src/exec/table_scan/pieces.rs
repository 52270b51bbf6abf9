//! Which items of which leaves a batch is made of.

use std::ops::Range;
use std::rc::Rc;

use tree::{Node, Span};

/// Items of one leaf, in the order of the rows that they become.
pub struct Piece {
    pub leaf: Rc<Node>,
    pub items: Chosen,
}

/// Leaves and the items to read of each, in order.
pub type Pieces = [Piece];

/// Positions in a leaf.
pub enum Chosen {
    /// Side by side and ascending: whole leaves are read at the speed of memory.
    Range(Range<u32>),
    List(Vec<u32>),
}

impl Chosen {
    pub fn len(&self) -> usize {
        match self {
            Chosen::Range(range) => range.len(),
            Chosen::List(items) => items.len(),
        }
    }

    pub fn first(&self) -> Option<u32> {
        match self {
            Chosen::Range(range) => range.clone().next(),
            Chosen::List(items) => items.first().copied(),
        }
    }

    /// The nth, which must exist.
    fn at(&self, n: usize) -> u32 {
        match self {
            Chosen::Range(range) => range.start + n as u32,
            Chosen::List(items) => items[n],
        }
    }

    #[inline]
    pub fn for_each(&self, mut each: impl FnMut(usize)) {
        match self {
            Chosen::Range(range) => range.clone().for_each(|item| each(item as usize)),
            Chosen::List(items) => items.iter().for_each(|&item| each(item as usize)),
        }
    }

    #[inline]
    pub fn try_for_each<E>(&self, mut each: impl FnMut(usize) -> Result<(), E>) -> Result<(), E> {
        match self {
            Chosen::Range(range) => range.clone().try_for_each(|item| each(item as usize)),
            Chosen::List(items) => items.iter().try_for_each(|&item| each(item as usize)),
        }
    }
}

impl Piece {
    /// One row.
    pub fn one(leaf: Rc<Node>, item: usize) -> Piece {
        Piece { leaf, items: Chosen::Range(item as u32..item as u32 + 1) }
    }

    /// All items of a span, from the last to the first for a backward scan.
    pub fn of(span: Span, reverse: bool) -> Piece {
        let range = span.items.start as u32..span.items.end as u32;
        let items = if reverse && range.len() > 1 { Chosen::List(range.rev().collect()) } else { Chosen::Range(range) };
        Piece { leaf: span.leaf, items }
    }
}

/// The items of the rows with these numbers, which ascend.
pub fn picked(pieces: Vec<Piece>, numbers: &[u32]) -> Vec<Piece> {
    let mut kept = Vec::with_capacity(pieces.len());
    let mut rest = numbers;
    let mut start = 0;
    for Piece { leaf, items } in pieces {
        let end = start + items.len();
        let inside = rest.partition_point(|&number| (number as usize) < end);
        let (numbers, behind) = rest.split_at(inside);
        rest = behind;
        if numbers.len() == items.len() {
            kept.push(Piece { leaf, items });
        } else if !numbers.is_empty() {
            let chosen = numbers.iter().map(|&number| items.at(number as usize - start)).collect();
            kept.push(Piece { leaf, items: Chosen::List(chosen) });
        }
        start = end;
    }
    kept
}
