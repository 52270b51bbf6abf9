//! Diff statistics of a table: counts of changed rows and cells (docs/format/database.md, section 11.3, `dolt_diff_stat`).

use std::rc::Rc;

use tree::tuple::decode;
use tree::{FieldType, Item, NodeStore};
use value::Collation;

use crate::diff::row_diff::{ChangeKind, RowDiff};
use crate::error::Result;
use crate::schema::{Column, Place, Schema};
use crate::table::Table;

/// Rows and cells that differ between two versions of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableStat {
    pub rows_added: u64,
    pub rows_removed: u64,
    pub rows_modified: u64,
    /// Cells of modified rows that differ; columns that came or went count for every modified row.
    pub cells_modified: u64,
    /// What needs a primary key to be told.
    pub keyed: Option<KeyedStat>,
}

/// Sizes of both versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeyedStat {
    pub old_rows: u64,
    pub new_rows: u64,
    pub old_cells: u64,
    pub new_cells: u64,
    /// Columns of the newer version; 0 for a dropped table.
    new_columns: u64,
}

/// Stored columns, except those of the key, that both versions have.
struct CellMap {
    /// Fields of the value tuple before, and those they correspond to after.
    fields: Vec<(Field, Option<Field>)>,
    nodes: Rc<NodeStore>,
    /// Fields that came minus fields that went.
    gained: i64,
}

/// A field of a value tuple.
struct Field {
    at: usize,
    kind: FieldType,
}

/// Counts how much of a table changed, some changes at a time.
pub struct StatWalk {
    stat: TableStat,
    /// Where both versions have the table.
    cells: Option<CellMap>,
    changes: RowDiff,
}

impl StatWalk {
    /// Compares two versions, which have the same primary key; one may be absent.
    pub fn new(from: Option<&Table>, to: Option<&Table>) -> Result<StatWalk> {
        let mut stat = TableStat { keyed: keyed_stat(from, to), ..TableStat::default() };
        // Beside no rows all are others, and a tree knows how many it has.
        if let Some(KeyedStat { old_rows, new_rows, .. }) = stat.keyed
            && old_rows.min(new_rows) == 0
        {
            (stat.rows_added, stat.rows_removed) = (new_rows, old_rows);
            return Ok(StatWalk { stat, cells: None, changes: RowDiff::new(None, None)? });
        }
        let cells = match (from, to) {
            (Some(from), Some(to)) => Some(CellMap::between(from.objects().nodes(), from.schema(), to.schema())),
            _ => None,
        };
        Ok(StatWalk { stat, cells, changes: RowDiff::new(from, to)? })
    }

    /// Counts up to `changes_max` more; what all came to when there are no others.
    pub fn step(&mut self, changes_max: usize) -> Result<Option<TableStat>> {
        let stat = &mut self.stat;
        for _ in 0..changes_max {
            let Some(change) = self.changes.next().transpose()? else { return Ok(Some(std::mem::take(stat))) };
            match change.kind {
                ChangeKind::Added => stat.rows_added += change.times,
                ChangeKind::Removed => stat.rows_removed += change.times,
                ChangeKind::Modified => {
                    stat.rows_modified += 1;
                    if let (Some(cells), Some(from), Some(to)) = (&self.cells, &change.from, &change.to) {
                        stat.cells_modified += cells.changed(from, to)?;
                    }
                }
            }
        }
        Ok(None)
    }
}

impl TableStat {
    /// Whether nothing changed that this could tell.
    pub fn is_empty(&self) -> bool {
        let cells_differ = self.keyed.is_some_and(|keyed| keyed.old_cells != keyed.new_cells);
        self.rows_added + self.rows_removed + self.rows_modified == 0 && !cells_differ
    }

    /// Rows that both versions have alike; `None` without primary key.
    pub fn rows_unmodified(&self) -> Option<u64> {
        Some(self.keyed?.old_rows.saturating_sub(self.rows_modified + self.rows_removed))
    }

    /// Cells that came and cells that went, with rows and with columns, as Dolt counts them; `None` without primary key.
    pub fn cells_added_and_removed(&self) -> Option<(u64, u64)> {
        let keyed = self.keyed?;
        let (added, removed) = (self.rows_added * keyed.new_columns, self.rows_removed * keyed.new_columns);
        let grown = keyed.new_cells.saturating_sub(keyed.old_cells);
        let shrunk = keyed.old_cells.saturating_sub(keyed.new_cells);
        Some(match (grown, shrunk) {
            (0, 0) => (added.max(removed), added.max(removed)),
            (0, shrunk) => (added, shrunk + added),
            (grown, _) => (grown + removed, removed),
        })
    }
}

fn keyed_stat(from: Option<&Table>, to: Option<&Table>) -> Option<KeyedStat> {
    if from.into_iter().chain(to).any(|table| table.schema().is_keyless()) {
        return None;
    }
    let size = |table: Option<&Table>| {
        let columns = table.map_or(0, |table| table.schema().columns.len() as u64);
        (table.map_or(0, |table| table.rows_root().tree_count()), columns)
    };
    let ((old_rows, old_columns), (new_rows, new_columns)) = (size(from), size(to));
    let (old_cells, new_cells) = (old_rows * old_columns, new_rows * new_columns);
    Some(KeyedStat { old_rows, new_rows, old_cells, new_cells, new_columns })
}

impl CellMap {
    fn between(nodes: &Rc<NodeStore>, from: &Schema, to: &Schema) -> CellMap {
        let stored = |column: &Column| match column.place {
            Place::Value(at) => Some(Field { at, kind: column.field_type() }),
            _ => None,
        };
        let twin = |name: &str| to.columns.iter().filter(|column| *column.name == *name).find_map(stored);
        let fields: Vec<_> =
            from.columns.iter().filter_map(|column| Some((stored(column)?, twin(&column.name)))).collect();
        let gained = to.columns.iter().filter_map(stored).count() as i64 - fields.len() as i64;
        CellMap { fields, nodes: nodes.clone(), gained }
    }

    /// Cells that differ between two versions of a row.
    fn changed(&self, from: &Item, to: &Item) -> Result<u64> {
        let (before, after) = (from.value_tuple(), to.value_tuple());
        let mut changed = self.gained;
        for (from, to) in &self.fields {
            changed += match to {
                Some(to) if from.kind.encoding == to.kind.encoding => {
                    let (old, new) = (before.field(from.at), after.field(to.at));
                    i64::from(!self.is_same((&from.kind, old), (&to.kind, new))?)
                }
                _ => 1,
            };
        }
        Ok(changed.max(0) as u64)
    }

    fn is_same(&self, from: (&FieldType, Option<&[u8]>), to: (&FieldType, Option<&[u8]>)) -> Result<bool> {
        if from.1 == to.1 {
            return Ok(true);
        }
        if from.1.is_none() || to.1.is_none() {
            return Ok(false);
        }
        let left = decode(&self.nodes, from.0, from.1)?;
        let right = decode(&self.nodes, to.0, to.1)?;
        let collation = to.0.sql_type.collation().unwrap_or(Collation::UTF8MB4_0900_BIN);
        // Where the rules know no order, the bytes have decided.
        Ok(value::compare(&left, &right, collation).ok().flatten().is_some_and(|order| order.is_eq()))
    }
}
