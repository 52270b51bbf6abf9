//! A session that was reset has nothing of what it was used for, and has the position of another one.

use engine::{Cursor, Session};

use crate::common::fresh::{self, rows as run};

fn row(session: &Session, sql: &str) -> String {
    run(session, sql).concat().join("|")
}

/// What statements leave in a session.
const LEFT: &[&str] = &[
    "set @a = 1",
    "set sql_mode = 'ANSI_QUOTES', sql_select_limit = 1, autocommit = 0, varve_read_only = 0, varve_beyond_dolt = 1",
    "set names utf8mb4 collate utf8mb4_0900_ai_ci",
    "set time_zone = '+05:00'",
    "prepare p from 'select 1'",
    "insert into t values (null)",
    "create temporary table mine (i int)",
    "create temporary table t2 (i int)",
    "insert into t2 values (7)",
    "select get_lock('l', 0)",
    "select sql_calc_found_rows 1 union select 2 limit 1",
    "select cast('x' as signed)",
    "call dolt_checkout('side')",
];

/// What can be asked of a session.
const ASKED: &[&str] = &[
    "select @a, @@sql_mode, @@sql_select_limit, @@autocommit, @@varve_beyond_dolt, @@time_zone",
    "select @@collation_connection, 'a' = 'A', @@character_set_client",
    "select last_insert_id(), row_count(), found_rows()",
    "show warnings",
    "select is_free_lock('l')",
    "select database(), active_branch()",
    "select count(*) from t2",
    "select * from t2 union all select * from t2",
];

#[test]
fn a_reset_session_is_as_a_new_one() {
    let engine = fresh::engine_over(&fresh::chunks());
    let first = engine.session();
    for sql in [
        "create table t (id int primary key auto_increment)",
        "create table t2 (i int)",
        "insert into t2 values (1), (2)",
    ] {
        run(&first, sql);
    }
    run(&first, "call dolt_commit('-Am', 'tables')");
    run(&first, "call dolt_branch('side')");
    let session = engine.session();
    let number = row(&session, "select connection_id()");
    // What was read before the reset keeps its plan.
    run(&session, "select count(*) from t2");
    LEFT.iter().for_each(|sql| drop(run(&session, sql)));
    session.reset(&first).expect("reset");
    let new = engine.session();
    for sql in ASKED {
        assert_eq!(run(&session, sql), run(&new, sql), "{sql}");
    }
    assert_eq!(row(&session, "select count(*) from t"), "0", "the open transaction was rolled back");
    assert_eq!(session.query("execute p").and_then(Cursor::collect).expect_err("it has no name").errno, 1105);
    assert_eq!(session.query("select * from mine").and_then(Cursor::collect).expect_err("it is gone").errno, 1146);
    assert_eq!(row(&session, "select connection_id()"), number);
}

#[test]
fn it_stands_where_another_one_stands() {
    let engine = fresh::engine_over(&fresh::chunks());
    let (first, session) = (engine.session(), engine.session());
    run(&first, "create table t (id int primary key)");
    run(&first, "call dolt_commit('-Am', 'a table')");
    run(&first, "call dolt_checkout('-b', 'side')");
    run(&first, "insert into t values (1)");
    for (place, count) in [("", "side|1"), ("use `mydb/main`", "main|0"), ("use `mydb/side`", "side|1")] {
        if !place.is_empty() {
            run(&first, place);
        }
        session.reset(&first).expect("reset");
        assert_eq!(row(&session, "select active_branch(), count(*) from t"), count, "{place}");
        assert_eq!(row(&session, "select database()"), row(&first, "select database()"));
    }
}

#[test]
fn what_was_acknowledged_stays() {
    let engine = fresh::engine_over(&fresh::chunks());
    let (first, session) = (engine.session(), engine.session());
    run(&first, "create table t (id int primary key)");
    for id in 0..20 {
        session.reset(&first).expect("reset");
        run(&session, "start transaction");
        run(&session, &format!("insert into t values ({id})"));
        if id % 2 == 0 {
            run(&session, "commit");
        }
    }
    session.reset(&first).expect("reset");
    assert_eq!(row(&first, "select count(*), sum(id) from t"), "10|90");
}

#[test]
fn locks_go_with_their_session() {
    let engine = fresh::engine_over(&fresh::chunks());
    let (first, second) = (engine.session(), engine.session());
    assert_eq!(row(&first, "select get_lock('l', 0), get_lock('l', 0)"), "1|1");
    assert_eq!(row(&second, "select get_lock('l', 0), is_free_lock('l')"), "0|0");
    drop(first);
    assert_eq!(row(&second, "select is_free_lock('l'), get_lock('l', 0)"), "1|1");
}

#[test]
fn a_new_session_stands_where_another_one_said() {
    let engine = fresh::engine_over(&fresh::chunks());
    let first = engine.session();
    run(&first, "create table t (id int primary key)");
    run(&first, "call dolt_commit('-Am', 'table')");
    run(&first, "call dolt_branch('side')");
    let place = "select database(), active_branch()";
    let moves = [
        "select 1",
        "call dolt_checkout('side')",
        "call dolt_checkout('-b', 'made')",
        "use `mydb/side`",
        "call dolt_checkout('main')",
    ];
    for sql in moves {
        run(&first, sql);
        let second = engine.session();
        second.stand_at(&first.place());
        assert_eq!(row(&second, place), row(&first, place), "{sql}");
        assert_eq!(second.place(), first.place(), "{sql}");
    }
    // A branch that is gone meanwhile is an error of the next statement, not another branch.
    run(&first, "call dolt_checkout('made')");
    let told = first.place();
    run(&first, "call dolt_checkout('main')");
    run(&first, "call dolt_branch('-D', 'made')");
    let second = engine.session();
    second.stand_at(&told);
    let error = second.query("insert into t values (1)").and_then(Cursor::collect).expect_err("no branch");
    assert!(error.message.contains("made"), "{}", error.message);
}

#[test]
fn a_session_goes_on_in_another_engine_that_has_its_own() {
    let chunks = fresh::chunks();
    let engine = fresh::engine_over(&chunks);
    let first = engine.session();
    run(&first, "create table t (i int)");
    run(&first, "call dolt_commit('-Am', 'a table')");
    run(&first, "call dolt_checkout('-b', 'side')");
    for sql in [
        "select 5 into @five",
        "set sql_mode = 'ANSI_QUOTES'",
        "prepare later from 'select 40 + ?'",
        "create temporary table t (i int)",
        "set global group_concat_max_len = 2000",
    ] {
        run(&first, sql);
    }
    let (mut session, mut shared) = (Vec::new(), Vec::new());
    first.image(&mut session, usize::MAX).expect("image");
    engine.image(&mut shared);

    let other = fresh::engine_over(&chunks);
    let own = other.session();
    other.take_image(&shared).expect("globals");
    let second = other.session_of(&session, false).expect("session");
    let state = "select @five, @@sql_mode, @@global.group_concat_max_len, active_branch()";
    assert_eq!(row(&second, state), row(&first, state));
    assert_eq!(row(&second, "execute later using @five"), row(&first, "execute later using @five"));
    let id = "select connection_id()";
    assert_ne!(row(&second, id), row(&own, id));
    assert_ne!(row(&second, id), row(&first, id), "a session of the other engine may have it by now");
    // The table of the database does not answer for the temporary one.
    let error = second.query("select * from t").and_then(Cursor::collect).expect_err("lost");
    assert_eq!(error.errno, 2013);
    run(&second, "create temporary table t (i int)");
    assert_eq!(row(&second, "select count(*) from t"), row(&first, "select count(*) from t"));
}
