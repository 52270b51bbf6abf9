//! Secondary indexes that are updated with the rows of a merge.

use std::rc::Rc;

use codec::{Address, CompactSort};
use tree::tuple::EMPTY;
use tree::{AddressFields, Chunker, Direction, Edit, Kind, Map, NodeStore};

use crate::error::Result;
use crate::expressions::Expressions;
use crate::merge::rows::index_keys::IndexKeys;
use crate::merge::rows::map_edits::MapEdits;
use crate::merge::rows::row::Row;
use crate::schema::{Index, Schema};
use crate::table::Table;

/// An index of ours and what the merge changes in it.
pub(crate) struct IndexDraft {
    pub name: Rc<str>,
    map: Map,
    our_keys: IndexKeys,
    merged_keys: IndexKeys,
    /// Entries put (true) and deleted, in the order in which it happened.
    edits: Vec<(Vec<u8>, bool)>,
}

impl IndexDraft {
    /// `index` is one of the merged schema, equal to ours.
    pub(crate) fn new(ours: &Table, merged: &Rc<Schema>, index: &Index) -> Result<IndexDraft> {
        Ok(IndexDraft {
            name: index.name.clone(),
            map: ours.index(index)?,
            our_keys: IndexKeys::new(ours.schema(), index, merged)?,
            merged_keys: IndexKeys::new(merged, index, merged)?,
            edits: Vec::new(),
        })
    }

    /// A row with value tuple `from` has `to` now; `None` is no row.
    pub(crate) fn change(
        &mut self,
        key: &[u8],
        from: Option<&[u8]>,
        to: Option<&[u8]>,
        expressions: &dyn Expressions,
    ) -> Result<()> {
        let nodes = self.map.nodes.clone();
        if let Some(from) = from {
            self.edits.push((self.our_keys.of_row(&nodes, Row { key, value: from }, expressions)?, false));
        }
        if let Some(to) = to {
            self.edits.push((self.merged_keys.of_row(&nodes, Row { key, value: to }, expressions)?, true));
        }
        Ok(())
    }

    /// Edits of the index's entries.
    pub(crate) fn into_edits(self) -> Result<MapEdits> {
        let (map, mut edits) = (self.map, self.edits);
        edits.try_compact_sort_by(|one, two| map.order.compare(&map.nodes, &one.0, &two.0))?;
        let mut last: Vec<(Vec<u8>, bool)> = Vec::with_capacity(edits.len());
        for edit in edits {
            match last.last_mut() {
                Some(before) if map.order.compare(&map.nodes, &before.0, &edit.0)?.is_eq() => *before = edit,
                _ => last.push(edit),
            }
        }
        let edits = last.into_iter().map(|(key, is_put)| (key, is_put.then(|| EMPTY.to_vec()))).collect();
        Ok(MapEdits::new(map, edits))
    }

    /// Writes the index.
    pub(crate) fn write(self) -> Result<Address> {
        Ok(self.into_edits()?.at_once()?.put_root()?)
    }
}

/// Gets the entries of two rows.
type EachDuplicate<'a> = dyn FnMut(&[u8], &[u8]) -> Result<()> + 'a;

/// Builds an index from all rows. `duplicate` gets the entries of two rows that a unique index has only one place for.
pub(crate) fn build_index(
    rows: &Map,
    schema: &Rc<Schema>,
    index: &Index,
    expressions: &dyn Expressions,
    duplicate: &mut EachDuplicate<'_>,
) -> Result<Address> {
    let nodes: &Rc<NodeStore> = &rows.nodes;
    let mut keys = IndexKeys::new(schema, index, schema)?;
    let mut entries = Vec::new();
    let mut scan = rows.scan(None, None, Direction::Forward)?;
    while let Some(span) = scan.next_span(usize::MAX)? {
        expressions.worked(span.items.len())?;
        for at in span.items.clone() {
            let row = Row { key: span.leaf.key(at), value: span.leaf.value(at) };
            entries.push(keys.of_row(nodes, row, expressions)?);
        }
    }
    let empty = Chunker::new(&**nodes, index.tree_kind(), AddressFields::default()).finish()?;
    let none = Rc::new(tree::TupleDescriptor::new([]));
    let map = Map::new(nodes.clone(), nodes.embedded(&empty.message)?, index.key.clone(), none);
    entries.try_compact_sort_by(|one, two| map.order.compare(&map.nodes, one, two))?;
    if index.vector.is_some() {
        let edits = entries.iter().map(|entry| Edit::put(entry, EMPTY));
        return Ok(map.edit(edits, &mut &**nodes)?.address);
    }
    let mut chunker = Chunker::new(&**nodes, Kind::Rows, AddressFields::default());
    let own = index.columns.len();
    let mut before: Option<&[u8]> = None;
    for entry in &entries {
        if let Some(before) = before.filter(|_| index.is_unique && !has_null(entry, own))
            && index.key.compare_prefix(nodes, before, entry, own)?.is_eq()
        {
            duplicate(before, entry)?;
        }
        chunker.append(entry, EMPTY)?;
        before = Some(entry);
    }
    Ok(chunker.finish()?.address)
}

/// Whether one of the first fields is NULL.
pub(crate) fn has_null(entry: &[u8], fields: usize) -> bool {
    (0..fields).any(|field| tree::Tuple::new(entry).field(field).is_none())
}
