//! What is left to do stands in the tracker, not in the sources.

use crate::files;

/// Folders with sources written by hand.
const FOLDERS: [&str; 6] = ["rust", "web/src", "xtask", "scripts", "e2e", "benches"];

/// Lines of comments with a note to self.
pub fn no_notes_to_self() -> Vec<String> {
    // In pieces, so that this file does not find itself.
    let notes = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X:")];
    let mut offences = Vec::new();
    for path in FOLDERS.iter().flat_map(|folder| files::below(&files::root().join(folder))) {
        let name = files::relative(&path);
        let is_source = [".rs", ".ts", ".tsx", ".mjs", ".js", ".css", ".toml"].iter().any(|end| name.ends_with(end));
        if !is_source {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for (index, line) in text.lines().enumerate() {
            let Some(comment) = line.find("//").or_else(|| line.find("/*")).and_then(|at| line.get(at..)) else {
                continue;
            };
            if notes.iter().any(|note| comment.contains(note)) {
                offences.push(format!("{name}:{}: {}", index + 1, line.trim()));
            }
        }
    }
    offences
}
