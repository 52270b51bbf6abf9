/// Keys one behind another in one piece of memory.
#[derive(Debug, Clone, Default)]
pub struct KeyList {
    bytes: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<u32>,
}

impl KeyList {
    pub fn push(&mut self, key: &[u8]) {
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len() as u32);
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn get(&self, at: usize) -> Option<&[u8]> {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start as usize..*self.ends.get(at)? as usize])
    }
}
