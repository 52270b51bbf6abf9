//! A script in pieces does what its statements do one by one, with fewer commits; rows of literals that are read from the text are
//! those that the grammar reads.

use std::rc::Rc;

use engine::{Cursor, Script, ScriptStep, Session, SqlError};
use store::{Chunks, MemoryChunks};

use crate::common::fresh::{chunks, engine_over, rows};

const TABLES: [&str; 7] = [
    "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(20), d DECIMAL(8,2) DEFAULT 7, b VARBINARY(20), f DOUBLE, u BIGINT UNSIGNED, UNIQUE KEY (v))",
    "CREATE TABLE g (a INT PRIMARY KEY, twice INT AS (a * 2) STORED)",
    "CREATE TABLE c (id INT PRIMARY KEY, p INT NOT NULL CHECK (p < 100), FOREIGN KEY (p) REFERENCES t (id))",
    "CREATE TABLE w (id INT PRIMARY KEY)",
    "CREATE TABLE seen (n INT AUTO_INCREMENT PRIMARY KEY, w INT)",
    "CREATE TRIGGER sees AFTER INSERT ON w FOR EACH ROW INSERT INTO seen (w) VALUES (NEW.id)",
    "CREATE VIEW few AS SELECT id FROM t WHERE id < 3",
];

struct Side {
    chunks: Rc<MemoryChunks>,
    session: Session,
}

impl Side {
    fn new() -> Side {
        let chunks = chunks();
        let session = engine_over(&chunks).session();
        TABLES.iter().for_each(|text| drop(rows(&session, text)));
        Side { chunks, session }
    }

    fn root(&self) -> String {
        rows(&self.session, "SELECT dolt_hashof_db()")[0][0].clone()
    }
}

/// Rows changed, warnings, or the error with its place.
fn told(session: &Session, sql: &str) -> String {
    match session.query(sql).and_then(Cursor::collect) {
        Ok((_, _, summary)) => {
            format!("{:?} {:?} {} {:?}", summary.affected, summary.info, summary.last_insert_id, summary.warnings)
        }
        Err(error) => of_error(&error),
    }
}

fn of_error(error: &SqlError) -> String {
    format!("{} {} {:?} {:?}", error.errno, error.message, error.span.map(|span| span.start), error.hint)
}

/// Runs a piece to its end.
fn run(mut script: Script, fuel: i64) -> (Script, Result<(), SqlError>) {
    loop {
        match script.next(fuel) {
            Ok(ScriptStep::Done) => return (script, Ok(())),
            Ok(_) => {}
            Err(error) => return (script, Err(error)),
        }
    }
}

const STATEMENTS: [&str; 31] = [
    "INSERT INTO t VALUES (1, 'a', 1.5, 0x00ff, -1e3, 18446744073709551615)",
    "INSERT INTO t (v) VALUES ('b'), ('it\\'s'), ('it''s too'), (NULL)",
    "INSERT INTO t (v, d) VALUES ('\\0\\n\\Z', -0.00), ('ü', DEFAULT)",
    "INSERT INTO t (v, d) VALUES ('x', 12345678901.5)",
    "INSERT INTO t (v) VALUES ('y'), ('a')",
    "INSERT INTO t (v) VALUES ('much longer than twenty characters')",
    "INSERT IGNORE INTO t (v) VALUES ('z'), ('a'), ('also longer than twenty characters')",
    "REPLACE INTO t (v, f) VALUES ('a', -0.0), ('b', 0)",
    "INSERT INTO t (v) VALUES (1), (1.50), (1e2), (0x41)",
    "INSERT INTO t (id, v) VALUES (99999999999999999999999, 'n')",
    "INSERT INTO t (id, v, u) VALUES (50, 'fifty', -1)",
    "INSERT INTO t (nothing) VALUES (1)",
    "INSERT INTO t VALUES (1, 2)",
    "INSERT INTO nowhere VALUES (1)",
    "INSERT INTO t (v) VALUES ('p') ON DUPLICATE KEY UPDATE d = 1",
    "INSERT INTO t (v) VALUES ('q', 1), ('r')",
    "INSERT INTO g (a) VALUES (1), (2)",
    "INSERT INTO g VALUES (3, DEFAULT)",
    "INSERT INTO g VALUES (4, DEFAULT), (5, 10)",
    "INSERT INTO g (a) VALUES (1)",
    "INSERT INTO c VALUES (1, 1), (2, 2)",
    "INSERT INTO c VALUES (3, 77)",
    "INSERT INTO c VALUES (4, NULL)",
    "INSERT INTO c (id) VALUES (5)",
    "INSERT INTO mydb.c VALUES (6, 1)",
    "INSERT INTO w VALUES (1), (2)",
    "INSERT INTO seen (w) VALUES (0)",
    "INSERT INTO w VALUES (3), (1)",
    "INSERT INTO W VALUES (4)",
    "UPDATE t SET d = d + 1 WHERE id = 1",
    "INSERT INTO t (b, v) VALUES (_binary 'raw', 's'), (x'', 'empty')",
];

#[test]
fn rows_of_literals_are_those_that_the_grammar_reads() {
    let (text, tree) = (Side::new(), Side::new());
    for sql in STATEMENTS {
        // A comment behind the rows leaves the statement to the grammar.
        assert_eq!(told(&text.session, sql), told(&tree.session, &format!("{sql} /* all of it */")), "{sql}");
        assert_eq!(text.root(), tree.root(), "after {sql}");
    }
    assert_eq!(rows(&text.session, "SELECT count(*) FROM t"), rows(&tree.session, "SELECT count(*) FROM t"));
}

#[test]
fn a_script_does_what_its_statements_do() {
    let one_by_one = Side::new();
    let expected: Vec<String> = STATEMENTS
        .iter()
        .map(|sql| {
            one_by_one.session.query(sql).and_then(Cursor::collect).err().map_or(String::new(), |e| of_error(&e))
        })
        .collect();
    let errors: Vec<&String> = expected.iter().filter(|error| !error.is_empty()).collect();
    let text = STATEMENTS.join(" ;\n-- between; them\n").into_bytes();
    for (piece_bytes, fuel) in [(40, 1), (100, 3), (usize::MAX, i64::MAX), (1000, 20)] {
        let side = Side::new();
        let (mut at, mut sent_bytes, mut found) = (0, piece_bytes, Vec::new());
        loop {
            let end = text.len().min(at + sent_bytes.min(text.len()));
            let (script, outcome) = run(side.session.script(text[at..end].to_vec(), end == text.len()), fuel);
            at += script.done_bytes() as usize;
            sent_bytes = if script.done_bytes() == 0 { sent_bytes * 2 } else { piece_bytes };
            match outcome {
                Err(error) => found.push(of_error(&error)),
                Ok(()) if end == text.len() => break,
                Ok(()) => {}
            }
        }
        assert_eq!(found.iter().collect::<Vec<_>>(), errors, "pieces of {piece_bytes}");
        for sql in
            ["SELECT * FROM t", "SELECT * FROM g", "SELECT * FROM c", "SELECT * FROM seen", "SHOW CREATE TABLE t"]
        {
            assert_eq!(rows(&side.session, sql), rows(&one_by_one.session, sql), "{sql}, pieces of {piece_bytes}");
        }
        assert_eq!(side.root(), one_by_one.root(), "pieces of {piece_bytes}");
    }
}

#[test]
fn what_a_script_inserts_is_committed_together() {
    let side = Side::new();
    let reader = || {
        let chunks: Rc<MemoryChunks> = side.chunks.clone();
        rows(&engine_over(&chunks).session(), "SELECT count(*) FROM t")[0][0].clone()
    };
    let root = || side.chunks.root();
    let before = root();
    let inserts: String = (0..500).map(|n| format!("INSERT INTO t (v) VALUES ('{n}');\n")).collect();
    let (script, outcome) = run(side.session.script(inserts.clone().into_bytes(), false), i64::MAX);
    assert!(outcome.is_ok() && script.affected() == 500 && script.done_bytes() as usize == inserts.trim_end().len());
    assert_eq!((root(), reader()), (before, "0".to_owned()));
    // Whatever is no INSERT commits them first, ...
    let (_, outcome) = run(side.session.script(b"SET @a = 1;".to_vec(), false), i64::MAX);
    assert!(outcome.is_ok());
    assert_eq!(reader(), "500");
    // ... so does an error, a statement of another kind in the session, and the end.
    let (_, outcome) =
        run(side.session.script(b"INSERT INTO t (v) VALUES ('x'); INSERT INTO t (v) VALUES ('x')".to_vec(), true), 1);
    assert_eq!(outcome.map_err(|error| error.errno), Err(1062));
    assert_eq!(reader(), "501");
    run(side.session.script(b"INSERT INTO t (v) VALUES ('y');".to_vec(), false), 1).1.unwrap();
    assert_eq!(rows(&side.session, "SELECT count(*) FROM t"), [["502"]]);
    assert_eq!(reader(), "502");
    run(side.session.script(b"INSERT INTO t (v) VALUES ('z');".to_vec(), false), 1).1.unwrap();
    run(side.session.script(Vec::new(), true), 1).1.unwrap();
    assert_eq!(reader(), "503");
    // What triggers do comes along ...
    let before = root();
    run(side.session.script(b"INSERT INTO t (v) VALUES ('0.1'); INSERT INTO w VALUES (1);".to_vec(), false), 1)
        .1
        .unwrap();
    assert_eq!((root(), reader()), (before, "503".to_owned()));
    assert_eq!(rows(&side.session, "SELECT * FROM seen"), [["1", "1"]]);
    assert_eq!(reader(), "504");
    // ... unless one of some table may write to another branch, for all that can be seen: then each is committed by itself.
    rows(&side.session, "CREATE TRIGGER far BEFORE INSERT ON c FOR EACH ROW SET @far = 4 / 2");
    let before = root();
    run(side.session.script(b"INSERT INTO t (v) VALUES ('0.2'); INSERT INTO w VALUES (2);".to_vec(), false), 1)
        .1
        .unwrap();
    assert_eq!((reader().as_str(), root() != before), ("505", true));
}

#[test]
fn a_transaction_of_the_script_is_its_own() {
    let side = Side::new();
    let script =
        b"SET autocommit = 0; INSERT INTO t (v) VALUES ('a'); ROLLBACK; INSERT INTO t (v) VALUES ('b'); COMMIT;
        SET autocommit = 1; START TRANSACTION; INSERT INTO t (v) VALUES ('c'); ROLLBACK;
        CREATE TRIGGER copies AFTER INSERT ON t FOR EACH ROW INSERT INTO g (a) VALUES (NEW.id);
        INSERT INTO t (v) VALUES ('d');
        DELIMITER $$
        CREATE PROCEDURE p() BEGIN INSERT INTO t (v) VALUES ('e'); INSERT INTO t (v) VALUES ('f'); END $$
        CALL p() $$
        DELIMITER ;
        INSERT INTO t (v) VALUES ('g')";
    // Cut wherever it may be cut, in the line of DELIMITER as well.
    let (mut at, mut sent_bytes) = (0, 1);
    while at < script.len() {
        let end = script.len().min(at + sent_bytes);
        let (piece, outcome) = run(side.session.script(script[at..end].to_vec(), end == script.len()), 1);
        outcome.unwrap();
        at += piece.done_bytes() as usize;
        sent_bytes = if piece.done_bytes() == 0 { sent_bytes + 1 } else { 1 };
    }
    let found = rows(&side.session, "SELECT group_concat(v ORDER BY id), (SELECT count(*) FROM g) FROM t");
    assert_eq!(found, [["b,d,e,f,g", "4"]]);
}

/// Bytes of another encoding are an error where text belongs, and bytes where bytes do, whatever the SQL mode.
/// A definition commits what is open, and the transaction goes on.
#[test]
fn a_transaction_of_the_script_goes_on_after_a_definition() {
    let text = "START TRANSACTION; CREATE TABLE z (a INT PRIMARY KEY); INSERT INTO w VALUES (1); ROLLBACK;";
    let [alone, script] = [Side::new(), Side::new()];
    text.split_inclusive(';').for_each(|statement| drop(rows(&alone.session, statement)));
    run(script.session.script(text.into(), true), 1_000).1.unwrap();
    for side in [&alone, &script] {
        assert!(rows(&side.session, "SELECT * FROM w").is_empty(), "it was taken back");
    }
    assert_eq!(alone.root(), script.root());
}

#[test]
fn a_script_never_cuts_what_is_no_utf8() {
    for mode in ["STRICT_TRANS_TABLES", "NO_AUTO_VALUE_ON_ZERO", ""] {
        let side = Side::new();
        told(&side.session, "CREATE TABLE s (id INT PRIMARY KEY, v VARCHAR(20), b BLOB)");
        told(&side.session, &format!("SET sql_mode = '{mode}'"));
        for statement in [
            &b"INSERT INTO s VALUES (1, 'Jos\xe9', '')"[..],
            b"INSERT IGNORE INTO s VALUES (1, 'Jos\xe9', '')",
            b"REPLACE INTO s (id, v) SELECT 1, CONCAT('Z\xfc', 'rich')",
            b"UPDATE t SET v = 'Z\xfcrich'",
        ] {
            let script = [&b"INSERT INTO t (v) VALUES (1); "[..], statement, b"; "].concat();
            let (_, outcome) = run(side.session.script(script, true), i64::MAX);
            assert!(outcome.is_err(), "{mode}: {}", String::from_utf8_lossy(statement));
            told(&side.session, "DELETE FROM t");
        }
        let bytes = b"INSERT INTO s VALUES (1, 'Jos\xc3\xa9', 'Jos\xe9'), (2, _binary 'x', _binary '\xff')".to_vec();
        assert!(run(side.session.script(bytes, true), i64::MAX).1.is_ok());
        let rows = rows(&side.session, "SELECT v, hex(b) FROM s");
        assert_eq!(rows, [["Jos\u{e9}", "4A6F73E9"], ["x", "FF"]]);
    }
}

#[test]
fn a_script_counts_its_warnings_and_keeps_the_first() {
    let side = Side::new();
    let inserts: String = (0..12).map(|n| format!("INSERT IGNORE INTO w VALUES ('{n}x');\n")).collect();
    let script = format!(
        "DROP TABLE IF EXISTS nowhere;\nALTER TABLE w DISABLE KEYS;\n{inserts}UPDATE w SET id = 99999999999 LIMIT 1;"
    );
    let (script, outcome) = run(side.session.script(script.into_bytes(), true), 1);
    outcome.unwrap();
    let warnings = script.warnings();
    assert_eq!((warnings.count, warnings.first.len()), (13, 10));
    let (at, first) = &warnings.first[0];
    assert_eq!((*at, first.level), (58, "Note"), "{}", first.message);
}
