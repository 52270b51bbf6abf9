//! Lists and layouts that are made from Rust: functions for the documentation and the console, the boundary for TypeScript.
//! The tests that compare them also write them.

use std::process::Command;

use crate::files;

/// The tests that write, by package.
const TESTS: &[(&str, &[&str])] = &[
    ("engine", &["--test", "behaviour", "functions_page_lists_every_function"]),
    ("wasm", &["the_layout_for_typescript_is_up_to_date"]),
];

/// Writes all lists.
///
/// # Errors
/// Tests that cannot be built, files that cannot be written.
pub fn write() -> Result<(), String> {
    for (package, tests) in TESTS {
        let mut command = Command::new("cargo");
        command.args(["test", "--quiet", "--package", package]).args(*tests);
        files::run(command.env("VARVE_WRITE", "1"))?;
    }
    Ok(())
}
