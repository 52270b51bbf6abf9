//! One number for everything that a wasm build depends on, so that an unchanged build is skipped without asking cargo.

use crate::files;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Files outside `rust/` that decide what the wasm file contains.
const ALSO: [&str; 6] =
    ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", ".cargo/config.toml", "package-lock.json", "xtask/src/wasm.rs"];

/// Hash of the sources of the crates, the lock files, the toolchain and the build recipe, as 16 hexadecimal digits.
///
/// Tests and benches of the crates are not inputs: they never reach the wasm file.
///
/// # Errors
/// A sentence when a file cannot be read.
pub fn fingerprint() -> Result<String, String> {
    let root = files::root();
    let mut hasher = DefaultHasher::new();
    for path in files::below(&root.join("rust")) {
        let name = files::relative(&path);
        let is_of_tests = name.split('/').nth(2).is_some_and(|part| part == "tests" || part == "benches");
        if !is_of_tests {
            add(&mut hasher, &path)?;
        }
    }
    for name in ALSO {
        add(&mut hasher, &root.join(name))?;
    }
    for path in files::below(&root.join("xtask/bindgen")) {
        add(&mut hasher, &path)?;
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn add(hasher: &mut DefaultHasher, path: &Path) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    files::relative(path).hash(hasher);
    bytes.hash(hasher);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn same_sources_give_the_same_fingerprint() {
        let first = fingerprint().unwrap();
        assert_eq!(first.len(), 16);
        assert_eq!(first, fingerprint().unwrap());
    }
}
