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

/// A database of each file format, and one with conflicts.
pub const EACH_FORMAT: [&str; 4] = ["a_journal", "b_archive", "c_tablefile", "f_conflicts"];

/// Queries that read each kind of object of a database; `@` is a table.
const QUERIES: &[&str] = &[
    "SHOW TABLES",
    "SELECT * FROM @",
    "SHOW CREATE TABLE @",
    "SELECT * FROM dolt_diff_@",
    "SELECT * FROM dolt_history_@",
    "SELECT * FROM dolt_blame_@",
    "SELECT * FROM dolt_log('--all')",
    "SELECT * FROM dolt_diff",
    "SELECT * FROM dolt_diff_summary('HEAD~', 'WORKING')",
    "SELECT * FROM dolt_patch('HEAD~', 'HEAD')",
    "SELECT * FROM dolt_branches",
    "SELECT * FROM dolt_status",
    "SELECT * FROM dolt_conflicts",
    "SELECT * FROM dolt_reflog()",
    "SELECT * FROM information_schema.columns",
    "SELECT dolt_hashof_db()",
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

/// Files of the database's store that are not empty, by their paths, sorted.
///
/// # Panics
/// When one cannot be read.
pub fn store_files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in [".dolt/noms", ".dolt/noms/oldgen"] {
        let Ok(entries) = std::fs::read_dir(directory.join(folder)) else { continue };
        for entry in entries.flatten().filter(|entry| entry.path().is_file()) {
            let name = entry.file_name().to_string_lossy().into_owned();
            files.push((format!("{folder}/{name}"), std::fs::read(entry.path()).expect("a file")));
        }
    }
    files.retain(|(_, bytes)| !bytes.is_empty());
    files.sort();
    files
}

/// Queries that read each kind of object of a database with these tables.
pub fn queries_of(tables: &[String]) -> Vec<String> {
    let of_tables = QUERIES.iter().flat_map(|sql| match sql.contains('@') {
        true => tables.iter().map(|table| sql.replace('@', table)).collect(),
        false => vec![(*sql).to_owned()],
    });
    of_tables.collect()
}
