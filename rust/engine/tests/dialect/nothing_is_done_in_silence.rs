//! Statements over partitions, which tables have none of, are refused where rows would be expected to go.

use crate::common::fresh::{error, rows, session};

fn refused(sql: &str, errno: u16) {
    let session = session();
    rows(
        &session,
        "CREATE TABLE p (id INT PRIMARY KEY, n INT) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (9))",
    );
    rows(&session, "INSERT INTO p VALUES (1, 1), (20, 2)");
    rows(&session, "CREATE TABLE q LIKE p");
    assert_eq!(error(&session, sql).0, errno, "{sql}");
    assert_eq!(rows(&session, "SELECT COUNT(*) FROM p"), [["2"]], "{sql}");
}

#[test]
fn partitions_are_not_truncated_dropped_or_exchanged() {
    for action in [
        "TRUNCATE PARTITION p0",
        "TRUNCATE PARTITION ALL",
        "DROP PARTITION p0",
        "DROP PARTITION p0, p1",
        "EXCHANGE PARTITION p0 WITH TABLE q",
        "DISCARD PARTITION p0 TABLESPACE",
        "IMPORT PARTITION ALL TABLESPACE",
    ] {
        refused(&format!("ALTER TABLE p {action}"), 1505);
    }
}

#[test]
fn rows_of_a_partition_are_not_all_rows() {
    refused("DELETE FROM p PARTITION (p0)", 1747);
    refused("DELETE FROM p PARTITION (p0) WHERE n > 0", 1747);
    refused("UPDATE p PARTITION (p0) SET n = 7", 1747);
    refused("SELECT * FROM p PARTITION (p0, p1)", 1747);
}

#[test]
fn what_changes_no_rows_is_taken_as_in_native_dolt() {
    let session = session();
    rows(&session, "CREATE TABLE p (id INT PRIMARY KEY)");
    rows(&session, "INSERT INTO p VALUES (1)");
    for action in [
        "ADD PARTITION (PARTITION p1 VALUES LESS THAN (20))",
        "REMOVE PARTITIONING",
        "ANALYZE PARTITION p0",
        "COALESCE PARTITION 1",
        "REORGANIZE PARTITION p0 INTO (PARTITION p1 VALUES LESS THAN (5))",
        "PARTITION BY HASH (id) PARTITIONS 4",
    ] {
        rows(&session, &format!("ALTER TABLE p {action}"));
    }
    assert_eq!(rows(&session, "SELECT * FROM p"), [["1"]]);
}
