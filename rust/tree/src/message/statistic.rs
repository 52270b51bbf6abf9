//! `STAT`: where the statistics are (docs/format/database.md, section 9.3).

use codec::Address;

use crate::TreeError;
use crate::message::build::Builder;
use crate::message::flat::{self, FileId, Shape};

pub const ID: FileId = *b"STAT";
static SHAPE: Shape = Shape { name: "Statistic", known_slots: 1 };

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statistic {
    /// Root node of the row map.
    pub root: Address,
}

impl Statistic {
    pub fn decode(message: &[u8]) -> Result<Statistic, TreeError> {
        Ok(Statistic { root: flat::root(message, &ID, &SHAPE)?.required_address(0)? })
    }

    pub fn encode(&self) -> Result<Vec<u8>, TreeError> {
        let mut builder = Builder::new();
        let root = builder.bytes(self.root.as_bytes());
        builder.start_table();
        builder.offset(0, root);
        let table = builder.end_table();
        builder.finish(table, &ID)
    }
}
