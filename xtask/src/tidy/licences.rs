//! Every dependency is under a permissive licence.

use crate::files;
use crate::metadata::cargo_metadata;
use serde_json::Value;
use std::collections::BTreeSet;

const PERMISSIVE: [&str; 15] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "BlueOak-1.0.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// npm packages that only build or test with, under a licence that asks something of who changes them.
const TOOLS: [(&str, &str); 1] = [("lightningcss", "MPL-2.0")];

/// Crates for the two platforms that we build for, and everything in package-lock.json.
pub fn permissive() -> Vec<String> {
    let mut offences = BTreeSet::new();
    for platform in ["x86_64-unknown-linux-gnu", "wasm32-unknown-unknown"] {
        match cargo_metadata(&["--locked", "--filter-platform", platform]) {
            Ok(metadata) => offences.extend(crate_offences(&metadata)),
            Err(message) => drop(offences.insert(message)),
        }
    }
    match std::fs::read_to_string(files::root().join("package-lock.json")).map(|text| serde_json::from_str(&text)) {
        Ok(Ok(lock)) => offences.extend(npm_offences(&lock)),
        Ok(Err(error)) => drop(offences.insert(format!("package-lock.json: {error}"))),
        Err(error) => drop(offences.insert(format!("package-lock.json: {error}"))),
    }
    offences.into_iter().collect()
}

fn crate_offences(metadata: &Value) -> Vec<String> {
    let mut offences = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().unwrap_or_default();
        if !is_permissive(licence) {
            offences.push(format!("crate {name}: licence \"{licence}\" is not in the list"));
        }
    }
    offences
}

fn npm_offences(lock: &Value) -> Vec<String> {
    let mut offences = Vec::new();
    for (path, package) in lock["packages"].as_object().into_iter().flatten() {
        let name = path.rsplit("node_modules/").next().unwrap_or(path);
        let licence = package["license"].as_str().unwrap_or_default();
        let is_tool = TOOLS.iter().any(|(tool, its)| *its == licence && name.starts_with(tool));
        if !is_permissive(licence) && !is_tool {
            offences.push(format!("npm package {name}: licence \"{licence}\" is not in the list"));
        }
    }
    offences
}

/// Whether an SPDX expression can be met with licences of the list: one side of every OR, both of every AND.
/// The old form `MIT/Apache-2.0` means OR.
fn is_permissive(expression: &str) -> bool {
    let text = expression.replace('/', " OR ");
    // The innermost bracket is judged on its own and stands as one licence in what encloses it.
    if let Some((before, inside, after)) = first_bracket(&text) {
        let verdict = if is_permissive(inside) { "MIT" } else { "refused" };
        return is_permissive(&format!("{before}{verdict}{after}"));
    }
    // OR binds loosest.
    text.split(" OR ").any(|side| side.split(" AND ").all(|licence| PERMISSIVE.contains(&licence.trim())))
}

/// Text before the first innermost bracket, inside it, and after it.
fn first_bracket(text: &str) -> Option<(&str, &str, &str)> {
    let close = text.find(')')?;
    let open = text.get(..close)?.rfind('(')?;
    Some((text.get(..open)?, text.get(open + 1..close)?, text.get(close + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::is_permissive;

    #[test]
    fn expressions_are_judged_as_a_lawyer_would() {
        assert!(is_permissive("MIT OR Apache-2.0"));
        assert!(is_permissive("MIT/Apache-2.0"));
        assert!(is_permissive("LGPL-3.0 OR MIT"));
        assert!(is_permissive("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(is_permissive("Apache-2.0 WITH LLVM-exception OR GPL-2.0"));
        assert!(!is_permissive("LGPL-3.0"));
        assert!(!is_permissive("MIT AND GPL-3.0"));
        assert!(!is_permissive("(GPL-2.0 OR LGPL-3.0) AND MIT"));
        assert!(!is_permissive(""));
    }
}
