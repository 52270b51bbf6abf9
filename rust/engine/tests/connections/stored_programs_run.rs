//! Procedures and triggers where native Dolt has no usable answer: handlers, several results, stops on the way.

use engine::{Session, Step};

use crate::common::fresh::{affected, error, rows, session};

fn define(session: &Session, statements: &[&str]) {
    for sql in statements {
        session.query(sql).and_then(engine::Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
}

fn with_rows() -> Session {
    let session = session();
    define(&session, &["create table t (id int primary key, v int)", "insert into t values (1, 10), (2, 20), (3, 30)"]);
    session
}

#[test]
fn an_exit_handler_ends_its_block() {
    let session = with_rows();
    define(
        &session,
        &["create procedure p () begin declare exit handler for sqlexception select 'caught'; \
           insert into t values (4, 40); insert into t values (1, 1); select 'not here'; end"],
    );
    assert_eq!(rows(&session, "call p()"), [["caught"]]);
    assert_eq!(rows(&session, "select count(*) from t"), [["4"]], "what was done before the error stays");
}

#[test]
fn a_continue_handler_goes_on_behind_the_statement() {
    let session = with_rows();
    define(
        &session,
        &[
            "create procedure p () begin declare n int default 0; declare continue handler for sqlexception set n = n + 1; \
           insert into t values (1, 1); insert into t values (5, 50); insert into t values (2, 2); \
           if (select id from t) then set n = 100; end if; select n; end",
        ],
    );
    assert_eq!(rows(&session, "call p()"), [["3"]]);
    assert_eq!(rows(&session, "select id from t order by id"), [["1"], ["2"], ["3"], ["5"]]);
}

#[test]
fn an_error_in_a_handler_is_for_the_blocks_around() {
    let session = with_rows();
    define(
        &session,
        &["create procedure p () begin declare exit handler for sqlexception select 'outer'; \
           begin declare exit handler for sqlexception begin insert into t values (1, 1); select 'not here'; end; \
           insert into t values (1, 1); end; select 'nor here'; end"],
    );
    assert_eq!(rows(&session, "call p()"), [["outer"]]);
}

#[test]
fn an_error_of_a_called_procedure_reaches_the_callers_handler() {
    let session = with_rows();
    define(
        &session,
        &[
            "create procedure inner_one (n int) begin if n = 0 then signal sqlstate '45000' set message_text = 'deep'; end if; \
             call inner_one(n - 1); end",
            "create procedure p () begin declare exit handler for sqlexception select 'caught'; call inner_one(5); end",
        ],
    );
    assert_eq!(rows(&session, "call p()"), [["caught"]]);
    assert_eq!(error(&session, "call inner_one(3)"), (1644, "deep".into()));
}

#[test]
fn a_signal_tells_the_value_of_a_variable() {
    let session = with_rows();
    define(
        &session,
        &["create procedure p (n int) begin declare m varchar(20) default 'too big'; \
           if n > 1 then signal sqlstate '45000' set message_text = m; end if; end"],
    );
    assert_eq!(error(&session, "call p(2)"), (1644, "too big".into()));
}

#[test]
fn a_query_without_row_is_not_found() {
    let session = with_rows();
    define(
        &session,
        &[
            "create procedure caught () begin declare x int default 5; declare missing int default 0; \
             declare continue handler for not found set missing = 1; select id into x from t where id = 9; select x, missing; end",
            "create procedure plain () begin declare x int default 5; select id into x from t where id = 9; select x; end",
            "create procedure several () begin declare x int; select id into x from t; end",
        ],
    );
    assert_eq!(rows(&session, "call caught()"), [["5", "1"]]);
    assert_eq!(rows(&session, "call plain()"), [["5"]]);
    assert_eq!(error(&session, "call several()").1, "Result consisted of more than one row");
}

#[test]
fn cursors_are_closed_when_their_block_is_entered_again() {
    let session = with_rows();
    define(
        &session,
        &["create procedure p () begin declare i int default 0; declare total int default 0; \
           while i < 3 do set i = i + 1; begin declare x int; declare c cursor for select v from t where id = i; \
           open c; fetch c into x; set total = total + x; end; end while; select total; end"],
    );
    assert_eq!(rows(&session, "call p()"), [["60"]]);
}

#[test]
fn a_procedure_gives_all_its_results() {
    let session = with_rows();
    define(
        &session,
        &["create procedure p () begin select 1 as a; select id, v from t; insert into t values (9, 9); end"],
    );
    let mut cursor = session.query("call p()").expect("it starts");
    let mut seen = Vec::new();
    let summary = loop {
        match cursor.next(i64::MAX).expect("it runs") {
            Step::Result => seen.push((cursor.columns().len(), 0)),
            Step::Batch(batch) => seen.last_mut().expect("columns come first").1 += batch.rows,
            Step::Yield | Step::Wait | Step::Sleep(_) => {}
            Step::Done(summary) => break summary,
        }
    };
    assert_eq!(seen, [(1, 1), (2, 3)]);
    assert_eq!(summary.affected, None);
    assert_eq!(rows(&session, "select count(*) from t"), [["4"]]);
}

#[test]
fn an_endless_procedure_stops_between_steps() {
    let session = with_rows();
    define(&session, &["create procedure p () begin declare i int default 0; loop set i = i + 1; end loop; end"]);
    let mut cursor = session.query("call p()").expect("it starts");
    for _ in 0..10 {
        assert!(matches!(cursor.next(1000), Ok(Step::Yield)));
    }
    drop(cursor);
    assert_eq!(rows(&session, "select database()"), [["mydb"]]);
}

#[test]
fn variables_hide_columns_but_not_those_of_views_and_checks() {
    let session = session();
    define(
        &session,
        &[
            "create table c (id int primary key, v int, check (v > 0))",
            "create view positive as select v from c where v > 0",
            "create procedure p (v int) begin insert into c values (1, 5); select * from positive; select v from c; end",
        ],
    );
    let mut cursor = session.query("call p(-1)").expect("it starts");
    let mut values = Vec::new();
    loop {
        match cursor.next(i64::MAX).expect("it runs") {
            Step::Batch(batch) => {
                values.push(value::convert::to_string(&batch.value(0, 0)).expect("a text").into_owned())
            }
            Step::Done(_) => break,
            _ => {}
        }
    }
    assert_eq!(values, ["5", "-1"]);
}

#[test]
fn statements_of_a_procedure_commit_one_by_one() {
    let session = with_rows();
    define(
        &session,
        &[
            "create procedure fails () begin insert into t values (4, 40); insert into t values (1, 1); end",
            "create procedure undoes () begin start transaction; insert into t values (7, 7); rollback; end",
        ],
    );
    assert_eq!(error(&session, "call fails()").0, 1062);
    assert_eq!(affected(&session, "call undoes()"), 0);
    let other = session.catalog().engine.session();
    assert_eq!(rows(&other, "select id from t order by id"), [["1"], ["2"], ["3"], ["4"]]);
    define(&session, &["begin", "delete from t where id = 4"]);
    assert_eq!(error(&session, "call fails()").0, 1062);
    define(&session, &["rollback"]);
    assert_eq!(rows(&session, "select count(*) from t"), [["4"]], "inside a transaction nothing is committed");
}

#[test]
fn calls_have_a_limit() {
    let session = with_rows();
    define(&session, &["create procedure p () call p()"]);
    assert!(error(&session, "call p()").1.starts_with("Recursive limit"));
    define(&session, &["create procedure q () begin prepare s from 'call q()'; execute s; end"]);
    assert!(error(&session, "call q()").1.starts_with("Recursive limit"));
    assert_eq!(rows(&session, "select database()"), [["mydb"]]);
}

/// Native Dolt answers the same, but its commits of procedures have the time of day in them.
#[test]
fn procedures_that_one_of_another_branch_calls_are_those_of_that_branch() {
    let session = session();
    let programs = |outer: &str, inner: &str| {
        let outer = format!(
            "create procedure outer_one() begin declare s varchar(9); call inner_one(s); select concat('{outer}', s); end"
        );
        [outer, format!("create procedure inner_one(out s varchar(9)) begin set s = '{inner}'; end")]
    };
    let [outer, inner] = programs("a", "b");
    define(&session, &[&outer, &inner, "call dolt_commit('-Am', 'first')", "call dolt_branch('other')"]);
    let [outer, inner] = programs("c", "d");
    define(&session, &["drop procedure outer_one", "drop procedure inner_one", &outer, &inner]);
    assert_eq!(rows(&session, "call outer_one()"), [["cd"]]);
    assert_eq!(rows(&session, "call `mydb/other`.outer_one()"), [["ab"]]);
}

#[test]
fn what_native_dolt_cannot_read_is_refused() {
    let session = session();
    for (sql, text) in [
        ("create procedure p () begin declare continue handler for 1062 set @a = 1; end", "unsupported syntax"),
        ("create procedure p () begin declare c condition for 1062; end", "unsupported syntax"),
        ("create procedure p () begin set @a = 1; declare x int; end", "DECLARE variables may only exist"),
        ("create procedure p () begin declare x int; declare X int; end", "duplicate variable"),
        ("create procedure p () begin fetch c into x; end", "cursor 'c' does not exist"),
        ("create procedure p () begin leave a; end", "LEAVE with no matching label"),
        ("create procedure p () begin a: begin iterate a; end; end", "ITERATE with no matching label"),
        ("create procedure p () begin signal c; end", "condition c does not exist"),
        ("create procedure p () create procedure q () select 1", "can't create a PROCEDURE"),
        ("create procedure if not exists p () select 1", "syntax error at position 20 near 'if'"),
    ] {
        let (_, message) = error(&session, sql);
        assert!(message.contains(text), "{sql}: {message}");
    }
    assert_eq!(rows(&session, "select count(*) from dolt_procedures"), [["0"]]);
}

#[test]
fn names_in_a_trigger_are_looked_up_when_it_is_made() {
    let session = with_rows();
    define(&session, &["create table log (n int primary key, m int)"]);
    for (body, text) in [
        ("insert on t for each row set @z = nope", "column \"nope\" could not be found in any table in scope"),
        ("insert on t for each row set @z = old.v", "table not found: old"),
        ("delete on t for each row set @z = new.v", "table not found: new"),
        ("update on t for each row set old.v = 1", "Updating of old row is not allowed in trigger"),
        ("insert on t for each row insert into log (nope) values (1)", "Unknown column 'nope' in 'log'"),
        (
            "insert on t for each row update log set m = 1 where nope = 2",
            "column \"nope\" could not be found in any table in scope",
        ),
        ("insert on nope for each row set @z = 1", "table not found: nope"),
    ] {
        assert_eq!(error(&session, &format!("create trigger x before {body}")).1, text, "{body}");
    }
    define(&session, &["create trigger x before insert on t for each row insert into later values (new.id)"]);
    assert_eq!(error(&session, "insert into t values (4, 4)").1, "table not found: later");
}

#[test]
fn a_trigger_may_not_write_to_the_table_of_its_statement() {
    let session = with_rows();
    define(
        &session,
        &[
            "create table u (id int primary key)",
            "create trigger a after insert on t for each row insert into u values (new.id)",
            "create trigger b after insert on u for each row update t set v = 0",
        ],
    );
    let (number, message) = error(&session, "insert into t values (4, 40)");
    assert!(number == 1105 && message.contains("already used by statement"), "{number}: {message}");
    assert_eq!(rows(&session, "select count(*) from t"), [["3"]]);
    assert_eq!(rows(&session, "select count(*) from u"), [["0"]], "what triggers did is undone with the statement");
}

#[test]
fn a_trigger_makes_the_parent_of_its_row() {
    let session = session();
    define(
        &session,
        &[
            "create table parent (id int primary key)",
            "create table child (id int primary key, p int, foreign key (p) references parent (id))",
            "create trigger a before insert on child for each row insert ignore into parent values (new.p)",
            "insert into child values (1, 7), (2, 8), (3, 7)",
        ],
    );
    assert_eq!(rows(&session, "select id from parent order by id"), [["7"], ["8"]]);
    assert_eq!(rows(&session, "select count(*) from child"), [["3"]]);
}

#[test]
fn triggers_leave_the_session_as_it_was() {
    let session = session();
    define(
        &session,
        &[
            "create table log (n int primary key auto_increment, m int)",
            "create table t (id int primary key auto_increment, v int)",
            "insert into log values (100, 1)",
            "create trigger a after insert on t for each row begin select 1; insert into log (m) values (new.id); end",
        ],
    );
    assert_eq!(affected(&session, "insert into t (v) values (5), (6)"), 2);
    assert_eq!(rows(&session, "select row_count(), last_insert_id()"), [["2", "1"]]);
    assert_eq!(rows(&session, "select m from log order by n"), [["1"], ["1"], ["2"]]);
}

#[test]
fn handlers_work_in_triggers() {
    let session = with_rows();
    define(
        &session,
        &[
            "create table u (id int primary key)",
            "create trigger a before insert on t for each row begin declare continue handler for sqlexception set new.v = -1; \
             insert into u values (1); end",
            "insert into t values (4, 40), (5, 50)",
        ],
    );
    assert_eq!(rows(&session, "select v from t where id > 3 order by id"), [["40"], ["-1"]]);
    assert_eq!(rows(&session, "select count(*) from u"), [["1"]]);
}

#[test]
fn a_dropped_trigger_does_not_run() {
    let session = with_rows();
    define(
        &session,
        &[
            "create trigger a before update on t for each row set new.v = new.v + 1",
            "update t set v = 100 where id = 1",
            "drop trigger a",
            "update t set v = 100 where id = 2",
        ],
    );
    assert_eq!(rows(&session, "select v from t order by id"), [["101"], ["100"], ["30"]]);
}

#[test]
fn events_are_kept_with_their_times_worked_out() {
    let session = session();
    define(
        &session,
        &[
            "create event e on schedule every 2 week starts '2030-01-01' comment 'it''s' do begin set @x = 1; end",
            "alter event e rename to f",
            "alter event f on completion preserve disable",
            "create event gone on schedule at '2001-01-01' do set @x = 1",
        ],
    );
    assert_eq!(
        rows(&session, "select name, fragment from dolt_schemas"),
        [[
            "f",
            "CREATE DEFINER = `root`@`localhost` EVENT `f` ON SCHEDULE EVERY 14 DAY STARTS '2030-01-01 00:00:00' \
             ON COMPLETION PRESERVE DISABLE COMMENT 'it''s' DO begin set @x = 1; end"
        ]]
    );
    assert_eq!(
        error(&session, "create event f on schedule every 0 day do set @x = 1").1,
        "INTERVAL is either not positive or too big"
    );
    assert_eq!(error(&session, "create event f on schedule every 1 day do set @x = 1").1, "Event 'f' already exists");
    define(&session, &["drop event f"]);
    assert_eq!(rows(&session, "select count(*) from dolt_schemas"), [["0"]]);
}

/// A server has no words for it in what it reads.
#[test]
fn definitions_name_the_current_user() {
    let session = session();
    define(
        &session,
        &[
            "create table t (id int primary key)",
            "/*!50001 create definer=current_user() sql security invoker view v as select 1 */",
            "create definer = CURRENT_USER trigger tt before insert on t for each row set new.id = new.id + 1",
            "create definer=current_user procedure p() select current_user()",
            "create definer=`current_user`@`%` view w as select 1",
            "create definer=current_user event e on schedule every 1 day do set @x = 1",
        ],
    );
    let kept = "select fragment from dolt_schemas union all select create_stmt from dolt_procedures";
    let mut kept = rows(&session, kept).concat();
    kept.sort();
    assert_eq!(
        kept,
        [
            "/*!50001 create definer=`root`@`localhost` sql security invoker view v as select 1 */",
            "CREATE DEFINER = `root`@`localhost` EVENT `e` ON SCHEDULE EVERY 1 DAY STARTS '2023-11-14 22:13:20' ON COMPLETION NOT PRESERVE ENABLE DO set @x = 1",
            "create definer = `root`@`localhost` trigger tt before insert on t for each row set new.id = new.id + 1",
            "create definer=`current_user`@`%` view w as select 1",
            "create definer=`root`@`localhost` procedure p() select current_user()",
        ]
    );
}
