//! The tables behind full-text indexes, which follow the rows of theirs (docs/format/database.md, section 8.5).
//!
//! Where a word stands in a row, how often it is there, how many rows have it, and what each row looks like. Searches do not
//! read them; native Dolt does.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};
use tree::Diff;
use value::{Collation, SqlType, Value};
use vcs::{Fulltext, Index, RootValue, Table};

use super::edited_map::Entry;
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

/// The root after a table of it has changed: `before` is what it was, `None` for a table whose words are in no index yet.
pub fn follow(root: RootValue, before: Option<&Table>, after: &Table, work: &Working<'_>) -> Result<RootValue> {
    let mut root = root;
    let schema = after.schema();
    let codec = RowCodec::new(schema, after.objects().nodes());
    for index in &schema.indexes {
        let Some(fulltext) = &index.fulltext else { continue };
        let mut words = Words::open(&root, after, index, fulltext)?;
        let rows = after.rows();
        let from = match before {
            Some(before) => before.rows(),
            None => vcs::TableDraft::new(after.objects(), schema.clone())?.write()?.rows(),
        };
        let mut diff = Diff::new(&from, &rows)?;
        while let Some(change) = diff.next_change()? {
            let side = |item: Option<tree::Item>| -> Result<Option<(Row, u64)>> {
                let Some(item) = item else { return Ok(None) };
                let entry = Entry { key: item.key().to_vec(), value: item.value().to_vec() };
                let times = if schema.is_keyless() { vcs::cardinality(&entry.value)? } else { 1 };
                Ok(Some((codec.decode(&entry)?, times)))
            };
            let (old, new) = (side(change.from)?, side(change.to)?);
            work(words.work_of(&old) + words.work_of(&new))?;
            let (old_times, new_times) =
                (old.as_ref().map_or(0, |(_, times)| *times), new.as_ref().map_or(0, |(_, times)| *times));
            if !schema.is_keyless() || new.is_none() {
                if let Some((row, _)) = &old {
                    (0..old_times).try_for_each(|_| words.remove(row))?;
                }
                if let Some((row, _)) = &new {
                    (0..new_times).try_for_each(|_| words.add(row))?;
                }
            } else if let Some((row, _)) = &new {
                // Equal rows that have become more or fewer.
                (old_times..new_times).try_for_each(|_| words.add(row))?;
                (new_times..old_times).try_for_each(|_| words.remove(row))?;
            }
        }
        root = words.finish(root)?;
    }
    Ok(root)
}

/// The root that a merge made of `ours`, with the words of every table whose rows were merged counted anew: how a word is spelled
/// depends on the row that came first. Tables of indexes that went away go, too.
///
/// As in native Dolt, whose commits these have to equal, `base` exempts the tables that only theirs changed.
pub fn after_merge(
    merged: RootValue,
    ours: &RootValue,
    base: Option<&RootValue>,
    work: &Working<'_>,
) -> Result<RootValue> {
    let mut root = merged;
    let changed = vcs::changed_tables(ours, &root)?;
    let names: Vec<Box<str>> = root.tables().map(|entry| Ok(entry?.0)).collect::<Result<_>>()?;
    if changed.is_empty() || !names.iter().any(|name| vcs::is_full_text_table(name)) {
        return Ok(root);
    }
    for name in &changed {
        let before = ours.table_address(name)?;
        if base.map(|base| base.table_address(name)).transpose()?.is_some_and(|base| base == before) {
            continue;
        }
        let Some(table) = root.table(name)?.filter(has_index) else { continue };
        for fulltext in table.schema().indexes.iter().filter_map(|index| index.fulltext.as_ref()) {
            for name in tables_of_rows(fulltext) {
                let old = root.table(name)?.ok_or_else(|| SqlError::table_not_found(name))?;
                let empty = vcs::TableDraft::new(root.objects(), old.schema().clone())?.write()?;
                root = root.with_table(name, &empty)?;
            }
        }
        root = follow(root, None, &table, work)?;
    }
    without_unused(root)
}

fn tables_of_rows(fulltext: &Fulltext) -> [&str; 4] {
    [&fulltext.position_table, &fulltext.doc_count_table, &fulltext.global_count_table, &fulltext.row_count_table]
}

fn without_unused(root: RootValue) -> Result<RootValue> {
    let (mut there, mut used) = (Vec::new(), BTreeSet::new());
    for entry in root.tables() {
        let (name, address) = entry?;
        if vcs::is_full_text_table(&name) {
            there.push(name);
            continue;
        }
        let table = root.objects().table(&address)?;
        for fulltext in table.schema().indexes.iter().filter_map(|index| index.fulltext.as_ref()) {
            used.insert(fulltext.config_table.to_string());
            used.extend(tables_of_rows(fulltext).map(str::to_owned));
        }
    }
    let mut root = root;
    for name in there.iter().filter(|name| !used.contains(&***name)) {
        root = root.without_table(name)?;
    }
    Ok(root)
}

/// The tables of one index.
pub struct Words<'t> {
    table: &'t Table,
    index: &'t Index,
    fulltext: &'t Fulltext,
    collation: Collation,
    position: TableEditor,
    doc_count: TableEditor,
    global_count: TableEditor,
    row_count: TableEditor,
}

impl<'t> Words<'t> {
    pub fn open(root: &RootValue, table: &'t Table, index: &'t Index, fulltext: &'t Fulltext) -> Result<Words<'t>> {
        let editor = |name: &str| -> Result<TableEditor> {
            let table = root.table(name)?.ok_or_else(|| SqlError::table_not_found(name))?;
            TableEditor::new(table)
        };
        let first = index.columns.first().and_then(|column| table.schema().columns.get(*column));
        let collation = first.and_then(|column| column.sql_type.collation()).unwrap_or(Collation::UTF8MB4_0900_BIN);
        Ok(Words {
            table,
            index,
            fulltext,
            collation,
            position: editor(&fulltext.position_table)?,
            doc_count: editor(&fulltext.doc_count_table)?,
            global_count: editor(&fulltext.global_count_table)?,
            row_count: editor(&fulltext.row_count_table)?,
        })
    }

    /// What it costs to follow a row, by the length of its text.
    fn work_of(&self, row: &Option<(Row, u64)>) -> usize {
        let Some((row, _)) = row else { return 0 };
        let bytes = |column: &usize| if let Value::Text(text) = &row[*column] { text.len() } else { 0 };
        WRITE_WORK + WRITE_WORK / 2 * self.index.columns.iter().map(bytes).sum::<usize>()
    }

    pub fn finish(self, root: RootValue) -> Result<RootValue> {
        let mut root = root;
        let editors = [
            (&self.fulltext.position_table, self.position),
            (&self.fulltext.doc_count_table, self.doc_count),
            (&self.fulltext.global_count_table, self.global_count),
            (&self.fulltext.row_count_table, self.row_count),
        ];
        for (name, mut editor) in editors {
            if let Some(table) = editor.finish()? {
                root = root.with_table(name, &table)?;
            }
        }
        Ok(root)
    }

    pub fn add(&mut self, row: &Row) -> Result<()> {
        let hash = self.hash(row);
        let document = Document::new(&self.index.columns, row, self.collation);
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
        let document = Document::new(&self.index.columns, row, self.collation);
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
        for (column, value) in self.table.schema().columns.iter().zip(row) {
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
