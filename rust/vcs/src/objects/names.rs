//! Names in address maps, decoded as text.

use codec::Address;
use tree::AddressMap;

use crate::error::{Result, VcsError};

/// Names and addresses in bytewise order, read as they are asked for. Ends after the first error.
pub struct Names {
    entries: Option<tree::Entries>,
    failed: Option<VcsError>,
}

impl Names {
    /// The entries of `map` from the first name at or after `start`.
    pub(crate) fn from(map: &AddressMap, start: &str) -> Names {
        match map.entries_from(start.as_bytes()) {
            Ok(entries) => Names { entries: Some(entries), failed: None },
            Err(error) => Names { entries: None, failed: Some(error.into()) },
        }
    }

    pub(crate) fn none() -> Names {
        Names { entries: None, failed: None }
    }
}

impl Iterator for Names {
    type Item = Result<(Box<str>, Address)>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.failed.take() {
            return Some(Err(error));
        }
        Some(match self.entries.as_mut()?.next()? {
            Ok((name, address)) => text(name.into_vec()).map(|name| (name, address)),
            Err(error) => Err(error.into()),
        })
    }
}

/// A name of an address map.
pub(crate) fn text(name: Vec<u8>) -> Result<Box<str>> {
    let name = String::from_utf8(name);
    name.map(String::into_boxed_str).map_err(|_| VcsError::corrupt("address map", "a name is not UTF-8"))
}
