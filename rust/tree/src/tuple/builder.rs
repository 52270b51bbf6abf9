//! Tuple builder: packs fields into a tuple (docs/format/tree.md, section 5.1).

use value::Value;

use crate::tuple::{FIELDS_MAX, FieldType, encode};
use crate::{TreeError, TreeReason};

/// Bytes of all fields of a tuple at most (section 4.4).
pub const FIELD_BYTES_MAX: usize = 65_504;

/// Fields of one tuple after the other. Keeps its memory from tuple to tuple.
#[derive(Debug, Default)]
pub struct TupleBuilder {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl TupleBuilder {
    pub fn new() -> TupleBuilder {
        TupleBuilder::default()
    }

    /// Adds a field; `None` is NULL. A value without bytes would read as NULL: no encoding has one.
    pub fn push(&mut self, field: Option<&[u8]>) -> &mut TupleBuilder {
        debug_assert!(field != Some(&[]));
        self.bytes.extend_from_slice(field.unwrap_or_default());
        self.ends.push(self.bytes.len());
        self
    }

    /// Adds a field that holds a value: see [`encode()`].
    pub(crate) fn push_value(&mut self, kind: &FieldType, value: &Value<'_>) -> Result<(), TreeError> {
        encode(kind, value, &mut self.bytes)?;
        self.ends.push(self.bytes.len());
        Ok(())
    }

    /// Fields since the last tuple.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Forgets the fields since the last tuple.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// The tuple of the fields since the last one: NULLs at the end are left out.
    ///
    /// # Errors
    /// [`TreeReason::TooLong`] past 65,504 bytes or 4,096 fields.
    pub fn finish(&mut self) -> Result<Vec<u8>, TreeError> {
        let mut tuple = Vec::with_capacity(self.bytes.len() + 2 * self.ends.len().max(1));
        self.finish_into(&mut tuple)?;
        Ok(tuple)
    }

    /// As [`TupleBuilder::finish`], in place of what `tuple` held.
    pub fn finish_into(&mut self, tuple: &mut Vec<u8>) -> Result<(), TreeError> {
        let too_long = |length: usize, limit: usize| {
            TreeReason::TooLong { length_bytes: length as u64, limit_bytes: limit as u64 }.into()
        };
        // A field is NULL when it ends where the one before it ends.
        while let [.., before, last] = self.ends[..]
            && before == last
        {
            self.ends.pop();
        }
        if self.bytes.is_empty() {
            self.ends.clear();
        }
        let fields = self.ends.len();
        if self.bytes.len() > FIELD_BYTES_MAX {
            return Err(too_long(self.bytes.len(), FIELD_BYTES_MAX));
        }
        if fields > FIELDS_MAX {
            return Err(too_long(fields, FIELDS_MAX));
        }
        tuple.clear();
        tuple.append(&mut self.bytes);
        for end in self.ends.iter().take(fields.saturating_sub(1)) {
            tuple.extend_from_slice(&(*end as u16).to_le_bytes());
        }
        tuple.extend_from_slice(&(fields as u16).to_le_bytes());
        self.ends.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailing_nulls_are_left_out() {
        let mut tuple = TupleBuilder::new();
        let one = &1i32.to_le_bytes()[..];
        assert_eq!(tuple.push(Some(one)).push(None).push(None).finish().unwrap(), [1, 0, 0, 0, 1, 0]);
        assert_eq!(tuple.push(None).push(Some(one)).finish().unwrap(), [1, 0, 0, 0, 0, 0, 2, 0]);
        assert_eq!(tuple.push(None).push(None).finish().unwrap(), [0, 0]);
        assert_eq!(tuple.finish().unwrap(), [0, 0]);
        assert!(tuple.push(Some(&[1; 65_505])).finish().is_err());
    }
}
