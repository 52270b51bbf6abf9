//! The size of folders: one has few enough source files to be read as a list.

use crate::files;
use std::collections::BTreeMap;

/// Source files that a folder may have, without those of its subfolders.
const FILES_MAX: usize = 25;

const FOLDERS: [&str; 7] = ["rust", "web/src", "xtask", "scripts", "e2e", "benches", "fuzz"];
const ENDINGS: [&str; 5] = [".rs", ".ts", ".tsx", ".mjs", ".js"];

/// Larger folders, each with its reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("benches/web", "one file for each measurement, started by name"),
    ("e2e", "one file for each story; Playwright's list is the index"),
    ("web/src/console/grid", "being divided by subject"),
    ("web/src/console/sql", "being divided by subject"),
    ("web/src/node", "being divided by subject"),
];

/// Folders with too many source files, and exceptions that are none any more.
pub fn are_limited() -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for path in FOLDERS.iter().flat_map(|folder| files::below(&files::root().join(folder))) {
        let name = files::relative(&path);
        if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
            *counts.entry(folder.to_owned()).or_default() += 1;
        }
    }
    offences_of(&counts, EXCEPTIONS)
}

fn offences_of(counts: &BTreeMap<String, usize>, exceptions: &[(&str, &str)]) -> Vec<String> {
    let is_exception = |folder: &str| exceptions.iter().any(|(name, _)| *name == folder);
    let large = counts.iter().filter(|(folder, count)| **count > FILES_MAX && !is_exception(folder));
    let large = large.map(|(folder, count)| format!("{folder} has {count} source files, more than {FILES_MAX}"));
    let small = exceptions.iter().filter(|(name, _)| counts.get(*name).is_none_or(|count| *count <= FILES_MAX));
    large.chain(small.map(|(name, _)| format!("{name} is an exception without need"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_folders_and_needless_exceptions_are_found() {
        let counts = BTreeMap::from([("a".to_owned(), 26), ("b".to_owned(), 25), ("c".to_owned(), 30)]);
        assert_eq!(offences_of(&counts, &[("c", "why")]), ["a has 26 source files, more than 25"]);
        let offences = offences_of(&counts, &[("a", "why"), ("b", "why"), ("c", "why")]);
        assert_eq!(offences, ["b is an exception without need"]);
    }
}
