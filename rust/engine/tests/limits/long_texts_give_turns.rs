//! A statement of a megabyte of text is read, bound and planned in several calls: it can be cancelled between them, and does the same as
//! in one.

use std::cell::Cell;
use std::fmt::Write;
use std::rc::Rc;

use engine::{Engine, Session, Step, Wish};

use crate::common::fresh::{affected, engine_with, rows};
use crate::common::{FixedHost, ScriptedHost, turns};

/// A host that wants its turn whenever it is asked.
fn eager() -> ScriptedHost {
    ScriptedHost::wishing(|| Wish::Yield)
}

fn filled(engine: &Rc<Engine>) -> Session {
    let session = engine.session();
    for sql in [
        "CREATE TABLE t (id INT PRIMARY KEY, v INT, s VARCHAR(20), KEY by_v (v))",
        "INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c'), (4000, 4000, 'd'), (5000, 7, '5000')",
        "CREATE TABLE log (id INT PRIMARY KEY AUTO_INCREMENT, v INT)",
    ] {
        affected(&session, sql);
    }
    session
}

fn state(session: &Session) -> Vec<Vec<String>> {
    rows(session, "SELECT dolt_hashof_table('t'), dolt_hashof_table('log')")
}

/// More than the megabyte from which a text is long. Comments keep the items few.
fn list(between: &str, item: impl Fn(usize) -> String) -> String {
    let mut list = item(0);
    let between = format!(" /* {} */{between}", "x".repeat(100));
    for number in 1.. {
        if list.len() > 1 << 20 {
            break;
        }
        write!(list, "{between}{}", item(number)).expect("a string");
    }
    list
}

fn long_texts() -> Vec<String> {
    let pairs = list(" OR ", |n| format!("id = {n} AND v = {n} AND s <> 'this is no text of the table'"));
    vec![
        format!("SELECT id FROM t WHERE {pairs}"),
        format!("SELECT id FROM t WHERE {}", list(" AND ", |n| format!("s <> 'word number {n}'"))),
        format!(
            "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM log) OR (id, v) IN ({})",
            list(", ", |n| format!("({n}, {n})"))
        ),
        format!("UPDATE t SET v = 1 WHERE {pairs}"),
        format!("DELETE FROM t WHERE {pairs}"),
        format!("INSERT INTO log (v) SELECT v FROM t WHERE {pairs}"),
        format!("INSERT INTO log (v) VALUES {}", list(", ", |n| format!("({n} + LENGTH(CONCAT('some words', {n})))"))),
        format!(
            "INSERT INTO log (v) VALUES ((SELECT COUNT(*) FROM t)), {}",
            list(", ", |n| format!("({n} + LENGTH('many words'))"))
        ),
    ]
}

#[test]
fn long_texts_are_read_and_planned_in_turns() {
    for sql in long_texts() {
        let name = &sql[..60];
        let at_once = filled(&engine_with(FixedHost, "mydb"));
        let expected = turns::run(&at_once, &sql, i64::MAX, |_| {});

        let session = filled(&engine_with(eager(), "mydb"));
        let mut calls = 1;
        let prepared = loop {
            match session.prepare(&sql) {
                Ok(prepared) => break prepared,
                Err(error) if error.is_wait() => calls += 1,
                Err(error) => panic!("{name}: {error}"),
            }
        };
        assert!(calls > 10, "{name}: read in {calls} calls");
        let mut cursor = session.execute(&prepared, &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        let before = state(&session);
        for turn in 0..4 {
            let step = cursor.next(1000);
            assert!(matches!(step, Ok(Step::Yield)), "{name}, turn {turn}: {step:?}");
        }
        drop(cursor);
        assert_eq!(state(&session), before, "{name}: cancelled");

        let ran = turns::run(&session, &sql, 1000, |_| {});
        assert_eq!((ran.rows, ran.affected), (expected.rows, expected.affected), "{name}");
        assert_eq!(state(&session), state(&at_once), "{name}");
    }
}

/// What was read of a text is of no use to another, nor under another `sql_mode`.
#[test]
fn a_text_that_is_given_up_leaves_nothing_behind() {
    let session = filled(&engine_with(eager(), "mydb"));
    let sql = format!("SELECT 'a' || 'b', 1 IN ({})", list(", ", |n| n.to_string()));
    assert!(session.prepare(&sql).err().is_some_and(|error| error.is_wait()));
    assert_eq!(rows(&session, "SELECT 1"), [["1"]]);
    assert!(session.prepare(&sql).err().is_some_and(|error| error.is_wait()));
    affected(&session, "SET sql_mode = 'PIPES_AS_CONCAT'");
    assert_eq!(rows(&session, &sql), [["ab", "1"]]);
    assert_eq!(rows(&session, &sql.replacen("'a'", "'c'", 1)), [["cb", "1"]]);
    let end = format!("{sql} FROM");
    assert!(session.query(&end).err().is_some_and(|error| error.errno == 1105), "a syntax error at the end");
}

#[test]
fn a_text_stops_while_it_is_read() {
    let wish = Rc::new(Cell::new(Wish::Yield));
    let wished = wish.clone();
    let host = ScriptedHost::wishing(move || wished.get());
    let session = filled(&engine_with(host, "mydb"));
    let sql = &long_texts()[3];
    assert!(session.prepare(sql).err().is_some_and(|error| error.is_wait()));
    wish.set(Wish::End);
    assert_eq!(session.prepare(sql).err().map(|error| error.errno), Some(1317));
    wish.set(Wish::Yield);
    assert_eq!(turns::run(&session, sql, 1000, |_| {}).affected, Some(1));
}

#[test]
fn a_long_set_stops_between_its_variables() {
    let session = filled(&engine_with(eager(), "mydb"));
    let list = |value: &str| (0..2000).map(|at| format!("@v{at} = {at}{value}")).collect::<Vec<_>>().join(", ");
    let turns = turns::run(&session, &format!("SET {}", list("")), 100, |_| {}).turns;
    assert!(turns >= 19, "{turns}");
    assert_eq!(rows(&session, "SELECT @v0, @v1999"), [["0", "1999"]]);
    turns::cancel(&session, &format!("SET {}", list(" + 1")), (100, 2), |session| rows(session, "SELECT @v1999"));
}
