//! All functions by name.

use std::cell::OnceCell;

use hashbrown::HashMap;

use super::aggregate::FAMILIES as AGGREGATES;
use super::{
    Aggregate, Function, control, date_arithmetic, date_time, dolt, encoding, hash, information, json, locks,
    number_text, numeric, regexp, text, uuid_network, vector_distance,
};

/// The tables of all families.
static SCALARS: &[&[Function]] = &[
    control::FUNCTIONS,
    date_arithmetic::FUNCTIONS,
    date_time::FUNCTIONS,
    dolt::FUNCTIONS,
    encoding::FUNCTIONS,
    hash::FUNCTIONS,
    information::FUNCTIONS,
    json::FUNCTIONS,
    locks::FUNCTIONS,
    number_text::FUNCTIONS,
    numeric::FUNCTIONS,
    regexp::FUNCTIONS,
    text::FUNCTIONS,
    uuid_network::FUNCTIONS,
    vector_distance::FUNCTIONS,
];

thread_local! {
    static BY_NAME: OnceCell<HashMap<&'static str, &'static Function>> = const { OnceCell::new() };
}

/// A scalar function by its name in lower case.
pub fn scalar(name: &str) -> Option<&'static Function> {
    BY_NAME.with(|by_name| {
        by_name.get_or_init(|| scalars().map(|function| (function.name, function)).collect()).get(name).copied()
    })
}

pub fn aggregate(name: &str) -> Option<&'static Aggregate> {
    aggregates().find(|function| function.name == name)
}

pub fn scalars() -> impl Iterator<Item = &'static Function> {
    SCALARS.iter().flat_map(|family| family.iter())
}

pub fn aggregates() -> impl Iterator<Item = &'static Aggregate> {
    AGGREGATES.iter().flat_map(|family| family.iter())
}
