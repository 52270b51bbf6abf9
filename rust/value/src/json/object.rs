//! The members of a JSON object.

use std::cmp::Ordering;

use super::Json;
use codec::CompactSort;

/// Members in MySQL's order of keys: shorter first, then by bytes. No key occurs twice.
#[derive(Debug, Clone, Default)]
pub struct JsonObject {
    members: Vec<(Box<str>, Json)>,
}

/// MySQL's order of keys.
pub(super) fn key_order(left: &str, right: &str) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}

impl JsonObject {
    pub fn new() -> JsonObject {
        JsonObject::default()
    }

    pub fn len(&self) -> usize {
        self.members.len()
    }

    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Json)> + Clone {
        self.members.iter().map(|(key, value)| (&**key, value))
    }

    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&str, &mut Json)> {
        self.members.iter_mut().map(|(key, value)| (&**key, value))
    }

    fn find(&self, key: &str) -> Result<usize, usize> {
        self.members.binary_search_by(|(own, _)| key_order(own, key))
    }

    pub fn get(&self, key: &str) -> Option<&Json> {
        self.find(key).ok().map(|at| &self.members[at].1)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        self.find(key).ok().map(|at| &mut self.members[at].1)
    }

    /// Adds a member or replaces the value of an existing one, which is returned.
    pub fn insert(&mut self, key: impl Into<Box<str>>, value: Json) -> Option<Json> {
        let key = key.into();
        // Documents mostly come in order already.
        if self.members.last().is_none_or(|(last, _)| key_order(last, &key).is_lt()) {
            self.members.push((key, value));
            return None;
        }
        match self.find(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.members[at].1, value)),
            Err(at) => {
                self.members.insert(at, (key, value));
                None
            }
        }
    }

    pub fn remove(&mut self, key: &str) -> Option<Json> {
        self.find(key).ok().map(|at| self.members.remove(at).1)
    }
}

impl IntoIterator for JsonObject {
    type Item = (Box<str>, Json);
    type IntoIter = std::vec::IntoIter<(Box<str>, Json)>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}

impl<K: Into<Box<str>>> FromIterator<(K, Json)> for JsonObject {
    /// Of members with the same key the last wins.
    fn from_iter<I: IntoIterator<Item = (K, Json)>>(members: I) -> JsonObject {
        let mut members: Vec<(Box<str>, Json)> = members.into_iter().map(|(key, value)| (key.into(), value)).collect();
        members.compact_sort_by(|left, right| key_order(&left.0, &right.0));
        // `dedup_by` keeps the first of a run; swapping first lets the last survive.
        members.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                std::mem::swap(&mut later.1, &mut earlier.1);
            }
            same
        });
        JsonObject { members }
    }
}
