//! Overlay leaf: rows of a map merged with pending edits, in memory, so that a read of few rows needs no new tree.

use core::ops::Range;

use crate::map::Map;
use crate::message::node::Kind;
use crate::node::Node;
use crate::read::scan::{Direction, Span};
use crate::tuple::{AddressFields, Bound, Sides};
use crate::write::mutate::Edit;
use crate::write::pending_node::{NODE_ITEM_BYTES_MAX, Pending};
use crate::{TreeError, TreeReason};

/// The rows of some ranges of a map, in ascending order.
pub struct OverlayLeaf<'m> {
    map: &'m Map,
    leaf: Pending,
}

impl<'m> OverlayLeaf<'m> {
    /// # Errors
    /// `TreeReason::WrongMessage` for a tree that has no rows of tuples.
    pub fn new(map: &'m Map) -> Result<OverlayLeaf<'m>, TreeError> {
        let kind = map.root.kind();
        if kind != Kind::Rows {
            return Err(TreeReason::WrongMessage { wanted: Kind::Rows.name(), found: *kind.file_id() }.into());
        }
        Ok(OverlayLeaf { map, leaf: Pending::new(kind, 0, AddressFields::of(&map.value))? })
    }

    /// Adds the rows between two bounds, all of which lie behind those so far, with edits of keys between them, which ascend. False
    /// where this is more than a leaf holds; then the overlay cannot be used.
    ///
    /// # Errors
    /// What is wrong with a chunk on the way.
    pub fn add<'a>(
        &mut self,
        (lower, upper): Sides<'_>,
        edits: impl IntoIterator<Item = Edit<'a>>,
    ) -> Result<bool, TreeError> {
        let Map { nodes, order, .. } = self.map;
        let mut scan = self.map.scan(lower.as_ref(), upper.as_ref(), Direction::Forward)?;
        let mut next = scan.next_span(usize::MAX)?;
        for Edit { key, value } in edits {
            let place = Bound::before(key, usize::MAX);
            while let Some(Span { leaf, items }) = &mut next {
                let at = order.items_before(nodes, leaf.keys(), &place)?.clamp(items.start, items.end);
                if !self.take(leaf, items.start..at) {
                    return Ok(false);
                }
                items.start = at;
                if at < items.end {
                    items.start += usize::from(order.compare_bound(nodes, leaf.key(at), &place)?.is_eq());
                    break;
                }
                next = scan.next_span(usize::MAX)?;
            }
            if value.is_some_and(|value| !self.push(key, value)) {
                return Ok(false);
            }
        }
        while let Some(Span { leaf, items }) = next {
            if !self.take(&leaf, items) {
                return Ok(false);
            }
            next = scan.next_span(usize::MAX)?;
        }
        Ok(true)
    }

    /// A map of these rows alone. Its root is no chunk: it lives as long as it is held.
    ///
    /// # Errors
    /// As writing a node.
    pub fn finish(mut self) -> Result<Map, TreeError> {
        let (root, _) = self.leaf.node()?;
        Ok(Map { root, ..self.map.clone() })
    }

    fn take(&mut self, leaf: &Node, items: Range<usize>) -> bool {
        let start = |at: usize| leaf.keys().start(at) + leaf.values().start(at);
        let fits = self.has_room(start(items.end) - start(items.start));
        if fits && !items.is_empty() {
            self.leaf.extend(leaf, items);
        }
        fits
    }

    fn push(&mut self, key: &[u8], value: &[u8]) -> bool {
        let item_bytes = key.len() + value.len();
        let fits = self.has_room(item_bytes);
        if fits {
            self.leaf.push(key, value, 1, item_bytes);
        }
        fits
    }

    fn has_room(&self, item_bytes: usize) -> bool {
        self.leaf.bytes() + item_bytes <= NODE_ITEM_BYTES_MAX
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::rc::Rc;

    use store::MemoryChunks;

    use super::*;
    use value::SqlType;

    use crate::{Chunker, Encoding, FieldType, NodeStore, Options, TupleBuilder, TupleDescriptor};

    fn tuple(number: u32) -> Vec<u8> {
        let mut builder = TupleBuilder::new();
        builder.push(Some(&number.to_le_bytes()));
        builder.finish().unwrap()
    }

    /// Every third number below `3 * rows`, with itself.
    fn map(rows: u32) -> Map {
        let chunks = MemoryChunks::new();
        let tuples = Rc::new(TupleDescriptor::new([FieldType::new(Encoding::Uint32, false, SqlType::INT)]));
        let mut chunker = Chunker::new(&chunks, Kind::Rows, AddressFields::of(&tuples));
        (0..rows).for_each(|i| chunker.append(&tuple(3 * i), &tuple(3 * i)).unwrap());
        let root = chunker.finish().unwrap();
        let nodes = NodeStore::new(Rc::new(chunks), Options::default());
        Map::new(nodes.clone(), nodes.root(&root).unwrap(), tuples.clone(), tuples)
    }

    #[test]
    fn has_the_rows_of_its_ranges_with_the_edits() {
        let map = map(4_000);
        let mut random = 7u32;
        let mut below = |end: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) % end
        };
        for round in 0..400 {
            let (first, len, edits) = (below(12_300), [0, 1, 40, 900][below(4) as usize], below(30));
            let range = first..first + len;
            let mut wanted: BTreeMap<u32, u32> =
                range.clone().filter(|i| i % 3 == 0 && *i < 12_000).map(|i| (i, i)).collect();
            let mut edited = BTreeMap::new();
            for _ in 0..if len == 0 { 0 } else { edits } {
                let (key, is_put) = (first + below(len), below(3) > 0);
                edited.insert(key, is_put.then_some(100_000 + key));
            }
            for (key, value) in &edited {
                wanted.remove(key);
                wanted.extend(value.map(|value| (*key, value)));
            }
            let edits: Vec<_> = edited.iter().map(|(key, value)| (tuple(*key), value.map(tuple))).collect();
            let edits = edits.iter().map(|(key, value)| Edit { key, value: value.as_deref() });
            let (start, end) = (tuple(range.start), tuple(range.end));
            let mut overlay = OverlayLeaf::new(&map).unwrap();
            assert!(overlay.add((Some(Bound::before(&start, 1)), Some(Bound::before(&end, 1))), edits).unwrap());
            let found = overlay.finish().unwrap();
            assert_eq!(found.count(), wanted.len() as u64, "round {round}");
            let mut scan = found.scan(None, None, Direction::Forward).unwrap();
            let mut rows = Vec::new();
            while let Some(span) = scan.next_span(7).unwrap() {
                rows.extend(span.items.map(|i| (span.leaf.key(i).to_vec(), span.leaf.value(i).to_vec())));
            }
            let wanted: Vec<_> = wanted.into_iter().map(|(key, value)| (tuple(key), tuple(value))).collect();
            assert_eq!(rows, wanted, "round {round}");
        }
    }

    #[test]
    fn holds_no_more_than_a_leaf() {
        let map = map(40_000);
        let mut overlay = OverlayLeaf::new(&map).unwrap();
        assert!(!overlay.add((None, None), []).unwrap());
        let (end, long) = (tuple(30), vec![0; NODE_ITEM_BYTES_MAX]);
        let mut overlay = OverlayLeaf::new(&map).unwrap();
        assert!(!overlay.add((None, Some(Bound::before(&end, 1))), [Edit::put(&end, &long)]).unwrap());
    }
}
