//! The message of a syntax error is native Dolt's; a hint says what to do.

use crate::common;

#[test]
fn a_syntax_error_says_what_helps() {
    let session = common::fresh::session();
    for (sql, hint) in [
        ("selct 1", Some("did you mean SELECT?")),
        ("select * form dual", Some("did you mean FROM?")),
        ("create table t (id int primary)", Some("expected KEY")),
        ("select 1 = any (select 1)", Some("varve_beyond_dolt")),
        ("select no_such_column", None),
    ] {
        let error = session.query(sql).err().expect(sql);
        match hint {
            Some(hint) => assert!(error.hint.as_deref().is_some_and(|given| given.contains(hint)), "{sql}: {error:?}"),
            None => assert_eq!(error.hint, None, "{sql}"),
        }
    }
}

#[test]
fn a_name_that_nothing_has_is_near_to_one() {
    let session = common::fresh::session();
    let run = |sql: &str| {
        session.query(sql).and_then(engine::Cursor::collect).expect(sql);
    };
    run("create table customers (id int primary key, name text, since date)");
    run("create view buyers as select * from customers");
    run("create database archive");
    run("create table archive.parcels (id int primary key)");
    for (sql, hint) in [
        ("select nmae from customers", Some("did you mean name?")),
        ("select c.nmae from customers c", Some("did you mean c.name?")),
        ("select customer.name from customers", Some("did you mean customers.name?")),
        (
            "select id from customers c where exists (select 1 from buyers where c.sinc > since)",
            Some("did you mean c.since?"),
        ),
        ("select height from customers", None),
        ("select * from custmers", Some("did you mean customers?")),
        ("select * from buyer", Some("did you mean buyers?")),
        ("drop table customer", Some("did you mean customers?")),
        ("insert into custommers values (1, 'a', null)", Some("did you mean customers?")),
        ("select * from parcels", Some("database archive has one: archive.parcels")),
        ("select * from nothing", None),
        ("select * from archiv.parcels", Some("did you mean archive?")),
        ("use my_db", Some("did you mean mydb?")),
        ("select concatt('a', 'b')", Some("did you mean concat?")),
        ("select summ(id) from customers", Some("did you mean sum?")),
        ("call dolt_comit('-m', 'x')", Some("did you mean dolt_commit?")),
        ("insert into customers (id, nam) values (1, 'a')", Some("did you mean name?")),
        ("insert into customers set idd = 1", Some("did you mean id?")),
        ("update customers set nome = 'x'", Some("did you mean name?")),
        ("select id, row_number() over (order by count(*)) from customers group by id", Some("varve_beyond_dolt")),
    ] {
        let error = session.query(sql).and_then(engine::Cursor::collect).expect_err(sql);
        match hint {
            Some(hint) => assert!(error.hint.as_deref().is_some_and(|given| given.contains(hint)), "{sql}: {error:?}"),
            None => assert_eq!(error.hint, None, "{sql}"),
        }
    }
}

#[test]
fn a_limit_is_no_value_of_a_row() {
    let session = common::fresh::session();
    let run = |sql: &str| session.query(sql).and_then(engine::Cursor::collect);
    run("create table t (a int primary key)").unwrap();
    for sql in [
        "delete from t order by a limit a",
        "update t set a = 2 order by a limit a",
        "select * from t limit a",
        "select * from t limit 1 offset a",
        "select 1 union select a from t limit a",
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 3 limit i) select * from n",
    ] {
        run(sql).expect_err(sql);
    }
}
