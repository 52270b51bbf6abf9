//! Key order of a tree (docs/format/tree.md, section 3.1).

use core::cmp::Ordering;
use std::rc::Rc;

use crate::node::Items;
use crate::tuple::{Bound, Side, TupleDescriptor};
use crate::{NodeStore, TreeError};

/// How keys of a tree compare.
#[derive(Debug, Clone)]
pub enum KeyOrder {
    /// Field by field.
    Tuple(Rc<TupleDescriptor>),
    /// Names: byte by byte. A [`Bound`] is a whole key.
    Bytes,
    /// Commit closures: height, then address. A [`Bound`] is a whole key.
    Closure,
}

impl KeyOrder {
    /// # Errors
    /// As [`TupleDescriptor::compare`]; the other orders do not fail.
    pub fn compare(&self, nodes: &NodeStore, left: &[u8], right: &[u8]) -> Result<Ordering, TreeError> {
        match self {
            KeyOrder::Tuple(descriptor) => descriptor.compare(nodes, left, right),
            KeyOrder::Bytes => Ok(left.cmp(right)),
            KeyOrder::Closure => Ok(closure_key(left).cmp(&closure_key(right))),
        }
    }

    /// The order of two keys by what a bound looks at.
    pub(crate) fn compare_bound(
        &self,
        nodes: &NodeStore,
        key: &[u8],
        bound: &Bound<'_>,
    ) -> Result<Ordering, TreeError> {
        match self {
            KeyOrder::Tuple(descriptor) => descriptor.compare_prefix(nodes, key, bound.key, bound.fields),
            _ => self.compare(nodes, key, bound.key),
        }
    }

    /// Items of `keys` that lie before `bound`.
    #[inline]
    pub(crate) fn items_before(
        &self,
        nodes: &NodeStore,
        keys: Items<'_>,
        bound: &Bound<'_>,
    ) -> Result<usize, TreeError> {
        match self {
            KeyOrder::Tuple(descriptor) => descriptor.items_before(nodes, keys, bound),
            KeyOrder::Bytes => Ok(match bound.side {
                Side::Before => keys.partition_point(|key| key < bound.key),
                Side::After => keys.partition_point(|key| key <= bound.key),
            }),
            KeyOrder::Closure => {
                let wanted = closure_key(bound.key);
                Ok(match bound.side {
                    Side::Before => keys.partition_point(|key| closure_key(key) < wanted),
                    Side::After => keys.partition_point(|key| closure_key(key) <= wanted),
                })
            }
        }
    }
}

/// Height and address bytes of a closure key.
pub(crate) fn closure_key(key: &[u8]) -> (u64, &[u8]) {
    match key.split_first_chunk() {
        Some((height, address)) => (u64::from_le_bytes(*height), address),
        None => (0, key),
    }
}
