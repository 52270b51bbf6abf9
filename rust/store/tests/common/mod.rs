//! Databases written by native Dolt, and how to open them.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod build;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use region::{Directory, File, MemoryDirectory, NativeDirectory, Options, Region};
use store::{ChunkStore, OpenOptions, StoreError};

/// The folder of fixtures and vectors beside the repository, if this machine has it.
pub fn shared() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if shared.join("fixtures").is_dir() {
        return Some(shared);
    }
    println!("skipped: ../shared not found");
    None
}

/// Unpacks a fixture and answers the directory in it. `use_name` keeps tests that unpack the same one apart.
pub fn unpack(shared: &Path, fixture: &str, use_name: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(use_name).join(fixture);
    let _ = std::fs::remove_dir_all(&target);
    std::fs::create_dir_all(&target).unwrap();
    let archive = shared.join("fixtures").join(format!("{fixture}.tar.gz"));
    let status = Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&target).status().unwrap();
    assert!(status.success(), "tar {fixture}");
    let mut entries = std::fs::read_dir(&target).unwrap();
    entries.next().unwrap().unwrap().path()
}

/// Names of all fixtures that begin with one of `prefixes`.
pub fn fixtures(shared: &Path, prefixes: &[&str]) -> Vec<String> {
    let entries = std::fs::read_dir(shared.join("fixtures")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names
        .filter_map(|name| name.strip_suffix(".tar.gz").map(str::to_owned))
        .filter(|name| prefixes.iter().any(|prefix| name.starts_with(prefix)))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

pub fn region() -> Rc<Region> {
    Region::new(Options::default())
}

pub fn open(path: &Path, options: OpenOptions) -> Result<ChunkStore, StoreError> {
    ChunkStore::open(&region(), &NativeDirectory::new(path), options)
}

/// The directories that are databases or remotes in what a fixture unpacks to.
pub fn stores(path: &Path) -> Vec<PathBuf> {
    if path.join("manifest").is_file() || path.join(".dolt").is_dir() {
        return vec![path.to_owned()];
    }
    let mut inside: Vec<PathBuf> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    inside.retain(|path| path.join(".dolt/noms").is_dir());
    inside.sort();
    inside
}

/// Everything under `path`, copied to memory.
pub fn in_memory(path: &Path) -> MemoryDirectory {
    fn copy(from: &Path, to: &MemoryDirectory, prefix: &str) {
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().into_string().unwrap());
            if entry.path().is_dir() {
                copy(&entry.path(), to, &format!("{name}/"));
            } else {
                to.insert(&name, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    let memory = MemoryDirectory::new();
    copy(path, &memory, "");
    memory
}

/// All bytes of a file.
pub fn contents(directory: &dyn Directory, path: &str) -> Vec<u8> {
    let file: Rc<dyn File> = directory.open(path).unwrap().unwrap();
    let mut bytes = vec![0; file.len() as usize];
    file.read_at(0, &mut bytes).unwrap();
    bytes
}
