//! Full-text index tables, which follow the rows of their table (docs/format/database.md, section 8.5).
//!
//! Where a word stands in a row, how often it is there, how many rows have it, and what each row looks like. Searches do not
//! read them; native Dolt does.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sha2::{Digest, Sha256};
use tree::{Change, Diff, Map};
use value::{Collation, SqlType, Value};
use vcs::{Fulltext, RootValue, Schema, Table};

use super::memtable::{Entry, MergePoint};
use super::row::{Row, RowCodec};
use super::table_editor::TableEditor;
use crate::error::{Result, SqlError};
use crate::state::WRITE_WORK;

/// Shorter and longer words, in bytes, are left out; longer ones still count as words of their row.
const WORD_BYTES_MIN: usize = 3;
const WORD_BYTES_MAX: usize = 84;
/// Seconds from the first day of year 1 to 1970.
const SECONDS_BEFORE_1970: i64 = 62_135_596_800;

/// Whether a table has full-text indexes.
pub fn has_index(table: &Table) -> bool {
    table.schema().indexes.iter().any(|index| index.fulltext.is_some())
}

/// Reports work in steps of the work meter; an error ends it.
pub type Working<'a> = dyn Fn(usize) -> Result<()> + 'a;

/// The same for what can stop in the middle: whether to stop here and continue later.
pub type Pausing<'a> = dyn Fn(usize) -> Result<bool> + 'a;

/// The root after a table of it has changed: `before` is what it was, `None` for a table whose words are in no index yet.
pub fn follow(root: RootValue, before: Option<&Table>, after: &Table, work: &Working<'_>) -> Result<RootValue> {
    let mut following = Following::new(before, after)?;
    while !following.step(&root, &|steps| work(steps).map(|()| false))? {}
    following.over(root)
}

/// Incremental update of the full-text indexes of a changed table: the words of its changed rows go into the tables of each index.
pub struct Following {
    from: Map,
    table: Table,
    /// The position of the index that is being updated.
    index: usize,
    current: Option<(Words, Diff)>,
    /// Updated tables by their names.
    done: Vec<(Box<str>, Table)>,
}

impl Following {
    /// `before` is as for [`follow`].
    pub fn new(before: Option<&Table>, after: &Table) -> Result<Following> {
        let from = match before {
            Some(before) => before.rows(),
            None => vcs::TableDraft::new(after.objects(), after.schema().clone())?.write()?.rows(),
        };
        Ok(Following { from, table: after.clone(), index: 0, current: None, done: Vec::new() })
    }

    /// Goes on until `pauses` stops it: `false` then. `root` has the tables of the indexes as they were before.
    pub fn step(&mut self, root: &RootValue, pauses: &Pausing<'_>) -> Result<bool> {
        let schema = self.table.schema().clone();
        let codec = RowCodec::new(&schema, self.table.objects().nodes());
        while self.index < schema.indexes.len() {
            if self.current.is_none() && schema.indexes[self.index].fulltext.is_some() {
                let diff = Diff::new(&self.from, &self.table.rows())?;
                self.current = Some((Words::open(root, &schema, self.index)?, diff));
            }
            if let Some((words, diff)) = &mut self.current {
                while let Some(change) = diff.next_change()? {
                    let steps = words.change(&codec, &change)?;
                    if pauses(steps)? {
                        return Ok(false);
                    }
                }
                while let merged @ 1.. = words.merge_step(MergePoint::End)? {
                    if pauses(merged.saturating_mul(WRITE_WORK))? {
                        return Ok(false);
                    }
                }
                self.done.extend(words.finish()?);
                self.current = None;
            }
            self.index += 1;
        }
        Ok(true)
    }

    /// A root with the updated tables.
    pub fn over(self, root: RootValue) -> Result<RootValue> {
        let mut root = root;
        for (name, table) in &self.done {
            root = root.with_table(name, table)?;
        }
        Ok(root)
    }
}

/// The full-text indexes of the root that a merge made of `ours`: the words of every table whose rows were merged are counted anew, for how
/// a word is spelled depends on the row that came first. Tables of indexes that went away go, too.
pub struct AfterMerge {
    root: RootValue,
    /// Tables to come.
    tables: Vec<Table>,
    current: Option<Following>,
    has_changes: bool,
}

impl AfterMerge {
    /// As in native Dolt, whose commits these have to equal, `base` exempts the tables that only theirs changed.
    pub fn new(merged: RootValue, ours: &RootValue, base: Option<&RootValue>) -> Result<AfterMerge> {
        let (mut root, mut tables) = (merged, Vec::new());
        let changed = vcs::changed_tables(ours, &root)?;
        for name in &changed {
            let before = ours.table_address(name)?;
            if base.map(|base| base.table_address(name)).transpose()?.is_some_and(|base| base == before) {
                continue;
            }
            let Some(table) = root.table(name)?.filter(has_index) else { continue };
            root = without_words(root, &table)?;
            tables.push(table);
        }
        Ok(AfterMerge { root, tables, current: None, has_changes: !changed.is_empty() })
    }

    /// See [`Following::step`].
    pub fn step(&mut self, pauses: &Pausing<'_>) -> Result<bool> {
        loop {
            if let Some(following) = &mut self.current
                && !following.step(&self.root, pauses)?
            {
                return Ok(false);
            }
            if let Some(following) = self.current.take() {
                self.root = following.over(self.root.clone())?;
            }
            let Some(table) = self.tables.pop() else { return Ok(true) };
            self.current = Some(Following::new(None, &table)?);
        }
    }

    /// The root after the last step.
    pub fn finish(self) -> Result<RootValue> {
        if self.has_changes { without_unused(self.root) } else { Ok(self.root) }
    }

    /// The root after all steps in one call.
    pub fn at_once(mut self) -> Result<RootValue> {
        while !self.step(&|_| Ok(false))? {}
        self.finish()
    }
}

/// The root with the tables of a table's full-text indexes empty.
pub fn without_words(root: RootValue, table: &Table) -> Result<RootValue> {
    let mut root = root;
    for fulltext in table.schema().indexes.iter().filter_map(|index| index.fulltext.as_ref()) {
        for name in tables_of_rows(fulltext) {
            let old = root.table(name)?.ok_or_else(|| SqlError::table_not_found(name))?;
            let empty = vcs::TableDraft::new(root.objects(), old.schema().clone())?.write()?;
            root = root.with_table(name, &empty)?;
        }
    }
    Ok(root)
}

fn tables_of_rows(fulltext: &Fulltext) -> [&str; 4] {
    [&fulltext.position_table, &fulltext.doc_count_table, &fulltext.global_count_table, &fulltext.row_count_table]
}

fn without_unused(root: RootValue) -> Result<RootValue> {
    let names: Vec<Box<str>> = root.tables().map(|entry| Ok(entry?.0)).collect::<Result<_>>()?;
    let (full_text, others): (Vec<_>, Vec<_>) = names.iter().partition(|name| vcs::is_full_text_table(name));
    if full_text.is_empty() {
        return Ok(root);
    }
    let mut used = BTreeSet::new();
    for name in others {
        let Some(table) = root.table(name)? else { continue };
        for fulltext in table.schema().indexes.iter().filter_map(|index| index.fulltext.as_ref()) {
            used.insert(fulltext.config_table.to_string());
            used.extend(tables_of_rows(fulltext).map(str::to_owned));
        }
    }
    let mut root = root;
    for name in full_text.iter().filter(|name| !used.contains(&****name)) {
        root = root.without_table(name)?;
    }
    Ok(root)
}

/// The tables of one index.
pub struct Words {
    schema: Rc<Schema>,
    /// The index's position in the schema.
    index: usize,
    fulltext: Fulltext,
    collation: Collation,
    position: TableEditor,
    doc_count: TableEditor,
    global_count: TableEditor,
    row_count: TableEditor,
}

impl Words {
    /// `index` is the position of a full-text index in the schema of its table.
    pub fn open(root: &RootValue, schema: &Rc<Schema>, index: usize) -> Result<Words> {
        let editor = |name: &str| -> Result<TableEditor> {
            let table = root.table(name)?.ok_or_else(|| SqlError::table_not_found(name))?;
            TableEditor::new(table)
        };
        let defined = &schema.indexes[index];
        let not_full_text = || SqlError::internal("an index without words");
        let fulltext = defined.fulltext.clone().ok_or_else(not_full_text)?;
        let first = defined.columns.first().and_then(|column| schema.columns.get(*column));
        let collation = first.and_then(|column| column.sql_type.collation()).unwrap_or(Collation::UTF8MB4_0900_BIN);
        Ok(Words {
            schema: schema.clone(),
            index,
            collation,
            position: editor(&fulltext.position_table)?,
            doc_count: editor(&fulltext.doc_count_table)?,
            global_count: editor(&fulltext.global_count_table)?,
            row_count: editor(&fulltext.row_count_table)?,
            fulltext,
        })
    }

    fn columns(&self) -> &[usize] {
        &self.schema.indexes[self.index].columns
    }

    /// Bytes of text that a row has in the columns of the index.
    pub fn text_bytes(&self, row: &Row) -> usize {
        let bytes = |column: &usize| if let Value::Text(text) = &row[*column] { text.len() } else { 0 };
        self.columns().iter().map(bytes).sum()
    }

    /// Follows a change of a row; what that costs in steps of the work meter.
    fn change(&mut self, codec: &RowCodec, change: &Change) -> Result<usize> {
        let is_keyless = self.schema.is_keyless();
        let side = |item: &Option<tree::Item>| -> Result<Option<(Row, u64)>> {
            let Some(item) = item else { return Ok(None) };
            let entry = Entry { key: item.key().to_vec(), value: item.value().to_vec() };
            let times = if is_keyless { vcs::cardinality(&entry.value)? } else { 1 };
            Ok(Some((codec.decode(&entry)?, times)))
        };
        let (old, new) = (side(&change.from)?, side(&change.to)?);
        let (old_times, new_times) =
            (old.as_ref().map_or(0, |(_, times)| *times), new.as_ref().map_or(0, |(_, times)| *times));
        if !is_keyless || new.is_none() {
            if let Some((row, _)) = &old {
                (0..old_times).try_for_each(|_| self.remove(row))?;
            }
            if let Some((row, _)) = &new {
                (0..new_times).try_for_each(|_| self.add(row))?;
            }
        } else if let Some((row, _)) = &new {
            // Equal rows that have become more or fewer.
            (old_times..new_times).try_for_each(|_| self.add(row))?;
            (new_times..old_times).try_for_each(|_| self.remove(row))?;
        }
        let merged = self.merge_step(MergePoint::Between)?;
        let cost = |row: &Option<(Row, u64)>| {
            row.as_ref().map_or(0, |(row, _)| WRITE_WORK + WRITE_WORK / 2 * self.text_bytes(row))
        };
        Ok(cost(&old) + cost(&new) + merged.saturating_mul(WRITE_WORK))
    }

    /// See [`TableEditor::merge_step`].
    pub fn merge_step(&mut self, at: MergePoint) -> Result<usize> {
        for (_, editor) in self.editors() {
            let merged = editor.merge_step(at)?;
            if merged > 0 {
                return Ok(merged);
            }
        }
        Ok(0)
    }

    fn editors(&mut self) -> [(&str, &mut TableEditor); 4] {
        [
            (&*self.fulltext.position_table, &mut self.position),
            (&*self.fulltext.doc_count_table, &mut self.doc_count),
            (&*self.fulltext.global_count_table, &mut self.global_count),
            (&*self.fulltext.row_count_table, &mut self.row_count),
        ]
    }

    /// The tables that have changed, by their names.
    pub fn finish(&mut self) -> Result<Vec<(Box<str>, Table)>> {
        let mut changed = Vec::new();
        for (name, editor) in self.editors() {
            changed.extend(editor.finish()?.map(|table| (name.into(), table)));
        }
        Ok(changed)
    }

    pub fn add(&mut self, row: &Row) -> Result<()> {
        let hash = self.hash(row);
        let document = Document::new(self.columns(), row, self.collation);
        let known = find(&mut self.row_count, &[Value::text(hash.clone()), Value::UInt(0), Value::UInt(0)])?;
        if let Some(known) = known {
            let mut more = known.clone();
            more[1] = Value::UInt(number(&known[1]) + 1);
            replace(&mut self.row_count, &known, &more)?;
            return document.indexed().try_for_each(|(word, _)| self.one_more(word));
        }
        let unique = document.unique.len() as u64;
        put(&mut self.row_count, vec![Value::text(hash.clone()), Value::UInt(1), Value::UInt(unique)])?;
        let key = self.key(row, &hash);
        for (word, position) in document.words.iter().filter(|(word, _)| word.len() <= WORD_BYTES_MAX) {
            put(&mut self.position, line(word, &key, *position))?;
        }
        for (word, times) in document.indexed() {
            put(&mut self.doc_count, line(word, &key, times))?;
            self.one_more(word)?;
        }
        Ok(())
    }

    fn remove(&mut self, row: &Row) -> Result<()> {
        let hash = self.hash(row);
        let document = Document::new(self.columns(), row, self.collation);
        let known = find(&mut self.row_count, &[Value::text(hash.clone()), Value::UInt(0), Value::UInt(0)])?;
        let Some(known) = known else { return Ok(()) };
        if number(&known[1]) > 1 {
            let mut fewer = known.clone();
            fewer[1] = Value::UInt(number(&known[1]) - 1);
            replace(&mut self.row_count, &known, &fewer)?;
            return document.indexed().try_for_each(|(word, _)| self.one_fewer(word));
        }
        take(&mut self.row_count, &known)?;
        let key = self.key(row, &hash);
        for (word, position) in document.words.iter().filter(|(word, _)| word.len() <= WORD_BYTES_MAX) {
            take(&mut self.position, &line(word, &key, *position))?;
        }
        for (word, _) in document.indexed() {
            take(&mut self.doc_count, &line(word, &key, 0))?;
            self.one_fewer(word)?;
        }
        Ok(())
    }

    /// One row more has the word. Of words that are the same one under the collation the last to be counted says how it is spelled.
    fn one_more(&mut self, word: &str) -> Result<()> {
        let editor = &mut self.global_count;
        let counted = |rows: u64| vec![Value::text(word.to_owned()), Value::UInt(rows)];
        match find(editor, &counted(0))? {
            None => put(editor, counted(1)),
            Some(known) => replace(editor, &known, &counted(number(&known[1]) + 1)),
        }
    }

    /// One row fewer has the word.
    fn one_fewer(&mut self, word: &str) -> Result<()> {
        let editor = &mut self.global_count;
        let counted = |rows: u64| vec![Value::text(word.to_owned()), Value::UInt(rows)];
        match find(editor, &counted(0))? {
            None => Ok(()),
            Some(known) if number(&known[1]) > 1 => replace(editor, &known, &counted(number(&known[1]) - 1)),
            Some(known) => take(editor, &known),
        }
    }

    /// What names the row in the tables: its key, or its hash.
    fn key(&self, row: &Row, hash: &str) -> Vec<Value<'static>> {
        match self.fulltext.key_positions.is_empty() {
            true => vec![Value::text(hash.to_owned())],
            false => self.fulltext.key_positions.iter().map(|at| row[usize::from(*at)].clone()).collect(),
        }
    }

    /// SHA-256 of a row's values as native Dolt has them in memory, then of which are NULL.
    fn hash(&self, row: &Row) -> String {
        let mut hash = Sha256::new();
        for (column, value) in self.schema.columns.iter().zip(row) {
            hash.update(bytes_of(value, &column.sql_type));
        }
        let nulls: Vec<u8> = row.iter().map(|value| u8::from(value.is_null())).collect();
        hash.update(&nulls);
        codec::hex::lower(&hash.finalize())
    }
}

fn line(word: &str, key: &[Value<'static>], last: u64) -> Row {
    let mut row = vec![Value::text(word.to_owned())];
    row.extend_from_slice(key);
    row.push(Value::UInt(last));
    row
}

fn number(value: &Value<'_>) -> u64 {
    match value {
        Value::UInt(number) => *number,
        Value::Int(number) => number.unsigned_abs(),
        _ => 0,
    }
}

/// The stored row with the key of this one.
fn find(editor: &mut TableEditor, row: &[Value<'static>]) -> Result<Option<Row>> {
    let entry = editor.encode(row)?;
    editor.get(&entry.key)?.map(|entry| editor.decode(&entry)).transpose()
}

/// Adds a row, unless its key is there.
fn put(editor: &mut TableEditor, row: Row) -> Result<()> {
    let entry = editor.encode(&row)?;
    if editor.get(&entry.key)?.is_some() {
        return Ok(());
    }
    editor.insert(&row, &entry)
}

fn take(editor: &mut TableEditor, row: &[Value<'static>]) -> Result<()> {
    let entry = editor.encode(row)?;
    let Some(entry) = editor.get(&entry.key)? else { return Ok(()) };
    let row = editor.decode(&entry)?;
    editor.delete(&row, &entry)
}

fn replace(editor: &mut TableEditor, from: &Row, to: &Row) -> Result<()> {
    let (old, new) = (editor.encode(from)?, editor.encode(to)?);
    editor.update((from, &old), (to, &new))
}

/// The words of a row.
struct Document {
    /// Each word and where it stands, as native Dolt counts.
    words: Vec<(String, u64)>,
    /// Words that differ under the collation, in the order of their first appearance, and how often they are there.
    unique: Vec<(String, u64)>,
}

impl Document {
    fn new(columns: &[usize], row: &Row, collation: Collation) -> Document {
        let mut text = String::new();
        for (at, column) in columns.iter().enumerate() {
            let Value::Text(value) = &row[*column] else { continue };
            if at > 0 {
                text.push(' ');
            }
            text.push_str(value);
        }
        let words = words(&text);
        let mut unique: Vec<(String, u64)> = Vec::new();
        let mut known: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        for (word, _) in &words {
            let mut key = Vec::new();
            collation.hash_key(word.as_bytes(), &mut key);
            match known.get(&key) {
                Some(at) => unique[*at].1 += 1,
                None => {
                    known.insert(key, unique.len());
                    unique.push((word.clone(), 1));
                }
            }
        }
        Document { words, unique }
    }

    /// The unique words that the tables hold.
    fn indexed(&self) -> impl Iterator<Item = (&str, u64)> {
        let short = self.unique.iter().filter(|(word, _)| word.len() <= WORD_BYTES_MAX);
        short.map(|(word, times)| (&**word, *times))
    }
}

/// Letters, digits, `_` and single apostrophes between them. A position is that of the byte behind the word before, moved on by
/// every other character since.
fn words(text: &str) -> Vec<(String, u64)> {
    #[derive(PartialEq)]
    enum State {
        Between,
        Word,
        Apostrophe,
    }
    let mut words = Vec::new();
    let mut word = String::new();
    let mut position = 0;
    let mut state = State::Between;
    for (at, character) in text.char_indices() {
        let is_part = character.is_alphanumeric() || character == '_';
        match state {
            State::Between if is_part => {
                word.push(character);
                state = State::Word;
            }
            State::Between => position += 1,
            State::Word if character == '\'' => {
                word.push(character);
                state = State::Apostrophe;
            }
            State::Word | State::Apostrophe if is_part => {
                word.push(character);
                state = State::Word;
            }
            State::Word | State::Apostrophe => {
                words.extend(trimmed(&mut word, position));
                position = at as u64;
                state = State::Between;
            }
        }
    }
    words.extend(trimmed(&mut word, position));
    words
}

/// A word without the apostrophes around it, if it is long enough.
fn trimmed(word: &mut String, position: u64) -> Option<(String, u64)> {
    let word = core::mem::take(word);
    let left = word.trim_start_matches('\'');
    let position = position + (word.len() - left.len()) as u64;
    let trimmed = left.trim_end_matches('\'');
    (trimmed.len() >= WORD_BYTES_MIN).then(|| (trimmed.to_owned(), position))
}

/// A value as Go's `encoding/binary` writes it.
fn bytes_of(value: &Value<'_>, ty: &SqlType) -> Vec<u8> {
    let integer = |number: u64| match ty {
        SqlType::Integer(kind) => number.to_le_bytes()[..kind.width.bits().next_power_of_two() as usize / 8].to_vec(),
        _ => number.to_le_bytes().to_vec(),
    };
    match value {
        Value::Null => Vec::new(),
        Value::Int(number) => integer(*number as u64),
        Value::UInt(number) => integer(*number),
        Value::Bit(bits) => bits.to_le_bytes().to_vec(),
        Value::Year(year) => year.to_le_bytes().to_vec(),
        Value::Float(number) => number.to_le_bytes().to_vec(),
        Value::Double(number) => number.to_le_bytes().to_vec(),
        Value::Enum(member) => member.index.to_le_bytes().to_vec(),
        Value::Set(members) => members.bits.to_le_bytes().to_vec(),
        Value::Time(time) => time.microseconds().to_le_bytes().to_vec(),
        Value::Text(text) => text.as_bytes().to_vec(),
        Value::Bytes(bytes) | Value::Geometry(bytes) => bytes.to_vec(),
        Value::Date(_) | Value::DateTime(_) => match value::convert::to_moment(value).ok().and_then(|m| m.round(6)) {
            Some(moment) => {
                let microseconds = moment.microseconds();
                let seconds = microseconds.div_euclid(1_000_000) + SECONDS_BEFORE_1970;
                let nanoseconds = microseconds.rem_euclid(1_000_000) as i32 * 1000;
                // A version, then the zone: UTC.
                [&[1], &seconds.to_be_bytes()[..], &nanoseconds.to_be_bytes(), &(-1i16).to_be_bytes()].concat()
            }
            None => Vec::new(),
        },
        other => value::convert::to_string(other).map_or_else(|_| Vec::new(), |text| text.as_bytes().to_vec()),
    }
}
