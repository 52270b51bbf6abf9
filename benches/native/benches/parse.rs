//! Text to tree: a point select, an analytical query, a long INSERT, splitting a script, completion.

use core::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use parse::{Options, complete, split, statement};

const POINT: &str = "SELECT id, name, price FROM products WHERE id = 4711";

const REPORT: &str = "SELECT c.city, YEAR(o.placed) AS year, COUNT(*) AS orders, SUM(i.qty * i.price * (1 - i.discount)) AS total \
    FROM customers c JOIN orders o ON o.customer_id = c.id JOIN items i ON i.order_id = o.id LEFT JOIN products p ON p.sku = i.sku \
    WHERE o.placed >= DATE '2020-01-01' AND o.placed < DATE '2020-01-01' + INTERVAL 1 YEAR AND c.city IN ('Oslo', 'Rome') \
    GROUP BY c.city, YEAR(o.placed) HAVING COUNT(*) > 3 ORDER BY total DESC LIMIT 20";

fn parse_text(criterion: &mut Criterion) {
    let options = Options::default();
    let rows: Vec<String> = (0..1_000).map(|row| format!("({row}, 'customer {row}', {row}.50, NULL)")).collect();
    let insert = format!("INSERT INTO t (a, b, c, d) VALUES {}", rows.join(", "));
    let script = format!("{POINT};\n{REPORT};\n").repeat(100);
    let mut group = criterion.benchmark_group("parse");
    for (name, sql) in [("point select", POINT), ("report", REPORT), ("insert of 1000 rows", &insert)] {
        group.throughput(Throughput::Bytes(sql.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| statement(black_box(sql), &options)));
    }
    group.throughput(Throughput::Bytes(script.len() as u64));
    group.bench_function("split 200 statements", |bencher| bencher.iter(|| split(black_box(&script), &options)));
    group.throughput(Throughput::Elements(1));
    let cursor = REPORT.find("GROUP").map_or(0, |at| at as u32);
    group.bench_function("complete", |bencher| bencher.iter(|| complete(black_box(REPORT), cursor, &options)));
    group.finish();
}

criterion_group!(benches, parse_text);
criterion_main!(benches);
