//! Gathered INSERTs: those of a script that are committed together.

use super::Transaction;
use super::state::{Event, Gather, Gathered, State};
use crate::error::Result;

impl Transaction {
    /// The statement that comes next, an INSERT of so much text into a table, may be committed with others of its kind; those of
    /// before are committed when it would become more than `bytes_max`. Where a transaction is open, and where the table has triggers
    /// that may write to other databases or branches, the statement is one by itself.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub(crate) fn gather(
        &self,
        (bytes, bytes_max): (usize, usize),
        table: &str,
        may_write_elsewhere: impl Fn() -> Result<bool>,
    ) -> Result<()> {
        let gather = self.state.borrow().gather(bytes, bytes_max);
        match gather {
            Gather::Alone => return Ok(()),
            Gather::Join => {}
            Gather::Anew => {
                self.commit_gathered()?;
                if !self.begin_gathering()? {
                    return Ok(());
                }
            }
        }
        let is_known = |gathered: &mut Gathered| gathered.tables.iter().any(|known| known.eq_ignore_ascii_case(table));
        if !self.gathered(is_known) {
            // The statement reports an error, in a transaction of its own.
            if may_write_elsewhere().unwrap_or(true) {
                return self.commit_gathered();
            }
            self.gathered(|gathered| gathered.tables.push(table.into()));
        }
        self.gathered(|gathered| gathered.text_bytes += bytes);
        Ok(())
    }

    fn gathered<T: Default>(&self, what: impl FnOnce(&mut Gathered) -> T) -> T {
        match &mut *self.state.borrow_mut() {
            State::Gathering(gathered) => what(gathered),
            _ => T::default(),
        }
    }

    /// Begins a transaction for the INSERTs that come; false where each is committed by itself.
    fn begin_gathering(&self) -> Result<bool> {
        self.engine.flush_group()?;
        // One that was parked is open again.
        if self.state.borrow().is_in_transaction() {
            return Ok(false);
        }
        let catalog = self.catalog()?;
        let variables = catalog.state.variables.borrow();
        if !variables.is_autocommit() || variables.integer("dolt_transaction_commit") != 0 {
            return Ok(false);
        }
        // What the statement before has consumed concerns the next one, as if there were nothing around it.
        let consumed = self.consumed_ids.take();
        self.begin_many(Event::GatheringBegan)?;
        self.consumed_ids.replace(consumed);
        Ok(true)
    }

    /// Commits the gathered INSERTs, if there are any.
    ///
    /// # Errors
    /// As [`Transaction::commit`].
    pub(crate) fn commit_gathered(&self) -> Result<()> {
        let is_gathering = matches!(*self.state.borrow(), State::Gathering(_));
        if is_gathering { self.commit() } else { Ok(()) }
    }
}
