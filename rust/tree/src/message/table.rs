//! `DTBL`: one table (docs/format/database.md, section 7).

use codec::Address;

use crate::TreeError;
use crate::message::build::Builder;
use crate::message::flat::{self, FileId, Shape};

pub const ID: FileId = *b"DTBL";
static SHAPE: Shape = Shape { name: "Table", known_slots: 7 };
static CONFLICTS_SHAPE: Shape = Shape { name: "Conflicts", known_slots: 4 };

/// A table as it is stored. Its hash is the address of the chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table<'a> {
    /// The `DSCH`.
    pub schema: Address,
    /// Root node of the rows, a whole `TUPM` message.
    pub primary_index: &'a [u8],
    /// Root node of the map from index name to index root, a whole `ADRM` message.
    pub secondary_indexes: &'a [u8],
    /// The next value. `None` when the field is absent, which means 1; zero means the same, left behind by a counter
    /// that was set back in place (section 14), and makes another chunk.
    pub auto_increment: Option<u64>,
    /// Data, our schema, their schema, ancestor schema: from before artifacts, all empty since.
    pub legacy_conflicts: [Address; 4],
    /// From before artifacts, empty since.
    pub legacy_violations: Address,
    /// Conflicts and constraint violations, absent when there are none.
    pub artifacts: Option<Address>,
}

impl<'a> Table<'a> {
    pub fn decode(message: &'a [u8]) -> Result<Table<'a>, TreeError> {
        let table = flat::root(message, &ID, &SHAPE)?;
        let mut legacy_conflicts = [Address::EMPTY; 4];
        if let Some(conflicts) = table.table(4, &CONFLICTS_SHAPE)? {
            for (slot, conflict) in (0..).zip(&mut legacy_conflicts) {
                *conflict = conflicts.address(slot)?.unwrap_or_default();
            }
        }
        Ok(Table {
            schema: table.required_address(0)?,
            primary_index: table.required_bytes(1)?,
            secondary_indexes: table.required_bytes(2)?,
            auto_increment: table.has(3).then(|| table.u64(3, 0)).transpose()?,
            legacy_conflicts,
            legacy_violations: table.address(5)?.unwrap_or_default(),
            artifacts: table.address(6)?,
        })
    }

    pub fn encode(&self) -> Result<Vec<u8>, TreeError> {
        let mut builder = Builder::with_capacity(self.primary_index.len() + self.secondary_indexes.len() + 512);
        let schema = builder.bytes(self.schema.as_bytes());
        let primary_index = builder.bytes(self.primary_index);
        let secondary_indexes = builder.bytes(self.secondary_indexes);
        let conflicts = self.legacy_conflicts.map(|conflict| builder.bytes(conflict.as_bytes()));
        builder.start_table();
        for (slot, conflict) in (0..).zip(conflicts) {
            builder.offset(slot, conflict);
        }
        let conflicts = builder.end_table();
        let violations = builder.bytes(self.legacy_violations.as_bytes());
        let artifacts = builder.bytes(self.artifacts.unwrap_or_default().as_bytes());
        builder.start_table();
        builder.offset(0, schema);
        builder.offset(1, primary_index);
        builder.offset(2, secondary_indexes);
        if let Some(next) = self.auto_increment {
            builder.u64_always(3, next);
        }
        builder.offset(4, conflicts);
        builder.offset(5, violations);
        builder.offset(6, artifacts);
        let table = builder.end_table();
        builder.finish(table, &ID)
    }
}
