//! What the documents say is where they say it: the files that they name, and the names that they find in them.

use crate::files;
use std::collections::BTreeMap;

/// Documents about the code as it is today.
const DOCUMENTS: [&str; 5] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/decisions/", "docs/how-to/"];
const ENDINGS: [&str; 4] = [".rs", ".ts", ".tsx", ".mjs"];

/// Files that a document names and that are not there, and names in the cell behind a file's that this file has not.
pub fn name_what_is_there() -> Vec<String> {
    let root = files::root();
    let sources: BTreeMap<String, std::path::PathBuf> =
        ["rust", "web", "xtask", "scripts", "benches", "e2e", "fixtures"]
            .iter()
            .flat_map(|folder| files::below(&root.join(folder)))
            .map(|path| (format!("/{}", files::relative(&path).replace("/src/", "/")), path))
            .collect();
    let holds = |file: &str, name: &str| {
        let of_name = sources.iter().filter(|(path, _)| path.ends_with(&format!("/{file}")));
        of_name.map(|(_, path)| std::fs::read_to_string(path).unwrap_or_default()).any(|text| text.contains(name))
    };
    let mut offences = Vec::new();
    for document in DOCUMENTS.iter().flat_map(|name| files_of(name)) {
        let text = std::fs::read_to_string(root.join(&document)).unwrap_or_default();
        for line in text.lines() {
            let mut file = None;
            for (name, is_in_next_cell) in quoted(line) {
                if is_file(name) {
                    let name = name.strip_prefix("./").unwrap_or(name).replace("/src/", "/");
                    if !holds(&name, "") {
                        offences.push(format!("{document}: {name} is not there"));
                    }
                    file = Some(name);
                } else if let Some(file) = file.as_ref().filter(|_| is_in_next_cell) {
                    let name = name.rsplit([':', '.']).next().unwrap_or(name);
                    if !holds(file, name) {
                        offences.push(format!("{document}: {file} has no {name}"));
                    }
                }
            }
        }
    }
    offences
}

fn files_of(document: &str) -> Vec<String> {
    match document.ends_with('/') {
        true => files::below(&files::root().join(document)).iter().map(|path| files::relative(path)).collect(),
        false => vec![document.to_owned()],
    }
}

fn is_file(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending))
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "/._-".contains(letter))
}

/// What stands in back-ticks, and whether it begins a cell of a table.
fn quoted(line: &str) -> impl Iterator<Item = (&str, bool)> {
    let parts: Vec<&str> = line.split('`').collect();
    let names = (1..parts.len()).step_by(2);
    names.map(move |at| (parts[at], parts[at - 1].trim_end().ends_with('|') || parts[at - 1].trim() == ","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_behind_a_file_are_looked_for_in_it() {
        let found: Vec<_> = quoted("| asked | `a/b.rs` | `A::one`, `two` and `3` |").collect();
        assert_eq!(found, [("a/b.rs", true), ("A::one", true), ("two", true), ("3", false)]);
        assert!(is_file("a/b.rs") && !is_file("*.test.ts") && !is_file(".rs") && !is_file("a.json"));
    }
}
