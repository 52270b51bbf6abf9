//! Version control over a table of 100,000 rows in memory, and a log of 1,000 commits: what calls cost besides files.

#[path = "../../../rust/engine/tests/common/mod.rs"]
mod common;

use std::cell::Cell;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use engine::{Cursor, Session};

const ROWS: u64 = 100_000;
const COMMITS: usize = 1_000;

/// The orders of the web benches.
fn orders() -> Session {
    let session = common::fresh::session();
    let text = "CREATE TABLE orders (id INT NOT NULL PRIMARY KEY, customer INT NOT NULL, product INT NOT NULL, amount INT NOT NULL, price DOUBLE NOT NULL)";
    run(&session, text);
    let fill = format!(
        "INSERT INTO orders WITH RECURSIVE n (id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM n WHERE id < 999)
         SELECT id, id * 7919 % 10000, id * 31 % 500, id % 100, id * 0.25
         FROM (SELECT high.id * 1000 + low.id + 1 AS id FROM n AS high, n AS low WHERE high.id < {ROWS} / 1000) AS ids"
    );
    run(&session, &fill);
    run(&session, "CALL dolt_commit('-Am', 'orders')");
    session
}

fn run(session: &Session, sql: &str) {
    session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// Ids of ten rows, far from each other.
fn ten(first: u64) -> String {
    let ids = (0..10).map(|index| ((first + index * ROWS / 10) % ROWS + 1).to_string());
    ids.collect::<Vec<_>>().join(", ")
}

fn versions(criterion: &mut Criterion) {
    let session = orders();
    let next = Cell::new(0);
    let fresh = || {
        next.set(next.get() + 1);
        next.get()
    };
    criterion.bench_function("commit of a row", |bencher| {
        let change =
            || run(&session, &format!("UPDATE orders SET amount = amount + 1 WHERE id = {}", fresh() % ROWS + 1));
        bencher.iter_batched(
            change,
            |()| run(&session, "CALL dolt_commit('-a', '-m', 'one')"),
            BatchSize::PerIteration,
        );
    });
    criterion.bench_function("branch", |bencher| {
        let gone = Cell::new(false);
        let branch = || {
            // One branch at a time: how many there are shall not tell.
            if gone.replace(true) {
                run(&session, "CALL dolt_branch('-D', 'other')");
            }
        };
        bencher.iter_batched(branch, |()| run(&session, "CALL dolt_branch('other')"), BatchSize::PerIteration);
        run(&session, "CALL dolt_branch('-D', 'other')");
    });
    run(&session, &format!("UPDATE orders SET amount = amount + 1 WHERE id IN ({})", ten(0)));
    run(&session, "CALL dolt_commit('-a', '-m', 'ten')");
    let diff = "SELECT * FROM dolt_diff('HEAD~1', 'HEAD', 'orders')";
    criterion.bench_function("diff of ten rows", |bencher| bencher.iter(|| run(&session, diff)));
    criterion.bench_function("merge of ten and ten rows", |bencher| {
        let diverge = || {
            let first = fresh();
            run(&session, "CALL dolt_branch('-f', 'theirs')");
            run(&session, &format!("UPDATE orders SET amount = amount + 1 WHERE id IN ({})", ten(first)));
            run(&session, "CALL dolt_commit('-a', '-m', 'ours')");
            run(&session, "CALL dolt_checkout('theirs')");
            run(&session, &format!("UPDATE orders SET amount = amount + 2 WHERE id IN ({})", ten(first + 5000)));
            run(&session, "CALL dolt_commit('-a', '-m', 'theirs')");
            run(&session, "CALL dolt_checkout('main')");
        };
        bencher.iter_batched(diverge, |()| run(&session, "CALL dolt_merge('theirs')"), BatchSize::PerIteration);
    });
    for _ in 0..COMMITS {
        run(&session, "CALL dolt_commit('--allow-empty', '-m', 'empty')");
    }
    criterion.bench_function("newest commit of the log", |bencher| {
        bencher.iter(|| run(&session, "SELECT * FROM dolt_log LIMIT 1"));
    });
}

criterion_group!(benches, versions);
criterion_main!(benches);
