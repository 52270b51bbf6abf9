//! One row by its whole primary key, without operators: what a prepared `SELECT … WHERE id = ?` comes down to.

use std::cell::RefCell;
use std::rc::Rc;

use tree::{FieldType, Item, Map, TupleBuilder, tuple};
use value::{IntegerType, SqlType, Value};

use super::table_scan::pieces::Piece;
use super::table_scan::reader::{ColumnReader, Field};
use crate::batch::Batch;
use crate::catalog::Relation;
use crate::error::Result;
use crate::expr::{Context, Expr, ExprKind};
use crate::page::ResultColumn;
use crate::page_row;
use crate::plan::{ColumnId, Plan, Scan, columns_of};

pub struct PointRead {
    relation: Rc<dyn Relation>,
    rows: Map,
    key: Rc<[KeyPart]>,
    readers: Rc<[ColumnReader]>,
    /// Where the columns lie and how they go into a page, where all of them can be copied as they are.
    copies: Option<Rc<[Field]>>,
    scratch: RefCell<Scratch>,
}

struct KeyPart {
    value: Expr,
    field: FieldType,
    integer: IntegerType,
}

/// Memory that is kept from one read to the next: a look-up allocates nothing.
#[derive(Default)]
struct Scratch {
    tuple: TupleBuilder,
    field: Vec<u8>,
    key: Vec<u8>,
}

/// What a point read found out.
pub enum PointAnswer<T> {
    Row(T),
    NoRow,
    /// The values given are of kinds that need the general way.
    Other,
}

impl PointRead {
    /// The point read that a plan is, if it is one: columns of a scan of whole, whole-number keys and nothing else.
    pub fn of(plan: &Plan, columns: &[ResultColumn]) -> Result<Option<PointRead>> {
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
        let is_copied = fields.iter().zip(columns).all(|(field, column)| page_row::is_copied(field.kind(), &column.ty));
        let copies = is_copied.then(|| fields.clone().into());
        let readers = fields.into_iter().map(|field| ColumnReader::new(field, nodes.clone())).collect();
        let key = key.into();
        let (relation, rows, scratch) = (scan.relation.clone(), base.table.rows(), RefCell::default());
        Ok(Some(PointRead { relation, rows, key, readers, copies, scratch }))
    }

    /// The table.
    pub fn relation(&self) -> &Rc<dyn Relation> {
        &self.relation
    }

    /// The same in another version of its table, which has the same schema.
    pub fn over(&self, relation: Rc<dyn Relation>) -> Option<PointRead> {
        let rows = relation.base()?.table.rows();
        let PointRead { key, readers, copies, .. } = self;
        let (key, readers, copies) = (key.clone(), readers.clone(), copies.clone());
        Some(PointRead { relation, rows, key, readers, copies, scratch: RefCell::default() })
    }

    /// The row as a batch.
    pub fn read(&self, context: &Context) -> Result<PointAnswer<Batch>> {
        let mut key = Vec::with_capacity(self.key.len());
        for part in self.key.iter() {
            key.push(part.value.eval_constant(context)?);
        }
        let item = match self.find(|at, _| key.get(at))? {
            PointAnswer::Row(item) => item,
            PointAnswer::NoRow => return Ok(PointAnswer::NoRow),
            PointAnswer::Other => return Ok(PointAnswer::Other),
        };
        let pieces = [Piece::one(item.leaf, item.index)];
        let columns = self.readers.iter().map(|reader| reader.read(&pieces, 1)).collect::<Result<Vec<Rc<_>>>>()?;
        Ok(PointAnswer::Row(Batch { rows: 1, columns }))
    }

    /// The row as a page, copied from where it lies.
    pub fn write_page(
        &self,
        params: &[Value<'_>],
        columns: &[ResultColumn],
        out: &mut Vec<u8>,
    ) -> Result<PointAnswer<()>> {
        let Some(copies) = &self.copies else { return Ok(PointAnswer::Other) };
        let found = self.find(|_, part| match &part.kind {
            ExprKind::Param(n) => params.get(*n as usize),
            ExprKind::Literal(value) => Some(value),
            _ => None,
        })?;
        let item = match found {
            PointAnswer::Row(item) => item,
            PointAnswer::NoRow => return Ok(PointAnswer::NoRow),
            PointAnswer::Other => return Ok(PointAnswer::Other),
        };
        let (key, value) = (item.key_tuple(), item.value_tuple());
        let row = copies.iter().zip(columns).map(|(field, column)| (field.of(key, value), field.kind(), &column.ty));
        Ok(if page_row::write(row, out)? { PointAnswer::Row(()) } else { PointAnswer::Other })
    }

    /// The row whose key has these values; `value` gives the nth, `None` when it is not at hand.
    fn find<'v>(&'v self, value: impl Fn(usize, &'v Expr) -> Option<&'v Value<'v>>) -> Result<PointAnswer<Item>> {
        let mut scratch = self.scratch.borrow_mut();
        let Scratch { tuple: builder, field, key } = &mut *scratch;
        for (at, part) in self.key.iter().enumerate() {
            let given = value(at, &part.value);
            let number = match given {
                Some(Value::Int(number)) => i128::from(*number),
                Some(Value::UInt(number)) => i128::from(*number),
                other => {
                    builder.clear();
                    return Ok(if matches!(other, Some(Value::Null)) {
                        PointAnswer::NoRow
                    } else {
                        PointAnswer::Other
                    });
                }
            };
            if number < i128::from(part.integer.min()) || number > i128::from(part.integer.max()) {
                builder.clear();
                return Ok(PointAnswer::NoRow);
            }
            let value = if part.integer.unsigned { Value::UInt(number as u64) } else { Value::Int(number as i64) };
            field.clear();
            tuple::encode(&part.field, &value, field)?;
            builder.push(Some(field));
        }
        builder.finish_into(key)?;
        Ok(self.rows.get(key)?.map_or(PointAnswer::NoRow, PointAnswer::Row))
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
