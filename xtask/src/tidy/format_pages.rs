//! Pages of docs/format and the code that decodes what they describe link to each other.

use crate::files;
use std::collections::{BTreeMap, BTreeSet};

const FOLDER: &str = "docs/format/";

/// Pages that no Rust source names, names of pages that are not there, and pages that do not name a source file back.
pub fn linked_both_ways() -> Vec<String> {
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in files::below(&files::root().join("rust")) {
        let source = files::relative(&path);
        if !source.ends_with(".rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for page in pages_named_in(&text) {
            named.entry(page).or_default().insert(source.clone());
        }
    }
    let pages: BTreeMap<String, String> = files::below(&files::root().join(FOLDER))
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .filter(|path| path.file_name().is_some_and(|name| name != "README.md"))
        .map(|path| (files::relative(path), std::fs::read_to_string(path).unwrap_or_default()))
        .collect();

    let mut offences = Vec::new();
    for (page, sources) in &named {
        if !pages.contains_key(page) {
            let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
            offences.push(format!("{page} does not exist, but is named in {}", sources.join(", ")));
        }
    }
    for (page, text) in &pages {
        if !named.contains_key(page) {
            offences.push(format!("{page} is named by no decoder"));
        }
        if !text.contains("rust/") {
            offences.push(format!("{page} does not say which file under rust/ decodes it"));
        }
    }
    offences
}

/// `docs/format/NAME.md` wherever it stands in a text.
fn pages_named_in(text: &str) -> Vec<String> {
    text.match_indices(FOLDER)
        .filter_map(|(at, _)| {
            let rest = text.get(at..)?;
            let end = rest.find(".md")? + ".md".len();
            let page = rest.get(..end)?;
            page.chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "/._-".contains(letter))
                .then(|| page.to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::pages_named_in;

    #[test]
    fn page_names_are_found_with_and_without_anchors() {
        let text = "//! See docs/format/archive.md#footer and `docs/format/node.md`.";
        assert_eq!(pages_named_in(text), ["docs/format/archive.md", "docs/format/node.md"]);
        assert!(pages_named_in("docs/format/ holds *.md").is_empty());
    }
}
