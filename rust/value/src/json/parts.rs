//! Projection of JSON documents: the parser skips members that the statement does not reference.

use super::{Json, JsonPath, Leg};

/// Members by name, and what is asked of each. A document without the others gives the same answers; what is no object is always
/// there as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JsonParts {
    is_whole: bool,
    members: Vec<(Box<str>, JsonParts)>,
}

impl JsonParts {
    /// Adds what a path leads to: everything below the names that it begins with.
    pub fn add_path(&mut self, path: &JsonPath) {
        let mut parts = self;
        for leg in path.legs() {
            let Leg::Member(key) = leg else { break };
            parts = parts.member_mut(key);
        }
        parts.is_whole = true;
    }

    /// Adds what JSON_CONTAINS compares with `candidate`.
    pub fn add_compared(&mut self, candidate: &Json) {
        if let Json::Object(members) = candidate {
            members.iter().for_each(|(key, value)| self.member_mut(key).add_compared(value));
        }
    }

    /// Adds what is asked in another place.
    pub fn add(&mut self, other: &JsonParts) {
        self.is_whole |= other.is_whole;
        other.members.iter().for_each(|(key, parts)| self.member_mut(key).add(parts));
    }

    fn member_mut(&mut self, key: &str) -> &mut JsonParts {
        let at = self.members.iter().position(|(own, _)| **own == *key).unwrap_or_else(|| {
            self.members.push((key.into(), JsonParts::default()));
            self.members.len() - 1
        });
        &mut self.members[at].1
    }

    /// The parts of a member that are needed; `None` when it is not needed.
    pub(super) fn member(&self, key: &str) -> Option<&JsonParts> {
        self.members.iter().find(|(own, _)| **own == *key).map(|(_, parts)| parts)
    }

    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }
}
