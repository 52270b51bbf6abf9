//! Sorted items to a tree of chunks, the same for the same items (format: tree.md, section 4.2).

use codec::Address;

use crate::TreeError;
use crate::message::node::{Kind, LEVELS_MAX};
use crate::message::node_writer::NodeParts;
use crate::splitter::Splitter;
use crate::tuple::{AddressFields, Tuple};

/// Key or value bytes of a node at most: their offsets are u16.
pub const NODE_ITEM_BYTES_MAX: usize = 65_535;

/// Where new chunks go.
pub trait Sink {
    /// Keeps a chunk and tells its address.
    fn put(&mut self, chunk: &[u8]) -> Result<Address, TreeError>;
}

impl Sink for &store::MemoryChunks {
    fn put(&mut self, chunk: &[u8]) -> Result<Address, TreeError> {
        Ok(self.insert(chunk.to_vec()))
    }
}

/// The top of a finished tree. Its chunk is in the sink too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    pub address: Address,
    pub message: Vec<u8>,
}

/// Builds a tree bottom-up from items in key order.
pub struct Chunker<S> {
    sink: S,
    kind: Kind,
    addresses: AddressFields,
    levels: Vec<Level>,
}

/// The node of one level that is being filled.
struct Level {
    splitter: Splitter,
    keys: Vec<u8>,
    key_ends: Vec<u32>,
    values: Vec<u8>,
    value_ends: Vec<u32>,
    counts: Vec<u64>,
    address_offsets: Vec<u16>,
    /// What the items count together.
    bytes: usize,
    /// The node written last.
    last: Option<Root>,
}

impl Level {
    fn new(level: usize) -> Level {
        Level {
            splitter: Splitter::new(level),
            keys: Vec::new(),
            key_ends: Vec::new(),
            values: Vec::new(),
            value_ends: Vec::new(),
            counts: Vec::new(),
            address_offsets: Vec::new(),
            bytes: 0,
            last: None,
        }
    }

    fn items(&self) -> usize {
        self.key_ends.len()
    }

    fn last_key(&self) -> &[u8] {
        let start = self.key_ends.iter().rev().nth(1).map_or(0, |end| *end as usize);
        self.keys.get(start..).unwrap_or_default()
    }

    fn clear(&mut self) {
        self.splitter.reset();
        self.keys.clear();
        self.key_ends.clear();
        self.values.clear();
        self.value_ends.clear();
        self.counts.clear();
        self.address_offsets.clear();
        self.bytes = 0;
    }
}

impl<S: Sink> Chunker<S> {
    /// `addresses` tells which fields of the leaves' tuples may hold addresses; see [`AddressFields`].
    pub fn new(sink: S, kind: Kind, addresses: AddressFields) -> Chunker<S> {
        Chunker { sink, kind, addresses, levels: vec![Level::new(0)] }
    }

    /// Adds an item behind all others.
    ///
    /// # Errors
    /// [`TreeError::TooLong`] when it does not fit a node; errors of the sink.
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
        let degenerate = |to: &Level| level > 0 && to.items() == 1;
        let to = self.level(level)?;
        if to.bytes + item_bytes > NODE_ITEM_BYTES_MAX {
            if degenerate(to) || to.items() == 0 {
                let limit_bytes = NODE_ITEM_BYTES_MAX as u64;
                return Err(TreeError::TooLong { length_bytes: item_bytes as u64, limit_bytes });
            }
            self.emit(level)?;
        }
        let to = &mut self.levels[level];
        if level == 0 {
            let (tuple, start) = match self.kind {
                Kind::Artifacts => (key, to.keys.len()),
                _ => (value, to.values.len()),
            };
            self.addresses.positions(Tuple::new(tuple), |at| to.address_offsets.push((start + at) as u16));
        }
        to.keys.extend_from_slice(key);
        to.key_ends.push(to.keys.len() as u32);
        to.values.extend_from_slice(value);
        to.value_ends.push(to.values.len() as u32);
        to.counts.push(count);
        to.bytes += item_bytes;
        to.splitter.append(key, item_bytes as u32);
        if to.splitter.has_crossed() && !degenerate(to) { self.emit(level) } else { Ok(()) }
    }

    /// Writes the node of a level and hands it to the level above.
    fn emit(&mut self, level: usize) -> Result<(), TreeError> {
        let (root, count) = self.write(level)?;
        let from = self.level(level)?;
        let key = from.last_key().to_vec();
        from.clear();
        let address = root.address;
        from.last = Some(root);
        let item_bytes = key.len() + Address::LEN;
        self.append_at(level + 1, &key, address.as_bytes(), count, item_bytes)
    }

    /// Writes the node of a level.
    fn write(&mut self, level: usize) -> Result<(Root, u64), TreeError> {
        let kind = self.kind;
        let from = self.level(level)?;
        let parts = NodeParts {
            kind,
            level: level as u8,
            keys: &from.keys,
            key_ends: &from.key_ends,
            values: &from.values,
            value_ends: &from.value_ends,
            counts: if level == 0 { &[] } else { &from.counts },
            address_offsets: &from.address_offsets,
        };
        let count = parts.tree_count();
        let message = parts.write()?;
        let address = self.sink.put(&message)?;
        Ok((Root { address, message }, count))
    }

    /// Writes what is left and tells the root.
    pub fn finish(mut self) -> Result<Root, TreeError> {
        let mut level = 0;
        loop {
            let above_pends = self.levels.iter().skip(level + 1).any(|above| above.items() > 0);
            let items = self.level(level)?.items();
            if above_pends {
                if items > 0 {
                    self.emit(level)?;
                }
                level += 1;
            } else if level == 0 || items > 1 {
                return Ok(self.write(level)?.0);
            } else {
                return self.only_child(level);
            }
        }
    }

    /// The root when the node of `level` would have a single child: the highest node below that has several items.
    fn only_child(mut self, level: usize) -> Result<Root, TreeError> {
        for below in (0..level).rev() {
            let Some(last) = self.level(below)?.last.take() else { break };
            if below == 0 || crate::Node::new(last.message.clone())?.len() > 1 {
                return Ok(last);
            }
        }
        Err(TreeError::corrupt("chunker", "a level has a child that was not written", level))
    }

    fn level(&mut self, level: usize) -> Result<&mut Level, TreeError> {
        if level >= LEVELS_MAX {
            return Err(TreeError::TooLong { length_bytes: level as u64 + 1, limit_bytes: LEVELS_MAX as u64 });
        }
        while self.levels.len() <= level {
            self.levels.push(Level::new(self.levels.len()));
        }
        Ok(&mut self.levels[level])
    }
}
