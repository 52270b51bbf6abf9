//! Whole statements over a real database of 200,000 rows, from prepared text to written pages.

#[path = "../../../rust/engine/tests/common/mod.rs"]
mod common;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use engine::{Prepared, Session, Step, page};
use value::Value;

/// Runs a prepared statement and writes every page; the number of rows.
fn run(session: &Session, prepared: &Prepared, params: &[Value<'static>], out: &mut Vec<u8>) -> u64 {
    let mut cursor = session.execute(prepared, params).expect("it starts");
    loop {
        match cursor.next(i64::MAX).expect("it runs") {
            Step::Batch(batch) => {
                page::write(&batch, cursor.columns(), out);
                black_box(&out);
            }
            Step::Result | Step::Yield | Step::Wait | Step::Sleep(_) => {}
            Step::Done(summary) => return summary.rows,
        }
    }
}

fn queries(criterion: &mut Criterion) {
    let Some(directory) = common::fixture("g_big") else { return };
    let session = common::open(&directory).expect("the fixture opens");
    let mut out = Vec::new();
    let point = session.prepare("SELECT * FROM events WHERE id = ?").expect("it parses");
    let mut id = 1i64;
    criterion.bench_function("point select, prepared", |bencher| {
        bencher.iter(|| {
            id = (id * 7919) % 200_000 + 1;
            run(&session, &point, &[Value::Int(id)], &mut out)
        });
    });
    for (name, sql) in [
        ("range of 100 rows", "SELECT * FROM events WHERE id BETWEEN 5000 AND 5099"),
        ("table scan", "SELECT * FROM events"),
        ("scan of two columns", "SELECT id, amount FROM events"),
        ("count", "SELECT count(*) FROM events"),
        ("filter and sum", "SELECT sum(id) FROM events WHERE id % 7 < 3"),
        ("group by kind", "SELECT kind, count(*), sum(amount) FROM events GROUP BY kind"),
        ("top 10", "SELECT * FROM events ORDER BY note LIMIT 10"),
        ("index scan", "SELECT id, amount FROM events WHERE amount BETWEEN 100 AND 200"),
        ("join by key", "SELECT count(*) FROM events a JOIN events b ON a.id = b.id WHERE a.id < 20000"),
    ] {
        let prepared = session.prepare(sql).expect("it parses");
        criterion.bench_function(name, |bencher| bencher.iter(|| run(&session, &prepared, &[], &mut out)));
    }
}

criterion_group!(benches, queries);
criterion_main!(benches);
