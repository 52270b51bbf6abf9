//! Transactions that follow each other and only change rows by their keys are written down as they are, and become trees a little later.
//! Each is there wholly or not at all, whatever happens in between.

use std::rc::Rc;

use engine::Cursor;
use region::CrashDirectory;
use store::Durability;

use crate::common::changes::{CHANGES, Random, TABLES, any_change};
use crate::common::fresh::{self, error, rows};
use crate::common::tabs::{Client, SharedLock, Tab, assert_same_tables, ints};

const COUNT: &str = "SELECT count(*), sum(n) FROM parent";

fn open(disk: &Rc<CrashDirectory>, shared: &SharedLock, me: u64, is_new: bool) -> Tab {
    Tab::open(disk, shared, me, Durability::Full, is_new)
}

/// A tab with the tables, and a client that has just changed rows by plans that are known: the next transaction is one of a run.
fn begun(disk: &Rc<CrashDirectory>, shared: &SharedLock) -> (Tab, Client) {
    let tab = open(disk, shared, 1, true);
    let client = Client::new(&tab.engine);
    TABLES.iter().for_each(|text| drop(rows(&client.session, text)));
    (-1..1).for_each(|id| drop(client.change(0, &ints(&[id, id, 1]))));
    (0..2).for_each(|note| drop(client.change(8, &ints(&[0, note]))));
    rows(&client.session, "DELETE FROM child");
    client.change(0, &ints(&[-2, -2, 1]));
    (tab, client)
}

/// A transaction that adds rows of these keys.
fn add(client: &Client, ids: &[i64], end: &str) {
    rows(&client.session, "START TRANSACTION");
    ids.iter().for_each(|id| drop(client.change(0, &ints(&[*id, *id, 1]))));
    rows(&client.session, end);
}

#[test]
fn a_run_of_transactions_is_flushed_one_by_one_and_committed_once() {
    let disk = CrashDirectory::new(1);
    let (tab, client) = begun(&disk, &SharedLock::default());
    let (commits, flushes) = (tab.commits(), disk.flushes());
    (1..8).for_each(|id| add(&client, &[10 * id, 10 * id + 1], "COMMIT"));
    add(&client, &[100, 101], "ROLLBACK");
    assert_eq!((tab.commits() - commits, disk.flushes() - flushes), (0, 7));
    tab.engine.flush_group().unwrap();
    assert_eq!((tab.commits() - commits, disk.flushes() - flushes), (1, 8));
    assert_eq!(rows(&client.session, COUNT), [["17", "17"]]);
    // A single one, or one that reads rows, is committed by itself.
    for id in 20..24 {
        let (commits, flushes) = (tab.commits(), disk.flushes());
        rows(&client.session, "START TRANSACTION");
        rows(&client.session, COUNT);
        client.change(0, &ints(&[10 * id, 10 * id, 1]));
        rows(&client.session, "COMMIT");
        assert_eq!((tab.commits() - commits, disk.flushes() - flushes), (1, 1));
    }
}

/// Transactions on top of such that cannot be stored, and beside them: nothing of them is stored later.
#[test]
fn a_transaction_is_rolled_back_though_the_group_under_it_cannot_be_stored() {
    let (disk, shared) = (CrashDirectory::new(2), SharedLock::default());
    let (tab, client) = begun(&disk, &shared);
    let other = Client::new(&tab.engine);
    rows(&other.session, "START TRANSACTION");
    other.change(0, &ints(&[200, 200, 1]));
    add(&client, &[1, 2], "COMMIT");
    rows(&client.session, "START TRANSACTION");
    client.change(0, &ints(&[3, 3, 1]));
    disk.set_full(true);
    assert_eq!(error(&other.session, "INSERT INTO bag VALUES (7, 7)").0, 1021);
    rows(&other.session, "ROLLBACK");
    assert_eq!(error(&client.session, "INSERT INTO bag VALUES (7, 7)").0, 1021);
    rows(&client.session, "ROLLBACK");
    rows(&client.session, "ROLLBACK");
    disk.set_full(false);
    for session in [&client.session, &other.session] {
        rows(session, "START TRANSACTION");
        rows(session, "COMMIT");
        assert_eq!(rows(session, COUNT), [["5", "5"]]);
    }
    shared.set((None, 1, shared.get().2));
    assert_eq!(rows(&open(&disk, &shared, 2, false).engine.session(), COUNT), [["5", "5"]]);
}

#[test]
fn a_stacked_transaction_sees_the_group_and_other_sessions_do_not_see_it() {
    let disk = CrashDirectory::new(2);
    let (tab, client) = begun(&disk, &SharedLock::default());
    let other = Client::new(&tab.engine);
    add(&client, &[1, 2], "COMMIT");
    for (id, end, sum) in [(3, "COMMIT", "6"), (4, "ROLLBACK", "6"), (5, "COMMIT", "7")] {
        rows(&client.session, "BEGIN");
        client.change(0, &ints(&[id, id, 1]));
        assert_eq!(
            rows(&other.session, "SELECT count(*) FROM parent WHERE id = ?".replace('?', &id.to_string()).as_str()),
            [["0"]]
        );
        client.change(5, &ints(&[id]));
        assert_eq!(rows(&client.session, &format!("SELECT n FROM parent WHERE id = {id}")), [["2"]]);
        rows(&client.session, end);
        assert_eq!(rows(&other.session, "SELECT count(*) FROM parent"), [[sum]]);
        add(&client, &[10 * id], "COMMIT");
        rows(&client.session, &format!("DELETE FROM parent WHERE id = {}", 10 * id));
    }
    assert_eq!(error(&client.session, "INSERT INTO parent VALUES (3, 'again', 0)").0, 1062);
}

/// The host flushes the group, and the values that the transaction keeps out of line stay.
#[test]
fn a_transaction_goes_on_when_the_group_under_it_is_flushed() {
    let (disk, shared) = (CrashDirectory::new(3), SharedLock::default());
    let (tab, client) = begun(&disk, &shared);
    for (first, end) in [(10, "COMMIT"), (20, "ROLLBACK"), (30, "COMMIT")] {
        client.change(0, &ints(&[first, first, 1]));
        add(&client, &[first + 1], "COMMIT");
        rows(&client.session, "BEGIN");
        client.change(8, &ints(&[first, 5_000]));
        let commits = tab.commits();
        tab.engine.flush_group().unwrap();
        assert_eq!(tab.commits() - commits, 1);
        client.change(8, &ints(&[first + 1, 6_000]));
        rows(&client.session, end);
    }
    shared.set((None, 1, shared.get().2));
    let found = open(&disk, &shared, 2, false).engine.session();
    assert_eq!(rows(&found, COUNT), [["9", "9"]]);
    assert_eq!(rows(&found, "SELECT count(*), sum(length(note)) FROM child"), [["4", "110000"]]);
}

#[test]
fn a_transaction_that_cannot_be_written_down_has_not_happened() {
    let (disk, shared) = (CrashDirectory::new(4), SharedLock::default());
    let (tab, client) = begun(&disk, &shared);
    add(&client, &[1, 2], "COMMIT");
    rows(&client.session, "BEGIN");
    client.change(0, &ints(&[3, 3, 1]));
    disk.set_full(true);
    let refused = error(&client.session, "COMMIT").1;
    assert!(refused.contains("no space left"), "{refused}");
    disk.set_full(false);
    // It is still open, on what was flushed.
    assert_eq!(rows(&client.session, COUNT), [["6", "6"]]);
    let other = Client::new(&tab.engine);
    assert_eq!(rows(&other.session, COUNT), [["5", "5"]]);
    rows(&client.session, "ROLLBACK");
    assert_eq!(rows(&client.session, COUNT), [["5", "5"]]);
}

/// Random transactions, and an end without a word after each few: a fresh tab has what an engine has that was told the same, without the
/// transaction that was open.
#[test]
fn what_was_written_down_is_what_would_have_been_committed() {
    let disk = CrashDirectory::new(5);
    let alone = Client::new(&fresh::engine_over(&fresh::chunks()));
    TABLES.iter().for_each(|text| drop(rows(&alone.session, text)));
    let first = open(&disk, &SharedLock::default(), 1, true);
    TABLES.iter().for_each(|text| drop(rows(&Client::new(&first.engine).session, text)));
    let mut random = Random(8);
    for round in 0..30 {
        let tab = open(&disk, &SharedLock::default(), 1, false);
        let client = Client::new(&tab.engine);
        let both = |text: &str| {
            [&client, &alone].map(|client| drop(client.session.query(text).and_then(Cursor::collect).unwrap()))
        };
        for step in 0..random.below(80) {
            match random.below(12) {
                0..=2 => drop(both(["START TRANSACTION", "COMMIT", "COMMIT", "ROLLBACK"][random.below(4) as usize])),
                3 if random.below(4) == 0 => tab.engine.flush_group().unwrap(),
                _ => {
                    let Some((at, params)) = any_change(&mut random) else { continue };
                    let [one, other] = [&client, &alone].map(|client| client.change(at, &ints(&params)));
                    assert_eq!(one, other, "round {round}, step {step}: {} {params:?}", CHANGES[at].0);
                }
            }
        }
        // The engine goes away as a page does: nothing is flushed, and what is open is lost.
        std::mem::forget((tab, client));
        rows(&alone.session, "ROLLBACK");
        let found = open(&disk, &SharedLock::default(), 1, false).engine.session();
        assert_same_tables(&found, &alone.session, &format!("round {round}"));
    }
}

/// Whatever a crash takes: a transaction that was acknowledged is there, and none is there in part.
#[test]
fn a_crash_takes_whole_transactions() {
    let open = |disk: &Rc<CrashDirectory>, is_new| open(disk, &SharedLock::default(), 1, is_new);
    for seed in 0..40 {
        let mut random = Random(seed * 31 + 7);
        let mut disk = CrashDirectory::new(seed);
        let session = open(&disk, true).engine.session();
        rows(&session, "CREATE TABLE log (id INT PRIMARY KEY, filler TEXT)");
        rows(&session, "CREATE TABLE tally (id INT PRIMARY KEY, n INT)");
        rows(&session, "INSERT INTO tally VALUES (1, 0)");
        drop(session);
        let mut acknowledged = 0;
        for _ in 0..3 {
            disk.cut_power_after(random.below(60));
            let mut run = || -> engine::Result<()> {
                let tab = open(&disk, false);
                let session = tab.engine.session();
                session.query("SELECT 1").and_then(Cursor::collect)?;
                let log = session.prepare("INSERT INTO log VALUES (?, repeat('x', ?))")?;
                let count = session.prepare("UPDATE tally SET n = ? WHERE id = 1")?;
                let begin = acknowledged;
                for at in begin..begin + random.below(30) as i64 {
                    session.query("START TRANSACTION").and_then(Cursor::collect)?;
                    session.execute(&log, &ints(&[at, (at * 37) % 3000])).and_then(Cursor::collect)?;
                    session.execute(&count, &ints(&[at + 1])).and_then(Cursor::collect)?;
                    session.query("COMMIT").and_then(Cursor::collect)?;
                    acknowledged = at + 1;
                    if random.below(10) == 0 {
                        tab.engine.flush_group()?;
                    }
                }
                // No more than a crash of the page.
                std::mem::forget((tab, session));
                Ok(())
            };
            // A session that is cut off gets an error, which is not the subject here.
            let _ = run();
            disk = disk.crash();
            let found = rows(&open(&disk, false).engine.session(), "SELECT n, (SELECT count(*) FROM log) FROM tally");
            let [n, count] = [0, 1].map(|at| found[0][at].parse::<i64>().unwrap());
            assert!(
                n == count && (acknowledged..acknowledged + 2).contains(&n),
                "seed {seed}: {n} of {count}, {acknowledged}"
            );
            acknowledged = n;
        }
    }
}

/// When a group is flushed: once nothing comes, after so many statements or so long a time, and not in the middle of a transaction.
#[test]
fn a_group_is_flushed_when_it_is_idle_or_long() {
    let disk = CrashDirectory::new(7);
    let (tab, client) = begun(&disk, &SharedLock::default());
    let wait = |microseconds: i64| tab.clock.set(tab.clock.get() + microseconds);
    let flushed = |what: &dyn Fn()| {
        let commits = tab.commits();
        what();
        tab.commits() - commits
    };
    // While statements follow each other the host gets the time of the next check.
    for id in 10..20 {
        add(&client, &[id], "COMMIT");
        wait(3_000);
        assert_eq!(flushed(&|| assert_eq!(tab.engine.flush_group_when_idle(), Some(tab.clock.get() + 4_000))), 0);
    }
    wait(3_000);
    assert_eq!(flushed(&|| assert_eq!(tab.engine.flush_group_when_idle(), Some(tab.clock.get() + 1_000))), 0);
    wait(1_000);
    assert_eq!(flushed(&|| assert_eq!(tab.engine.flush_group_when_idle(), None)), 1);
    assert_eq!(tab.engine.flush_group_when_idle(), None);
    // A clock that is set back does not make it wait for hours.
    for id in 50..52 {
        add(&client, &[id], "COMMIT");
    }
    assert!(tab.engine.flush_group_when_idle().is_some());
    wait(-3_600_000_000);
    assert_eq!(flushed(&|| assert_eq!(tab.engine.flush_group_when_idle(), None)), 1);
    // However closely they follow, the first of them does not wait for ever.
    let run = |ids: std::ops::Range<i64>| {
        flushed(&|| {
            ids.clone().for_each(|id| {
                add(&client, &[id], "COMMIT");
                wait(2_500);
            });
        })
    };
    assert_eq!(run(20..40), 0);
    assert_eq!(run(40..41), 1);
    tab.engine.flush_group().unwrap();
    // Nor does a transaction have to make its trees because of those that it is stacked on.
    let (first, many) = (1_000, 100);
    assert_eq!(flushed(&|| add(&client, &[first], "COMMIT")), 0);
    let long = || {
        rows(&client.session, "BEGIN");
        for id in first + 1..first + many {
            client.change(0, &ints(&[id, id, 1]));
            wait(1_000);
            assert!(tab.engine.flush_group_when_idle().is_some());
        }
        rows(&client.session, "COMMIT");
    };
    assert_eq!(flushed(&long), 0);
    assert_eq!(flushed(&|| rows(&client.session, "BEGIN").clear()), 1);
    // One that is idle does.
    client.change(0, &ints(&[first + many, 2_000, 1]));
    rows(&client.session, "COMMIT");
    rows(&client.session, "BEGIN");
    client.change(0, &ints(&[first + many + 1, 2_001, 1]));
    assert!(tab.engine.flush_group_when_idle().is_some());
    wait(4_000);
    assert_eq!(flushed(&|| assert_eq!(tab.engine.flush_group_when_idle(), None)), 1);
    rows(&client.session, "COMMIT");
    assert_eq!(rows(&client.session, "SELECT count(*) FROM parent WHERE id > 1000"), [["101"]]);
}
