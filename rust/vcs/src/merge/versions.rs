//! The three versions of a table in a merge.

use crate::merge::schema::Schemas;
use crate::table::Table;

/// Three versions of a table.
pub(crate) struct TableVersions<'a> {
    pub base: &'a Table,
    pub ours: &'a Table,
    pub theirs: &'a Table,
}

impl TableVersions<'_> {
    pub(crate) fn schemas(&self) -> Schemas<'_> {
        Schemas { base: self.base.schema(), ours: self.ours.schema(), theirs: self.theirs.schema() }
    }
}
