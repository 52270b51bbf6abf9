//! What tools of MySQL read of columns and indexes, where native Dolt tells less.

use engine::Session;

use crate::common::fresh::{affected, rows, session};

fn open() -> Session {
    let session = session();
    rows(
        &session,
        "CREATE TABLE c (a INT PRIMARY KEY, n VARCHAR(9) COLLATE utf8mb4_general_ci NOT NULL DEFAULT 'it''s', g INT AS (a + 1) STORED, \
         v INT AS (a + g), ts TIMESTAMP NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, u DATETIME ON UPDATE \
         CURRENT_TIMESTAMP, e INT DEFAULT (1 + 2), t TEXT, l VARCHAR(5) CHARACTER SET latin1, KEY n (n, g), KEY g (g), FULLTEXT KEY ft (t))",
    );
    session
}

#[test]
fn columns_say_how_they_get_their_values() {
    let session = open();
    let sql = "SELECT column_name, extra, generation_expression FROM information_schema.columns WHERE table_name = 'c' AND (extra <> \
               '' OR generation_expression <> '') ORDER BY ordinal_position";
    assert_eq!(
        rows(&session, sql),
        [
            ["g", "STORED GENERATED", "(`a` + 1)"],
            ["v", "VIRTUAL GENERATED", "(`a` + `g`)"],
            ["ts", "DEFAULT_GENERATED on update CURRENT_TIMESTAMP", ""],
            ["u", "on update CURRENT_TIMESTAMP", ""],
            ["e", "DEFAULT_GENERATED", ""],
        ]
    );
    let full = |column: &str| rows(&session, &format!("SHOW FULL COLUMNS FROM c LIKE '{column}'"))[0][6].clone();
    assert_eq!([full("g"), full("v"), full("n")], ["STORED GENERATED", "VIRTUAL GENERATED", ""]);
    // DESCRIBE stays as in native Dolt.
    assert!(rows(&session, "DESCRIBE c").iter().all(|row| ["", "DEFAULT_GENERATED"].contains(&&*row[5])));
}

#[test]
fn full_columns_have_their_own_collation() {
    let session = open();
    let full = |column: &str| rows(&session, &format!("SHOW FULL COLUMNS FROM c LIKE '{column}'"))[0][1..6].to_vec();
    assert_eq!(full("n"), ["varchar(9)", "utf8mb4_general_ci", "NO", "MUL", "it's"]);
    assert_eq!(full("l"), ["varchar(5)", "latin1_swedish_ci", "YES", "", "NULL"]);
    assert_eq!(full("a"), ["int", "NULL", "NO", "PRI", "NULL"]);
    assert_eq!(full("t")[..2], ["text", "utf8mb4_0900_bin"]);
}

#[test]
fn indexes_say_their_kind_and_after_analyze_how_many_values_they_have() {
    let session = open();
    rows(&session, "INSERT INTO c (a, n) VALUES (1, 'x'), (2, 'x'), (3, 'y')");
    let sql = "SELECT index_name, seq_in_index, index_type, cardinality FROM information_schema.statistics WHERE table_name = 'c' \
               ORDER BY 1, 2";
    let counted = |counts: [&str; 5]| {
        let names = [
            ("PRIMARY", "1", "BTREE"),
            ("ft", "1", "FULLTEXT"),
            ("g", "1", "BTREE"),
            ("n", "1", "BTREE"),
            ("n", "2", "BTREE"),
        ];
        names
            .into_iter()
            .zip(counts)
            .map(|((index, number, kind), count)| [index, number, kind, count].map(str::to_owned).to_vec())
            .collect::<Vec<_>>()
    };
    let sorted = |mut found: Vec<Vec<String>>| {
        found.sort();
        found
    };
    assert_eq!(sorted(rows(&session, sql)), counted(["0"; 5]));
    rows(&session, "ANALYZE TABLE c");
    assert_eq!(sorted(rows(&session, sql)), counted(["3", "3", "3", "0", "3"]));
    let shown = rows(&session, "SHOW INDEX FROM c");
    assert_eq!(shown[0][6], "3");
}

#[test]
fn databases_keep_their_character_set() {
    let session = session();
    rows(&session, "CREATE DATABASE l DEFAULT CHARACTER SET latin1");
    rows(&session, "CREATE DATABASE g COLLATE utf8mb4_general_ci");
    let create = |name: &str| rows(&session, &format!("SHOW CREATE DATABASE {name}"))[0][1].clone();
    assert!(
        create("l").ends_with("/*!40100 DEFAULT CHARACTER SET latin1 COLLATE latin1_swedish_ci */"),
        "{}",
        create("l")
    );
    assert!(
        create("g").ends_with("/*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci */"),
        "{}",
        create("g")
    );
    rows(&session, "CREATE TABLE l.t (a VARCHAR(9))");
    assert!(
        rows(&session, "SHOW CREATE TABLE l.t")[0][1].ends_with("DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci")
    );
}

#[test]
fn reference_systems_are_listed() {
    let session = session();
    let table = "information_schema.st_spatial_reference_systems";
    assert_eq!(rows(&session, &format!("SELECT COUNT(*), COUNT(DISTINCT srs_id) FROM {table}")), [["5152", "5152"]]);
    let known = rows(
        &session,
        &format!("SELECT srs_name, organization, definition LIKE 'GEOGCS%' FROM {table} WHERE srs_id = 4326"),
    );
    assert_eq!(known, [["WGS 84", "EPSG", "1"]]);
    assert_eq!(rows(&session, &format!("SELECT srs_name, organization FROM {table} WHERE srs_id = 0")), [["", "NULL"]]);
}

#[test]
fn plans_have_the_columns_of_mysql() {
    let session = open();
    rows(&session, "INSERT INTO c (a, n) VALUES (1, 'x'), (2, 'x'), (3, 'y')");
    let (columns, _, _) = session.query("EXPLAIN SELECT 1").and_then(engine::Cursor::collect).expect("a plan");
    let names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
    let expected = "id select_type table partitions type possible_keys key key_len ref rows filtered Extra";
    assert_eq!(names.join(" "), expected);
    let told = |sql: &str| {
        let told = rows(&session, &format!("EXPLAIN {sql}"));
        told.iter().map(|row| [1, 2, 4, 6, 9].map(|at| &*row[at]).join(" ")).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(told("SELECT 1"), "SIMPLE NULL NULL NULL NULL");
    assert_eq!(told("SELECT * FROM c WHERE a = 1"), "SIMPLE c const PRIMARY 1");
    assert_eq!(told("SELECT * FROM c"), "SIMPLE c ALL NULL 3");
    assert!(told("SELECT * FROM c x WHERE a > 1").starts_with("SIMPLE x range PRIMARY"));
    assert!(
        told("SELECT * FROM c x JOIN c y ON x.a = y.g WHERE x.a = 2")
            .starts_with("SIMPLE x const PRIMARY 1; SIMPLE y ")
    );
    assert_eq!(told("INSERT INTO c (a) VALUES (7)"), "INSERT c ALL NULL NULL");
    assert_eq!(told("UPDATE c SET l = 'x' WHERE a = 1"), "UPDATE c const PRIMARY 1");
    assert_eq!(told("DELETE FROM c WHERE a = 1"), "DELETE c const PRIMARY 1");
    assert!(told("SELECT a FROM c UNION SELECT g FROM c").contains("; UNION c "));
    assert_eq!(rows(&session, "EXPLAIN FORMAT=TREE SELECT 1")[0], ["Project"]);
    assert_eq!(rows(&session, "EXPLAIN PLAN SELECT 1")[0], ["Project"]);
    assert_eq!(rows(&session, "EXPLAIN FORMAT=TRADITIONAL SELECT a FROM c")[0].len(), 12);
}

#[test]
fn plans_tell_how_much_of_a_key_is_used() {
    let session = open();
    affected(
        &session,
        "CREATE TABLE k (id BIGINT UNSIGNED PRIMARY KEY, a INT NOT NULL, b VARCHAR(10), c DECIMAL(10,2), d DATETIME NOT NULL,
         e ENUM('x','y') NOT NULL, f CHAR(3) CHARACTER SET latin1 NOT NULL, g VARBINARY(5) NOT NULL, s SET('a','b') NOT NULL, y YEAR, h DOUBLE,
         KEY ab (a, b), KEY c (c), KEY d (d), KEY ef (e, f), KEY g (g), UNIQUE KEY s (s), KEY y (y), KEY h (h))",
    );
    affected(
        &session,
        "INSERT INTO k VALUES (1, 1, 'x', 1.5, '2020-01-01', 'x', 'abc', 'q', 'a', 2000, 1), (2, 1, 'y', 2.5, '2020-01-01', 'y', 'abc', 'r', 'b', 2001, 2)",
    );
    for (condition, expected) in [
        ("id = 1", "const PRIMARY 8 const 1 100"),
        ("id IN (1, 2)", "range PRIMARY 8 NULL 2 100"),
        ("a = 1 AND b = 'x'", "ref ab 47 const,const 1 100"),
        ("a = 1 AND b > 'x'", "range ab 47 NULL 1 100"),
        ("c > 2", "range c 6 NULL 1 100"),
        ("d > '2020-01-02'", "range d 5 NULL 0 100"),
        ("e = 'x' AND f = 'abc'", "ref ef 4 const,const 1 100"),
        ("g = 'q'", "ref g 7 const 1 100"),
        ("s = 'a'", "const s 1 const 1 100"),
        ("y > 2000", "range y 2 NULL 1 100"),
        ("h > 1", "range h 9 NULL 1 100"),
        ("f = 'nobody'", "ALL NULL NULL NULL 2 2.5"),
        ("f = 'abc' AND b <> 'x'", "index ab 47 NULL 2 50"),
        ("1 = 1", "ALL NULL NULL NULL 2 100"),
    ] {
        let told = rows(&session, &format!("EXPLAIN SELECT * FROM k WHERE {condition}"));
        let told = [4, 6, 7, 8, 9, 10].map(|at| &*told[0][at]).join(" ");
        assert_eq!(told, expected, "{condition}");
    }
    let key_length = |sql: &str, row: usize| rows(&session, &format!("EXPLAIN {sql}"))[row][7].clone();
    assert_eq!(key_length("SELECT a FROM k WHERE a = 1", 0), "4");
    assert_eq!(key_length("SELECT x.id FROM k x JOIN k z ON z.id = x.a WHERE x.id = 1", 1), "8");
    assert_eq!(key_length("DELETE FROM k WHERE id = 1", 0), "8");
    assert_eq!(key_length("SELECT a, b FROM k ORDER BY a, b", 0), "47");
}
