//! Tuple descriptor: the types and the order of the fields (docs/format/tree.md, sections 5.4 and 6).

use core::cmp::Ordering;

use codec::xxh3_64;
use value::{Collation, SqlType};

use crate::node::Items;
use crate::tuple::compare::{compare_fields, without_last};
use crate::tuple::{Encoding, Tuple};
use crate::{NodeStore, TreeError};

/// One field of a tuple.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldType {
    pub encoding: Encoding,
    /// False when no tuple of the tree leaves the field out: the columns of a primary key.
    pub nullable: bool,
    /// The column's type: the members of ENUM and SET, the collation of text.
    pub sql_type: SqlType,
}

impl FieldType {
    pub fn new(encoding: Encoding, nullable: bool, sql_type: SqlType) -> FieldType {
        FieldType { encoding, nullable, sql_type }
    }

    /// The collation that orders the field, unless its bytes do.
    pub(crate) fn collation(&self) -> Option<Collation> {
        match self.encoding {
            Encoding::String | Encoding::StringAdaptive if self.sql_type.is_text() => {
                self.sql_type.collation().filter(|collation| !collation.is_code_point_order())
            }
            _ => None,
        }
    }
}

/// The fields of a tree's key or value tuples.
#[derive(Debug, Clone, PartialEq)]
pub struct TupleDescriptor {
    fields: Box<[FieldType]>,
    /// The collation of each field that has one; empty when none has.
    collations: Box<[Option<Collation>]>,
    order: Order,
}

/// Keys that are compared without looking at fields one by one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Order {
    /// One NOT NULL integer.
    One(Integer),
    /// Two NOT NULL integers.
    Two(Integer, Integer),
    Fields,
}

/// An integer at a known place of a tuple.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Integer {
    at: usize,
    width: usize,
    signed: bool,
}

impl Integer {
    fn of(field: &FieldType, at: usize) -> Option<Integer> {
        if field.nullable { None } else { Integer::of_encoding(field.encoding, at) }
    }

    fn of_encoding(encoding: Encoding, at: usize) -> Option<Integer> {
        let signed = match encoding {
            Encoding::Int8 | Encoding::Int16 | Encoding::Int32 | Encoding::Int64 => true,
            Encoding::Time | Encoding::Datetime => true,
            Encoding::Uint8 | Encoding::Uint16 | Encoding::Uint32 | Encoding::Uint64 => false,
            Encoding::Date | Encoding::Enum | Encoding::Set | Encoding::Bit64 => false,
            _ => return None,
        };
        Some(Integer { at, width: encoding.width()?, signed })
    }

    /// A number whose unsigned order is that of the integers. A tuple that is too short has 0; nodes hold no such tuples.
    #[inline]
    fn load(self, tuple: &[u8]) -> u64 {
        let rest = tuple.get(self.at..).unwrap_or_default();
        let number = match self.width {
            8 => rest.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)),
            4 => rest.first_chunk().map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes))),
            2 => rest.first_chunk().map_or(0, |bytes| u64::from(u16::from_le_bytes(*bytes))),
            _ => rest.first().map_or(0, |byte| u64::from(*byte)),
        };
        number ^ self.sign_bit()
    }

    /// Whether a tuple has this integer and no other field.
    #[inline]
    fn is_alone(self, tuple: &[u8]) -> bool {
        tuple.len() == self.width + 2 && tuple.ends_with(&[1, 0])
    }

    /// The sign bit of the field's width when it is signed: flipping it makes the order unsigned.
    #[inline]
    fn sign_bit(self) -> u64 {
        u64::from(self.signed) << (self.width * 8 - 1)
    }

    /// Items of `keys` whose integer is less than that of `bound`, or equal and `before_if_equal`.
    #[inline]
    fn items_before(self, keys: Items<'_>, bound: &[u8], before_if_equal: impl Fn(&[u8]) -> bool) -> usize {
        let wanted = self.load(bound);
        let Some(last) = keys.len().checked_sub(1) else { return 0 };
        // Numbers of rows mostly lie evenly between the first and the last of a node, those of a counter exactly so.
        let (low, high) = (self.load(keys.get(0)), self.load(keys.get(last)));
        let guess = match wanted {
            wanted if wanted <= low => 0,
            wanted if wanted >= high => last,
            wanted => ((wanted - low) as f64 / (high - low) as f64 * last as f64) as usize,
        };
        keys.partition_point_near(guess, |key| {
            let number = self.load(key);
            number < wanted || (number == wanted && before_if_equal(key))
        })
    }
}

/// A place between items: before or after all whose first fields equal those of a key.
#[derive(Debug, Clone, Copy)]
pub struct Bound<'a> {
    /// A key tuple; may hold fewer fields than the tree's keys.
    pub key: &'a [u8],
    /// How many fields of it count. Trailing NULLs are not stored, so the tuple cannot tell.
    pub fields: usize,
    pub side: Side,
}

/// A lower and an upper bound; an open side is `None`.
pub type Sides<'a> = (Option<Bound<'a>>, Option<Bound<'a>>);

/// The side of the equal items that a [`Bound`] is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
}

impl<'a> Bound<'a> {
    pub fn before(key: &'a [u8], fields: usize) -> Bound<'a> {
        Bound { key, fields, side: Side::Before }
    }

    pub fn after(key: &'a [u8], fields: usize) -> Bound<'a> {
        Bound { key, fields, side: Side::After }
    }
}

impl TupleDescriptor {
    /// The fields of a tuple from its first to its last.
    pub fn new(fields: impl Into<Box<[FieldType]>>) -> TupleDescriptor {
        let fields = fields.into();
        let order = match &*fields {
            [only] => Integer::of(only, 0).map(Order::One),
            [first, second] => {
                Integer::of(first, 0).and_then(|first| Some(Order::Two(first, Integer::of(second, first.width)?)))
            }
            _ => None,
        };
        let mut collations: Box<[_]> = fields.iter().map(FieldType::collation).collect();
        if collations.iter().all(Option::is_none) {
            collations = Box::default();
        }
        TupleDescriptor { fields, collations, order: order.unwrap_or(Order::Fields) }
    }

    pub fn fields(&self) -> &[FieldType] {
        &self.fields
    }

    /// A number that tells most tuples apart without a look at their fields: where two have different ones, the tuple with the
    /// smaller comes first.
    pub fn leading(&self, tuple: &[u8]) -> u64 {
        // NULL comes first.
        const PRESENT: u64 = 1 << 63;
        let head = |payload: &[u8]| {
            let mut head = [0; 8];
            head.iter_mut().zip(payload).for_each(|(head, byte)| *head = *byte);
            u64::from_be_bytes(head)
        };
        let (Some(first), Some(field)) = (self.fields.first(), Tuple::new(tuple).field(0)) else { return 0 };
        let number = match first.encoding {
            Encoding::String | Encoding::Bytes if self.collations.first().copied().flatten().is_none() => {
                head(without_last(field))
            }
            Encoding::Hash128 => head(field),
            encoding => {
                Integer::of_encoding(encoding, 0).map_or(0, |integer| integer.load(field) << (64 - 8 * integer.width))
            }
        };
        PRESENT | number >> 1
    }

    /// A number of the first field alone: tuples in which that is equal have the same, most others have another one.
    pub fn first_hash(&self, tuple: &[u8]) -> u64 {
        let (Some(first), Some(field)) = (self.fields.first(), Tuple::new(tuple).field(0)) else { return 0 };
        match (first.encoding, self.collations.first().copied().flatten()) {
            (Encoding::String, Some(collation)) => {
                let mut key = Vec::new();
                collation.hash_key(without_last(field), &mut key);
                xxh3_64(&key, 0)
            }
            (Encoding::String | Encoding::Bytes, None) => xxh3_64(without_last(field), 0),
            _ => self.leading(tuple),
        }
    }

    /// Whether tuples of both can be compared field by field: the same encodings, whatever the types around them, such as
    /// decimals of another scale.
    pub fn has_form_of(&self, other: &TupleDescriptor) -> bool {
        let form = |field: &FieldType| (field.encoding, field.nullable);
        self.fields.iter().map(form).eq(other.fields.iter().map(form))
    }

    pub fn len(&self) -> usize {
        self.fields.len()
    }

    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The order of two tuples. `nodes` is asked only for out-of-band fields.
    ///
    /// # Errors
    /// `TreeReason::Corrupt` for a field that has not the form of its encoding; what is wrong with a blob.
    pub fn compare(&self, nodes: &NodeStore, left: &[u8], right: &[u8]) -> Result<Ordering, TreeError> {
        self.compare_prefix(nodes, left, right, self.fields.len())
    }

    /// The order of two tuples by their first `fields` fields.
    pub fn compare_prefix(
        &self,
        nodes: &NodeStore,
        left: &[u8],
        right: &[u8],
        fields: usize,
    ) -> Result<Ordering, TreeError> {
        if left == right {
            return Ok(Ordering::Equal);
        }
        let whole = fields >= self.fields.len() && self.is_plain(left) && self.is_plain(right);
        match self.order {
            Order::One(only) if whole => Ok(only.load(left).cmp(&only.load(right))),
            Order::Two(first, second) if whole => {
                Ok((first.load(left), second.load(left)).cmp(&(first.load(right), second.load(right))))
            }
            Order::Two(first, _)
                if fields == 1
                    && (self.is_plain(left) || first.is_alone(left))
                    && (self.is_plain(right) || first.is_alone(right)) =>
            {
                Ok(first.load(left).cmp(&first.load(right)))
            }
            _ => {
                self.check_collations(fields)?;
                self.compare_fields(nodes, left, right, fields)
            }
        }
    }

    fn compare_fields(
        &self,
        nodes: &NodeStore,
        left: &[u8],
        right: &[u8],
        fields: usize,
    ) -> Result<Ordering, TreeError> {
        let (left, right) = (Tuple::new(left), Tuple::new(right));
        for (i, field) in self.fields.iter().enumerate().take(fields) {
            let collation = self.collations.get(i).copied().flatten();
            let order = compare_fields(nodes, field.encoding, collation, left.field(i), right.field(i))?;
            if order.is_ne() {
                return Ok(order);
            }
        }
        Ok(Ordering::Equal)
    }

    /// A collation whose weights are not here cannot order anything: an error, not another order.
    fn check_collations(&self, fields: usize) -> Result<(), TreeError> {
        for collation in self.collations.iter().take(fields).flatten() {
            collation.ready()?;
        }
        Ok(())
    }

    /// Items of `keys` that lie before `bound`. Keys are in this descriptor's order.
    ///
    /// # Errors
    /// As [`TupleDescriptor::compare`].
    #[inline]
    pub fn items_before(&self, nodes: &NodeStore, keys: Items<'_>, bound: &Bound<'_>) -> Result<usize, TreeError> {
        let whole = bound.fields >= self.fields.len() && self.is_plain(bound.key);
        match self.order {
            Order::One(only) if whole => {
                let after = bound.side == Side::After;
                Ok(only.items_before(keys, bound.key, |_| after))
            }
            Order::Two(first, second) if whole => {
                let wanted = second.load(bound.key);
                Ok(match bound.side {
                    Side::Before => first.items_before(keys, bound.key, |key| second.load(key) < wanted),
                    Side::After => first.items_before(keys, bound.key, |key| second.load(key) <= wanted),
                })
            }
            // The rows of one value of an index.
            Order::Two(first, _) if bound.fields == 1 && first.is_alone(bound.key) => {
                let after = bound.side == Side::After;
                Ok(first.items_before(keys, bound.key, |_| after))
            }
            _ => self.items_before_by_fields(nodes, keys, bound),
        }
    }

    fn items_before_by_fields(
        &self,
        nodes: &NodeStore,
        keys: Items<'_>,
        bound: &Bound<'_>,
    ) -> Result<usize, TreeError> {
        self.check_collations(bound.fields)?;
        let mut failed = None;
        let count = keys.partition_point(|key| match self.compare_fields(nodes, key, bound.key, bound.fields) {
            Ok(order) => order.is_lt() || (order.is_eq() && bound.side == Side::After),
            Err(error) => {
                failed = Some(error);
                false
            }
        });
        failed.map_or(Ok(count), Err)
    }

    /// Whether a tuple has the length that it has when all integers of the key are there.
    #[inline]
    fn is_plain(&self, tuple: &[u8]) -> bool {
        match self.order {
            Order::One(only) => tuple.len() == only.width + 2,
            Order::Two(_, second) => tuple.len() == second.at + second.width + 4,
            Order::Fields => false,
        }
    }
}
