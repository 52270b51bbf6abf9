//! Databases to measure with.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `.cache/bench` of the checkout: what takes long to make and can be made again.
pub fn cache() -> PathBuf {
    root().join(".cache/bench")
}

/// A directory with what `fixtures/databases/NAME.tar.gz` holds.
///
/// # Errors
/// When the fixture is not there or `tar` fails.
pub fn unpacked(name: &str) -> Result<PathBuf, Box<dyn Error>> {
    let directory = cache().join(name);
    if !directory.exists() {
        std::fs::create_dir_all(&directory)?;
        let archive = root().join("fixtures/databases").join(name).with_extension("tar.gz");
        let status = Command::new("tar").arg("-C").arg(&directory).arg("-xzf").arg(archive).status()?;
        if !status.success() {
            return Err(format!("tar: {status}").into());
        }
    }
    Ok(directory)
}

fn root() -> &'static Path {
    let crate_directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_directory.ancestors().nth(2).unwrap_or(crate_directory)
}
