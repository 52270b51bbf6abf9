//! All functions by name.

use std::cell::OnceCell;

use hashbrown::HashMap;

use super::aggregate::FAMILIES as AGGREGATES;
use super::{
    Aggregate, Function, control, date_arithmetic, date_time, dolt, encoding, full_text, hash, information, json,
    locks, number_text, numeric, regexp, spatial, text, uuid_network, vector_distance,
};

/// The tables of all families, by subject.
static FAMILIES: &[(&str, &[&[Function]])] = &[
    ("Control and NULL", &[control::FUNCTIONS]),
    ("Dates and times", &[date_time::FUNCTIONS, date_arithmetic::FUNCTIONS]),
    ("Digests and compression", &[hash::FUNCTIONS]),
    ("Dolt", &[dolt::FUNCTIONS]),
    ("Full text", &[full_text::FUNCTIONS]),
    ("Information", &[information::FUNCTIONS]),
    ("JSON", &[json::FUNCTIONS]),
    ("Locks and waiting", &[locks::FUNCTIONS]),
    ("Numbers", &[numeric::FUNCTIONS, number_text::FUNCTIONS]),
    ("Regular expressions", &[regexp::FUNCTIONS]),
    ("Spatial", &spatial::FAMILIES),
    ("Text", &[text::FUNCTIONS, encoding::FUNCTIONS]),
    ("UUIDs and addresses", &[uuid_network::FUNCTIONS]),
    ("Vectors", &[vector_distance::FUNCTIONS]),
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

/// Whether a function takes its arguments for text.
pub fn reads_text(name: &str) -> bool {
    let reads_text =
        |subject: &str| ["Digests and compression", "JSON", "Regular expressions", "Text"].contains(&subject);
    let families = FAMILIES.iter().filter(|(subject, _)| reads_text(subject)).flat_map(|(_, tables)| tables.iter());
    families.flat_map(|table| table.iter()).any(|function| function.name == name) || name == "hex"
}

pub fn aggregate(name: &str) -> Option<&'static Aggregate> {
    aggregates().find(|function| function.name == name)
}

pub fn scalars() -> impl Iterator<Item = &'static Function> {
    FAMILIES.iter().flat_map(|(_, tables)| tables.iter()).flat_map(|table| table.iter())
}

/// Subjects and their functions.
pub fn families() -> impl Iterator<Item = (&'static str, Vec<&'static Function>)> {
    FAMILIES.iter().map(|(subject, tables)| (*subject, tables.iter().flat_map(|table| table.iter()).collect()))
}

pub fn aggregates() -> impl Iterator<Item = &'static Aggregate> {
    AGGREGATES.iter().flat_map(|family| family.iter())
}
