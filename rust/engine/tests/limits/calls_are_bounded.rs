//! No call into the engine works long, whatever the data: statements of every kind over many rows, every function with large
//! arguments and plans of large texts return, and end when the host cuts them. What a call does is counted by the session's work meter
//! (`engine::state::Work`), so that the test does not depend on the clock.
//!
//! `VARVE_INVENTORY=1 cargo test --release -p engine --test behaviour calls_are_bounded -- --nocapture` goes over all functions with
//! arguments of 1 MB and prints the slowest calls by the clock.

#![allow(clippy::disallowed_methods)] // native: it has a clock

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use engine::{Cursor, Host, LocalFile, Regex, RegexFailure, RegexFlags, Session, Step, Wish, functions};

use crate::common::fresh::{affected, chunks, open, rows};
use crate::common::{FixedHost, engine_on};

/// As the host of a page gives it after cheap statements.
const FUEL: i64 = 1 << 22;

/// What a call may do: its share, and what a range of rows or one value does beyond that.
fn work_max(value_bytes: usize) -> i64 {
    (48 << 20) + 64 * value_bytes as i64
}

/// Whether all of it is to be gone over.
fn is_inventory() -> bool {
    std::env::var_os("VARVE_INVENTORY").is_some()
}

/// A host whose wish is set by the test.
struct Ending {
    inner: FixedHost,
    wish: Rc<Cell<Wish>>,
    asked: Rc<Cell<u32>>,
    /// After so many questions it wants the end.
    patience: Rc<Cell<u32>>,
    /// Once it has been asked what it wants, no memory is left.
    runs_out: Rc<Cell<bool>>,
}

impl Host for Ending {
    fn now_microseconds(&self) -> i64 {
        self.inner.now_microseconds()
    }

    fn random(&self, bytes: &mut [u8]) {
        self.inner.random(bytes);
    }

    fn zone_offset_seconds(&self, zone: &str, at: i64) -> Option<i32> {
        self.inner.zone_offset_seconds(zone, at)
    }

    fn open_file(&self, name: &str) -> Option<Box<dyn LocalFile>> {
        self.inner.open_file(name)
    }

    fn regex(&self, pattern: &str, flags: RegexFlags) -> Option<Result<Rc<dyn Regex>, RegexFailure>> {
        self.inner.regex(pattern, flags)
    }

    fn wish(&self) -> Wish {
        self.asked.set(self.asked.get() + 1);
        if self.asked.get() > self.patience.get() { Wish::End } else { self.wish.get() }
    }

    fn memory_left(&self) -> usize {
        if self.runs_out.get() && self.asked.get() > 0 { 0 } else { usize::MAX }
    }
}

struct Ended {
    session: Session,
    wish: Rc<Cell<Wish>>,
    asked: Rc<Cell<u32>>,
    patience: Rc<Cell<u32>>,
    runs_out: Rc<Cell<bool>>,
}

fn session() -> Ended {
    let (wish, patience) = (Rc::new(Cell::new(Wish::GoOn)), Rc::new(Cell::new(u32::MAX)));
    let (asked, runs_out) = (Rc::default(), Rc::default());
    let host = Ending {
        inner: FixedHost,
        wish: wish.clone(),
        asked: Rc::clone(&asked),
        patience: patience.clone(),
        runs_out: Rc::clone(&runs_out),
    };
    let engine = engine_on(host);
    engine.attach("mydb", open(&chunks()));
    Ended { session: engine.session(), wish, asked, patience, runs_out }
}

/// Rows 0 … 1999 of a derived table.
fn numbers() -> String {
    let tens = "(SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 \
                UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)";
    format!(
        "(SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n AS n FROM {tens} a, {tens} b, {tens} c, {tens} d WHERE d.n < 2) numbers"
    )
}

struct Calls {
    /// The most that one call did, by the meter and by the clock.
    work: i64,
    longest: Duration,
    yields: u32,
    outcome: Result<u64, engine::SqlError>,
}

/// Runs a statement as a host does, at most so many calls.
fn run(session: &Session, sql: &str, calls_max: u32) -> Calls {
    session.state().work.forget_most();
    let (mut longest, mut yields, mut rows) = (Duration::ZERO, 0, 0);
    let mut timed = |work: &mut dyn FnMut() -> Result<Option<Step>, engine::SqlError>| {
        let began = Instant::now();
        let done = work();
        longest = longest.max(began.elapsed());
        done
    };
    let mut cursor: Option<Cursor> = None;
    let begun = timed(&mut || {
        cursor = Some(session.query(sql)?);
        Ok(None)
    });
    let mut outcome = begun.map(|_| 0);
    if let Some(mut cursor) = cursor {
        for _ in 0..calls_max {
            match timed(&mut || cursor.next(FUEL).map(Some)) {
                Ok(Some(Step::Batch(batch))) => {
                    rows += batch.rows as u64;
                    assert!(batch.rows == 1 || batch.memory_bytes() <= 3 << 20, "{sql}: {}", batch.memory_bytes());
                }
                Ok(Some(Step::Yield)) => yields += 1,
                Ok(Some(Step::Done(_))) => break,
                Ok(_) => {}
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
    }
    Calls { work: session.state().work.most(), longest, yields, outcome: outcome.map(|_| rows) }
}

/// Tables of two thousand rows.
fn filled() -> Ended {
    let ended = session();
    let session = &ended.session;
    affected(session, "CREATE TABLE t (id INT PRIMARY KEY, v INT, s VARCHAR(200), KEY by_v (v))");
    let numbers = numbers();
    affected(session, &format!("INSERT INTO t SELECT n, n % 100, CONCAT('text ', n) FROM {numbers}"));
    affected(session, "CREATE TABLE target LIKE t");
    affected(session, "CREATE TABLE log (id INT PRIMARY KEY AUTO_INCREMENT, v INT)");
    affected(session, "CREATE TABLE wide (id INT PRIMARY KEY, s LONGTEXT)");
    affected(session, "INSERT INTO wide SELECT id, REPEAT('x', 200000) FROM t WHERE id < 40");
    ended
}

const STATEMENTS: &[&str] = &[
    "SELECT * FROM t a JOIN t b ON a.v = b.v",
    "SELECT COUNT(*) FROM t a JOIN t b ON REPEAT(a.s, 10000) = REPEAT(b.s, 10000)",
    "SELECT COUNT(*) FROM t a LEFT JOIN t b ON LENGTH(REPEAT(a.s, 10000)) = LENGTH(REPEAT(b.s, 10000))",
    "SELECT (SELECT COUNT(*) FROM t b WHERE REPEAT(b.s, 10000) = REPEAT(a.s, 10000)) FROM t a",
    "SELECT COUNT(RAND(id)) FROM t a",
    "SELECT a.id, b.s FROM t a, t b WHERE a.s LIKE CONCAT('%', b.s, '%') AND a.id < 30",
    "SELECT REPEAT(s, 100000) FROM t",
    "SELECT s, REPEAT('x', 1000000) FROM t",
    "SELECT COUNT(*) FROM t WHERE LENGTH(REPEAT(s, 100000)) > 3",
    "SELECT v, MAX(REPEAT(s, 10000)) FROM t GROUP BY v",
    "SELECT MAX(MD5(REPEAT(s, 10000))) FROM t GROUP BY id ORDER BY 1 LIMIT 3",
    "SELECT id FROM t ORDER BY MD5(REPEAT(s, 10000)) LIMIT 3",
    "SELECT id FROM t ORDER BY HEX(REPEAT(s, 1000))",
    "SELECT SUM(v) OVER (ORDER BY id ROWS BETWEEN 100 PRECEDING AND CURRENT ROW), LAG(REPEAT(s, 1000)) OVER (ORDER BY id) FROM t",
    "SELECT DISTINCT REPEAT(s, 1000) FROM t",
    "SELECT REPEAT(s, 10000) FROM t UNION SELECT REPEAT(s, 10000) FROM t",
    "SELECT * FROM wide a, wide b, wide c",
    "SELECT a.s FROM wide a JOIN t ON a.id <> t.id WHERE t.id < 3 ORDER BY a.s, t.id",
    "SELECT GROUP_CONCAT(s) FROM wide a",
    "SELECT JSON_ARRAYAGG(REPEAT(s, 100)) FROM t GROUP BY v",
    "SELECT (SELECT COUNT(*) FROM t i WHERE i.s < o.s) FROM t o",
    "WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r WHERE n < 100000) SELECT SUM(n) FROM r",
    "INSERT INTO target SELECT id, v, CONCAT(s, 'x') FROM t",
    "REPLACE INTO t SELECT id, v + 1, s FROM t",
    "UPDATE t SET v = v + 1, s = CONCAT(s, MD5(REPEAT(s, 1000)))",
    "UPDATE t a JOIN t b ON a.id = b.id SET a.v = b.v + 1",
    "DELETE FROM t WHERE MD5(REPEAT(s, 1000)) <> ''",
    "CREATE TABLE made AS SELECT * FROM t",
    "CREATE INDEX by_s ON t (s)",
    "ALTER TABLE t ADD COLUMN w VARCHAR(100) NOT NULL DEFAULT 'w'",
    "ALTER TABLE t ADD CHECK (MD5(REPEAT(s, 1000)) <> '')",
    "ANALYZE TABLE t",
    "EXPLAIN ANALYZE SELECT COUNT(*) FROM t a JOIN t b ON a.v = b.v",
    "SELECT BENCHMARK(1000000, MD5(REPEAT('x', 1000)))",
    "SELECT COUNT(*) FROM information_schema.columns a, information_schema.columns b",
    "TRUNCATE TABLE t",
];

#[test]
fn a_statement_returns_between_rows() {
    for sql in STATEMENTS {
        let ended = filled();
        let calls = run(&ended.session, sql, if is_inventory() { 500 } else { 5 });
        if let Err(error) = &calls.outcome {
            assert!(matches!(error.errno, 1235 | 1105 | 1260 | 1041 | 1038), "{sql}: {error:?}");
        }
        assert!(calls.work <= work_max(4 << 20), "{sql}: {}", calls.work);
        // What was cut has done nothing, and the session goes on.
        assert_eq!(rows(&ended.session, "SELECT 1"), [["1"]], "{sql}");
        ended.wish.set(Wish::Yield);
        let calls = run(&ended.session, sql, 3);
        assert!(calls.work <= REACTION_WORK + 16 * (4 << 20), "{sql}: {} where the host wants its turn", calls.work);
        ended.wish.set(Wish::GoOn);
        if is_inventory() {
            println!("{:>8.1} ms {:>6} yields {sql}", calls.longest.as_secs_f64() * 1000.0, calls.yields);
        }
    }
}

/// What a call does after the host has asked for its turn or for the end: until it is asked next, and what a range of rows or a value does.
const REACTION_WORK: i64 = 8 << 20;

/// What lasts long in ways of its own.
fn endless(session: &Session) -> Vec<&'static str> {
    for sql in [
        "CREATE TABLE parent (id INT PRIMARY KEY)",
        "INSERT INTO parent VALUES (1)",
        "CREATE TABLE child (id INT PRIMARY KEY, p INT, KEY by_p (p), \
         FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE ON UPDATE CASCADE)",
        "INSERT INTO child SELECT id, 1 FROM t",
        "CREATE PROCEDURE spin() BEGIN WHILE 1 DO SET @x = 1; END WHILE; END",
        "CREATE PROCEDURE counting() BEGIN DECLARE n INT; WHILE 1 DO SELECT COUNT(*) INTO n FROM t; END WHILE; END",
        "CALL dolt_commit('-Am', 'base')",
        "CALL dolt_branch('side')",
        "UPDATE t SET s = CONCAT(s, 'x')",
        "CALL dolt_commit('-Am', 'ours')",
        "CALL dolt_checkout('side')",
        "UPDATE t SET v = v + 1",
        "CALL dolt_commit('-Am', 'theirs')",
        "CALL dolt_checkout('main')",
        "CALL dolt_tag('start')",
    ] {
        assert!(session.query(sql).and_then(Cursor::collect).is_ok(), "{sql}");
    }
    vec![
        "CALL spin()",
        "CALL counting()",
        "DELETE FROM parent",
        "UPDATE parent SET id = 2",
        "CALL dolt_merge('side')",
        "SELECT * FROM dolt_preview_merge_conflicts_summary('main', 'side')",
        "SELECT COUNT(*) FROM dolt_query_diff('SELECT a.id FROM t a, t b', 'SELECT a.v FROM t a, t b')",
        "SELECT COUNT(*) FROM t a, t b WHERE REGEXP_LIKE(CONCAT(a.s, b.s), '(t|e|x)+.*9.*8')",
        "SELECT REPEAT('a', 8000 + id) LIKE CONCAT('%', REPEAT('a', 4000), '_b%') FROM t WHERE id = 0",
        "SELECT COUNT(*) FROM t a, t b, JSON_TABLE('[1, 2, 3]', '$[*]' COLUMNS (n INT PATH '$')) j",
        "SELECT COUNT(*) FROM t WHERE (id, v) IN (SELECT b.id, c.v FROM t b, t c WHERE b.s < c.s)",
    ]
}

#[test]
fn a_call_reacts_to_what_the_host_wants() {
    let Ended { session, wish, asked, .. } = &filled();
    let pairs = (0..4_000).map(|n| format!("({n}, -1)")).collect::<Vec<_>>().join(", ");
    let pairs = format!("SELECT COUNT(*) FROM t WHERE (id + v, v) IN ({pairs})");
    let file = std::env::temp_dir().join(format!("varve_calls_are_bounded_{}.csv", std::process::id()));
    std::fs::write(&file, (0..40_000).map(|n| format!("{n},1,text\n")).collect::<String>()).unwrap();
    let load = format!("LOAD DATA LOCAL INFILE '{}' INTO TABLE target FIELDS TERMINATED BY ','", file.display());
    for sql in endless(session).into_iter().chain([&*pairs, &*load]) {
        for wanted in [Wish::Yield, Wish::End] {
            wish.set(wanted);
            asked.set(0);
            // What returns is ended by the host; what cannot return halfway ends by itself, or when its time has come.
            let calls = run(session, sql, 1);
            let is_ended = calls.outcome.as_ref().is_err_and(engine::SqlError::is_interruption);
            assert!(asked.get() > 0, "{sql}: the host was not asked");
            assert!(wanted == Wish::Yield || is_ended || calls.yields == 1, "{sql}: {:?}", calls.outcome);
            assert!(
                wanted == Wish::Yield && calls.yields == 0 || calls.work <= REACTION_WORK,
                "{sql}, {wanted:?}: {} after {} questions",
                calls.work,
                asked.get()
            );
            wish.set(Wish::GoOn);
            rows(session, "CALL dolt_reset('--hard', 'start')");
        }
    }
    std::fs::remove_file(&file).unwrap();
    assert_eq!(rows(session, "SELECT COUNT(*), SUM(v) FROM t"), [["2000", "99000"]]);
    assert_eq!(rows(session, "SELECT COUNT(*) FROM child"), [["2000"]]);
    assert_eq!(rows(session, "SELECT COUNT(*) FROM target"), [["0"]]);
}

/// Where a statement cannot stop halfway the host is asked, and ends it.
#[test]
fn a_trigger_ends_when_the_host_says_so() {
    let ended = filled();
    let Ended { session, wish, asked, .. } = &ended;
    affected(session, "CREATE TRIGGER slow AFTER INSERT ON target FOR EACH ROW INSERT INTO log (v) SELECT v FROM t");
    let insert = "INSERT INTO target SELECT id, v, s FROM t WHERE id < 800";
    let mut cursor = session.query(insert).unwrap();
    assert!(matches!(cursor.next(FUEL), Ok(Step::Yield)), "between two rows");
    drop(cursor);
    assert_eq!(rows(session, "SELECT COUNT(*) FROM log"), [["0"]]);

    affected(session, "CREATE TABLE other (id INT PRIMARY KEY)");
    affected(
        session,
        "CREATE TRIGGER endless BEFORE INSERT ON other FOR EACH ROW BEGIN WHILE 1 DO SET NEW.id = NEW.id + 1 - 1; END WHILE; END",
    );
    wish.set(Wish::End);
    asked.set(0);
    let cut = run(session, "INSERT INTO other VALUES (1)", 10);
    let error = cut.outcome.expect_err("it never ends by itself");
    assert!(error.is_interruption() && error.errno == 1317, "{error:?}");
    assert_eq!(asked.get(), 1);
    wish.set(Wish::GoOn);
    assert_eq!(rows(session, "SELECT COUNT(*) FROM other"), [["0"]]);
}

/// The words of all changed rows are counted at the end of a statement, in one call.
#[test]
fn the_host_is_asked_while_words_are_counted() {
    let ended = filled();
    let Ended { session, patience, asked, .. } = &ended;
    affected(session, "CREATE TABLE texts (id INT PRIMARY KEY, s VARCHAR(200), FULLTEXT KEY words (s))");
    affected(session, "INSERT INTO texts SELECT id, CONCAT('a word more ', s) FROM t");
    let hash = "SELECT dolt_hashof_table('texts'), dolt_hashof_db()";
    let before = rows(session, hash);
    for sql in ["UPDATE texts SET s = CONCAT(s, ' and others')", "DELETE FROM texts WHERE id > 0"] {
        // More questions than there are for the rows alone.
        asked.set(0);
        patience.set(30);
        let error = run(session, sql, 100).outcome.expect_err(sql);
        assert!(error.is_interruption() && asked.get() == 31, "{sql}: {error:?}");
        patience.set(u32::MAX);
        assert_eq!(rows(session, hash), before, "{sql}");
        affected(session, sql);
        affected(session, "DELETE FROM texts");
        affected(session, "INSERT INTO texts SELECT id, CONCAT('a word more ', s) FROM t");
    }
}

/// Reading megabytes of text takes long, and is one call.
#[test]
fn a_text_is_read_no_further_than_the_host_wants() {
    let Ended { session, wish, asked, .. } = &session();
    let sums = (0..60_000).map(|n| format!("({n} + 1)")).collect::<Vec<_>>().join(", ");
    for sql in [
        format!("SELECT 1 IN ({sums})"),
        format!("INSERT INTO t VALUES {sums}"),
        format!("CREATE PROCEDURE p() BEGIN {} END", "SET @a = 1; ".repeat(60_000)),
        format!("SELECT 1 IN ({sums}"),
    ] {
        asked.set(0);
        wish.set(Wish::End);
        let error = session.prepare(&sql).err().expect("it is interrupted");
        assert!(error.is_interruption() && error.errno == 1317, "{error:?}");
        assert!(asked.get() < 10, "{} questions", asked.get());
        wish.set(Wish::GoOn);
        asked.set(0);
        let _ = session.prepare(&sql);
        assert!(asked.get() as usize >= sql.len() >> 17, "{} questions for {} bytes", asked.get(), sql.len());
    }
}

/// A merge, a test of the database and a handler make other errors of those that they meet.
#[test]
fn an_interruption_is_reported_as_itself() {
    let Ended { session, wish, asked, runs_out, .. } = &filled();
    endless(session);
    for sql in [
        "CREATE TABLE computed (id INT PRIMARY KEY, v INT, CHECK (LENGTH(MD5(v)) = 32))",
        "INSERT INTO computed (id, v) SELECT id, v FROM t",
        "INSERT INTO dolt_tests VALUES ('slow', 'g', 'SELECT COUNT(*) FROM t a JOIN t b ON a.s < b.s', 'expected_rows', '==', '1')",
        "CREATE TRIGGER loops BEFORE INSERT ON target FOR EACH ROW BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET @caught = 1; \
         WHILE 1 DO SET @x = 1; END WHILE; END",
        "CALL dolt_commit('-Am', 'computed')",
        "UPDATE t SET v = v + 2",
        "CALL dolt_stash('push', 'mine')",
        "UPDATE t SET s = CONCAT(s, 'y')",
        "CALL dolt_commit('-Am', 'later')",
        "CALL dolt_tag('later')",
    ] {
        assert!(session.query(sql).and_then(Cursor::collect).is_ok(), "{sql}");
    }
    for sql in [
        "CALL dolt_stash('pop', 'mine')",
        "CALL dolt_merge('side')",
        "CALL dolt_cherry_pick('side')",
        "SELECT * FROM dolt_test_run('*')",
        "CALL dolt_verify_constraints('--all')",
        "INSERT INTO target VALUES (1, 1, '')",
        "SELECT REPEAT('a', 60000) LIKE CONCAT('%', REPEAT('a', 30000), '_b%')",
    ] {
        for (wanted, is_short, errno) in [(Wish::End, false, 1317), (Wish::GoOn, true, 1041)] {
            asked.set(0);
            wish.set(wanted);
            runs_out.set(is_short);
            let error = run(session, sql, 1000).outcome.expect_err(sql);
            assert_eq!(error.errno, errno, "{sql}: {error}");
            wish.set(Wish::GoOn);
            runs_out.set(false);
            rows(session, "CALL dolt_reset('--hard', 'later')");
        }
    }
    assert_eq!(rows(session, "SELECT @caught"), [["NULL"]]);
    assert_eq!(rows(session, "SELECT COUNT(*) FROM dolt_stashes"), [["1"]]);
}

/// No handler of a program catches that.
#[test]
fn a_handler_does_not_catch_the_end() {
    let Ended { session, wish, .. } = &filled();
    affected(session, "CREATE TABLE other (id INT PRIMARY KEY)");
    let body = "BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET @caught = 1; WHILE 1 DO SET @x = 1; END WHILE; END";
    affected(session, &format!("CREATE TRIGGER endless BEFORE INSERT ON other FOR EACH ROW {body}"));
    wish.set(Wish::End);
    assert!(run(session, "INSERT INTO other VALUES (1)", 10).outcome.is_err_and(|error| error.is_interruption()));
    wish.set(Wish::GoOn);
    assert_eq!(rows(session, "SELECT @caught"), [["NULL"]]);
}

/// Texts whose plans were long: `n` says how large.
fn large_plans(n: usize) -> Vec<(&'static str, String)> {
    let list = |item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<Vec<_>>().join(", ");
    let words = |word: &str, item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<Vec<_>>().join(word);
    vec![
        (
            "NOT IN of texts",
            format!("SELECT COUNT(*) FROM t WHERE s NOT IN ({})", list(&|i| format!("'word {}'", i * 7919 % n))),
        ),
        ("IN of texts", format!("SELECT COUNT(*) FROM t WHERE s IN ({})", list(&|i| format!("'word {i}'")))),
        (
            "NOT IN of an indexed column",
            format!("SELECT COUNT(*) FROM t WHERE v NOT IN ({})", list(&|i| (i * 7919 % n).to_string())),
        ),
        ("IN of keys", format!("SELECT COUNT(*) FROM t WHERE id IN ({})", list(&|i| (i * 7919 % n).to_string()))),
        ("IN of pairs", format!("SELECT COUNT(*) FROM t WHERE (id, v) IN ({})", list(&|i| format!("({i}, {i})")))),
        ("OR of keys", format!("SELECT COUNT(*) FROM t WHERE {}", words(" OR ", &|i| format!("id = {i}")))),
        ("AND", format!("SELECT COUNT(*) FROM t WHERE {}", words(" AND ", &|i| format!("v <> {i}")))),
        ("CASE", format!("SELECT CASE v {} END FROM t LIMIT 1", words(" ", &|i| format!("WHEN {i} THEN {i}")))),
        ("CONCAT", format!("SELECT CONCAT({}) FROM t LIMIT 1", list(&|i| format!("v + {i}")))),
        ("VALUES", format!("SELECT COUNT(*) FROM (VALUES {}) x", list(&|i| format!("ROW({i})")))),
        ("INSERT of expressions", format!("INSERT INTO target VALUES {}", list(&|i| format!("({i}, 1 + 1, 'x')")))),
    ]
}

#[test]
fn large_texts_are_planned() {
    let Ended { session, .. } = &filled();
    for (what, sql) in large_plans(if is_inventory() { 200_000 } else { 300 }) {
        let calls = run(session, &sql, 100);
        assert!(calls.outcome.is_ok(), "{what}: {:?}", calls.outcome);
        if is_inventory() {
            println!("{:>8.1} ms {what}", calls.longest.as_secs_f64() * 1000.0);
        }
        affected(session, "DELETE FROM target");
    }
    // In a loop over pairs these would be 400 million comparisons.
    for (what, sql) in large_plans(20_000).into_iter().take(2) {
        assert!(run(session, &sql, 100).outcome.is_ok(), "{what}");
    }
}

#[test]
fn what_grows_without_bounds_is_refused() {
    let Ended { session, .. } = &filled();
    affected(session, "CREATE VIEW v0 AS SELECT 1 AS x FROM t");
    let view = |n: u32| format!("CREATE VIEW v{n} AS SELECT a.x FROM v{} a JOIN v{} b", n - 1, n - 1);
    let made = (1..=18).find_map(|n| run(session, &view(n), 10).outcome.err());
    assert_eq!(made.expect("2^18 tables").errno, 1116);
    let mut with = String::from("WITH c0 AS (SELECT 1 AS x)");
    for n in 1..=18 {
        with += &format!(", c{n} AS (SELECT a.x FROM c{} a JOIN c{} b)", n - 1, n - 1);
    }
    // Its rows may be found once for all places.
    if let Err(error) = run(session, &format!("{with} SELECT COUNT(*) FROM c18"), 10).outcome {
        assert_eq!(error.errno, 1116, "{error:?}");
    }
    let columns = (0..70_000).map(|n| format!("c{n} INT")).collect::<Vec<_>>().join(", ");
    let error = run(session, &format!("CREATE TABLE many ({columns})"), 10).outcome.expect_err("70,000 columns");
    assert_eq!(error.errno, 1117, "{error:?}");
    let items = vec!["1"; 70_000].join(", ");
    let error = run(session, &format!("SELECT {items}"), 10).outcome.expect_err("70,000 columns");
    assert_eq!(error.errno, 1117, "{error:?}");
}

/// A table of few rows with large values of each kind.
fn large(bytes: usize) -> Ended {
    let ended = session();
    let session = &ended.session;
    affected(
        session,
        "CREATE TABLE big (id INT PRIMARY KEY, t LONGTEXT, b LONGBLOB, j LONGTEXT, l LONGTEXT, g LONGTEXT, n BIGINT, x DOUBLE)",
    );
    let point = |n: usize| format!("{} {}", n % 997, n % 991);
    let points = (0..bytes / 8).map(point).collect::<Vec<_>>().join(",");
    let document = (0..bytes / 16).map(|n| format!("{{\"k{}\": [{n}]}}", n % 100)).collect::<Vec<_>>().join(",");
    let list = (0..bytes / 6).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    for id in 0..2 {
        affected(
            session,
            &format!(
                "INSERT INTO big VALUES ({id}, REPEAT('Ab,é ', {}), UNHEX(REPEAT('00ff41', {})), '[{document}]', '{list}', \
                 'LINESTRING({points})', 50, {bytes}.5)",
                bytes / 6,
                bytes / 3,
            ),
        );
    }
    ended
}

/// Arguments, of which each function gets several lists.
const PALETTE: &[&[&str]] = &[
    &["t", "t", "t", "t"],
    &["l", "','", "n", "l"],
    &["t", "'b'", "'bcdefgh'", "t"],
    &["t", "n", "'xy'", "t"],
    &["t", "3", "n", "'b'"],
    &["b", "b", "3", "b"],
    &["j", "'$[*].k1'", "j", "'$[3]'"],
    &["j", "'one'", "'%1%'", "NULL"],
    &["j", "j", "'all'", "j"],
    &["'1'", "l", "l", "l"],
    &["n", "t", "t", "t"],
    &["x", "n", "2", "3"],
    &["ST_GeomFromText(g)", "ST_GeomFromText(g)", "1", "2"],
    &["g", "1", "2", "3"],
    &["'2024-01-01'", "t", "n", "n"],
];

/// What compares each edge of a figure with each of another asks the host in between.
#[test]
fn functions_of_figures_end_when_the_host_says_so() {
    let Ended { session, asked, patience, .. } = session();
    let steps = (0..3000).map(|at| format!("{at} {}, ", at % 7)).collect::<String>();
    let polygon = format!("ST_GeomFromText('POLYGON(({steps}2999 -9, 0 -9, 0 0))')");
    let aside = format!("ST_GeomFromText('LINESTRING({}9999 9999)')", steps.replace(", ", "9, "));
    let own = format!("{polygon}, {polygon}");
    for call in [
        format!("ST_CONTAINS({own})"),
        format!("ST_EQUAL({own})"),
        format!("ST_WITHIN({own})"),
        format!("ST_DISJOINT({polygon}, {aside})"),
        format!("ST_INTERSECTS({polygon}, {aside})"),
        format!("ST_DISTANCE({polygon}, {aside})"),
        format!("ST_ISSIMPLE({polygon})"),
        format!("ST_VALIDATE({polygon})"),
    ] {
        asked.set(0);
        patience.set(2);
        let ended = run(&session, &format!("SELECT {call}"), 100);
        assert_eq!(ended.outcome.err().map(|error| error.errno), Some(1317), "{}", &call[..20]);
    }
}

#[test]
fn every_function_returns_soon_with_large_arguments() {
    let bytes = if is_inventory() { 1 << 20 } else { 8 << 10 };
    let ended = large(bytes);
    let session = &ended.session;
    let mut slowest: Vec<(Duration, String)> = Vec::new();
    let mut ask = |sql: String| {
        let calls = run(session, &sql, 40);
        assert!(calls.work <= work_max(bytes), "{sql}: {}", calls.work);
        slowest.push((calls.longest, sql));
    };
    for function in functions::scalars().filter(|function| function.is_callable()) {
        let (least, most) = function.arity;
        for arity in least.max(1)..=most.min(least.max(1) + 1).min(4) {
            for arguments in PALETTE {
                ask(format!(
                    "SELECT {}({}) FROM big",
                    function.name,
                    arguments[..arity.min(arguments.len())].join(", ")
                ));
            }
        }
    }
    for sql in [
        "SELECT CONVERT(t USING utf16) FROM big",
        "SELECT CAST(j AS JSON) FROM big",
        "SELECT CAST(t AS CHAR(10)), CAST(t AS BINARY), CAST(t AS SIGNED), CAST(l AS DATETIME) FROM big",
        "SELECT t LIKE '%a%b%c%d%e%f%g%', t LIKE CONCAT('%', l), t = l, t < t, t IN (l, t) FROM big",
        "SELECT TRIM(LEADING 'A' FROM t), TRIM(BOTH 'Ab' FROM t) FROM big",
        "SELECT t + 1, -t, t AND 1, NOT t FROM big",
    ] {
        ask(sql.to_owned());
    }
    for aggregate in functions::aggregates().filter(|function| function.is_callable()) {
        let (least, _) = aggregate.arity;
        for argument in ["t", "b", "n", "CAST(j AS JSON)"] {
            let arguments = vec![argument; least.max(1)].join(", ");
            ask(format!("SELECT {}({arguments}) FROM big", aggregate.name));
            ask(format!("SELECT {}({arguments}) OVER (ORDER BY id) FROM big", aggregate.name));
        }
    }
    slowest.sort_by_key(|(took, _)| std::cmp::Reverse(*took));
    if is_inventory() {
        for (took, sql) in slowest.iter().take(60) {
            println!("{:>8.1} ms {sql}", took.as_secs_f64() * 1000.0);
        }
    }
    assert!(slowest.len() > 2_000, "{}", slowest.len());
}
