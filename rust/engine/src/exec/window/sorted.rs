//! Sorted positions of the rows of a window.

use std::ops::Range;
use std::rc::Rc;

use super::Order;
use crate::exec::sort::row_order::compare_rows;
use crate::vector::Vector;

/// The rows in the order of one window.
pub(super) struct Sorted {
    pub rows: Vec<u32>,
    /// For each position: the first of its partition, the one behind its partition, the same of the rows that tie with
    /// it, and how many groups of ties are before it in the partition.
    pub places: Vec<Place>,
}

#[derive(Clone, Copy)]
pub(super) struct Place {
    pub start: u32,
    pub end: u32,
    pub ties_start: u32,
    pub ties_end: u32,
    pub ties_before: u32,
}

impl Sorted {
    /// Of rows that are sorted, and the columns of their keys.
    pub fn of(order: &Order, (rows, columns): (Vec<u32>, Vec<Rc<Vector>>)) -> Sorted {
        let partition = order.partition_keys;
        let same = |a: u32, b: u32, keys: Range<usize>| {
            compare_rows(&columns[keys.clone()], a as usize, &columns[keys.clone()], b as usize, &order.keys[keys])
                .is_eq()
        };
        let mut places: Vec<Place> = Vec::with_capacity(rows.len());
        let (mut start, mut ties_start, mut ties_before) = (0, 0, 0);
        for (at, &row) in rows.iter().enumerate() {
            if at > 0 {
                let before = rows[at - 1];
                if !same(before, row, 0..partition) {
                    (start, ties_start, ties_before) = (at as u32, at as u32, 0);
                } else if !same(before, row, partition..columns.len()) {
                    (ties_start, ties_before) = (at as u32, ties_before + 1);
                }
            }
            places.push(Place { start, end: 0, ties_start, ties_end: 0, ties_before });
        }
        // From the back: where each partition and each group of ties ends.
        let (mut end, mut ties_end) = (rows.len() as u32, rows.len() as u32);
        for at in (0..places.len()).rev() {
            (places[at].end, places[at].ties_end) = (end, ties_end);
            if places[at].ties_start == at as u32 {
                ties_end = at as u32;
            }
            if places[at].start == at as u32 {
                end = at as u32;
            }
        }
        Sorted { rows, places }
    }
}
