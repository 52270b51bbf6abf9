//! Location of damage: the file, the chunk and the byte that an error is about.

use std::rc::Rc;

use codec::Address;
use tree::NodeStore;

use super::Engine;
use crate::error::SqlError;

impl Engine {
    /// Adds the file and the offset of the damaged chunk to an error. Where the error names no chunk, it is a node in memory whose bytes
    /// do not hash to its address; where there is none, the message has the chunk that was read last of `in_use`, the database in use.
    #[cold]
    #[inline(never)]
    pub(crate) fn located(&self, mut error: SqlError, in_use: Option<&str>) -> SqlError {
        let Some(chunk) = error.take_damage() else { return error };
        let nodes: Vec<Rc<NodeStore>> =
            self.databases.borrow().iter().map(|attached| attached.database.objects().nodes().clone()).collect();
        let find = |nodes: &Rc<NodeStore>| place(nodes, chunk.or_else(|| nodes.damaged())?);
        let message = match nodes.iter().find_map(find) {
            Some(place) => {
                let named = chunk.map_or(String::new(), |chunk| format!("chunk {chunk}: "));
                format!("{place}: {}", error.message.strip_prefix(&named).unwrap_or(&error.message))
            }
            None => {
                let attached = in_use.filter(|_| chunk.is_none()).and_then(|name| self.database(name));
                let nodes = attached.as_ref().map(|attached| attached.database.objects().nodes());
                let Some(place) = nodes.and_then(|nodes| place(nodes, nodes.last())) else { return error };
                format!("{}; the last chunk read is {place}", error.message)
            }
        };
        error.message = message;
        error
    }
}

/// The place of a chunk, and its address.
fn place(nodes: &NodeStore, chunk: Address) -> Option<String> {
    let (file, at_bytes) = nodes.chunks().locate(&chunk)?;
    Some(format!("{file}: chunk {chunk} at byte {at_bytes}"))
}
