//! Rows of one version of a schema as rows of the merged one (docs/format/database.md, section 10.5).

use std::rc::Rc;

use tree::NodeStore;
use tree::tuple::{RowWriter, Tuple, TupleBuilder, decode};
use value::{SqlType, Value, assign};

use crate::error::Result;
use crate::expressions::Expressions;
use crate::merge::rows::row::Row;
use crate::merge::schema::type_change::TypeChange;
use crate::schema::{Column, Place, Schema};

/// The stored columns of a schema that are not in its key, in the order of the fields of value tuples.
pub(crate) fn stored_columns(schema: &Schema) -> Vec<&Column> {
    schema.columns.iter().filter(|column| matches!(column.place, Place::Value(_))).collect()
}

/// Finds the field of each stored column of `target` in value tuples of `source`: by tag, else by name.
pub(crate) fn field_map(target: &Schema, source: &Schema) -> Vec<Option<usize>> {
    let field = |column: &Column| match column.place {
        Place::Value(field) => Some(field),
        _ => None,
    };
    let find = |column: &&Column| {
        let by_tag = source.column_by_tag(column.tag).and_then(field);
        let by_name = || source.columns.iter().find(|other| other.name == column.name).and_then(field);
        by_tag.or_else(by_name)
    };
    stored_columns(target).iter().map(find).collect()
}

/// A value of one column's type as one of another's.
pub(crate) fn convert<'a>(value: Value<'a>, from: &SqlType, to: &SqlType) -> Result<Value<'a>> {
    if from == to || value.is_null() { Ok(value) } else { Ok(assign(&value, to).map_err(tree::TreeError::from)?) }
}

/// Turns rows of a source schema into rows of a target schema.
pub(crate) struct RowMap {
    source: Rc<Schema>,
    target: Rc<Schema>,
    /// Field of the source for each stored column of the target.
    pub fields: Vec<Option<usize>>,
    writer: RowWriter,
}

impl RowMap {
    pub(crate) fn new(source: &Rc<Schema>, target: &Rc<Schema>) -> RowMap {
        RowMap {
            source: source.clone(),
            target: target.clone(),
            fields: field_map(target, source),
            writer: RowWriter::new(target.value.clone(), target.target_row_bytes),
        }
    }

    /// Whether the fields are the same ones in the same order.
    pub(crate) fn is_identity(&self) -> bool {
        let first = usize::from(self.target.is_keyless());
        self.fields.iter().enumerate().all(|(to, from)| *from == Some(to + first))
    }

    /// Whether value tuples of the source are value tuples of the target.
    pub(crate) fn is_same(&self) -> bool {
        self.is_identity() && self.source.value.fields() == self.target.value.fields()
    }

    /// Whether the target stores each of its fields with the same bytes.
    pub(crate) fn keeps_bytes(&self) -> bool {
        (0..self.fields.len()).all(|stored| self.keeps_bytes_of(stored))
    }

    /// The same of one of the target's stored columns.
    pub(crate) fn keeps_bytes_of(&self, stored: usize) -> bool {
        let to = &self.target.value.fields()[stored + usize::from(self.target.is_keyless())];
        let Some(from) = self.fields[stored].map(|from| &self.source.value.fields()[from]) else { return true };
        from.encoding == to.encoding && !TypeChange::between(&from.sql_type, &to.sql_type).rewrites_rows
    }

    /// Puts the fields in the target's order without looking at them.
    pub(crate) fn reorder(&self, value: &[u8]) -> Result<Vec<u8>> {
        let value = Tuple::new(value);
        let mut tuple = TupleBuilder::new();
        for from in &self.fields {
            tuple.push(from.and_then(|from| value.field(from)));
        }
        Ok(tuple.finish()?)
    }

    /// The row's values in the target: converted where the type is another one, defaults for new columns, generated columns
    /// computed.
    pub(crate) fn map(&mut self, nodes: &NodeStore, row: Row<'_>, expressions: &dyn Expressions) -> Result<Vec<u8>> {
        let columns = stored_columns(&self.target);
        let tuple = Tuple::new(row.value);
        let mut values = Vec::with_capacity(columns.len());
        let mut known = None;
        for (column, from) in columns.iter().zip(&self.fields) {
            let stored = match (from, &column.generated) {
                (Some(from), None) => {
                    let kind = &self.source.value.fields()[*from];
                    convert(decode(nodes, kind, tuple.field(*from))?, &kind.sql_type, &column.sql_type)?
                }
                _ => {
                    let generated = column.generated.as_ref().map(|generated| &generated.expression);
                    match generated.or(column.default.as_ref()) {
                        Some(expression) => {
                            if known.is_none() {
                                known = Some(row.values(nodes, &self.source)?);
                            }
                            let known = known.as_deref().unwrap_or_default();
                            let computed = expressions.value(&self.source, expression, known)?;
                            assign(&computed, &column.sql_type).map_err(tree::TreeError::from)?
                        }
                        None => Value::Null,
                    }
                }
            };
            values.push(stored);
        }
        Ok(self.writer.write(&values, &mut &*nodes)?)
    }
}
