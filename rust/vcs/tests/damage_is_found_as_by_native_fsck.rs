//! A verification finds what is wrong with the files of a database, and what that is needed for: where native `dolt fsck` finds something,
//! and nowhere else.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use codec::Address;
use common::{Recorded, databases};
use native_dolt::fixtures;
use region::{NativeDirectory, Options, Region};
use serde_json::Value;
use store::ChunkStore;
use tree::NodeStore;
use vcs::{Database, Flaw, RepoState, Verification};

/// Verifies to the end, a few chunks at a time.
fn verified(database: &Database) -> Verification {
    let mut verification = Verification::default();
    let mut last = 0;
    loop {
        let scanned = database.verify(&mut verification, 7).unwrap();
        assert!(scanned.chunks >= last && scanned.chunks <= scanned.chunks_total);
        last = scanned.chunks;
        if scanned.is_done {
            assert_eq!(scanned.chunks, scanned.chunks_total);
            return verification;
        }
    }
}

/// Chunks by their kinds, as native Dolt prints them.
fn kinds(verification: &Verification) -> BTreeMap<String, u64> {
    let name = |id: &[u8; 4]| String::from_utf8(id.to_vec()).unwrap();
    verification.counts.kinds.iter().map(|(id, count)| (name(id), *count)).collect()
}

fn kinds_of_native(report: &str) -> BTreeMap<String, u64> {
    let lines = report.split("Chunk type breakdown:\n").nth(1).unwrap_or_default().lines();
    let lines = lines.filter_map(|line| line.strip_prefix("  ")?.split_once(": "));
    lines.map(|(kind, count)| (kind.to_owned(), count.parse().unwrap())).collect()
}

/// The addresses behind `what` in a report.
fn addresses_behind(report: &str, what: &str) -> Vec<Address> {
    report.split(what).skip(1).filter_map(|rest| rest.get(..Address::TEXT_LEN)?.parse().ok()).collect()
}

#[test]
fn whole_databases_are_whole() {
    for opened in databases("whole", &[""]) {
        let verification = verified(&opened.database);
        assert_eq!(verification.problems, [], "{}", opened.fixture);
        let refs = opened.database.refs().unwrap();
        let names = refs.datasets("").filter(|entry| !entry.as_ref().unwrap().0.starts_with("workingSets/"));
        assert_eq!(verification.counts.refs, names.count() as u64, "{}", opened.fixture);
    }
}

#[test]
fn damage_is_found_where_native_dolt_finds_some() {
    let Some(shared) = fixtures::shared() else { return };
    let oracle = std::fs::read(shared.join("fixtures/j_damaged.json")).unwrap();
    let oracle: Vec<Value> = serde_json::from_slice(&oracle).unwrap();
    let mut found = 0;
    for case in &oracle {
        let fixture = case["fixture"].as_str().unwrap();
        let native = &case["cli"]["fsck"];
        let is_whole_there = native["exit"] == 0;
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verified").join(fixture);
        let directory = NativeDirectory::new(fixtures::unpack(&shared, fixture, &scratch));
        let Ok(store) = ChunkStore::open(&Region::new(Options::default()), &directory, Default::default()) else {
            assert!(!is_whole_there, "{fixture} cannot be opened");
            continue;
        };
        let database = Database::new(NodeStore::new(std::rc::Rc::new(store), Default::default()), RepoState::default());
        let verification = verified(&database);
        let (problems, counts) = (&verification.problems, &verification.counts);
        println!("{fixture}: {problems:?}");
        if fixture.ends_with("_missing_repo_state") {
            assert!(problems.is_empty(), "the file is none of the store");
            continue;
        }
        // Native Dolt forgets a root that the manifest names and the journal has not.
        let is_missing = |problem: &&vcs::Problem| problem.message.contains("the manifest names root");
        let lost = problems.iter().find(is_missing);
        let is_cut = fixture.starts_with("j_a_truncated") || fixture.starts_with("j_a_flipped_index");
        assert_eq!(lost.is_some(), is_cut, "{fixture}: {problems:?}");
        if let Some(lost) = lost {
            assert_eq!(lost.flaw, Flaw::Missing);
            assert!(lost.address.is_some() && lost.at_bytes.is_some(), "{lost:?}");
        }
        let is_whole = problems.iter().all(|problem| is_missing(&problem));
        assert_eq!(is_whole, is_whole_there, "{fixture}: {problems:?}");
        assert_eq!(problems.len() as u64, counts.problems);
        let report = native["stdout"].as_str().unwrap();
        let commits = format!(
            "Commit objects found: {} ({} reachable from branches/tags/stashes, {} unreachable)",
            counts.commits,
            counts.reachable_commits,
            counts.commits - counts.reachable_commits,
        );
        assert!(report.contains(&commits), "{fixture}: {commits}: {report}");
        assert!(report.contains(&format!("Refs found: {} ", counts.refs)), "{fixture}: {}: {report}", counts.refs);
        let is_of_file = |flaw| matches!(flaw, Flaw::Damaged | Flaw::Unreadable);
        let damaged_file = case["damaged_file"].as_str().unwrap();
        for problem in problems.iter().filter(|problem| is_of_file(problem.flaw)) {
            let file = problem.file.as_deref().unwrap();
            assert!(file == damaged_file || file.ends_with("/journal.idx"), "{fixture}: {problem:?}");
            assert!(problem.at_bytes.is_some() && problem.message.contains(file), "{problem:?}");
            found += 1;
        }
        for address in addresses_behind(report, "read failure of ") {
            let problem = problems.iter().find(|problem| problem.address == Some(address));
            let owner = problem.and_then(|problem| problem.needed_by.as_deref());
            let owner = owner.unwrap_or_else(|| panic!("{fixture}: {address} is needed: {problems:?}"));
            assert!(owner.name.parse::<Address>().is_ok() && owner.table.is_some(), "{owner:?}");
        }
        if problems.iter().all(|problem| problem.address.is_none()) {
            assert_eq!(kinds(&verification), kinds_of_native(report), "{fixture}");
        }
    }
    assert!(found > 5, "{found}");
}

#[test]
fn what_is_malformed_or_missing_is_told_with_its_owner() {
    for opened in databases("malformed", &["a_", "f_conflicts"]) {
        let chunks = Recorded::of(&opened.database, None);
        assert_eq!(verified(&chunks.open()).counts.problems, 0);
        // One of each kind.
        let mut kinds: BTreeMap<Vec<u8>, (Address, Vec<u8>)> = BTreeMap::new();
        for (address, bytes) in chunks.read.take() {
            kinds.entry(bytes[8..12].to_vec()).or_insert((address, bytes));
        }
        assert!(kinds.len() >= 6, "{kinds:?}");
        for (kind, (address, bytes)) in &kinds {
            let name = String::from_utf8_lossy(kind);
            let cut = bytes[..bytes.len() / 2].to_vec();
            let database = Recorded::of(&opened.database, Some((*address, cut))).open();
            let verification = verified(&database);
            let problem = verification.problems.iter().find(|problem| problem.address == Some(*address));
            let problem = problem.unwrap_or_else(|| panic!("{}: {name}", opened.fixture));
            assert_eq!(problem.flaw, Flaw::Malformed, "{name}");
            let is_root = *address == database.objects().nodes().chunks().root();
            assert_eq!(problem.needed_by.as_ref().unwrap().name.is_empty(), is_root, "{name}: {problem:?}");
            // Whatever else such a chunk may be, it is no end of the process.
            for at in (0..bytes.len()).step_by(1 + bytes.len() / 40) {
                for byte in [0, 0xff, bytes[at] ^ 1] {
                    let mut damaged = bytes.clone();
                    damaged[at] = byte;
                    verified(&Recorded::of(&opened.database, Some((*address, damaged))).open());
                }
            }
        }
    }
}
