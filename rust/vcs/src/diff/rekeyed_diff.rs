//! Row diff of two versions whose keys cannot be compared byte by byte: the primary key changed its type or its columns.

use core::cmp::Ordering;
use core::iter::Peekable;
use std::rc::Rc;

use tree::tuple::decode;
use tree::{Direction, Item, NodeStore, Scan, Span, Tuple, TupleDescriptor};
use value::Collation;

use crate::error::Result;
use crate::table::Table;

/// All rows of a table in key order.
pub(crate) struct Rows {
    scan: Scan,
    span: Option<Span>,
}

impl Rows {
    pub(crate) fn new(scan: Scan) -> Rows {
        Rows { scan, span: None }
    }

    fn step(&mut self) -> Result<Option<Item>> {
        loop {
            if let Some(span) = &mut self.span
                && let Some(index) = span.items.next()
            {
                return Ok(Some(Item { leaf: span.leaf.clone(), index }));
            }
            self.span = self.scan.next_span(usize::MAX)?;
            if self.span.is_none() {
                return Ok(None);
            }
        }
    }
}

impl Iterator for Rows {
    type Item = Result<Item>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = self.step();
        if step.is_err() {
            self.scan.limit(0);
        }
        step.transpose()
    }
}

/// Pairs rows by the values of the first columns of their keys, both versions read in whole.
pub(crate) struct RoughDiff {
    from: Peekable<Rows>,
    to: Peekable<Rows>,
    keys: Keys,
}

/// How keys of the two versions compare.
struct Keys {
    nodes: Rc<NodeStore>,
    from: Rc<TupleDescriptor>,
    to: Rc<TupleDescriptor>,
    /// Columns of the key that both have; none when one version has no primary key, whose rows then are all others.
    shared_fields: usize,
}

impl RoughDiff {
    pub(crate) fn new(from: &Table, to: &Table) -> Result<RoughDiff> {
        let rows = |table: &Table| -> Result<Peekable<Rows>> {
            Ok(Rows::new(table.rows().scan(None, None, Direction::Forward)?).peekable())
        };
        let (from_key, to_key) = (from.schema().key.clone(), to.schema().key.clone());
        let has_keys = !from.schema().is_keyless() && !to.schema().is_keyless();
        let shared_fields = if has_keys { from_key.len().min(to_key.len()) } else { 0 };
        let nodes = to.objects().nodes().clone();
        let keys = Keys { nodes, from: from_key, to: to_key, shared_fields };
        Ok(RoughDiff { from: rows(from)?, to: rows(to)?, keys })
    }

    /// The next row that went, came or has another value.
    pub(crate) fn next_change(&mut self) -> Result<Option<(Option<Item>, Option<Item>)>> {
        loop {
            let order = match (self.from.peek(), self.to.peek()) {
                (None, None) => return Ok(None),
                (Some(Ok(from)), Some(Ok(to))) => self.keys.compare(from, to)?,
                (Some(_), None) | (Some(Err(_)), _) => Ordering::Less,
                (None, Some(_)) | (_, Some(Err(_))) => Ordering::Greater,
            };
            let from = if order.is_le() { self.from.next().transpose()? } else { None };
            let to = if order.is_ge() { self.to.next().transpose()? } else { None };
            match (&from, &to) {
                (Some(from), Some(to)) if from.value() == to.value() => {}
                _ => return Ok(Some((from, to))),
            }
        }
    }
}

impl Keys {
    fn compare(&self, from: &Item, to: &Item) -> Result<Ordering> {
        if self.shared_fields == 0 {
            return Ok(Ordering::Less);
        }
        let (left, right) = (Tuple::new(from.key()), Tuple::new(to.key()));
        for (i, (from, to)) in self.from.fields().iter().zip(self.to.fields()).enumerate() {
            let from_value = decode(&self.nodes, from, left.field(i))?;
            let to_value = decode(&self.nodes, to, right.field(i))?;
            let collation = from.sql_type.collation().unwrap_or(Collation::UTF8MB4_0900_BIN);
            // Values that do not compare belong to different rows; the older one goes first.
            let order = value::compare(&from_value, &to_value, collation).ok().flatten().unwrap_or(Ordering::Less);
            if order.is_ne() {
                return Ok(order);
            }
        }
        Ok(Ordering::Equal)
    }
}
