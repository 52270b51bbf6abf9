//! Commits of one moment: each is later than its parents, unless its time is given.

use crate::common::fresh::{self, rows};

#[test]
fn commits_of_one_moment_have_an_order() {
    let session = fresh::session();
    rows(&session, "create table t (id int primary key)");
    rows(&session, "call dolt_commit('-Am', 'one')");
    for (id, message) in [(1, "two"), (2, "three")] {
        rows(&session, &format!("insert into t values ({id})"));
        rows(&session, &format!("call dolt_commit('-am', '{message}')"));
    }
    let by_date: Vec<String> =
        rows(&session, "select message from dolt_log where message not like 'Init%' order by date").concat();
    assert_eq!(by_date, ["one", "two", "three"]);
    rows(&session, "set dolt_transaction_commit = 1");
    rows(&session, "insert into t values (3)");
    rows(&session, "set dolt_transaction_commit = 0");
    let last = rows(&session, "select message from dolt_log where message not like 'Init%' order by date desc limit 1")
        .concat();
    assert_eq!(last, ["Transaction commit"]);
    let dated = "call dolt_commit('--allow-empty', '-m', 'said', '--date', '2024-01-01T00:00:00')";
    rows(&session, dated);
    assert_eq!(rows(&session, "select date from dolt_log limit 1").concat(), ["2024-01-01 00:00:00"]);
}
