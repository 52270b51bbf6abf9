//! No statement overflows the stack: what is nested too deeply is an error, and the session goes on.
//!
//! Stack frames of debug builds are several times those of the release build, so the tests run on a thread whose stack is that many times
//! the 500 KB that a browser's worker has.

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

/// Native Dolt takes a hundred views whose columns are computed, and more of others.
#[test]
fn long_chains_of_views_are_answered() {
    let session = common::fresh::session();
    done(&session, "create table t (i int primary key)");
    done(&session, "insert into t values (1), (2)");
    done(&session, "create view v0 as select i from t");
    let shapes = [
        "select i + 1 as i from v",
        "select a.i from v a join t b on a.i > b.i - 5 where a.i > 0 and b.i = 1",
        "select max(i) as i from (select i from v) q group by i having count(*) > 0 order by i limit 10",
    ];
    for level in 1..=110 {
        done(&session, &format!("create view v{level} as select 1 as i"));
    }
    // From the top, so that each is bound with few below it.
    for level in (1..=110).rev() {
        let query = shapes[level % 3].replace("from v", &format!("from v{}", level - 1));
        done(&session, &format!("create or replace view v{level} as {query}"));
    }
    assert_eq!(common::fresh::rows(&session, "select i from v110 order by i"), [["37"], ["38"]]);
    let both = "select a.i, b.i, (select max(i) from v109) from v110 a join v108 b on a.i = b.i + 1 order by 1";
    assert_eq!(common::fresh::rows(&session, both), [["38", "37", "38"]]);
}

/// Each has stages of its own.
#[test]
fn two_chains_of_arms_stand_in_one_query() {
    let session = common::fresh::session();
    let chain = |first: usize| {
        let arms = texts(40, " ", |at| format!("union select {} except select {}", at + 100, at + 100));
        format!("(select {first} as i {arms})")
    };
    let sql = format!("select a.i, b.i from {} a, {} b", chain(1), chain(2));
    assert_eq!(common::fresh::rows(&session, &sql), [["1", "2"]]);
}

/// `n` texts, one after the other.
fn texts(n: usize, between: &str, text: impl Fn(usize) -> String) -> String {
    (0..n).map(text).collect::<Vec<_>>().join(between)
}

fn chain_of_tables(n: usize) -> String {
    let tables = texts(n, ", ", |at| format!("c{} as (select x + 1 as x from c{at} where x >= 0)", at + 1));
    format!("with c0 as (select 1 as x), {tables} select * from c{n}")
}

fn chain_of_groups(n: usize) -> String {
    let grouped = "group by x having count(*) > 0 order by x limit 5";
    let tables = texts(n, ", ", |at| format!("c{} as (select x + 1 as x from c{at} where x > 0 {grouped})", at + 1));
    format!("with c0 as (select 1 as x), {tables} select a.x from c{n} a join c{} b on a.x = b.x + 1", n - 1)
}

fn chain_by_subqueries(n: usize) -> String {
    let tables = texts(n, ", ", |at| format!("c{} as (select (select max(x) from c{at}) + 1 as x)", at + 1));
    format!("with c0 as (select 1 as x), {tables} select * from c{n} where x in (select x from c{n})")
}

/// Statements over `t` of the rows 1, 2, 3, by how long they are, with their answers at that length. `None`: an answer or an error will do.
fn chains(length: usize) -> Vec<(String, Option<Vec<Vec<String>>>)> {
    let n = length;
    // A subquery takes a millisecond in the debug build.
    let few = n / 5;
    let one = |value: usize| Some(vec![vec![value.to_string()]]);
    let count = |condition: String| format!("select count(*) from t where {condition}");
    vec![
        (format!("select count(*) from ({}) q", texts(n, " union ", |at| format!("select {at} as a"))), one(n)),
        (format!("select count(*) from ({}) q", texts(n, " union all ", |at| format!("select '{at}' as a"))), one(n)),
        (
            format!("select count(*) from ({}) q", texts(n, " union ", |at| format!("select {at} % 7.0 as a, 'x'"))),
            one(7),
        ),
        (
            format!("select i from t except {}", texts(n, " except ", |at| format!("select {at} + 3"))),
            Some(vec![vec!["1".into()], vec!["2".into()]]),
        ),
        (format!("select i from t intersect {}", texts(n, " intersect ", |_| "select 3 union select 2".into())), None),
        (format!("select i from t intersect {}", texts(n, " intersect ", |_| "select 2".into())), one(2)),
        (
            format!(
                "select count(*) from (select 0{}) q",
                texts(n, "", |at| format!("{} select {at}", [" union", " except"][at % 2]))
            ),
            if n <= 1000 { one(n / 2) } else { None },
        ),
        (chain_of_tables(n / 2), if n <= 1000 { one(n / 2 + 1) } else { None }),
        (chain_of_groups(n / 2), if n <= 1000 { one(n / 2 + 1) } else { None }),
        (chain_by_subqueries(n / 2), if n <= 1000 { one(n / 2 + 1) } else { None }),
        (count(texts(few, " and ", |_| "(select i) = i".into())), one(3)),
        (count(texts(few, " and ", |_| "(select max(i) from t u where u.i <= t.i) = i".into())), one(3)),
        (count(texts(few, " or ", |at| format!("exists (select 1 from t u where u.i = t.i + {})", at + 2))), one(1)),
        (count(texts(few, " or ", |at| format!("i in (select u.i + {} from t u)", at + 1))), one(2)),
        (
            format!(
                "select count(*) from (select {}) q",
                texts(few, ", ", |at| format!("(select max(i) + {at} from t) as a{at}"))
            ),
            one(1),
        ),
        (
            format!(
                "select count(*) from t a left join t b on {}",
                texts(few, " and ", |_| "(select a.i) = b.i".into())
            ),
            one(3),
        ),
        (
            format!(
                "select count(*) from t a left join t b on {}",
                texts(few, " and ", |_| "(select max(i) from t) <> b.i - a.i".into())
            ),
            None,
        ),
        (count(texts(n, " and ", |at| format!("i <> {}", at + 10))), one(3)),
        (count(texts(n, " or ", |at| format!("(i = {at} and i < 100000)"))), one(3)),
        (count(format!("i = 1{}", " + 0".repeat(n))), None),
        (format!("select {}1", "- ".repeat(n)), None),
        (format!("select {}1", "not ".repeat(n)), None),
        (format!("select {}1{}", "(".repeat(n), ")".repeat(n)), None),
        (format!("select {}1{}", "(select ".repeat(n), ")".repeat(n)), None),
        (format!("select {}1{}", "abs(".repeat(n), ")".repeat(n)), None),
        (format!("select {}1{}", "case when 1 then ".repeat(n), " end".repeat(n)), None),
        (format!("select {}1{}", "json_array(".repeat(n), ")".repeat(n)), None),
        (format!("select json_valid(concat(repeat('[', {n}), repeat(']', {n})))"), None),
        (format!("select cast('{}{}' as json)", "[".repeat(n), "]".repeat(n)), None),
        (format!("select json_extract('[]', concat('$', repeat('[0]', {n})))"), None),
        (
            format!(
                "select st_geomfromtext(concat(repeat('GEOMETRYCOLLECTION(', {n}), 'POINT(1 1)', repeat(')', {n})))"
            ),
            None,
        ),
        (format!("select 'a' like '{}b'", "%a".repeat(n)), one(0)),
        (format!("select count(*) from {}", texts(n / 10, ", ", |at| format!("(select 1 as a) t{at}"))), None),
        (
            format!("select count(*) from t{}", texts(n / 10, "", |at| format!(" left join t t{at} on t{at}.i = t.i"))),
            None,
        ),
        (
            texts(n, " ", |at| format!("select i + {at} as i from ("))
                + "select 1 as i"
                + &texts(n, " ", |at| format!(") t{at}")),
            None,
        ),
        (format!("select count(*) from (values {}) q", texts(n, ", ", |at| format!("row((select {at}))"))), one(n)),
        (format!("update t set i = i where {}", texts(few, " and ", |_| "(select t.i) = t.i".into())), None),
        (
            format!(
                "delete from t where {}",
                texts(n, " or ", |at| format!("exists (select 1 from u where u.i = t.i + {at})"))
            ),
            None,
        ),
        (format!("explain {}", chain_of_tables(n / 2)), None),
        (format!("explain {}", count(texts(n, " and ", |_| "(select i) = i".into()))), None),
    ]
}

/// What a worker of a browser has is 500 KB for frames of the release build; this is its equivalent in the debug build.
const STACK_BYTES: usize = 8 << 20;

fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(test).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn session_of_three_rows() -> Session {
    let session = common::fresh::session();
    done(&session, "create table t (i int primary key)");
    done(&session, "create table u (i int primary key)");
    done(&session, "insert into t values (1), (2), (3)");
    session
}

fn check_chains(n: usize) {
    let session = session_of_three_rows();
    for (sql, answer) in chains(n) {
        let start = &sql[..sql.len().min(150)];
        let given = run(&session, &sql);
        match (answer, given) {
            (Some(answer), Ok(_)) => assert_eq!(common::fresh::rows(&session, &sql), answer, "{start}"),
            (Some(_), Err(error)) => panic!("{start}: {error:?}"),
            (None, _) => {}
        }
        assert_eq!(common::fresh::rows(&session, "select count(*) from t"), [["3"]], "{start}");
    }
}

#[test]
fn long_chains_are_answered() {
    on_small_stack(|| check_chains(1000));
}

#[test]
fn ten_times_longer_chains_are_answered_or_too_deep() {
    on_small_stack(|| check_chains(if cfg!(debug_assertions) { 3000 } else { 10_000 }));
}
