//! Common ancestors, by the closures that commits keep (format: database.md, sections 3 and 10.1; tree.md, section 10).

use core::cmp::Ordering;
use std::rc::Rc;

use codec::Address;
use tree::NodeStore;

use crate::commit::Commit;
use crate::error::{Result, VcsError};

/// The first common commit when both histories are walked from the highest (height, address) down; a commit belongs to
/// its own history. `None` for unrelated ones.
pub(crate) fn merge_base(nodes: &Rc<NodeStore>, left: &Commit, right: &Commit) -> Result<Option<Address>> {
    let (mut lefts, mut rights) = (Closure::of(nodes, left)?, Closure::of(nodes, right)?);
    let (mut left, mut right) = (lefts.step()?, rights.step()?);
    while let (Some(l), Some(r)) = (left, right) {
        match l.cmp(&r) {
            Ordering::Equal => return Ok(Some(l.1)),
            Ordering::Greater => left = lefts.step()?,
            Ordering::Less => right = rights.step()?,
        }
    }
    Ok(None)
}

/// Whether `ancestor` is in the history of `commit`, itself included.
pub(crate) fn has_ancestor(nodes: &Rc<NodeStore>, commit: &Commit, ancestor: &Commit) -> Result<bool> {
    if commit.height <= ancestor.height {
        return Ok(commit.address == ancestor.address);
    }
    closure_contains(nodes, commit, (ancestor.height, ancestor.address))
}

/// All ancestors of a commit and the commit itself, highest first, then by descending address.
struct Closure {
    nodes: Rc<NodeStore>,
    own: Option<Key>,
    /// Path to the next key: nodes, and one more than the item to visit in each.
    next: Vec<(Rc<tree::Node>, usize)>,
}

/// What closures are ordered by.
type Key = (u64, Address);

impl Closure {
    fn of(nodes: &Rc<NodeStore>, commit: &Commit) -> Result<Closure> {
        let mut closure =
            Closure { nodes: nodes.clone(), own: Some((commit.height, commit.address)), next: Vec::new() };
        if let Some(address) = &commit.closure {
            let root = closure_root(nodes, address)?;
            let len = root.len();
            closure.next.push((root, len));
        }
        Ok(closure)
    }

    fn step(&mut self) -> Result<Option<Key>> {
        if let Some(own) = self.own.take() {
            return Ok(Some(own));
        }
        while let Some((node, after)) = self.next.last_mut() {
            let Some(item) = after.checked_sub(1) else {
                self.next.pop();
                continue;
            };
            *after = item;
            if node.is_leaf() {
                return decode_key(node.key(item)).map(Some);
            }
            let child = self.nodes.child(node, item)?;
            let len = child.len();
            self.next.push((child, len));
        }
        Ok(None)
    }
}

/// Whether the closure of `commit` holds `key`; reads one path.
fn closure_contains(nodes: &Rc<NodeStore>, commit: &Commit, key: Key) -> Result<bool> {
    let Some(address) = &commit.closure else { return Ok(false) };
    let mut node = closure_root(nodes, address)?;
    loop {
        let at = node.keys().partition_point(|item| decode_key(item).is_ok_and(|item| item < key));
        if at == node.len() {
            return Ok(false);
        }
        if node.is_leaf() {
            return Ok(decode_key(node.key(at))? == key);
        }
        node = nodes.child(&node, at)?;
    }
}

fn closure_root(nodes: &NodeStore, address: &Address) -> Result<Rc<tree::Node>> {
    let root = nodes.node(address)?;
    match root.kind() {
        tree::Kind::Closure => Ok(root),
        _ => Err(VcsError::corrupt("commit", "its closure is of another kind")),
    }
}

fn decode_key(key: &[u8]) -> Result<Key> {
    let mut reader = codec::Reader::new(key);
    let mut read = || Ok::<Key, codec::Corrupt>((reader.u64_le()?, reader.address()?));
    read().map_err(|_| VcsError::corrupt("commit closure", "a key is not 28 bytes long"))
}
