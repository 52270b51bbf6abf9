//! Tables with columns named as those that system tables add can be read in these: such a name is the added column's.

use crate::common::fresh::{rows, session};

fn check(sql: &str, expected: &[&str]) {
    let session = session();
    for statement in [
        "CREATE TABLE d (id INT PRIMARY KEY, commit_hash VARCHAR(40), `commit` INT, committer VARCHAR(10), diff_type INT)",
        "INSERT INTO d VALUES (1, 'x', 5, 'me', 7)",
        "CALL dolt_commit('-Am', 'one')",
        "UPDATE d SET `commit` = 6",
        "CALL dolt_commit('-am', 'two')",
    ] {
        rows(&session, statement);
    }
    let found: Vec<String> = rows(&session, sql).iter().map(|row| row.join("|")).collect();
    assert_eq!(found, expected, "{sql}");
}

#[test]
fn in_histories() {
    check("SELECT COUNT(*), COUNT(DISTINCT commit_hash) FROM dolt_history_d", &["2|2"]);
    check("SELECT COUNT(*) FROM dolt_history_d WHERE commit_hash = HASHOF('HEAD')", &["1"]);
    check("SELECT id, h.committer, `commit` FROM dolt_history_d h ORDER BY commit_date", &["1|root|5", "1|root|6"]);
}

#[test]
fn all_columns_are_shown() {
    let session = session();
    rows(&session, "CREATE TABLE d (id INT PRIMARY KEY, committer VARCHAR(10))");
    rows(&session, "INSERT INTO d VALUES (1, 'me')");
    rows(&session, "CALL dolt_commit('-Am', 'one')");
    let row = &rows(&session, "SELECT * FROM dolt_history_d")[0];
    assert_eq!((&*row[1], &*row[3], row.len()), ("me", "root", 5));
}

#[test]
fn in_differences() {
    check("SELECT COUNT(*), COUNT(DISTINCT to_commit) FROM dolt_diff_d", &["2|2"]);
    check("SELECT diff_type, to_id FROM dolt_diff('HEAD~1', 'HEAD', 'd')", &["modified|1"]);
    check(
        "SELECT to_id, diff_type FROM dolt_commit_diff_d WHERE to_commit = HASHOF('HEAD') AND from_commit = HASHOF('HEAD~1')",
        &["1|modified"],
    );
    check("SELECT id, committer FROM dolt_blame_d", &["1|root"]);
}

#[test]
fn names_of_two_tables_stay_ambiguous() {
    let session = session();
    rows(&session, "CREATE TABLE d (id INT PRIMARY KEY, committer INT)");
    rows(&session, "CALL dolt_commit('-Am', 'one')");
    let error = crate::common::fresh::error(&session, "SELECT committer FROM dolt_history_d, dolt_log");
    assert!(error.1.starts_with("ambiguous column name \"committer\""), "{}", error.1);
}
