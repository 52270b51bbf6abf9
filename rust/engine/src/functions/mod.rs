//! The functions of SQL, found by name.
//!
//! One file per family. Each has a table of entries (`entry.rs`), and an entry is all there is to a function: its names, arguments,
//! types, properties, help and implementation. `registry.rs` joins the tables at compile time, and has the index of names. A scalar
//! function sees the values of one row; where that is too slow it has a vector form beside it.

pub mod aggregate;
mod argument;
mod control;
mod date_arithmetic;
mod date_time;
mod declared;
mod dolt;
mod encoding;
mod entry;
mod full_text;
mod hash;
mod information;
mod json;
mod locks;
mod number_text;
mod numeric;
mod regexp;
mod registry;
mod result;
pub mod spatial;
mod text;
mod text_codes;
mod uuid_network;
mod vector_distance;
mod window;
pub mod zone;

pub use aggregate::{Aggregate, Role};
pub(crate) use argument::converted;
pub use declared::{DeclaredBy, DeclaredCall};
pub(crate) use declared::{general, in_collation};
pub use entry::{Arguments, Entry, Family, Form, Function, Nulls, Reads, Stability, Traits};
pub use registry::{
    AGGREGATE_FAMILIES, SCALAR_FAMILIES, WINDOW_FAMILY, aggregate, aggregates, callable_names, scalar, scalars, window,
};
pub(crate) use vector_distance::numbers_of_vector;
pub use window::{Window, WindowArguments};
