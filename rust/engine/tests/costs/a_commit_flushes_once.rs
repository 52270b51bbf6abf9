//! What is committed is safe, and that costs one flush: an autocommitted statement, a transaction, `dolt_commit`.

use std::rc::Rc;

use engine::Session;
use region::CrashDirectory;

use crate::common::{
    self,
    files::{self, write_options},
    fresh::rows,
};

fn session(disk: &Rc<CrashDirectory>, is_new: bool) -> Session {
    let engine = common::empty_engine();
    let database = if is_new { files::create } else { files::open };
    engine.attach("mydb", database(disk.clone(), write_options()));
    let session = engine.session();
    rows(&session, "use mydb");
    session
}

#[test]
fn a_commit_flushes_once() {
    let disk = CrashDirectory::new(7);
    let session = session(&disk, true);
    let mut flushes = disk.flushes();
    let mut costs = |sql: &str, expected: u64| {
        rows(&session, sql);
        let now = disk.flushes();
        assert_eq!(now - flushes, expected, "{sql}");
        flushes = now;
    };
    costs("create table t (id int primary key, v varchar(100), key (v))", 1);
    costs("insert into t values (1, 'one'), (2, 'two')", 1);
    costs("select * from t", 0);
    costs("update t set v = 'none' where id = 77", 0);
    costs("begin", 0);
    for id in 3..40 {
        costs(&format!("insert into t values ({id}, 'more')"), 0);
    }
    costs("savepoint s", 0);
    costs("delete from t where id > 20", 0);
    costs("rollback to s", 0);
    costs("commit", 1);
    costs("begin", 0);
    costs("delete from t", 0);
    costs("rollback", 0);
    costs("call dolt_commit('-Am', 'all of it')", 1);
    costs("call dolt_branch('other')", 1);
    // The power fails, whatever was under way; everything that was answered is there.
    let after = self::session(&disk.crash(), false);
    assert_eq!(rows(&after, "select count(*) from t"), [["39"]]);
    assert_eq!(rows(&after, "select message from dolt_log limit 1"), [["all of it"]]);
    assert_eq!(rows(&after, "select count(*) from dolt_branches"), [["2"]]);
}

#[test]
fn a_full_disk_is_an_error_of_one_statement() {
    let disk = CrashDirectory::new(8);
    let session = session(&disk, true);
    rows(&session, "create table t (id int primary key)");
    disk.fail_after(0);
    let failed = common::fresh::error(&session, "insert into t values (1)");
    assert_eq!(failed.0, 1021, "{}", failed.1);
    assert_eq!(rows(&session, "select count(*) from t"), [["0"]], "and the session goes on");
    rows(&session, "insert into t values (2)");
    assert_eq!(rows(&self::session(&disk.crash(), false), "select id from t"), [["2"]]);
}
