//! Key ranges as bounds of a tree.

use std::cmp::Ordering;
use std::collections::VecDeque;

use tree::{Bound, Direction, Map, Scan, Side, Span, TupleBuilder, tuple};
use value::{Collation, SqlType, Value};

use crate::catalog::KeyRange;
use crate::error::{Result, SqlError};
use crate::expr::Context;

/// A bound with the bytes that it needs.
pub struct OwnedBound {
    key: Vec<u8>,
    fields: usize,
    side: Side,
}

impl OwnedBound {
    fn bound(&self) -> Bound<'_> {
        Bound { key: &self.key, fields: self.fields, side: self.side }
    }
}

/// A part of a tree; an open side is `None`.
#[derive(Default)]
pub struct Bounds {
    lower: Option<OwnedBound>,
    upper: Option<OwnedBound>,
}

impl Bounds {
    pub fn sides(&self) -> (Option<Bound<'_>>, Option<Bound<'_>>) {
        (self.lower.as_ref().map(OwnedBound::bound), self.upper.as_ref().map(OwnedBound::bound))
    }
}

/// How a value of another type stands in a column's order.
enum Converted {
    Exact(Value<'static>),
    /// No value of the column equals it; this is the nearest one above.
    Above(Value<'static>),
    /// … below.
    Below(Value<'static>),
    /// Its place in the order is not known.
    Unknown,
}

fn convert(value: &Value<'static>, ty: &SqlType) -> Converted {
    // Text compares with numbers and dates by rules of its own; only where a comparison by the column's order says the
    // same may the index be used.
    let same_family = match (value, ty) {
        (Value::Text(_), ty) => ty.is_text(),
        (Value::Bytes(_), ty) => ty.is_binary(),
        (Value::Int(_) | Value::UInt(_) | Value::Decimal(_) | Value::Double(_), ty) => {
            matches!(ty, SqlType::Integer(_) | SqlType::Decimal { .. } | SqlType::Year | SqlType::Bit(_))
                || (matches!(ty, SqlType::Double | SqlType::Float) && !matches!(value, Value::Decimal(_)))
        }
        (Value::Date(_) | Value::DateTime(_), ty) => ty.is_date(),
        (Value::Time(_), SqlType::Time) => true,
        (Value::Enum(member), SqlType::Enum(kind)) => member.kind == *kind,
        _ => false,
    };
    if !same_family {
        return Converted::Unknown;
    }
    let Ok((nearest, _)) = value::convert::nearest(value, ty) else { return Converted::Unknown };
    match value::compare(&nearest, value, ty.collation().unwrap_or(Collation::BINARY)).ok().flatten() {
        Some(Ordering::Equal) => Converted::Exact(nearest),
        Some(Ordering::Greater) => Converted::Above(nearest),
        Some(Ordering::Less) => Converted::Below(nearest),
        None => Converted::Unknown,
    }
}

/// The bounds of all ranges. A range that can hold nothing is left out; `None` means that some place is not known and the
/// whole index must be read.
pub fn evaluate(ranges: &[KeyRange], map: &Map, types: &[SqlType], context: &Context) -> Result<Option<Vec<Bounds>>> {
    let mut all = Vec::with_capacity(ranges.len());
    for range in ranges {
        match evaluate_one(range, map, types, context)? {
            Evaluated::Bounds(bounds) => all.push(bounds),
            Evaluated::Nothing => {}
            Evaluated::Unknown => return Ok(None),
        }
    }
    Ok(Some(all))
}

enum Evaluated {
    Bounds(Bounds),
    Nothing,
    Unknown,
}

fn evaluate_one(range: &KeyRange, map: &Map, types: &[SqlType], context: &Context) -> Result<Evaluated> {
    let fields = map.key.fields();
    let mut prefix: Vec<Vec<u8>> = Vec::new();
    let field = |at: usize, value: &Value<'_>| -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let kind = fields.get(at).ok_or_else(|| SqlError::internal("a key has too few fields"))?;
        tuple::encode(kind, value, &mut bytes)?;
        Ok(bytes)
    };
    for (at, expr) in range.equal.iter().enumerate() {
        let value = expr.eval_constant(context)?;
        if value.is_null() {
            if !range.null_safe.contains(&at) {
                return Ok(Evaluated::Nothing);
            }
            prefix.push(Vec::new());
            continue;
        }
        match convert(&value, &types[at]) {
            Converted::Exact(value) => prefix.push(field(at, &value)?),
            Converted::Above(_) | Converted::Below(_) => return Ok(Evaluated::Nothing),
            Converted::Unknown => return Ok(Evaluated::Unknown),
        }
    }
    let equal = prefix.len();
    let bound = |last: Option<Vec<u8>>, side: Side| -> Result<OwnedBound> {
        let mut builder = TupleBuilder::new();
        for bytes in prefix.iter().chain(&last) {
            builder.push(Some(bytes.as_slice()).filter(|bytes| !bytes.is_empty()));
        }
        Ok(OwnedBound { key: builder.finish()?, fields: equal + usize::from(last.is_some()), side })
    };
    let mut bounds = Bounds::default();
    match &range.lower {
        Some((expr, inclusive)) => {
            let value = expr.eval_constant(context)?;
            if value.is_null() {
                return Ok(Evaluated::Nothing);
            }
            let (value, inclusive) = match convert(&value, &types[equal]) {
                Converted::Exact(value) => (value, *inclusive),
                Converted::Above(value) => (value, true),
                Converted::Below(value) => (value, false),
                Converted::Unknown => return Ok(Evaluated::Unknown),
            };
            let side = if inclusive { Side::Before } else { Side::After };
            bounds.lower = Some(bound(Some(field(equal, &value)?), side)?);
        }
        // NULLs sort first and match no comparison.
        None if range.upper.is_some() && !range.with_nulls => {
            bounds.lower = Some(bound(Some(Vec::new()), Side::After)?)
        }
        None if equal > 0 => bounds.lower = Some(bound(None, Side::Before)?),
        None => {}
    }
    match &range.upper {
        Some((expr, inclusive)) => {
            let value = expr.eval_constant(context)?;
            if value.is_null() {
                return Ok(Evaluated::Nothing);
            }
            let (value, inclusive) = match convert(&value, &types[equal]) {
                Converted::Exact(value) => (value, *inclusive),
                Converted::Above(value) => (value, false),
                Converted::Below(value) => (value, true),
                Converted::Unknown => return Ok(Evaluated::Unknown),
            };
            let side = if inclusive { Side::After } else { Side::Before };
            bounds.upper = Some(bound(Some(field(equal, &value)?), side)?);
        }
        None if equal > 0 => bounds.upper = Some(bound(None, Side::After)?),
        None => {}
    }
    Ok(Evaluated::Bounds(bounds))
}

/// A piece of an index.
pub enum Part {
    Range(Box<Scan>),
    /// At most one entry: the one with this whole key.
    Key(Vec<u8>),
}

impl Part {
    /// The next rows, at most `rows_max`.
    pub fn next_span(&mut self, rows_max: usize, map: &Map) -> Result<Option<Span>> {
        match self {
            Part::Range(scan) => Ok(scan.next_span(rows_max)?),
            Part::Key(key) if key.is_empty() => Ok(None),
            Part::Key(key) => {
                let item = map.get(&std::mem::take(key))?;
                Ok(item.map(|item| Span { items: item.index..item.index + 1, leaf: item.leaf }))
            }
        }
    }

    /// How many rows it has.
    pub fn rows(&self, map: &Map) -> Result<u64> {
        match self {
            Part::Range(scan) => Ok(scan.remaining()),
            Part::Key(key) => Ok(u64::from(map.get(key)?.is_some())),
        }
    }
}

impl Bounds {
    /// The key, if the bounds hold nothing but the entry with it.
    fn whole_key(&self, fields: usize) -> Option<&[u8]> {
        let (lower, upper) = (self.lower.as_ref()?, self.upper.as_ref()?);
        let whole = lower.fields == fields && upper.fields == fields && lower.key == upper.key;
        let around = matches!((&lower.side, &upper.side), (Side::Before, Side::After));
        (whole && around && fields > 0).then_some(&lower.key)
    }
}

/// Scans over the ranges in the order of the index, no row twice.
pub fn scans(map: &Map, bounds: &[Bounds], direction: Direction) -> Result<VecDeque<Part>> {
    if let [one] = bounds {
        let (lower, upper) = one.sides();
        return Ok(VecDeque::from([Part::Range(Box::new(map.scan(lower.as_ref(), upper.as_ref(), direction)?))]));
    }
    let fields = map.key.len();
    if let Some(keys) = bounds.iter().map(|bounds| bounds.whole_key(fields)).collect::<Option<Vec<&[u8]>>>() {
        return keys_in_order(map, keys, direction);
    }
    let mut ordinals = Vec::with_capacity(bounds.len());
    for bounds in bounds {
        let (lower, upper) = bounds.sides();
        let rows = map.ordinals(lower.as_ref(), upper.as_ref())?;
        if !rows.is_empty() {
            ordinals.push(rows);
        }
    }
    ordinals.sort_by_key(|rows| rows.start);
    let mut merged: Vec<std::ops::Range<u64>> = Vec::with_capacity(ordinals.len());
    for rows in ordinals {
        match merged.last_mut() {
            Some(last) if rows.start <= last.end => last.end = last.end.max(rows.end),
            _ => merged.push(rows),
        }
    }
    if direction == Direction::Backward {
        merged.reverse();
    }
    let scan = |rows| Ok(Part::Range(Box::new(map.scan_ordinals(rows, direction)?)));
    merged.into_iter().map(scan).collect()
}

/// Lookups of whole keys: one way down the tree for each.
fn keys_in_order(map: &Map, mut keys: Vec<&[u8]>, direction: Direction) -> Result<VecDeque<Part>> {
    let mut failed = None;
    keys.sort_by(|left, right| {
        map.key.compare(&map.nodes, left, right).unwrap_or_else(|error| {
            failed = Some(error);
            Ordering::Equal
        })
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    keys.dedup();
    if direction == Direction::Backward {
        keys.reverse();
    }
    Ok(keys.into_iter().map(|key| Part::Key(key.to_vec())).collect())
}

/// Where the fields of a row's key stand in the keys of an index.
pub fn row_key(schema: &vcs::Schema, index: &vcs::Index) -> Result<Vec<usize>> {
    let find = |column: Option<usize>| {
        let found = index.fields.iter().position(|field| field.column == column);
        found.ok_or_else(|| SqlError::internal("an index without the key of its rows"))
    };
    match schema.is_keyless() {
        true => Ok(vec![find(None)?]),
        false => schema.primary_key.iter().map(|&column| find(Some(column))).collect(),
    }
}
