//! Which items of which leaves a batch is made of.

use std::ops::Range;
use std::rc::Rc;

use tree::{Node, Span};

/// Items of one leaf, in the order of the rows that they become; or rows below a node that has their columns packed.
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
    List(List),
}

/// A part of a list that the pieces of a batch share.
pub struct List {
    all: Rc<Vec<u32>>,
    part: Range<u32>,
}

impl List {
    fn of(items: Vec<u32>) -> List {
        List { part: 0..items.len() as u32, all: Rc::new(items) }
    }

    pub fn items(&self) -> &[u32] {
        &self.all[self.part.start as usize..self.part.end as usize]
    }
}

impl Chosen {
    pub fn list(items: Vec<u32>) -> Chosen {
        Chosen::List(List::of(items))
    }

    pub fn len(&self) -> usize {
        match self {
            Chosen::Range(range) => range.len(),
            Chosen::List(list) => list.part.len(),
        }
    }

    #[inline]
    pub fn for_each(&self, mut each: impl FnMut(usize)) {
        match self {
            Chosen::Range(range) => range.clone().for_each(|item| each(item as usize)),
            Chosen::List(list) => list.items().iter().for_each(|&item| each(item as usize)),
        }
    }

    #[inline]
    pub fn try_for_each<E>(&self, mut each: impl FnMut(usize) -> Result<(), E>) -> Result<(), E> {
        match self {
            Chosen::Range(range) => range.clone().try_for_each(|item| each(item as usize)),
            Chosen::List(list) => list.items().iter().try_for_each(|&item| each(item as usize)),
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
        let items = if reverse && range.len() > 1 { Chosen::list(range.rev().collect()) } else { Chosen::Range(range) };
        Piece { leaf: span.leaf, items }
    }
}

/// The items of the rows with these numbers, which ascend.
#[inline(never)]
pub fn picked(mut pieces: Vec<Piece>, mut numbers: Vec<u32>) -> Vec<Piece> {
    // The numbers become items in their places, which all pieces then share.
    let (mut first_row, mut next) = (0, 0);
    let mut parts = Vec::with_capacity(pieces.len());
    for Piece { items, .. } in &pieces {
        let end_row = first_row + items.len() as u32;
        let inside = numbers[next..].partition_point(|&number| number < end_row);
        let part = next..next + inside;
        match items {
            Chosen::Range(range) => {
                let from_row_to_item = range.start.wrapping_sub(first_row);
                numbers[part.clone()].iter_mut().for_each(|number| *number = number.wrapping_add(from_row_to_item));
            }
            Chosen::List(list) => {
                let items = list.items();
                numbers[part.clone()].iter_mut().for_each(|n| *n = items[(*n - first_row) as usize]);
            }
        }
        parts.push(part);
        (first_row, next) = (end_row, next + inside);
    }
    let all = Rc::new(numbers);
    let mut parts = parts.into_iter();
    pieces.retain_mut(|piece| {
        let part = parts.next().unwrap_or_default();
        let is_whole = part.len() == piece.items.len();
        if !is_whole {
            piece.items = Chosen::List(List { all: all.clone(), part: part.start as u32..part.end as u32 });
        }
        !part.is_empty()
    });
    pieces
}
