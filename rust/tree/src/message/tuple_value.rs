//! `TUPL`: one opaque value of internal metadata (docs/format/database.md, section 2, `refs/tuples/`).

use crate::TreeError;
use crate::message::build::Builder;
use crate::message::flat::{self, FileId, Shape};

pub const ID: FileId = *b"TUPL";
static SHAPE: Shape = Shape { name: "Tuple", known_slots: 1 };

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TupleValue<'a> {
    pub value: &'a [u8],
}

impl<'a> TupleValue<'a> {
    pub fn decode(message: &'a [u8]) -> Result<TupleValue<'a>, TreeError> {
        Ok(TupleValue { value: flat::root(message, &ID, &SHAPE)?.required_bytes(0)? })
    }

    pub fn encode(&self) -> Result<Vec<u8>, TreeError> {
        let mut builder = Builder::with_capacity(self.value.len() + 64);
        let value = builder.bytes(self.value);
        builder.start_table();
        builder.offset(0, value);
        let root = builder.end_table();
        builder.finish(root, &ID)
    }
}
