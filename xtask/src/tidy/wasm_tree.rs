//! What is compiled into the wasm file.

use crate::files;
use std::process::Command;

/// Crates that compile for wasm32 and then panic or fail to link there, or that are too large to come in unnoticed.
const UNWANTED: [(&str, &str); 6] = [
    ("getrandom", "randomness is an import of ours"),
    ("chrono", "calendars are ours: MySQL has zero dates"),
    ("regex-automata", "a third of the size budget"),
    ("regex-syntax", "tables of Unicode: they are in regexp.wasm"),
    ("tokio", "the core is synchronous"),
    ("rand", "randomness is an import of ours"),
];

/// Unwanted crates among what `rust/wasm` is made of.
pub fn nothing_unwanted() -> Vec<String> {
    let output = Command::new("cargo")
        .current_dir(files::root())
        .args(["tree", "--package", "wasm", "--target", "wasm32-unknown-unknown", "--edges", "normal"])
        .args(["--prefix", "none", "--format", "{p}", "--locked"])
        .output();
    let output = match output {
        Ok(output) if output.status.success() => output,
        Ok(output) => return vec![format!("cargo tree: {}", String::from_utf8_lossy(&output.stderr).trim())],
        Err(error) => return vec![format!("cargo tree: {error}")],
    };
    let tree = String::from_utf8_lossy(&output.stdout);
    UNWANTED
        .iter()
        .filter(|(name, _)| tree.lines().any(|line| line.split(' ').next() == Some(name)))
        .map(|(name, reason)| format!("{name} is compiled into the wasm file: {reason}"))
        .collect()
}
