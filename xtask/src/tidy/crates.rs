//! Who may import whom among the crates: downward only.

use crate::metadata::cargo_metadata;

/// What each crate may depend on; a crate that is not here may depend on anything and nothing may depend on it.
const ALLOWED: [(&str, &[&str]); 12] = [
    ("codec", &[]),
    ("region", &[]),
    ("parse", &[]),
    ("regexp", &[]),
    ("lexer", &["parse"]),
    ("value", &["codec"]),
    ("store", &["codec", "region"]),
    ("tree", &["codec", "value", "store"]),
    ("chunk_check", &["codec", "store", "tree"]),
    ("vcs", &["codec", "value", "store", "tree"]),
    ("engine", &["parse", "value", "tree", "vcs", "codec"]),
    ("wasm", &["codec", "region", "value", "store", "tree", "vcs", "parse", "engine"]),
];

/// Dependencies between crates of the workspace against the table above. Tests may use any crate.
pub fn import_directions() -> Vec<String> {
    let metadata = match cargo_metadata(&["--no-deps"]) {
        Ok(metadata) => metadata,
        Err(message) => return vec![message],
    };
    let mut offences = Vec::new();
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let own: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    for package in &packages {
        let Some(name) = package["name"].as_str() else { continue };
        let allowed = ALLOWED.iter().find(|(crate_name, _)| *crate_name == name).map(|(_, allowed)| *allowed);
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let is_shipped = dependency["kind"].is_null() || dependency["kind"] == "build";
            let Some(imported) = dependency["name"].as_str().filter(|imported| own.contains(imported)) else {
                continue;
            };
            if is_shipped && !may_import(allowed, imported) {
                offences.push(format!("{name} must not depend on {imported}"));
            }
        }
    }
    offences
}

fn may_import(allowed: Option<&[&str]>, imported: &str) -> bool {
    match allowed {
        Some(allowed) => allowed.contains(&imported),
        // Tools may import every layer, and one another's libraries not at all.
        None => imported != "wasm" && ALLOWED.iter().any(|(name, _)| *name == imported),
    }
}

#[cfg(test)]
mod tests {
    use super::{ALLOWED, may_import};

    #[test]
    fn upward_imports_are_refused() {
        let allowed = |name: &str| ALLOWED.iter().find(|(known, _)| *known == name).map(|(_, allowed)| *allowed);
        assert!(may_import(allowed("tree"), "store"));
        assert!(!may_import(allowed("tree"), "vcs"));
        assert!(!may_import(allowed("engine"), "store"));
        assert!(may_import(None, "store"));
        assert!(!may_import(None, "wasm"));
    }
}
