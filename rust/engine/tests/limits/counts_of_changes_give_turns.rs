//! `dolt_diff_stat` of a large table yields before it has counted all changes.

use engine::Step;

use crate::common::fresh::{rows, session};

#[test]
fn counts_of_changes_give_turns() {
    let session = session();
    for sql in [
        "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
        "CREATE TABLE u (n INT)",
        "INSERT INTO t VALUES (0, 0)",
        "INSERT INTO u VALUES (0)",
    ] {
        rows(&session, sql);
    }
    for _ in 0..13 {
        rows(&session, "INSERT INTO t SELECT id + (SELECT count(*) FROM t), 0 FROM t");
        rows(&session, "INSERT INTO u SELECT n + (SELECT count(*) FROM u) FROM u");
    }
    rows(&session, "CALL dolt_commit('-Am', 'filled')");
    rows(&session, "UPDATE t SET n = 1 WHERE id > 0");
    rows(&session, "UPDATE u SET n = -n");
    let sql = "SELECT concat_ws(' ', table_name, rows_added, rows_deleted, rows_modified) FROM dolt_diff_stat('HEAD', 'WORKING')";
    let (mut cursor, mut turns, mut counted) = (session.query(sql).unwrap(), 0, Vec::new());
    loop {
        match cursor.next(1000).unwrap() {
            Step::Yield => turns += 1,
            Step::Batch(batch) => counted
                .extend((0..batch.rows).map(|row| value::convert::to_string(&batch.row(row)[0]).unwrap().into_owned())),
            Step::Done(_) => break,
            _ => {}
        }
    }
    assert_eq!(counted, ["t 0 0 8191", "u 8191 8191"]);
    assert!(turns > 15, "{turns} turns");
}
