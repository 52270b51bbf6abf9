//! Lost state: how a store says that the state it opened may not be the newest one (docs/format/store.md, section 6.8).

use core::fmt;
use std::rc::Rc;

use codec::Address;

/// Why bytes after the last valid record of a journal do not count, and what is known of the state that they held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    pub kind: LossKind,
    /// The journal.
    pub file: Rc<str>,
    /// Offset of the first dropped byte: the end of the last valid record.
    pub at_bytes: u64,
    pub dropped_bytes: u64,
    /// Valid records among the dropped bytes.
    pub valid_records: u64,
    /// The newest root that the manifest or a dropped record names; [`Address::EMPTY`] when none does.
    pub expected: Address,
    /// The root that was opened in its place.
    pub opened: Address,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LossKind {
    /// A crash interrupted a write that was not acknowledged. Every crash may leave one.
    TornTail,
    /// The next record has the wrong bytes: a crash wrote its sectors out of order, or an acknowledged commit was damaged later.
    DamagedRecord,
    /// The manifest names a root that the journal does not record: an acknowledged commit is lost.
    MissingRoot,
}

impl LossKind {
    /// Whether an acknowledged commit may be lost.
    pub fn is_alarm(self) -> bool {
        self != LossKind::TornTail
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Loss { kind, file, at_bytes, dropped_bytes, valid_records, expected, opened } = self;
        match kind {
            LossKind::TornTail => {
                return write!(f, "{file}: dropped an interrupted write of {dropped_bytes} bytes at byte {at_bytes}");
            }
            LossKind::DamagedRecord => {
                write!(
                    f,
                    "{file}: the record at byte {at_bytes} is damaged, so the commit that it belongs to is lost: "
                )?;
            }
            LossKind::MissingRoot => {
                write!(
                    f,
                    "{file}: the newest commit is lost: the manifest names root {expected}, which is not recorded up to byte {at_bytes}: "
                )?;
            }
        }
        write!(f, "opened the older root {opened}, dropped {dropped_bytes} bytes")?;
        if *valid_records > 0 {
            write!(f, " with {valid_records} valid records")?;
            if *kind == LossKind::DamagedRecord && !expected.is_empty() {
                write!(f, ", the last of them root {expected}")?;
            }
        }
        Ok(())
    }
}
