//! Foreign key references, as positions of columns, and the look-up of parents and children.

use std::cell::RefCell;
use std::rc::Rc;

use tree::{RowWriter, TupleDescriptor};
use value::{Collation, EnumValue, SetValue, SqlType, Value};
use vcs::{ForeignKey, ReferentialAction, Schema};

use super::branch_lists::is_branch_list;
use super::row::Row;
use super::table_editor::TableEditor;
use crate::error::{Result, SqlError};

/// Changes that follow from one another, the statement's own among them.
pub const DEPTH_MAX: usize = 15;

/// One foreign key between two tables of a writer.
pub struct Reference {
    pub key: ForeignKey,
    /// Positions of the columns in the table that declares it.
    pub child_columns: Vec<usize>,
    /// Positions in the table that it refers to, in the same order.
    pub parent_columns: Vec<usize>,
    pub child_lookup: Lookup,
    pub parent_lookup: Lookup,
}

/// How the rows of a table are found by the columns of a key.
pub struct Lookup {
    /// Position in the schema's indexes; `None` is the primary key.
    index: Option<usize>,
    /// For the first fields of that, which column of the key it is.
    order: Vec<usize>,
    /// Writes those fields.
    writer: RefCell<RowWriter>,
}

impl Reference {
    /// `None` for a key whose columns or indexes are not there: it is not resolved.
    pub fn new(key: &ForeignKey, child: &Schema, parent: &Schema) -> Option<Reference> {
        let child_columns = positions(child, &key.child_columns, &key.unresolved_child_columns)?;
        // The tags of a list that is made anew depend on those that are taken.
        let parent_tags = if is_branch_list(&key.parent_table) { &[][..] } else { &key.parent_columns };
        let parent_columns = positions(parent, parent_tags, &key.unresolved_parent_columns)?;
        if child_columns.len() != parent_columns.len() {
            return None;
        }
        Some(Reference {
            child_lookup: Lookup::new(child, &key.child_index, &child_columns)?,
            parent_lookup: Lookup::new(parent, &key.parent_index, &parent_columns)?,
            key: key.clone(),
            child_columns,
            parent_columns,
        })
    }

    /// The values of the key in a child's row; `None` when it refers to nothing because one of them is NULL.
    pub fn child_values<'r>(&self, row: &'r Row) -> Option<Vec<Value<'r>>> {
        values(row, &self.child_columns)
    }

    /// The values by which children refer to a parent's row.
    pub fn parent_values<'r>(&self, row: &'r Row) -> Option<Vec<Value<'r>>> {
        values(row, &self.parent_columns)
    }

    /// Whether the key is the table's to itself.
    pub fn is_of_one_table(&self) -> bool {
        self.key.child_table.eq_ignore_ascii_case(&self.key.parent_table)
    }

    /// The error for a child without parent.
    pub fn no_parent(&self, values: &[Value<'_>]) -> SqlError {
        let ForeignKey { name, child_table, parent_table, .. } = &self.key;
        let text = format!(
            "cannot add or update a child row - Foreign key violation on fk: `{name}`, table: `{child_table}`, \
             referenced table: `{parent_table}`, key: `{}`",
            shown(values)
        );
        SqlError::new(1452, text)
    }

    /// The error for a parent that children still refer to.
    pub fn has_children(&self, values: &[Value<'_>]) -> SqlError {
        let ForeignKey { name, child_table, parent_table, .. } = &self.key;
        let text = format!(
            "cannot delete or update a parent row - Foreign key violation on fk: `{name}`, table: `{child_table}`, \
             referenced table: `{parent_table}`, key: `{}`",
            shown(values)
        );
        SqlError::new(1451, text)
    }
}

/// Whether children are left alone and keep their parent from going.
pub fn is_restricting(action: ReferentialAction) -> bool {
    !matches!(action, ReferentialAction::Cascade | ReferentialAction::SetNull)
}

/// Whether a key says that something happens to children.
pub fn has_effect(action: ReferentialAction) -> bool {
    !matches!(action, ReferentialAction::Default | ReferentialAction::NoAction)
}

/// A value of a key as the column at its other end has it: members go by their numbers, whatever they are called there.
pub fn referred(value: &Value<'_>, ty: &SqlType) -> Result<Value<'static>> {
    Ok(match (value, ty) {
        (Value::Enum(member), SqlType::Enum(kind)) => {
            Value::Enum(EnumValue { index: member.index, kind: kind.clone() })
        }
        (Value::Set(members), SqlType::Set(kind)) => Value::Set(SetValue { bits: members.bits, kind: kind.clone() }),
        (value, ty) => value::assign(value, ty)?,
    })
}

/// The columns of the keys of an index, or of the rows: an index has what of the primary key it does not name behind its own.
fn key_columns(schema: &Schema, index: Option<usize>) -> Vec<usize> {
    match index {
        None => schema.primary_key.clone(),
        Some(index) => schema.indexes[index].fields.iter().map_while(|field| field.column).collect(),
    }
}

fn positions(schema: &Schema, tags: &[u64], names: &[Box<str>]) -> Option<Vec<usize>> {
    if tags.is_empty() {
        return names.iter().map(|name| schema.column(name)).collect();
    }
    tags.iter().map(|tag| schema.columns.iter().position(|column| column.tag == *tag)).collect()
}

/// Whether two keys are the same, by the order of each column.
pub fn are_same(left: &[Value<'_>], right: &[Value<'_>], schema: &Schema, columns: &[usize]) -> bool {
    left.iter().zip(right).zip(columns).all(|((left, right), column)| {
        let collation = schema.columns[*column].sql_type.collation().unwrap_or(Collation::BINARY);
        value::sort_order(left, right, collation).is_ok_and(std::cmp::Ordering::is_eq)
    })
}

fn values<'r>(row: &'r Row, columns: &[usize]) -> Option<Vec<Value<'r>>> {
    let values: Vec<Value<'r>> = columns.iter().map(|column| row[*column].borrowed()).collect();
    if values.iter().any(Value::is_null) { None } else { Some(values) }
}

fn shown(values: &[Value<'_>]) -> String {
    let texts = values.iter().map(|value| value::convert::to_string(value).unwrap_or_default().into_owned());
    format!("[{}]", texts.collect::<Vec<_>>().join(","))
}

impl Lookup {
    /// By the index that the key names, else by any that begins with its columns.
    fn new(schema: &Schema, name: &str, columns: &[usize]) -> Option<Lookup> {
        let serving = |index: Option<usize>| {
            if index.is_some_and(|index| !schema.indexes[index].is_ordered()) {
                return None;
            }
            let key = key_columns(schema, index);
            let first = key.get(..columns.len())?;
            let order = first.iter().map(|column| columns.iter().position(|known| known == column));
            let descriptor = index.map_or(&schema.key, |index| &schema.indexes[index].key);
            let fields = TupleDescriptor::new(&descriptor.fields()[..first.len()]);
            let writer = RefCell::new(RowWriter::new(Rc::new(fields), schema.target_row_bytes));
            Some(Lookup { index, order: order.collect::<Option<_>>()?, writer })
        };
        let named = schema.indexes.iter().position(|index| !name.is_empty() && index.name.eq_ignore_ascii_case(name));
        let others = std::iter::once(None).chain((0..schema.indexes.len()).map(Some));
        named.map(Some).into_iter().chain(others).find_map(serving)
    }

    /// The keys of the next rows that have these values, behind the entry `after`, which becomes that of the last one. None is the end.
    pub fn rows(&self, table: &TableEditor, values: &[Value<'_>], after: &mut Option<Vec<u8>>) -> Result<Vec<Vec<u8>>> {
        match self.prefix(table, values) {
            Some(prefix) => table.rows_with(self.index, &prefix, self.order.len(), after),
            None => Ok(Vec::new()),
        }
    }

    /// Whether some row has these values.
    pub fn finds(&self, table: &TableEditor, values: &[Value<'_>]) -> Result<bool> {
        match self.prefix(table, values) {
            Some(prefix) => table.has_row_with(self.index, &prefix, self.order.len()),
            None => Ok(false),
        }
    }

    /// The beginning of the index's keys; `None` for values that no row of the table can have.
    fn prefix(&self, table: &TableEditor, values: &[Value<'_>]) -> Option<Vec<u8>> {
        let schema = table.schema();
        let in_order = self.order.iter().zip(key_columns(schema, self.index));
        let fitted = in_order.map(|(at, column)| referred(&values[*at], &schema.columns[column].sql_type).ok());
        table.key_prefix(&mut self.writer.borrow_mut(), &fitted.collect::<Option<Vec<_>>>()?).ok()
    }
}
