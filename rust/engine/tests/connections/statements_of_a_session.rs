//! Table functions, EXPLAIN, prepared statements and information_schema over a real database. Answers are native Dolt's.

use engine::{Cursor, Session};

use crate::common;
use crate::common::tabs::{SharedLock, Tab};

fn open() -> Option<Session> {
    Some(common::open(&common::fixture("d_mixed")?).expect("the fixture opens"))
}

/// Rows as text, values joined by `|`.
fn rows(session: &Session, sql: &str) -> Vec<String> {
    let (columns, rows, _) = session.query(sql).and_then(Cursor::collect).unwrap_or_else(|e| panic!("{sql}: {e}"));
    let line = |row: &Vec<value::Value<'static>>| {
        let values = row.iter().zip(columns.iter()).map(|(value, column)| match value::to_text(value, &column.ty) {
            Some(text) => String::from_utf8_lossy(&text).into_owned(),
            None => "NULL".to_owned(),
        });
        values.collect::<Vec<_>>().join("|")
    };
    rows.iter().map(line).collect()
}

fn error(session: &Session, sql: &str) -> (u16, String) {
    let error = session.query(sql).and_then(Cursor::collect).expect_err(sql);
    (error.errno, error.into_message())
}

#[test]
fn a_patch_is_schema_then_data() {
    let Some(session) = open() else { return };
    let patch = rows(&session, "SELECT table_name, diff_type, statement FROM dolt_patch('HEAD~1', 'HEAD') LIMIT 3");
    assert_eq!(
        patch,
        [
            "authors|schema|ALTER TABLE `authors` ADD `died` int;",
            "authors|data|UPDATE `authors` SET `country`='H0' WHERE `id`=1;",
            "authors|data|UPDATE `authors` SET `country`='H1' WHERE `id`=2;",
        ]
    );
    assert_eq!(
        error(&session, "SELECT * FROM dolt_patch('HEAD~1', 'HEAD', 'nope')"),
        (1146, "table not found: nope".into())
    );
}

#[test]
fn columns_that_a_commit_changed() {
    let Some(session) = open() else { return };
    let sql = "SELECT column_name, diff_type FROM dolt_column_diff \
               WHERE commit_hash = 'flq1lha68js0vipobvomnhj71hdk1g1i' ORDER BY 1";
    assert_eq!(rows(&session, sql), ["country|modified", "died|added"]);
}

#[test]
fn branches_and_documents_are_compared() {
    let Some(session) = open() else { return };
    assert_eq!(
        rows(&session, "SELECT * FROM dolt_branch_status('main', 'feature', 'hotfix')"),
        ["feature|0|109", "hotfix|0|128"]
    );
    let sql = r#"SELECT * FROM dolt_json_diff('{"a":{"x":1,"y":[1,2]},"b":2}', '{"a":{"x":2,"y":[1,3]},"c":3}')"#;
    assert_eq!(
        rows(&session, sql),
        ["modified|$.a.x|1|2", "modified|$.a.y[1]|2|3", "removed|$.b|2|NULL", "added|$.c|NULL|3"]
    );
}

#[test]
fn answers_of_queries_are_compared() {
    let Some(session) = open() else { return };
    assert_eq!(rows(&session, "SELECT * FROM dolt_query_diff('SELECT 1 AS a', 'SELECT 2 AS a')"), ["1|2|modified"]);
    let sql = "SELECT from_id, to_id, diff_type FROM dolt_query_diff(\
               'SELECT id, name FROM authors WHERE id IN (1, 2)', 'SELECT id, name FROM authors WHERE id IN (2, 3)')";
    assert_eq!(rows(&session, sql), ["1|NULL|deleted", "NULL|3|added"]);
    assert_eq!(error(&session, "SELECT * FROM dolt_query_diff('SELECT 1')").0, 1105);
}

#[test]
fn an_analyzed_plan_tells_what_operators_did() {
    let Some(session) = open() else { return };
    let lines = rows(&session, "EXPLAIN ANALYZE SELECT id FROM books WHERE id IN (5, 6, 8) ORDER BY price LIMIT 2");
    let did = |step: &str| {
        let line = lines.iter().find(|line| line.trim_start().starts_with(step));
        line.unwrap_or_else(|| panic!("no {step}: {lines:?}"))
    };
    assert!(did("Limit, keeping the first rows").contains(", 2 rows given, "), "{lines:?}");
    assert!(did("Sort").contains(", 2 rows given, "), "{lines:?}");
    assert!(did("Scan books by PRIMARY, 3 ranges").contains(", 3 rows given, "), "{lines:?}");
    let plain = rows(&session, "EXPLAIN FORMAT=TREE SELECT id FROM books");
    assert!(plain.iter().all(|line| !line.contains("rows given")), "{plain:?}");
}

#[test]
fn a_plan_says_by_what_its_steps_go() {
    let Some(session) = open() else { return };
    assert_eq!(rows(&session, "EXPLAIN FORMAT=TREE SELECT 1"), ["Project", "  columns: 1", "  One row"]);
    let about = |sql: &str| -> Vec<String> {
        let lines =
            rows(&session, &format!("EXPLAIN FORMAT=TREE {sql}")).into_iter().map(|line| line.trim_start().to_owned());
        lines.filter(|line| line.starts_with(|first: char| first.is_lowercase())).collect()
    };
    for (line, sql) in [
        (
            "where: price > 3 AND (price < 5 OR id = 7)",
            "SELECT id FROM books WHERE price > 3 AND (price < 5 OR id = 7)",
        ),
        ("range: id > 5 AND id <= 9", "SELECT id FROM books WHERE id > 5 AND id <= 9"),
        (
            "range: id = 5 OR id = 6 OR id = 7 OR id = 8 OR id = 9 OR … 2 more",
            "SELECT price FROM books WHERE id IN (5, 6, 7, 8, 9, 10, 11)",
        ),
        ("where: price IN (5, 6, 7, 8, 9, … 2 more)", "SELECT id FROM books WHERE price IN (5, 6, 7, 8, 9, 10, 11)"),
        ("range: i.id = b.id + 1", "SELECT id, (SELECT price FROM books i WHERE i.id = b.id + 1) FROM books b"),
        ("keys: b.price = i.price + 1", "SELECT b.id, i.id FROM books b LEFT JOIN books i ON b.price = i.price + 1"),
        ("on: b.price < i.price", "SELECT b.id, i.id FROM books b LEFT JOIN books i ON b.price < i.price"),
        ("keys: price * 2 DESC, id", "SELECT id FROM books ORDER BY price * 2 DESC, id LIMIT 2"),
        ("groups: price + 1", "SELECT price + 1 FROM books GROUP BY price + 1"),
        (
            "calls: SUM(price), COUNT(DISTINCT id)",
            "SELECT SUM(price), COUNT(DISTINCT id) FROM books GROUP BY price + 1",
        ),
        ("where: SUM(price) > 4", "SELECT 1 FROM books GROUP BY price + 1 HAVING SUM(price) > 4"),
        (
            "calls: ROW_NUMBER() OVER (PARTITION BY price ORDER BY id DESC)",
            "SELECT ROW_NUMBER() OVER (PARTITION BY price ORDER BY id DESC) FROM books",
        ),
        ("where: b.price > (SELECT …)", "SELECT id FROM books b WHERE price > (SELECT MAX(id) FROM books)"),
        ("where: id - (price - 1) > -price", "SELECT id FROM books WHERE id - (price - 1) > -price"),
        (
            "columns: CASE WHEN id = 1 THEN 'it''s' ELSE 'A B' END",
            "SELECT CASE WHEN id = 1 THEN 'it''s' ELSE UPPER('a\nb') END FROM books",
        ),
        (
            "columns: REPEAT('1234567890123456789012345678901234567890…', id)",
            "SELECT REPEAT('123456789012345678901234567890123456789012345', id) FROM books",
        ),
    ] {
        let lines = about(sql);
        assert!(lines.iter().any(|other| other == line), "{sql}\n{line}\n{}", lines.join("\n"));
    }
    // However much is asked for, a line is one that can be read.
    let long =
        format!("SELECT id FROM books WHERE {}", vec!["price + id * 2 <> 77 OR id - price < 3"; 500].join(" AND "));
    assert!(about(&long).iter().all(|line| line.len() < 1000), "{:?}", about(&long));
}

#[test]
fn a_plan_of_a_change_says_what_becomes_of_the_rows() {
    let Some(session) = open() else { return };
    let before = rows(&session, "SELECT dolt_hashof_table('books')");
    let explained = |sql: &str| rows(&session, &format!("EXPLAIN FORMAT=TREE {sql}"));
    assert_eq!(
        explained("INSERT INTO books (id, price) VALUES (1, 2), (2, 3)"),
        ["Insert into books: id, price", "  Values, 2 rows"]
    );
    let lines = explained("REPLACE INTO books (id) SELECT id + 1 FROM books WHERE id = 5");
    assert_eq!(lines[0], "Replace rows of books: id");
    assert!(lines[1].starts_with("  "), "{lines:?}");
    let lines = explained("INSERT INTO books SET id = 1 ON DUPLICATE KEY UPDATE price = 3");
    assert_eq!(lines[0], "Insert into books: id, or update price where the key is taken");
    let lines = explained("UPDATE books SET price = price + 1 WHERE id = 5");
    assert_eq!(lines[0], "Update books.price");
    assert!(lines.iter().any(|line| line.trim_start().starts_with("Scan books by PRIMARY, 1 range")), "{lines:?}");
    let lines = explained("DELETE a FROM books a JOIN books b ON a.id = b.id WHERE a.id < 9");
    assert_eq!(lines[0], "Delete from books");
    assert!(lines.iter().any(|line| line.contains("join")), "{lines:?}");
    assert_eq!(error(&session, "EXPLAIN INSERT INTO nowhere VALUES (1)").0, 1146);
    assert_eq!(error(&session, "EXPLAIN DELETE FROM books WHERE nothing = 1").0, 1105);
    assert_eq!(error(&session, "EXPLAIN ANALYZE DELETE FROM books").0, 1105);
    assert_eq!(rows(&session, "SELECT dolt_hashof_table('books')"), before);
}

#[test]
fn prepared_statements_have_names() {
    let Some(session) = open() else { return };
    rows(&session, "PREPARE two FROM 'SELECT ? + ? AS total'");
    rows(&session, "SET @x = 3, @y = 4");
    assert_eq!(rows(&session, "EXECUTE TWO USING @x, @y"), ["7"]);
    assert_eq!(error(&session, "EXECUTE two USING @x").1, "bind variable not provided: 'v2'");
    let nested = "This command is not supported in the prepared statement protocol yet";
    assert_eq!(error(&session, "PREPARE again FROM 'EXECUTE two'").1, nested);
    rows(&session, "DEALLOCATE PREPARE two");
    assert_eq!(error(&session, "EXECUTE two").1, "Unknown prepared statement handler (two) given to EXECUTE");
}

#[test]
fn variables_keep_their_kinds() {
    let Some(session) = open() else { return };
    assert_eq!(rows(&session, "SHOW VARIABLES LIKE 'autocommit'"), ["autocommit|ON"]);
    rows(&session, "SET autocommit = OFF");
    assert_eq!(rows(&session, "SELECT @@autocommit"), ["0"]);
    rows(&session, "SET sql_mode = DEFAULT, autocommit = TRUE");
    assert_eq!(rows(&session, "SHOW VARIABLES LIKE 'autocommit'"), ["autocommit|ON"]);
    assert_eq!(error(&session, "SET autocommit = 'x'").1, "Variable 'autocommit' can't be set to the value of 'x'");
    assert_eq!(error(&session, "SET version = 'x'").1, "Variable 'version' is a read only variable");
    rows(&session, "SET GLOBAL wait_timeout = 5");
    assert_eq!(rows(&session, "SELECT @@global.wait_timeout, @@wait_timeout"), ["5|28800"]);
    assert_eq!(rows(&session, "SHOW VARIABLES LIKE 'mixed_head_ref'"), ["mixed_head_ref|refs/heads/main"]);
}

#[test]
fn information_schema_is_a_database() {
    let Some(session) = open() else { return };
    rows(&session, "USE information_schema");
    assert_eq!(rows(&session, "SHOW TABLES").len(), 79);
    let sql = "SELECT column_name, column_type, column_key FROM columns \
               WHERE table_schema = 'MIXED' AND table_name = 'loans' ORDER BY ordinal_position";
    assert_eq!(
        rows(&session, sql),
        ["member_id|bigint|PRI", "book_id|int|PRI", "taken|datetime(3)|PRI", "returned|datetime|"]
    );
    let sql = "SELECT table_name, table_type, table_rows FROM tables WHERE table_schema = 'mixed' ORDER BY 1";
    assert_eq!(
        rows(&session, sql),
        [
            "authors|BASE TABLE|65",
            "books|BASE TABLE|149",
            "loans|BASE TABLE|119",
            "members|BASE TABLE|60",
            "open_loans|VIEW|NULL",
            "reviews|BASE TABLE|60",
        ]
    );
    assert_eq!(error(&session, "SELECT * FROM information_schema.nope").0, 1146);
}

/// Its clock goes on by a second with each look at it.
#[test]
fn a_statement_sleeps_until_the_clock_says_so() {
    let session = common::fresh::session_named("mydb");
    let naps = |sql: &str| {
        let mut cursor = session.query(sql).expect(sql);
        let mut naps = Vec::new();
        loop {
            match cursor.next(1000).expect(sql) {
                engine::Step::Sleep(milliseconds) => naps.push(milliseconds),
                engine::Step::Done(_) => return naps,
                _ => {}
            }
        }
    };
    let long = naps("select sleep(3.5)");
    assert!(long.len() > 1 && long.is_sorted_by(|before, after| before > after), "{long:?}");
    assert!(long.iter().all(|milliseconds| *milliseconds <= 3_500), "{long:?}");
    assert!(!naps("select sleep(2) from (select 1 union select 2) two").is_empty());
    assert!(!naps("set @slept = sleep(2)").is_empty());
    assert!(naps("select sleep(0), sleep(-1), sleep(null)").is_empty());
    assert!(naps("select 1").is_empty());
}

/// The first look at the clock would come after others have had their turns.
#[test]
fn a_statement_knows_when_it_began() {
    let disk = region::CrashDirectory::new(1);
    let tab = Tab::open(&disk, &SharedLock::default(), 1, store::Durability::Full, true);
    let session = tab.engine.session();
    for sql in ["CREATE TABLE one (n INT PRIMARY KEY)", "INSERT INTO one VALUES (1), (2), (3), (4), (5), (6), (7), (8)"]
    {
        session.query(sql).and_then(Cursor::collect).unwrap();
    }
    let late =
        "SELECT CASE WHEN a.n * b.n * c.n * d.n = 4096 THEN utc_timestamp(6) END AS at FROM one a, one b, one c, one d";
    let began = tab.clock.get();
    for sql in [late.to_owned(), format!("SELECT max(at) FROM ({late}) late")] {
        tab.clock.set(began);
        let mut cursor = session.query(&sql).unwrap();
        assert!(matches!(cursor.next(64).unwrap(), engine::Step::Batch(_) | engine::Step::Yield), "{sql}");
        tab.clock.set(began + 3_600_000_000);
        let (_, rows, _) = cursor.collect().unwrap();
        let value::Value::DateTime(told) = rows.last().unwrap()[0] else { panic!("{sql}: {rows:?}") };
        assert_eq!(told.microseconds(), began, "{sql}");
    }
}

#[test]
fn strings_name_their_columns() {
    let session = common::fresh::session();
    let (columns, ..) = session
        .query(r#"select 'abc', "dq", 'it''s', 'it\'s', 'a\nb', '', 'a' 'b', _utf8mb4'c', ('d'), 'e' as f"#)
        .and_then(Cursor::collect)
        .unwrap();
    let names: Vec<_> = columns.iter().map(|column| &*column.name).collect();
    assert_eq!(names, ["abc", "dq", "it's", r"it\'s", r"a\nb", "", "'a' 'b'", "_utf8mb4'c'", "('d')", "f"]);
}

#[test]
fn patches_change_only_the_indexes_that_differ() {
    let session = common::fresh::session();
    let patch = |changes: &[&str]| -> Vec<String> {
        for sql in changes {
            session.query(sql).and_then(Cursor::collect).expect(sql);
        }
        rows(&session, "SELECT statement FROM dolt_patch('HEAD', 'WORKING')")
    };
    patch(&["CREATE TABLE t (pk INT PRIMARY KEY, a INT, KEY one (a), KEY two (a))", "CALL dolt_commit('-Am', 'base')"]);
    assert_eq!(patch(&["CREATE INDEX aaa ON t (a)"]), ["ALTER TABLE `t` ADD INDEX `aaa`(`a`);"]);
    let renamed = ["ALTER TABLE `t` DROP INDEX `one`;", "ALTER TABLE `t` ADD INDEX `aaa`(`a`);"];
    assert_eq!(patch(&["DROP INDEX one ON t"]), renamed);
    assert_eq!(patch(&["DROP INDEX aaa ON t"]), ["ALTER TABLE `t` DROP INDEX `one`;"]);
}

#[test]
fn a_definition_that_is_shown_makes_the_table_again() {
    let session = common::fresh::session();
    let made = r#"CREATE TABLE `o'd"d` (
        `i``d` INT PRIMARY KEY COMMENT 'new
line ''quoted'' "too" \\ back\\', `a\\b` VARCHAR(40) DEFAULT 'x\\y''z\n"\\', d DECIMAL(30,10) DEFAULT -0.0000000001,
        j JSON DEFAULT (JSON_OBJECT('a\\', 1)), g INT AS (LENGTH(`a\\b`)) STORED COMMENT 'g\\',
        KEY `k``y` (`a\\b`(10)) COMMENT 'c''m "\\', CONSTRAINT `c``k` CHECK (`a\\b` <> 'it''s \\n\\'))
        COMMENT 'tab\tle ''c'' \\'"#;
    rows(&session, made);
    let shown = rows(&session, r#"SHOW CREATE TABLE `o'd"d`"#);
    rows(&session, r#"DROP TABLE `o'd"d`"#);
    let (_, definition) = shown[0].split_once('|').expect("a name and a definition");
    rows(&session, definition);
    assert_eq!(rows(&session, r#"SHOW CREATE TABLE `o'd"d`"#), shown);
}

#[test]
fn what_is_another_value_each_time_is_no_alias_of_one() {
    let session = common::fresh::session();
    for changing in ["rand()", "(select rand())", "(select (select uuid()))", "(select 1) + rand()"] {
        let (_, message) = error(&session, &format!("SELECT {changing} AS r, (SELECT r)"));
        assert!(message.contains("column \"r\" could not be found"), "{changing}: {message}");
    }
    assert_eq!(rows(&session, "SELECT (SELECT (SELECT 7)) AS r, (SELECT r)"), ["7|7"]);
}
