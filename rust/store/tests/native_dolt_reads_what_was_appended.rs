//! Native Dolt and a store that writes its files, in turns.

mod common;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use codec::Address;
use common::OneTerm;
use native_dolt::run;
use region::{Lock, NativeLock};
use store::{ChunkStore, Chunks, Committed, OpenOptions, Verify, WriteOptions};

/// An empty directory for one test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A database of native Dolt with a table and a few commits.
fn database(path: &Path) -> Option<()> {
    std::fs::create_dir_all(path).unwrap();
    run(path, &["init", "--name", "a", "--email", "a@b"])?;
    run(path, &["sql", "-q", "create table t (id int primary key, v varchar(300)); call dolt_commit('-Am', 'made')"])?;
    change(path, 1)
}

fn change(path: &Path, number: u32) -> Option<()> {
    let sql = format!(
        "insert into t select {number} * 1000 + n, repeat(concat(n, ' '), 50) from \
         (with recursive c(n) as (select 1 union all select n + 1 from c where n < 300) select n from c) c; \
         call dolt_commit('-am', 'change {number}')"
    );
    run(path, &["sql", "-q", &sql]).map(drop)
}

fn copy(from: &Path, to: &Path) {
    let status = std::process::Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(status.success());
}

/// Puts everything of `from` that `to` lacks, and makes its root the root.
fn follow(to: &ChunkStore, from: &Path) {
    follow_with(to, from, Vec::new());
}

/// As [`follow`], with chunks that were put already.
fn follow_with(to: &ChunkStore, from: &Path, mut put: Vec<Address>) {
    let from = common::open(from, OpenOptions::default()).unwrap();
    for address in common::addresses(&from) {
        if !to.contains(&address).unwrap() {
            put.push(to.put(&from.read(&address).unwrap()).unwrap());
        }
    }
    assert_eq!(to.commit(&to.root(), &from.root(), &put), Ok(Committed::Done));
}

fn subjects(path: &Path) -> Option<Vec<String>> {
    let text = run(path, &["sql", "-r", "csv", "-q", "select message from dolt_log"])?;
    Some(text.lines().skip(1).map(str::to_owned).collect())
}

fn check(path: &Path) -> Option<()> {
    run(path, &["fsck", "--quiet"]).map(drop)
}

#[test]
fn native_dolt_reads_what_was_appended_and_goes_on() {
    let base = directory("appended");
    let (ours, native) = (base.join("ours"), base.join("native"));
    let Some(()) = database(&ours) else { return };
    copy(&ours, &native);
    let store = common::open_native(&ours);
    for number in 2..5 {
        // One change through native Dolt on the copy, followed chunk by chunk; then one of its own on ours, seen through a refresh.
        change(&native, number).unwrap();
        follow(&store, &native);
        check(&ours).unwrap();
        assert_eq!(subjects(&ours).unwrap()[0], format!("change {number}"));
        change(&ours, 10 * number).unwrap();
        let before = store.root();
        store.refresh().unwrap();
        assert_ne!(store.root(), before);
        std::fs::remove_dir_all(&native).unwrap();
        copy(&ours, &native);
    }
    assert_eq!(subjects(&ours).unwrap().len(), 9);
    assert_eq!(run(&ours, &["sql", "-r", "csv", "-q", "select count(*) from t"]).unwrap().trim(), "count(*)\n2100");
}

#[test]
fn a_new_database_is_one_for_native_dolt() {
    let base = directory("created");
    let (ours, native) = (base.join("ours"), base.join("native"));
    let Some(()) = database(&native) else { return };
    std::fs::create_dir_all(ours.join(".dolt")).unwrap();
    std::fs::copy(native.join(".dolt/repo_state.json"), ours.join(".dolt/repo_state.json")).unwrap();
    follow(&common::create_native(&ours), &native);
    check(&ours).unwrap();
    assert_eq!(subjects(&ours).unwrap().len(), 3);
    change(&ours, 2).unwrap();
    run(&ours, &["gc"]).unwrap();
    check(&ours).unwrap();
}

#[test]
fn a_collection_by_native_dolt_is_noticed() {
    let base = directory("collected");
    let (ours, native) = (base.join("ours"), base.join("native"));
    let Some(()) = database(&ours) else { return };
    let store = common::open_native(&ours);
    let root = store.root();
    let pending = store.put(b"leans on what may be gone").unwrap();
    // The second time there is a journal again, and it is another one.
    for number in 2..4 {
        run(&ours, &["gc"]).unwrap();
        assert!(store.read(&root).is_ok(), "files that are open stay");
        change(&ours, number).unwrap();
    }
    assert_eq!(store.commit(&root, &pending, &[pending]), Ok(Committed::Moved));
    assert_eq!(store.commit(&store.root(), &pending, &[pending]), Err(store::StoreError::Collected));
    store.forget_pending();
    // After a collection there is no journal: ours is the first to want one.
    run(&ours, &["gc"]).unwrap();
    copy(&ours, &native);
    change(&native, 4).unwrap();
    store.refresh().unwrap();
    follow(&store, &native);
    check(&ours).unwrap();
    assert_eq!(subjects(&ours).unwrap().len(), 6);
    assert_eq!(store.read(&root), Err(store::StoreError::Missing(root)));
    let options = OpenOptions { verify: Verify::Always, ..OpenOptions::default() };
    assert_eq!(common::open(&ours, options).unwrap().root(), store.root());
}

#[test]
fn the_lock_is_that_of_native_dolt() {
    let base = directory("locked");
    let Some(()) = database(&base) else { return };
    let lock = NativeLock::new(base.join(".dolt/noms/LOCK"));
    assert_eq!(lock.try_lock(), Ok(true));
    let store = common::open_native(&base);
    let chunk = store.put(b"x").unwrap();
    assert!(store.commit(&store.root(), &chunk, &[chunk]).unwrap_err().is_wait());
    // Native Dolt opens a locked store for reading.
    let run = |sql: &str| native_dolt::output(&base, &["sql", "-q", sql]).unwrap();
    assert!(run("select * from t limit 1").status.success());
    let refused = String::from_utf8(run("insert into t values (0, '')").stderr).unwrap();
    assert!(refused.contains("read only"), "{refused}");
    lock.unlock();
    assert!(run("insert into t values (0, '')").status.success());
}

#[test]
fn loose_roots_are_roots_for_native_dolt() {
    let base = directory("loose");
    let (ours, native) = (base.join("ours"), base.join("native"));
    let Some(()) = database(&ours) else { return };
    copy(&ours, &native);
    let store = common::open_native_relaxed(&ours);
    for number in 2..5 {
        change(&native, number).unwrap();
        follow(&store, &native);
        if number == 3 {
            store.flush().unwrap();
        }
    }
    assert_eq!(store.stats().flushes, 1);
    check(&ours).unwrap();
    assert_eq!(subjects(&ours).unwrap().len(), 6);
    let root: Address = store.root();
    assert_eq!(common::open(&ours, OpenOptions::default()).unwrap().root(), root);
}

#[test]
fn native_dolt_goes_on_with_our_journal_index() {
    let base = directory("indexed");
    let (ours, native) = (base.join("ours"), base.join("native"));
    let Some(()) = database(&ours) else { return };
    copy(&ours, &native);
    change(&native, 2).unwrap();
    let store = common::open_native(&ours);
    // Chunks that nothing refers to, as many as make an index worth while.
    for chunk in common::build::chunks(17_000, 20) {
        let address = store.put(&chunk).unwrap();
        assert!(store.is_pending(&address));
    }
    follow_with(&store, &native, common::build::chunks(17_000, 20).iter().map(|chunk| Address::of(chunk)).collect());
    drop(store);
    let index = std::fs::read(ours.join(".dolt/noms/journal.idx")).unwrap();
    assert!(index.len() > 17_000 * 29);
    change(&ours, 3).unwrap();
    check(&ours).unwrap();
    assert_eq!(subjects(&ours).unwrap()[0], "change 3");
    let after = std::fs::read(ours.join(".dolt/noms/journal.idx")).unwrap();
    assert!(after.starts_with(&index), "the batch was good enough to stay");
    assert!(common::open(&ours, OpenOptions::default()).is_ok());
}

#[test]
fn a_hole_among_relaxed_commits_is_mended_by_the_next_commit() {
    let base = directory("hole");
    let (ours, native) = (base.join("ours"), base.join("native"));
    let Some(()) = database(&ours) else { return };
    copy(&ours, &native);
    let store = common::open_native_relaxed(&ours);
    let (safe, safe_bytes) = (store.root(), store.stats().file_bytes);
    for number in 2..5 {
        change(&native, number).unwrap();
        follow(&store, &native);
    }
    drop(store);
    // What a crash may do to what was not flushed: something in the middle is lost, and what came later is there.
    let journal = ours.join(".dolt/noms").join(Address::JOURNAL.to_string());
    let mut bytes = std::fs::read(&journal).unwrap();
    bytes[safe_bytes as usize + 100..][..50].fill(0);
    std::fs::write(&journal, bytes).unwrap();
    let refused = native_dolt::output(&ours, &["log", "-n", "1"]).unwrap();
    assert!(!refused.status.success(), "native Dolt cannot know that this was to be expected");
    let store = common::open_native(&ours);
    assert_eq!(store.root(), safe);
    assert!(store.torn_bytes() > 0);
    follow(&store, &native);
    check(&ours).unwrap();
    assert_eq!(subjects(&ours).unwrap()[0], "change 4");
}

#[test]
fn redo_records_are_nothing_to_native_dolt() {
    let base = directory("redo");
    let (ours, native) = (base.join("ours"), base.join("native"));
    let Some(()) = database(&ours) else { return };
    copy(&ours, &native);
    let open = || {
        let lock = OneTerm(NativeLock::new(ours.join(".dolt/noms/LOCK")));
        common::open_native_with(&ours, WriteOptions::new(Rc::new(lock), common::noon))
    };
    let store = open();
    let mut numbers = 0..;
    // A short one, and one that is as long as many rows.
    let changes = |number: u64| -> Vec<u8> {
        let len = if number.is_multiple_of(2) { 50 } else { 400_000 };
        (0..len).map(|at: u64| ((at * at * (number + 3)) >> 9) as u8).collect()
    };
    let mut hold = |store: &ChunkStore| store.hold(&store.root(), &mut || Some(changes(numbers.next().unwrap())));
    (0..3).for_each(|_| assert_eq!(hold(&store), Ok(true)));
    change(&native, 2).unwrap();
    follow(&store, &native);
    (0..3).for_each(|_| assert_eq!(hold(&store), Ok(true)));
    // The end of a process that had some more to commit.
    drop(store);
    check(&ours).unwrap();
    assert_eq!(subjects(&ours).unwrap()[0], "change 2");
    let left = open();
    assert_eq!(left.left_redo(false), Ok((3..6).map(changes).collect()));
    drop(left);
    // What native Dolt commits comes before them, and they do not count any more.
    change(&ours, 3).unwrap();
    check(&ours).unwrap();
    assert_eq!(subjects(&ours).unwrap()[0], "change 3");
    assert_eq!(open().left_redo(false), Ok(Vec::new()));
    run(&ours, &["gc"]).unwrap();
    check(&ours).unwrap();
}
