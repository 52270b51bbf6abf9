//! Entries of a full-text index.
//!
//! It is never read: the words are in other tables (full_text.rs). Native Dolt 2.2.0 makes its entries all the same when an index is
//! defined over rows and when rows are merged; other changes of rows leave it as it is.

use codec::{Address, CompactSort};
use tree::{AddressFields, Chunker, Kind, tuple};
use vcs::{Index, Table};

use super::work::Work;
use crate::error::Result;
use crate::write::{EDIT_BYTES_MAX, IndexEditor};

impl Work<'_> {
    /// The root of the tree of an index over the rows of a table.
    pub(super) async fn full_text_entries(&self, name: &str, table: &Table, index: &Index) -> Result<Address> {
        let mut editor = IndexEditor::new(table, index, EDIT_BYTES_MAX)?;
        let mut entries = Vec::new();
        self.each_row(name, table, |row, entry| {
            entries.push(editor.key_of(&row, entry)?);
            Ok(1)
        })
        .await?;
        let nodes = table.objects().nodes();
        entries.try_compact_sort_by(|left, right| index.key.compare(nodes, left, right))?;
        // Equal rows of a table without primary key have one entry.
        entries.dedup();
        let mut chunker = Chunker::new(&**nodes, Kind::Rows, AddressFields::default());
        for key in &entries {
            chunker.append(key, tuple::EMPTY)?;
        }
        Ok(chunker.finish()?.address)
    }
}
