//! Writes of trees: chunking, node splitting, edits of an existing tree.

pub mod chunker;
pub mod mutate;
pub mod node_position;
pub mod pending_node;
pub mod rewriter;
pub mod sink;
pub mod splitter;
