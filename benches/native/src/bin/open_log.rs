//! `open_log [CHUNKS…]`: opening a database and reading its newest commit (`log -n 1`) over archives of growing size.
//!
//! Prints milliseconds (median), pages faulted and bytes read for each mode of the region, the page cache of the
//! operating system being warm. The archives are kept in `.cache/bench`.
#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "native benches have a clock")]

use native_benches::{archive_maker, fixture};
use region::{Mode, NativeDirectory, Options, Region, Stats};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;
use store::{ChunkStore, OpenOptions, Verify};
use tree::NodeStore;
use vcs::{Database, RepoState};

const SIZES: [u32; 3] = [10_000, 100_000, 1_000_000];
const MODES: [(&str, Mode); 3] = [("mmap", Mode::Mmap), ("mmap-index", Mode::MmapIndex), ("pread", Mode::Pread)];
const REPETITIONS: usize = 21;

/// The bounds that Varve sets itself: pages of one open, and time at the largest size against the smallest.
const PAGES_MAX: u64 = 48;
const GROWTH_MAX: f64 = 1.5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut sizes: Vec<u32> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = SIZES.into();
    }
    let directories = sizes.iter().map(|size| archive(*size)).collect::<Result<Vec<_>, _>>()?;
    println!("\nOpen and log -n 1 over an archive of that many chunks\n");
    println!("| mode       |   chunks |     ms | pages faulted | reads |   bytes | against the smallest |");
    println!("|------------|---------:|-------:|--------------:|------:|--------:|---------------------:|");
    for (name, mode) in MODES {
        let mut medians_ms: Vec<f64> = Vec::new();
        let mut samples_ms = vec![Vec::new(); sizes.len()];
        let mut stats = vec![Stats::default(); sizes.len()];
        for _ in 0..REPETITIONS {
            // Sizes in turn, so that a busy machine hits all of them.
            for (index, directory) in directories.iter().enumerate() {
                let start = Instant::now();
                stats[index] = open_and_log(directory, mode)?;
                samples_ms[index].push(start.elapsed().as_secs_f64() * 1000.0);
            }
        }
        for (index, samples) in samples_ms.iter_mut().enumerate() {
            samples.sort_by(f64::total_cmp);
            let ms = samples[REPETITIONS / 2];
            medians_ms.push(ms);
            let Stats { faults, reads, bytes, .. } = stats[index];
            let growth = ms / medians_ms[0];
            println!(
                "| {name:<10} | {:>8} | {ms:>6.3} | {faults:>13} | {reads:>5} | {bytes:>7} | {growth:>20.2} |",
                sizes[index]
            );
        }
        if mode == Mode::Mmap {
            let pages = stats.iter().map(|stats| stats.faults + stats.ahead).max().unwrap_or(0);
            let growth = medians_ms.last().copied().unwrap_or(0.0) / medians_ms[0];
            let kept = pages <= PAGES_MAX && growth <= GROWTH_MAX;
            eprintln!(
                "mmap: at most {pages} pages (bound {PAGES_MAX}), {growth:.2}x the time (bound {GROWTH_MAX}): {}",
                if kept { "kept" } else { "missed" }
            );
        }
    }
    Ok(())
}

/// Opens the database in `directory` with nothing cached of ours and reads the head of its branch.
fn open_and_log(directory: &Path, mode: Mode) -> Result<Stats, Box<dyn Error>> {
    let region = Region::new(Options::default());
    let files = NativeDirectory::new(directory);
    let store = ChunkStore::open(&region, &files, OpenOptions { mode, verify: Verify::default() })?;
    let nodes = NodeStore::new(Rc::new(store), tree::Options::default());
    let state = RepoState::parse(&std::fs::read(directory.join(".dolt/repo_state.json"))?)?;
    let database = Database::new(nodes, state);
    let refs = database.refs()?;
    let branch = database.default_branch(&refs)?.ok_or("no branch")?;
    let commit = refs.branch_head(&branch)?;
    assert!(!commit.meta.description.is_empty(), "the newest commit has a message");
    Ok(region.stats())
}

/// The archive of that size, made when it is not there.
fn archive(chunks: u32) -> Result<PathBuf, Box<dyn Error>> {
    let directory = fixture::cache().join(format!("archive-{chunks}"));
    if !directory.join(".dolt/repo_state.json").exists() {
        archive_maker::make(&fixture::unpacked("b_archive")?.join("archive"), &directory, chunks)?;
    }
    Ok(directory)
}
