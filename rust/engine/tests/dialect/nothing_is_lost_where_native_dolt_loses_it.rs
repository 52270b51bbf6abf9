//! What native Dolt 2.2.0 loses on the way through a double, a text or a plan, or with a branch (docs/decisions/2026-11-21-dialect.md).

use crate::common::fresh::{rows, session};

fn check(sql: &str, expected: &[&str]) {
    let session = session();
    rows(&session, "CREATE TABLE t (id INT PRIMARY KEY, u BIGINT UNSIGNED, f FLOAT, s VARCHAR(9))");
    rows(&session, "INSERT INTO t VALUES (1, 9007199254740993, 1.1, 'a%'), (2, 3, 2.5, 'a\\\\%')");
    let told: Vec<String> = rows(&session, sql).iter().map(|row| row.join("|")).collect();
    assert_eq!(told, expected, "{sql}");
}

#[test]
fn formatted_numbers_have_all_digits() {
    check("SELECT FORMAT(9223372036854775807, 2)", &["9,223,372,036,854,775,807.00"]);
    check("SELECT FORMAT(-9007199254740993, 0)", &["-9,007,199,254,740,993"]);
    check("SELECT FORMAT(12345678901234567890123.456, 1)", &["12,345,678,901,234,567,890,123.5"]);
    check("SELECT FORMAT(u, 1), FORMAT(f, 1) FROM t", &["9,007,199,254,740,993.0|1.1", "3.0|2.5"]);
}

#[test]
fn bits_of_numbers_of_two_types_are_kept() {
    check("SELECT u & 1, u ^ 0.0, u | 2e0 FROM t", &["1|9007199254740993|9007199254740995", "1|3|3"]);
}

#[test]
fn a_float_beside_whole_numbers_is_a_number() {
    check("SELECT COALESCE(f, 1) = f, COALESCE(f, 1) = IFNULL(f, 1) FROM t", &["1|1", "1|1"]);
}

#[test]
fn escaped_signs_mean_themselves_in_conditions() {
    check("SELECT id FROM t WHERE s LIKE 'a\\\\%'", &["1"]);
    check("SELECT id, s LIKE 'a\\\\%' FROM t", &["1|1", "2|0"]);
    check("SELECT id FROM t WHERE s COLLATE utf8mb4_0900_ai_ci LIKE 'A\\\\%'", &["1"]);
}

#[test]
fn reversed_numbers_keep_their_noughts() {
    check(
        "SELECT REVERSE(12345), REVERSE(120), CONCAT(REVERSE(120), 'x'), REVERSE(1.50), REVERSE(-12)",
        &["54321|021|021x|05.1|21-"],
    );
    check("SELECT REVERSE(u), LENGTH(REVERSE(id * 100)) FROM t", &["3990474529917009|3", "3|3"]);
}

#[test]
fn rows_with_null_are_neither_equal_nor_others() {
    check("SELECT (1, NULL) = (1, 2), (1, NULL) = (2, 2), (NULL, 1) <> (1, 2)", &["NULL|0|1"]);
    check("SELECT id FROM t WHERE (id, NULL) = (1, NULL) OR NOT (id, f) = (id, NULL)", &[]);
}

#[test]
fn a_revert_does_not_take_the_place_of_a_merge() {
    let session = session();
    for sql in [
        "SET @@dolt_allow_commit_conflicts = 1",
        "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
        "CREATE TABLE u (id INT PRIMARY KEY)",
        "INSERT INTO t VALUES (1, 1)",
        "CALL dolt_commit('-Am', 'one')",
        "INSERT INTO u VALUES (1)",
        "CALL dolt_commit('-am', 'two')",
        "CALL dolt_checkout('-b', 'b')",
        "UPDATE t SET n = 2",
        "CALL dolt_commit('-am', 'of b')",
        "CALL dolt_checkout('main')",
        "UPDATE t SET n = 3",
        "CALL dolt_commit('-am', 'three')",
        "CALL dolt_merge('b')",
    ] {
        rows(&session, sql);
    }
    let reverted = session.query("CALL dolt_revert('HEAD~1')").and_then(engine::Cursor::collect);
    let error = reverted.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("the table(s) t are in conflict"), "{error}");
    assert_eq!(rows(&session, "SELECT source, unmerged_tables FROM dolt_merge_status")[0], ["b", "t"]);
    assert_eq!(rows(&session, "SELECT * FROM u"), [["1"]]);
}

#[test]
fn a_branch_that_is_renamed_to_its_own_name_stays() {
    let session = session();
    for sql in ["CREATE TABLE t (id INT PRIMARY KEY)", "CALL dolt_commit('-Am', 'one')", "INSERT INTO t VALUES (1)"] {
        rows(&session, sql);
    }
    rows(&session, "CALL dolt_branch('-m', '-f', 'main', 'main')");
    assert_eq!(rows(&session, "SELECT active_branch(), COUNT(*) FROM t")[0], ["main", "1"]);
    assert_eq!(rows(&session, "SELECT name FROM dolt_branches"), [["main"]]);
}
