//! Whether values of two types are equal does not depend on the operator: a join by hash, one by loops, IN and EXISTS agree, also on
//! what cannot be compared.

use crate::common::fresh::{affected, objects, session};

/// Types, and values that some others of them equal. Each table has a NULL, too.
const TABLES: &[(&str, &[&str])] = &[
    ("INT", &["2000", "-1", "0", "20", "1", "7"]),
    ("BIGINT UNSIGNED", &["2000", "18446744073709551615", "0", "20", "1"]),
    ("BIT(16)", &["2000", "1", "0", "20"]),
    ("BOOLEAN", &["1", "0"]),
    ("YEAR", &["2000", "2001", "0", "2020"]),
    ("DECIMAL(20, 5)", &["2000", "0.5", "-1", "0", "20.1", "1"]),
    ("FLOAT", &["2000", "0.5", "-1", "0", "20.1"]),
    ("DOUBLE", &["2000", "0.5", "-1", "-0.0", "20.1", "1e300"]),
    ("VARCHAR(40)", &["'2000'", "'a'", "'A'", "''", "'20'", "'2000-01-01'", "'0.50'", "'10:00:00'", "'x'", "'1 '"]),
    ("VARCHAR(40) COLLATE utf8mb4_0900_ai_ci", &["'2000'", "'a'", "'É'", "'e'", "'2000-01-01 00:00:00'", "'X'"]),
    ("CHAR(10)", &["'a'", "'A'", "'2000'", "'x'"]),
    ("VARBINARY(40)", &["'a'", "'2000'", "'x'", "''"]),
    ("TEXT", &["'a'", "'2000'", "'x'", "'2000-01-01'"]),
    ("DATE", &["'2000-01-01'", "'2020-02-02'"]),
    ("DATETIME(6)", &["'2000-01-01'", "'2000-01-01 10:00:00'", "'2020-02-02 00:00:00.5'"]),
    ("TIME(6)", &["'10:00:00'", "'-1:00:00'", "'00:00:00'", "'20:00:00.5'"]),
    ("ENUM('x', 'a', '2000')", &["'x'", "'a'", "'2000'"]),
    ("SET('x', 'a', '2000')", &["'x'", "'a'", "'x,a'", "''"]),
    ("JSON", &["'2000'", "'\"a\"'", "'0.5'", "'\"2000-01-01\"'", "'true'", "'null'", "'[1]'"]),
];

#[test]
fn values_meet_alike() {
    let session = session();
    for (number, (ty, values)) in TABLES.iter().enumerate() {
        affected(&session, &format!("CREATE TABLE t{number} (id INT PRIMARY KEY, v {ty})"));
        let rows: Vec<String> =
            values.iter().chain(&["NULL"]).enumerate().map(|(id, value)| format!("({id}, {value})")).collect();
        affected(&session, &format!("INSERT INTO t{number} VALUES {}", rows.join(", ")));
    }
    for (left, (left_type, _)) in TABLES.iter().enumerate() {
        for (right, (right_type, _)) in TABLES.iter().enumerate() {
            let same = |by_loops: &str, otherwise: &str| {
                let name = |sql: &str| sql.replace("$l", &format!("t{left}")).replace("$r", &format!("t{right}"));
                let ask = |sql: &str| objects(&session, &name(sql));
                assert_eq!(ask(otherwise), ask(by_loops), "{left_type} and {right_type}: {otherwise}");
            };
            for op in ["=", "<=>"] {
                same(
                    &format!("SELECT a.id, b.id FROM $l a, $r b WHERE (a.v {op} b.v) IS TRUE ORDER BY 1, 2"),
                    &format!("SELECT a.id, b.id FROM $l a JOIN $r b ON a.v {op} b.v ORDER BY 1, 2"),
                );
            }
            let exists = "SELECT a.id FROM $l a WHERE EXISTS (SELECT 1 FROM $r b WHERE (a.v = b.v) IS TRUE) ORDER BY 1";
            same(exists, "SELECT a.id FROM $l a WHERE a.v IN (SELECT v FROM $r) ORDER BY 1");
            same(exists, "SELECT a.id FROM $l a WHERE (a.v IN (SELECT v FROM $r)) IS TRUE ORDER BY 1");
        }
    }
}
