//! Cache of recently decoded objects, by address.

use core::cell::RefCell;

use codec::Address;
use hashbrown::HashMap;

/// A bounded cache of decoded objects. Objects are immutable, so no entry can be out of date.
pub(crate) struct Recent<T> {
    known: RefCell<HashMap<Address, T>>,
    count_max: usize,
}

impl<T: Clone> Recent<T> {
    pub(crate) fn new(count_max: usize) -> Recent<T> {
        Recent { known: RefCell::default(), count_max }
    }

    /// The object at `address`, decoded by `read` if it is not known. Forgets everything when full: walks through history
    /// come back soon or never.
    pub(crate) fn get<E>(&self, address: &Address, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        if let Some(object) = self.known.borrow().get(address) {
            return Ok(object.clone());
        }
        let object = read()?;
        self.insert(address, object.clone());
        Ok(object)
    }

    /// The object at `address` if it is known.
    pub(crate) fn known(&self, address: &Address) -> Option<T> {
        self.known.borrow().get(address).cloned()
    }

    /// Takes in an object that was just written.
    pub(crate) fn insert(&self, address: &Address, object: T) {
        let mut known = self.known.borrow_mut();
        if known.len() >= self.count_max {
            known.clear();
        }
        known.insert(*address, object);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_once_and_stays_bounded() {
        let recent = Recent::new(2);
        let [a, b, c] = [b"a", b"b", b"c"].map(|bytes| Address::of(bytes));
        let mut reads = 0;
        for address in [&a, &a, &b, &a, &c, &c] {
            recent
                .get(address, || {
                    reads += 1;
                    Ok::<_, ()>(reads)
                })
                .unwrap();
        }
        assert_eq!(reads, 3);
        assert!(recent.known.borrow().len() <= 2);
        assert_eq!(recent.get(&Address::of(b"d"), || Err::<i32, _>("absent")), Err("absent"));
    }
}
