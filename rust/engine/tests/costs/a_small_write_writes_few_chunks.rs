//! What a statement costs depends on what it changes, not on how much there is.

use crate::common::fresh::{affected, chunks, engine_over, rows};

/// How many chunks an UPDATE of one row adds to a table of `2^doublings` rows with two indexes.
fn chunks_of_one_update(doublings: u32) -> usize {
    let chunks = chunks();
    let session = engine_over(&chunks).session();
    rows(&session, "CREATE TABLE t (id INT PRIMARY KEY, a INT, b VARCHAR(20), KEY (a), UNIQUE KEY (b))");
    rows(&session, "INSERT INTO t VALUES (0, 0, 'row 0')");
    for doubling in 0..doublings {
        let step = 1 << doubling;
        let sql = format!("INSERT INTO t SELECT id + {step}, a + {step}, CONCAT('row ', id + {step}) FROM t");
        assert_eq!(affected(&session, &sql), step);
    }
    let before = chunks.len();
    let middle = (1 << doublings) / 2;
    assert_eq!(affected(&session, &format!("UPDATE t SET a = -1, b = 'another' WHERE id = {middle}")), 1);
    chunks.len() - before
}

#[test]
fn an_update_of_one_row_writes_a_path_of_each_tree() {
    let (small, large) = (chunks_of_one_update(4), chunks_of_one_update(14));
    println!("{small} chunks in a table of 16 rows, {large} in one of 16,384");
    // A path has two nodes more there; an entry of an index may leave one leaf and come into another.
    assert!(small <= 8, "{small}");
    assert!(large <= small + 3 * 4, "{large}");
}

#[test]
fn a_statement_that_changes_nothing_writes_nothing() {
    let chunks = chunks();
    let session = engine_over(&chunks).session();
    rows(&session, "CREATE TABLE t (id INT PRIMARY KEY, a INT)");
    rows(&session, "INSERT INTO t VALUES (1, 1)");
    let before = chunks.len();
    assert_eq!(affected(&session, "UPDATE t SET a = 1"), 0);
    assert_eq!(affected(&session, "DELETE FROM t WHERE id = 9"), 0);
    rows(&session, "BEGIN");
    assert_eq!(affected(&session, "INSERT INTO t VALUES (2, 2)"), 1);
    rows(&session, "ROLLBACK");
    assert_eq!(chunks.len(), before);
}
