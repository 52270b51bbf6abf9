//! Native Dolt, the oracle of the interop tests: where it is, how it is run, and databases that it wrote. Only tests use this crate.

pub mod fixtures;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The binary: `$VARVE_DOLT`, one on the `PATH`, the one that `npm test` built, or the one of Go's own directory.
/// `None` where there is none, and the test says that it was skipped.
///
/// # Panics
/// In CI, where Go could have built it: there these tests must run.
pub fn binary() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let found = std::env::var_os("VARVE_DOLT")
        .map(PathBuf::from)
        .into_iter()
        .chain(std::env::split_paths(&path).map(|directory| directory.join("dolt")))
        .chain([checkout.join(".cache/go/bin/dolt"), home.join("go/bin/dolt")])
        .find(|candidate| candidate.is_file());
    if found.is_none() {
        println!("skipped: no native Dolt (looked at $VARVE_DOLT, $PATH, .cache/go/bin and ~/go/bin)");
        let has_go = std::env::split_paths(&path).any(|directory| directory.join("go").is_file());
        let is_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(!(is_ci && has_go), "CI has Go but no native Dolt: `npm test` builds it");
    }
    found
}

/// What the binary did, run in `directory`; `None` where there is none.
pub fn output(directory: &Path, arguments: &[&str]) -> Option<Output> {
    Some(Command::new(binary()?).args(arguments).current_dir(directory).output().expect("native Dolt runs"))
}

/// What the binary printed, on both of its outputs, run in `directory`; `None` where there is none.
///
/// # Panics
/// When it fails.
pub fn run(directory: &Path, arguments: &[&str]) -> Option<String> {
    let output = output(directory, arguments)?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "dolt {arguments:?}: {text}");
    Some(text)
}
