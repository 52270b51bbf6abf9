//! Procedures of remotes, backups and dropped databases in a place without servers, and that of column tags. Texts that do not speak of
//! the browser are native Dolt's.

use crate::common::fresh::{affected, error, rows, session};

#[test]
fn what_needs_a_server_says_so() {
    let session = session();
    let message = |sql: &str| error(&session, sql).1;
    for (sql, text) in [
        ("CALL dolt_remote()", "error: invalid argument, use 'dolt_remotes' system table to list remotes"),
        ("CALL dolt_remote('add', 'origin')", "error: invalid argument"),
        ("CALL dolt_remote('remove', 'origin')", "error: unknown remote: 'origin'"),
        ("CALL dolt_fetch()", "no remote"),
        ("CALL dolt_pull()", "no remote"),
        ("CALL dolt_pull('there')", "fatal: remote 'there' not found.\nPlease make sure the remote exists."),
        ("CALL dolt_push('there', 'main')", "fatal: remote 'there' not found.\nPlease make sure the remote exists."),
        (
            "CALL dolt_clone()",
            "error: invalid number of arguments: database URL must be specified and database name is optional",
        ),
        ("CALL dolt_backup()", "use 'dolt_backups' table to list backups"),
        (
            "CALL dolt_undrop()",
            "no database name specified. there are no databases currently available to be undropped",
        ),
        (
            "CALL dolt_undrop('x')",
            "no database named 'x' found to undrop. there are no databases currently available to be undropped",
        ),
        ("CALL dolt_purge_dropped_databases('x')", "dolt_purge_dropped_databases does not take any arguments"),
        ("CALL dolt_stats_timers()", "expected timer arguments (ns): (job, gc)"),
    ] {
        assert_eq!(message(sql), text, "{sql}");
    }
    assert!(message("CALL dolt_push()").starts_with("fatal: No configured push destination."));
    assert_eq!(rows(&session, "CALL dolt_remote('add', 'origin', 'https://example.org/db')"), [["0"]]);
    for sql in [
        "CALL dolt_fetch()",
        "CALL dolt_pull('origin', 'main')",
        "CALL dolt_push('origin', 'main')",
        "CALL dolt_clone('https://example.org/db')",
        "CALL dolt_backup('sync-url', 'https://example.org/db')",
    ] {
        assert!(message(sql).contains("https://example.org/db cannot be reached"), "{sql}: {}", message(sql));
    }
    assert!(message("CALL dolt_thread_dump()").contains("is not supported in the browser"));
    assert_eq!(rows(&session, "CALL dolt_purge_dropped_databases()"), [["0"]]);
}

#[test]
fn a_column_gets_another_tag_and_keeps_its_rows_and_indexes() {
    let session = session();
    affected(&session, "CREATE TABLE p (id INT PRIMARY KEY)");
    affected(
        &session,
        "CREATE TABLE t (pk INT PRIMARY KEY, a INT, b INT, KEY ka (a), CHECK (b > 0), FOREIGN KEY (a) REFERENCES p (id))",
    );
    affected(&session, "INSERT INTO p VALUES (2)");
    affected(&session, "INSERT INTO t VALUES (1, 2, 3)");
    let shown = rows(&session, "SHOW CREATE TABLE t");
    let before = rows(&session, "SELECT dolt_hashof_table('t')");
    assert_eq!(rows(&session, "CALL dolt_update_column_tag('t', 'a', '1234')"), [["0"]]);
    assert_ne!(rows(&session, "SELECT dolt_hashof_table('t')"), before);
    assert_eq!(rows(&session, "SHOW CREATE TABLE t"), shown);
    assert_eq!(rows(&session, "SELECT pk FROM t WHERE a = 2"), [["1"]]);
    assert_eq!(error(&session, "INSERT INTO t VALUES (2, 9, 3)").0, 1452);
    for (sql, text) in [
        ("CALL dolt_update_column_tag('t')", "incorrect number of arguments: must provide <table> <column> <tag>"),
        ("CALL dolt_update_column_tag('nope', 'a', '1')", "table nope does not exist"),
        ("CALL dolt_update_column_tag('t', 'A', '1')", "failed to update column tag: column A does not exist"),
        (
            "CALL dolt_update_column_tag('t', 'b', '1234')",
            "failed to update table schema: two different columns with the same tag",
        ),
        (
            "CALL dolt_update_column_tag('t', 'b', 'x')",
            "failed to parse tag x: strconv.ParseUint: parsing \"x\": invalid syntax",
        ),
    ] {
        assert_eq!(error(&session, sql).1, text, "{sql}");
    }
}

#[test]
fn statistics_say_what_was_counted() {
    let session = session();
    affected(&session, "CREATE TABLE t (id INT PRIMARY KEY, a INT, KEY (a))");
    affected(&session, "INSERT INTO t VALUES (1, 2), (3, 4)");
    affected(&session, "CREATE TABLE u (id INT)");
    rows(&session, "CALL dolt_branch('other')");
    let told = |sql: &str| rows(&session, sql)[0][0].clone();
    let once = |counts: &str| format!(r#"{{"dbCnt":2,{counts},"lastUpdate":"2023-11-14T22:13:20.000000Z"}}"#);
    let first = once(r#""bucketWrites":2,"tablesProcessed":2,"tablesSkipped":0"#);
    assert_eq!(told("CALL dolt_stats_once()"), first);
    affected(&session, "DELETE FROM t WHERE id = 3");
    assert_eq!(told("CALL dolt_stats_once()"), once(r#""bucketWrites":2,"tablesProcessed":1,"tablesSkipped":1"#));
    assert!(told("CALL dolt_stats_info()").contains(r#""cachedBucketCnt":2,"cachedBoundCnt":2,"#));
    rows(&session, "CALL dolt_stats_purge()");
    assert!(told("CALL dolt_stats_info()").contains(r#""active":false,"storageBucketCnt":0,"#));
}
