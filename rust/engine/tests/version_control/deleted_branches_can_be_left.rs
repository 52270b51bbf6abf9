//! A session whose branch another one has deleted finds nothing there, and goes on somewhere else; native Dolt lets it do so by
//! `USE` of another revision alone.

use crate::common::fresh::{affected, chunks, engine_over, error, rows};

#[test]
fn by_checkout_and_by_use() {
    let engine = engine_over(&chunks());
    let (one, other) = (engine.session(), engine.session());
    affected(&one, "CREATE TABLE t (id INT PRIMARY KEY)");
    rows(&one, "CALL dolt_commit('-Am', 't')");
    for leave in ["CALL dolt_checkout('main')", "USE mydb"] {
        rows(&other, "CALL dolt_checkout('-b', 'short')");
        affected(&other, "INSERT INTO t VALUES (7)");
        rows(&one, "CALL dolt_branch('-D', 'short')");
        assert_eq!(rows(&other, "SELECT active_branch()"), [["NULL"]]);
        assert_eq!(error(&other, "SELECT * FROM t"), (1105, "branch not found: short".into()));
        rows(&other, leave);
        assert_eq!(rows(&other, "SELECT active_branch(), count(*) FROM t"), [["main", "0"]]);
    }
}
