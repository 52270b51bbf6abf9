//! Statements that write, each committed, to a table of 100,000 rows in memory: what they cost besides files.

#[path = "../../../rust/engine/tests/common/mod.rs"]
mod common;

use std::cell::Cell;

use criterion::{Criterion, criterion_group, criterion_main};
use engine::{Cursor, Session};
use value::Value;

const ROWS: i64 = 100_000;
const BULK_ROWS: i64 = 1_000;

/// As sysbench makes it.
fn table() -> Session {
    let session = common::fresh::session();
    let text = "CREATE TABLE sbtest1 (id INT NOT NULL PRIMARY KEY, k INT NOT NULL, c CHAR(120) NOT NULL, pad CHAR(60) NOT NULL, KEY k_1 (k))";
    common::fresh::affected(&session, text);
    let fill = format!(
        "INSERT INTO sbtest1 WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 1000)
         SELECT id, id * 7919 % {ROWS}, REPEAT(md5(id), 3), md5(id + 1)
         FROM (SELECT low.id + 1000 * (high.id - 1) AS id FROM n low CROSS JOIN n high WHERE high.id <= {ROWS} / 1000) ids"
    );
    assert_eq!(common::fresh::affected(&session, &fill), ROWS as u64);
    session
}

fn row(id: i64) -> [Value<'static>; 4] {
    let digits = format!("{:011}-", id * 7919 % 99_999_999_977);
    let text = |times: usize| Value::text(digits.repeat(times));
    [Value::Int(id), Value::Int(id * 31 % ROWS), text(10), text(5)]
}

fn writes(criterion: &mut Criterion) {
    let session = table();
    let next = Cell::new(ROWS);
    let fresh = || {
        next.set(next.get() + 1);
        next.get()
    };
    let mut measure = |name: &str, sql: &str, params: &dyn Fn() -> Vec<Value<'static>>| {
        let prepared = session.prepare(sql).expect("it parses");
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| session.execute(&prepared, &params()).and_then(Cursor::collect).expect("it runs"));
        });
    };
    let any = || fresh() * 7919 % ROWS + 1;
    let one = || vec![Value::Int(any())];
    measure("insert", "INSERT INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)", &|| row(fresh()).into());
    measure("update of an index", "UPDATE sbtest1 SET k = k + 1 WHERE id = ?", &one);
    measure("update of no index", "UPDATE sbtest1 SET c = ? WHERE id = ?", &|| {
        let id = any();
        vec![row(id)[2].clone(), Value::Int(id)]
    });
    let marks = vec!["(?, ?, ?, ?)"; BULK_ROWS as usize].join(", ");
    let bulk = format!("INSERT INTO sbtest1 (id, k, c, pad) VALUES {marks}");
    measure("insert of 1,000 rows", &bulk, &|| (0..BULK_ROWS).flat_map(|_| row(fresh())).collect());
}

/// The writes of sysbench's transaction, committed together.
fn transactions(criterion: &mut Criterion) {
    let session = table();
    let prepare = |sql: &str| session.prepare(sql).expect("it parses");
    let (begin, commit) = (prepare("BEGIN"), prepare("COMMIT"));
    let update_index = prepare("UPDATE sbtest1 SET k = k + 1 WHERE id = ?");
    let update_text = prepare("UPDATE sbtest1 SET c = ? WHERE id = ?");
    let delete = prepare("DELETE FROM sbtest1 WHERE id = ?");
    let insert = prepare("INSERT INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)");
    let run = |prepared: &engine::Prepared, params: &[Value<'static>]| {
        session.execute(prepared, params).and_then(Cursor::collect).expect("it runs");
    };
    let next = Cell::new(ROWS);
    let any = || {
        next.set(next.get() + 1);
        next.get() * 7919 % ROWS + 1
    };
    criterion.bench_function("transaction of four writes", |bencher| {
        bencher.iter(|| {
            run(&begin, &[]);
            run(&update_index, &[Value::Int(any())]);
            run(&update_text, &[row(any())[2].clone(), Value::Int(any())]);
            let id = any();
            run(&delete, &[Value::Int(id)]);
            run(&insert, &row(id));
            run(&commit, &[]);
        });
    });
}

criterion_group!(benches, writes, transactions);
criterion_main!(benches);
