//! `DTAG`: a tag (docs/format/database.md, section 3.3).

use codec::Address;

use crate::TreeError;
use crate::message::Copies;
use crate::message::build::Builder;
use crate::message::flat::{self, FileId, Shape};

pub const ID: FileId = *b"DTAG";
static SHAPE: Shape = Shape { name: "Tag", known_slots: 6 };

/// A tag as it is stored; its name is the dataset's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    pub commit: Address,
    pub name: Box<str>,
    pub email: Box<str>,
    /// Empty for a tag without a message.
    pub description: Box<str>,
    /// Milliseconds since 1970 UTC.
    pub millis: u64,
    /// Milliseconds since 1970 UTC, as given by the user.
    pub user_millis: i64,
}

impl Tag {
    pub fn decode(message: &[u8]) -> Result<Tag, TreeError> {
        let table = flat::root(message, &ID, &SHAPE)?;
        let mut copies = Copies::of(message);
        Ok(Tag {
            commit: table.required_address(0)?,
            name: copies.prose(&table, 1)?.unwrap_or_default(),
            email: copies.prose(&table, 2)?.unwrap_or_default(),
            description: copies.prose(&table, 3)?.unwrap_or_default(),
            millis: table.u64(4, 0)?,
            user_millis: table.i64(5, 0)?,
        })
    }

    pub fn encode(&self) -> Result<Vec<u8>, TreeError> {
        let mut builder = Builder::new();
        let commit = builder.bytes(self.commit.as_bytes());
        let name = builder.string(&self.name);
        let email = builder.string(&self.email);
        let description = builder.string(&self.description);
        builder.start_table();
        builder.offset(0, commit);
        builder.offset(1, name);
        builder.offset(2, email);
        builder.offset(3, description);
        builder.u64(4, self.millis);
        builder.i64(5, self.user_millis);
        let table = builder.end_table();
        builder.finish(table, &ID)
    }
}
