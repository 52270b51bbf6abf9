//! What native Dolt loses in a merge, and Varve keeps.

use engine::Session;

use crate::common::fresh::{affected, error, rows, session};

/// A table on `main`, changed there and on the branch `other`.
fn parted(table: &[&str], ours: &[&str], theirs: &[&str]) -> Session {
    let session = session();
    let commit = |statements: &[&str], message: &str| {
        for sql in statements {
            affected(&session, sql);
        }
        rows(&session, &format!("CALL dolt_commit('-Am', '{message}')"));
    };
    commit(table, "table");
    rows(&session, "CALL dolt_checkout('-b', 'other')");
    commit(theirs, "theirs");
    rows(&session, "CALL dolt_checkout('main')");
    commit(ours, "ours");
    session
}

/// The same, which the session has merged.
fn merged(table: &[&str], ours: &[&str], theirs: &[&str]) -> Session {
    let session = parted(table, ours, theirs);
    let merged = rows(&session, "CALL dolt_merge('other')");
    assert_eq!(merged[0][2], "0", "no conflicts");
    session
}

#[test]
fn nulls_among_documents() {
    let table = [
        "CREATE TABLE t (id INT PRIMARY KEY, doc JSON, a INT, b INT)",
        "INSERT INTO t VALUES (1, NULL, 1, 1), (2, NULL, 1, 1)",
    ];
    let ours = ["UPDATE t SET a = 2"];
    let theirs = ["UPDATE t SET b = 2 WHERE id = 1", "UPDATE t SET doc = '[3]' WHERE id = 2"];
    let session = merged(&table, &ours, &theirs);
    assert_eq!(rows(&session, "SELECT id, a, b FROM t WHERE doc IS NULL"), [["1", "2", "2"]]);
    assert_eq!(rows(&session, "SELECT id, doc, a, b FROM t WHERE doc IS NOT NULL"), [["2", "[3]", "2", "1"]]);
}

#[test]
fn the_comment_that_one_side_has_changed() {
    let table = ["CREATE TABLE t (id INT PRIMARY KEY) COMMENT 'first'"];
    let column = "ALTER TABLE t ADD COLUMN a INT";
    let comment = "ALTER TABLE t ADD COLUMN b INT, COMMENT 'second'";
    for (ours, theirs) in [([column], [comment]), ([comment], [column])] {
        let session = merged(&table, &ours, &theirs);
        let definition = rows(&session, "SHOW CREATE TABLE t")[0][1].clone();
        assert!(definition.contains("COMMENT='second'"), "{definition}");
    }
}

#[test]
fn rows_with_null_in_an_index_that_the_merge_builds() {
    let table = ["CREATE TABLE k (a INT, b INT)", "INSERT INTO k VALUES (NULL, 1), (2, 2)"];
    let session = merged(&table, &["INSERT INTO k VALUES (3, 3)"], &["ALTER TABLE k ADD UNIQUE KEY ua (a)"]);
    assert_eq!(rows(&session, "SELECT b FROM k WHERE a IS NULL"), [["1"]]);
}

#[test]
fn foreign_keys_over_the_same_columns() {
    let table = [
        "CREATE TABLE p (id INT PRIMARY KEY)",
        "CREATE TABLE c (id INT PRIMARY KEY, pid INT, CONSTRAINT one FOREIGN KEY (pid) REFERENCES p (id) ON DELETE CASCADE)",
    ];
    let ours = ["CREATE TABLE other (id INT PRIMARY KEY)"];
    let theirs = ["ALTER TABLE c ADD CONSTRAINT another FOREIGN KEY (pid) REFERENCES p (id)"];
    let session = merged(&table, &ours, &theirs);
    let definition = rows(&session, "SHOW CREATE TABLE c")[0][1].clone();
    for name in ["`one`", "`another`"] {
        assert!(definition.contains(name), "{definition}");
    }
}

#[test]
fn conflicts_of_a_table_that_loses_its_key() {
    let session = session();
    for sql in [
        "CREATE TABLE t (id INT PRIMARY KEY, a INT)",
        "INSERT INTO t VALUES (1, 1)",
        "CALL dolt_commit('-Am', 'table')",
        "CALL dolt_checkout('-b', 'other')",
        "UPDATE t SET a = 2",
        "CALL dolt_commit('-Am', 'theirs')",
        "CALL dolt_checkout('main')",
        "UPDATE t SET a = 3",
        "CALL dolt_commit('-Am', 'ours')",
        "SET @@dolt_allow_commit_conflicts = 1",
        "CALL dolt_merge('other')",
        "ALTER TABLE t DROP PRIMARY KEY",
    ] {
        session.query(sql).and_then(engine::Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    assert_eq!(rows(&session, "SELECT * FROM dolt_conflicts"), [["t", "1"]]);
    let (_, message) = error(&session, "SELECT * FROM dolt_conflicts_t");
    assert!(message.contains("another primary key") && message.contains("dolt_conflicts_resolve"), "{message}");
    assert!(error(&session, "CALL dolt_commit('-Am', 'merged')").1.contains("in conflict"));
    rows(&session, "CALL dolt_conflicts_resolve('--ours', 't')");
    rows(&session, "CALL dolt_commit('-Am', 'merged')");
}

#[test]
fn rows_without_key_whose_column_got_another_type() {
    let table = ["CREATE TABLE n (x VARCHAR(20), d INT)", "INSERT INTO n VALUES ('one', 1)"];
    let (row, column) = (["INSERT INTO n VALUES ('two', 2)"], ["ALTER TABLE n MODIFY x TEXT"]);
    for (ours, theirs, kept) in [(&row, &column, 2), (&column, &row, 1)] {
        let session = parted(&table, ours, theirs);
        // Written as they are they could not be read any more.
        assert!(error(&session, "CALL dolt_merge('other')").1.contains("another type"));
        assert_eq!(rows(&session, "SELECT x FROM n").len(), kept);
    }
}

#[test]
fn previews_of_conflicts_where_one_side_has_a_column_more() {
    let table = ["CREATE TABLE f (id INT PRIMARY KEY, a INT)", "INSERT INTO f VALUES (1, 1)"];
    let session = parted(&table, &["UPDATE f SET a = 2"], &["ALTER TABLE f ADD COLUMN c INT", "UPDATE f SET a = 3"]);
    let columns = "base_a, our_a, our_diff_type, their_a, their_c, their_diff_type";
    let sql = format!("SELECT {columns} FROM dolt_preview_merge_conflicts('main', 'other', 'f')");
    assert_eq!(rows(&session, &sql), [["1", "2", "modified", "3", "NULL", "modified"]]);
}

#[test]
fn a_unique_column_that_got_another_type() {
    let there = "INSERT INTO n VALUES (1, 'one'), (2, 'two')";
    let changed =
        ["INSERT INTO n VALUES (3, 'three')", "DELETE FROM n WHERE id = 1", "UPDATE n SET x = 'zwei' WHERE id = 2"];
    for key in ["x", "x(3)"] {
        let table = [&format!("CREATE TABLE n (id INT PRIMARY KEY, x VARCHAR(20), UNIQUE KEY ({key}))"), there];
        let altered = |row: &'static str| ["ALTER TABLE n MODIFY x TEXT", row];
        let other = altered("INSERT INTO n VALUES (4, 'four')");
        for (ours, theirs) in [(&changed[..], &other[..]), (&other[..], &changed[..])] {
            let session = merged(&table, ours, theirs);
            assert_eq!(rows(&session, "SELECT * FROM n"), [["2", "zwei"], ["3", "three"], ["4", "four"]]);
            assert_eq!(rows(&session, "SELECT id FROM n WHERE x = 'three'"), [["3"]]);
        }
        let twin = altered("INSERT INTO n VALUES (5, 'three')");
        for (ours, theirs) in [(&changed[..], &twin[..]), (&twin[..], &changed[..])] {
            let session = parted(&table, ours, theirs);
            affected(&session, "SET @@dolt_force_transaction_commit = 1");
            rows(&session, "CALL dolt_merge('other')");
            assert_eq!(rows(&session, "SELECT id FROM dolt_constraint_violations_n"), [["3"], ["5"]]);
        }
    }
}

/// Native Dolt looks at another column of such rows, and merges.
#[test]
fn rows_without_key_that_break_not_null_are_violations() {
    let add_null = ["INSERT INTO k VALUES (2, NULL)"];
    let not_null = ["ALTER TABLE k MODIFY b INT NOT NULL"];
    for table in ["CREATE TABLE k (a INT, b INT)", "CREATE TABLE k (a INT, b INT, KEY (b))"] {
        let table = [table, "INSERT INTO k VALUES (1, 1)"];
        for (ours, theirs) in [(&not_null, &add_null), (&add_null, &not_null)] {
            let session = parted(&table, ours, theirs);
            rows(&session, "SET dolt_force_transaction_commit = 1");
            let merged = rows(&session, "CALL dolt_merge('other')");
            assert_eq!(merged[0][2..], ["1", "conflicts found"], "{ours:?}");
            assert_eq!(rows(&session, "SELECT * FROM k"), [["1", "1"]]);
            let violations =
                rows(&session, "SELECT violation_type, a, b, violation_info FROM dolt_constraint_violations_k");
            assert_eq!(violations, [["not null", "2", "NULL", "{\"Columns\": [\"b\"]}"]], "{ours:?}");
        }
    }
}

#[test]
fn rows_without_key_that_keep_not_null_are_merged() {
    let table = ["CREATE TABLE k (a INT, b INT)", "INSERT INTO k VALUES (NULL, 1)"];
    // The column to the left of it has a NULL.
    let session = merged(&table, &["ALTER TABLE k MODIFY b INT NOT NULL"], &["INSERT INTO k VALUES (NULL, 2)"]);
    assert_eq!(rows(&session, "SELECT * FROM k ORDER BY b"), [["NULL", "1"], ["NULL", "2"]]);
    assert_eq!(rows(&session, "CALL dolt_verify_constraints('--all')"), [["0"]]);
}

#[test]
fn verifications_find_what_breaks_not_null_without_a_key() {
    let table = ["CREATE TABLE k (a INT, b INT)", "INSERT INTO k VALUES (1, 1)"];
    let session = parted(&table, &["ALTER TABLE k MODIFY b INT NOT NULL"], &["INSERT INTO k VALUES (2, NULL)"]);
    rows(&session, "SET dolt_force_transaction_commit = 1");
    rows(&session, "CALL dolt_merge('other')");
    assert_eq!(rows(&session, "SELECT num_violations FROM dolt_constraint_violations"), [["1"]]);
    assert_eq!(error(&session, "CALL dolt_commit('-Am', 'x')").0, 1105);
    rows(&session, "DELETE FROM dolt_constraint_violations_k");
    rows(&session, "CALL dolt_commit('-Am', 'x')");
    assert_eq!(rows(&session, "CALL dolt_verify_constraints('--all')"), [["0"]]);
}
