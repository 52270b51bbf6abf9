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
    ("create table u5e (e enum('x','b,c') default '2', s set('a','b','c') default '5')", "*"),
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
    ("select substring(upper('abc') from 2 for 1)", "B"),
    ("select 1 = 1 between 0 and 2, 1 = 2 like 3", "1|0"),
    ("select 1 in (1) = 1, 1 in (2) in (0), 1 is null = 0", "1|1|1"),
    ("select 1 between 0 and 2 in (3)", "0"),
    ("select @é, @a$b", "-|-"),
    ("select x.a from t x natural inner join t y order by 1", "2;3;9"),
    ("select count(*) from (t, t u)", "16"),
    ("values row(1) union select 1", "1"),
    ("select 1 union values row(1)", "1"),
    ("with q as (values row(1)) select * from q", "1"),
    ("delete from t x where x.a = 77", "*"),
    ("delete t from t where a = 77 order by a", "*"),
    ("delete from t using t where a = 77 limit 1", "*"),
    ("create table w1 (a int) engine = 'InnoDB'", "*"),
    ("create table w2 (a int) some_option = 1", "*"),
    ("create table w3 ignore select 1", "*"),
    ("create table w4 replace select 1", "*"),
    ("create table w5 (a int visible)", "*"),
    ("create table w6 (a int storage disk)", "*"),
    ("create table w7 (a int zerofill unsigned)", "*"),
    ("create table w8 (a year unsigned)", "*"),
    ("create table w9 (a blob(9))", "*"),
    ("create table w10 (a date(3), b int(3, 1))", "*"),
    ("create table w11 (a double(3))", "*"),
    ("create table w12 (a varchar(3) char set latin1)", "*"),
    ("create table w13 (a varchar(9), fulltext (a) with parser ngram)", "*"),
    ("alter table w1 default charset = utf8mb4", "*"),
    ("alter table w1 convert to charset utf8mb4", "*"),
    ("alter table w1 comment = 'c' engine = innodb", "*"),
    ("alter table w1 alter a set visible", "*"),
    ("create index i on w1 (a) algorithm = inplace", "*"),
    ("drop index i on w1 lock = none", "*"),
    ("rename tables w1 to w", "*"),
    ("drop tables w", "*"),
    ("drop view if exists w cascade", "*"),
    ("alter schema mydb collate utf8mb4_0900_bin", "*"),
    ("lock table t read", "*"),
    ("unlock table", "*"),
    ("analyze local table t", "*"),
    ("show extended tables", "*"),
    ("show extended index from t", "*"),
    ("show columns in t", "*"),
    ("show local variables like 'autocommit'", "autocommit|ON"),
    ("kill 1000 + 1", "*"),
    ("set @a = 1, session transaction read only", "*"),
    // Words that are names in MySQL, and in Dolt only in back-ticks or at some places.
    ("create table plan (now int, `copy` int, returning int)", "*"),
    ("insert into plan values (1, 2, 3)", "*"),
    ("select now, p.copy, returning from plan p", "1|2|3"),
    ("create table x1 (substr int, system_time int, vector int, group_concat int, yes int)", "*"),
    ("select a as shared from t where a = 1", "1"),
    ("select a plan from t where a = 1", "1"),
    ("with yes as (select 1) select * from yes", "1"),
    ("with first as (select 1) select * from first", "1"),
    ("select 1 from t as file where a = 1", "1"),
    ("select view.* from t view where a = 1", "1|-"),
    ("create table x3 (a int, name int, index copy (a))", "*"),
    ("create index count on x3 (a)", "*"),
    ("select escape from (select 1 as escape) q", "1"),
    ("select next from (select 2 as next) q", "2"),
    ("with `format` as (select 3) select * from format", "3"),
    ("alter table x3 add b int after name", "*"),
    ("alter table x3 change name c int", "*"),
    ("create database data", "*"),
    ("drop database data", "*"),
    ("savepoint value", "*"),
    ("create table x4 (a int default 1 default 2)", "*"),
    ("alter table x4 add constraint primary key (a)", "*"),
    ("insert into x3 () select 1, 2, 3", "*"),
    ("start transaction read only, with consistent snapshot", "*"),
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
        "create procedure p () signal sqlstate '45000' set message_text = concat('a', 'b')",
        "create procedure p () a: begin end b",
        "create procedure p () history: begin end",
        "create procedure p () begin declare data cursor for select 1; end",
        "create procedure p () begin declare name int; declare c cursor for select 1; fetch c into name; end",
        "create procedure p (count int) select count",
        "create procedure p (password text) select 1",
        "create procedure p () begin declare max int; end",
        "create procedure first () select 1",
        "create trigger count before insert on t for each row set @a = 1",
        "create trigger g before insert on t for each row set @plan = new.copy",
        "create view v as select 1 plan",
        "create view v (copy) as select 1",
        "create view v as select 1 from t as first",
        "create table c (`yes` int, check (yes > 1))",
        "create table c (a bigint, check (~a > 1))",
        "create table c (a bigint default (~1))",
    ] {
        assert!(answer(&session, sql).is_err(), "{sql}");
    }
}

/// Dolt prints such a check without its inner parentheses, and cannot read it then.
#[test]
fn what_a_schema_keeps_is_read_with_all_there_is() {
    let session = session();
    for sql in [
        "create table k (a varchar(9), b int as (((a is null) = 0)), check ((a like 'x%') = 1))",
        "insert into k (a) values ('xa'), (null)",
        "alter table k change a c varchar(9)",
        "insert into k (c) values ('xb')",
    ] {
        answer(&session, sql).expect(sql);
    }
    assert!(answer(&session, "insert into k (c) values ('y')").is_err(), "the check is still there");
    assert_eq!(answer(&session, "select * from k order by c").expect("rows"), "-|0;xa|1;xb|1");
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
