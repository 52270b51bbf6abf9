//! Named locks of GET_LOCK.

use hashbrown::HashMap;

/// Locks by their names, in which no letters are alike. Released locks stay, to tell them from locks that never existed.
#[derive(Default)]
pub struct Locks(HashMap<Box<str>, Lock>);

#[derive(Default)]
struct Lock {
    /// The connection that holds it, or was the last to hold it.
    connection: u64,
    /// How often it has taken it and not released it.
    count: u32,
}

impl Locks {
    /// The connection that holds a lock.
    pub fn holder(&self, name: &str) -> Option<u64> {
        self.0.get(name).filter(|lock| lock.count > 0).map(|lock| lock.connection)
    }

    /// Takes a lock, once more where the connection has it; whether it could be had.
    pub fn take(&mut self, name: Box<str>, connection: u64) -> bool {
        let lock = self.0.entry(name).or_default();
        let is_taken = lock.count > 0 && lock.connection != connection;
        if !is_taken {
            *lock = Lock { connection, count: lock.count + 1 };
        }
        !is_taken
    }

    /// Whether the connection held the lock, which it holds once less now; `None` for one that was never taken.
    pub fn release(&mut self, name: &str, connection: u64) -> Option<bool> {
        let lock = self.0.get_mut(name)?;
        let is_held = lock.count > 0 && lock.connection == connection;
        lock.count -= u32::from(is_held);
        Some(is_held)
    }

    /// Those that a connection holds, and how often.
    pub(crate) fn held_by(&self, connection: u64) -> impl Iterator<Item = (&Box<str>, u32)> {
        let held = self.0.iter().filter(move |(_, lock)| lock.count > 0 && lock.connection == connection);
        held.map(|(name, lock)| (name, lock.count))
    }

    /// Releases all that a connection holds; tells how many they were.
    pub fn release_all(&mut self, connection: u64) -> usize {
        let held = self.0.values_mut().filter(|lock| lock.count > 0 && lock.connection == connection);
        held.map(|lock| lock.count = 0).count()
    }
}
