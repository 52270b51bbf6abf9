//! `STRT`: the root chunk of a store (docs/format/database.md, section 2).

use crate::TreeError;
use crate::message::build::Builder;
use crate::message::flat::{self, FileId, Shape};

pub const ID: FileId = *b"STRT";
static SHAPE: Shape = Shape { name: "StoreRoot", known_slots: 1 };

/// What a store root holds: one map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreRoot<'a> {
    /// Root node of the map from dataset name to address, a whole `ADRM` message.
    pub datasets: &'a [u8],
}

impl<'a> StoreRoot<'a> {
    pub fn decode(message: &'a [u8]) -> Result<StoreRoot<'a>, TreeError> {
        Ok(StoreRoot { datasets: flat::root(message, &ID, &SHAPE)?.required_bytes(0)? })
    }

    pub fn encode(&self) -> Result<Vec<u8>, TreeError> {
        let mut builder = Builder::with_capacity(self.datasets.len() + 64);
        let datasets = builder.bytes(self.datasets);
        builder.start_table();
        builder.offset(0, datasets);
        let root = builder.end_table();
        builder.finish(root, &ID)
    }
}
