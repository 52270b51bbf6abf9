//! Pieces of a batch: which items of which leaves it consists of.

use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

use tree::{Node, Span};

/// Items of one leaf, in the order of the rows that they become; or rows below a node with column segments.
#[derive(Clone)]
pub struct Piece {
    pub leaf: Rc<Node>,
    pub items: Chosen,
}

/// Leaves and the items to read of each, in order.
pub type Pieces = [Piece];

/// Positions in a leaf.
#[derive(Clone)]
pub enum Chosen {
    /// Side by side and ascending: whole leaves are read at the speed of memory.
    Range(Range<u32>),
    List(List),
}

/// A part of a list that the pieces of a batch share.
#[derive(Clone)]
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

    /// The first `rows` items, and the others.
    fn split(self, rows: u32) -> (Chosen, Chosen) {
        match self {
            Chosen::Range(range) => {
                let middle = range.start + rows;
                (Chosen::Range(range.start..middle), Chosen::Range(middle..range.end))
            }
            Chosen::List(List { all, part }) => {
                let middle = part.start + rows;
                let first = List { all: all.clone(), part: part.start..middle };
                (Chosen::List(first), Chosen::List(List { all, part: middle..part.end }))
            }
        }
    }

    /// The item at a position.
    pub fn get(&self, at: usize) -> Option<u32> {
        match self {
            Chosen::Range(range) => range.clone().nth(at),
            Chosen::List(list) => list.items().get(at).copied(),
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

/// The first `rows` rows, and the others.
pub fn split(mut pieces: Vec<Piece>, rows: usize) -> (Vec<Piece>, Vec<Piece>) {
    let mut left = rows;
    let whole = pieces
        .iter()
        .take_while(|piece| {
            piece.items.len() <= left && {
                left -= piece.items.len();
                true
            }
        })
        .count();
    let mut rest = pieces.split_off(whole);
    if left > 0
        && let Some(piece) = rest.first_mut()
    {
        let (first, others) = piece.items.clone().split(left as u32);
        pieces.push(Piece { leaf: piece.leaf.clone(), items: first });
        piece.items = others;
    }
    (pieces, rest)
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

/// Rows of a table without key, which are stored once and given as often as they are there: millions of times, some of them, so
/// that a batch may end between two copies.
#[derive(Default)]
pub struct Copies {
    pieces: VecDeque<Piece>,
    /// Items of the first piece, and copies of the next one, that were given already.
    items_given: usize,
    copies_given: u64,
}

impl Copies {
    /// Whether there is nothing left to take.
    pub fn are_given(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Rows to take next.
    pub fn give(&mut self, pieces: Vec<Piece>) {
        self.pieces.extend(pieces);
    }

    /// The next copies, `rows_max` at most.
    ///
    /// # Errors
    /// When a row does not say how often it is there.
    pub fn take(&mut self, rows_max: usize) -> vcs::Result<Vec<Piece>> {
        let mut taken = Vec::new();
        let mut wanted = rows_max as u64;
        while wanted > 0
            && let Some(Piece { leaf, items: chosen }) = self.pieces.front()
        {
            let mut items = Vec::new();
            while wanted > 0
                && let Some(item) = chosen.get(self.items_given)
            {
                let left = vcs::cardinality(leaf.value(item as usize))?.saturating_sub(self.copies_given);
                let copies = left.min(wanted);
                items.extend(std::iter::repeat_n(item, copies as usize));
                wanted -= copies;
                self.copies_given += copies;
                if copies == left {
                    self.copies_given = 0;
                    self.items_given += 1;
                }
            }
            let is_done = self.items_given == chosen.len();
            taken.push(Piece { leaf: leaf.clone(), items: Chosen::list(items) });
            if is_done {
                self.items_given = 0;
                self.pieces.pop_front();
            }
        }
        Ok(taken)
    }
}
