//! Every Rust file of the crates is a module of somebody.

use crate::files;
use std::path::{Path, PathBuf};

/// Rust files that no `mod` names, so that they are never compiled, and tests that never run.
pub fn all_reached() -> Vec<String> {
    let mut offences = Vec::new();
    for directory in ["rust", "xtask"] {
        for path in files::below(&files::root().join(directory)) {
            let name = files::relative(&path);
            let is_module = name.contains("/src/") || is_listed_test(&path);
            if is_module && name.ends_with(".rs") && !is_root(&name) && !is_named(&path) {
                offences.push(format!("{name} is in no `mod`"));
            }
        }
    }
    offences
}

/// Files that cargo itself finds.
fn is_root(name: &str) -> bool {
    let is_main = name.ends_with("/src/main.rs") || name.ends_with("/tests/main.rs");
    is_main || name.ends_with("/src/lib.rs") || name.contains("/src/bin/")
}

/// Whether `path` is a test that runs only if it is listed: of a crate that says `autotests = false`, and not one of the
/// binaries that its manifest names.
fn is_listed_test(path: &Path) -> bool {
    let Some(tests) = path.ancestors().find(|folder| folder.ends_with("tests")) else { return false };
    let manifest = std::fs::read_to_string(tests.with_file_name("Cargo.toml")).unwrap_or_default();
    let binary = path.strip_prefix(tests).ok().and_then(|inner| inner.iter().next()).map(|name| {
        let name = name.to_string_lossy();
        format!("name = \"{}\"", name.strip_suffix(".rs").unwrap_or(&name))
    });
    manifest.contains("autotests = false") && binary.is_some_and(|name| !manifest.contains(&name))
}

/// Whether the file that should declare `path` as a module does so: for `a/b.rs` and `a/b/mod.rs`, one of `a.rs`,
/// `a/mod.rs`, `a/lib.rs` and `a/main.rs`.
fn is_named(path: &Path) -> bool {
    let is_mod_file = path.file_name().is_some_and(|name| name == "mod.rs");
    let module = if is_mod_file { path.parent().unwrap_or(path).to_path_buf() } else { path.with_extension("") };
    let (Some(name), Some(directory)) = (module.file_name(), module.parent()) else { return false };
    let name = name.to_string_lossy();
    parents(directory).iter().any(|parent| {
        let text = std::fs::read_to_string(parent).unwrap_or_default();
        text.lines().any(|line| declares(line, &name))
    })
}

fn parents(directory: &Path) -> Vec<PathBuf> {
    let mut candidates: Vec<PathBuf> = ["mod.rs", "lib.rs", "main.rs"].map(|name| directory.join(name)).into();
    candidates.push(directory.with_extension("rs"));
    candidates
}

fn declares(line: &str, name: &str) -> bool {
    let line = line.trim();
    let Some(declaration) = line.split("mod ").nth(1) else { return false };
    let is_declaration = line.starts_with("mod ") || line.starts_with("pub ") || line.starts_with("pub(");
    is_declaration && declaration.trim_end_matches(';').trim() == name
}

#[cfg(test)]
mod tests {
    use super::declares;

    #[test]
    fn declarations_are_told_from_other_lines() {
        assert!(declares("mod reader;", "reader"));
        assert!(declares("    pub(crate) mod reader;", "reader"));
        assert!(!declares("mod reader_of;", "reader"));
        assert!(!declares("// mod reader;", "reader"));
    }
}
