//! All functions by name.

use super::{Aggregate, Function};

/// The tables of all families.
static SCALARS: &[&[Function]] = &[];
static AGGREGATES: &[&[Aggregate]] = &[];

/// A scalar function by its name in lower case.
pub fn scalar(name: &str) -> Option<&'static Function> {
    SCALARS.iter().flat_map(|family| family.iter()).find(|function| function.name == name)
}

pub fn aggregate(name: &str) -> Option<&'static Aggregate> {
    AGGREGATES.iter().flat_map(|family| family.iter()).find(|function| function.name == name)
}

pub fn scalars() -> impl Iterator<Item = &'static Function> {
    SCALARS.iter().flat_map(|family| family.iter())
}
