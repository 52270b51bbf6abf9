//! Ghost chunks: addresses that a shallow clone knows of and does not have (docs/format/store.md, section 7.5).

use std::rc::Rc;

use codec::{Address, CompactSort, Corrupt};
use hashbrown::HashSet;
use region::Directory;

use crate::StoreError;
use crate::manifest::read_small;

/// Eight million ghosts.
const BYTES_MAX: u64 = 256 << 20;

/// Reads the list at `path`, one address in each line; empty when there is none.
///
/// # Errors
/// [`StoreError::Corrupt`] at any other line, as in Dolt.
pub(crate) fn read(directory: &dyn Directory, path: &str) -> Result<HashSet<Address>, StoreError> {
    let name: Rc<str> = path.into();
    let Some(file) = directory.open(path).map_err(|error| StoreError::file(&name, error))? else {
        return Ok(HashSet::new());
    };
    decode(&read_small(&*file, &name, BYTES_MAX)?).map_err(|error| StoreError::corrupt(&name, 0, error))
}

/// The list of `ghosts`, as native Dolt writes it.
pub(crate) fn encode(ghosts: &HashSet<Address>) -> String {
    let mut sorted: Vec<&Address> = ghosts.iter().collect();
    sorted.compact_sort();
    sorted.iter().map(|ghost| format!("{ghost}\n")).collect()
}

fn decode(text: &[u8]) -> Result<HashSet<Address>, Corrupt> {
    let mut ghosts = HashSet::new();
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let ghost = line.strip_suffix(b"\n").unwrap_or(line);
        let ghost = ghost.strip_suffix(b"\r").unwrap_or(ghost);
        let ghost = core::str::from_utf8(ghost).ok().and_then(|text| text.parse().ok());
        ghosts.insert(ghost.ok_or(Corrupt::new("line of the ghost list is not an address", at))?);
        at += line.len();
    }
    Ok(ghosts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_in_each_line() {
        let (a, b) = ("0".repeat(32), "v".repeat(32));
        let list = |text: String| decode(text.as_bytes()).map(|ghosts| ghosts.len());
        assert_eq!(list(String::new()), Ok(0));
        assert_eq!(list(format!("{a}\n{b}\n")), Ok(2));
        assert_eq!(list(format!("{a}\r\n{b}")), Ok(2));
        assert_eq!(list(format!("{a}\n\n{b}")).unwrap_err().at_bytes, 33);
        assert!(list(format!("{a} ")).is_err());
    }
}
