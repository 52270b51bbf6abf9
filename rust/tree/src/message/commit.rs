//! `DCMT`: a commit (docs/format/database.md, section 3).

use codec::Address;

use crate::TreeError;
use crate::message::Copies;
use crate::message::build::Builder;
use crate::message::flat::{self, FileId, Shape};

pub const ID: FileId = *b"DCMT";
static SHAPE: Shape = Shape { name: "Commit", known_slots: 12 };

/// A commit as it is stored. Its hash is the address of the chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The root value.
    pub root: Address,
    /// One more than the highest parent's; 1 without parents.
    pub height: u64,
    /// In order: the first parent is the branch that was merged into.
    pub parents: Vec<Address>,
    /// Closure of all proper ancestors; absent without parents.
    pub parent_closure: Option<Address>,
    pub author_name: Box<str>,
    pub author_email: Box<str>,
    pub description: Box<str>,
    /// Milliseconds since 1970 UTC.
    pub committer_millis: u64,
    /// Milliseconds since 1970 UTC.
    pub author_millis: i64,
    /// GPG armor.
    pub signature: Option<Box<str>>,
    /// Only when it differs from the author's.
    pub committer_name: Option<Box<str>>,
    /// Only when it differs from the author's.
    pub committer_email: Option<Box<str>>,
}

impl Commit {
    pub fn decode(message: &[u8]) -> Result<Commit, TreeError> {
        let table = flat::root(message, &ID, &SHAPE)?;
        let mut copies = Copies::of(message);
        Ok(Commit {
            root: table.required_address(0)?,
            height: table.u64(1, 0)?,
            parents: table.addresses(2)?.collect(),
            parent_closure: table.address(3)?,
            author_name: copies.prose(&table, 4)?.unwrap_or_default(),
            author_email: copies.prose(&table, 5)?.unwrap_or_default(),
            description: copies.prose(&table, 6)?.unwrap_or_default(),
            committer_millis: table.u64(7, 0)?,
            author_millis: table.i64(8, 0)?,
            signature: copies.prose(&table, 9)?,
            committer_name: copies.prose(&table, 10)?,
            committer_email: copies.prose(&table, 11)?,
        })
    }

    pub fn encode(&self) -> Result<Vec<u8>, TreeError> {
        let mut builder = Builder::with_capacity(256 + self.description.len());
        let root = builder.bytes(self.root.as_bytes());
        let parents: Vec<u8> = self.parents.iter().flat_map(|parent| *parent.as_bytes()).collect();
        let parents = builder.bytes(&parents);
        let closure = builder.bytes(self.parent_closure.unwrap_or_default().as_bytes());
        let name = builder.string(&self.author_name);
        let email = builder.string(&self.author_email);
        let description = builder.string(&self.description);
        let signature = self.signature.as_ref().map(|text| builder.string(text));
        let committer_name = self.committer_name.as_ref().map(|text| builder.string(text));
        let committer_email = self.committer_email.as_ref().map(|text| builder.string(text));
        builder.start_table();
        builder.offset(0, root);
        builder.u64(1, self.height);
        builder.offset(2, parents);
        builder.offset(3, closure);
        builder.offset(4, name);
        builder.offset(5, email);
        builder.offset(6, description);
        builder.u64(7, self.committer_millis);
        builder.i64(8, self.author_millis);
        builder.offset_if(9, signature);
        builder.offset_if(10, committer_name);
        builder.offset_if(11, committer_email);
        let table = builder.end_table();
        builder.finish(table, &ID)
    }
}
