//! What MySQL reads and Dolt 2.2.0 does not is a syntax error here too, unless `varve_beyond_dolt` is on.

use engine::{Cursor, Session};

use crate::common::{
    self,
    native::{self, Outcome},
};

/// What Dolt refuses, and what MySQL answers: rows parted by `;`, cells by `|`. `*` where the answer is not the point.
const BEYOND_DOLT: &[(&str, &str)] = &[
    ("select a from t where a > any (select 1 union select 2) order by a", "2;3"),
    ("select a from t where a = some (select 3 union select 4)", "3"),
    ("select a from t where a >= all (select 1 union select 2) order by a", "2;3"),
    ("select a from t where a <> all (select b from t where b is null)", ""),
    ("select b, count(*) from t group by b with rollup", "-|1;5|1;6|1;-|3"),
    ("select ~1", "18446744073709551614"),
    ("select @a := 2, @a + 1", "2|3"),
    ("select null is unknown, 1 is not unknown", "1|1"),
    ("select distinctrow 1 from t", "1"),
    ("select a from t use index (primary) where a = 1", "1"),
    ("select trim(trailing from 'a ')", "a"),
    ("select substring('abc' from 2)", "bc"),
    ("select cast(-1 as signed int)", "-1"),
    ("select n'x'", "x"),
    ("select 0b11 + 0", "3"),
    ("select a from t group by a desc limit 1", "*"),
    ("select a from t use key (b) where a = 1", "*"),
    ("select cast('1.5' as dec(5, 1)), cast(2 as numeric), cast(1.5 as float(10))", "1.5|2|1.5"),
    ("select timestampadd(sql_tsi_day, 1, '2024-01-01')", "2024-01-02"),
    ("(select 1)", "1"),
    ("select x$.a as a$b from t x$ order by a$b limit 1", "1"),
    ("(select a from t) order by a desc limit 1", "3"),
    ("with q as (select 1 x) (select * from q)", "1"),
    ("select * from ((select a from t) limit 1) q", "1"),
    ("select {d '2020-01-01'}", "2020-01-01"),
    ("select row(1, 2) = row(1, 2)", "1"),
    ("select 3 > 2 > 1", "0"),
    ("select 'Robert' sounds like 'Rupert'", "1"),
    ("select '{\"a\":1}'->'$.a'", "1"),
    ("select x.a from t x join t y join t z on y.a = z.a on x.a = y.a order by 1", "1;2;3"),
    ("select bit_or(distinct a), std(distinct 1) from t", "3|0"),
    ("select json_arrayagg(distinct 1) from t", "[1]"),
    ("create table u1 (like t)", "*"),
    ("create table u2 as with q as (select 1) select * from q", "*"),
    ("create table u4 as values row(1)", "*"),
    ("create table u3 (a int, index using btree (a))", "*"),
    ("alter table u1 add column (c int, d int)", "*"),
    ("alter table u1 add column if not exists c int, drop column if exists e", "*"),
    ("alter table u1 drop column d cascade", "*"),
    ("create table u5 (a int references t (a) on delete cascade)", "*"),
    ("create table u6 (a int references t (a) on update restrict)", "*"),
    ("create table u7 (a int, foreign key (a) references t (a) match simple)", "*"),
    ("insert into mydb.t (mydb.t.a, t.b) values (9, 9)", "*"),
    ("show storage engines", "*"),
    ("show master logs", "*"),
    ("set character_set_client = binary", "*"),
    ("set time_zone = system", "*"),
    ("insert low_priority into t values (4, 7)", "*"),
    ("update low_priority t set b = 8 where a = 4", "*"),
    ("delete low_priority quick ignore from t where a = 4", "*"),
    ("select sql_big_result high_priority 1", "1"),
];

const SET_UP: [&str; 2] =
    ["create table t (a int primary key, b int)", "insert into t values (1, null), (2, 5), (3, 6)"];

fn answer(session: &Session, sql: &str) -> Result<String, engine::SqlError> {
    let (columns, rows, _) = session.query(sql).and_then(Cursor::collect)?;
    let cell = |(value, column): (&value::Value<'_>, &engine::page::ResultColumn)| {
        value::to_text(value, &column.ty).map_or("-".to_owned(), |text| String::from_utf8_lossy(&text).into_owned())
    };
    let row = |row: &Vec<value::Value<'static>>| row.iter().zip(columns.iter()).map(cell).collect::<Vec<_>>().join("|");
    Ok(rows.iter().map(row).collect::<Vec<_>>().join(";"))
}

fn session() -> Session {
    let session = common::fresh::session();
    for sql in ["use mydb"].iter().chain(&SET_UP) {
        answer(&session, sql).expect(sql);
    }
    session
}

#[test]
fn off_it_is_dolts_error_and_on_mysqls_answer() {
    let (off, on) = (session(), session());
    answer(&on, "set varve_beyond_dolt = 1").expect("a variable");
    for (sql, expected) in BEYOND_DOLT {
        let error = answer(&off, sql).expect_err(sql);
        assert_eq!(error.errno, 1105, "{sql}: {error}");
        match answer(&on, sql) {
            Ok(rows) => assert!(*expected == "*" || rows == *expected, "{sql}: {rows}"),
            Err(error) => panic!("{sql}: {error}"),
        }
    }
}

#[test]
fn what_is_stored_keeps_to_dolts_syntax() {
    let session = session();
    answer(&session, "set varve_beyond_dolt = 1").expect("a variable");
    for sql in [
        "create view v as select ~a from t",
        "create view v as values row(1)",
        "create procedure p () values row(1)",
        "create procedure p () select ~1",
        "create trigger g before insert on t for each row set new.b = ~1",
        "create table c (a bigint, check (~a > 1))",
        "create table c (a bigint default (~1))",
    ] {
        assert!(answer(&session, sql).is_err(), "{sql}");
    }
}

#[test]
fn native_dolt_refuses_all_of_it() {
    let Some(binary) = native_dolt::binary() else { return };
    let directory = std::env::temp_dir().join(format!("varve-syntax-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let server = native::Server::start(&binary, &directory);
    let mut client = server.connect();
    for sql in ["create database mydb", "use mydb"].iter().chain(&SET_UP) {
        assert!(!matches!(client.query(sql), Outcome::Failed { .. }), "{sql}");
    }
    for (sql, _) in BEYOND_DOLT {
        assert!(matches!(client.query(sql), Outcome::Failed { .. }), "{sql}");
    }
    drop(server);
    let _ = std::fs::remove_dir_all(directory);
}
