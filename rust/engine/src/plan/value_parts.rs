//! Value parts of a column that a statement reads, so that less of documents and long texts is read.

use value::json::JsonParts;

/// Parts that give the same answers as whole values do.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueParts {
    /// Members of a document.
    Members(JsonParts),
    /// As many bytes of a text, or all that it has.
    Prefix(usize),
    /// How many bytes a text has: others of the same number will do.
    Length,
    Whole,
}

impl ValueParts {
    /// Adds what is asked in another place.
    pub fn add(&mut self, other: ValueParts) {
        use ValueParts::*;
        match (&mut *self, other) {
            (Members(own), Members(other)) => own.add(&other),
            (Prefix(own), Prefix(other)) => *own = other.max(*own),
            (Prefix(0) | Length, Length) => *self = Length,
            (Length, Prefix(0)) => {}
            _ => *self = Whole,
        }
    }
}
