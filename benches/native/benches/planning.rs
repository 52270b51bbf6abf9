//! A point select from its text to its row: one that was never seen, and one that is known.

#[path = "../../../rust/engine/tests/common/mod.rs"]
mod common;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use value::Value;

fn planning(criterion: &mut Criterion) {
    let Some(directory) = common::fixture("g_big") else { return };
    let session = common::open(&directory).expect("the fixture opens");
    let mut number = 0;
    criterion.bench_function("point select, fresh", |bencher| {
        bencher.iter(|| {
            number += 1;
            let sql = format!("SELECT note FROM events WHERE id = ? AND {number} > -1");
            let prepared = session.prepare(&sql).expect("it parses");
            black_box(session.execute(&prepared, &[Value::Int(1)]).expect("it runs"));
        });
    });
    criterion.bench_function("point select, known", |bencher| {
        bencher.iter(|| {
            let prepared = session.prepare("SELECT note FROM events WHERE id = ?").expect("it parses");
            black_box(session.execute(&prepared, &[Value::Int(1)]).expect("it runs"));
        });
    });
}

criterion_group!(benches, planning);
criterion_main!(benches);
