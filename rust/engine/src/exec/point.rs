//! One row by its whole primary key, without operators: what a prepared `SELECT … WHERE id = ?` comes down to.

use std::rc::Rc;

use tree::{FieldType, Map, TupleBuilder, tuple};
use value::{IntegerType, SqlType, Value};

use super::table_scan::reader::{ColumnReader, Field};
use crate::batch::Batch;
use crate::error::Result;
use crate::expr::{Context, Expr, ExprKind};
use crate::plan::{ColumnId, Plan, Scan, columns_of};

pub struct PointRead {
    rows: Map,
    key: Vec<KeyPart>,
    readers: Vec<ColumnReader>,
}

struct KeyPart {
    value: Expr,
    field: FieldType,
    integer: IntegerType,
}

/// What a point read found out.
pub enum PointAnswer {
    Row(Batch),
    NoRow,
    /// The values given are of kinds that need the general way.
    Other,
}

impl PointRead {
    /// The point read that a plan is, if it is one: columns of a scan of whole, whole-number keys and nothing else.
    pub fn of(plan: &Plan) -> Result<Option<PointRead>> {
        let outputs = columns_of(plan);
        let Some((scan, names)) = scan_below(plan, outputs) else { return Ok(None) };
        let (Some(base), Some(0), Some(ranges)) = (scan.relation.base(), scan.access.index, &scan.access.ranges) else {
            return Ok(None);
        };
        let schema = base.schema();
        let [range] = &ranges[..] else { return Ok(None) };
        let whole = !schema.is_keyless()
            && range.equal.len() == schema.primary_key.len()
            && range.lower.is_none()
            && range.upper.is_none()
            && scan.filter.is_empty();
        if !whole {
            return Ok(None);
        }
        let mut key = Vec::new();
        for ((value, &column), field) in range.equal.iter().zip(&schema.primary_key).zip(schema.key.fields()) {
            let SqlType::Integer(integer) = schema.columns[column].sql_type else { return Ok(None) };
            key.push(KeyPart { value: value.clone(), field: field.clone(), integer });
        }
        let position = |id: &ColumnId| scan.columns.iter().find(|(column, _)| column == id).map(|(_, at)| *at);
        let Some(positions) = names.iter().map(position).collect::<Option<Vec<usize>>>() else { return Ok(None) };
        let nodes = base.table.objects().nodes().clone();
        let fields = Field::of_rows(schema, &positions)?;
        let readers = fields.into_iter().map(|field| ColumnReader::new(field, nodes.clone())).collect();
        Ok(Some(PointRead { rows: base.table.rows(), key, readers }))
    }

    pub fn read(&self, context: &Context) -> Result<PointAnswer> {
        let mut key = TupleBuilder::new();
        let mut bytes = Vec::with_capacity(8);
        for part in &self.key {
            let value = match &part.value.kind {
                ExprKind::Param(n) => context.param(*n)?,
                _ => part.value.eval_constant(context)?,
            };
            let number = match value {
                Value::Int(number) => i128::from(number),
                Value::UInt(number) => i128::from(number),
                Value::Null => return Ok(PointAnswer::NoRow),
                _ => return Ok(PointAnswer::Other),
            };
            if number < i128::from(part.integer.min()) || number > i128::from(part.integer.max()) {
                return Ok(PointAnswer::NoRow);
            }
            let value = if part.integer.unsigned { Value::UInt(number as u64) } else { Value::Int(number as i64) };
            bytes.clear();
            tuple::encode(&part.field, &value, &mut bytes)?;
            key.push(Some(&bytes));
        }
        let Some(item) = self.rows.get(&key.finish()?)? else { return Ok(PointAnswer::NoRow) };
        let pieces = [(item.leaf, vec![item.index as u32])];
        let columns = self.readers.iter().map(|reader| reader.read(&pieces, 1)).collect::<Result<Vec<Rc<_>>>>()?;
        Ok(PointAnswer::Row(Batch { rows: 1, columns }))
    }
}

/// The scan under projections that only pass columns on, and the scan's columns in the order of the output.
fn scan_below(plan: &Plan, names: Vec<ColumnId>) -> Option<(&Scan, Vec<ColumnId>)> {
    match plan {
        Plan::Scan(scan) => Some((scan, names)),
        Plan::Project(input, columns) => {
            let below = names.iter().map(|name| {
                let (_, expr) = columns.iter().find(|(output, _)| output == name)?;
                expr.as_column()
            });
            scan_below(input, below.collect::<Option<Vec<_>>>()?)
        }
        _ => None,
    }
}
