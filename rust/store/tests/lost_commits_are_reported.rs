//! A store says when the state that it opens may not be the newest one, keeps the bytes that do not count, and writes nothing where an
//! acknowledged commit is lost.

mod common;

use std::rc::Rc;

use codec::Address;
use common::{build, open_writable, write_options};
use region::MemoryDirectory;
use store::{ChunkStore, Chunks, Loss, LossKind, OpenOptions, StoreError, WriteOptions};

const JOURNAL: &str = ".dolt/noms/vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv";
const MANIFEST: &str = ".dolt/noms/manifest";

/// A journal of three commits, two chunks and a root each: the records, and the roots.
fn journal() -> (Vec<Vec<u8>>, Vec<Address>) {
    let (mut records, mut roots) = (Vec::new(), Vec::new());
    for pair in build::chunks(6, 300).chunks(2) {
        let root = Address::of(&pair[1]);
        records.extend([build::journal_chunk(&pair[0]), build::journal_chunk(&pair[1]), build::journal_root(&root)]);
        roots.push(root);
    }
    (records, roots)
}

fn database(checkpoint: &Address, bytes: Vec<u8>) -> Rc<MemoryDirectory> {
    Rc::new(build::database(checkpoint, &"v".repeat(32), 6, bytes))
}

fn loss_of(checkpoint: &Address, bytes: Vec<u8>) -> Option<Loss> {
    let directory = database(checkpoint, bytes);
    ChunkStore::open(&common::region(), &*directory, OpenOptions::default()).unwrap().loss()
}

fn accepting() -> WriteOptions {
    WriteOptions { accepts_loss: true, ..write_options() }
}

fn ends(records: &[Vec<u8>]) -> Vec<usize> {
    let lengths = records.iter().map(Vec::len);
    lengths.scan(0, |end, len| Some(std::mem::replace(end, *end + len) + len)).collect()
}

#[test]
fn whole_databases_have_lost_nothing() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    for fixture in common::fixtures(&shared, &["a_", "b_", "c_", "d_", "e_", "f_", "g_", "h_", "i_"]) {
        for path in common::stores(&common::unpack(&shared, &fixture, "nothing_lost")) {
            let store = common::open(&path, OpenOptions::default()).unwrap();
            assert_eq!(store.loss(), None, "{fixture}: {}", path.display());
        }
    }
}

#[test]
fn damaged_fixtures_say_what_was_lost() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let loss = |damage: &str| {
        let path = common::unpack(&shared, &format!("j_a_{damage}"), "lost");
        let store = common::open(&path, OpenOptions::default()).unwrap();
        let flaws = common::scan(&store).1;
        let told = flaws.iter().filter(|flaw| matches!(flaw, StoreError::Loss(_))).count();
        assert_eq!(told > 0, store.loss().is_some_and(|loss| loss.kind.is_alarm()), "{damage}: {flaws:?}");
        store.loss()
    };
    let newest: Address = "465f7se8hhuj8rs9itmreurrnf21645a".parse().unwrap();
    let half = loss("truncated_half").unwrap();
    assert_eq!((half.kind, half.expected), (LossKind::MissingRoot, newest));
    assert_eq!((half.at_bytes, half.dropped_bytes, &*half.file), (37_089, 18, JOURNAL));
    let text = half.to_string();
    for part in [JOURNAL, "byte 37089", "18 bytes", &newest.to_string(), &half.opened.to_string()] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(loss("truncated_tail").unwrap().kind, LossKind::MissingRoot);
    assert_eq!(loss("garbage_tail").unwrap().kind, LossKind::DamagedRecord);
    assert_eq!(loss("zeroed_tail"), None);
    assert_eq!(loss("missing_journal_index"), None);
}

/// Whatever is cut off: behind the last commit that the manifest vouches for it is an interrupted write, before that it is a loss.
#[test]
fn a_cut_is_a_torn_tail_only_where_nothing_was_acknowledged() {
    let (records, roots) = journal();
    let (bytes, ends) = (records.concat(), ends(&records));
    for cut in ends[2]..=bytes.len() {
        let end = *ends.iter().rfind(|end| **end <= cut).unwrap();
        let dropped = (cut - end) as u64;
        // The checkpoint of native Dolt is that of its last close; here that of the first commit, or the last.
        let torn = loss_of(&roots[0], bytes[..cut].to_vec());
        assert_eq!(torn.as_ref().map(|loss| (loss.kind, loss.dropped_bytes)), {
            // Fewer than four bytes are the length of a record that the end of the file cuts off.
            (dropped > 0).then_some((LossKind::TornTail, dropped))
        });
        let lost = loss_of(&roots[2], bytes[..cut].to_vec());
        let expected = (cut < bytes.len()).then_some((LossKind::MissingRoot, dropped, end as u64, roots[2]));
        assert_eq!(lost.map(|loss| (loss.kind, loss.dropped_bytes, loss.at_bytes, loss.expected)), expected, "{cut}");
    }
}

#[test]
fn a_flipped_byte_in_the_last_commit_is_damage_and_no_torn_tail() {
    let (records, roots) = journal();
    let (bytes, ends) = (records.concat(), ends(&records));
    let mut kinds = std::collections::BTreeMap::new();
    for at in ends[5]..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let loss = loss_of(&roots[1], damaged).unwrap();
        *kinds.entry(loss.kind).or_insert(0) += 1;
        assert_eq!(loss.opened, roots[1]);
        if at < ends[7] {
            // The root record of the commit is whole.
            assert_eq!((loss.kind, loss.expected), (LossKind::DamagedRecord, roots[2]), "byte {at}");
        }
    }
    // A length that leads beyond the end of the file is what an interrupted write leaves as well.
    assert!(kinds[&LossKind::TornTail] <= 4 && kinds[&LossKind::DamagedRecord] > 600, "{kinds:?}");
    // As is a record of which a sector was not written.
    let mut blank = bytes.clone();
    let start = bytes.len() / 512 * 512;
    assert!(start > ends[6] && start < ends[7] - 16);
    blank[start..].fill(0);
    assert_eq!(loss_of(&roots[1], blank).unwrap().kind, LossKind::TornTail);
}

#[test]
fn nothing_is_written_where_an_acknowledged_commit_is_lost() {
    let (records, roots) = journal();
    let bytes = records.concat();
    let cut = bytes[..bytes.len() - 50].to_vec();
    let directory = database(&roots[2], cut.clone());
    let store = open_writable(&directory, write_options()).unwrap();
    assert!(store.is_held_back());
    assert!(matches!(store.put(b"a chunk"), Err(StoreError::ReadOnly(_))));
    let refused = store.commit(&roots[1], &Address::of(b"a chunk"), &[]);
    assert!(matches!(refused, Err(StoreError::ReadOnly(_))), "{refused:?}");
    assert_eq!(common::contents(&*directory, JOURNAL), cut);
    assert_eq!(directory.paths(), [MANIFEST, JOURNAL]);

    // Who says so goes on from the older state, and loses no byte of the newer one.
    let store = open_writable(&directory, accepting()).unwrap();
    let loss = store.loss().unwrap();
    common::commit(&store, &build::chunks(9, 80)[8..]);
    assert_eq!(store.loss(), None);
    let kept = common::contents(&*directory, &format!("{JOURNAL}_tail_{}", loss.at_bytes));
    assert_eq!(kept, cut[loss.at_bytes as usize..]);
    let again = open_writable(&directory, write_options()).unwrap();
    assert_eq!((again.loss(), again.root()), (None, store.root()));
    common::commit(&again, &build::chunks(10, 80)[9..]);
    assert_eq!(directory.paths().len(), 3);
}

#[test]
fn damaged_bytes_are_copied_before_they_are_cut_off() {
    let (records, roots) = journal();
    let (bytes, ends) = (records.concat(), ends(&records));
    let mut damaged = bytes.clone();
    damaged[ends[5] + 40] ^= 1;
    let directory = database(&roots[1], damaged.clone());
    let store = open_writable(&directory, write_options()).unwrap();
    assert_eq!(store.loss().map(|loss| loss.valid_records), Some(2));
    assert!(!store.is_held_back());
    common::commit(&store, &build::chunks(9, 80)[8..]);
    let path = format!("{JOURNAL}_tail_{}", ends[5]);
    assert_eq!(common::contents(&*directory, &path), damaged[ends[5]..]);
    // The same bytes once more need no second copy; others do.
    for (damage, copies) in [(40, 1), (41, 2)] {
        let mut again = bytes.clone();
        again[ends[5] + damage] ^= 1;
        directory.insert(JOURNAL, again.clone());
        common::commit(&open_writable(&directory, write_options()).unwrap(), &build::chunks(8, 80)[7..]);
        assert_eq!(directory.paths().len(), 2 + copies, "{:?}", directory.paths());
    }
    // A torn tail is cut off without one.
    directory.insert(JOURNAL, bytes[..bytes.len() - 50].to_vec());
    common::commit(&open_writable(&directory, write_options()).unwrap(), &build::chunks(8, 80)[7..]);
    assert_eq!(directory.paths().len(), 4);
}
