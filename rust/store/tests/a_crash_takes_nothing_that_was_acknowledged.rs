//! Whatever a crash does to what was not flushed, the store opens again with exactly the commits that were acknowledged, or one more
//! that was under way; with relaxed durability, with those up to some point after the last flush.

mod common;

use std::collections::HashMap;
use std::rc::Rc;

use codec::Address;
use region::{CrashDirectory, MemoryLock, Options, Region};
use store::{ChunkStore, Chunks, Committed, Durability, OpenOptions, StoreError, Verify, WriteOptions};

const WORKLOADS: u64 = 2000;

/// Numbers that look random.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn chunk(&mut self) -> Vec<u8> {
        let len = [30, 30, 300, 3000][self.below(4) as usize] + self.below(60);
        (0..len).map(|i| if i % 3 == 0 { self.below(256) as u8 } else { b'a' }).collect()
    }
}

/// What was done, and what has to be there because of that.
#[derive(Default)]
struct Model {
    /// Roots in their order, the empty one first.
    roots: Vec<Address>,
    /// The last root that nothing may take.
    safe: usize,
    /// The last root that was acknowledged; one more may follow.
    acknowledged: usize,
    /// Every chunk of every root, with the position of the root that came with it.
    chunks: HashMap<Address, (usize, Vec<u8>)>,
}

impl Model {
    /// Opens the store after a crash and compares; `None` when there is no store yet.
    fn check(&mut self, disk: &Rc<CrashDirectory>, seed: u64) -> Option<()> {
        let region = Region::new(Options { budget_bytes: 1 << 20, segment_bytes: 64 << 10 });
        let options = OpenOptions { verify: Verify::Always, ..OpenOptions::default() };
        let store = match ChunkStore::open(&region, &**disk, options) {
            Ok(store) => store,
            Err(StoreError::NoManifest { .. }) => {
                assert_eq!(self.safe, 0, "seed {seed}: the database is gone");
                return None;
            }
            Err(error) => panic!("seed {seed}: {error}"),
        };
        let position = self.roots.iter().rposition(|root| *root == store.root());
        let position = position.unwrap_or_else(|| panic!("seed {seed}: {} never was a root", store.root()));
        let allowed = self.safe..=(self.acknowledged + 1).min(self.roots.len() - 1);
        assert!(allowed.contains(&position), "seed {seed}: root {position}, allowed {allowed:?}");
        for (address, (of, chunk)) in &self.chunks {
            if *of <= position {
                assert_eq!(store.read(address).as_ref(), Ok(chunk), "seed {seed}: chunk of root {of}");
            }
        }
        // What is there now is what there was, for what follows.
        self.roots.truncate(position + 1);
        self.chunks.retain(|_, (of, _)| *of <= position);
        (self.safe, self.acknowledged) = (position, position);
        Some(())
    }

    /// Commits some chunks through `store`. An error is the end of the workload, or an operation that failed.
    fn commit(&mut self, store: &ChunkStore, chance: &mut Chance, durability: Durability) -> Result<(), StoreError> {
        let chunks: Vec<Vec<u8>> = (0..1 + chance.below(6)).map(|_| chance.chunk()).collect();
        let mut put = Vec::new();
        for chunk in &chunks {
            put.push(store.put(chunk)?);
        }
        let root = *put.last().unwrap();
        self.roots.truncate(self.acknowledged + 1);
        let position = self.roots.len();
        self.roots.push(root);
        for (address, chunk) in put.iter().zip(&chunks) {
            self.chunks.entry(*address).or_insert_with(|| (position, chunk.clone()));
        }
        if store.commit(&store.root(), &root, &put)? == Committed::Moved {
            assert_eq!(store.root(), self.roots[self.acknowledged]);
            assert_eq!(store.commit(&store.root(), &root, &put)?, Committed::Done);
        }
        self.acknowledged = position;
        if durability == Durability::Full || position == 1 {
            self.safe = position;
        }
        Ok(())
    }
}

/// Runs commits through two stores on one disk, each with its durability, until something fails.
fn work(
    disk: &Rc<CrashDirectory>,
    model: &mut Model,
    chance: &mut Chance,
    durabilities: [Durability; 2],
) -> Result<(), StoreError> {
    let region = Region::new(Options { budget_bytes: 1 << 20, segment_bytes: 64 << 10 });
    let lock = Rc::new(MemoryLock::default());
    let pending_bytes_max = [500, 100_000][chance.below(2) as usize];
    let write = WriteOptions { pending_bytes_max, ..WriteOptions::new(lock, common::noon) };
    let [one, other] = durabilities.map(|durability| WriteOptions { durability, ..write.clone() });
    let open =
        |write: &WriteOptions| ChunkStore::open_writable(&region, disk.clone(), OpenOptions::default(), write.clone());
    let first = match open(&one) {
        Err(StoreError::NoManifest { .. }) => {
            let store = ChunkStore::create(&region, disk.clone(), OpenOptions::default(), one)?;
            model.commit(&store, chance, durabilities[0])?;
            store
        }
        outcome => outcome?,
    };
    let stores = [first, open(&other)?];
    for _ in 0..chance.below(12) {
        let at = usize::from(chance.below(3) == 0);
        let store = &stores[at];
        match chance.below(9) {
            0 => store.refresh()?,
            1 => drop(store.put(&chance.chunk())?),
            2 => store.forget_pending(),
            3 => {
                // Both, since a flush does nothing where nothing was written.
                stores.iter().try_for_each(ChunkStore::flush)?;
                model.safe = model.acknowledged;
            }
            // Now and then, for it writes as much as many commits. Twice: the first time sees that something was written.
            4 if chance.below(20) == 0 => (0..2).try_for_each(|_| store.make_room_when_idle(0).map(drop))?,
            _ => model.commit(store, chance, durabilities[at])?,
        }
    }
    Ok(())
}

fn run(durabilities: [Durability; 2], workloads: u64) {
    let (mut crashes, mut lost, mut torn) = (0, 0, 0);
    // For longer hunts.
    let first: u64 = std::env::var("VARVE_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    for seed in first..first + workloads {
        let mut chance = Chance(seed * 77 + 5);
        let mut disk = CrashDirectory::new(seed);
        let mut model = Model { roots: vec![Address::EMPTY], ..Model::default() };
        // The store that a crash left is worked with, and crashes again.
        for _ in 0..3 {
            disk.cut_power_after(chance.below(40));
            match work(&disk, &mut model, &mut chance, durabilities) {
                Ok(()) => {}
                Err(error) => assert!(error.to_string().contains("was removed"), "seed {seed}: {error}"),
            }
            disk = disk.crash();
            let acknowledged = model.acknowledged;
            if model.check(&disk, seed).is_none() {
                model = Model { roots: vec![Address::EMPTY], ..Model::default() };
            }
            crashes += 1;
            lost += usize::from(model.acknowledged < acknowledged);
            torn += usize::from(model.acknowledged > acknowledged);
        }
    }
    println!("{crashes} crashes, {lost} lost relaxed commits, {torn} kept what was under way");
    assert!(torn > 0 && (lost > 0) == (durabilities != [Durability::Full; 2]));
}

#[test]
fn full_durability_keeps_every_acknowledged_commit() {
    run([Durability::Full; 2], WORKLOADS);
}

#[test]
fn relaxed_durability_keeps_a_prefix() {
    run([Durability::Relaxed { window_ms: 1000 }; 2], WORKLOADS);
}

#[test]
fn a_full_commit_makes_relaxed_ones_before_it_safe() {
    run([Durability::Relaxed { window_ms: 1000 }, Durability::Full], WORKLOADS / 4);
}

#[test]
fn a_full_disk_fails_one_commit_and_no_other() {
    let mut failures = 0;
    for seed in 0..500 {
        let mut chance = Chance(seed * 31 + 9);
        let disk = CrashDirectory::new(seed);
        let region = Region::new(Options { budget_bytes: 1 << 20, segment_bytes: 64 << 10 });
        let write = WriteOptions {
            pending_bytes_max: [500, 100_000][chance.below(2) as usize],
            ..WriteOptions::new(Rc::new(MemoryLock::default()), common::noon)
        };
        let mut model = Model { roots: vec![Address::EMPTY], ..Model::default() };
        let store = ChunkStore::create(&region, disk.clone(), OpenOptions::default(), write.clone()).unwrap();
        for _ in 0..10 {
            if chance.below(2) == 0 {
                disk.fail_after(chance.below(8));
            }
            match model.commit(&store, &mut chance, Durability::Full) {
                Ok(()) => {}
                Err(error) => {
                    assert!(error.to_string().contains("no space"), "seed {seed}: {error}");
                    failures += 1;
                    // It was reported as failed: a crash does not bring it back.
                    match ChunkStore::open(&region, &*disk.crash(), OpenOptions::default()) {
                        Ok(found) => assert_eq!(found.root(), model.roots[model.acknowledged], "seed {seed}"),
                        Err(error) => assert_eq!(model.acknowledged, 0, "seed {seed}: {error}"),
                    }
                    // The session goes on with what it had.
                    store.forget_pending();
                    store.refresh().unwrap();
                    let acknowledged = model.acknowledged;
                    model.chunks.retain(|_, (of, _)| *of <= acknowledged);
                }
            }
            assert_eq!(store.root(), model.roots[model.acknowledged], "seed {seed}");
            for (address, (of, chunk)) in &model.chunks {
                assert!(*of > model.acknowledged || store.read(address).as_ref() == Ok(chunk), "seed {seed}");
            }
        }
        disk.fail_after(u64::from(u32::MAX));
        model.commit(&store, &mut chance, Durability::Full).unwrap();
        model.check(&disk.crash(), seed).unwrap();
    }
    assert!(failures > 500, "{failures}");
}
