//! Procedures made and called in native Dolt and here: the same last result, the same variables, the same error.

use crate::common;
use crate::common::native::{self, Outcome};
use crate::common::told::{native_text, our_text};

const SETUP: &[&str] = &[
    "create table t (id int primary key, v int, s varchar(20))",
    "insert into t values (1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three'), (4, null, null)",
    "create procedure p0 () select 1 as one",
    "create procedure p1 (in a int, in b int) select a + b as total",
    "create procedure p2 (in a int, out b int, inout c int) begin set b = a * 2; set c = c + a; end",
    "create procedure fib (in n int) begin declare a bigint default 0; declare b bigint default 1; declare i int default 0; \
     while i < n do set b = a + b; set a = b - a; set i = i + 1; end while; select a; end",
    "create procedure rep (in n int) begin declare i int default 0; declare s varchar(100) default ''; \
     repeat set i = i + 1; set s = concat(s, i, ','); until i >= n end repeat; select s; end",
    "create procedure lp (in n int) begin declare i int default 0; declare t int default 0; l1: loop set i = i + 1; \
     if i > n then leave l1; end if; if i % 2 = 0 then iterate l1; end if; set t = t + i; end loop; select t; end",
    "create procedure cs (in n int) begin case n when 1 then select 'one'; when 2 then select 'two'; else select 'many'; \
     end case; case when n > 5 then select 'big'; else select 'small'; end case; end",
    "create procedure nocase (in n int) begin case n when 1 then select 'one'; end case; end",
    "create procedure ife (in n int) begin if n < 0 then select 'neg'; elseif n = 0 then select 'zero'; else select 'pos'; end if; end",
    "create procedure cur () begin declare done int default 0; declare x int; declare total int default 0; \
     declare c cursor for select v from t where v is not null order by id; declare continue handler for not found set done = 1; \
     open c; r: loop fetch c into x; if done then leave r; end if; set total = total + x; end loop; close c; select total; end",
    "create procedure twice () begin declare c cursor for select v from t; open c; open c; end",
    "create procedure unopened () begin declare c cursor for select v from t; close c; end",
    "create procedure sig (in n int) begin if n > 1 then signal sqlstate '45000' set message_text = 'too big', mysql_errno = 5001; \
     end if; select 'fine'; end",
    "create procedure named () begin declare c condition for sqlstate '42S22'; signal c set message_text = 'hello'; end",
    "create procedure plain () begin signal sqlstate '45000'; end",
    "create procedure absent () begin signal sqlstate '02000'; end",
    "create procedure intov (out a int, out b varchar(20)) begin select id, s into a, b from t where v = 20; end",
    "create procedure outerp (in n int) begin call innerp(n + 1, @r); select @r; end",
    "create procedure innerp (in n int, out r int) begin set r = n * 10; end",
    "create procedure local_out () begin declare x int default 3; call p2(4, @b, x); select x, @b; end",
    "create procedure rec (in n int) begin if n > 0 then call rec(n - 1); end if; end",
    "create procedure dyn () begin set @q = 'select 5 + 5 as d'; prepare s from @q; execute s; deallocate prepare s; select 1; end",
    "create procedure shadow (in z int) begin declare id int default 7; select id, z; begin declare id int default 8; select id; end; end",
    "create procedure unset () begin declare i int; declare s varchar(9); declare d double; select i, s, d; end",
    "create procedure limited (in n int) begin select id from t order by id limit n; end",
    "create procedure filtered (in least int) begin select t.id, t.s from t where t.v >= least and t.id in (select id from t where v >= least) order by 1; end",
    "create procedure joined (in wanted int) begin select a.id, b.v from t a join t b on a.id = b.id where a.id = wanted; end",
    "create procedure exists_in (in wanted int) begin if exists (select 1 from t where v = wanted) then select 'there'; else select 'not there'; end if; end",
    "create procedure counted () begin declare n int; set n = (select count(*) from t); select n; end",
    "create procedure labelled () begin declare x int default 0; a: begin set x = 1; leave a; set x = 2; end a; select x; end",
    "create procedure nested_loops () begin declare i int default 0; declare n int default 0; o: while i < 5 do set i = i + 1; \
     begin declare j int default 0; while j < 5 do set j = j + 1; if j > i then iterate o; end if; set n = n + 1; end while; end; end while; select n, i; end",
];

const CALLS: &[&str] = &[
    "call p0()",
    "call p1(2, 3)",
    "call p1(2)",
    "call p1('2', null)",
    "set @c = 10",
    "call p2(5, @b, @c)",
    "select @b, @c",
    "call P0()",
    "call nope()",
    "call nope(1, 2)",
    "call fib(10)",
    "call fib(0)",
    "call rep(5)",
    "call lp(10)",
    "call cs(1)",
    "call cs(9)",
    "call nocase(1)",
    "call nocase(2)",
    "call ife(-1)",
    "call ife(0)",
    "call ife(1)",
    "call cur()",
    "call twice()",
    "call unopened()",
    "call sig(1)",
    "call sig(2)",
    "call named()",
    "call plain()",
    "call absent()",
    "call intov(@x, @y)",
    "select @x, @y",
    "call outerp(1)",
    "call local_out()",
    "call rec(3)",
    "call rec(200)",
    "call dyn()",
    "call shadow(3)",
    "call unset()",
    "call limited(2)",
    "call filtered(20)",
    "call joined(2)",
    "call exists_in(20)",
    "call exists_in(21)",
    "call counted()",
    "call labelled()",
    "call nested_loops()",
    "signal sqlstate '45000' set message_text = 'my error'",
    "signal sqlstate '45000'",
    "signal sqlstate '02000' set message_text = 'x', mysql_errno = 77",
    "signal sqlstate '00000'",
    "signal sqlstate '4500'",
    "signal sqlstate '01000'",
];

#[test]
fn procedures_answer_as_native_dolt() {
    let Some(binary) = native_dolt::binary() else { return };
    let directory = std::env::temp_dir().join(format!("varve-procedures-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let server = native::Server::start(&binary, &directory);
    let mut native = server.connect();
    native.query("create database mydb");
    native.query("use mydb");
    let session = common::fresh::session();
    for sql in SETUP {
        let outcome = native.query(sql);
        assert!(matches!(outcome, Outcome::Done { .. }), "{sql}: {outcome:?}");
        assert_eq!(our_text(&session, sql), "done", "{sql}");
    }
    let mut differences = Vec::new();
    for sql in CALLS {
        let (theirs, ours) = (native_text(native.query(sql)), our_text(&session, sql));
        if theirs != ours {
            differences.push(format!("{sql}\n  native: {theirs}\n  here:   {ours}"));
        }
    }
    drop(server);
    let _ = std::fs::remove_dir_all(&directory);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn native_dolt_runs_what_was_made_here() {
    let Some(binary) = native_dolt::binary() else { return };
    let directory = std::env::temp_dir().join(format!("varve-routines-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let server = native::Server::start(&binary, &directory);
    server.connect().query("create database mydb");
    drop(server);
    let session = common::open_writable(&directory.join("mydb")).expect("the database opens");
    for sql in [
        "create table t (id int primary key, v int)",
        "create procedure p (in a int, out b int) begin set b = a * 2; insert into t values (a, b); end",
        "create trigger doubled before insert on t for each row set new.v = new.v * 10",
        "create event e on schedule every 1 hour starts '2030-01-01' disable comment 'an event' do delete from t",
    ] {
        assert_eq!(our_text(&session, sql), "done", "{sql}");
    }
    drop(session);
    let server = native::Server::start(&binary, &directory);
    let mut native = server.connect();
    native.query("use mydb");
    for (sql, expected) in [
        ("call p(4, @b)", "done"),
        ("select @b, v from t", "8|80"),
        ("select event_name, event_comment from information_schema.events", "e|an event"),
        ("select trigger_name from information_schema.triggers", "doubled"),
        ("drop procedure p", "done"),
        ("drop trigger doubled", "done"),
        ("drop event e", "done"),
        ("select table_name, status from dolt_status order by 1", "dolt_procedures|new table\nt|new table"),
    ] {
        assert_eq!(native_text(native.query(sql)), expected, "{sql}");
    }
    drop(server);
    let _ = std::fs::remove_dir_all(&directory);
}
