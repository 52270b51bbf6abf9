//! `SLST` and `STSH`: a list of stashes and one stash (docs/format/database.md, section 3.3).

use codec::Address;

use crate::TreeError;
use crate::message::Copies;
use crate::message::build::Builder;
use crate::message::flat::{self, FileId, Shape};

pub const LIST_ID: FileId = *b"SLST";
pub const ID: FileId = *b"STSH";
static LIST_SHAPE: Shape = Shape { name: "StashList", known_slots: 1 };
static SHAPE: Shape = Shape { name: "Stash", known_slots: 5 };

/// The stashes under one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StashList<'a> {
    /// Root node of the map from decimal id to `STSH` address, a whole `ADRM` message.
    pub stashes: &'a [u8],
}

impl<'a> StashList<'a> {
    pub fn decode(message: &'a [u8]) -> Result<StashList<'a>, TreeError> {
        Ok(StashList { stashes: flat::root(message, &LIST_ID, &LIST_SHAPE)?.required_bytes(0)? })
    }

    pub fn encode(&self) -> Result<Vec<u8>, TreeError> {
        let mut builder = Builder::with_capacity(self.stashes.len() + 64);
        let stashes = builder.bytes(self.stashes);
        builder.start_table();
        builder.offset(0, stashes);
        let root = builder.end_table();
        builder.finish(root, &LIST_ID)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stash {
    /// The root value that was put away.
    pub root: Address,
    /// HEAD at that time.
    pub head_commit: Address,
    /// The whole ref, `refs/heads/x`.
    pub branch: Box<str>,
    /// The message of the head commit.
    pub description: Box<str>,
    /// Tables that a pop stages again; `None` when the writer left the vector out.
    pub tables_to_stage: Option<Vec<Box<str>>>,
}

impl Stash {
    pub fn decode(message: &[u8]) -> Result<Stash, TreeError> {
        let table = flat::root(message, &ID, &SHAPE)?;
        let mut copies = Copies::of(message);
        Ok(Stash {
            root: table.required_address(0)?,
            head_commit: table.required_address(1)?,
            branch: copies.text(&table, 2)?,
            description: copies.prose(&table, 3)?.unwrap_or_default(),
            tables_to_stage: table.has(4).then(|| copies.texts(&table, 4)).transpose()?,
        })
    }

    pub fn encode(&self) -> Result<Vec<u8>, TreeError> {
        let mut builder = Builder::new();
        let root = builder.bytes(self.root.as_bytes());
        let head_commit = builder.bytes(self.head_commit.as_bytes());
        let branch = builder.string(&self.branch);
        let description = builder.string(&self.description);
        let tables_to_stage = self.tables_to_stage.as_ref().map(|tables| builder.strings(tables));
        builder.start_table();
        builder.offset(0, root);
        builder.offset(1, head_commit);
        builder.offset(2, branch);
        builder.offset(3, description);
        builder.offset_if(4, tables_to_stage);
        let table = builder.end_table();
        builder.finish(table, &ID)
    }
}
