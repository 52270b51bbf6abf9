//! Retired words: home-made names for concepts that have a term of the field (ARCHITECTURE.md, "Glossary").

use crate::files;

/// Folders and files that are checked.
const COVERED: &[&str] = &[
    "ARCHITECTURE.md",
    "rust/codec",
    "rust/engine",
    "rust/fuzz_targets",
    "rust/native_dolt",
    "rust/parse",
    "rust/regexp",
    "rust/region",
    "rust/store",
    "rust/tree",
    "rust/value",
    "rust/vcs",
    "rust/wasm",
];

/// Folders within those that are not yet checked.
const LATER: &[&str] = &["rust/engine/src/functions/"];

const ENDINGS: [&str; 7] = [".rs", ".ts", ".tsx", ".mjs", ".js", ".css", ".md"];

/// Identifiers, and what to write instead. They are found as whole words, in code and in comments.
const IDENTIFIERS: &[(&str, &str)] = &[
    ("ByKeys", "Decorrelated"),
    ("EditedMap", "memtable over a base map"),
    ("Excerpt", "OverlayLeaf"),
    ("IndexGroups", "LooseIndexScan"),
    ("KeptTable", "SharedHashTable"),
    ("KeyFilter", "RuntimeFilter"),
    ("KeyedScan", "HashIndexedScan"),
    ("KnownStatements", "PlanCache"),
    ("by_keys", "decorrelated"),
    ("descents", "batched_lookups"),
    ("has_terms", "has_lease_epochs"),
    ("in_vain", "consumed (values), incompressible (data)"),
    ("kept_table", "shared_hash_table"),
    ("keyed_scan", "hash_indexed_scan"),
    ("let_go", "release"),
    ("nearness", "vector_index"),
    ("on_trial", "probationary"),
    ("that_sleeps", "honor_sleep"),
    ("trial_hand", "probationary_hand"),
];

/// Phrases of comments and documents, in lower case, and what to write instead.
const PHRASES: &[(&str, &str)] = &[
    ("gives its turn away", "yields"),
    ("goes by", "uses, depends on"),
    ("is told", "gets, is reported"),
    ("nobody", "no caller, unused, unread"),
    ("of now", "current"),
    ("on trial", "probationary"),
    ("row around", "outer row"),
    ("somebody", "the caller, a session, another writer"),
    ("who asks", "the caller"),
    ("whoever", "the caller, the writer"),
];

/// One line for each retired word.
pub fn are_gone() -> Vec<String> {
    let mut offences = Vec::new();
    for path in COVERED.iter().flat_map(|covered| files_of(covered)) {
        let name = files::relative(&path);
        let is_checked = ENDINGS.iter().any(|ending| name.ends_with(ending));
        if !is_checked || LATER.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for (index, line) in text.lines().enumerate() {
            for (word, instead) in retired_in(line, name.ends_with(".md")) {
                offences.push(format!("{name}:{}: {word} (instead: {instead})", index + 1));
            }
        }
    }
    offences
}

fn files_of(covered: &str) -> Vec<std::path::PathBuf> {
    let path = files::root().join(covered);
    if path.is_file() { vec![path] } else { files::below(&path) }
}

fn retired_in(line: &str, is_document: bool) -> Vec<(&'static str, &'static str)> {
    let identifiers = IDENTIFIERS.iter().filter(|(word, _)| has_word(line, word));
    let comment = if is_document { Some(0) } else { line.find("//").or_else(|| line.find("/*")) };
    let comment = comment.and_then(|at| line.get(at..)).unwrap_or_default().to_lowercase();
    let phrases = PHRASES.iter().filter(|(phrase, _)| has_word(&comment, phrase));
    identifiers.chain(phrases).copied().collect()
}

/// Whether `word` is in `text` with no letter, digit or underscore beside it.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !behind.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_found_anywhere_and_phrases_in_comments() {
        let words = |line, is_document| retired_in(line, is_document).iter().map(|(word, _)| *word).collect::<Vec<_>>();
        assert_eq!(words("use x::KeyFilter; // Somebody asks.", false), ["KeyFilter", "somebody"]);
        assert!(words("let nobody = my_by_keys();", false).is_empty());
        assert_eq!(words("The state of now", true), ["of now"]);
        assert!(words("// The state of nowhere", false).is_empty());
    }
}
