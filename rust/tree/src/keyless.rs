//! Rows of tables without a primary key (docs/format/tree.md, section 5.3).

use std::collections::BTreeMap;

use codec::xxh3_128;

use crate::TreeError;
use crate::map::Map;
use crate::tuple::Tuple;

/// Bytes of a key tuple: the hash, then the count of one field.
pub const KEY_BYTES: usize = 18;
const CARDINALITY_BYTES: usize = 8;

/// The key tuple of a row, whose value tuple has its cardinality first: equal rows have equal keys whatever their cardinality.
///
/// # Errors
/// `TreeReason::Corrupt` for a tuple without a cardinality.
pub fn key(value: &[u8]) -> Result<[u8; KEY_BYTES], TreeError> {
    cardinality(value)?;
    let mut key = [0; KEY_BYTES];
    key[..16].copy_from_slice(&xxh3_128(&value[CARDINALITY_BYTES..]).to_le_bytes());
    key[16] = 1;
    Ok(key)
}

/// How many times a row is in its table.
///
/// # Errors
/// `TreeReason::Corrupt` for a tuple without a cardinality.
pub fn cardinality(value: &[u8]) -> Result<u64, TreeError> {
    let field = Tuple::new(value).field(0).and_then(|field| field.try_into().ok());
    field.map(u64::from_le_bytes).ok_or_else(|| TreeError::corrupt("keyless row", "has no cardinality", 0))
}

/// The same row, this many times.
///
/// # Errors
/// `TreeReason::Corrupt` for a tuple without a cardinality.
pub fn with_cardinality(value: &[u8], times: u64) -> Result<Vec<u8>, TreeError> {
    cardinality(value)?;
    let mut value = value.to_vec();
    value[..CARDINALITY_BYTES].copy_from_slice(&times.to_le_bytes());
    Ok(value)
}

/// Edits of a keyless table, ready for [`Map::edit`] in this order: per key the new value tuple, `None` when no copy is left.
pub type Edits = BTreeMap<[u8; KEY_BYTES], Option<Vec<u8>>>;

/// What adding copies of rows, or taking them away, makes of a table. The cardinality in the given value tuples does not count;
/// several changes of the same row add up.
///
/// # Errors
/// `TreeReason::Corrupt` for more copies taken away than there are; what is wrong with a chunk on the way.
pub fn edits(map: &Map, changes: impl IntoIterator<Item = (Vec<u8>, i64)>) -> Result<Edits, TreeError> {
    let mut rows: BTreeMap<[u8; KEY_BYTES], (Vec<u8>, i64)> = BTreeMap::new();
    for (value, times) in changes {
        let row = rows.entry(key(&value)?).or_insert((value, 0));
        row.1 = row.1.saturating_add(times);
    }
    rows.retain(|_, (_, times)| *times != 0);
    let mut edits = Edits::new();
    for (key, (value, times)) in rows {
        let before = map.get(&key)?.map_or(Ok(0), |item| cardinality(item.value()))?;
        let after = before.checked_add_signed(times);
        let after =
            after.ok_or_else(|| TreeError::corrupt("keyless row", "is there fewer times than taken away", 0))?;
        edits.insert(key, if after == 0 { None } else { Some(with_cardinality(&value, after)?) });
    }
    Ok(edits)
}
