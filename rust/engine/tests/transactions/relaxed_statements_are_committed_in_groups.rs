//! With relaxed durability, statements that change rows by their keys are committed together, a little later. What anybody sees, and
//! what is there in the end, is the same as if each had been committed by itself; a crash leaves a prefix of them.

use std::rc::Rc;

use engine::{Cursor, Params};
use region::CrashDirectory;
use store::Durability;
use value::Value;

use crate::common::changes::{CHANGES, Random, TABLES};
use crate::common::fresh::{self, error, rows};
use crate::common::tabs::{Client, SharedLock, Tab, ints, told};

const RELAXED: Durability = Durability::Relaxed { window_ms: 100 };

fn tab(disk: &Rc<CrashDirectory>) -> Tab {
    Tab::open(disk, &SharedLock::default(), 1, RELAXED, true)
}

/// Two sessions, with autocommit and without, where each statement is committed by itself and where they are committed in groups.
fn groups_equal_single_commits(durability: Durability, statements_a_commit: u64) {
    let tab = Tab::open(&CrashDirectory::new(3), &SharedLock::default(), 1, durability, true);
    let alone = fresh::engine_over(&fresh::chunks());
    let sides = [&tab.engine, &alone].map(|engine| [Client::new(engine), Client::new(engine)]);
    let both = |who: usize, text: &str| {
        let [together, alone] = [0, 1].map(|side| {
            let given = sides[side][who].session.query(text).and_then(Cursor::collect);
            given.map(|(_, rows, _)| format!("{rows:?}")).map_err(|error| error.to_string())
        });
        assert_eq!(together, alone, "{text}");
    };
    TABLES.iter().for_each(|text| both(0, text));
    let mut random = Random(11);
    let (mut who, mut changes) = (0, 0);
    for step in 0..6_000 {
        match random.below(60) {
            0 => who = random.below(2) as usize,
            1 => tab.engine.flush_group().unwrap(),
            2 => both(who, "SELECT count(*), sum(n), max(code) FROM parent WHERE n > 2"),
            3 => both(who, "SELECT last_insert_id(), row_count(), dolt_hashof_db()"),
            4 => both(who, "CALL dolt_commit('-A', '--allow-empty', '-m', 'now')"),
            5 => {
                both(1, ["COMMIT", "ROLLBACK"][random.below(2) as usize]);
                if random.below(3) == 0 {
                    both(1, "START TRANSACTION");
                }
            }
            8..11 => both(who, ["START TRANSACTION", "COMMIT", "COMMIT", "ROLLBACK"][random.below(4) as usize]),
            6 => both(who, ["SET @@autocommit = 0", "COMMIT", "ROLLBACK"][random.below(3) as usize]),
            7 => both(who, "SET @@autocommit = 1"),
            _ => {
                let at = random.below(CHANGES.len() as u64) as usize;
                // Texts are other types, for which the statement is planned anew.
                let is_text = random.below(12) == 0;
                let param = |random: &mut Random| match random.below(60) as i64 {
                    number if is_text => Value::Text(number.to_string().into()),
                    number => Value::Int(number),
                };
                let params: Vec<Value<'static>> = (0..CHANGES[at].1).map(|_| param(&mut random)).collect();
                let [together, alone] = [0, 1].map(|side| sides[side][who].change(at, &params));
                assert_eq!(together, alone, "step {step}: {} {params:?}", CHANGES[at].0);
                changes += 1;
            }
        }
    }
    for (who, text) in [(0, "COMMIT"), (1, "COMMIT"), (0, "SELECT dolt_hashof_db()"), (1, "SELECT * FROM dolt_log")] {
        both(who, text);
    }
    for table in ["parent", "child", "strict_child", "bag"] {
        both(0, &format!("SELECT * FROM {table}"));
        both(0, &format!("SELECT dolt_hashof_table('{table}')"));
    }
    assert!(tab.commits() * statements_a_commit < changes, "{} commits of {changes} changes", tab.commits());
}

#[test]
fn a_group_is_what_would_have_been_committed_one_by_one() {
    groups_equal_single_commits(RELAXED, 3);
}

#[test]
fn so_it_is_with_statements_that_are_durable() {
    groups_equal_single_commits(Durability::Full, 2);
}

#[test]
fn a_commit_comes_with_those_before_it_until_something_else_begins() {
    let tab = tab(&CrashDirectory::new(5));
    let (client, other) = (Client::new(&tab.engine), Client::new(&tab.engine));
    TABLES.iter().for_each(|text| drop(rows(&client.session, text)));
    client.change(0, &ints(&[0, 0, 0]));
    let before = tab.commits();
    let flushes = |what: &dyn Fn()| {
        let id = 10 * (1 + (tab.commits() - before)) as i64;
        let commits = tab.commits();
        (id..id + 4).for_each(|id| drop(client.change(0, &ints(&[id, id, 1]))));
        assert_eq!(tab.commits(), commits, "nothing is committed yet");
        what();
        assert_eq!(tab.commits(), commits + 1, "and then all at once");
    };
    flushes(&|| drop(rows(&client.session, "SELECT 1")));
    flushes(&|| drop(rows(&other.session, "SELECT 1")));
    flushes(&|| drop(rows(&client.session, "COMMIT")));
    flushes(&|| drop(rows(&client.session, "ROLLBACK")));
    flushes(&|| drop(rows(&client.session, "START TRANSACTION READ ONLY")));
    rows(&client.session, "COMMIT");
    flushes(&|| tab.engine.flush_group_quietly());
    assert_eq!(rows(&other.session, "SELECT count(*) FROM parent"), [["25"]]);
    // What the session leaves is not lost with it.
    client.change(0, &ints(&[99, 99, 1]));
    drop(client);
    assert_eq!(rows(&other.session, "SELECT count(*) FROM parent"), [["26"]]);
    // Many are not kept waiting.
    let commits = tab.commits();
    (100..900).for_each(|id| drop(other.change(0, &ints(&[id, id, 1]))));
    assert_eq!(tab.commits() - commits, 4, "the first by itself, for it is not planned yet");
}

/// A statement that fails, even one that has to look at the tables first, takes nothing of those before it along.
#[test]
fn a_failing_statement_leaves_those_before_it() {
    let tab = tab(&CrashDirectory::new(5));
    for begin in ["SELECT 1", "START TRANSACTION"] {
        let client = Client::new(&tab.engine);
        TABLES.iter().rev().for_each(|text| {
            let name = text.split(' ').nth(2).unwrap();
            rows(&client.session, &format!("DROP TABLE IF EXISTS {name}"));
        });
        TABLES.iter().for_each(|text| drop(rows(&client.session, text)));
        rows(&client.session, begin);
        (0..5).for_each(|id| drop(client.change(0, &ints(&[id, id, 1]))));
        assert!(client.change(0, &ints(&[7, 1, 1])).contains("duplicate"), "by its code");
        let other_types = ["3", "9", "1"].map(|text| Value::Text(text.into()));
        assert!(client.change(0, &other_types).contains("duplicate"), "by its key");
        assert!(client.change(9, &ints(&[1, 77])).contains("Foreign key"));
        client.change(7, &ints(&[4]));
        assert_eq!(rows(&client.session, "SELECT id FROM parent"), [["0"], ["1"], ["2"], ["3"]], "after {begin}");
        rows(&client.session, "COMMIT");
    }
}

#[test]
fn no_other_tab_commits_before_pending_commits() {
    let (disk, shared) = (CrashDirectory::new(6), SharedLock::default());
    let tab = Tab::open(&disk, &shared, 1, RELAXED, true);
    let client = Client::new(&tab.engine);
    TABLES.iter().for_each(|text| drop(rows(&client.session, text)));
    let other = Tab::open(&disk, &shared, 2, RELAXED, false);
    let session = other.engine.session();
    (0..3).for_each(|id| drop(client.change(0, &ints(&[id, id, 1]))));
    rows(&session, "START TRANSACTION");
    rows(&session, "INSERT INTO parent VALUES (1, 'other', 5)");
    let mut cursor = session.query("COMMIT").unwrap();
    let mut wait = || {
        let mut steps = (0..3).map(|_| cursor.next(i64::MAX));
        steps.find_map(|step| match step {
            Ok(engine::Step::Wait) => None,
            step => Some(step.map(drop)),
        })
    };
    assert!(wait().is_none(), "the other tab waits for the lock");
    tab.engine.flush_group().unwrap();
    // It had begun before; now it finds what was acknowledged, and the same key.
    assert_eq!(wait().expect("it has the lock").unwrap_err().errno, 1213);
    assert_eq!(rows(&session, "SELECT count(*), sum(n) FROM parent"), [["3", "3"]]);
}

#[test]
fn what_cannot_be_stored_is_kept_and_told() {
    let (disk, shared) = (CrashDirectory::new(8), SharedLock::default());
    let tab = Tab::open(&disk, &shared, 1, RELAXED, true);
    let (client, reader) = (Client::new(&tab.engine), Client::new(&tab.engine));
    TABLES.iter().for_each(|text| drop(rows(&client.session, text)));
    (0..4).for_each(|id| drop(client.change(0, &ints(&[id, id, 1]))));
    disk.set_full(true);
    tab.engine.flush_group_quietly();
    assert_eq!(rows(&client.session, "SELECT count(*) FROM parent"), [["4"]], "who wrote it sees it");
    assert_eq!(rows(&client.session, "SHOW TABLES").len(), 4);
    let count = || rows(&reader.session, "SELECT count(*) FROM parent");
    assert_eq!(count(), [["1"]], "others see what is stored");
    let (errno, text) = error(&client.session, "UPDATE parent SET n = 3");
    assert_eq!(errno, 1021, "{text}");
    assert!(text.contains("up to 3 statements before this one are not stored yet"), "{text}");
    assert_eq!(error(&reader.session, "DELETE FROM parent").0, 1021);
    assert!(client.change(0, &ints(&[9, 9, 1])).contains("not stored yet"));
    // There is room again.
    disk.set_full(false);
    client.change(0, &ints(&[5, 5, 1]));
    tab.engine.flush_group().unwrap();
    assert_eq!(count(), [["5"]]);

    // The lock was not kept meanwhile: another writer changes the same row first.
    [2, 1].iter().for_each(|id| drop(client.change(5, &ints(&[*id]))));
    disk.set_full(true);
    tab.engine.flush_group_quietly();
    disk.set_full(false);
    let other = Tab::open(&disk, &shared, 2, RELAXED, false);
    rows(&other.engine.session(), "UPDATE parent SET n = 50 WHERE id = 1");
    tab.engine.flush_group_quietly();
    let (errno, text) = error(&reader.session, "SELECT 1");
    assert_eq!(errno, 1213, "{text}");
    assert!(text.contains("are lost"), "{text}");
    assert_eq!(rows(&client.session, "SELECT n FROM parent WHERE id = 1"), [["50"]]);
}

/// A statement that is too large to wait with those before it, which are committed with it: when that fails, they stay and it is gone.
#[test]
fn a_statement_that_could_not_be_committed_is_not_stored_later() {
    let large: String = (0..8000).map(|id| format!(", ({}, repeat('x', 1000))", 10_000 - id)).collect();
    let large = format!("INSERT INTO log VALUES {}", &large[2..]);
    for durability in [RELAXED, Durability::Full] {
        for (number, expected) in [(1021, "no space left"), (1205, "another writer")] {
            let (disk, shared) = (CrashDirectory::new(8), SharedLock::default());
            let tab = Tab::open(&disk, &shared, 1, durability, true);
            let session = tab.engine.session();
            rows(&session, "CREATE TABLE log (id INT PRIMARY KEY, filler VARCHAR(1000))");
            let [small, large] = ["INSERT INTO log VALUES (?, '')", &large].map(|text| session.prepare(text).unwrap());
            let insert = |id: i64| told(session.execute(&small, &ints(&[20_000 + id])));
            (0..3).for_each(|id| drop(insert(id)));
            let commits = tab.commits();
            insert(3);
            assert_eq!(tab.commits(), commits, "it waits for others");
            disk.set_full(number == 1021);
            if number == 1205 {
                // A program that writes without the lock.
                let other = Tab::open(&disk, &SharedLock::default(), 2, durability, false);
                rows(&other.engine.session(), "INSERT INTO log VALUES (50000, '')");
            }
            let refused = session.execute(&large, &Params::default()).and_then(Cursor::collect).unwrap_err();
            assert_eq!(refused.errno, number, "{}", refused.message);
            assert!(refused.message.contains(expected), "{}", refused.message);
            disk.set_full(false);
            assert_eq!(insert(4), "Some(1) None 0");
            let count = "SELECT count(*), count(if(id < 20000, 1, NULL)), count(if(id < 50000, 1, NULL)) FROM log";
            let kept = [if number == 1205 { "6" } else { "5" }, "0", "5"];
            assert_eq!(rows(&session, count), [kept], "{durability:?}, error {number}");
            shared.set((None, 1, shared.get().2));
            let other = Tab::open(&disk, &shared, 2, durability, false);
            assert_eq!(rows(&other.engine.session(), count), [kept], "{durability:?}, error {number}: from the files");
        }
    }
}

/// A tab that put something before another one collected: its next statement fails, and nothing that was acknowledged is lost.
#[test]
fn a_statement_behind_a_collection_of_another_tab_is_not_acknowledged_in_vain() {
    let (disk, shared) = (CrashDirectory::new(12), SharedLock::default());
    let tab = Tab::open(&disk, &shared, 1, RELAXED, true);
    let (client, beside) = (Client::new(&tab.engine), Client::new(&tab.engine));
    TABLES.iter().for_each(|text| drop(rows(&client.session, text)));
    (0..3).for_each(|id| drop(client.change(0, &ints(&[id, id, 1]))));
    // Chunks of an open transaction, which a collection elsewhere may take.
    rows(&beside.session, "START TRANSACTION");
    rows(&beside.session, "UPDATE parent SET n = 9 WHERE n = 1");
    rows(&beside.session, "SELECT count(*) FROM parent");
    tab.engine.flush_group().unwrap();
    let other = Tab::open(&disk, &shared, 2, RELAXED, false);
    rows(&other.engine.session(), "CALL dolt_gc()");
    let mut acknowledged = 3;
    for id in 3..9 {
        let told = client.change(0, &ints(&[id, id, 1]));
        acknowledged += i32::from(told.starts_with("Some(1)"));
        assert!(told.starts_with("Some(1)") || told.contains("garbage collection"), "{told}");
    }
    rows(&beside.session, "ROLLBACK");
    assert_eq!(rows(&client.session, "SELECT count(*) FROM parent"), [[acknowledged.to_string()]]);
    let found = rows(&other.engine.session(), "SELECT count(*) FROM parent");
    assert_eq!(found, [[acknowledged.to_string()]]);
}

/// Where the tables have something that is to be looked at before a commit, each statement is committed by itself.
#[test]
fn commits_that_could_be_refused_are_not_put_off() {
    let tab = tab(&CrashDirectory::new(9));
    let client = Client::new(&tab.engine);
    TABLES.iter().for_each(|text| drop(rows(&client.session, text)));
    let commits_each = |what: &str| {
        let before = tab.commits();
        (0..3).for_each(|id| {
            client.change(7, &ints(&[id]));
            client.change(0, &ints(&[id, id, 1]));
        });
        assert!(tab.commits() >= before + 3, "{what}");
    };
    client.change(0, &ints(&[0, 0, 0]));
    client.change(7, &ints(&[0]));
    rows(&client.session, "SET @@dolt_transaction_commit = 1");
    commits_each("with a Dolt commit each");
    rows(&client.session, "SET @@dolt_transaction_commit = 0");
    rows(&client.session, "ALTER TABLE parent ADD FULLTEXT KEY words (code)");
    client.change(0, &ints(&[0, 0, 0]));
    client.change(7, &ints(&[0]));
    commits_each("with an index of words");
    rows(&client.session, "CREATE TRIGGER t BEFORE INSERT ON bag FOR EACH ROW SET NEW.a = 1");
    commits_each("with a trigger");
}

/// After a crash the statements up to some point are there, all of those that were flushed among them.
#[test]
fn a_crash_leaves_a_prefix() {
    const LOG: &str = "INSERT INTO log VALUES (?, repeat('x', ?))";
    const COUNT: &str = "UPDATE tally SET n = ? WHERE id = 1";
    let (mut lost, mut kept) = (0, 0);
    for seed in 0..200 {
        let mut random = Random(seed * 77 + 5);
        let disk = CrashDirectory::new(seed);
        let tab = Tab::open(&disk, &SharedLock::default(), 1, RELAXED, true);
        let session = tab.engine.session();
        for text in
            ["CREATE TABLE log (id INT PRIMARY KEY, filler TEXT)", "CREATE TABLE tally (id INT PRIMARY KEY, n INT)"]
        {
            rows(&session, text);
        }
        rows(&session, "INSERT INTO tally VALUES (1, -1)");
        tab.store.flush().unwrap();
        disk.cut_power_after(random.below(60));
        let (log, count) = (session.prepare(LOG).unwrap(), session.prepare(COUNT).unwrap());
        let (mut acknowledged, mut safe) = (0, 0);
        // One statement after the other: the row of a number, then the number.
        for at in 0..2 * random.below(80) as i64 {
            let done = match at % 2 {
                0 => session.execute(&log, &ints(&[at / 2, (at * 37) % 3000])),
                _ => session.execute(&count, &ints(&[at / 2])),
            };
            if done.and_then(Cursor::collect).is_err() {
                break;
            }
            acknowledged = at + 1;
            match random.below(30) {
                0 if tab.engine.flush_group().is_err() => break,
                1 if tab.engine.flush_group().is_ok() && tab.store.flush().is_ok() => safe = acknowledged,
                _ => {}
            }
        }
        let after = Tab::open(&disk.crash(), &SharedLock::default(), 1, RELAXED, false).engine.session();
        let found = rows(&after, "SELECT (SELECT count(*) FROM log), (SELECT max(id) FROM log), (SELECT n FROM tally)");
        let number = |at: usize| found[0][at].parse::<i64>().unwrap_or(-1);
        let (logged, last, tally) = (number(0), number(1), number(2));
        assert_eq!(logged, last + 1, "seed {seed}: rows are missing");
        assert!(tally == last || tally == last - 1, "seed {seed}: {last} and {tally} are of no moment");
        let statements = logged + tally + 1;
        // The one that failed may have come to be stored with those before it.
        assert!(
            (safe..=acknowledged + 1).contains(&statements),
            "seed {seed}: {statements} of {acknowledged}, {safe} safe"
        );
        lost += i64::from(statements < acknowledged);
        kept += i64::from(statements > 0);
    }
    assert!(lost > 20 && kept > 20, "{lost} {kept}");
}
