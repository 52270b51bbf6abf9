//! Chunker: sorted items to a tree of chunks, the same tree for the same items (docs/format/tree.md, section 4.2).

use crate::TreeError;
use crate::message::node::Kind;
use crate::node::Node;
use crate::tuple::AddressFields;
use crate::write::pending_node::{Pending, child_bytes};
use crate::write::sink::{Root, Sink};

/// Builds a tree bottom-up from items in key order.
pub struct Chunker<S> {
    sink: S,
    kind: Kind,
    addresses: AddressFields,
    levels: Vec<Level>,
}

struct Level {
    pending: Pending,
    /// The node written last.
    last: Option<Root>,
}

impl<S: Sink> Chunker<S> {
    /// `addresses` tells which fields of the leaves' tuples may hold addresses; see [`AddressFields`].
    pub fn new(sink: S, kind: Kind, addresses: AddressFields) -> Chunker<S> {
        Chunker { sink, kind, addresses, levels: Vec::new() }
    }

    /// Adds an item behind all others.
    ///
    /// # Errors
    /// `TreeReason::TooLong` when it does not fit a node; errors of the sink.
    pub fn append(&mut self, key: &[u8], value: &[u8]) -> Result<(), TreeError> {
        self.append_counted(key, value, key.len() + value.len())
    }

    /// As [`Chunker::append`], where the item counts `item_bytes` for the place of boundaries: new items of a closure count
    /// one byte more than they have (section 10).
    pub fn append_counted(&mut self, key: &[u8], value: &[u8], item_bytes: usize) -> Result<(), TreeError> {
        self.append_at(0, key, value, 1, item_bytes)
    }

    fn append_at(
        &mut self,
        level: usize,
        key: &[u8],
        value: &[u8],
        count: u64,
        item_bytes: usize,
    ) -> Result<(), TreeError> {
        if self.level(level)?.pending.ends_before(item_bytes)? {
            self.emit(level)?;
        }
        let ends = self.level(level)?.pending.push(key, value, count, item_bytes);
        if ends { self.emit(level) } else { Ok(()) }
    }

    /// Writes the node of a level and hands it to the level above.
    fn emit(&mut self, level: usize) -> Result<(), TreeError> {
        self.level(level)?;
        let from = &mut self.levels[level];
        let written = from.pending.write(&mut self.sink)?;
        let address = written.root.address;
        from.last = Some(written.root);
        let item_bytes = child_bytes(&written.last_key);
        self.append_at(level + 1, &written.last_key, address.as_bytes(), written.count, item_bytes)
    }

    /// Writes what is left and tells the root.
    pub fn finish(mut self) -> Result<Root, TreeError> {
        let mut level = 0;
        loop {
            let above_pends = self.levels.iter().skip(level + 1).any(|above| above.pending.items() > 0);
            let items = self.level(level)?.pending.items();
            if above_pends {
                if items > 0 {
                    self.emit(level)?;
                }
                level += 1;
            } else if level == 0 || items > 1 {
                return Ok(self.levels[level].pending.write(&mut self.sink)?.root);
            } else {
                return self.only_child(level);
            }
        }
    }

    /// The root when the node of `level` would have a single child: the highest node below that has several items.
    fn only_child(mut self, level: usize) -> Result<Root, TreeError> {
        for below in (0..level).rev() {
            let Some(last) = self.level(below)?.last.take() else { break };
            if below == 0 || Node::new(last.message.clone())?.len() > 1 {
                return Ok(last);
            }
        }
        Err(TreeError::corrupt("chunker", "a level has a child that was not written", level))
    }

    fn level(&mut self, level: usize) -> Result<&mut Level, TreeError> {
        while self.levels.len() <= level {
            let addresses = self.addresses.clone();
            let pending = Pending::new(self.kind, self.levels.len(), addresses)?;
            self.levels.push(Level { pending, last: None });
        }
        Ok(&mut self.levels[level])
    }
}
