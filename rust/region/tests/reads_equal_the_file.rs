//! Any sequence of reads under any budget gives the bytes of the file, and never uses more memory than the budget.

use std::rc::Rc;

use proptest::prelude::*;
use region::{Advice, FaultFile, MemoryFile, Mode, Options, Pinned, Region, RegionError};

const SEGMENT_BYTES: usize = 64 << 10;

#[derive(Debug, Clone)]
enum Step {
    Bytes { at: f64, len: usize, hold: bool },
    Release(prop::sample::Index),
    Integer(f64),
    Copy { at: f64, len: usize },
    WillNeed(f64, f64),
    Advise(Advice),
    Append(usize),
    Write { at: f64, len: usize },
    Truncate(f64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let at = || 0.0..1.0f64;
    let len = || prop_oneof![0..40usize, 0..9_000usize, 0..200_000usize];
    let advice = prop_oneof![Just(Advice::Normal), Just(Advice::Sequential), Just(Advice::Random)];
    let step = prop_oneof![
        8 => (at(), len(), any::<bool>()).prop_map(|(at, len, hold)| Step::Bytes { at, len, hold }),
        2 => any::<prop::sample::Index>().prop_map(Step::Release),
        4 => at().prop_map(Step::Integer),
        2 => (at(), len()).prop_map(|(at, len)| Step::Copy { at, len }),
        1 => (at(), at()).prop_map(|(a, b)| Step::WillNeed(a, b)),
        1 => advice.prop_map(Step::Advise),
        1 => (0..100_000usize).prop_map(Step::Append),
        3 => (at(), len()).prop_map(|(at, len)| Step::Write { at, len }),
        1 => (0.5..1.2f64).prop_map(Step::Truncate),
    ];
    prop::collection::vec(step, 1..80)
}

fn contents(len: usize, salt: usize) -> Vec<u8> {
    (0..len).map(|i| ((i + salt).wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn reads_equal_the_file(
        len in 0..700_000usize,
        budget_bytes in prop_oneof![0..200_000u64, 100_000..2_000_000u64],
        page_bytes in prop_oneof![Just(1usize), Just(4096), Just(16384), Just(65536), Just(1 << 20)],
        mode in prop_oneof![4 => Just(Mode::Mmap), 1 => Just(Mode::Pread), 1 => Just(Mode::MmapIndex)],
        is_growing in any::<bool>(),
        steps in steps(),
    ) {
        let mut model = contents(len, 0);
        let memory = MemoryFile::new(model.clone());
        let region = Region::new(Options { budget_bytes, segment_bytes: SEGMENT_BYTES });
        let mapping = region.map(FaultFile::new(memory.clone(), page_bytes), "file", mode);
        mapping.set_index(100_000..300_000);
        if is_growing {
            mapping.set_growing();
        }
        let mut held: Vec<(Pinned, Vec<u8>)> = Vec::new();
        for (salt, step) in steps.into_iter().enumerate() {
            let place = |at: f64| (at * model.len() as f64) as usize;
            match step {
                Step::Bytes { at, len, hold } => {
                    let at = place(at);
                    match (mapping.bytes(at as u64, len), model.get(at..at + len)) {
                        (Ok(pinned), Some(expected)) => {
                            prop_assert_eq!(&*pinned, expected);
                            if hold {
                                held.push((pinned, expected.to_vec()));
                            }
                        }
                        (Err(RegionError::PastEnd { .. }), None) => {}
                        // Refused only when even a buffer of its own would not fit.
                        (Err(RegionError::Budget { used_bytes, .. }), Some(_)) => {
                            prop_assert!(used_bytes + len as u64 > budget_bytes);
                        }
                        (outcome, expected) => prop_assert!(false, "{:?} for {:?} bytes", outcome, expected.map(<[u8]>::len)),
                    }
                }
                Step::Release(index) if !held.is_empty() => {
                    let (pinned, expected) = held.swap_remove(index.index(held.len()));
                    prop_assert_eq!(&*pinned, &*expected);
                }
                Step::Release(_) => {}
                Step::Integer(at) => {
                    let at = place(at);
                    match model.get(at..at + 8) {
                        Some(bytes) => {
                            prop_assert_eq!(mapping.u64_be(at as u64).unwrap().to_be_bytes(), bytes);
                            prop_assert_eq!(mapping.u32_be(at as u64).unwrap().to_be_bytes(), &bytes[..4]);
                        }
                        None => prop_assert!(mapping.u64_be(at as u64).is_err()),
                    }
                }
                Step::Copy { at, len } => {
                    let (at, mut copy) = (place(at), vec![0; len]);
                    // Copies need no memory of the region: they never fail inside the file.
                    match model.get(at..at + len) {
                        Some(expected) => {
                            mapping.copy_to(at as u64, &mut copy).unwrap();
                            prop_assert_eq!(&*copy, expected);
                        }
                        None => prop_assert!(mapping.copy_to(at as u64, &mut copy).is_err()),
                    }
                }
                Step::WillNeed(a, b) => mapping.will_need(&[place(a) as u64..place(b) as u64, place(b) as u64..u64::MAX]),
                Step::Advise(advice) => mapping.advise(advice),
                Step::Append(len) => {
                    let more = contents(len, salt);
                    model.extend(&more);
                    // By us, or by another writer.
                    if salt % 2 == 0 {
                        mapping.append(&more).unwrap();
                    } else {
                        memory.append(&more);
                        prop_assert_eq!(mapping.extend(), model.len() as u64);
                    }
                    prop_assert_eq!(mapping.len(), model.len() as u64);
                }
                Step::Write { at, len } => {
                    let (at, bytes) = (place(at), contents(len, salt));
                    if model.len() < at + len {
                        model.resize(at + len, 0);
                    }
                    model[at..at + len].copy_from_slice(&bytes);
                    mapping.write_at(at as u64, &bytes).unwrap();
                }
                Step::Truncate(at) => {
                    model.resize(place(at), 0);
                    mapping.truncate(model.len() as u64).unwrap();
                }
            }
            let stats = region.stats();
            prop_assert!(stats.peak_bytes <= budget_bytes);
            if mode == Mode::Pread {
                prop_assert_eq!(stats.faults, 0);
            }
        }
        for (pinned, expected) in &held {
            prop_assert_eq!(&**pinned, &**expected);
        }
        drop(mapping);
        let used = region.stats().resident_bytes;
        prop_assert!(!held.is_empty() || used == 0);
        drop(held);
        prop_assert_eq!(region.stats().resident_bytes, 0);
        drop(Rc::clone(&region));
    }
}
