//! The tree that a full-text index has of its own.
//!
//! Nobody reads it: the words are in tables beside (full_text.rs). Native Dolt 2.2.0 makes its entries all the same when an index is
//! defined over rows, with texts as they lie in the rows, but in the order that texts have elsewhere in keys, where their last byte is a
//! terminator. Later changes of rows leave it as it is.

use codec::{Address, CompactSort};
use tree::{AddressFields, Chunker, Encoding, Kind, Tuple, TupleBuilder, tuple};
use vcs::{Index, Table};

use super::Work;
use crate::error::Result;
use crate::write::{EDIT_BYTES_MAX, IndexEditor};

impl Work<'_> {
    /// The root of the tree of an index over the rows of a table.
    pub(super) async fn full_text_entries(&self, name: &str, table: &Table, index: &Index) -> Result<Address> {
        let mut editor = IndexEditor::new(table, index, EDIT_BYTES_MAX)?;
        let mut entries = Vec::new();
        self.each_row(name, table, |row, entry| {
            let key = editor.key_of(&row, entry)?;
            entries.push((terminated(&key, index)?, key));
            Ok(())
        })
        .await?;
        let nodes = table.objects().nodes();
        entries.try_compact_sort_by(|(left, _), (right, _)| index.key.compare(nodes, left, right))?;
        // Equal rows of a table without primary key have one entry.
        entries.dedup();
        let mut chunker = Chunker::new(&**nodes, Kind::Rows, AddressFields::default());
        for (_, key) in &entries {
            chunker.append(key, tuple::EMPTY)?;
        }
        Ok(chunker.finish()?.address)
    }
}

/// A key whose texts end in a terminator in the place of their last byte.
fn terminated(key: &[u8], index: &Index) -> Result<Vec<u8>> {
    let key = Tuple::new(key);
    let mut builder = TupleBuilder::new();
    for (at, field) in index.fields.iter().enumerate() {
        match key.field(at).and_then(<[u8]>::split_last) {
            Some((_, bytes)) if field.encoding == Encoding::String => builder.push(Some(&[bytes, &[0]].concat())),
            _ => builder.push(key.field(at)),
        };
    }
    Ok(builder.finish()?)
}
