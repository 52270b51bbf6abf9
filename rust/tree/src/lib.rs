//! Chunks as sorted maps, read where they lie: serial messages, prolly tree nodes, tuples, cursors (docs/format/tree.md).
#![forbid(unsafe_code)]

mod address_map;
pub mod blob;
mod closure;
mod error;
mod index;
pub mod keyless;
mod map;
pub mod message;
mod node;
mod nodes;
mod read;
pub mod tuple;
mod write;

pub use address_map::{AddressMap, Entries};
pub use closure::build::Parent;
pub use closure::{Ancestor, Ancestors, CommitClosure, each_ancestor};
pub use error::{TreeError, TreeReason};
pub use index::index_key::{IndexField, IndexKey, Source};
pub use index::vector_index::VectorIndexBuild;
pub use map::{Item, Map};
pub use message::node::Kind;
pub use node::order::KeyOrder;
pub use node::{Items, Node};
pub use nodes::column_segments::Column;
pub use nodes::{NodeStore, Options, Stats};
pub use read::cursor::Cursor;
pub use read::diff::{Change, Diff};
pub use read::key_list::KeyList;
pub use read::overlay_leaf::OverlayLeaf;
pub use read::scan::{Direction, Scan, Span};
pub use read::three_way_diff::{EveryRow, SideChanges, ThreeWayDiff};
pub use tuple::{
    AddressFields, Bound, Encoding, FieldType, Part, RowWriter, Side, Sides, Stored, Tuple, TupleBuilder,
    TupleDescriptor,
};
pub use write::chunker::Chunker;
pub use write::mutate::Edit;
pub use write::sink::{Root, Sink};
