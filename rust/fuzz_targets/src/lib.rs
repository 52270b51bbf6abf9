//! Fuzz targets: every file format on untrusted bytes, with structure-aware mutations that repair checksums.
//!
//! `fuzz/` runs them under cargo-fuzz, `tests/` on stable: the kept corpus, and a bounded run of seeded mutations.
#![forbid(unsafe_code)]

mod bundle;
mod files;
mod messages;
mod mutate;
mod random;
mod repair;
mod sql;

pub use bundle::{pack, unpack};
pub use mutate::mutate;
pub use random::Random;
pub use sql::StillHost;

/// A format with a target of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Manifest,
    TableFile,
    Archive,
    Journal,
    /// Prolly tree nodes: a bundle of messages, the root last.
    Node,
    /// A bundle whose root is read as an address map.
    AddressMap,
    /// A bundle whose root is read as a long value.
    Blob,
    /// One message of any other kind: schemas, commits, working sets.
    Message,
    /// SQL text, parsed and planned.
    Sql,
}

impl Format {
    pub const ALL: [Format; 9] = [
        Format::Manifest,
        Format::TableFile,
        Format::Archive,
        Format::Journal,
        Format::Node,
        Format::AddressMap,
        Format::Blob,
        Format::Message,
        Format::Sql,
    ];

    /// Of its target and of its folder in `fuzz/corpus`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Manifest => "manifest",
            Format::TableFile => "table_file",
            Format::Archive => "archive",
            Format::Journal => "journal",
            Format::Node => "node",
            Format::AddressMap => "address_map",
            Format::Blob => "blob",
            Format::Message => "message",
            Format::Sql => "sql",
        }
    }

    /// Reads an input as far as it goes. Returns without a panic, whatever the input is.
    pub fn run(self, input: &[u8]) {
        match self {
            Format::Manifest => files::manifest(input),
            Format::TableFile => files::table_file(input),
            Format::Archive => files::archive(input),
            Format::Journal => files::journal(input),
            Format::Node => messages::nodes(input),
            Format::AddressMap => messages::address_map(input),
            Format::Blob => messages::blob(input),
            Format::Message => messages::others(input),
            Format::Sql => sql::plan(input),
        }
    }
}
