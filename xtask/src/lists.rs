//! Lists that are made from entries in the engine. The tests that compare them also write them.

use std::process::Command;

use crate::files;

/// The tests whose generated files are written anew.
const TESTS: &[&str] = &["functions_page_lists_every_function"];

/// Writes all lists.
///
/// # Errors
/// Tests that cannot be built, files that cannot be written.
pub fn write() -> Result<(), String> {
    let mut command = Command::new("cargo");
    command.args(["test", "--quiet", "--package", "engine", "--test", "behaviour", "--"]).args(TESTS);
    files::run(command.env("VARVE_WRITE", "1"))
}
