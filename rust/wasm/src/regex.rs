//! Regular expressions: the module of `rust/regexp`, through the host, which keeps compiled patterns by number.

use std::ops::ControlFlow;

use engine::{Groups, Regex, RegexFailure, RegexFlags, RegexSearch, RegexWanted};

use crate::host;

/// Matches that the host finds at once: one crossing of the language costs as much as a short search.
const MATCHES_AT_ONCE: u32 = 256;

pub(crate) struct HostRegex {
    number: u32,
    bytes: u32,
    /// The names of groups, by number from 1; empty for none.
    names: Box<[Box<str>]>,
}

impl HostRegex {
    pub(crate) fn compile(pattern: &str, flags: RegexFlags) -> Result<HostRegex, RegexFailure> {
        let number = answer(host::compile_regex(pattern, flags.bits()))?;
        let names = host::text().lines().map(Into::into).collect();
        Ok(HostRegex { number, bytes: host::regex_bytes(number), names })
    }
}

/// The numbers of rust/regexp/src/exports.rs; below them those of the host itself.
fn answer(number: i32) -> Result<u32, RegexFailure> {
    match number {
        -1 => Err(RegexFailure::Invalid(host::text())),
        -2 => Err(RegexFailure::Unsupported(host::text())),
        -3 => Err(RegexFailure::TooBig),
        -4 => Err(RegexFailure::Timeout),
        -5 => Err(RegexFailure::StackOverflow),
        _ => u32::try_from(number).map_err(|_| RegexFailure::Host(host::text())),
    }
}

impl Drop for HostRegex {
    fn drop(&mut self) {
        host::regex_close(self.number);
    }
}

impl Regex for HostRegex {
    fn group(&self, name: &str) -> Option<usize> {
        Some(self.names.iter().position(|known| !name.is_empty() && **known == *name)? + 1)
    }

    fn bytes(&self) -> usize {
        self.bytes as usize
    }

    fn find_each(
        &self,
        text: &str,
        start: usize,
        search: RegexSearch,
        visit: &mut dyn FnMut(&Groups) -> ControlFlow<()>,
    ) -> Result<u32, RegexFailure> {
        answer(host::begin_regex(self.number, text, search.steps, search.stack_bytes))?;
        let (mut start, mut left) = (start, search.limit);
        while left > 0 {
            let asked = left.min(MATCHES_AT_ONCE);
            let wanted = match search.wanted {
                RegexWanted::Existence => 0,
                RegexWanted::Span => 1,
                RegexWanted::Groups => 2,
            };
            let found = answer(host::regex_find(self.number, start as u32, asked, wanted))?;
            if found == 0 {
                break;
            }
            if search.wanted == RegexWanted::Existence {
                let _ = visit(&Vec::new());
                break;
            }
            let places = host::last_bytes();
            for slots in places.chunks_exact(places.len() / found as usize) {
                let groups = groups_of(slots, text);
                if visit(&groups).is_break() {
                    return Ok(search.steps - host::regex_steps_left().min(search.steps));
                }
                match groups.first().copied().flatten().and_then(|whole| after(text, whole)) {
                    Some(next) => start = next,
                    None => left = 0,
                }
            }
            if found < asked {
                break;
            }
            left = left.saturating_sub(found);
        }
        Ok(search.steps - host::regex_steps_left().min(search.steps))
    }
}

/// Starts and ends of a match and its groups, a little-endian number each; what is no part of the text is no group.
fn groups_of(slots: &[u8], text: &str) -> Groups {
    let (pairs, _) = slots.as_chunks::<8>();
    let group = |pair: &[u8; 8]| {
        let [a, b, c, d, e, f, g, h] = *pair;
        let span = (u32::from_le_bytes([a, b, c, d]) as usize, u32::from_le_bytes([e, f, g, h]) as usize);
        text.get(span.0..span.1).map(|_| span)
    };
    pairs.iter().map(group).collect()
}

/// Where the search goes on after a match.
fn after(text: &str, (start, end): (usize, usize)) -> Option<usize> {
    if end > start {
        return Some(end);
    }
    text[end..].chars().next().map(|c| end + c.len_utf8())
}
