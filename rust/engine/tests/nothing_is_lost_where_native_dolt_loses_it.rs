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
fn a_branch_that_is_renamed_to_its_own_name_stays() {
    let session = session();
    for sql in ["CREATE TABLE t (id INT PRIMARY KEY)", "CALL dolt_commit('-Am', 'one')", "INSERT INTO t VALUES (1)"] {
        rows(&session, sql);
    }
    rows(&session, "CALL dolt_branch('-m', '-f', 'main', 'main')");
    assert_eq!(rows(&session, "SELECT active_branch(), COUNT(*) FROM t")[0], ["main", "1"]);
    assert_eq!(rows(&session, "SELECT name FROM dolt_branches"), [["main"]]);
}
