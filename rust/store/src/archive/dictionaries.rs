//! Dictionary cache: the compression dictionaries of one archive, prepared once.

use core::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use codec::{Corrupt, zstd};
use hashbrown::HashMap;

use crate::StoreError;

/// Dictionaries kept, as many as Dolt keeps; about 35 KiB each. Files of today have one; old ones could have thousands.
const KEPT_MAX: usize = 256;
/// Dolt trains 4 KiB; anything beyond this is not a dictionary.
const DICTIONARY_BYTES_MAX: usize = 1 << 20;

#[derive(Default)]
pub(super) struct Dictionaries {
    kept: RefCell<Kept>,
}

/// By span. The one that was made first goes first.
#[derive(Default)]
struct Kept {
    by_span: HashMap<u32, Rc<zstd::Dictionary>>,
    order: VecDeque<u32>,
}

impl Dictionaries {
    /// The dictionary of `span`; `make` reads and prepares it when it is not there.
    pub(super) fn get(
        &self,
        span: u32,
        make: impl FnOnce() -> Result<zstd::Dictionary, StoreError>,
    ) -> Result<Rc<zstd::Dictionary>, StoreError> {
        if let Some(kept) = self.kept.borrow().by_span.get(&span) {
            return Ok(kept.clone());
        }
        let made = Rc::new(make()?);
        let Kept { by_span, order } = &mut *self.kept.borrow_mut();
        if order.len() >= KEPT_MAX
            && let Some(oldest) = order.pop_front()
        {
            by_span.remove(&oldest);
        }
        order.push_back(span);
        by_span.insert(span, made.clone());
        Ok(made)
    }

    /// Forgets all of them.
    pub(super) fn clear(&self) {
        *self.kept.borrow_mut() = Kept::default();
    }
}

/// Decompresses a dictionary span, a frame without dictionary, and prepares what it holds.
///
/// # Errors
/// [`Corrupt`] when the frame is malformed, or holds no dictionary.
pub fn decode(frame: &[u8]) -> Result<zstd::Dictionary, Corrupt> {
    zstd::Dictionary::new(&zstd::decompress(frame, None, DICTIONARY_BYTES_MAX)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_newest_and_makes_each_once() {
        let dictionaries = Dictionaries::default();
        let mut made = 0;
        for span in (1..=300).chain(290..=300).chain([1]) {
            let make = || {
                made += 1;
                zstd::Dictionary::new(b"raw content").map_err(|_| unreachable!())
            };
            assert_eq!(dictionaries.get(span, make).unwrap().id(), 0, "raw content");
        }
        assert_eq!(made, 301, "span 1 was dropped and made again, 290 to 300 were still there");
        assert_eq!(dictionaries.kept.borrow().by_span.len(), KEPT_MAX);
    }
}
