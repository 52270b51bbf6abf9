//! With full durability, changes of rows by their keys that follow each other are written down as they are, and become trees a little
//! later. Whatever happens in between, each that was acknowledged is there, for the next session.

use std::rc::Rc;

use engine::{Cursor, Step};
use region::CrashDirectory;
use store::Durability;

use crate::common::changes::{CHANGES, Random, TABLES, any_change};
use crate::common::fresh::{self, error, rows};
use crate::common::tabs::{Client, SharedLock, Tab, assert_same_tables, ints, told};

fn open(disk: &Rc<CrashDirectory>, shared: &SharedLock, me: u64, is_new: bool) -> Tab {
    Tab::open(disk, shared, me, Durability::Full, is_new)
}

/// A tab with the tables, and a client that has begun to change rows.
fn begun(disk: &Rc<CrashDirectory>, shared: &SharedLock) -> (Tab, Client) {
    let tab = open(disk, shared, 1, true);
    let client = Client::new(&tab.engine);
    TABLES.iter().for_each(|text| drop(rows(&client.session, text)));
    (0..2).for_each(|id| drop(client.change(0, &ints(&[id, id, 1]))));
    (tab, client)
}

const COUNT: &str = "SELECT count(*), sum(n) FROM parent";

#[test]
fn a_run_of_changes_is_flushed_one_by_one_and_committed_once() {
    let disk = CrashDirectory::new(1);
    let (tab, client) = begun(&disk, &SharedLock::default());
    let (commits, flushes) = (tab.commits(), disk.flushes());
    (2..12).for_each(|id| drop(client.change(0, &ints(&[id, id, 1]))));
    assert_eq!((tab.commits() - commits, disk.flushes() - flushes), (0, 10));
    tab.engine.flush_group().unwrap();
    assert_eq!((tab.commits() - commits, disk.flushes() - flushes), (1, 11));
    // A single one is committed by itself.
    for id in 20..24 {
        rows(&client.session, COUNT);
        let (commits, flushes) = (tab.commits(), disk.flushes());
        client.change(0, &ints(&[id, id, 1]));
        assert_eq!((tab.commits() - commits, disk.flushes() - flushes), (1, 1));
    }
    // What changes nothing is not written down.
    client.change(7, &ints(&[998]));
    client.change(0, &ints(&[30, 30, 1]));
    let flushes = disk.flushes();
    client.change(7, &ints(&[999]));
    assert!(client.change(0, &ints(&[30, 30, 1])).contains("duplicate"));
    assert_eq!(disk.flushes(), flushes);
}

/// A tab that is gone without a word, and one that goes on.
#[test]
fn somebody_who_is_gone_leaves_what_was_acknowledged() {
    let (disk, shared) = (CrashDirectory::new(2), SharedLock::default());
    let (_gone, client) = begun(&disk, &shared);
    let reader = open(&disk, &shared, 2, false);
    let session = reader.engine.session();
    assert_eq!(rows(&session, COUNT), [["2", "2"]]);
    rows(&session, "START TRANSACTION");
    rows(&session, "INSERT INTO parent VALUES (50, 'mine', 5)");
    (2..6).for_each(|id| drop(client.change(0, &ints(&[id, id, 1]))));
    client.change(5, &ints(&[1]));
    client.change(7, &ints(&[0]));
    // The browser gives the lock on.
    shared.set((None, 1, shared.get().2));
    rows(&session, "COMMIT");
    assert_eq!(rows(&session, COUNT), [["6", "11"]]);
    let other = open(&disk, &shared, 3, false);
    let session = other.engine.session();
    assert_eq!(rows(&session, COUNT), [["6", "11"]]);
    assert_eq!(rows(&session, "SELECT count(*) FROM parent WHERE n = 1"), [["4"]], "indexes have them");
}

#[test]
fn a_session_that_opens_the_database_waits_for_pending_commits() {
    let (disk, shared) = (CrashDirectory::new(3), SharedLock::default());
    let (tab, client) = begun(&disk, &shared);
    (2..6).for_each(|id| drop(client.change(0, &ints(&[id, id, 1]))));
    let other = open(&disk, &shared, 2, false);
    let session = other.engine.session();
    let waits = |text: &str| session.query(text).is_err_and(|error| error.is_wait());
    assert!(waits(COUNT));
    tab.engine.flush_group().unwrap();
    assert_eq!(rows(&session, COUNT), [["6", "6"]]);
    // From then on it reads what there is, without the lock.
    client.change(0, &ints(&[6, 6, 1]));
    (7..9).for_each(|id| drop(client.change(0, &ints(&[id, id, 1]))));
    assert!(matches!(rows(&session, COUNT)[0][0].as_str(), "6" | "7"));
}

/// Two of one branch cannot be merged: without its turn the second one failed.
#[test]
fn a_dolt_commit_comes_behind_that_of_another_tab() {
    let (disk, shared) = (CrashDirectory::new(6), SharedLock::default());
    let tabs = [open(&disk, &shared, 1, true), open(&disk, &shared, 2, false)];
    let [first, second] = tabs.each_ref().map(|tab| tab.engine.session());
    rows(&second, "USE mydb");
    let holds = |tab: Option<u64>| shared.set((tab, tab.unwrap_or(1), shared.get().2));
    rows(&first, "CREATE TABLE t (id INT PRIMARY KEY)");
    holds(Some(1));
    let commit = "CALL dolt_commit('--allow-empty', '-Am', 'second')";
    assert!(second.query(commit).is_err_and(|error| error.is_wait()));
    holds(None);
    rows(&first, "CALL dolt_commit('-Am', 'first')");
    rows(&second, commit);
    let messages = rows(&first, "SELECT message FROM dolt_log LIMIT 2");
    assert_eq!(messages, [["second"], ["first"]]);
}

/// Counters of AUTO_INCREMENT, long texts and other branches are as they were.
#[test]
fn what_hangs_on_rows_comes_back() {
    let (disk, shared) = (CrashDirectory::new(4), SharedLock::default());
    let tab = open(&disk, &shared, 1, true);
    let session = tab.engine.session();
    for text in [
        "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, s VARCHAR(30) COLLATE utf8mb4_0900_ai_ci UNIQUE, long_text TEXT)",
        "CALL dolt_commit('-Am', 't')",
        "CALL dolt_checkout('-b', 'side')",
    ] {
        rows(&session, text);
    }
    let insert = session.prepare("INSERT INTO t (s, long_text) VALUES (concat('s', ?), repeat('long ', ?))").unwrap();
    let update = session.prepare("UPDATE t SET s = concat('u', ?) WHERE id = ?").unwrap();
    for at in 0..12 {
        told(session.execute(&insert, &ints(&[at, at * at * 20])));
        told(session.execute(&update, &ints(&[at, at])));
    }
    shared.set((None, 1, shared.get().2));
    let other = open(&disk, &shared, 2, false).engine.session();
    rows(&other, "CALL dolt_checkout('side')");
    let sums = "SELECT count(*), sum(length(long_text)), group_concat(s ORDER BY id) FROM t";
    let found = rows(&other, sums);
    assert_eq!(found[0][..2], ["12".to_owned(), (506 * 20 * 5).to_string()]);
    assert_eq!(found[0][2], "u1,u2,u3,u4,u5,u6,u7,u8,u9,u10,u11,s11");
    rows(&other, "INSERT INTO t (s) VALUES ('next')");
    assert_eq!(rows(&other, "SELECT max(id) FROM t"), [["13"]]);
    assert_eq!(error(&other, "INSERT INTO t (s) VALUES ('U5')").0, 1062, "the unique index has them");
    rows(&other, "CALL dolt_checkout('main')");
    assert_eq!(rows(&other, "SELECT count(*) FROM t"), [["0"]]);
}

#[test]
fn what_cannot_be_written_down_has_not_happened() {
    let (disk, shared) = (CrashDirectory::new(5), SharedLock::default());
    let (_tab, client) = begun(&disk, &shared);
    (2..5).for_each(|id| drop(client.change(0, &ints(&[id, id, 1]))));
    disk.set_full(true);
    let refused = client.change(0, &ints(&[9, 9, 1]));
    assert!(refused.contains("no space left"), "{refused}");
    disk.set_full(false);
    assert!(!client.change(0, &ints(&[10, 9, 1])).contains("duplicate"), "its key is free");
    assert_eq!(rows(&client.session, COUNT), [["6", "6"]]);
    shared.set((None, 1, shared.get().2));
    assert_eq!(rows(&open(&disk, &shared, 2, false).engine.session(), COUNT), [["6", "6"]]);
}

/// Random changes in several tables, and an end without a word after each few: a fresh tab has what an engine has that was told the same.
#[test]
fn what_was_written_down_is_what_would_have_been_committed() {
    let disk = CrashDirectory::new(6);
    let alone = Client::new(&fresh::engine_over(&fresh::chunks()));
    TABLES.iter().for_each(|text| drop(rows(&alone.session, text)));
    let first = open(&disk, &SharedLock::default(), 1, true);
    TABLES.iter().for_each(|text| drop(rows(&Client::new(&first.engine).session, text)));
    let mut random = Random(21);
    for round in 0..60 {
        let tab = open(&disk, &SharedLock::default(), 1, false);
        let client = Client::new(&tab.engine);
        for step in 0..random.below(60) {
            let Some((at, params)) = any_change(&mut random) else { continue };
            let [one, other] = [&client, &alone].map(|client| client.change(at, &ints(&params)));
            assert_eq!(one, other, "round {round}, step {step}: {} {params:?}", CHANGES[at].0);
        }
        // The engine goes away as a page does: nothing is flushed.
        std::mem::forget((tab, client));
        let found = open(&disk, &SharedLock::default(), 1, false).engine.session();
        assert_same_tables(&found, &alone.session, &format!("round {round}"));
    }
}

/// Whatever a crash takes, and even when the next crash comes while what the first one left is taken over.
#[test]
fn a_crash_takes_nothing_that_was_acknowledged() {
    const LOG: &str = "INSERT INTO log VALUES (?, repeat('x', ?))";
    const COUNT: &str = "UPDATE tally SET n = ? WHERE id = 1";
    let mut redone = 0;
    for seed in 0..150 {
        let mut random = Random(seed * 77 + 5);
        let mut disk = CrashDirectory::new(seed);
        let tab = open(&disk, &SharedLock::default(), 1, true);
        let session = tab.engine.session();
        for text in [
            "CREATE TABLE log (id INT PRIMARY KEY, filler TEXT)",
            "CREATE TABLE tally (id INT PRIMARY KEY, n INT)",
            "INSERT INTO tally VALUES (1, -1)",
        ] {
            rows(&session, text);
        }
        drop((session, tab));
        let mut acknowledged = 0;
        for _ in 0..4 {
            disk.cut_power_after(random.below(60));
            let changed = (|| -> engine::Result<()> {
                let tab = open(&disk, &SharedLock::default(), 1, false);
                let session = tab.engine.session();
                session.query("SELECT 1").and_then(Cursor::collect)?;
                let (log, count) = (session.prepare(LOG)?, session.prepare(COUNT)?);
                let begin = acknowledged;
                // One statement after the other: the row of a number, then the number.
                for at in begin..begin + 2 * random.below(40) as i64 {
                    let done = match at % 2 {
                        0 => session.execute(&log, &ints(&[at / 2, (at * 37) % 3000])),
                        _ => session.execute(&count, &ints(&[at / 2])),
                    };
                    done.and_then(Cursor::collect)?;
                    acknowledged = at + 1;
                    if random.below(20) == 0 {
                        tab.engine.flush_group()?;
                    }
                }
                // No more than a crash of the page.
                std::mem::forget((tab, session));
                Ok(())
            })();
            if let Err(error) = changed {
                let text = error.to_string();
                assert!(text.contains("gone") || text.contains("open the database again"), "seed {seed}: {text}");
            }
            disk = disk.crash();
            // The next crash may come while this is read.
            if random.below(2) == 0 {
                disk.cut_power_after(random.below(6));
                drop(open_and_read(&disk));
                disk = disk.crash();
            }
            let tab = open(&disk, &SharedLock::default(), 1, false);
            let before = tab.commits();
            let after = tab.engine.session();
            let found =
                rows(&after, "SELECT (SELECT count(*) FROM log), (SELECT max(id) FROM log), (SELECT n FROM tally)");
            redone += tab.commits() - before;
            let number = |at: usize| found[0][at].parse::<i64>().unwrap_or(-1);
            let (logged, last, tally) = (number(0), number(1), number(2));
            assert_eq!(logged, last + 1, "seed {seed}: rows are missing");
            assert!(tally == last || tally == last - 1, "seed {seed}: {last} and {tally} are of no moment");
            let statements = logged + tally + 1;
            let allowed = acknowledged..=acknowledged + 1;
            assert!(allowed.contains(&statements), "seed {seed}: {statements} of {acknowledged}");
            acknowledged = statements;
        }
    }
    assert!(redone > 30, "{redone}");
}

fn open_and_read(disk: &Rc<CrashDirectory>) -> engine::Result<Step> {
    let tab = open(disk, &SharedLock::default(), 1, false);
    tab.engine.session().query("SELECT count(*) FROM log")?.next(i64::MAX)
}
