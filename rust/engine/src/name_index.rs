//! An index of names that is built at compile time: a hash table with open addressing.

/// Positions in a list of names. At most half of the slots should be taken; `SLOTS` is a power of two.
pub struct NameIndex<const SLOTS: usize> {
    /// A position and one more; 0 where there is none.
    slots: [u16; SLOTS],
}

/// FNV-1a, folded: the upper bits are the better ones.
const fn hash(name: &[u8]) -> usize {
    let (mut hash, mut at) = (0x811c_9dc5_u32, 0);
    while at < name.len() {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ (hash >> 15)) as usize
}

impl<const SLOTS: usize> NameIndex<SLOTS> {
    pub const EMPTY: NameIndex<SLOTS> = NameIndex { slots: [0; SLOTS] };

    /// Adds a name and its position.
    pub const fn add(&mut self, name: &str, position: usize) {
        assert!(SLOTS.is_power_of_two() && position < SLOTS / 2, "the index is too small");
        let mut slot = hash(name.as_bytes()) % SLOTS;
        while self.slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        self.slots[slot] = position as u16 + 1;
    }

    /// The positions that may be those of a name: most names have one, and the caller compares.
    pub fn candidates(&self, name: &str) -> impl Iterator<Item = usize> {
        let start = hash(name.as_bytes());
        let slots = (0..SLOTS).map(move |step| self.slots[(start + step) % SLOTS]);
        slots.map_while(|taken| usize::from(taken).checked_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::NameIndex;

    const NAMES: [&str; 5] = ["abs", "acos", "asin", "atan", "sba"];

    #[test]
    fn each_name_is_among_its_candidates_and_others_are_few() {
        let mut index: NameIndex<16> = NameIndex::EMPTY;
        for (at, name) in NAMES.iter().enumerate() {
            index.add(name, at);
        }
        for (at, name) in NAMES.iter().enumerate() {
            assert!(index.candidates(name).any(|candidate| candidate == at), "{name}");
        }
        assert!(index.candidates("tan").count() <= NAMES.len());
    }
}
