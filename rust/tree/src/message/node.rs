//! The six messages that are tree nodes, verified once on entering the cache (docs/format/tree.md, sections 2.5 and 3).
//!
//! [`verify`] follows every offset, checks that the item offsets rise and stay inside, that address arrays have the right size,
//! that subtree counts parse and add up, and that every tuple is well formed. What remains is a [`Layout`]: plain positions.

use core::ops::Range;

use codec::Address;

use super::flat::{self, FileId, Shape, Table};
use crate::node::counts;
use crate::tuple::Tuple;
use crate::{TreeError, TreeReason};

/// Levels 0 to 14 exist: the key splitter has 15 salts (docs/format/tree.md, section 4.1).
pub const LEVELS_MAX: usize = 15;
/// Bytes of a commit closure key: height and address.
pub const CLOSURE_KEY_BYTES: usize = 28;

/// What a node's items are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Key tuples to value tuples: rows, secondary indexes.
    Rows,
    /// Names to addresses; the inner levels of an indexed JSON document.
    Addresses,
    /// A slice of a long text, binary or JSON value.
    Blob,
    /// The ancestors of a commit.
    Closure,
    /// Conflicts and constraint violations.
    Artifacts,
    /// Vectors near each other.
    Vectors,
}

impl Kind {
    pub const ALL: [Kind; 6] = [Kind::Rows, Kind::Addresses, Kind::Blob, Kind::Closure, Kind::Artifacts, Kind::Vectors];

    pub const fn file_id(self) -> &'static FileId {
        match self {
            Kind::Rows => b"TUPM",
            Kind::Addresses => b"ADRM",
            Kind::Blob => b"BLOB",
            Kind::Closure => b"CMCL",
            Kind::Artifacts => b"ARTM",
            Kind::Vectors => b"IVFF",
        }
    }

    /// The table's name, for errors.
    pub const fn name(self) -> &'static str {
        self.slots().shape.name
    }

    pub(super) const fn slots(self) -> &'static Slots {
        match self {
            Kind::Rows => &ROWS,
            Kind::Addresses => &ADDRESSES,
            Kind::Blob => &BLOB,
            Kind::Closure => &CLOSURE,
            Kind::Artifacts => &ARTIFACTS,
            Kind::Vectors => &VECTORS,
        }
    }

    /// The kind of a chunk, when it is a node at all.
    pub fn of(message: &[u8]) -> Result<Option<Kind>, TreeError> {
        let id = flat::file_id(message)?;
        Ok(Kind::ALL.into_iter().find(|kind| *kind.file_id() == id))
    }
}

/// Slot numbers of one kind's table.
pub(super) struct Slots {
    shape: Shape,
    pub(super) key_items: Option<u16>,
    pub(super) key_offsets: Option<u16>,
    pub(super) value_items: Option<u16>,
    pub(super) value_offsets: Option<u16>,
    pub(super) address_offsets: Option<u16>,
    pub(super) address_array: u16,
    pub(super) subtree_counts: u16,
    pub(super) tree_count: u16,
    pub(super) tree_level: u16,
}

const fn shape(name: &'static str, known_slots: u16) -> Shape {
    Shape { name, known_slots }
}

static ROWS: Slots = Slots {
    shape: shape("ProllyTreeNode", 11),
    key_items: Some(0),
    key_offsets: Some(1),
    value_items: Some(3),
    value_offsets: Some(4),
    address_offsets: Some(6),
    address_array: 7,
    subtree_counts: 8,
    tree_count: 9,
    tree_level: 10,
};
static ADDRESSES: Slots = Slots {
    shape: shape("AddressMap", 6),
    key_items: Some(0),
    key_offsets: Some(1),
    value_items: None,
    value_offsets: None,
    address_offsets: None,
    address_array: 2,
    subtree_counts: 3,
    tree_count: 4,
    tree_level: 5,
};
static BLOB: Slots = Slots {
    shape: shape("Blob", 5),
    key_items: None,
    key_offsets: None,
    value_items: Some(0),
    value_offsets: None,
    address_offsets: None,
    address_array: 1,
    subtree_counts: 2,
    tree_count: 3,
    tree_level: 4,
};
static CLOSURE: Slots = Slots {
    shape: shape("CommitClosure", 5),
    key_items: Some(0),
    key_offsets: None,
    value_items: None,
    value_offsets: None,
    address_offsets: None,
    address_array: 1,
    subtree_counts: 2,
    tree_count: 3,
    tree_level: 4,
};
static ARTIFACTS: Slots = Slots {
    shape: shape("MergeArtifacts", 9),
    key_items: Some(0),
    key_offsets: Some(1),
    value_items: Some(3),
    value_offsets: Some(4),
    address_offsets: Some(2),
    address_array: 5,
    subtree_counts: 6,
    tree_count: 7,
    tree_level: 8,
};
static VECTORS: Slots = Slots {
    shape: shape("VectorIndexNode", 10),
    key_items: Some(0),
    key_offsets: Some(1),
    value_items: Some(2),
    value_offsets: Some(3),
    address_offsets: None,
    address_array: 4,
    subtree_counts: 5,
    tree_count: 6,
    tree_level: 7,
};

/// How the items of a run are delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spacing {
    /// Every item has this many bytes.
    Even(u32),
    /// `len + 1` u16 offsets from this byte of the message.
    Narrow(u32),
    /// `len + 1` u32 offsets from this byte of the message.
    Wide(u32),
}

/// Where a node's keys or values lie in its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Bytes of the message that hold the items, one after the other.
    pub items: Range<u32>,
    pub spacing: Spacing,
    /// All items are tuples with the same field positions.
    pub same_fields: bool,
}

/// What items of a run have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    /// Bytes of each item when all have the same length.
    pub(crate) even_bytes: Option<u32>,
    /// They are tuples with the same field positions. Implies `even_bytes`.
    pub(crate) same_fields: bool,
}

/// A verified node: positions into its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub kind: Kind,
    pub level: u8,
    pub len: u32,
    pub keys: Run,
    /// Leaf values, or child addresses of an inner node (20 bytes each).
    pub values: Run,
    /// Inner nodes: rows before child i, then rows in all; empty for leaves.
    pub rows_before: Box<[u64]>,
    /// Rows below this node; leaves below it for blobs.
    pub tree_count: u64,
    /// Positions in keys (artifacts) or values (rows) of addresses of other chunks: u16 each, little-endian.
    pub address_offsets: Range<u32>,
}

impl Layout {
    /// Whether a layout that was not checked says nothing that the checked one does not: items of one length may be told apart by
    /// offsets as well.
    pub(crate) fn is_implied_by(&self, checked: &Layout) -> bool {
        let is_run_implied = |run: &Run, checked: &Run| {
            run.items == checked.items
                && (run.spacing == checked.spacing || !matches!(run.spacing, Spacing::Even(_)))
                && run.same_fields <= checked.same_fields
        };
        let runs_of =
            |layout: &Layout| Layout { keys: checked.keys.clone(), values: checked.values.clone(), ..layout.clone() };
        is_run_implied(&self.keys, &checked.keys)
            && is_run_implied(&self.values, &checked.values)
            && runs_of(self) == *checked
    }
}

/// Verifies a message that is a tree node.
///
/// # Errors
/// [`TreeReason::WrongMessage`] when it is something else, [`TreeReason::UnknownFields`] for newer nodes,
/// [`TreeReason::Corrupt`] when any part does not fit. Never panics.
pub fn verify(message: &[u8]) -> Result<Layout, TreeError> {
    layout(message, None)
}

/// The layout of a message that we wrote ourselves, whose keys and values have these forms: its items are not looked at.
pub(crate) fn layout_of_written(message: &[u8], keys: Form, values: Form) -> Result<Layout, TreeError> {
    layout(message, Some([keys, values]))
}

fn layout(message: &[u8], written: Option<[Form; 2]>) -> Result<Layout, TreeError> {
    let Some(kind) = Kind::of(message)? else {
        return Err(TreeReason::WrongMessage { wanted: "a tree node", found: flat::file_id(message)? }.into());
    };
    let slots = kind.slots();
    let table = flat::root(message, kind.file_id(), &slots.shape)?;
    let level = table.u8(slots.tree_level, 0)?;
    if usize::from(level) >= LEVELS_MAX {
        return Err(table.wrong("level is above 14"));
    }
    let tree_count = table.u64(slots.tree_count, 0)?;
    let node = Verifier { message, table, slots, kind, written };
    let (len, keys) = node.keys(level)?;
    let (len, values, rows_before) = if level == 0 {
        let (len, values) = node.leaf_values(len)?;
        (len, values, Box::default())
    } else {
        node.children(len, tree_count)?
    };
    // A blob's count is of its leaves.
    if level == 0 && tree_count != len as u64 {
        return Err(table.wrong("row count of a leaf differs from its items"));
    }
    let address_offsets = match slots.address_offsets {
        Some(slot) => {
            let within = if kind == Kind::Artifacts { &keys.items } else { &values.items };
            node.address_offsets(slot, within.len())?
        }
        None => 0..0,
    };
    Ok(Layout { kind, level, len: len as u32, keys, values, rows_before, tree_count, address_offsets })
}

/// Calls `each` with the addresses in a node: of its children, of names, of values that lie elsewhere. Looks at nothing else.
///
/// # Errors
/// As [`verify`], as far as it looks.
pub(super) fn each_address(message: &[u8], each: &mut impl FnMut(Address)) -> Result<(), TreeError> {
    let Some(kind) = Kind::of(message)? else {
        return Err(TreeReason::WrongMessage { wanted: "a tree node", found: flat::file_id(message)? }.into());
    };
    let slots = kind.slots();
    let table = flat::root(message, kind.file_id(), &slots.shape)?;
    if kind == Kind::Addresses || table.u8(slots.tree_level, 0)? > 0 {
        table.addresses(slots.address_array)?.for_each(each);
        return Ok(());
    }
    let Some(offsets) = slots.address_offsets else { return Ok(()) };
    let items = if kind == Kind::Artifacts { slots.key_items } else { slots.value_items };
    let items = items.map(|slot| table.bytes(slot)).transpose()?.flatten().unwrap_or_default();
    for offset in table.u16s(offsets)? {
        let bytes = items.get(usize::from(offset)..).and_then(|rest| rest.first_chunk());
        each(Address::from_bytes(*bytes.ok_or(table.wrong("address lies outside the items"))?));
    }
    Ok(())
}

struct Verifier<'a> {
    message: &'a [u8],
    table: Table<'a>,
    slots: &'static Slots,
    kind: Kind,
    /// Forms of keys and values where they need no check.
    written: Option<[Form; 2]>,
}

/// Narrows positions inside a message, which is shorter than 2^24 bytes.
fn narrow(span: Range<usize>) -> Range<u32> {
    span.start as u32..span.end as u32
}

impl<'a> Verifier<'a> {
    /// The keys, and how many there are; a blob has none and its number is found later.
    fn keys(&self, level: u8) -> Result<(Option<usize>, Run), TreeError> {
        let tuples = matches!(self.kind, Kind::Rows | Kind::Artifacts | Kind::Vectors);
        let Some(slot) = self.slots.key_items else {
            return Ok((None, Run { items: 0..0, spacing: Spacing::Even(0), same_fields: false }));
        };
        let items = self.required(slot, 1)?;
        if let Some(slot) = self.slots.key_offsets {
            let (len, run) = self.run(items, slot, tuples, self.written.map(|[keys, _]| keys))?;
            return Ok((Some(len), run));
        }
        if items.len() % CLOSURE_KEY_BYTES != 0 || (level > 0 && items.is_empty()) {
            return Err(self.table.wrong("closure keys are not a multiple of 28 bytes"));
        }
        let len = items.len() / CLOSURE_KEY_BYTES;
        let spacing = Spacing::Even(CLOSURE_KEY_BYTES as u32);
        Ok((Some(len), Run { items: narrow(items), spacing, same_fields: false }))
    }

    /// The values of a leaf with `keys` items.
    fn leaf_values(&self, keys: Option<usize>) -> Result<(usize, Run), TreeError> {
        if let (Some(items), Some(offsets)) = (self.slots.value_items, self.slots.value_offsets) {
            let items = self.table.vector_span(items, 1)?.ok_or(self.table.wrong("leaf has no values"))?;
            let (len, run) = self.run(items, offsets, true, self.written.map(|[_, values]| values))?;
            if Some(len) != keys {
                return Err(self.table.wrong("leaf has more or fewer values than keys"));
            }
            return Ok((len, run));
        }
        match (self.kind, keys) {
            (Kind::Addresses, Some(len)) => Ok((len, self.address_run(len)?)),
            (Kind::Blob, _) => {
                let items = self.required(0, 1)?;
                let spacing = Spacing::Even(items.len() as u32);
                Ok((1, Run { items: narrow(items), spacing, same_fields: false }))
            }
            // The leaf of a closure is a set.
            (_, len) => {
                Ok((len.unwrap_or_default(), Run { items: 0..0, spacing: Spacing::Even(0), same_fields: false }))
            }
        }
    }

    /// The child addresses and the rows before each child.
    fn children(&self, keys: Option<usize>, tree_count: u64) -> Result<(usize, Run, Box<[u64]>), TreeError> {
        if self.slots.value_items.is_some_and(|slot| self.table.has(slot)) {
            return Err(self.table.wrong("inner node has leaf values"));
        }
        let len = match keys {
            Some(len) => len,
            None => self.required(self.slots.address_array, 1)?.len() / Address::LEN,
        };
        if len == 0 {
            return Err(self.table.wrong("inner node has no children"));
        }
        let addresses = self.address_run(len)?;
        let counts = self.table.required_bytes(self.slots.subtree_counts)?;
        let rows_before =
            counts::rows_before(counts, len).ok_or(self.table.wrong("subtree counts do not fit the children"))?;
        if rows_before.last() != Some(&tree_count) {
            return Err(self.table.wrong("subtree counts do not add up to the row count"));
        }
        Ok((len, addresses, rows_before))
    }

    fn address_run(&self, len: usize) -> Result<Run, TreeError> {
        let items = self.required(self.slots.address_array, 1)?;
        if items.len() != len * Address::LEN {
            return Err(self.table.wrong("address array has the wrong size"));
        }
        Ok(Run { items: narrow(items), spacing: Spacing::Even(Address::LEN as u32), same_fields: false })
    }

    /// Items told apart by a vector of offsets: first 0, rising, last the length of the items.
    fn run(
        &self,
        items: Range<usize>,
        offsets_slot: u16,
        tuples: bool,
        written: Option<Form>,
    ) -> Result<(usize, Run), TreeError> {
        let wide = self.kind == Kind::Vectors;
        let width = if wide { 4 } else { 2 };
        let offsets_span = self.required(offsets_slot, width)?;
        let bytes = self.message.get(offsets_span.clone()).unwrap_or_default();
        let item_bytes = self.message.get(items.clone()).unwrap_or_default();
        let checked = if let Some(form) = written {
            let len = (bytes.len() / width).checked_sub(1).ok_or(("no item offsets", 0));
            len.map(|len| Checked { len, form: Form { same_fields: form.same_fields && tuples, ..form } })
        } else if wide {
            let (offsets, _) = bytes.as_chunks();
            check_items(offsets.iter().map(|offset| u32::from_le_bytes(*offset)), item_bytes, tuples)
        } else {
            let (offsets, _) = bytes.as_chunks();
            check_items(offsets.iter().map(|offset| u32::from(u16::from_le_bytes(*offset))), item_bytes, tuples)
        };
        let checked = checked.map_err(|(what, at)| self.table.corrupt(what, items.start - flat::PREFIX_BYTES + at))?;
        let at = offsets_span.start as u32;
        let spacing = match checked.form.even_bytes {
            Some(stride) => Spacing::Even(stride),
            None if wide => Spacing::Wide(at),
            None => Spacing::Narrow(at),
        };
        Ok((checked.len, Run { items: narrow(items), spacing, same_fields: checked.form.same_fields }))
    }

    fn address_offsets(&self, slot: u16, within_bytes: usize) -> Result<Range<u32>, TreeError> {
        let Some(span) = self.table.vector_span(slot, 2)? else { return Ok(0..0) };
        let (offsets, _) = self.message.get(span.clone()).unwrap_or_default().as_chunks();
        let fits = |offset: &[u8; 2]| usize::from(u16::from_le_bytes(*offset)) + Address::LEN <= within_bytes;
        if !offsets.iter().all(fits) {
            return Err(self.table.wrong("address lies outside the items"));
        }
        Ok(narrow(span))
    }

    fn required(&self, slot: u16, width: usize) -> Result<Range<usize>, TreeError> {
        self.table.vector_span(slot, width)?.ok_or(self.table.wrong("a required vector is absent"))
    }
}

struct Checked {
    len: usize,
    form: Form,
}

/// Checks item offsets, and tuples when the items are such. The error is what is wrong and where in `items`.
fn check_items(
    mut offsets: impl ExactSizeIterator<Item = u32>,
    items: &[u8],
    tuples: bool,
) -> Result<Checked, (&'static str, usize)> {
    let len = offsets.len().checked_sub(1).ok_or(("no item offsets", 0))?;
    let mut start = offsets.next().unwrap_or_default();
    if start != 0 {
        return Err(("first item does not start at 0", 0));
    }
    let mut first: &[u8] = &[];
    let (mut even, mut same_fields) = (true, tuples);
    for (i, end) in offsets.enumerate() {
        let item = items.get(start as usize..end as usize).ok_or(("item offsets do not rise", start as usize))?;
        if i == 0 {
            first = item;
            if tuples {
                Tuple::check(item).map_err(|what| (what, start as usize))?;
            }
        } else {
            even &= item.len() == first.len();
            if tuples {
                // Most leaves hold tuples of one shape: then one comparison checks all offsets of a tuple.
                let like_first = item.len() == first.len() && Tuple::new(first).trailer_equals(item);
                same_fields &= like_first;
                if !like_first {
                    Tuple::check(item).map_err(|what| (what, start as usize))?;
                }
            }
        }
        start = end;
    }
    if start as usize != items.len() {
        return Err(("last item does not end with the items", start as usize));
    }
    // An empty run is even with any stride.
    Ok(Checked { len, form: Form { even_bytes: even.then_some(first.len() as u32), same_fields: same_fields && even } })
}
