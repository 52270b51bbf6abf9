//! Compact stable sort for small or rare inputs. The standard library's sort is compiled for each type and order, about six kilobytes
//! each; of this one only the comparison is.

use core::cmp::Ordering;

/// Sorts numbers with what they belong to, many of them: one copy, compiled for speed.
pub fn sort_numbered(numbers: &mut [(u64, u32)]) {
    numbers.sort_unstable();
}

/// Stable sorting by one routine for all types. Loops that sort rows use the standard library's.
pub trait CompactSort<T> {
    fn compact_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by an order that cannot always be told.
    ///
    /// # Errors
    /// The last one of `compare`; the items are in some order then.
    fn try_compact_sort_by<E>(&mut self, mut compare: impl FnMut(&T, &T) -> Result<Ordering, E>) -> Result<(), E> {
        let mut outcome = Ok(());
        self.compact_sort_by(|one, two| {
            compare(one, two).unwrap_or_else(|error| {
                outcome = Err(error);
                Ordering::Equal
            })
        });
        outcome
    }

    fn compact_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.compact_sort_by(|one, two| key(one).cmp(&key(two)));
    }

    fn compact_sort(&mut self)
    where
        T: Ord,
    {
        self.compact_sort_by(T::cmp);
    }
}

impl<T> CompactSort<T> for [T] {
    fn compact_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let items = &*self;
        let order = order(items.len(), &mut |one, two| match (items.get(one), items.get(two)) {
            (Some(one), Some(two)) => compare(one, two).is_gt(),
            _ => false,
        });
        swaps(order).into_iter().for_each(|(one, two)| self.swap(one, two));
    }
}

/// The positions of `len` items in their order; `is_after` says of two positions whether the first belongs behind the second.
/// Merges runs, which double in length. Empty for items that are in order.
fn order(len: usize, is_after: &mut dyn FnMut(usize, usize) -> bool) -> Vec<usize> {
    if !(1..len).any(|next| is_after(next - 1, next)) {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..len).collect();
    let mut merged = Vec::with_capacity(len);
    let mut run = 1;
    while run < len {
        for pair in order.chunks(2 * run) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let (Some((one, ones)), Some((two, twos))) = (left.split_first(), right.split_first()) {
                if is_after(*one, *two) {
                    merged.push(*two);
                    right = twos;
                } else {
                    merged.push(*one);
                    left = ones;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        core::mem::swap(&mut order, &mut merged);
        merged.clear();
        run *= 2;
    }
    order
}

/// The exchanges that bring items to `order`, cycle by cycle.
fn swaps(mut order: Vec<usize>) -> Vec<(usize, usize)> {
    let mut swaps = Vec::with_capacity(order.len());
    for start in 0..order.len() {
        let mut at = start;
        while let Some(from) = order.get_mut(at) {
            let next = core::mem::replace(from, at);
            if next == start {
                break;
            }
            swaps.push((at, next));
            at = next;
        }
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers below `limit`, the same in every run.
    fn numbers(len: usize, limit: u64) -> Vec<(u64, usize)> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ len as u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % limit
        };
        (0..len).map(|at| (next(), at)).collect()
    }

    #[test]
    fn sorts_as_the_standard_library_does() {
        for len in (0..70).chain([255, 256, 257, 1000]) {
            for limit in [1, 3, 20, u64::MAX] {
                let mut sorted = numbers(len, limit);
                let mut ours = sorted.clone();
                sorted.sort_by_key(|(number, _)| *number);
                ours.compact_sort_by_key(|(number, _)| *number);
                assert_eq!(ours, sorted, "{len} numbers below {limit}");
                ours.compact_sort_by(|one, two| two.cmp(one));
                sorted.sort_by(|one, two| two.cmp(one));
                assert_eq!(ours, sorted);
                ours.compact_sort();
                assert!(ours.is_sorted());
            }
        }
    }

    #[test]
    fn an_order_that_cannot_be_told_is_an_error() {
        let mut items = vec!["2", "one", "3", "1"];
        let order = |one: &&str, two: &&str| Ok(one.parse::<u8>()?.cmp(&two.parse()?));
        assert!(items.try_compact_sort_by(order).is_err());
        items.retain(|item| *item != "one");
        assert_eq!(items.try_compact_sort_by(order), Ok::<(), core::num::ParseIntError>(()));
        assert_eq!(items, ["1", "2", "3"]);
    }

    #[test]
    fn an_order_that_contradicts_itself_loses_nothing() {
        let mut items: Vec<u32> = (0..100).collect();
        let mut answers = numbers(10_000, 2).into_iter().cycle();
        items.compact_sort_by(|_, _| if answers.next().unwrap().0 == 0 { Ordering::Less } else { Ordering::Greater });
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
