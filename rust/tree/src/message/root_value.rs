//! `RTVL`: all tables of a database at one moment (docs/format/database.md, section 5).

use codec::Address;

use crate::TreeError;
use crate::message::build::Builder;
use crate::message::flat::{self, FileId, Shape};

pub const ID: FileId = *b"RTVL";
static SHAPE: Shape = Shape { name: "RootValue", known_slots: 5 };
/// `schemas`: only Doltgres, a PostgreSQL server on the same storage, uses it.
const SCHEMAS: u16 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootValue<'a> {
    pub feature_version: i64,
    /// Root node of the map from table name to `DTBL` address, a whole `ADRM` message.
    pub tables: &'a [u8],
    /// The `DFKC`, absent without foreign keys.
    pub foreign_keys: Option<Address>,
    /// MySQL's number of the database's default collation.
    pub collation: u16,
}

impl<'a> RootValue<'a> {
    pub fn decode(message: &'a [u8]) -> Result<RootValue<'a>, TreeError> {
        let table = flat::root(message, &ID, &SHAPE)?;
        if table.has(SCHEMAS) {
            return Err(table.wrong("has schemas, so it is a Doltgres database"));
        }
        Ok(RootValue {
            feature_version: table.i64(0, 0)?,
            tables: table.required_bytes(1)?,
            foreign_keys: table.address(2)?,
            collation: table.u16(3, 0)?,
        })
    }

    pub fn encode(&self) -> Result<Vec<u8>, TreeError> {
        let mut builder = Builder::with_capacity(self.tables.len() + 128);
        let tables = builder.bytes(self.tables);
        let foreign_keys = builder.bytes(self.foreign_keys.unwrap_or_default().as_bytes());
        builder.start_table();
        builder.i64(0, self.feature_version);
        builder.u16(3, self.collation);
        builder.offset(1, tables);
        builder.offset(2, foreign_keys);
        let table = builder.end_table();
        builder.finish(table, &ID)
    }
}
