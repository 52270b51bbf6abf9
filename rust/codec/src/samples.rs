//! Compression dictionary built from the common substrings of samples.
//!
//! The content of a zstd dictionary is text that frames may copy from. Dolt has it chosen, and entropy tables trained beside it, by the
//! C library. Here it is chosen in the same way (cover the runs of bytes that most samples have, most useful last) and used as *raw
//! content*, which every decoder takes. In the test of collections in `vcs` the files are as large as native Dolt's, within 5 %.

use crate::CompactSort;

/// Bytes that count as a run: shorter ones are not worth a match.
const RUN_BYTES: usize = 8;
/// Bytes that are taken over at a time.
const SEGMENT_BYTES: usize = 64;
/// Slots for counting runs, by a hash: runs that share one are counted together, which only makes the choice a little worse.
const SLOTS: usize = 1 << 16;
/// What a trained dictionary begins with. Raw content must not.
const TRAINED_MAGIC: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];

/// At most `len_max` bytes of `samples` that many of them have in common; empty when they have nothing in common.
pub fn common_content(samples: &[&[u8]], len_max: usize) -> Vec<u8> {
    let mut counts = counts(samples);
    let segments_max = len_max / SEGMENT_BYTES;
    // Each part of the samples gives its best segment, so that one kind of sample does not fill everything.
    let samples_each = samples.len().div_ceil(segments_max.max(1));
    let mut chosen: Vec<(u64, &[u8])> = Vec::new();
    for part in samples.chunks(samples_each.max(1)) {
        let best = part.iter().flat_map(|sample| segments(sample)).map(|segment| (score(&counts, segment), segment));
        if let Some((score, segment)) = best.max_by_key(|(score, _)| *score)
            && score > 0
        {
            chosen.push((score, segment));
            runs(segment).for_each(|slot| set(&mut counts, slot, 0));
        }
    }
    // Near things are cheaper to refer to, and the end of the dictionary is the nearest.
    chosen.compact_sort_by_key(|(score, _)| *score);
    let skipped = chosen.len().saturating_sub(segments_max);
    let mut content: Vec<u8> = chosen.into_iter().skip(skipped).flat_map(|(_, segment)| segment).copied().collect();
    if content.starts_with(&TRAINED_MAGIC) {
        content.remove(0);
    }
    content
}

/// In how many samples each run occurs.
fn counts(samples: &[&[u8]]) -> Vec<u32> {
    let (mut counts, mut seen) = (vec![0; SLOTS], vec![u32::MAX; SLOTS]);
    for (number, sample) in (0..).zip(samples) {
        for slot in runs(sample) {
            if seen.get(slot) != Some(&number) {
                set(&mut seen, slot, number);
                let count = counts.get(slot).copied().unwrap_or_default();
                set(&mut counts, slot, count + 1);
            }
        }
    }
    // A run that only one sample has is of no use to others.
    counts.iter_mut().filter(|count| **count < 2).for_each(|count| *count = 0);
    counts
}

/// The sum of the counts, where a byte that is repeated counts once.
fn score(counts: &[u32], segment: &[u8]) -> u64 {
    let (mut sum, mut before) = (0, usize::MAX);
    for slot in runs(segment) {
        if slot != before {
            sum += u64::from(counts.get(slot).copied().unwrap_or_default());
        }
        before = slot;
    }
    sum
}

/// Segments that begin at every eighth byte.
fn segments(sample: &[u8]) -> impl Iterator<Item = &[u8]> {
    sample.windows(SEGMENT_BYTES.min(sample.len()).max(1)).step_by(8)
}

/// The slots of all runs.
fn runs(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    bytes.windows(RUN_BYTES).filter_map(|run| run.first_chunk()).map(|run| {
        let hash = u64::from_le_bytes(*run).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> (64 - SLOTS.trailing_zeros())) as usize
    })
}

fn set(slots: &mut [u32], slot: usize, value: u32) {
    if let Some(there) = slots.get_mut(slot) {
        *there = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zstd;

    /// Rows as a leaf has them: a few columns that vary, words that do not.
    fn sample(number: u32) -> Vec<u8> {
        let mut state = number.wrapping_mul(2_654_435_761) | 1;
        let mut sample = Vec::new();
        while sample.len() < 4000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let city = ["Zurich", "Lausanne", "Geneva", "Basel"][state as usize >> 13 & 3];
            sample.extend(
                format!("customer {:>8x} of {city}, standing order number {}\0", state >> 9, state % 97).bytes(),
            );
        }
        sample
    }

    #[test]
    fn what_samples_have_in_common_makes_small_frames() {
        let samples: Vec<Vec<u8>> = (0..1000).map(sample).collect();
        let borrowed: Vec<&[u8]> = samples.iter().map(|sample| &**sample).collect();
        let content = common_content(&borrowed, 4096);
        assert!((64..=4096).contains(&content.len()));
        let ours = zstd::Dictionary::new(&content).unwrap();
        let mut trained = vec![0; 4096];
        let sizes: Vec<usize> = samples.iter().map(Vec::len).collect();
        let len = zstd_safe::train_from_buffer(&mut trained[..], &samples.concat(), &sizes).unwrap();
        trained.truncate(len);
        let trained = zstd::Dictionary::new(&trained).unwrap();
        // Small chunks are those that need a dictionary.
        let sum = |dictionary: Option<&zstd::Dictionary>| {
            (2000..2100).map(|number| zstd::compress(&sample(number)[..400], dictionary).unwrap().len()).sum::<usize>()
        };
        let (none, raw, best) = (sum(None), sum(Some(&ours)), sum(Some(&trained)));
        assert!(raw * 10 < none * 9, "{raw} of {none} bytes, {best} with a trained dictionary");
    }

    #[test]
    fn any_samples_return() {
        assert!(common_content(&[], 4096).is_empty());
        assert!(common_content(&[b"", b"", b"a"], 4096).is_empty());
        assert!(common_content(&[b"0123456789"], 4096).is_empty(), "one sample has nothing in common");
        assert!(common_content(&[b"0123456789", b"0123456789"], 0).is_empty());
        let magic = [&TRAINED_MAGIC[..], &[7; 100]].concat();
        let content = common_content(&[&magic, &magic, &magic], 4096);
        assert!(!content.is_empty() && !content.starts_with(&TRAINED_MAGIC));
    }
}
