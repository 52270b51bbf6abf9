//! Redo records: what a statement has changed, in bytes that the store keeps until there are trees of it ([`store::Chunks::hold`]).
//! They have edits of rows and of indexes as they are, so that nothing is computed again. docs/format/store.md, section 6.7.

use codec::{Corrupt, Reader, varint};
use tree::{Edit, Tuple};
use vcs::{Refs, RootValue, WorkingSet, Written};

use super::table_editor::TableEditor;
use super::writer::with_edits;
use crate::error::{Result, SqlError};

const EDIT: u8 = 1;
const COUNTER: u8 = 2;
const TABLE: u8 = 3;
const TREE: u8 = 4;

/// A change of a table.
pub enum Change<'a> {
    /// The value of a key in the rows, map 0, or in the entries of an index by its position in the schema, from 1. `None` deletes.
    Edit { map: u64, key: &'a [u8], value: Option<&'a [u8]> },
    /// The root of a tree, a message, in place of all edits of it so far. Its chunks lie before the record.
    Tree { map: u64, root: &'a [u8] },
    /// What AUTO_INCREMENT gives next.
    Counter(u64),
}

/// Writes changes of one table after those of others. A table without changes leaves nothing.
pub struct TableWriter<'a> {
    to: &'a mut Vec<u8>,
    branch: &'a str,
    table: &'a str,
    has_begun: bool,
}

impl<'a> TableWriter<'a> {
    pub fn new(to: &'a mut Vec<u8>, branch: &'a str, table: &'a str) -> TableWriter<'a> {
        TableWriter { to, branch, table, has_begun: false }
    }

    pub fn edit(&mut self, map: u64, Edit { key, value }: Edit<'_>) {
        self.begin(EDIT);
        varint::write_base128(map, self.to);
        self.bytes(key);
        // Nothing, or one more than its length.
        varint::write_base128(value.map_or(0, |value| value.len() as u64 + 1), self.to);
        self.to.extend_from_slice(value.unwrap_or_default());
    }

    pub fn tree(&mut self, map: u64, root: &[u8]) {
        self.begin(TREE);
        varint::write_base128(map, self.to);
        self.bytes(root);
    }

    pub fn counter(&mut self, next: u64) {
        self.begin(COUNTER);
        varint::write_base128(next, self.to);
    }

    fn begin(&mut self, kind: u8) {
        if !self.has_begun {
            self.has_begun = true;
            self.to.push(TABLE);
            let (branch, table) = (self.branch, self.table);
            self.bytes(branch.as_bytes());
            self.bytes(table.as_bytes());
        }
        self.to.push(kind);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        varint::write_base128(bytes.len() as u64, self.to);
        self.to.extend_from_slice(bytes);
    }
}

/// A branch that is changed.
struct Target {
    branch: Box<str>,
    set: WorkingSet,
    root: RootValue,
    tables: Vec<(Box<str>, TableEditor)>,
}

/// The names with all changes of redo records, the oldest first, as of a time in seconds since 1970.
///
/// # Errors
/// 1105 for records that are damaged or of other tables; what is wrong with a chunk.
pub fn onto(refs: &Refs, records: &[Vec<u8>], written: &Written) -> Result<Refs> {
    let mut targets: Vec<Target> = Vec::new();
    for record in records {
        let mut reader = Reader::new(record);
        let mut at = None;
        while !reader.is_empty() {
            match reader.u8().map_err(of_bytes)? {
                TABLE => {
                    let branch = text(&mut reader)?;
                    at = Some(find(&mut targets, refs, branch, text(&mut reader)?)?);
                }
                kind => {
                    let (target, table) = at.ok_or_else(damaged)?;
                    targets[target].tables[table].1.redo(change(&mut reader, kind)?)?;
                }
            }
        }
    }
    let mut draft = refs.draft();
    for Target { branch, set, mut root, tables } in targets {
        for (name, mut editor) in tables {
            root = with_edits(root, &name, &mut editor, &|_| Ok(()))?;
        }
        let set = WorkingSet { working: root.address(), written: Some(written.clone()), ..set };
        draft.set_working_set(&branch, Some(&set))?;
    }
    Ok(draft.write()?)
}

/// The positions of a branch and of a table of it.
fn find(targets: &mut Vec<Target>, refs: &Refs, branch: &str, table: &str) -> Result<(usize, usize)> {
    let target = match targets.iter().position(|known| *known.branch == *branch) {
        Some(known) => known,
        None => {
            let set = refs.working_set(branch)?;
            let root = refs.objects().root_value(&set.working)?;
            targets.push(Target { branch: branch.into(), set, root, tables: Vec::new() });
            targets.len() - 1
        }
    };
    let Target { root, tables, .. } = &mut targets[target];
    let known = tables.iter().position(|(name, _)| **name == *table);
    let known = match known {
        Some(known) => known,
        None => {
            let found = root.table(table)?.ok_or_else(damaged)?;
            tables.push((table.into(), TableEditor::new(found)?));
            tables.len() - 1
        }
    };
    Ok((target, known))
}

fn change<'a>(reader: &mut Reader<'a>, kind: u8) -> Result<Change<'a>> {
    match kind {
        EDIT => {
            let map = number(reader)?;
            let key = tuple(bytes(reader)?)?;
            let value = match number(reader)?.checked_sub(1) {
                Some(len) => Some(tuple(take(reader, len)?)?),
                None => None,
            };
            Ok(Change::Edit { map, key, value })
        }
        TREE => Ok(Change::Tree { map: number(reader)?, root: bytes(reader)? }),
        COUNTER => Ok(Change::Counter(number(reader)?)),
        _ => Err(damaged()),
    }
}

fn number(reader: &mut Reader<'_>) -> Result<u64> {
    varint::read_base128(reader).map_err(of_bytes)
}

fn bytes<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8]> {
    let len = number(reader)?;
    take(reader, len)
}

fn take<'a>(reader: &mut Reader<'a>, len: u64) -> Result<&'a [u8]> {
    reader.take(usize::try_from(len).map_err(|_| damaged())?).map_err(of_bytes)
}

/// Trees take tuples as they are.
fn tuple(bytes: &[u8]) -> Result<&[u8]> {
    Tuple::check(bytes).map_err(|_| damaged()).map(|()| bytes)
}

fn text<'a>(reader: &mut Reader<'a>) -> Result<&'a str> {
    core::str::from_utf8(bytes(reader)?).map_err(|_| damaged())
}

fn of_bytes(_: Corrupt) -> SqlError {
    damaged()
}

/// The error for records that cannot be used.
pub fn damaged() -> SqlError {
    SqlError::general("a redo record in the journal is damaged, or of other tables")
}
