//! One node of a tree: a verified chunk and the slices in it (docs/format/tree.md, section 3).

pub mod counts;
pub mod order;

use core::cell::{Cell, OnceCell, RefCell};
use core::ops::Range;
use std::rc::{Rc, Weak};

use codec::Address;

use crate::TreeError;
use crate::message::node::{self as message, Form, Kind, Layout, Run, Spacing};
use crate::nodes::column_segments::ColumnSegment;
use crate::tuple::Tuple;

/// So many children in a row may be gone where [`Node::inherit_children`] looks for the next one.
const CHILDREN_AHEAD: usize = 8;

/// A node that has been verified. Reading it neither allocates nor fails.
#[derive(Debug)]
pub struct Node {
    bytes: Vec<u8>,
    layout: Layout,
    address: OnceCell<Address>,
    /// Cached children: weak references to those that were looked up. Empty until the first look-up.
    children: RefCell<Box<[Weak<Node>]>>,
    /// Read since the cache last passed by.
    pub(crate) touched: Cell<bool>,
    /// How often the cache may still pass by in vain.
    pub(crate) spare: Cell<u8>,
    /// A scan has gone over all rows below.
    pub(crate) was_scanned: Cell<bool>,
    pub(crate) first_segment: OnceCell<Box<ColumnSegment>>,
}

impl Node {
    /// Verifies `bytes`, a chunk or an embedded message, and takes it over. Its address is computed on first use.
    pub fn new(bytes: Vec<u8>) -> Result<Node, TreeError> {
        let layout = message::verify(&bytes)?;
        Ok(Node::laid_out(bytes, layout))
    }

    /// As [`Node::new`], for a message that was just written, whose keys and values have these forms.
    pub(crate) fn written(bytes: Vec<u8>, keys: Form, values: Form) -> Result<Node, TreeError> {
        let layout = message::layout_of_written(&bytes, keys, values)?;
        debug_assert!(message::verify(&bytes).is_ok_and(|checked| layout.is_implied_by(&checked)));
        Ok(Node::laid_out(bytes, layout))
    }

    fn laid_out(bytes: Vec<u8>, layout: Layout) -> Node {
        let (address, children, touched, spare, was_scanned, first_segment) = Default::default();
        Node { bytes, layout, address, children, touched, spare, was_scanned, first_segment }
    }

    /// As [`Node::new`], for a chunk that was read by its address.
    pub(crate) fn at(address: &Address, bytes: Vec<u8>) -> Result<Node, TreeError> {
        let node = Node::new(bytes).map_err(|error| error.in_chunk(address))?;
        node.know_address(address);
        Ok(node)
    }

    /// Stores a computed address.
    pub(crate) fn know_address(&self, address: &Address) {
        let _ = self.address.set(*address);
    }

    /// The address, if it was computed.
    pub(crate) fn known_address(&self) -> Option<&Address> {
        self.address.get()
    }

    /// Whether it has the same bytes as another one. Computes no address.
    pub fn is_same(&self, other: &Node) -> bool {
        core::ptr::eq(self, other) || self.bytes == other.bytes
    }

    pub fn kind(&self) -> Kind {
        self.layout.kind
    }

    /// 0 for a leaf.
    pub fn level(&self) -> usize {
        usize::from(self.layout.level)
    }

    pub fn is_leaf(&self) -> bool {
        self.layout.level == 0
    }

    /// Items of this node: rows of a leaf, children of an inner node; 1 for the leaf of a blob.
    #[inline]
    pub fn len(&self) -> usize {
        self.layout.len as usize
    }

    pub fn is_empty(&self) -> bool {
        self.layout.len == 0
    }

    /// Rows in the whole subtree; leaves below for a blob.
    pub fn tree_count(&self) -> u64 {
        self.layout.tree_count
    }

    /// The chunk's bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn address(&self) -> Address {
        *self.address.get_or_init(|| Address::of(&self.bytes))
    }

    /// All keys: of a leaf its rows' keys, of an inner node the last key of each child. Blobs have none.
    #[inline]
    pub fn keys(&self) -> Items<'_> {
        self.items(&self.layout.keys)
    }

    /// All values: of a leaf its rows' values (addresses for an address map, none for a closure, the payload of a blob),
    /// of an inner node the 20-byte addresses of its children.
    #[inline]
    pub fn values(&self) -> Items<'_> {
        self.items(&self.layout.values)
    }

    #[inline]
    pub fn key(&self, i: usize) -> &[u8] {
        self.keys().get(i)
    }

    #[inline]
    pub fn value(&self, i: usize) -> &[u8] {
        self.values().get(i)
    }

    /// The address in item `i` of an inner node or of an address map's leaf.
    pub fn child_address(&self, i: usize) -> Option<Address> {
        Address::from_slice(self.value(i)).ok()
    }

    /// Rows before child `i` in this subtree; for a leaf that is `i`.
    #[inline]
    pub fn rows_before(&self, i: usize) -> u64 {
        match self.layout.rows_before.get(i) {
            Some(rows) => *rows,
            None => i as u64,
        }
    }

    /// Rows below child `i`.
    pub fn subtree_count(&self, i: usize) -> u64 {
        self.rows_before(i + 1) - self.rows_before(i)
    }

    /// The child that holds row `ordinal` of this subtree, and which of its rows that is. Past the end: past the last child's end.
    pub fn child_of_ordinal(&self, ordinal: u64) -> (usize, u64) {
        let starts = self.layout.rows_before.get(..self.len()).unwrap_or_default();
        let child = starts.partition_point(|start| *start <= ordinal).saturating_sub(1);
        (child, ordinal - self.rows_before(child))
    }

    /// Where addresses of other chunks lie in a leaf's values (rows: out-of-band values) or keys (artifacts: a commit).
    pub fn address_offsets(&self) -> impl ExactSizeIterator<Item = u16> + '_ {
        let (offsets, _) = self.slice(&self.layout.address_offsets).as_chunks();
        offsets.iter().map(|offset| u16::from_le_bytes(*offset))
    }

    /// Bytes of memory that this node takes, more or less.
    pub(crate) fn memory_bytes(&self) -> usize {
        let child_bytes = if self.is_leaf() { 0 } else { self.len() * (size_of::<Weak<Node>>() + size_of::<u64>()) };
        self.bytes.capacity() + child_bytes + self.segment_bytes() + size_of::<Node>() + 2 * size_of::<usize>()
    }

    pub(crate) fn known_child(&self, i: usize) -> Option<Rc<Node>> {
        self.children.borrow().get(i)?.upgrade()
    }

    /// Whether [`Node::known_child`] has one.
    pub(crate) fn knows_child(&self, i: usize) -> bool {
        self.children.borrow().get(i).is_some_and(|child| child.strong_count() > 0)
    }

    pub(crate) fn cache_child(&self, i: usize, child: &Rc<Node>) {
        let mut children = self.children.borrow_mut();
        if children.is_empty() {
            *children = self.unknown_children();
        }
        if let Some(slot) = children.get_mut(i) {
            *slot = Rc::downgrade(child);
        }
    }

    /// Takes over which children `before` knows, in whose place it comes: most of them are the same, in the same order. Nothing of a
    /// child is read for that.
    pub(crate) fn inherit_children(&self, before: &Node) {
        let mut known = before.children.borrow_mut();
        if known.is_empty() {
            return;
        }
        let mut ours = self.unknown_children();
        let mut ahead = 0..before.len();
        for (i, child) in ours.iter_mut().enumerate() {
            let Some(at) = ahead.clone().find(|at| before.key(*at) == self.key(i)) else { continue };
            ahead = at + 1..before.len().min(at + 1 + CHILDREN_AHEAD);
            if before.value(at) == self.value(i)
                && let Some(known) = known.get_mut(at)
            {
                *child = core::mem::take(known);
            }
        }
        *self.children.borrow_mut() = ours;
    }

    /// A place for each child, of which none is known.
    fn unknown_children(&self) -> Box<[Weak<Node>]> {
        (0..self.len()).map(|_| Weak::new()).collect()
    }

    #[inline]
    fn slice(&self, range: &Range<u32>) -> &[u8] {
        self.bytes.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    #[inline]
    fn items(&self, run: &Run) -> Items<'_> {
        let offsets = |at: u32, width: usize| {
            let at = at as usize;
            self.bytes.get(at..at + (self.len() + 1) * width).unwrap_or_default()
        };
        let spacing = match run.spacing {
            Spacing::Even(stride) => Offsets::Even(stride as usize),
            Spacing::Narrow(at) => Offsets::Narrow(offsets(at, 2).as_chunks().0),
            Spacing::Wide(at) => Offsets::Wide(offsets(at, 4).as_chunks().0),
        };
        Items {
            bytes: self.slice(&run.items),
            offsets: spacing,
            len: self.len(),
            same_fields: run.same_fields,
            is_segment: false,
        }
    }
}

/// Keys or values of a node, where they lie.
#[derive(Debug, Clone, Copy)]
pub struct Items<'a> {
    bytes: &'a [u8],
    offsets: Offsets<'a>,
    len: usize,
    same_fields: bool,
    /// Fields without tuples around them.
    is_segment: bool,
}

#[derive(Debug, Clone, Copy)]
enum Offsets<'a> {
    Even(usize),
    Narrow(&'a [[u8; 2]]),
    Wide(&'a [[u8; 4]]),
}

impl<'a> Items<'a> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All items, one after the other without gaps.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Bytes before item `i`, which is at most the number of items.
    #[inline]
    pub fn start(&self, i: usize) -> usize {
        match self.offsets {
            Offsets::Even(stride) => i * stride,
            Offsets::Narrow(offsets) => offsets.get(i).map_or(0, |offset| u16::from_le_bytes(*offset).into()),
            Offsets::Wide(offsets) => offsets.get(i).map_or(0, |offset| u32::from_le_bytes(*offset) as usize),
        }
    }

    /// How many items from `i` on equal those of `other` from `j` on.
    pub fn shared(&self, i: usize, other: &Items<'_>, j: usize) -> usize {
        let most = self.len.saturating_sub(i).min(other.len.saturating_sub(j));
        let (start, other_start) = (self.start(i), other.start(j));
        let bytes = shared_bytes(
            self.bytes.get(start..).unwrap_or_default(),
            other.bytes.get(other_start..).unwrap_or_default(),
        );
        match (self.offsets, other.offsets) {
            (Offsets::Even(stride), Offsets::Even(same)) if stride == same && stride > 0 => most.min(bytes / stride),
            _ => {
                let ends_alike = |count: &usize| {
                    let end = self.start(i + count) - start;
                    end <= bytes && end == other.start(j + count) - other_start
                };
                (1..=most).take_while(ends_alike).count()
            }
        }
    }

    /// Item `i`; empty past the end.
    #[inline]
    pub fn get(&self, i: usize) -> &'a [u8] {
        let span = match self.offsets {
            Offsets::Even(stride) => i * stride..(i + 1) * stride,
            Offsets::Narrow(offsets) => match offsets.get(i..i + 2) {
                Some([start, end]) => u16::from_le_bytes(*start).into()..u16::from_le_bytes(*end).into(),
                _ => return &[],
            },
            Offsets::Wide(offsets) => match offsets.get(i..i + 2) {
                Some([start, end]) => u32::from_le_bytes(*start) as usize..u32::from_le_bytes(*end) as usize,
                _ => return &[],
            },
        };
        self.bytes.get(span).unwrap_or_default()
    }

    /// Appends the items of `range` to others: their bytes, and where each ends.
    pub(crate) fn append_to(&self, range: Range<usize>, bytes: &mut Vec<u8>, ends: &mut Vec<u32>) {
        let (from, base) = (self.start(range.start), bytes.len());
        bytes.extend_from_slice(self.bytes.get(from..self.start(range.end)).unwrap_or_default());
        ends.extend(range.map(|i| (base + self.start(i + 1) - from) as u32));
    }

    /// Bytes of each item, when all have the same length.
    pub fn stride(&self) -> Option<usize> {
        match self.offsets {
            Offsets::Even(stride) => Some(stride),
            _ => None,
        }
    }

    /// Whether the items are tuples whose fields all lie at the same places: then a field's span in one is its span in all,
    /// and a field that is NULL in one is NULL in all. Implies [`Items::stride`].
    pub fn has_same_fields(&self) -> bool {
        self.same_fields
    }

    /// Field `field` of the items `range`, when it is at the same offset in all and has `N` bytes: the way to read columns of
    /// fixed width at a few loads a value. `None` otherwise; then ask each item.
    #[inline]
    pub fn fixed_field<const N: usize>(
        &self,
        field: usize,
        range: Range<usize>,
    ) -> Option<impl ExactSizeIterator<Item = [u8; N]> + use<'a, N>> {
        let (start, stride) = self.place_in_all::<N>(field)?;
        let items = self.bytes.get(range.start * stride..range.end * stride)?;
        // Of items of a known length: whether the field is inside is checked once.
        Some(
            items
                .chunks_exact(stride)
                .map(move |item| item.get(start..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])),
        )
    }

    /// As [`Items::fixed_field`], of the items in a list; zeros for those that do not exist.
    #[inline]
    pub fn fixed_field_of<'i, const N: usize>(
        &self,
        field: usize,
        items: &'i [u32],
    ) -> Option<impl ExactSizeIterator<Item = [u8; N]> + use<'a, 'i, N>> {
        let (start, stride) = self.place_in_all::<N>(field)?;
        // The fields as if each item began with its own.
        let fields = self.bytes.get(start..).unwrap_or_default();
        Some(items.iter().map(move |&item| {
            fields.get(item as usize * stride..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
        }))
    }

    /// Where a field of `N` bytes begins in every item, and the bytes of an item.
    fn place_in_all<const N: usize>(&self, field: usize) -> Option<(usize, usize)> {
        let stride = self.stride().filter(|stride| self.same_fields && *stride > 0)?;
        if self.is_segment {
            return Some((0, stride));
        }
        let place = Tuple::new(self.get(0)).span(field).filter(|place| place.len() == N && place.end <= stride)?;
        Some((place.start, stride))
    }

    /// Fields without tuples around them.
    pub(crate) fn fixed(bytes: &'a [u8], width: usize) -> Items<'a> {
        Items { bytes, offsets: Offsets::Even(width), len: bytes.len() / width, same_fields: true, is_segment: true }
    }

    /// Appends a field of all tuples; false where one has it not, or of another width.
    pub(crate) fn append_field(&self, field: usize, width: usize, to: &mut Vec<u8>) -> bool {
        self.iter().all(|item| {
            let field = Tuple::new(item).field(field).filter(|field| field.len() == width);
            field.inspect(|field| to.extend_from_slice(field)).is_some()
        })
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &'a [u8]> + ExactSizeIterator + use<'a> {
        let items = *self;
        (0..self.len).map(move |i| items.get(i))
    }

    /// The first item for which `before` is false, `len` when there is none. `before` must be true, then false.
    #[inline]
    pub fn partition_point(&self, mut before: impl FnMut(&'a [u8]) -> bool) -> usize {
        match self.offsets {
            // Kept apart so that the loop for items of one length has no choice in it.
            Offsets::Even(stride) => {
                let bytes = self.bytes;
                partition_point(self.len, |i| before(bytes.get(i * stride..(i + 1) * stride).unwrap_or_default()))
            }
            _ => partition_point(self.len, |i| before(self.get(i))),
        }
    }

    /// As [`Items::partition_point`], which is probably near the item `guess`.
    #[inline]
    pub(crate) fn partition_point_near(&self, guess: usize, mut before: impl FnMut(&'a [u8]) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len);
        let (mut probe, mut step) = (guess, 1);
        // Steps that double, until it is between two of them.
        while low <= probe && probe < high {
            match before(self.get(probe)) {
                true => (low, probe) = (probe + 1, probe + step),
                false => (high, probe) = (probe, probe.wrapping_sub(step)),
            }
            step *= 2;
        }
        low + partition_point(high - low, |i| before(self.get(low + i)))
    }
}

/// How many bytes from the start on are equal.
fn shared_bytes(one: &[u8], other: &[u8]) -> usize {
    let (blocks, other_blocks) = (one.as_chunks::<16>().0, other.as_chunks::<16>().0);
    let whole = blocks.iter().zip(other_blocks).take_while(|(block, other)| block == other).count() * 16;
    let (one, other) = (one.get(whole..).unwrap_or_default(), other.get(whole..).unwrap_or_default());
    whole + one.iter().zip(other).take_while(|(byte, other)| byte == other).count()
}

#[inline]
fn partition_point(len: usize, mut before: impl FnMut(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = (low + high) / 2;
        if before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
