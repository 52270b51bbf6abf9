//! `dolt_nonlocal_tables` in statements that were planned before, in scripts, and where it is not followed as far as native Dolt does.
//! What native Dolt answers is in `sessions/nonlocal_tables.sql` and `sessions/nonlocal_parents.sql`.

use engine::{Cursor, Prepared, ScriptStep, Session};
use value::Value;

use crate::common::fresh::{affected, error, rows, session};

/// `t` and `u` on `main` and on the branch `other`, the session's current one.
fn with_branches() -> Session {
    let session = session();
    for sql in [
        "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(10))",
        "CREATE TABLE u (id INT PRIMARY KEY, v VARCHAR(10))",
        "INSERT INTO t VALUES (1, 'main'), (2, 'main')",
        "CALL dolt_commit('-Am', 'tables')",
        "CALL dolt_tag('v1')",
        "CALL dolt_checkout('-b', 'other')",
        "UPDATE t SET v = 'other'",
    ] {
        session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    session
}

fn lead(session: &Session, row: &str) {
    affected(session, &format!("REPLACE INTO dolt_nonlocal_tables VALUES {row}"));
}

fn run(session: &Session, prepared: &Prepared, values: &[Value<'static>]) -> u64 {
    let done = session.execute(prepared, values).and_then(Cursor::collect);
    done.unwrap_or_else(|error| panic!("{}: {error}", prepared.sql)).2.affected.unwrap_or_default()
}

fn values(session: &Session, table: &str) -> Vec<String> {
    rows(session, &format!("SELECT v FROM {table} ORDER BY id")).concat()
}

#[test]
fn changes_that_were_planned_before_follow_the_names() {
    let session = with_branches();
    let insert = session.prepare("INSERT INTO t VALUES (?, 'new')").unwrap();
    let update = session.prepare("UPDATE t SET v = 'set' WHERE id = ?").unwrap();
    let delete = session.prepare("DELETE FROM t WHERE id = ?").unwrap();
    let change = |key: i64| {
        assert_eq!(run(&session, &insert, &[Value::Int(key)]), 1);
        assert_eq!(run(&session, &update, &[Value::Int(key)]), 1);
        assert_eq!(run(&session, &insert, &[Value::Int(key + 1)]), 1);
        assert_eq!(run(&session, &delete, &[Value::Int(key)]), 1);
    };
    change(10);
    change(20);
    affected(&session, "BEGIN");
    change(30);
    lead(&session, "('t', 'main', '', 'immediate')");
    affected(&session, "COMMIT");
    change(40);
    affected(&session, "BEGIN");
    change(50);
    affected(&session, "COMMIT");
    affected(&session, "UPDATE dolt_nonlocal_tables SET ref_table = 'u'");
    change(60);
    affected(&session, "DELETE FROM dolt_nonlocal_tables");
    change(70);
    let ids = |table: &str| rows(&session, &format!("SELECT id FROM {table} ORDER BY id")).concat();
    assert_eq!(ids("`mydb/other`.t"), ["1", "2", "11", "21", "31", "71"]);
    assert_eq!(ids("`mydb/main`.t"), ["1", "2", "41", "51"]);
    assert_eq!(ids("`mydb/main`.u"), ["61"]);
    assert_eq!(ids("u"), [""; 0]);
}

#[test]
fn what_another_session_says_of_names_is_seen() {
    let session = with_branches();
    let other = session.catalog().engine.session();
    affected(&other, "SET @unused = 1");
    rows(&other, "CALL dolt_checkout('other')");
    let read = session.prepare("SELECT v FROM t WHERE id = 1").unwrap();
    let one = || {
        let (_, rows, _) = session.execute(&read, &[]).and_then(Cursor::collect).unwrap();
        value::convert::to_string(&rows[0][0]).unwrap().into_owned()
    };
    assert_eq!(one(), "other");
    lead(&other, "('t', 'main', '', 'immediate')");
    assert_eq!(one(), "main");
    affected(&session, "BEGIN");
    assert_eq!(one(), "main");
    affected(&other, "DELETE FROM dolt_nonlocal_tables");
    assert_eq!(one(), "main");
    affected(&session, "COMMIT");
    assert_eq!(one(), "other");
}

#[test]
fn inserts_of_a_script_go_to_their_branches() {
    let session = with_branches();
    lead(&session, "('n', 'main', 'u', 'immediate')");
    let script = "INSERT INTO u VALUES (1, 'a'); INSERT INTO n VALUES (2, 'b'); INSERT INTO u VALUES (3, 'c');";
    let mut script = session.script(script.as_bytes().to_vec(), true);
    assert_eq!(script.next(i64::MAX), Ok(ScriptStep::Done));
    assert_eq!(values(&session, "u"), ["a", "c"]);
    assert_eq!(values(&session, "`mydb/main`.u"), ["b"]);
}

#[test]
fn what_would_change_a_table_of_this_branch_instead_is_refused() {
    let session = with_branches();
    lead(&session, "('n', 'main', 't', 'immediate'), ('u', 'v1', 't', 'immediate')");
    let before = rows(&session, "SELECT dolt_hashof_db(), dolt_hashof_db('main')");
    for sql in [
        "ALTER TABLE n ADD COLUMN w INT",
        "ALTER TABLE n RENAME TO m",
        "CREATE INDEX by_v ON n (v)",
        "DROP INDEX by_v ON n",
        "UPDATE n, t SET n.v = 'x', t.v = 'y' WHERE n.id = t.id",
    ] {
        assert_eq!(error(&session, sql).0, 1235, "{sql}");
    }
    for sql in [
        "INSERT INTO u VALUES (5, 'x')",
        "UPDATE u SET v = 'x'",
        "DELETE FROM u",
        "TRUNCATE u",
        "CREATE TABLE N (id INT PRIMARY KEY)",
        "CREATE TABLE n AS SELECT 1 AS one",
    ] {
        assert_eq!(error(&session, sql).0, 1105, "{sql}");
    }
    // Native Dolt drops `t`, which `n` refers to on the other branch.
    assert_eq!(error(&session, "DROP TABLE n").0, 1146);
    assert_eq!(rows(&session, "SELECT dolt_hashof_db(), dolt_hashof_db('main')"), before);
}

#[test]
fn a_pattern_for_all_names_can_be_taken_back() {
    let session = with_branches();
    lead(&session, "('%', 'main', '', 'immediate')");
    assert_eq!(values(&session, "t"), ["main", "main"]);
    assert_eq!(rows(&session, "SELECT table_name FROM dolt_nonlocal_tables").concat(), ["%"]);
    affected(&session, "DELETE FROM dolt_nonlocal_tables");
    assert_eq!(values(&session, "t"), ["other", "other"]);
}

#[test]
fn rows_of_both_branches_meet_in_a_join() {
    let session = with_branches();
    lead(&session, "('n', 'main', 't', 'immediate')");
    let joined = rows(&session, "SELECT n.v, t.v FROM n JOIN t ON n.id = t.id WHERE n.id = 1");
    assert_eq!(joined, [["main", "other"]]);
    assert_eq!(affected(&session, "UPDATE t JOIN n ON n.id = t.id SET t.v = concat(n.v, '!') WHERE n.id = 1"), 1);
    assert_eq!(values(&session, "t"), ["main!", "other"]);
    assert_eq!(values(&session, "n"), ["main", "main"]);
}

#[test]
fn triggers_are_those_of_the_name() {
    let session = with_branches();
    lead(&session, "('n', 'main', 'u', 'immediate')");
    for sql in [
        "CREATE TRIGGER of_name BEFORE INSERT ON n FOR EACH ROW SET NEW.v = 'name'",
        "CREATE TRIGGER of_own BEFORE INSERT ON u FOR EACH ROW SET NEW.v = 'own'",
        "CREATE TRIGGER goes BEFORE DELETE ON n FOR EACH ROW SET @gone = OLD.id",
        "CALL dolt_checkout('main')",
        "CREATE TRIGGER of_main BEFORE INSERT ON u FOR EACH ROW SET NEW.v = 'main'",
        "CALL dolt_checkout('other')",
        "INSERT INTO n VALUES (1, 'x')",
        "INSERT INTO u VALUES (2, 'x')",
        "INSERT INTO `mydb/main`.u VALUES (3, 'x')",
    ] {
        session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    assert_eq!(values(&session, "n"), ["name", "main"]);
    assert_eq!(values(&session, "u"), ["own"]);
    affected(&session, "DELETE FROM n");
    assert_eq!(rows(&session, "SELECT @gone"), [["3"]]);
}
