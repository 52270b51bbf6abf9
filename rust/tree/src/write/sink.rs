//! Chunk sink: where new trees are written to.

use std::rc::Rc;

use codec::Address;

use crate::TreeError;
use crate::node::Node;

/// Where new chunks go.
pub trait Sink {
    /// Keeps a chunk and tells its address.
    fn put(&mut self, chunk: &[u8]) -> Result<Address, TreeError>;

    /// As [`Sink::put`], for a node that will be read soon.
    fn put_node(&mut self, node: &Rc<Node>) -> Result<Address, TreeError> {
        self.put(node.bytes())
    }
}

impl Sink for &store::MemoryChunks {
    fn put(&mut self, chunk: &[u8]) -> Result<Address, TreeError> {
        Ok(self.insert(chunk.to_vec()))
    }
}

/// Chunks become pending in the store that the nodes are read from.
impl Sink for &crate::NodeStore {
    fn put(&mut self, chunk: &[u8]) -> Result<Address, TreeError> {
        Ok(self.chunks().put(chunk)?)
    }

    fn put_node(&mut self, node: &Rc<Node>) -> Result<Address, TreeError> {
        let address = self.put(node.bytes())?;
        self.keep(&address, node);
        Ok(address)
    }
}

/// The top of a finished tree. Its chunk is in the sink too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    pub address: Address,
    pub message: Vec<u8>,
}
