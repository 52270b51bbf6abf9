//! Subtree counts: rows below each child of an inner node (docs/format/tree.md, section 3.3).

use codec::varint::Deltas;

/// Decodes `children` counts into running sums: entry i is the number of rows before child i, the last entry all rows.
///
/// `None` when the bytes hold more or fewer counts, a count below zero, or a sum past 64 bits.
pub(crate) fn rows_before(bytes: &[u8], children: usize) -> Option<Box<[u64]>> {
    // Every count takes at least a byte, so a hostile number of children cannot ask for much memory.
    if bytes.len() < children {
        return None;
    }
    let mut sums = Vec::with_capacity(children + 1);
    let mut sum = 0u64;
    sums.push(0);
    for count in Deltas::new(bytes) {
        sum = sum.checked_add(count.ok()?)?;
        sums.push(sum);
    }
    (sums.len() == children + 1).then(|| sums.into_boxed_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(counts: &[u64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        codec::varint::write_deltas(counts.iter().copied(), &mut bytes);
        bytes
    }

    #[test]
    fn counts_become_running_sums() {
        assert_eq!(*rows_before(&[0xd2, 0x01, 0xcf, 0x01], 2).unwrap(), [0, 105, 106]);
        assert_eq!(*rows_before(&encoded(&[1 << 40, 3, 0]), 3).unwrap(), [0, 1 << 40, (1 << 40) + 3, (1 << 40) + 3]);
        assert_eq!(*rows_before(&[], 0).unwrap(), [0]);
    }

    #[test]
    fn wrong_counts_are_refused() {
        assert!(rows_before(&[2, 2, 2], 2).is_none(), "bytes left over");
        assert!(rows_before(&[2], 2).is_none(), "too few");
        assert!(rows_before(&[1], 1).is_none(), "negative");
        assert!(rows_before(&[0x80], 1).is_none(), "cut off");
        assert!(rows_before(&encoded(&[i64::MAX as u64; 3]), 3).is_none(), "sum overflows");
    }
}
