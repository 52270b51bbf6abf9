//! Chunks as sorted maps, read where they lie: serial messages, prolly tree nodes, tuples, cursors (docs/format/tree.md).
#![forbid(unsafe_code)]

mod address_map;
pub mod blob;
mod cell;
mod chunker;
mod closure;
mod closure_build;
mod columns;
mod counts;
mod cursor;
mod descents;
mod diff;
mod error;
mod excerpt;
mod index_key;
mod key_list;
pub mod keyless;
mod map;
pub mod message;
mod mutate;
mod nearest_first;
mod nearness;
mod node;
mod node_cache;
mod nodes;
mod order;
mod pending;
mod place;
mod rewriter;
mod scan;
mod sink;
mod splitter;
mod three_way;
pub mod tuple;

pub use address_map::{AddressMap, Entries};
pub use chunker::Chunker;
pub use closure::{Ancestor, Ancestors, CommitClosure, each_ancestor};
pub use closure_build::Parent;
pub use columns::Column;
pub use cursor::Cursor;
pub use diff::{Change, Diff};
pub use error::{TreeError, TreeReason};
pub use excerpt::Excerpt;
pub use index_key::{IndexField, IndexKey, Source};
pub use key_list::KeyList;
pub use map::{Item, Map};
pub use message::node::Kind;
pub use mutate::Edit;
pub use nearness::VectorIndexBuild;
pub use node::{Items, Node};
pub use nodes::{NodeStore, Options, Stats};
pub use order::KeyOrder;
pub use scan::{Direction, Scan, Span};
pub use sink::{Root, Sink};
pub use three_way::{EveryRow, SideChanges, ThreeWayDiff};
pub use tuple::{
    AddressFields, Bound, Encoding, FieldType, Part, RowWriter, Side, Sides, Stored, Tuple, TupleBuilder,
    TupleDescriptor,
};
