//! Regular expressions: the host's `RegExp`, compiled once and kept by number.

use engine::{Groups, LetterCase, Regex};

use crate::host;

pub(crate) struct HostRegex(u32);

impl HostRegex {
    pub(crate) fn compile(pattern: &str, case: LetterCase) -> Result<HostRegex, String> {
        host::compile_regex(pattern, case).map(HostRegex)
    }
}

impl Drop for HostRegex {
    fn drop(&mut self) {
        host::regex_close(self.0);
    }
}

impl Regex for HostRegex {
    fn find_at(&self, text: &str, start: usize) -> Result<Option<Groups>, String> {
        let Some(places) = host::find_regex(self.0, text, start)? else { return Ok(None) };
        let (pairs, _) = places.as_chunks::<8>();
        let group = |pair: &[u8; 8]| {
            let [a, b, c, d, e, f, g, h] = *pair;
            let (start, end) = (i32::from_le_bytes([a, b, c, d]), i32::from_le_bytes([e, f, g, h]));
            let span = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
            // The host counted; what is no part of the text is no group.
            text.get(span.0..span.1).map(|_| span)
        };
        Ok(Some(pairs.iter().map(group).collect()))
    }
}
