//! Regular expressions that take other engines for ever end with an answer or with an error of MySQL, wherever they are evaluated.

use engine::Session;

use crate::common::fresh;

fn errno(session: &Session, sql: &str) -> u16 {
    fresh::error(session, sql).0
}

fn one(session: &Session, sql: &str) -> String {
    fresh::rows(session, sql).concat().join(",")
}

fn run(session: &Session, sql: &str) {
    fresh::affected(session, sql);
}

#[test]
fn patterns_that_blow_up_elsewhere_have_an_answer() {
    let session = fresh::session();
    for (sql, answer) in [
        ("SELECT REGEXP_LIKE(REPEAT('a',40), '^(a+)+$b')", "0"),
        ("SELECT REGEXP_LIKE(CONCAT(REPEAT('a',10000),'!'), '^(a|aa)+$')", "0"),
        ("SELECT LENGTH(REGEXP_REPLACE(REPEAT('ab',100000), 'a+c|b', ''))", "100000"),
        ("SELECT REGEXP_INSTR(REPEAT('x ', 100000), '(x+x+)+y')", "0"),
        ("SELECT REGEXP_REPLACE('abc', '(?<first>a)(b)', '${first}-$2-$1')", "a-b-ac"),
        ("SELECT REGEXP_REPLACE('abc', 'b*', '-')", "-a--c-"),
        ("SELECT REGEXP_SUBSTR('aXbXc', '[^X]+', 1, 3)", "c"),
        ("SELECT 'aab' REGEXP 'a++b'", "1"),
        ("SELECT 'abc' REGEXP '(?>a|ab)c'", "0"),
        ("SELECT REGEXP_REPLACE('price 12', '(?<=e )[0-9]+', '#')", "price #"),
    ] {
        assert_eq!(one(&session, sql), answer, "{sql}");
    }
}

#[test]
fn what_exceeds_a_limit_is_an_error_of_mysql() {
    let session = fresh::session();
    let timeout = "SELECT REGEXP_LIKE(CONCAT(REPEAT('a',40),'!'), '^((?=a)a+)+$')";
    assert_eq!(errno(&session, timeout), 3699);
    assert_eq!(errno(&session, "SELECT REGEXP_LIKE(REPEAT('a',1000000), '(?=a)(.|\\n)*b')"), 3698);
    assert_eq!(errno(&session, "SELECT REGEXP_LIKE('a', '(a{1000}){1000}')"), 3700);
    assert_eq!(errno(&session, "SELECT REGEXP_REPLACE(REPEAT('a',50000), 'a.*?z|a', '')"), 3699);
    // The limit that a client sets.
    assert_eq!(one(&session, "SELECT REGEXP_LIKE(REPEAT('ab',50000), '(a.*)*c')"), "0");
    run(&session, "SET GLOBAL regexp_time_limit = 1");
    assert_eq!(errno(&session, "SELECT REGEXP_LIKE(REPEAT('ab',500000), '(a.*)*c')"), 3699);
    // The next statement answers.
    assert_eq!(one(&session, "SELECT 'abc' REGEXP 'b'"), "1");
}

#[test]
fn limits_hold_in_checks_generated_columns_and_triggers() {
    let session = fresh::session();
    let bad = "'^((?=a)a+)+$'";
    for sql in [
        &format!("CREATE TABLE checked (t VARCHAR(100), CHECK (t NOT REGEXP {bad}))"),
        &format!("CREATE TABLE made (t VARCHAR(100), g INT AS (REGEXP_LIKE(t, {bad})) STORED)"),
        "CREATE TABLE triggered (t VARCHAR(100))",
        &format!(
            "CREATE TRIGGER checks BEFORE INSERT ON triggered FOR EACH ROW SET NEW.t = REGEXP_REPLACE(NEW.t, {bad}, 'x')"
        ),
    ] {
        run(&session, sql);
    }
    for table in ["checked (t)", "made (t)", "triggered (t)"] {
        assert_eq!(
            errno(&session, &format!("INSERT INTO {table} VALUES (CONCAT(REPEAT('a',40),'!'))")),
            3699,
            "{table}"
        );
        run(&session, &format!("INSERT INTO {table} VALUES ('b')"));
        let name = table.split(' ').next().unwrap_or_default();
        assert_eq!(one(&session, &format!("SELECT COUNT(*) FROM {name}")), "1", "{table}");
    }
}

#[test]
fn many_patterns_and_patterns_of_columns_are_compiled_in_bounded_memory() {
    let session = fresh::session();
    run(&session, "CREATE TABLE patterns (id INT PRIMARY KEY, p VARCHAR(200))");
    let rows = "WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 500)";
    run(&session, &format!("INSERT INTO patterns {rows} SELECT i, CONCAT('^(?:[[:alpha:]]{{1,50}}|', i, ')$') FROM s"));
    assert_eq!(one(&session, "SELECT COUNT(*) FROM patterns WHERE id REGEXP p"), "500");
    assert_eq!(
        one(&session, "SELECT COUNT(*) FROM patterns a JOIN patterns b ON b.id REGEXP a.p WHERE a.id < 20"),
        "19"
    );
}
