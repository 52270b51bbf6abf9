//! Object reader: decodes the commits, roots, tables and tags that addresses refer to.

pub mod names;
pub mod recent;

use core::any::Any;
use core::cell::OnceCell;
use std::rc::Rc;

use codec::Address;
use store::StoreError;
use tree::NodeStore;
use tree::message::{stash as stash_message, tag as tag_message};

use crate::error::{Result, VcsError};
use recent::Recent;

/// Reads commits, roots, tables and schemas by address. One per database, shared by all that read it. Decoded objects are cached, as many
/// of each kind as [`Decoded::COUNT_MAX`] says; tags and stashes are read each time. The module of each kind adds its methods.
///
/// All reads can fail in the same ways: the address is no chunk of the store, or the chunk is another message than expected or a
/// malformed one.
pub struct Objects {
    nodes: Rc<NodeStore>,
    /// One for each [`Kind`], a [`Recent`] of its type.
    caches: [OnceCell<Box<dyn Any>>; KINDS],
}

/// A kind of decoded object.
pub(crate) enum Kind {
    Commit,
    RootTables,
    TableParts,
    HasArtifacts,
    WorkingSet,
    Schema,
}

const KINDS: usize = Kind::Schema as usize + 1;

/// An object that [`Objects`] caches.
pub(crate) trait Decoded: Clone + 'static {
    /// Of no other type.
    const KIND: Kind;
    /// Objects of this kind that are cached.
    const COUNT_MAX: usize;
}

impl Objects {
    pub fn new(nodes: Rc<NodeStore>) -> Rc<Objects> {
        Rc::new(Objects { nodes, caches: Default::default() })
    }

    pub fn nodes(&self) -> &Rc<NodeStore> {
        &self.nodes
    }

    /// Keeps a new chunk until a commit needs it.
    pub fn put(&self, message: &[u8]) -> Result<Address> {
        Ok(self.nodes.chunks().put(message)?)
    }

    /// The cache of a kind.
    pub(crate) fn cache<T: Decoded>(&self) -> &Recent<T> {
        let cache = self.caches[T::KIND as usize].get_or_init(|| Box::new(Recent::<T>::new(T::COUNT_MAX)));
        cache.downcast_ref().expect("one type has a kind")
    }

    pub fn tag(&self, address: &Address) -> Result<tag_message::Tag> {
        let chunk = self.nodes.message(address)?;
        Ok(tag_message::Tag::decode(&chunk).map_err(|error| error.in_chunk(address))?)
    }

    pub fn stash(&self, address: &Address) -> Result<stash_message::Stash> {
        let chunk = self.nodes.message(address)?;
        Ok(stash_message::Stash::decode(&chunk).map_err(|error| error.in_chunk(address))?)
    }
}

/// Whether a chunk was left behind by a shallow clone.
pub(crate) fn is_ghost(error: &VcsError) -> bool {
    matches!(error.of_store(), Some(StoreError::Ghost(_)))
}
