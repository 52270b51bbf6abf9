//! A merge of many rows and a verification of constraints yield between rows: they can be cancelled there, other sessions write
//! meanwhile, and the result is the same as in one go.

use engine::{Engine, Session};
use std::rc::Rc;

use crate::common::fresh::{affected, chunks, engine_over, rows};
use crate::common::turns;

/// Two branches that changed some hundred rows each, some of them both, with conflicts and children without parents.
fn diverged() -> Rc<Engine> {
    let engine = engine_over(&chunks());
    let session = engine.session();
    let tens = "SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 \
                UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9";
    let numbers =
        format!("(SELECT a.n + b.n * 10 + c.n * 100 AS id FROM ({tens}) a, ({tens}) b, ({tens}) c WHERE c.n < 4) n");
    for sql in [
        "CREATE TABLE t (id INT PRIMARY KEY, v INT, w INT, s VARCHAR(20), KEY by_v (v), UNIQUE KEY by_s (s), CHECK (w < 9999))",
        &format!("INSERT INTO t SELECT id, id, id, concat('s', id) FROM {numbers}"),
        "CREATE TABLE u (n INT, v INT)",
        "INSERT INTO u SELECT v, w FROM t",
        "CREATE TABLE parent (id INT PRIMARY KEY)",
        "INSERT INTO parent SELECT id FROM t",
        "CREATE TABLE child (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES parent (id))",
        "INSERT INTO child SELECT id, id FROM t WHERE id < 200",
        "CREATE TABLE texts (id INT PRIMARY KEY, s VARCHAR(60), FULLTEXT KEY words (s))",
        "INSERT INTO texts SELECT id, concat('row ', s, ' of ', v % 7, ' texts') FROM t",
        "CALL dolt_commit('-Am', 'base')",
        "CALL dolt_checkout('-b', 'side')",
        "UPDATE t SET v = v + 1 WHERE id % 2 = 0",
        "INSERT INTO t SELECT id + 1000, id, 1, concat('new', id) FROM t WHERE id < 100",
        "UPDATE u SET v = v + 1 WHERE n % 2 = 0",
        "DELETE FROM parent WHERE id >= 300",
        "UPDATE texts SET s = concat(s, ' theirs') WHERE id < 50",
        "CALL dolt_commit('-Am', 'side')",
        "CALL dolt_checkout('main')",
        "UPDATE t SET w = w + 1, v = v + IF(id % 10 = 0, 2, 0)",
        "DELETE FROM t WHERE id % 11 = 3",
        "UPDATE u SET v = v + 1 WHERE n % 2 = 1",
        "INSERT INTO child SELECT id, id FROM parent WHERE id >= 250",
        "UPDATE texts SET s = concat(s, ' ours') WHERE id > 350",
        "CALL dolt_commit('-Am', 'main')",
    ] {
        assert!(session.query(sql).and_then(engine::Cursor::collect).is_ok(), "{sql}");
    }
    engine
}

fn state(session: &Session) -> Vec<Vec<String>> {
    let asked = [
        "SELECT dolt_hashof_db()",
        "SELECT dolt_hashof_table('t'), dolt_hashof_table('u'), dolt_hashof_table('parent'), dolt_hashof_table('child')",
        "SELECT * FROM dolt_conflicts",
        "SELECT * FROM dolt_constraint_violations",
        "SELECT count(*), sum(base_id), sum(our_v), sum(their_v) FROM dolt_conflicts_t",
        "SELECT count(*), sum(id) FROM dolt_constraint_violations_child",
        "SELECT * FROM dolt_status",
        "SELECT count(*) FROM dolt_log",
        "SELECT count(*) FROM dolt_stashes",
    ];
    asked.iter().flat_map(|sql| rows(session, sql)).collect()
}

#[test]
fn merges_stop_in_the_middle_and_go_on() {
    let manual: &[&str] = &["SET autocommit = 0", "SET @@dolt_allow_commit_conflicts = 1"];
    let unchecked: &[&str] = &[
        "SET foreign_key_checks = 0",
        "SET @@dolt_force_transaction_commit = 1",
        "DELETE FROM parent WHERE id >= 100",
    ];
    let twice: &[&str] = &[
        "UPDATE t SET s = concat(s, 'x')",
        "CALL dolt_commit('-Am', 'later')",
        "UPDATE t SET w = 7 WHERE id < 300",
        "CALL dolt_commit('-Am', 'last')",
    ];
    // Three commits on top of the base, none of which is in the way of those of the other branch.
    let onto: &[&str] = &[
        "CALL dolt_checkout('-b', 'mine', 'main~1')",
        "UPDATE t SET w = w + 3 WHERE id % 2 = 1",
        "CALL dolt_commit('-Am', 'first')",
        "INSERT INTO child SELECT id, id FROM parent WHERE id >= 200 AND id < 300",
        "CALL dolt_commit('-Am', 'second')",
        "DELETE FROM t WHERE id % 2 = 1 AND id < 300",
        "CALL dolt_commit('-Am', 'third')",
    ];
    for (sql, before) in [
        ("CALL dolt_merge('side')", manual),
        ("CALL dolt_cherry_pick('side')", manual),
        ("CALL dolt_revert('HEAD~1')", &["UPDATE t SET s = concat(s, 'x')", "CALL dolt_commit('-Am', 'later')"]),
        ("CALL dolt_revert('HEAD~1', 'HEAD')", twice),
        ("CALL dolt_rebase('side')", onto),
        ("CALL dolt_verify_constraints('--all')", unchecked),
        (
            "CALL dolt_stash('pop', 'mine')",
            &["UPDATE t SET v = v + 7", "CALL dolt_stash('push', 'mine')", "UPDATE t SET w = 5"],
        ),
        ("SELECT * FROM dolt_preview_merge_conflicts_summary('main', 'side')", &[]),
        ("SELECT count(*), sum(base_id), sum(our_v) FROM dolt_preview_merge_conflicts('main', 'side', 't')", &[]),
    ] {
        let prepared = || {
            let engine = diverged();
            let session = engine.session();
            for sql in before {
                assert!(session.query(sql).and_then(engine::Cursor::collect).is_ok(), "{sql}");
            }
            (engine, session)
        };
        let (_, at_once) = prepared();
        let expected = rows(&at_once, sql);

        let (engine, session) = prepared();
        turns::cancel(&session, sql, (100, 2), state);

        // A transaction that ends, and one that is taken back, beside it.
        let other = engine.session();
        affected(&other, "CREATE TABLE IF NOT EXISTS beside (id INT PRIMARY KEY AUTO_INCREMENT)");
        affected(&other, "DROP TABLE beside");
        let ran = turns::run(&session, sql, 100, |_| {
            affected(&other, "BEGIN");
            affected(&other, "UPDATE parent SET id = id");
            affected(&other, "ROLLBACK");
        });
        assert!(ran.turns > 2, "{sql}: {} turns", ran.turns);
        // Of commits the hashes depend on the time.
        if !sql.starts_with("CALL") {
            assert_eq!(ran.rows, expected, "{sql}");
        }
        assert_eq!(state(&session), state(&at_once), "{sql}");
    }
}
