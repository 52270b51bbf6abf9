//! One row by its whole primary key, without operators: what a prepared `SELECT … WHERE id = ?` comes down to.

use std::cell::RefCell;
use std::rc::Rc;

use tree::{FieldType, Map, TupleBuilder, tuple};
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
    key: PointKey,
    readers: Rc<[ColumnReader]>,
    /// Where the columns lie and how they go into a page, where all of them can be copied as they are.
    copies: Option<Rc<[Field]>>,
}

/// The whole key of one row, as expressions.
pub struct PointKey {
    parts: Rc<[KeyPart]>,
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
        let (Some(base), Some(key)) = (scan.relation.base(), PointKey::of_scan(scan)) else { return Ok(None) };
        let schema = base.schema();
        let position = |id: &ColumnId| scan.columns.iter().find(|(column, _)| column == id).map(|(_, at)| *at);
        let Some(positions) = names.iter().map(position).collect::<Option<Vec<usize>>>() else { return Ok(None) };
        let nodes = base.table.objects().nodes().clone();
        let fields = Field::of_rows(schema, &positions)?;
        let is_copied = fields.iter().zip(columns).all(|(field, column)| page_row::is_copied(field.kind(), &column.ty));
        let copies = is_copied.then(|| fields.clone().into());
        let readers = fields.into_iter().map(|field| ColumnReader::new(field, nodes.clone())).collect();
        Ok(Some(PointRead { relation: scan.relation.clone(), rows: base.table.rows(), key, readers, copies }))
    }

    /// The table.
    pub fn relation(&self) -> &Rc<dyn Relation> {
        &self.relation
    }

    /// The same in another version of its table, which has the same schema.
    pub fn over(&self, relation: Rc<dyn Relation>) -> Option<PointRead> {
        let rows = relation.base()?.table.rows();
        let (key, readers, copies) = (self.key.again(), self.readers.clone(), self.copies.clone());
        Some(PointRead { relation, rows, key, readers, copies })
    }

    /// The row as a batch.
    pub fn read(&self, context: &Context) -> Result<PointAnswer<Batch>> {
        let item = match self.key.find(context, |key| Ok(self.rows.get(key)?))? {
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
        let found = self.key.find_by(
            |_, part| match &part.kind {
                ExprKind::Param(n) => params.get(*n as usize),
                ExprKind::Literal(value) => Some(value),
                _ => None,
            },
            |key| Ok(self.rows.get(key)?),
        )?;
        let item = match found {
            PointAnswer::Row(item) => item,
            PointAnswer::NoRow => return Ok(PointAnswer::NoRow),
            PointAnswer::Other => return Ok(PointAnswer::Other),
        };
        let (key, value) = (item.key_tuple(), item.value_tuple());
        let row = copies.iter().zip(columns).map(|(field, column)| (field.of(key, value), field.kind(), &column.ty));
        Ok(if page_row::write(row, out)? { PointAnswer::Row(()) } else { PointAnswer::Other })
    }
}

impl PointKey {
    /// The key of the row that a plan is about, if that is a scan of one whole, whole-number key.
    pub fn of(plan: &Plan) -> Option<PointKey> {
        PointKey::of_scan(scan_below(plan, columns_of(plan))?.0)
    }

    fn of_scan(scan: &Scan) -> Option<PointKey> {
        let (base, Some(0), [range]) = (scan.relation.base()?, scan.access.index, scan.access.ranges.as_deref()?)
        else {
            return None;
        };
        let schema = base.schema();
        let whole = !schema.is_keyless()
            && range.equal.len() == schema.primary_key.len()
            && range.lower.is_none()
            && range.upper.is_none()
            && scan.filter.is_empty();
        if !whole {
            return None;
        }
        let mut parts = Vec::new();
        for ((value, &column), field) in range.equal.iter().zip(&schema.primary_key).zip(schema.key.fields()) {
            let SqlType::Integer(integer) = schema.columns[column].sql_type else { return None };
            parts.push(KeyPart { value: value.clone(), field: field.clone(), integer });
        }
        Some(PointKey { parts: parts.into(), scratch: RefCell::default() })
    }

    /// Whether `test` holds for some part of its expressions.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        self.parts.iter().any(|part| part.value.any(test))
    }

    /// The same with memory of its own.
    pub fn again(&self) -> PointKey {
        PointKey { parts: self.parts.clone(), scratch: RefCell::default() }
    }

    /// What `row` finds by the key tuple.
    pub fn find<T>(&self, context: &Context, row: impl FnOnce(&[u8]) -> Result<Option<T>>) -> Result<PointAnswer<T>> {
        let mut values = Vec::with_capacity(self.parts.len());
        for part in self.parts.iter() {
            values.push(part.value.eval_constant(context)?);
        }
        self.find_by(|at, _| values.get(at), row)
    }

    /// The same; `value` gives the value of the nth expression, `None` when it is not at hand.
    fn find_by<'v, T>(
        &'v self,
        value: impl Fn(usize, &'v Expr) -> Option<&'v Value<'v>>,
        row: impl FnOnce(&[u8]) -> Result<Option<T>>,
    ) -> Result<PointAnswer<T>> {
        let mut scratch = self.scratch.borrow_mut();
        let Scratch { tuple: builder, field, key } = &mut *scratch;
        for (at, part) in self.parts.iter().enumerate() {
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
        Ok(row(key)?.map_or(PointAnswer::NoRow, PointAnswer::Row))
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
