//! What cargo knows of the workspace and of the crates that it stands on.

use crate::files;
use serde_json::Value;
use std::process::Command;

/// The answer of `cargo metadata` with further arguments.
///
/// # Errors
/// A sentence when cargo cannot be started or fails.
pub fn cargo_metadata(arguments: &[&str]) -> Result<Value, String> {
    let output = Command::new("cargo")
        .current_dir(files::root())
        .args(["metadata", "--format-version", "1"])
        .args(arguments)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}
