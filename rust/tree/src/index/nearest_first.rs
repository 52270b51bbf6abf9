//! Nearest-neighbour candidates, in the order in which Dolt returns those at equal distance.

/// A min-max heap (Atkinson and others, 1986) of a limited number of candidates. Even levels have their nearest on top, odd ones
/// their farthest.
pub(crate) struct NearestFirst<T> {
    heap: Vec<(f64, T)>,
    limit: usize,
}

impl<T> NearestFirst<T> {
    pub(crate) fn new(limit: usize) -> NearestFirst<T> {
        NearestFirst { heap: Vec::new(), limit }
    }

    /// Adds a candidate; the farthest goes when there are too many.
    pub(crate) fn push(&mut self, distance: f64, candidate: T) {
        self.heap.push((distance, candidate));
        self.rise(self.heap.len() - 1);
        if self.heap.len() > self.limit {
            let last = self.heap.len() - 1;
            let farthest =
                (1..self.heap.len().min(3)).fold(0, |known, i| if self.is_less(i, known) { known } else { i });
            self.heap.swap(farthest, last);
            self.sink(farthest, last);
            self.heap.pop();
        }
    }

    /// The candidates in the order of the heap.
    pub(crate) fn items(&self) -> impl Iterator<Item = &T> {
        self.heap.iter().map(|(_, candidate)| candidate)
    }

    /// The nearest first.
    pub(crate) fn into_sorted(mut self) -> Vec<T> {
        for last in (1..self.heap.len()).rev() {
            self.heap.swap(0, last);
            self.sink(0, last);
        }
        self.heap.into_iter().rev().map(|(_, candidate)| candidate).collect()
    }

    fn is_less(&self, one: usize, other: usize) -> bool {
        self.heap[one].0 < self.heap[other].0
    }

    /// Moves a new last candidate to its place.
    fn rise(&mut self, mut at: usize) {
        if at == 0 {
            return;
        }
        let mut is_even = is_even_level(at);
        let parent = (at - 1) / 2;
        if self.is_less(parent, at) == is_even {
            self.heap.swap(at, parent);
            (at, is_even) = (parent, !is_even);
        }
        while at > 2 {
            let grandparent = (at - 3) / 4;
            if self.is_less(at, grandparent) != is_even {
                return;
            }
            self.heap.swap(at, grandparent);
            at = grandparent;
        }
    }

    /// Moves a candidate down to its place among the first `len`.
    fn sink(&mut self, mut at: usize, len: usize) {
        let is_even = is_even_level(at);
        loop {
            let children = 2 * at + 1..2 * at + 3;
            let below = children.clone().chain(4 * at + 3..4 * at + 7).filter(|below| *below < len);
            let best = below.fold(at, |best, below| if self.is_less(below, best) == is_even { below } else { best });
            if best == at {
                return;
            }
            self.heap.swap(at, best);
            if children.contains(&best) {
                return;
            }
            let parent = (best - 1) / 2;
            if self.is_less(parent, best) == is_even {
                self.heap.swap(best, parent);
            }
            at = best;
        }
    }
}

fn is_even_level(at: usize) -> bool {
    (at + 1).ilog2().is_multiple_of(2)
}
