//! INSERTs of many rows that follow each other are written down as they are, too, and become trees together: whatever a crash takes,
//! each that was acknowledged is there, and none is there in part.

use std::path::Path;
use std::rc::Rc;

use engine::{Cursor, Session};
use region::{CrashDirectory, Directory};
use store::{Chunks, Durability};
use value::Value;

use crate::common;
use crate::common::changes::Random;
use crate::common::fresh::rows;
use crate::common::tabs::{SharedLock, Tab, told};

const TABLE: &str =
    "CREATE TABLE log (id INT PRIMARY KEY, code CHAR(12) UNIQUE, filler VARCHAR(700), KEY (filler(10)))";
const FOUND: &str = "SELECT count(*), max(id), count(DISTINCT code) FROM log";

fn open(disk: &Rc<CrashDirectory>, is_new: bool) -> Tab {
    Tab::open(disk, &SharedLock::default(), 1, Durability::Full, is_new)
}

/// INSERTs of so many rows each.
struct Bulk {
    session: Session,
    insert: String,
    rows: i64,
    random: Random,
}

impl Bulk {
    fn new(tab: &Tab, rows: i64, seed: u64) -> Bulk {
        let session = tab.engine.session();
        common::fresh::rows(&session, "USE mydb");
        Bulk { session, insert: insert_of(rows), rows, random: Random(seed) }
    }

    /// The statement of a number; its keys come in no order.
    fn insert(&mut self, number: i64) -> engine::Result<Cursor> {
        let ids = number * self.rows..(number + 1) * self.rows;
        let params: Vec<Value<'static>> = ids.flat_map(|id| row(id, &mut self.random)).collect();
        // The text is known from the time before.
        self.session.execute(&*self.session.prepare(&self.insert)?, &params)
    }
}

fn insert_of(rows: i64) -> String {
    format!("INSERT INTO log VALUES {}", vec!["(?, ?, ?)"; rows as usize].join(", "))
}

fn row(id: i64, random: &mut Random) -> [Value<'static>; 3] {
    // Noise, so that records are as long as what they say.
    let filler: String = (0..600).map(|_| char::from(b'!' + random.below(90) as u8)).collect();
    [Value::Int(id), Value::text(format!("{:012}", id * 7_919 % 1_000_003)), Value::text(filler)]
}

/// Rows before all others: their edits wait, and are written down.
#[test]
fn a_run_of_them_is_committed_every_few_megabytes() {
    let disk = CrashDirectory::new(1);
    let tab = open(&disk, true);
    let mut bulk = Bulk::new(&tab, 400, 1);
    rows(&bulk.session, TABLE);
    let mut insert = |number: i64| told(bulk.insert(100 - number));
    (0..2).for_each(|number| drop(insert(number)));
    let (commits, flushes) = (tab.commits(), disk.flushes());
    (2..5).for_each(|number| drop(insert(number)));
    assert_eq!((tab.commits() - commits, disk.flushes() - flushes), (0, 3));
    assert!(insert(3).contains("duplicate"), "its rows are seen, and nothing is written");
    assert_eq!((tab.commits() - commits, disk.flushes() - flushes), (0, 3));
    (5..18).for_each(|number| drop(insert(number)));
    let commits = tab.commits() - commits;
    assert!((1..4).contains(&commits), "{commits}");
    // The one that makes them too many is committed with those before it, and needs no record.
    assert_eq!(disk.flushes() - flushes, 16);
    assert_eq!(rows(&bulk.session, FOUND), [["7200", "40399", "7200"]]);
}

/// Rows behind all others are in the tree at once, beside the records of what they change in indexes.
#[test]
fn rows_that_come_in_order_are_written_once() {
    const CHANGES: [&str; 4] = [
        "DELETE FROM log WHERE id = 7199",
        "UPDATE log SET filler = 'changed' WHERE id = 100",
        "UPDATE log SET filler = 'changed' WHERE id = 7198",
        "INSERT INTO log VALUES (-1, 'before', 'all'), (7199, 'again', 'there')",
    ];
    let (disk, shared) = (CrashDirectory::new(7), SharedLock::default());
    let tab = Tab::open(&disk, &shared, 1, Durability::Full, true);
    let alone = Tab::open(&CrashDirectory::new(8), &SharedLock::default(), 1, Durability::Full, true);
    let [mut bulk, mut other] = [&tab, &alone].map(|tab| Bulk::new(tab, 400, 7));
    [&bulk, &other].iter().for_each(|bulk| drop(rows(&bulk.session, TABLE)));
    // Their plans are known from the time before.
    let changes = CHANGES.map(|text| bulk.session.prepare(text).unwrap());
    changes.iter().for_each(|change| drop(told(bulk.session.execute(change, &[]))));
    rows(&bulk.session, "DELETE FROM log");
    (0..2).for_each(|number| drop(told(bulk.insert(number))));
    let (commits, flushes) = (tab.commits(), disk.flushes());
    let before = tab.store.stats().appended_bytes;
    (2..18).for_each(|number| drop(told(bulk.insert(number))));
    assert_eq!((tab.commits() - commits, disk.flushes() - flushes), (0, 16));
    let written = tab.store.stats().appended_bytes - before;
    let fillers = 16 * 400 * 600;
    assert!((fillers..fillers * 5 / 4).contains(&written), "{written} bytes for {fillers}");
    // Some of them change, some go, others come in between; recovery of the records has all of that.
    changes.iter().for_each(|change| drop(told(bulk.session.execute(change, &[]))));
    told(bulk.insert(18));
    told(bulk.session.execute(&changes[0], &[]));
    assert_eq!(tab.commits() - commits, 0);
    std::mem::forget((tab, bulk));
    check_by_native(&disk, "SELECT count(*) FROM log", "800");
    shared.set((None, 1, shared.get().2));
    let found = Tab::open(&disk, &shared, 2, Durability::Full, false);

    for number in 0..18 {
        told(other.insert(number));
        alone.engine.flush_group().unwrap();
    }
    CHANGES.iter().for_each(|text| drop(rows(&other.session, text)));
    told(other.insert(18));
    rows(&other.session, CHANGES[0]);
    let found = found.engine.session();
    rows(&found, "USE mydb");
    for text in [FOUND, "SELECT dolt_hashof_table('log')"] {
        assert_eq!(rows(&found, text), rows(&other.session, text), "{text}");
    }
    check_by_native(&disk, "SELECT count(*) FROM log", &rows(&found, FOUND)[0][0]);
}

/// One of many things that a client does with the table, told to two engines. `next` is a key behind all others.
fn one_of_many(random: &mut Random, next: &mut i64, clients: [&Session; 2]) {
    let any_key = random.below(*next as u64 + 1) as i64;
    let seed = random.below(1 << 30);
    let run = |text: &str, params: &[Value<'static>], session: &Session| {
        told(session.prepare(text).and_then(|statement| session.execute(&statement, params)))
    };
    let bulk = |from: i64, session: &Session| {
        let mut random = Random(seed);
        let params: Vec<Value<'static>> = (from..from + 60).flat_map(|id| row(id, &mut random)).collect();
        run(&insert_of(60), &params, session)
    };
    let what = random.below(12);
    let ends = if random.below(2) == 0 { "COMMIT" } else { "ROLLBACK" };
    let [one, other] = clients.map(|session| match what {
        0..4 => bulk(*next, session),
        4 => bulk(-*next - 60, session),
        // Some of them are there.
        5 => bulk(*next - 30, session),
        6 => run("UPDATE log SET filler = 'changed' WHERE id = ?", &[Value::Int(any_key)], session),
        7 => run("DELETE FROM log WHERE id = ?", &[Value::Int(any_key)], session),
        8 => run("INSERT INTO log (id) VALUES (?)", &[Value::Int(*next)], session),
        9 => {
            let begun = run("START TRANSACTION", &[], session) + &bulk(*next, session);
            let changed = run("DELETE FROM log WHERE id = ?", &[Value::Int(*next + 3)], session);
            begun + &changed + &run(ends, &[], session)
        }
        10 => format!("{:?}", rows(session, FOUND)),
        _ => run("COMMIT", &[], session),
    });
    assert_eq!(one, other, "{what} of {next}");
    *next += 60;
}

/// Whatever comes between them, and whenever the page goes away: what is found is what one has that commits each.
#[test]
fn whatever_comes_between_them_each_is_there() {
    for seed in 1..5 {
        let mut random = Random(seed * 1_001);
        let disk = CrashDirectory::new(seed);
        let alone = Tab::open(&CrashDirectory::new(99), &SharedLock::default(), 1, Durability::Full, true);
        let wanted = alone.engine.session();
        rows(&wanted, "USE mydb");
        [&wanted, &Bulk::new(&open(&disk, true), 1, 0).session].iter().for_each(|session| drop(rows(session, TABLE)));
        let mut next = 1_000;
        for round in 0..5 {
            let tab = open(&disk, false);
            let session = tab.engine.session();
            rows(&session, "USE mydb");
            for _ in 0..random.below(40) {
                one_of_many(&mut random, &mut next, [&session, &wanted]);
                alone.engine.flush_group().unwrap();
            }
            // As a page does, and nothing is flushed.
            std::mem::forget((tab, session));
            let found = open(&disk, false).engine.session();
            rows(&found, "USE mydb");
            for text in [FOUND, "SELECT dolt_hashof_table('log')"] {
                assert_eq!(rows(&found, text), rows(&wanted, text), "seed {seed}, round {round}: {text}");
            }
        }
    }
}

/// To native Dolt the files are whole, and say this: it passes over what is not committed.
fn check_by_native(disk: &CrashDirectory, text: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bulk");
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(path.join(".dolt/noms")).unwrap();
    for name in ["manifest", "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"].map(|name| format!(".dolt/noms/{name}")) {
        let file = disk.open(&name).unwrap().expect("the store has it");
        let mut bytes = vec![0; file.len() as usize];
        file.read_at(0, &mut bytes).unwrap();
        std::fs::write(path.join(name), bytes).unwrap();
    }
    let state = r#"{"head": "refs/heads/main", "remotes": {}, "backups": {}, "branches": {}}"#;
    std::fs::write(path.join(".dolt/repo_state.json"), state).unwrap();
    let Some(checked) = native_dolt::run(&path, &["fsck", "--quiet"]) else { return };
    assert!(!checked.contains("rror"), "{checked}");
    let told = native_dolt::run(&path, &["sql", "-r", "csv", "-q", text]).unwrap();
    assert_eq!(told.lines().last(), Some(wanted));
}

/// Statements 20 ms after each other: every third or so is flushed with those before it, or one of more, where the flush has taken long.
#[test]
fn the_longer_a_flush_takes_the_larger_is_the_next_group() {
    let disk = CrashDirectory::new(3);
    let tab = open(&disk, true);
    let mut bulk = Bulk::new(&tab, 10, 3);
    rows(&bulk.session, TABLE);
    let mut number = 0;
    let mut commits_of = |statements: i64| {
        let before = tab.commits();
        for _ in 0..statements {
            drop(told(bulk.insert(number)));
            number += 1;
            tab.clock.set(tab.clock.get() + 20_000);
        }
        tab.commits() - before
    };
    assert!((2..5).contains(&commits_of(9)));
    tab.tick.set(30_000);
    tab.engine.flush_group().unwrap();
    tab.tick.set(0);
    assert!(commits_of(9) < 2);
    // That took no time.
    tab.engine.flush_group().unwrap();
    assert!((2..5).contains(&commits_of(9)));
    assert_eq!(rows(&bulk.session, FOUND), [["270", "269", "270"]]);
}

/// Rows of literals, in texts that differ.
#[test]
fn those_whose_rows_stand_in_the_text_are_as_well() {
    let disk = CrashDirectory::new(2);
    let tab = open(&disk, true);
    let session = tab.engine.session();
    rows(&session, "USE mydb");
    rows(&session, TABLE);
    let text = |number: i64, count: i64| {
        let row = |id| format!("({id}, 'c{id}', 'filler')");
        format!("INSERT INTO log VALUES {}", (number..number + count).map(row).collect::<Vec<_>>().join(", "))
    };
    (0..2).for_each(|number| drop(rows(&session, &text(number * 100, 100))));
    let (commits, flushes) = (tab.commits(), disk.flushes());
    (2..8).for_each(|number| drop(rows(&session, &text(number * 100, 90))));
    assert_eq!((tab.commits() - commits, disk.flushes() - flushes), (0, 6));
    assert_eq!(rows(&session, FOUND), [["740", "789", "740"]]);
}

/// The power is cut anywhere, also while what was left is taken over.
#[test]
fn a_crash_takes_none_that_was_acknowledged_and_leaves_none_in_part() {
    let mut redone = 0;
    for seed in 0..14 {
        let mut random = Random(seed * 77 + 5);
        let mut disk = CrashDirectory::new(seed);
        let tab = open(&disk, true);
        rows(&Bulk::new(&tab, 1, 0).session, TABLE);
        drop(tab);
        let mut acknowledged = 0;
        for _ in 0..3 {
            disk.cut_power_after(random.below(36));
            let changed = (|| -> engine::Result<()> {
                let tab = open(&disk, false);
                tab.engine.session().query("SELECT 1").and_then(Cursor::collect)?;
                let mut bulk = Bulk::new(&tab, 60, random.below(1 << 30));
                let begin = acknowledged;
                for number in begin..begin + random.below(14) as i64 {
                    bulk.insert(number)?.collect()?;
                    acknowledged = number + 1;
                    if random.below(12) == 0 {
                        tab.engine.flush_group()?;
                    }
                }
                // No more than a crash of the page.
                std::mem::forget((tab, bulk));
                Ok(())
            })();
            if let Err(error) = changed {
                let text = error.to_string();
                assert!(text.contains("gone") || text.contains("open the database again"), "seed {seed}: {text}");
            }
            disk = disk.crash();
            if random.below(2) == 0 {
                disk.cut_power_after(random.below(6));
                let _ = open(&disk, false).engine.session().query("SELECT 1").and_then(Cursor::collect);
                disk = disk.crash();
            }
            let tab = open(&disk, false);
            let before = tab.commits();
            let found = rows(&tab.engine.session(), FOUND);
            redone += tab.commits() - before;
            let count: i64 = found[0][0].parse().unwrap();
            assert_eq!(count % 60, 0, "seed {seed}: one is there in part");
            assert!((acknowledged..=acknowledged + 1).contains(&(count / 60)), "seed {seed}: {count}, {acknowledged}");
            assert!(
                count == 0 || found[0][1..] == [(count - 1).to_string(), count.to_string()],
                "seed {seed}: {found:?}"
            );
            acknowledged = count / 60;
        }
    }
    assert!(redone > 8, "{redone}");
}

/// Recovery of a record with meaningless bytes fails, or takes it for possible changes.
#[test]
fn damaged_records_are_errors() {
    let disk = CrashDirectory::new(4);
    let tab = open(&disk, true);
    let mut bulk = Bulk::new(&tab, 3, 4);
    rows(&bulk.session, TABLE);
    (0..3).for_each(|number| drop(told(bulk.insert(number))));
    std::mem::forget((tab, bulk));
    let before = disk.crash();
    let record = open(&before, false).store.left_redo(true).unwrap().remove(0);
    let disk = CrashDirectory::new(5);
    rows(&Bulk::new(&open(&disk, true), 1, 0).session, TABLE);
    let mut random = Random(6);
    let (mut errors, mut taken) = (0, 0);
    for _ in 0..200 {
        let mut damaged = record.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(damaged.len() as u64) as usize;
            match random.below(4) {
                0 => damaged.truncate(at.max(1)),
                1 => damaged[at] = 0xff,
                _ => damaged[at] ^= 1 << random.below(8),
            }
        }
        let disk = disk.crash();
        let gone = open(&disk, false);
        assert_eq!(gone.store.hold(&gone.store.root(), &mut || Some(damaged.clone())), Ok(true));
        std::mem::forget(gone);
        let session = open(&disk, false).engine.session();
        match session.query("UPDATE mydb.log SET filler = 'x' WHERE id = -1").and_then(Cursor::collect) {
            Ok(_) => taken += 1,
            Err(_) => errors += 1,
        }
        rows(&session, "SELECT count(*) FROM mydb.log");
    }
    assert!(errors > 50 && taken > 10, "{errors} {taken}");
}
