//! Chunks that refer to others: they begin with how many addresses follow.

use std::rc::Rc;

use codec::Address;
use store::{MemoryChunks, References};

pub fn chunk(children: &[Address], payload: &[u8]) -> Vec<u8> {
    let mut chunk = vec![children.len() as u8];
    children.iter().for_each(|child| chunk.extend_from_slice(child.as_bytes()));
    chunk.extend_from_slice(payload);
    chunk
}

pub fn children(chunk: &[u8]) -> Vec<Address> {
    let count = usize::from(chunk[0]);
    (0..count).map(|i| Address::from_slice(&chunk[1 + 20 * i..][..20]).unwrap()).collect()
}

pub fn references() -> References {
    Rc::new(|chunk, each| {
        children(chunk).into_iter().for_each(each);
        Ok(())
    })
}

/// A tree of some levels on top of `below`, with what `leaf` says in its 40 leaves; answers its root.
pub fn tree(chunks: &MemoryChunks, seed: u64, below: Option<Address>, leaf: impl Fn(u64) -> Vec<u8>) -> Address {
    let leaves: Vec<Address> = (0..40).map(|i| chunks.insert(chunk(&[], &leaf(i)))).collect();
    let inner: Vec<Address> =
        leaves.chunks(7).map(|leaves| chunks.insert(chunk(leaves, &seed.to_le_bytes()))).chain(below).collect();
    chunks.insert(chunk(&inner, b"root"))
}
