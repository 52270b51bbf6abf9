//! Rechunking of runs of nodes of one level (docs/format/tree.md, section 4.3).

use core::cmp::Ordering;
use core::ops::Range;
use std::rc::Rc;

use codec::Address;

use crate::map::Map;
use crate::message::node::Kind;
use crate::node::Node;
use crate::tuple::AddressFields;
use crate::write::mutate::{Change, Changes};
use crate::write::node_position::Place;
use crate::write::pending_node::{NODE_ITEM_BYTES_MAX, Pending};
use crate::write::sink::Sink;
use crate::write::splitter::CHUNK_BYTES_MAX;
use crate::{TreeError, TreeReason};

/// A node went, or came, or another came in its place: an edit of the level above.
pub(crate) struct Replaced {
    /// The node's last key.
    pub(crate) key: Vec<u8>,
    /// Address and rows of the node that came.
    pub(crate) put: Option<(Address, u64)>,
}

/// What became of a level.
pub(crate) struct Rewritten {
    /// The changes of the level above.
    pub(crate) above: Vec<Replaced>,
    /// The node put last.
    pub(crate) last: Option<Rc<Node>>,
    /// The new root, which was not put: the only node of the highest level.
    pub(crate) only: Option<Rc<Node>>,
}

impl Replaced {
    pub(crate) fn change(&self) -> Change<'_> {
        Change { key: &self.key, put: self.put.as_ref().map(|(address, count)| (&address.as_bytes()[..], *count)) }
    }
}

/// An item of at most this size fits behind any node that has not ended.
const FITS_ALWAYS_BYTES: usize = NODE_ITEM_BYTES_MAX - CHUNK_BYTES_MAX as usize;

/// New nodes of a level that the cache gets, if there are no more: those of a thousand edits are read again by the next statement, those of
/// an import are not.
const KEPT_NODES_MAX: usize = 1024;

pub(crate) struct Rewriter<'m, S> {
    map: &'m Map,
    sink: &'m mut S,
    pending: Pending,
    /// Rows up to the end of the last run.
    rows_done: u64,
    /// Last keys of this run's old nodes, and its new nodes.
    old: Vec<Vec<u8>>,
    new: Vec<Replaced>,
    above: Vec<Replaced>,
    /// New nodes that are in the cache.
    kept: Vec<Rc<Node>>,
    /// The old node whose items come now.
    before: Option<Rc<Node>>,
    last: Option<Rc<Node>>,
    /// The first new node of the highest level, and its last key: if no other follows it is the root, and its holder may have no
    /// use for its address.
    held: Option<(Rc<Node>, Vec<u8>)>,
    is_highest: bool,
    /// What a new item counts besides its bytes: the quirk of closures (section 10).
    new_item_bytes: usize,
}

impl<'m, S: Sink> Rewriter<'m, S> {
    pub(crate) fn new(map: &'m Map, level: usize, sink: &'m mut S) -> Result<Rewriter<'m, S>, TreeError> {
        let kind = map.root.kind();
        let addresses = match kind {
            Kind::Rows => AddressFields::of(&map.value),
            Kind::Artifacts => AddressFields::of(&map.key),
            Kind::Addresses | Kind::Closure => AddressFields::default(),
            Kind::Blob | Kind::Vectors => {
                return Err(TreeReason::WrongMessage { wanted: "a sorted tree", found: *kind.file_id() }.into());
            }
        };
        Ok(Rewriter {
            map,
            sink,
            pending: Pending::new(kind, level, addresses)?,
            rows_done: 0,
            old: Vec::new(),
            new: Vec::new(),
            above: Vec::new(),
            kept: Vec::new(),
            before: None,
            last: None,
            held: None,
            is_highest: level == map.root.level(),
            new_item_bytes: usize::from(kind == Kind::Closure && level == 0),
        })
    }

    pub(crate) fn finish(self) -> Rewritten {
        Rewritten { above: self.above, last: self.last, only: self.held.map(|(node, _)| node) }
    }

    /// Whether the node before this one, not rewritten yet, may have ended only because the first item of this one did not fit.
    /// Dolt 2.2.0 does not look back here: after edits around rows of 48 KiB and more its tree depends on how it came about.
    pub(crate) fn may_join_the_node_before(&self, place: &Place<'_>) -> bool {
        let node = &place.node;
        place.rows_before() > self.rows_done && node.key(0).len() + node.value(0).len() > FITS_ALWAYS_BYTES
    }

    /// Cuts the nodes from `place` on anew, with all changes that fall into them, until an old boundary is met.
    pub(crate) fn rewrite<'a, I: Iterator<Item = Change<'a>>>(
        &mut self,
        mut place: Place<'_>,
        changes: &mut Changes<'_, 'a, I>,
    ) -> Result<(), TreeError> {
        self.pending.reserve(&place.node);
        loop {
            let node = place.node.clone();
            let is_last = place.is_last();
            self.map.nodes.forget(&node);
            self.before = Some(node.clone());
            let mut at = 0;
            while let Some(change) = changes.next {
                // Changes ascend: what follows one behind all items is so, too.
                let is_behind = at > 0 && at == node.len();
                let (found, is_there) = if is_behind { (at, false) } else { self.map.find(&node, change.key)? };
                if found == node.len() && !is_last {
                    break;
                }
                self.copy(&node, at..found)?;
                at = found;
                if !change.is_done(&node, found, is_there) {
                    if let Some((value, count)) = change.put {
                        self.push(change.key, value, count, self.new_item_bytes)?;
                    }
                    at += usize::from(is_there);
                }
                changes.advance()?;
            }
            self.copy(&node, at..node.len())?;
            if let Some(last) = node.len().checked_sub(1) {
                self.old.push(node.key(last).to_vec());
            }
            self.rows_done = place.rows_before() + node.tree_count();
            if self.pending.items() == 0 || !place.next()? {
                break;
            }
        }
        if self.pending.items() > 0 {
            self.write()?;
        }
        self.list()
    }

    fn copy(&mut self, node: &Node, mut items: Range<usize>) -> Result<(), TreeError> {
        // Where as many bytes lie before an item as in the old node, the new one ends after it only if the old one did: after its last.
        let before = node.keys().start(items.start) + node.values().start(items.start);
        if self.pending.bytes() == before && self.new_item_bytes == 0 {
            let inner = items.end.min(node.len().saturating_sub(1)).max(items.start);
            self.pending.extend(node, items.start..inner);
            items.start = inner;
        }
        let mut taken = items.start;
        for i in items.clone() {
            let key = node.key(i);
            let item_bytes = key.len() + node.value(i).len();
            if self.pending.ends_before(item_bytes)? {
                self.pending.take(node, taken..i);
                self.write()?;
                taken = i;
            }
            if self.pending.note(key, item_bytes) {
                self.pending.take(node, taken..i + 1);
                self.write()?;
                taken = i + 1;
            }
        }
        self.pending.take(node, taken..items.end);
        Ok(())
    }

    fn push(&mut self, key: &[u8], value: &[u8], count: u64, extra_bytes: usize) -> Result<(), TreeError> {
        let item_bytes = key.len() + value.len() + extra_bytes;
        if self.pending.ends_before(item_bytes)? {
            self.write()?;
        }
        if self.pending.push(key, value, count, item_bytes) { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), TreeError> {
        let (node, last_key) = self.pending.node()?;
        if let Some(before) = &self.before {
            node.inherit_children(before);
        }
        if self.is_highest && self.last.is_none() && self.held.is_none() {
            self.held = Some((node, last_key));
            return Ok(());
        }
        if let Some((first, last_key)) = self.held.take() {
            self.put(first, last_key)?;
        }
        self.put(node, last_key)
    }

    fn put(&mut self, node: Rc<Node>, last_key: Vec<u8>) -> Result<(), TreeError> {
        let is_small = self.above.len() + self.new.len() < KEPT_NODES_MAX;
        let address = if is_small {
            self.kept.push(node.clone());
            self.sink.put_node(&node)?
        } else {
            self.kept.drain(..).for_each(|kept| self.map.nodes.forget(&kept));
            self.sink.put(node.bytes())?
        };
        node.know_address(&address);
        self.new.push(Replaced { key: last_key, put: Some((address, node.tree_count())) });
        self.last = Some(node);
        Ok(())
    }

    /// Lists the run's old and new nodes as changes of the level above, by their keys.
    fn list(&mut self) -> Result<(), TreeError> {
        let mut new = core::mem::take(&mut self.new).into_iter().peekable();
        for key in core::mem::take(&mut self.old) {
            loop {
                let order = match new.peek() {
                    Some(node) => self.map.order.compare(&self.map.nodes, &node.key, &key)?,
                    None => Ordering::Greater,
                };
                if order.is_gt() {
                    self.above.push(Replaced { key, put: None });
                    break;
                }
                self.above.extend(new.next());
                if order.is_eq() {
                    break;
                }
            }
        }
        self.above.extend(new);
        Ok(())
    }
}
