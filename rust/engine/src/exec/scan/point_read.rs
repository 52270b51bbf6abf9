//! Point read: one row by its whole primary key, without operators, for a prepared `SELECT … WHERE id = ?`.

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
use crate::page::{self, ResultColumn};
use crate::plan::{Plan, Scan, columns_of};

pub struct PointRead {
    relation: Rc<dyn Relation>,
    rows: Map,
    key: PointKey,
    /// Where the columns lie.
    fields: Rc<[Field]>,
    /// Whether all of them go into a page as they lie.
    is_copied: bool,
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
        let Some(scan) = plan.scan_below() else { return Ok(None) };
        let (Some(base), Some(key)) = (scan.relation.base(), PointKey::of_scan(scan)) else { return Ok(None) };
        let outputs = columns_of(plan);
        let Some(positions) = outputs.into_iter().map(|id| plan.position_below(id)).collect::<Option<Vec<usize>>>()
        else {
            return Ok(None);
        };
        let fields: Rc<[Field]> = Field::of_rows(base.schema(), &positions)?.into();
        let is_copied =
            fields.iter().zip(columns).all(|(field, column)| page::row::is_copied(field.kind(), &column.ty));
        Ok(Some(PointRead { relation: scan.relation.clone(), rows: base.table.rows(), key, fields, is_copied }))
    }

    /// The table.
    pub fn relation(&self) -> &Rc<dyn Relation> {
        &self.relation
    }

    /// The same in another version of its table, which has the same schema.
    pub fn over(&self, relation: Rc<dyn Relation>) -> Option<PointRead> {
        let rows = relation.base()?.table.rows();
        let (key, fields, is_copied) = (self.key.again(), self.fields.clone(), self.is_copied);
        Some(PointRead { relation, rows, key, fields, is_copied })
    }

    /// The row as a batch.
    pub fn read(&self, context: &Context) -> Result<PointAnswer<Batch>> {
        let item = match self.key.find(context, |key| Ok(self.rows.get(key)?))? {
            PointAnswer::Row(item) => item,
            PointAnswer::NoRow => return Ok(PointAnswer::NoRow),
            PointAnswer::Other => return Ok(PointAnswer::Other),
        };
        let pieces = [Piece::one(item.leaf, item.index)];
        let nodes = &self.rows.nodes;
        let read = |field: &Field| ColumnReader::new(field.clone(), nodes.clone()).read(&pieces, 1, None);
        let columns = self.fields.iter().map(read).collect::<Result<Vec<Rc<_>>>>()?;
        Ok(PointAnswer::Row(Batch { rows: 1, columns }))
    }

    /// The row as a page, copied from its leaf.
    pub fn write_page(
        &self,
        params: &[Value<'_>],
        columns: &[ResultColumn],
        out: &mut Vec<u8>,
    ) -> Result<PointAnswer<()>> {
        if !self.is_copied {
            return Ok(PointAnswer::Other);
        }
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
        let row =
            self.fields.iter().zip(columns).map(|(field, column)| (field.of(key, value), field.kind(), &column.ty));
        Ok(if page::row::write(row, out)? { PointAnswer::Row(()) } else { PointAnswer::Other })
    }
}

impl PointKey {
    /// The key of the row that a plan is about, if that is a scan of one whole, whole-number key.
    pub fn of(plan: &Plan) -> Option<PointKey> {
        PointKey::of_scan(plan.scan_below()?)
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
        let mut parts = Vec::with_capacity(range.equal.len());
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
