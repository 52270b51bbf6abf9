//! Whole numbers of 64 bits in JSON text are exact, where native Dolt makes doubles of them.

use engine::Session;

use crate::common::fresh::{rows, session};

const LARGE: &str = "7088992364139642881";

fn answer(session: &Session, sql: &str) -> String {
    rows(session, sql).iter().map(|row| row.join("|")).collect::<Vec<_>>().join(";")
}

fn check(sql: &str, expected: &str) {
    assert_eq!(answer(&session(), sql), expected, "{sql}");
}

#[test]
fn in_literals_casts_and_paths() {
    check(&format!("SELECT CAST('{LARGE}' AS JSON)"), LARGE);
    check(&format!("SELECT JSON_EXTRACT('{{\"t\": {LARGE}}}', '$.t')"), LARGE);
    check(&format!("SELECT CAST(JSON_EXTRACT('{{\"t\": {LARGE}}}', '$.t') AS SIGNED)"), LARGE);
    check(&format!("SELECT JSON_UNQUOTE(JSON_EXTRACT('[-{LARGE}]', '$[0]'))"), &format!("-{LARGE}"));
    check(
        "SELECT CAST('[18446744073709551615, -9223372036854775808]' AS JSON)",
        "[18446744073709551615, -9223372036854775808]",
    );
    check(
        &format!("SELECT JSON_SET('{{\"a\": 1}}', '$.b', CAST('{LARGE}' AS JSON))"),
        &format!("{{\"a\": 1, \"b\": {LARGE}}}"),
    );
    check(&format!("SELECT * FROM JSON_TABLE('[{LARGE}]', '$[*]' COLUMNS (n BIGINT PATH '$')) t"), LARGE);
}

#[test]
fn in_columns() {
    let session = session();
    rows(&session, "CREATE TABLE j (a INT PRIMARY KEY, j JSON)");
    rows(&session, &format!("INSERT INTO j VALUES (1, '{{\"t\":{LARGE}}}'), (2, '{{\"t\":7088992364139642880}}')"));
    rows(&session, "INSERT INTO j VALUES (3, '{\"t\":9007199254740993}')");
    assert_eq!(answer(&session, "SELECT CAST(j AS CHAR) FROM j WHERE a = 1"), format!("{{\"t\": {LARGE}}}"));
    assert_eq!(answer(&session, &format!("SELECT a FROM j WHERE JSON_EXTRACT(j, '$.t') = {LARGE}")), "1");
    assert_eq!(answer(&session, &format!("SELECT a FROM j WHERE JSON_EXTRACT(j, '$.t') < {LARGE} ORDER BY a")), "2;3");
    assert_eq!(answer(&session, "SELECT a FROM j ORDER BY JSON_EXTRACT(j, '$.t')"), "3;2;1");
    assert_eq!(
        answer(&session, "SELECT MAX(JSON_EXTRACT(j, '$.t')), MIN(JSON_EXTRACT(j, '$.t')) FROM j"),
        format!("{LARGE}|9007199254740993")
    );
    assert_eq!(answer(&session, "SELECT COUNT(DISTINCT JSON_EXTRACT(j, '$.t')) FROM j"), "3");
    assert_eq!(
        answer(&session, "SELECT JSON_ARRAYAGG(JSON_EXTRACT(j, '$.t')) FROM j WHERE a < 3"),
        format!("[{LARGE}, 7088992364139642880]")
    );
}

#[test]
fn beyond_64_bits_they_are_doubles() {
    check("SELECT CAST('18446744073709551616' AS JSON) = 18446744073709551616e0", "1");
    check("SELECT JSON_TYPE(CAST('1.5' AS JSON)), CAST('1e2' AS JSON) = 100", "DOUBLE|1");
    check("SELECT CAST('7088992364139642881.0' AS JSON) = 7088992364139642880", "1");
}

#[test]
fn as_those_that_functions_make() {
    check(&format!("SELECT JSON_OBJECT('t', {LARGE}) = CAST('{{\"t\": {LARGE}}}' AS JSON)"), "1");
    check(
        &format!("SELECT JSON_CONTAINS('[{LARGE}]', '{LARGE}'), JSON_CONTAINS('[{LARGE}]', '7088992364139642880')"),
        "1|0",
    );
    check(&format!("SELECT JSON_MERGE_PRESERVE('[{LARGE}]', '[1]')"), &format!("[{LARGE}, 1]"));
}
