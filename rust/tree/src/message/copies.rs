//! Owned copies of messages.

use crate::TreeError;
use crate::message::flat::Table;

/// What one table costs at least; no writer makes a smaller one with fields in it.
const TABLE_BYTES_MIN: usize = 16;

/// Copies texts and lists out of one message, never more bytes than the message has.
///
/// Writers store every text once. A crafted message could let thousands of fields refer to one long text and blow up the
/// memory of the copying code.
pub struct Copies {
    left_bytes: usize,
}

impl Copies {
    pub fn of(message: &[u8]) -> Copies {
        Copies { left_bytes: message.len() }
    }

    fn charge(&mut self, table: &Table<'_>, bytes: usize) -> Result<(), TreeError> {
        match self.left_bytes.checked_sub(bytes) {
            Some(left) => {
                self.left_bytes = left;
                Ok(())
            }
            None => Err(table.wrong("fields overlap")),
        }
    }

    /// Accounts for a table of a vector.
    pub fn table(&mut self, table: &Table<'_>) -> Result<(), TreeError> {
        self.charge(table, TABLE_BYTES_MIN)
    }

    /// The text of a slot; empty when it is absent.
    pub fn text(&mut self, table: &Table<'_>, slot: u16) -> Result<Box<str>, TreeError> {
        let text = table.string_or_empty(slot)?;
        self.charge(table, text.len())?;
        Ok(text.into())
    }

    /// Text that people typed and nothing depends on: what is not UTF-8 becomes U+FFFD, so that the rest stays readable.
    pub fn prose(&mut self, table: &Table<'_>, slot: u16) -> Result<Option<Box<str>>, TreeError> {
        let Some(bytes) = table.bytes(slot)? else { return Ok(None) };
        self.charge(table, bytes.len())?;
        Ok(Some(String::from_utf8_lossy(bytes).into()))
    }

    /// The texts of a string vector; none when it is absent.
    pub fn texts(&mut self, table: &Table<'_>, slot: u16) -> Result<Vec<Box<str>>, TreeError> {
        let texts = table.strings(slot)?;
        self.charge(table, texts.iter().map(|text| text.len() + 4).sum())?;
        Ok(texts.into_iter().map(Box::from).collect())
    }

    /// The numbers of a vector; none when it is absent.
    pub fn u16s(&mut self, table: &Table<'_>, slot: u16) -> Result<Vec<u16>, TreeError> {
        let numbers = table.u16s(slot)?;
        self.charge(table, numbers.len() * 2)?;
        Ok(numbers.collect())
    }

    /// The numbers of a vector; none when it is absent.
    pub fn u64s(&mut self, table: &Table<'_>, slot: u16) -> Result<Vec<u64>, TreeError> {
        let numbers = table.u64s(slot)?;
        self.charge(table, numbers.len() * 8)?;
        Ok(numbers.collect())
    }
}
