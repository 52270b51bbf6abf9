//! A change of a row with many children yields between them: it can be cancelled there, and the tables end up the same as in one go.

use engine::{Session, Step};

use crate::common::fresh::{affected, chunks, engine_over, rows};
use crate::common::turns;

/// A parent with two hundred children, half of which have one of their own, beside a second key and triggers.
fn filled() -> Session {
    let session = engine_over(&chunks()).session();
    let tens = "SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 \
                UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9";
    let numbers =
        format!("SELECT a.n + b.n * 10 + c.n * 100 AS id FROM ({tens}) a, ({tens}) b, ({tens}) c WHERE c.n < 2");
    for sql in [
        "CREATE TABLE parent (id INT PRIMARY KEY, n INT UNIQUE)",
        "INSERT INTO parent VALUES (1, 10), (2, 20), (3, 30)",
        "CREATE TABLE child (id INT PRIMARY KEY, p INT, KEY by_p (p), \
         FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE ON UPDATE CASCADE)",
        &format!("INSERT INTO child SELECT id, 1 FROM ({numbers}) n"),
        "CREATE TABLE grandchild (id INT PRIMARY KEY, c INT, \
         FOREIGN KEY (c) REFERENCES child (id) ON DELETE CASCADE ON UPDATE CASCADE)",
        "INSERT INTO grandchild SELECT id, id FROM child WHERE id % 2 = 0",
        "CREATE TABLE other (id INT PRIMARY KEY, n INT, \
         FOREIGN KEY (n) REFERENCES parent (n) ON DELETE SET NULL ON UPDATE SET NULL)",
        "INSERT INTO other SELECT id, 10 FROM child WHERE id < 50",
        "CREATE TABLE log (at INT PRIMARY KEY AUTO_INCREMENT, children INT)",
        "CREATE TABLE strict (id INT PRIMARY KEY, c INT, FOREIGN KEY (c) REFERENCES child (id))",
    ] {
        affected(&session, sql);
    }
    session
}

fn state(session: &Session) -> Vec<Vec<String>> {
    let tables = ["parent", "child", "grandchild", "other", "log"];
    tables.iter().flat_map(|table| rows(session, &format!("SELECT dolt_hashof_table('{table}')"))).collect()
}

#[test]
fn children_follow_in_turns() {
    let triggers = [
        "CREATE TRIGGER gone AFTER DELETE ON parent FOR EACH ROW INSERT INTO log (children) VALUES (OLD.id)",
        "CREATE TRIGGER moved AFTER UPDATE ON parent FOR EACH ROW INSERT INTO log (children) VALUES (NEW.id)",
    ];
    for (sql, before) in [
        ("DELETE FROM parent", &[][..]),
        ("DELETE FROM parent", &triggers),
        ("UPDATE parent SET id = id + 10, n = n + 1", &[]),
        ("UPDATE parent SET id = id + 10, n = n + 1", &triggers),
        ("UPDATE parent JOIN other ON parent.n = other.n SET parent.id = 7, other.id = other.id + 1000", &[]),
        ("DELETE parent, child FROM parent JOIN child ON child.p = parent.id", &[]),
        ("DELETE parent FROM parent JOIN child ON child.p = parent.id", &[]),
        ("DELETE parent FROM parent JOIN child ON child.p = parent.id", &triggers),
        ("UPDATE IGNORE parent SET id = id + 10", &["INSERT INTO strict VALUES (1, 150)"]),
    ] {
        let prepared = || {
            let session = filled();
            for sql in before {
                affected(&session, sql);
            }
            session
        };
        let at_once = prepared();
        let counted = affected(&at_once, sql);

        let session = prepared();
        turns::cancel(&session, sql, (5, 5), state);
        let ran = turns::run(&session, sql, 5, |_| {});
        assert!(ran.turns > 20, "{sql}: {} turns", ran.turns);
        assert_eq!(ran.affected, Some(counted), "{sql}");
        assert_eq!(state(&session), state(&at_once), "{sql}");
    }
}

/// As in native Dolt.
#[test]
fn each_joined_row_counts_whose_parent_is_deleted_once() {
    let session = filled();
    assert_eq!(affected(&session, "DELETE parent FROM parent JOIN child ON child.p = parent.id"), 200);
    assert_eq!(rows(&session, "SELECT (SELECT COUNT(*) FROM parent), (SELECT COUNT(*) FROM child)"), [["2", "0"]]);
}

/// The changes of a row that fails halfway do not go on with the next one.
#[test]
fn an_error_among_children_ends_their_turns() {
    let session = filled();
    affected(&session, "INSERT INTO strict VALUES (1, 199)");
    let before = state(&session);
    let mut cursor = session.query("DELETE FROM parent").unwrap();
    let error = loop {
        match cursor.next(5) {
            Ok(Step::Yield) => {}
            Err(error) => break error,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(error.errno, 1451);
    drop(cursor);
    assert_eq!(state(&session), before);
}
