//! Native Dolt and we write the same database at the same time, each under the lock: nothing is lost on either side.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use region::{NativeDirectory, NativeLock, Region};
use store::{ChunkStore, Committed, OpenOptions, WriteOptions};
use tree::NodeStore;
use vcs::{Database, RepoState};

const COMMITS: usize = 8;
const BRANCHES: usize = 60;

fn directory() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("beside");
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn text(output: std::process::Output) -> String {
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{text}");
    text
}

fn open(path: &Path) -> Database {
    let region = Region::new(region::Options::default());
    let write = WriteOptions::new(Rc::new(NativeLock::new(path.join(".dolt/noms/LOCK"))), || 1_795_262_400_000);
    let files = Rc::new(NativeDirectory::writable(path));
    let store = ChunkStore::open_writable(&region, files, OpenOptions::default(), write).unwrap();
    Database::new(NodeStore::new(Rc::new(store), tree::Options::default()), RepoState::default())
}

/// Makes a branch at the head of main as it is now; answers how often others were first and how often they had the lock.
fn make_branch(database: &Database, name: &str) -> (u32, u32) {
    let (mut moved, mut waited) = (0, 0);
    loop {
        database.refresh().unwrap();
        let before = database.refs().unwrap();
        let mut draft = before.draft();
        draft.set_branch(name, Some(before.branch("main").unwrap().unwrap()));
        let after = draft.write().unwrap();
        match database.commit(&before, &after) {
            Ok(Committed::Done) => return (moved, waited),
            Ok(Committed::Moved) => moved += 1,
            Err(error) if error.is_wait() => {
                waited += 1;
                std::thread::yield_now();
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn native_dolt_writes_beside_us() {
    let path = directory();
    let Some(output) = native_dolt::output(&path, &["init", "--name", "a", "--email", "a@b"]) else { return };
    text(output);
    let database = open(&path);
    let writer = std::thread::spawn({
        let path = path.clone();
        move || {
            let (mut made, mut torn) = (0, 0);
            while made < COMMITS {
                let output =
                    native_dolt::output(&path, &["commit", "--allow-empty", "-m", &format!("commit {made}")]).unwrap();
                // We may have had the lock when it started: it opens for reading then, and says so.
                let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
                // And reads the journal while we append: where that ends within a record, and goes on behind it a moment later, it takes
                // this for a loss. A journal that is damaged stays so.
                let is_torn = said.contains("possible data loss detected in journal");
                torn += usize::from(is_torn);
                assert!(output.status.success() || said.contains("read only") || is_torn && torn <= 3, "{said}");
                made += usize::from(output.status.success());
            }
        }
    });
    let (mut made, mut moved, mut waited) = (0, 0, 0);
    while made < BRANCHES || !writer.is_finished() {
        let (others, locked) = make_branch(&database, &format!("b{made}"));
        made += 1;
        moved += others;
        waited += locked;
    }
    writer.join().unwrap();
    println!("{made} branches, {moved} times somebody was first, {waited} times the lock was taken");
    assert!(waited > 0);
    database.refresh().unwrap();
    let refs = database.refs().unwrap();
    assert_eq!(refs.branches().count(), made + 1);
    text(native_dolt::output(&path, &["fsck", "--quiet"]).unwrap());
    let branches =
        text(native_dolt::output(&path, &["sql", "-r", "csv", "-q", "select count(*) from dolt_branches"]).unwrap());
    assert_eq!(branches.trim(), format!("count(*)\n{}", made + 1));
    let log = text(native_dolt::output(&path, &["sql", "-r", "csv", "-q", "select message from dolt_log"]).unwrap());
    let expected: Vec<String> = (0..COMMITS).rev().map(|number| format!("commit {number}")).collect();
    assert_eq!(log.lines().skip(1).take(COMMITS).collect::<Vec<_>>(), expected);
}
