//! Offsets in UTF-16 code units, as JavaScript counts them.

/// Converts byte offsets of one text. Linear to make, logarithmic to ask; free for ASCII.
pub struct Utf16Offsets {
    /// For each character outside ASCII: the byte after it, and how many units fewer than bytes there are up to it.
    shifts: Vec<(u32, u32)>,
}

impl Utf16Offsets {
    pub fn new(text: &str) -> Self {
        let mut shifts = Vec::new();
        if !text.is_ascii() {
            let mut shift = 0;
            for (at, character) in text.char_indices().filter(|(_, character)| !character.is_ascii()) {
                let bytes = character.len_utf8();
                shift += (bytes - character.len_utf16()) as u32;
                shifts.push(((at + bytes) as u32, shift));
            }
        }
        Utf16Offsets { shifts }
    }

    /// The offset of a byte at the start of a character, or of the text's end.
    pub fn of(&self, byte: u32) -> u32 {
        let before = self.shifts.partition_point(|(end, _)| *end <= byte);
        byte - before.checked_sub(1).map_or(0, |last| self.shifts[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_every_length_are_counted() {
        let text = "aé漢😀z";
        let offsets = Utf16Offsets::new(text);
        let starts: Vec<u32> = text.char_indices().map(|(at, _)| offsets.of(at as u32)).collect();
        assert_eq!(starts, [0, 1, 2, 3, 5]);
        assert_eq!(offsets.of(text.len() as u32), 6);
        assert_eq!(Utf16Offsets::new("plain").of(3), 3);
    }
}
