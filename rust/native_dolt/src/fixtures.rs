//! Databases that native Dolt wrote, in a folder beside the repository which not every machine has.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Those that are undamaged. `h_remote` is a `file://` remote, `i_multi` a directory of several databases.
pub const INTACT: [&str; 11] = [
    "a_journal",
    "b_archive",
    "c_tablefile",
    "d_mixed",
    "e_types",
    "f_conflicts",
    "f_schema_conflict",
    "g_big",
    "h_clone",
    "h_remote",
    "i_multi",
];

/// The folder of fixtures, vectors and cases; `None` where there is none, and the test says that it was skipped.
pub fn shared() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if shared.join("fixtures").is_dir() {
        return Some(shared);
    }
    println!("skipped: ../shared not found");
    None
}

/// Unpacks a fixture into `scratch`, which is emptied, and gives the one directory in it.
///
/// # Panics
/// When there is no such fixture.
pub fn unpack(shared: &Path, name: &str, scratch: &Path) -> PathBuf {
    let _ = std::fs::remove_dir_all(scratch);
    std::fs::create_dir_all(scratch).expect("a directory for the fixture");
    let archive = shared.join("fixtures").join(format!("{name}.tar.gz"));
    let status = Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(scratch).status().expect("tar runs");
    assert!(status.success(), "{} unpacks", archive.display());
    directory_in(scratch)
}

/// The one directory in the place that a fixture was unpacked to.
///
/// # Panics
/// When nothing was.
pub fn directory_in(scratch: &Path) -> PathBuf {
    let mut entries = std::fs::read_dir(scratch).expect("unpacked");
    entries.next().expect("one directory").expect("readable").path()
}
