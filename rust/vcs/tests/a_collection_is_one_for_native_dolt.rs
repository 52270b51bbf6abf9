//! What a garbage collection leaves is whole for native Dolt, which goes on with it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use region::{NativeDirectory, NativeLock, Region};
use store::{ChunkStore, CollectMode, OpenOptions, Verify, WriteOptions};
use tree::NodeStore;
use vcs::{Database, RepoState};

/// An empty directory for one test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("collected").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Rows enough for a dictionary, a branch, a tag, a stash, a working set with changes.
fn database(path: &Path) -> Option<()> {
    native_dolt::run(path, &["init", "--name", "a", "--email", "a@b"])?;
    let numbers = "with recursive c(n) as (select 1 union all select n + 1 from c where n < 200) \
                   select 200 * a.n + b.n as n from c as a, c as b";
    let statements = [
        "create table t (id int primary key, name varchar(40), note text, unique key (name))".to_owned(),
        format!(
            "insert into t select n, concat('name ', md5(n)), concat('note ', md5(n + 1), ' of ', n) from ({numbers}) c"
        ),
        "call dolt_commit('-Am', 'many')".to_owned(),
        "call dolt_branch('other')".to_owned(),
        "delete from t where id % 7 = 0".to_owned(),
        "call dolt_commit('-am', 'fewer')".to_owned(),
        "call dolt_tag('v1', 'other')".to_owned(),
        "insert into t values (-1, 'stashed', null)".to_owned(),
        "call dolt_stash('push', 'away')".to_owned(),
        "update t set note = 'changed' where id < 500".to_owned(),
    ];
    native_dolt::run(path, &["sql", "-q", &statements.join(";\n")]).map(drop)
}

fn open(path: &Path) -> (Rc<ChunkStore>, Database) {
    let region = Region::new(region::Options::default());
    let lock = Rc::new(NativeLock::new(path.join(".dolt/noms/LOCK")));
    let write = WriteOptions::new(lock, || 1_795_262_400_000);
    let options = OpenOptions { verify: Verify::Always, ..OpenOptions::default() };
    let store = ChunkStore::open_writable(&region, Rc::new(NativeDirectory::writable(path)), options, write).unwrap();
    let store = Rc::new(store);
    let nodes = NodeStore::new(store.clone(), tree::Options { cache_bytes: 16 << 20 });
    (store, Database::new(nodes, RepoState::default()))
}

fn collect(path: &Path, mode: CollectMode) -> (u64, u64) {
    let (store, database) = open(path);
    let before = store.stats().file_bytes;
    let mut collection = database.collection(mode, Vec::new()).unwrap();
    while !database.collect(&mut collection, 500).unwrap().is_done {}
    assert!(database.refs().unwrap().branches().count() == 2);
    (before, store.stats().file_bytes)
}

/// Everything that native Dolt can report about the database.
fn facts(path: &Path) -> Vec<String> {
    native_dolt::run(path, &["fsck", "--quiet"]).unwrap();
    let questions = [
        "select dolt_hashof_db('WORKING'), dolt_hashof_db('main'), dolt_hashof_db('other'), dolt_hashof_db('v1')",
        "select count(*), sum(length(name)), sum(length(note)) from t",
        "select count(*), sum(length(note)) from t as of 'v1'",
        "select commit_hash, message from dolt_log",
        "select name, stash_id, branch from dolt_stashes",
        "select * from dolt_status",
    ];
    questions.iter().map(|sql| native_dolt::run(path, &["sql", "-r", "csv", "-q", sql]).unwrap()).collect()
}

#[test]
fn native_dolt_finds_everything_after_it() {
    let path = directory("main");
    let Some(()) = database(&path) else { return };
    let before = facts(&path);
    // Compared with what native Dolt makes of it, on a copy.
    let copy = directory("copy");
    assert!(Command::new("cp").arg("-a").arg(path.join(".dolt")).arg(&copy).status().unwrap().success());
    native_dolt::run(&copy, &["gc"]).unwrap();
    let native_bytes = open(&copy).0.stats().file_bytes;
    let (journal_bytes, bytes) = collect(&path, CollectMode::Default);
    println!("{journal_bytes} bytes collected: {bytes}, by native Dolt {native_bytes}");
    assert!(bytes * 10 < native_bytes * 12);
    assert_eq!(facts(&path), before);
    // On with it: native Dolt commits and collects, then we do, all of it.
    native_dolt::run(&path, &["sql", "-q", "insert into t values (-2, 'more', null); call dolt_commit('-am', 'more')"])
        .unwrap();
    let before = facts(&path);
    native_dolt::run(&path, &["gc"]).unwrap();
    assert_eq!(facts(&path), before);
    collect(&path, CollectMode::Full);
    assert_eq!(facts(&path), before);
    native_dolt::run(&path, &["gc", "--full"]).unwrap();
    assert_eq!(facts(&path), before);
    collect(&path, CollectMode::Default);
    assert_eq!(facts(&path), before);
}
