//! Entries of address maps as text.

use codec::Address;
use tree::AddressMap;

use crate::error::{Result, VcsError};

/// Names and addresses in bytewise order, read as they are asked for. Ends after the first error.
pub struct Names(Option<Source>);

enum Source {
    Entries(tree::Entries),
    Failed(VcsError),
}

impl Names {
    /// The entries of `map` from the first name at or after `start`.
    pub(crate) fn from(map: &AddressMap, start: &str) -> Names {
        Names(Some(match map.entries_from(start.as_bytes()) {
            Ok(entries) => Source::Entries(entries),
            Err(error) => Source::Failed(error.into()),
        }))
    }

    pub(crate) fn none() -> Names {
        Names(None)
    }
}

impl Iterator for Names {
    type Item = Result<(Box<str>, Address)>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = match self.0.as_mut()? {
            Source::Entries(entries) => entries.next()?.map_err(VcsError::from),
            Source::Failed(_) => match self.0.take() {
                Some(Source::Failed(error)) => return Some(Err(error)),
                _ => return None,
            },
        };
        Some(entry.and_then(|(name, address)| match String::from_utf8(name.into_vec()) {
            Ok(name) => Ok((name.into(), address)),
            Err(_) => Err(VcsError::corrupt("address map", "a name is not UTF-8")),
        }))
    }
}
