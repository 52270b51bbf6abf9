//! Key set: keys already seen.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Byte strings that differ, behind each other in one piece of memory: one of its own for each would cost more than to look for it.
#[derive(Default)]
pub struct KeySet {
    bytes: Vec<u8>,
    /// Where each key ends.
    ends: Vec<usize>,
    places: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl KeySet {
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Makes room for so many keys.
    pub fn reserve(&mut self, keys: usize) {
        self.ends.reserve(keys);
        let (bytes, ends, hasher) = (&self.bytes, &self.ends, &self.hasher);
        self.places.reserve(keys, |place| hasher.hash_one(key_at(bytes, ends, *place)));
    }

    pub fn contains(&self, key: &[u8]) -> bool {
        let is_it = |place: &u32| key_at(&self.bytes, &self.ends, *place) == key;
        self.places.find(self.hasher.hash_one(key), is_it).is_some()
    }

    /// Takes a key in; `false` if it is there already.
    pub fn insert(&mut self, key: &[u8]) -> bool {
        let KeySet { bytes, ends, places, hasher } = self;
        let hash = hasher.hash_one(key);
        if places.find(hash, |place| key_at(bytes, ends, *place) == key).is_some() {
            return false;
        }
        let place = ends.len() as u32;
        bytes.extend_from_slice(key);
        ends.push(bytes.len());
        places.insert_unique(hash, place, |place| hasher.hash_one(key_at(bytes, ends, *place)));
        true
    }
}

#[inline]
fn key_at<'a>(bytes: &'a [u8], ends: &[usize], place: u32) -> &'a [u8] {
    let place = place as usize;
    let start = if place == 0 { 0 } else { ends[place - 1] };
    &bytes[start..ends[place]]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_key_is_new_once() {
        let (mut keys, mut model) = (KeySet::default(), BTreeSet::new());
        let mut number = 1_u32;
        for step in 0..20_000 {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Keys of all lengths, the empty one among them, and many that begin like others.
            let text = (number >> 8) % 6_000;
            let key = &text.to_le_bytes().repeat(3)[..(text % 13) as usize];
            assert_eq!(keys.contains(key), model.contains(key), "step {step}");
            assert_eq!(keys.insert(key), model.insert(key.to_vec()), "step {step}");
            if step == 3_000 {
                keys.reserve(10_000);
            }
        }
        assert!(model.iter().all(|key| keys.contains(key)));
        assert!(!keys.is_empty() && KeySet::default().is_empty());
    }
}
