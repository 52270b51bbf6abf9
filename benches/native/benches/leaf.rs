//! Scan, ordinal and missing-key look-up on one leaf of 4 KiB, against decoding the leaf to vectors.

use core::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use native_benches::leaf::{Leaf, ROWS};

fn leaf(criterion: &mut Criterion) {
    let leaf = Leaf::new();
    let mut group = criterion.benchmark_group("leaf");
    group.bench_function("scan by columns", |bencher| bencher.iter(|| black_box(&leaf).scan()));
    group.bench_function("scan by rows", |bencher| bencher.iter(|| black_box(&leaf).scan_by_rows()));
    group.bench_function("decode to owned", |bencher| bencher.iter(|| black_box(&leaf).decode_to_owned()));
    let mut turn = 0u64;
    let mut next = move || {
        turn = (turn + 37) % ROWS as u64;
        turn
    };
    group.bench_function("ordinal", |bencher| bencher.iter(|| black_box(&leaf).ordinal(next())));
    group.bench_function("missing key", |bencher| bencher.iter(|| black_box(&leaf).lookup_missing(next() as usize)));
    group.bench_function("verify", |bencher| {
        bencher.iter_batched(
            || leaf.message().to_vec(),
            |message| black_box(tree::Node::new(message)),
            criterion::BatchSize::SmallInput,
        )
    });
    group.finish();
}

criterion_group!(benches, leaf);
criterion_main!(benches);
