//! Output buffer of the transcoder: copies of parts of another text, most of them short.

use std::ops::Range;

/// Bytes of a text. Short parts are copied as blocks into memory that is there already: for them a call, or a look whether memory is
/// left, costs more than the copy.
pub(super) struct Transcoded {
    /// Longer than the text.
    bytes: Vec<u8>,
    end: usize,
}

/// A part of so many bytes, or less, is copied as a block.
const BLOCK_BYTES: usize = 32;

impl Transcoded {
    /// `likely_bytes` is the length that it is likely to have.
    pub fn new(likely_bytes: usize) -> Transcoded {
        Transcoded { bytes: vec![0; likely_bytes + BLOCK_BYTES], end: 0 }
    }

    /// How long it is.
    #[inline(always)]
    pub fn end(&self) -> usize {
        self.end
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn append(&mut self, from: &[u8], part: Range<usize>) {
        let end = self.end + part.len();
        self.room(end)[..part.len()].copy_from_slice(&from[part]);
        self.end = end;
    }

    /// Appends a part, and a space.
    #[inline(always)]
    pub fn append_with_space(&mut self, from: &[u8], part: Range<usize>) {
        let length = part.len();
        let block = from.get(part.start..).and_then(<[u8]>::first_chunk::<BLOCK_BYTES>);
        let place = self.bytes.get_mut(self.end..).and_then(<[u8]>::first_chunk_mut);
        match (block, place) {
            (Some(block), Some(place)) if length < BLOCK_BYTES => {
                *place = *block;
                place[length] = b' ';
                self.end += length + 1;
            }
            _ => self.append_long_with_space(from, part),
        }
    }

    #[inline(never)]
    fn append_long_with_space(&mut self, from: &[u8], part: Range<usize>) {
        self.append(from, part);
        self.append(b" ", 0..1);
    }

    /// Puts other bytes in place of those from `start` on.
    pub fn replace_from(&mut self, start: usize, with: &[u8]) {
        self.end = start;
        self.append(with, 0..with.len());
    }

    /// The memory behind the text, at least up to `end`.
    fn room(&mut self, end: usize) -> &mut [u8] {
        if end > self.bytes.len() {
            self.bytes.resize(end + end / 8 + BLOCK_BYTES, 0);
        }
        &mut self.bytes[self.end..]
    }

    /// The text; `None` where parts of characters were appended.
    pub fn into_text(mut self) -> Option<String> {
        self.bytes.truncate(self.end);
        String::from_utf8(self.bytes).ok()
    }
}

/// Appends a part of `from`.
#[inline]
pub(super) fn append(to: &mut Vec<u8>, from: &[u8], part: Range<usize>) {
    let block = from.get(part.start..).and_then(<[u8]>::first_chunk::<BLOCK_BYTES>);
    match block.filter(|_| part.len() <= BLOCK_BYTES) {
        Some(block) => {
            to.extend_from_slice(block);
            to.truncate(to.len() - (BLOCK_BYTES - part.len()));
        }
        None => to.extend_from_slice(&from[part]),
    }
}
