//! `DFKC`: all foreign keys of a root value (docs/format/database.md, section 9.1).

use crate::TreeError;
use crate::message::Copies;
use crate::message::build::{Builder, Offset};
use crate::message::flat::{self, FileId, Shape, Table};

pub const ID: FileId = *b"DFKC";
static SHAPE: Shape = Shape { name: "ForeignKeyCollection", known_slots: 1 };
static KEY_SHAPE: Shape = Shape { name: "ForeignKey", known_slots: 15 };

/// What happens to the child rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferentialAction {
    Default,
    Cascade,
    NoAction,
    Restrict,
    SetNull,
}

impl ReferentialAction {
    const ALL: [ReferentialAction; 5] = [Self::Default, Self::Cascade, Self::NoAction, Self::Restrict, Self::SetNull];
}

/// A foreign key as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignKey {
    pub name: Box<str>,
    pub child_table: Box<str>,
    pub child_index: Box<str>,
    /// Column tags; empty while the key is unresolved.
    pub child_columns: Vec<u64>,
    pub parent_table: Box<str>,
    /// Empty: the primary key.
    pub parent_index: Box<str>,
    /// Column tags; empty while the key is unresolved.
    pub parent_columns: Vec<u64>,
    pub on_update: ReferentialAction,
    pub on_delete: ReferentialAction,
    /// Names as written; they stay after the key was resolved.
    pub unresolved_child_columns: Vec<Box<str>>,
    /// Names as written; they stay after the key was resolved.
    pub unresolved_parent_columns: Vec<Box<str>>,
    pub is_not_valid: bool,
    /// 0 simple, 1 full, 2 partial.
    pub match_type: u8,
}

/// All foreign keys of a root, sorted by name.
pub fn decode(message: &[u8]) -> Result<Vec<ForeignKey>, TreeError> {
    let table = flat::root(message, &ID, &SHAPE)?;
    let mut copies = Copies::of(message);
    table.tables(0, &KEY_SHAPE)?.map(|key| ForeignKey::decode(&key?, &mut copies)).collect()
}

/// The message for `keys`, which are in the order of their names.
pub fn encode(keys: &[ForeignKey]) -> Result<Vec<u8>, TreeError> {
    let mut builder = Builder::with_capacity(64 + 256 * keys.len());
    let mut offsets: Vec<Offset> = keys.iter().rev().map(|key| key.encode(&mut builder)).collect();
    offsets.reverse();
    let keys = builder.offsets(&offsets);
    builder.start_table();
    builder.offset(0, keys);
    let table = builder.end_table();
    builder.finish(table, &ID)
}

impl ForeignKey {
    /// Whether the key names its columns alone: it was declared with foreign key checks off.
    pub fn is_unresolved(&self) -> bool {
        self.child_columns.is_empty() || self.parent_columns.is_empty()
    }

    fn decode(table: &Table<'_>, copies: &mut Copies) -> Result<ForeignKey, TreeError> {
        copies.table(table)?;
        let action = |slot| {
            let number = usize::from(table.u8(slot, 0)?);
            ReferentialAction::ALL.get(number).copied().ok_or(table.wrong("unknown referential action"))
        };
        Ok(ForeignKey {
            name: copies.text(table, 0)?,
            child_table: copies.text(table, 1)?,
            child_index: copies.text(table, 2)?,
            child_columns: copies.u64s(table, 3)?,
            parent_table: copies.text(table, 4)?,
            parent_index: copies.text(table, 5)?,
            parent_columns: copies.u64s(table, 6)?,
            on_update: action(7)?,
            on_delete: action(8)?,
            unresolved_child_columns: copies.texts(table, 9)?,
            unresolved_parent_columns: copies.texts(table, 10)?,
            is_not_valid: table.bool(13)?,
            match_type: table.u8(14, 0)?,
        })
    }

    fn encode(&self, builder: &mut Builder) -> Offset {
        let names = |builder: &mut Builder, names: &[Box<str>]| (!names.is_empty()).then(|| builder.strings(names));
        let unresolved_parent = names(builder, &self.unresolved_parent_columns);
        let unresolved_child = names(builder, &self.unresolved_child_columns);
        let parent_columns = builder.u64s(&self.parent_columns);
        let child_columns = builder.u64s(&self.child_columns);
        let parent_table = builder.string(&self.parent_table);
        let parent_index = builder.string(&self.parent_index);
        let child_table = builder.string(&self.child_table);
        let child_index = builder.string(&self.child_index);
        let name = builder.string(&self.name);
        builder.start_table();
        builder.offset(0, name);
        builder.offset(1, child_table);
        builder.offset(2, child_index);
        builder.offset(3, child_columns);
        builder.offset(4, parent_table);
        builder.offset(5, parent_index);
        builder.offset(6, parent_columns);
        builder.offset_if(9, unresolved_child);
        builder.offset_if(10, unresolved_parent);
        builder.u8(7, self.on_update as u8);
        builder.u8(8, self.on_delete as u8);
        builder.bool(13, self.is_not_valid);
        builder.u8(14, self.match_type);
        builder.end_table()
    }
}
