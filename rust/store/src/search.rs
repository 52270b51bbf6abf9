//! Interpolation search over a sorted array of address prefixes that is not in memory.

/// Steps that trust the values to be spread evenly. Hashes are; an array that is not (damage, malice) is bisected after these.
const INTERPOLATIONS_MAX: u32 = 12;

/// The first of `count` ascending prefixes that is not below `wanted`, or `count`. `probe` reads one.
///
/// Prefixes are hashes, so position `count * wanted / 2^64` is right within a few times `sqrt(count)`: at a million chunks the
/// first probe lands within 8 KiB of the answer and the next ones on the same page. The ends of the array are never read, unlike
/// in the usual form of this search, since 0 and 2^64 are bounds as good.
pub(crate) fn lower_bound<E>(count: u32, wanted: u64, mut probe: impl FnMut(u32) -> Result<u64, E>) -> Result<u32, E> {
    // Every prefix before `low` is below `wanted`, none from `high` on is.
    let (mut low, mut high) = (0, count);
    let (mut low_value, mut high_value) = (0u128, 1u128 << 64);
    let mut steps = 0;
    while low < high {
        let span = high - low;
        let spread = high_value - low_value;
        let within = if steps < INTERPOLATIONS_MAX && spread > 0 {
            ((u128::from(wanted) - low_value) * u128::from(span) / spread) as u32
        } else {
            span / 2
        };
        let at = low + within.min(span - 1);
        let value = probe(at)?;
        if value < wanted {
            (low, low_value) = (at + 1, u128::from(value));
        } else {
            (high, high_value) = (at, u128::from(value));
        }
        steps += 1;
    }
    Ok(low)
}

/// Positions between which the answer of [`lower_bound`] is, except in one case in 10,000: what is worth fetching at once.
pub(crate) fn likely_range(count: u32, wanted: u64) -> core::ops::Range<u64> {
    let middle = ((u128::from(wanted) * u128::from(count)) >> 64) as u64;
    // Four standard deviations, of at most half the square root.
    let reach = 2 * u64::from(count).isqrt() + 1;
    middle.saturating_sub(reach)..(middle + reach + 1).min(u64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(count: u32, mut state: u64) -> Vec<u64> {
        let mut prefixes: Vec<u64> = (0..count)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state.wrapping_mul(0x2545_F491_4F6C_DD1D)
            })
            .collect();
        prefixes.sort_unstable();
        prefixes
    }

    fn find(prefixes: &[u64], wanted: u64) -> (u32, Vec<u32>) {
        let mut probed = Vec::new();
        let found = lower_bound(prefixes.len() as u32, wanted, |at| {
            probed.push(at);
            Ok::<_, ()>(prefixes[at as usize])
        });
        (found.unwrap(), probed)
    }

    #[test]
    fn agrees_with_bisection_on_even_and_uneven_arrays() {
        let uneven: Vec<u64> = (0..1000u64).map(|i| i * i * i * i).collect();
        let arrays =
            [vec![], vec![0], vec![u64::MAX], vec![5; 100], vec![0, 0, u64::MAX, u64::MAX], uneven, prefixes(5000, 7)];
        for array in arrays {
            let near = array.iter().flat_map(|v| [v.saturating_sub(1), *v, v.saturating_add(1)]);
            for wanted in near.chain([0, 1, u64::MAX / 2, u64::MAX]) {
                let expected = array.partition_point(|v| *v < wanted) as u32;
                assert_eq!(find(&array, wanted).0, expected, "{wanted}");
            }
        }
    }

    #[test]
    fn a_million_hashes_cost_few_probes_on_one_or_two_pages() {
        let array = prefixes(1_000_000, 42);
        let (mut probes, mut pages, mut likely) = (0, 0, 0);
        let wanted: Vec<u64> = array.iter().copied().step_by(997).collect();
        for value in &wanted {
            let (found, probed) = find(&array, *value);
            assert_eq!(array[found as usize], *value);
            let mut touched: Vec<u32> = probed.iter().map(|at| at * 8 / 65536).collect();
            touched.sort_unstable();
            touched.dedup();
            probes += probed.len();
            pages += touched.len();
            likely += usize::from(likely_range(1_000_000, *value).contains(&u64::from(found)));
        }
        let average = |sum: usize| sum as f64 / wanted.len() as f64;
        assert!(average(probes) < 9.0, "{} probes", average(probes));
        assert!(average(pages) < 1.2, "{} pages", average(pages));
        assert!(likely >= wanted.len() - 1);
    }
}
