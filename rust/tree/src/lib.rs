//! Chunks as sorted maps, read where they lie: serial messages, prolly tree nodes, tuples, cursors (format: tree.md).
#![forbid(unsafe_code)]

pub mod blob;
mod counts;
mod error;
pub mod message;
mod node;
mod nodes;
pub mod tuple;

pub use error::TreeError;
pub use message::node::Kind;
pub use node::{Items, Node};
pub use nodes::{NodeStore, Options, Stats};
pub use tuple::{Bound, Encoding, FieldType, Side, Stored, Tuple, TupleDescriptor};
