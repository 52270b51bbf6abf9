//! Statements that would take more memory than there is fail with error 1041 before they take it, and give back what they took.
//!
//! The heap is counted, and what is left of a small limit is what the host says.

use engine::{Cursor, Session};
use region::CountedHeap;

use crate::common::{ScriptedHost, fresh};

const MIB: usize = 1 << 20;
const LIMIT_BYTES: usize = 32 * MIB;

/// Whether the statement fails for memory. Nothing else may end it.
fn fails(session: &Session, sql: &str) -> bool {
    match session.query(sql).and_then(|mut cursor| {
        // The rows are not kept.
        while !matches!(cursor.next(i64::MAX)?, engine::Step::Done(_)) {}
        Ok(())
    }) {
        Ok(()) => false,
        Err(error) if matches!(error.errno, 1041 | 1301) => true,
        Err(error) => panic!("{}: {error:?}", &sql[..sql.len().min(200)]),
    }
}

/// Statements that repeat a text, which is one for all rows, and need not fail.
const CONSTANTS: &[&str] = &[
    "SELECT i, REPEAT('a', 250000) AS t FROM n ORDER BY i DESC",
    "SELECT i, MAX(REPEAT('a', 250000)) FROM n GROUP BY i",
    "SELECT i, ANY_VALUE(REPEAT('a', 250000)) FROM n GROUP BY i",
    "SELECT i, REPEAT('a', 250000) AS t, COUNT(*) FROM n GROUP BY i, t",
    "SELECT DISTINCT i, REPEAT('a', 250000) FROM n",
    "SELECT i, REPEAT('a', 250000) FROM n UNION SELECT i, REPEAT('b', 250000) FROM n",
    "SELECT i, COUNT(DISTINCT REPEAT('a', 250000)) FROM n GROUP BY i",
    "SELECT COUNT(DISTINCT i, REPEAT('a', 250000)) FROM n",
    "SELECT GROUP_CONCAT(DISTINCT REPEAT('a', 250000)) FROM n",
    "SELECT i, LAG(REPEAT('a', 250000)) OVER (ORDER BY i) FROM n",
    "SELECT a.i, a.t FROM (SELECT i, REPEAT('a', 250000) AS t FROM n) a JOIN n b ON a.i = b.i ORDER BY a.i",
    "SELECT COUNT(*) FROM n WHERE (i, REPEAT('a', 250000)) IN (SELECT i, REPEAT('a', 250000) FROM n)",
    "SELECT CONCAT(i, REPEAT('a', 250000)) FROM n",
    "SELECT JSON_ARRAYAGG(REPEAT('a', 10000)) FROM n",
];

const NUMBERS: &str = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 150)";

/// Statements that need several times the memory that there is.
fn greedy() -> Vec<(&'static str, Vec<String>)> {
    let text = "CONCAT(i, REPEAT('a', 250000))";
    let of_numbers = |sql: &str| vec![format!("{NUMBERS} {}", sql.replace("TEXT", text))];
    let doubling = |first: &str, next: &str| {
        let mut statements = vec![first.to_owned()];
        statements.extend((0..30).map(|_| next.to_owned()));
        statements
    };
    vec![
        ("distinct values", of_numbers("SELECT COUNT(DISTINCT TEXT) FROM n")),
        ("sorted values", of_numbers("SELECT TEXT AS t FROM n ORDER BY t DESC")),
        ("distinct rows", of_numbers("SELECT DISTINCT TEXT FROM n")),
        ("groups", of_numbers("SELECT TEXT AS t, COUNT(*) FROM n GROUP BY t")),
        ("longest values", of_numbers("SELECT i, MAX(TEXT) FROM n GROUP BY i")),
        ("joined", of_numbers("SELECT 1 FROM (SELECT TEXT AS t FROM n) a JOIN (SELECT TEXT AS t FROM n) b ON a.t = b.t")),
        ("windows", of_numbers("SELECT FIRST_VALUE(TEXT) OVER (ORDER BY i) FROM n")),
        ("set operations", of_numbers("SELECT TEXT FROM n EXCEPT SELECT TEXT FROM n")),
        ("list of a subquery", of_numbers("SELECT COUNT(*) FROM n WHERE TEXT IN (SELECT TEXT FROM n)")),
        ("array of rows", of_numbers("SELECT JSON_LENGTH(JSON_ARRAYAGG(TEXT)) FROM n")),
        ("object of rows", of_numbers("SELECT JSON_LENGTH(JSON_OBJECTAGG(i, TEXT)) FROM n")),
        (
            "text of rows",
            vec![
                "SET SESSION group_concat_max_len = 4000000000".into(),
                format!("{NUMBERS} SELECT LENGTH(GROUP_CONCAT(REPEAT('a', 250000) ORDER BY i)) FROM n"),
            ],
        ),
        ("concatenated", doubling("SET @s = REPEAT('a', 250000)", "SET @s = CONCAT(@s, @s)")),
        ("separated", doubling("SET @s = REPEAT('a', 250000)", "SET @s = CONCAT_WS('-', @s, @s, @s)")),
        ("arrays of arrays", doubling("SET @j = JSON_ARRAY(1, 2)", "SET @j = JSON_ARRAY(@j, @j)")),
        ("merged arrays", doubling("SET @j = JSON_ARRAY(1, 2)", "SET @j = JSON_MERGE_PRESERVE(@j, @j)")),
        ("set members", doubling("SET @j = JSON_OBJECT('a', 1)", "SET @j = JSON_SET(@j, '$.a', @j, '$.b', @j)")),
        (
            "a recursive table",
            vec![
                "WITH RECURSIVE c AS (SELECT CAST('abcdefghij' AS CHAR(100000000)) AS t, 1 AS i \
                 UNION ALL SELECT CONCAT(t, t), i + 1 FROM c WHERE i < 40) SELECT MAX(LENGTH(t)) FROM c"
                    .into(),
            ],
        ),
        (
            "a program",
            vec![
                "CREATE PROCEDURE p() BEGIN DECLARE s LONGTEXT DEFAULT 'abcdefghij'; \
                 DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; \
                 WHILE LENGTH(s) > 0 DO SET s = CONCAT(s, s); END WHILE; END"
                    .into(),
                "CALL p()".into(),
            ],
        ),
        ("variables", (0..40).map(|n| format!("SET @v{n} = REPEAT('a', 2500000)")).collect()),
        ("a wide row", vec![format!("SELECT {}", vec!["REPEAT('a', 2500000)"; 40].join(", "))]),
        ("an array", vec!["SELECT JSON_LENGTH(CAST(CONCAT('[', REPEAT('1,', 2000000), '1]') AS JSON))".into()]),
        ("objects", vec!["SELECT JSON_LENGTH(CONCAT('[', REPEAT('{\"a\":[1]},', 500000), '1]'))".into()]),
        (
            "rows of a document",
            vec![
                "SELECT COUNT(*) FROM JSON_TABLE(CONCAT('[', REPEAT('1,', 2000000), '1]'), '$[*]' COLUMNS (x INT PATH '$')) t"
                    .into(),
            ],
        ),
        ("a long statement", vec![format!("SELECT 1{}", "+1".repeat(600_000))]),
        ("a long list", vec![format!("SELECT 1 IN (1{})", ",1+0".repeat(300_000))]),
        ("shapes", vec!["SELECT ST_AsText(ST_GeomFromText(CONCAT('MULTIPOINT(', REPEAT('1 1,', 2000000), '1 1)')))".into()]),
    ]
}

/// Functions of a text of 3 MB that is in a variable.
const FUNCTIONS: &[&str] = &[
    "CONCAT(@t, @t, @t, @t, @t, @t)",
    "CONCAT_WS(@t, @t, @t, @t, @t)",
    "INSERT(@t, 5, 1, @t)",
    "EXPORT_SET(5, @t, @t, @t, 64)",
    "MAKE_SET(15, @t, @t, @t, @t)",
    "QUOTE(@t)",
    "HEX(@t)",
    "TO_BASE64(@t)",
    "FROM_BASE64(@t)",
    "JSON_QUOTE(REPEAT(CHAR(1), 3000000))",
    "JSON_ARRAY(@t, @t, @t, @t, @t, @t)",
    "JSON_PRETTY(CONCAT(REPEAT('[', 90), REPEAT('1,', 25000), '1', REPEAT(']', 90)))",
    "JSON_EXTRACT(CONCAT('[', REPEAT('1,', 50000), '1]'), '$', '$', '$', '$', '$', '$', '$', '$', '$', '$', '$', '$')",
    "CONVERT(@t USING utf16)",
    "CONVERT(@t USING utf32)",
    "UPPER(@t)",
    "REVERSE(@t)",
    "REPLACE(@t, 'a', 'bbbbbbbbbbbbbbbb')",
    "REGEXP_REPLACE(@t, 'a', 'bbbbbbbbbbbbbbbb')",
    "LPAD(@t, 50000000, @t)",
    "RPAD('a', 50000000, 'b')",
    "SPACE(50000000)",
    "REPEAT(@t, 20)",
    "CAST('a' AS BINARY(50000000))",
    "SUBSTRING_INDEX(@t, 'a', 1000000)",
    "UNCOMPRESS(COMPRESS(REPEAT('a', 15000000)))",
    "SOUNDEX(@t)",
    "ELT(1, @t)",
    "CASE WHEN 1 THEN @t END",
];

#[test]
fn statements_stay_within_memory() {
    let base = CountedHeap::bytes();
    let left = move || LIMIT_BYTES.saturating_sub(usize::try_from(CountedHeap::bytes() - base).unwrap_or(0));
    let engine = fresh::engine_with(ScriptedHost::with_memory(left), "small");
    let mut problems = Vec::new();
    let mut check = |what: &str, session: &Session, statements: &[String], must_fail: bool| {
        CountedHeap::forget_peak();
        let failed = statements.iter().filter(|sql| fails(session, sql)).count();
        let peak = (CountedHeap::peak_bytes() - base) as usize;
        println!("{what}: {failed} of {} failed, {} MiB", statements.len(), peak / MIB);
        if must_fail && failed == 0 {
            problems.push(format!("{what} does not fail"));
        }
        if peak > LIMIT_BYTES {
            problems.push(format!("{what} takes {} MiB", peak / MIB));
        }
        let (_, rows, _) = session.query("SELECT 1 + 1").and_then(Cursor::collect).expect(what);
        assert_eq!(format!("{rows:?}"), "[[Int(2)]]", "{what}");
    };
    for (what, statements) in greedy() {
        check(what, &engine.session(), &statements, true);
    }
    for sql in CONSTANTS {
        check(sql, &engine.session(), &[format!("{NUMBERS} {sql}")], false);
    }
    let session = engine.session();
    check("a text", &session, &["SET @t = REPEAT('a', 3000000)".into()], false);
    for function in FUNCTIONS {
        check(function, &session, &[format!("SELECT LENGTH({function})")], false);
    }
    // A value within an expression takes no copies for a message.
    let joined = "SELECT LENGTH(CONCAT(REPEAT('a', 2500000), REPEAT('b', 2500000)))";
    check(joined, &session, &[], false);
    assert_eq!(fresh::rows(&session, joined), [["5000000"]]);
    drop(session);
    let kept = (CountedHeap::bytes() - base) as usize;
    if kept > 4 * MIB {
        problems.push(format!("{} MiB are kept", kept / MIB));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
