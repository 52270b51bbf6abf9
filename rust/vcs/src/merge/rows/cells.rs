//! Cell-wise merge of two changes of one row (docs/format/database.md, section 10.5).

use core::cmp::Ordering;
use std::rc::Rc;

use tree::NodeStore;
use tree::tuple::{FieldType, RowWriter, Tuple, decode};
use value::{Collation, SqlType, Value, compare};

use crate::error::Result;
use crate::merge::rows::json::merge_json;
use crate::merge::rows::row_map::{convert, field_map, stored_columns};
use crate::merge::schema::Schemas;
use crate::schema::Schema;

/// What becomes of a row that both sides changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MergedRow {
    /// A value tuple of the merged schema.
    Row(Vec<u8>),
    /// One side deleted the row and the other changed nothing of its values.
    Deleted,
    Conflict,
}

/// Merges rows of one table cell by cell.
pub(crate) struct CellMerger {
    base: Rc<Schema>,
    ours: Rc<Schema>,
    theirs: Rc<Schema>,
    merged: Rc<Schema>,
    /// Fields of each side for the stored columns of the merged schema.
    base_fields: Vec<Option<usize>>,
    our_fields: Vec<Option<usize>>,
    their_fields: Vec<Option<usize>>,
    /// Fields of each side for the stored columns of the base.
    base_to_ours: Vec<Option<usize>>,
    base_to_theirs: Vec<Option<usize>>,
    writer: RowWriter,
    merges_json: bool,
}

/// One side's cell of a column.
#[derive(Clone, Copy)]
struct Cell<'a> {
    kind: &'a FieldType,
    field: Option<&'a [u8]>,
}

impl<'a> Cell<'a> {
    fn value(&self, nodes: &NodeStore, target: &SqlType) -> Result<Value<'a>> {
        convert(decode(nodes, self.kind, self.field)?, &self.kind.sql_type, target)
    }
}

fn cell<'a>(schema: &'a Schema, row: Option<Tuple<'a>>, field: Option<usize>) -> Option<Cell<'a>> {
    let field = field?;
    Some(Cell { kind: schema.value.fields().get(field)?, field: row?.field(field) })
}

impl CellMerger {
    pub(crate) fn new(schemas: &Schemas<'_>, merged: &Rc<Schema>, merges_json: bool) -> CellMerger {
        CellMerger {
            base_fields: field_map(merged, schemas.base),
            our_fields: field_map(merged, schemas.ours),
            their_fields: field_map(merged, schemas.theirs),
            base_to_ours: field_map(schemas.base, schemas.ours),
            base_to_theirs: field_map(schemas.base, schemas.theirs),
            writer: RowWriter::new(merged.value.clone(), merged.target_row_bytes),
            base: schemas.base.clone(),
            ours: schemas.ours.clone(),
            theirs: schemas.theirs.clone(),
            merged: merged.clone(),
            merges_json,
        }
    }

    /// Merges value tuples, of which `None` is no row. They differ from each other, and each from the base.
    pub(crate) fn merge(
        &mut self,
        nodes: &NodeStore,
        base: Option<&[u8]>,
        ours: Option<&[u8]>,
        theirs: Option<&[u8]>,
    ) -> Result<MergedRow> {
        if self.merged.is_keyless() {
            return Ok(MergedRow::Conflict);
        }
        let rows = [base, ours, theirs].map(|row| row.map(Tuple::new));
        if rows[0].is_some() {
            for column in 0..self.base_to_ours.len() {
                if self.is_lost_change(nodes, column, rows)? {
                    return Ok(MergedRow::Conflict);
                }
            }
            if ours.is_none() != theirs.is_none() {
                return Ok(MergedRow::Deleted);
            }
        }
        let merged = self.merged.clone();
        let mut values = Vec::with_capacity(self.base_fields.len());
        for (i, column) in stored_columns(&merged).into_iter().enumerate() {
            let cells = [
                cell(&self.base, rows[0], self.base_fields[i]),
                cell(&self.ours, rows[1], self.our_fields[i]),
                cell(&self.theirs, rows[2], self.their_fields[i]),
            ];
            let is_generated = column.generated.is_some();
            match merge_cells(nodes, &column.sql_type, cells, is_generated, self.merges_json)? {
                Some(value) => values.push(value.into_owned()),
                None => return Ok(MergedRow::Conflict),
            }
        }
        Ok(MergedRow::Row(self.writer.write(&values, &mut &*nodes)?))
    }

    /// Whether a column of the base that one side dropped, with the row or alone, was changed by the other.
    fn is_lost_change(&self, nodes: &NodeStore, column: usize, rows: [Option<Tuple<'_>>; 3]) -> Result<bool> {
        let [base, ours, theirs] = rows;
        let first = usize::from(self.base.is_keyless());
        let (our_field, their_field) = (self.base_to_ours[column], self.base_to_theirs[column]);
        let changed = match (ours, theirs) {
            (None, _) => cell(&self.theirs, theirs, their_field),
            (_, None) => cell(&self.ours, ours, our_field),
            _ => match (our_field, their_field) {
                (None, Some(_)) => cell(&self.theirs, theirs, their_field),
                (Some(_), None) => cell(&self.ours, ours, our_field),
                _ => None,
            },
        };
        let (Some(changed), Some(before)) = (changed, cell(&self.base, base, Some(column + first))) else {
            return Ok(false);
        };
        let kind = &changed.kind.sql_type;
        Ok(!are_equal(&before.value(nodes, kind)?, &changed.value(nodes, kind)?, kind)?)
    }
}

/// Merges the cells of base, ours and theirs. A missing column counts as NULL. `None` for a conflict.
fn merge_cells<'a>(
    nodes: &NodeStore,
    kind: &SqlType,
    cells: [Option<Cell<'a>>; 3],
    is_generated: bool,
    merges_json: bool,
) -> Result<Option<Value<'a>>> {
    let [base, ours, theirs] = cells;
    let value = |cell: Option<Cell<'a>>| cell.map_or(Ok(Value::Null), |cell| cell.value(nodes, kind));
    let (our, their) = (value(ours)?, value(theirs)?);
    let field = |cell: Option<Cell<'a>>| cell.and_then(|cell| cell.field);
    // Equal values may differ in bytes, as text under a collation: then the choice must not depend on the side.
    let either = |our: Value<'a>, their: Value<'a>| if field(ours) > field(theirs) { our } else { their };
    let Some(before) = base else {
        return match (ours, theirs) {
            (_, None) => Ok(Some(our)),
            (None, _) => Ok(Some(their)),
            _ if are_equal(&our, &their, kind)? => Ok(Some(either(our, their))),
            _ if is_generated => Ok(Some(our)),
            _ => Ok(None),
        };
    };
    if ours.is_none() && theirs.is_none() {
        return Ok(Some(Value::Null));
    }
    let before = before.value(nodes, kind)?;
    if are_equal(&our, &their, kind)? {
        return Ok(Some(either(our, their)));
    }
    let (we_changed, they_changed) = (!are_equal(&our, &before, kind)?, !are_equal(&their, &before, kind)?);
    match (we_changed, they_changed) {
        (true, true) if is_generated => Ok(Some(our)),
        (true, true) => match (&before, &our, &their) {
            // Values that are generated are computed afterwards.
            (Value::Json(before), Value::Json(our), Value::Json(their)) if merges_json => {
                Ok(merge_json(before, our, their).map(Value::json))
            }
            _ => Ok(None),
        },
        (true, false) => Ok(Some(our)),
        _ => Ok(Some(their)),
    }
}

fn are_equal(one: &Value<'_>, two: &Value<'_>, kind: &SqlType) -> Result<bool> {
    if one.is_null() || two.is_null() {
        return Ok(one.is_null() == two.is_null());
    }
    let collation = kind.collation().unwrap_or(Collation::UTF8MB4_0900_BIN);
    Ok(compare(one, two, collation).map_err(tree::TreeError::from)? == Some(Ordering::Equal))
}
