//! The kept corpus and seeded mutations of it: every target returns, without a panic, in bounded memory.
//!
//! `VARVE_FUZZ=200000 cargo test --profile fast -p fuzz-targets` is a long run, `VARVE_FUZZ_FORMAT=journal` one of one format,
//! `VARVE_SEED` begins elsewhere. An input that fails is written to `target/fuzz-failures`.
#![allow(unsafe_code, reason = "a counting allocator")]
#![allow(clippy::disallowed_methods, reason = "what hangs is told by the clock")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fuzz_targets::{Format, Random, mutate};

struct Counting;

static LIVE_BYTES: AtomicUsize = AtomicUsize::new(0);
static PEAK_BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: hands everything to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE_BYTES.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK_BYTES.fetch_max(live, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        LIVE_BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that a target may have at once, whatever the input: the region of a store, one chunk of the largest size and its copy.
const PEAK_BYTES_MAX: usize = 96 << 20;
/// Beside those, for each byte of input.
const PEAK_BYTES_PER_BYTE: usize = 256;
const INPUT_BYTES_MAX: usize = 64 << 10;
/// What hangs takes longer, on any machine.
const TIME_MAX: Duration = Duration::from_secs(20);
/// Mutations of each format when nothing is said.
const MUTATIONS: u64 = 2_000;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |number| number.parse().expect("a number"))
}

fn corpus(format: Format) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(format.name());
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("a corpus").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("an input")).collect()
}

/// Runs one input; what was wrong with the run, or `None`.
fn fault(format: Format, input: &[u8]) -> Option<String> {
    let before = LIVE_BYTES.load(Ordering::Relaxed);
    PEAK_BYTES.store(before, Ordering::Relaxed);
    let began = Instant::now();
    if catch_unwind(AssertUnwindSafe(|| format.run(input))).is_err() {
        return Some("panicked".into());
    }
    let peak = PEAK_BYTES.load(Ordering::Relaxed).saturating_sub(before);
    if peak > PEAK_BYTES_MAX + PEAK_BYTES_PER_BYTE * input.len() {
        return Some(format!("had {peak} bytes at once, for an input of {}", input.len()));
    }
    let took = began.elapsed();
    (took > TIME_MAX).then(|| format!("took {took:?}"))
}

fn keep(format: Format, name: &str, input: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../fuzz-failures");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(format!("{}-{name}", format.name()));
    std::fs::write(&path, input).expect("written");
    path
}

fn check(format: Format) {
    if std::env::var("VARVE_FUZZ_FORMAT").is_ok_and(|only| only != format.name()) {
        return;
    }
    let seeds = corpus(format);
    assert!(!seeds.is_empty(), "{} has a corpus", format.name());
    let mut faults = Vec::new();
    for (i, input) in seeds.iter().enumerate() {
        faults.extend(fault(format, input).map(|fault| format!("input {i} of the corpus {fault}")));
    }
    let first = number("VARVE_SEED", 1);
    // Of a stack that overflows nothing but this is left: `VARVE_SEED` runs it again.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-seed", format.name()));
    let mut running = std::fs::File::create(path).expect("a file");
    for seed in first..first + number("VARVE_FUZZ", MUTATIONS) {
        running.rewind().and_then(|()| writeln!(running, "{seed:20}")).expect("written");
        let mut input = seeds[Random::new(seed).below(seeds.len())].clone();
        mutate(format, &mut input, seed, INPUT_BYTES_MAX);
        if let Some(fault) = fault(format, &input) {
            let path = keep(format, &seed.to_string(), &input);
            faults.push(format!("seed {seed} {fault}: {}", path.display()));
        }
    }
    assert!(faults.is_empty(), "{}: {} faults\n{}", format.name(), faults.len(), faults.join("\n"));
}

/// One after the other: the allocator is shared.
#[test]
fn mutated_inputs_return() {
    // The stack of a page's worker is smaller: what needs more is refused by its depth.
    let run = || Format::ALL.into_iter().for_each(check);
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(run).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}
