//! Address maps: names to addresses of refs, tables, indexes (docs/format/tree.md, section 2.5).

use std::rc::Rc;

use codec::Address;

use crate::map::Map;
use crate::node::Node;
use crate::node::order::KeyOrder;
use crate::nodes::NodeStore;
use crate::read::cursor::Cursor;
use crate::read::scan::{Direction, Scan, Span};
use crate::tuple::Bound;
use crate::write::mutate::Edit;
use crate::{Kind, TreeError};

/// Addresses by name, in byte order of the names.
#[derive(Clone)]
pub struct AddressMap(Map);

impl AddressMap {
    /// # Errors
    /// `TreeReason::WrongMessage` when the root is no address map.
    pub fn new(nodes: Rc<NodeStore>, root: Rc<Node>) -> Result<AddressMap, TreeError> {
        Ok(AddressMap(Map::plain(nodes, root, Kind::Addresses, KeyOrder::Bytes)?))
    }

    /// From the message embedded in a root value, table, store root or stash list.
    pub fn embedded(nodes: Rc<NodeStore>, message: &[u8]) -> Result<AddressMap, TreeError> {
        let root = nodes.embedded(message)?;
        AddressMap::new(nodes, root)
    }

    pub fn count(&self) -> u64 {
        self.0.count()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, name: &[u8]) -> Result<Option<Address>, TreeError> {
        Ok(self.0.get(name)?.and_then(|item| item.leaf.child_address(item.index)))
    }

    /// All names and addresses from the first name on that is not before `from`.
    pub fn entries_from(&self, from: &[u8]) -> Result<Entries, TreeError> {
        let lower = Bound::before(from, 0);
        let scan = self.0.scan(Some(&lower), None, Direction::Forward)?;
        Ok(Entries { scan, leaf: None, next: 0, end: 0, last: None })
    }

    /// All names and addresses.
    pub fn entries(&self) -> Result<Entries, TreeError> {
        self.entries_from(b"")
    }

    pub fn seek(&self, name: &[u8]) -> Result<Cursor, TreeError> {
        self.0.seek(&Bound::before(name, 0))
    }

    /// The message of its root, to be embedded.
    pub fn message(&self) -> &[u8] {
        self.0.root.bytes()
    }

    /// The map after edits, which are in byte order of the names, each name once; `None` takes a name out.
    ///
    /// # Errors
    /// As [`Map::edited`].
    pub fn edited<'a>(
        &self,
        edits: impl IntoIterator<Item = (&'a [u8], Option<&'a Address>)>,
    ) -> Result<AddressMap, TreeError> {
        let edits = edits.into_iter().map(|(key, address)| {
            let value = address.map(|address| &address.as_bytes()[..]);
            Edit { key, value }
        });
        Ok(AddressMap(self.0.edited(edits)?))
    }

    /// The map below, for diffs.
    pub fn map(&self) -> &Map {
        &self.0
    }
}

/// Names and addresses in order. Ends after the first error. A crafted map could repeat a leaf any number of times: each name has to
/// come after the one before, so that there are no more of them than the file has chunks for.
pub struct Entries {
    scan: Scan,
    leaf: Option<Rc<Node>>,
    next: usize,
    end: usize,
    /// The last name of the leaf before.
    last: Option<Box<[u8]>>,
}

impl Entries {
    /// The next leaf; `None` at the end.
    fn next_leaf(&mut self) -> Result<Option<()>, TreeError> {
        while self.next == self.end {
            let Some(Span { leaf, items }) = self.scan.next_span(usize::MAX)? else { return Ok(None) };
            for i in items.clone() {
                let before = if i > items.start { Some(leaf.key(i - 1)) } else { self.last.as_deref() };
                if before.is_some_and(|before| leaf.key(i) <= before) {
                    let error = TreeError::corrupt("address map", "names are not in order", i);
                    return Err(error.in_chunk(&leaf.address()));
                }
            }
            if let Some(last) = items.clone().next_back() {
                self.last = Some(leaf.key(last).into());
            }
            (self.next, self.end, self.leaf) = (items.start, items.end, Some(leaf));
        }
        Ok(Some(()))
    }
}

impl Iterator for Entries {
    type Item = Result<(Box<[u8]>, Address), TreeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.end {
            match self.next_leaf() {
                Ok(found) => found?,
                Err(error) => {
                    self.scan.limit(0);
                    return Some(Err(error));
                }
            }
        }
        let leaf = self.leaf.as_ref()?;
        let entry = (leaf.key(self.next).into(), leaf.child_address(self.next).unwrap_or_default());
        self.next += 1;
        Some(Ok(entry))
    }
}
