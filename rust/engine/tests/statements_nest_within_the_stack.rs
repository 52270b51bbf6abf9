//! No statement overflows the stack: what is nested too deeply is an error, and the session goes on.
//!
//! Stack frames of debug builds are several times those of the release build, so the tests run on a thread whose stack is that many times
//! the 500 KB that a browser's worker has. `web/src/node/deep_statements.test.ts` runs the same statements over the built engine.

use engine::{Cursor, Session, SqlError};
use value::Value;

use crate::common;

fn run(session: &Session, sql: &str) -> Result<Vec<Vec<Value<'static>>>, SqlError> {
    session.query(sql).and_then(Cursor::collect).map(|(_, rows, _)| rows)
}

fn done(session: &Session, sql: &str) -> Vec<Vec<Value<'static>>> {
    run(session, sql).unwrap_or_else(|error| panic!("{sql}: {error:?}"))
}

#[test]
fn views_that_name_each_other_are_an_error() {
    let session = common::fresh::session();
    done(&session, "create table t (i int primary key)");
    done(&session, "create view va as select * from t");
    done(&session, "create view vb as select * from va");
    let refused =
        run(&session, "create or replace view va as select * from vb").expect_err("the view would read itself");
    assert_eq!((refused.errno, &*refused.message), (1462, "`mydb`.`va` contains view recursion"));
    let refused =
        run(&session, "create or replace view VA as select (select max(i) from vb) as i").expect_err("as above");
    assert_eq!(refused.errno, 1462);
    assert!(done(&session, "select * from vb").is_empty(), "the view is as before");
}

/// Files that were written before views that name each other were refused, or by others.
#[test]
fn a_database_of_views_that_name_each_other_answers_everything_else() {
    let session = common::fresh::session();
    done(&session, "create table t (i int primary key)");
    done(&session, "create table w (i int primary key)");
    done(&session, "create view va as select * from t");
    done(&session, "create view vb as select * from va");
    done(&session, "create view fine as select * from t");
    // The names of views change below the queries that read them.
    done(&session, "drop view va");
    done(&session, "rename table vb to va2");
    done(&session, "create view va as select * from t");
    done(&session, "rename table va2 to vb");
    done(&session, "create view vc as select * from vb");
    done(&session, "drop view va");
    done(&session, "rename table vc to va");
    for sql in ["select * from va", "select * from vb", "select 1 from t join va", "describe va"] {
        assert_eq!(run(&session, sql).expect_err(sql).errno, 1462, "{sql}");
    }
    for sql in [
        "show full tables",
        "show create view va",
        "select count(*) from information_schema.columns",
        "select count(*) from information_schema.tables",
        "select count(*) from information_schema.views",
        "show table status",
        "select * from fine",
        "select * from dolt_status",
        "select * from dolt_schemas",
        "insert into t values (1)",
        "call dolt_commit('-Am', 'views')",
        "call dolt_verify_constraints()",
    ] {
        done(&session, sql);
    }
    done(&session, "drop view va");
    done(&session, "create view va as select * from t");
    assert_eq!(done(&session, "select * from vb").len(), 1);
}

#[test]
fn views_over_views_are_answers_or_too_deep() {
    let session = common::fresh::session();
    done(&session, "create view v0 as select 1 as i");
    let mut refused = None;
    for level in 1..1000 {
        let sql = format!("create view v{level} as select i + 1 as i from v{}", level - 1);
        if let Err(error) = run(&session, &sql) {
            refused = Some((level, error));
            break;
        }
    }
    let (level, error) = refused.expect("a thousand views are too many");
    assert_eq!(&*error.message, "statement is nested too deeply");
    assert!(level > 20, "{level}");
    assert_eq!(common::fresh::rows(&session, "select i from v20"), [["21"]]);
}
