//! Table editor: edits of the rows of a table, which all its indexes follow.

use std::rc::Rc;

use codec::{Address, hex};
use tree::{RowWriter, Sides, keyless};
use value::Value;
use vcs::{Schema, Table};

use super::full_text;
use super::index_editor::IndexEditor;
use super::memtable::{Entry, Memtable, MergePoint, Since, Told};
use super::redo;
use super::row::{Row, RowCodec};
use crate::error::{Result, SqlError};
use crate::expr::Context;

/// Bytes of edits of one table, indexes and all, that are kept before they go into the trees. A million small rows come to it in a
/// dozen steps.
pub const EDIT_BYTES_MAX: usize = 8 << 20;

/// Distances between vectors that cost as much as a row of another index.
pub const DISTANCES_LIKE_A_ROW: usize = 32;

/// Rows of an index that are found at once.
const ROWS_AT_ONCE: usize = 128;

/// Edits of a table's rows; all its indexes follow. Rows are complete: defaults, generated columns and types are the
/// business of those that make them.
pub struct TableEditor {
    table: Table,
    schema: Rc<Schema>,
    codec: RowCodec,
    rows: Memtable,
    indexes: Vec<IndexEditor>,
    /// The next value of AUTO_INCREMENT, if it is another one now.
    auto_increment: Option<u64>,
    changes: Changes,
    /// The two at the mark.
    marked: (Option<u64>, Changes),
    /// The two at [`TableEditor::begin_undo_scope`].
    before_scope: Option<(Option<u64>, Changes)>,
}

/// What has happened to the rows.
#[derive(Clone, Copy, Default)]
struct Changes {
    any: bool,
    /// Rows were added or changed, and not just taken away, since the counter was taken.
    puts: bool,
}

/// A row that is there and has the key, or the values of a unique index, that another one shall have.
pub struct Duplicate {
    /// Position in the schema's indexes; `None` is the primary key.
    pub index: Option<usize>,
    pub entry: Entry,
}

impl TableEditor {
    pub fn new(table: Table) -> Result<TableEditor> {
        let schema = table.schema().clone();
        let edit_bytes_max = EDIT_BYTES_MAX / (1 + schema.indexes.len());
        let mut indexes = Vec::new();
        for index in &schema.indexes {
            indexes.push(IndexEditor::new(&table, index, edit_bytes_max)?);
        }
        let codec = RowCodec::new(&schema, table.objects().nodes());
        let rows = Memtable::new(table.rows(), edit_bytes_max);
        Ok(TableEditor {
            table,
            schema,
            codec,
            rows,
            indexes,
            auto_increment: None,
            changes: Changes::default(),
            marked: Default::default(),
            before_scope: None,
        })
    }

    /// What is changed from here on can be taken back, until this is called again.
    pub fn mark(&mut self) {
        self.marked = (self.auto_increment, self.changes);
        self.each_map(Memtable::mark);
    }

    /// Takes back what was changed since [`TableEditor::mark`].
    pub fn undo(&mut self) {
        (self.auto_increment, self.changes) = self.marked;
        self.each_map(Memtable::undo);
    }

    /// Opens an undo scope: see [`Memtable::begin_undo_scope`].
    pub fn begin_undo_scope(&mut self) {
        self.before_scope = Some((self.auto_increment, self.changes));
        self.each_map(Memtable::begin_undo_scope);
    }

    pub fn keep_undo_scope(&mut self) {
        self.before_scope = None;
        self.each_map(Memtable::keep_undo_scope);
    }

    /// Takes back what was changed since [`TableEditor::begin_undo_scope`].
    pub fn undo_scope(&mut self) {
        if let Some(before) = self.before_scope.take() {
            (self.auto_increment, self.changes) = before;
        }
        self.each_map(Memtable::undo_scope);
    }

    fn each_map(&mut self, what: impl Fn(&mut Memtable)) {
        self.maps().for_each(what);
    }

    /// The rows, 0, and the entries of indexes, from 1, as redo records number them.
    fn maps(&mut self) -> impl Iterator<Item = &mut Memtable> {
        std::iter::once(&mut self.rows).chain(self.indexes.iter_mut().map(|index| &mut index.entries))
    }

    pub fn schema(&self) -> &Rc<Schema> {
        &self.schema
    }

    /// Memory that edits take which are not in trees, about.
    pub fn edit_bytes(&self) -> usize {
        self.rows.edit_bytes() + self.indexes.iter().map(|index| index.entries.edit_bytes()).sum::<usize>()
    }

    /// Whether the table has full-text indexes, which are more than edits of it.
    pub fn has_full_text(&self) -> bool {
        full_text::has_index(&self.table)
    }

    /// The table without the edits.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Its address.
    pub fn base(&self) -> Address {
        self.table.address()
    }

    pub fn is_changed(&self) -> bool {
        self.changes.any
    }

    /// Whether the table has neither conflicts nor violations, and no index that is more than edits.
    pub fn is_plain(&self) -> bool {
        self.table.artifacts_address().is_none() && !self.has_full_text()
    }

    /// Whether a row between two bounds of the primary key is another one than in the table without the edits, or may be.
    pub fn touches(&self, bounds: Sides<'_>) -> Result<bool> {
        Ok(!self.is_plain() || self.rows.touches(bounds)?)
    }

    /// The table with the edits for who reads no other rows than those between these bounds of the primary key, which ascend. `None` where
    /// these are many, or not known without trees.
    pub fn excerpt<'a>(&self, ranges: impl IntoIterator<Item = Sides<'a>>) -> Result<Option<Table>> {
        if self.schema.is_keyless() || !self.is_plain() {
            return Ok(None);
        }
        Ok(self.rows.excerpt(ranges)?.map(|rows| self.table.with_overlay(&rows)))
    }

    /// The tuples of a row.
    pub fn encode(&mut self, row: &[Value<'static>]) -> Result<Entry> {
        self.codec.encode(row)
    }

    /// The tuples of a row that is there, as they are stored: its long values are not packed again.
    pub fn stored(&mut self, row: &[Value<'static>]) -> Result<Entry> {
        if !self.schema.is_keyless() {
            let key = self.codec.encode_key(row)?;
            if let Some(entry) = self.rows.get(&key)? {
                return Ok(entry);
            }
        }
        self.codec.encode(row)
    }

    pub fn decode(&self, entry: &Entry) -> Result<Row> {
        self.codec.decode(entry)
    }

    /// The row with this key tuple.
    pub fn get(&self, key: &[u8]) -> Result<Option<Entry>> {
        self.rows.get(key)
    }

    /// A row that stands in the way of `row`. When `row` is what becomes of another one, `before` is that.
    pub fn duplicate(
        &mut self,
        row: &[Value<'static>],
        entry: &Entry,
        before: Option<&Entry>,
    ) -> Result<Option<Duplicate>> {
        if !self.schema.is_keyless() {
            let same_key = match before {
                Some(before) if before.key == entry.key => true,
                Some(before) => self.schema.key.compare(&self.rows.map().nodes, &before.key, &entry.key)?.is_eq(),
                None => false,
            };
            if !same_key && let Some(entry) = self.rows.get(&entry.key)? {
                return Ok(Some(Duplicate { index: None, entry }));
            }
        }
        for position in 0..self.indexes.len() {
            let index = &mut self.indexes[position];
            if !index.index.is_unique {
                continue;
            }
            let key = index.key_of(row, entry)?;
            if index.has_null(&key) {
                continue;
            }
            if let Some(found) = index.duplicate(&key, before.map(|before| &*before.key))? {
                // Rows that a merge left with equal values may be changed elsewhere.
                if let Some(before) = before
                    && index.key_of(&self.codec.decode(before)?, before)? == key
                {
                    continue;
                }
                let entry =
                    self.rows.get(&found)?.ok_or_else(|| SqlError::internal("an index names a row that is gone"))?;
                return Ok(Some(Duplicate { index: Some(position), entry }));
            }
        }
        Ok(None)
    }

    /// The error of MySQL's number 1062.
    pub fn duplicate_error(&self, duplicate: &Duplicate, row: &[Value<'static>]) -> SqlError {
        let kind = if duplicate.index.is_some() { "unique" } else { "primary" };
        let values = self.key_values(duplicate.index, row);
        SqlError::new(1062, format!("duplicate {kind} key given: {values}"))
    }

    /// The values of a unique key, as an error tells them: binary ones as the bytes of their fields.
    fn key_values(&self, index: Option<usize>, row: &[Value<'static>]) -> String {
        let index = index.map(|index| &self.schema.indexes[index]);
        let columns = index.map_or(&self.schema.primary_key, |index| &index.columns);
        let mut texts = Vec::with_capacity(columns.len());
        for (field, at) in columns.iter().enumerate() {
            let prefix_bytes = index.map_or(0, |index| usize::from(index.fields[field].prefix_bytes));
            texts.push(match &row[*at] {
                Value::Null => "NULL".to_owned(),
                Value::Enum(member) => member.index.to_string(),
                Value::Set(members) => members.bits.to_string(),
                Value::Bytes(bytes) => {
                    let shown = &bytes[..if prefix_bytes > 0 { bytes.len().min(prefix_bytes) } else { bytes.len() }];
                    hex::lower(shown) + "00"
                }
                Value::Text(text) if prefix_bytes > 0 => text[..text.floor_char_boundary(prefix_bytes)].to_owned(),
                value => {
                    let text = value::to_text(value, &self.schema.columns[*at].sql_type).unwrap_or_default();
                    String::from_utf8_lossy(&text).into_owned()
                }
            });
        }
        format!("[{}]", texts.join(","))
    }

    /// Adds a row of which [`TableEditor::duplicate`] knows nothing that stands in its way.
    pub fn insert(&mut self, row: &Row, entry: &Entry) -> Result<()> {
        self.changes = Changes { any: true, puts: true };
        if self.schema.is_keyless() {
            return self.copies(row, entry, 1);
        }
        self.rows.put(&entry.key, &entry.value)?;
        self.indexes.iter_mut().try_for_each(|index| index.change((None, Some((row, entry)))))
    }

    /// Takes a row away.
    pub fn delete(&mut self, row: &Row, entry: &Entry) -> Result<()> {
        self.changes.any = true;
        if self.schema.is_keyless() {
            return self.copies(row, entry, -1);
        }
        self.rows.delete(&entry.key)?;
        self.indexes.iter_mut().try_for_each(|index| index.change((Some((row, entry)), None)))
    }

    /// Puts a row in place of another one.
    pub fn update(&mut self, before: (&Row, &Entry), after: (&Row, &Entry)) -> Result<()> {
        if self.schema.is_keyless() {
            self.delete(before.0, before.1)?;
            return self.insert(after.0, after.1);
        }
        self.changes = Changes { any: true, puts: true };
        if before.1.key != after.1.key {
            self.rows.delete(&before.1.key)?;
        }
        self.rows.put(&after.1.key, &after.1.value)?;
        self.indexes.iter_mut().try_for_each(|index| index.change((Some(before), Some(after))))
    }

    /// A row was put as it is: the table takes the counter along all the same.
    pub fn touch_counter(&mut self) {
        if self.schema.columns.iter().any(|column| column.is_auto_increment) {
            self.changes = Changes { any: true, puts: true };
        }
    }

    /// Copies of a row of a table without primary key: the first brings its index entries, the last takes them away.
    fn copies(&mut self, row: &Row, entry: &Entry, times: i64) -> Result<()> {
        let known = self.rows.get(&entry.key)?;
        let before = known.as_ref().map_or(Ok(0), |entry| keyless::cardinality(&entry.value))?;
        let after = before.saturating_add_signed(times);
        match after {
            0 => self.rows.delete(&entry.key)?,
            after => self.rows.put(&entry.key, &keyless::with_cardinality(&entry.value, after)?)?,
        }
        let change = match (before, after) {
            (0, 1..) => (None, Some((row, entry))),
            (1.., 0) => (Some((row, entry)), None),
            _ => return Ok(()),
        };
        self.indexes.iter_mut().try_for_each(|index| index.change(change))
    }

    /// The beginning of a key that has these values in its fields, as `writer` writes it.
    pub fn key_prefix(&self, writer: &mut RowWriter, values: &[Value<'_>]) -> Result<Vec<u8>> {
        Ok(writer.write(values, &mut &*self.rows.map().nodes)?)
    }

    /// The keys of the next rows whose index key, or own key, begins with the first `fields` of `prefix`: some of those behind `after`,
    /// which becomes the index key of the last one.
    pub fn rows_with(
        &self,
        index: Option<usize>,
        prefix: &[u8],
        fields: usize,
        after: &mut Option<Vec<u8>>,
    ) -> Result<Vec<Vec<u8>>> {
        let index = index.map(|index| &self.indexes[index]);
        let entries = index.map_or(&self.rows, |index| &index.entries);
        let mut rows = Vec::new();
        while rows.len() < ROWS_AT_ONCE
            && let Some(entry) = entries.first_with_prefix(prefix, fields, after.as_deref())?
        {
            rows.push(match index {
                Some(index) => index.row_key(&entry.key)?,
                None => entry.key.clone(),
            });
            *after = Some(entry.key);
        }
        Ok(rows)
    }

    /// Whether there is such a row.
    pub fn has_row_with(&self, index: Option<usize>, prefix: &[u8], fields: usize) -> Result<bool> {
        if index.is_none() && fields == self.schema.key.len() {
            return Ok(self.rows.get(prefix)?.is_some());
        }
        let rows = index.map_or(&self.rows, |index| &self.indexes[index].entries);
        Ok(rows.first_with_prefix(prefix, fields, None)?.is_some())
    }

    /// The value that AUTO_INCREMENT gives next.
    pub fn auto_increment(&self) -> u64 {
        self.auto_increment.unwrap_or_else(|| self.table.auto_increment())
    }

    /// Whether the table takes the database's counter along: rows were put into it since it did so last.
    pub fn takes_counter(&self) -> bool {
        self.changes.puts && self.schema.columns.iter().any(|column| column.is_auto_increment)
    }

    pub fn take_counter(&mut self, next: u64) {
        self.auto_increment = Some(next);
        self.changes.puts = false;
    }

    /// See [`Memtable::flush_behind`].
    pub fn flush_behind(&mut self) -> Result<()> {
        self.maps().try_for_each(Memtable::flush_behind)
    }

    /// Writes down what was changed since then, for [`TableEditor::redo`]. False when that is not known any more.
    pub fn write_redo(&self, since: Since, to: &mut redo::TableWriter<'_>) -> bool {
        let maps = std::iter::once(&self.rows).chain(self.indexes.iter().map(|index| &index.entries));
        let is_known = (0..).zip(maps).all(|(number, map)| {
            map.each_since(since, |told| match told {
                Told::Tree(root) => to.tree(number, root.bytes()),
                Told::Edit(edit) => to.edit(number, edit),
            })
        });
        let before = match since {
            Since::Mark => self.marked.0,
            Since::UndoScope => self.before_scope.and_then(|(next, _)| next),
        };
        if let Some(next) = self.auto_increment.filter(|next| before != Some(*next)) {
            to.counter(next);
        }
        is_known
    }

    /// Changes again what was written down.
    ///
    /// # Errors
    /// 1105 for an index that the table does not have.
    pub fn redo(&mut self, change: redo::Change<'_>) -> Result<()> {
        self.changes.any = true;
        match change {
            redo::Change::Counter(next) => self.auto_increment = Some(next),
            redo::Change::Tree { map, root } => self.map(map)?.replace(root)?,
            redo::Change::Edit { map, key, value } => match value {
                Some(value) => self.map(map)?.put(key, value)?,
                None => self.map(map)?.delete(key)?,
            },
        }
        Ok(())
    }

    fn map(&mut self, number: u64) -> Result<&mut Memtable> {
        let position = usize::try_from(number).unwrap_or(usize::MAX);
        self.maps().nth(position).ok_or_else(redo::damaged)
    }

    /// Goes on with what [`TableEditor::finish`] would else do in one go, which may take long: edits that wait beside trees go into them,
    /// vector indexes are made anew. `false` when the fuel is used up. To be called after the last edit, until it is done.
    pub fn finish_step(&mut self, context: &Context) -> Result<bool> {
        if !self.merge(MergePoint::End, context)? {
            return Ok(false);
        }
        for index in self.indexes.iter_mut().filter(|index| index.index.vector.is_some()) {
            while !index.entries.rebuild_step(DISTANCES_LIKE_A_ROW)? {
                context.spend(1);
                if context.is_out_of_fuel() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Does all that [`TableEditor::merge_step`] would; `false` when the fuel is used up.
    pub fn merge(&mut self, at: MergePoint, context: &Context) -> Result<bool> {
        loop {
            let merged = self.merge_step(at)?;
            if merged == 0 {
                return Ok(true);
            }
            context.spend(merged);
            if context.is_out_of_fuel() {
                return Ok(false);
            }
        }
    }

    /// See [`Memtable::merge_step`].
    pub fn merge_step(&mut self, at: MergePoint) -> Result<usize> {
        for map in self.maps() {
            let merged = map.merge_step(at)?;
            if merged > 0 {
                return Ok(merged);
            }
        }
        Ok(0)
    }

    /// The table with all edits; `None` when nothing was changed.
    pub fn finish(&mut self) -> Result<Option<Table>> {
        let counter = self.auto_increment.filter(|next| *next != self.table.auto_increment());
        if !self.changes.any && counter.is_none() {
            return Ok(None);
        }
        let mut draft = self.table.draft();
        if let Some(next) = counter {
            draft.auto_increment = Some(next);
        }
        draft.rows = self.rows.finish()?.root.clone();
        for index in &mut self.indexes {
            let before = index.entries.base().root.clone();
            let entries = index.entries.finish()?;
            if !entries.root.is_same(&before) {
                draft.set_index(&index.index.name, entries.put_root()?);
            }
        }
        Ok(Some(draft.write()?))
    }
}
