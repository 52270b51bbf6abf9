//! ADD COLUMN, and the values of existing rows.

use parse::ast::{ColumnDefinition, ColumnPosition};
use value::{EnumValue, SqlType, Value};
use vcs::Column;

use super::super::column::NewColumn;
use super::super::expressions::{self, Spelling};
use super::super::foreign_key::NewForeignKey;
use super::super::new_table::check_row_bytes;
use super::planned::CollationOf;
use super::{Change, FullText};
use crate::error::{Result, SqlError};
use crate::write::{auto_increment, tags};

/// As many as MySQL has in a table.
const COLUMNS_MAX: usize = 4096;

impl Change<'_> {
    pub(super) async fn add_column(
        &mut self,
        definition: &ColumnDefinition,
        position: Option<&ColumnPosition>,
        if_not_exists: bool,
    ) -> Result<()> {
        let mut new = NewColumn::read(definition, self.schema.collation)?;
        let name = &*definition.name.text;
        if self.schema.column(name).is_some() {
            let text = format!("Column \"{name}\" already exists");
            return if if_not_exists { Ok(()) } else { Err(SqlError::general(text)) };
        }
        self.adds_columns = true;
        let becomes_key = new.is_primary_key;
        if becomes_key && !self.schema.primary_key.is_empty() {
            return Err(SqlError::new(1068, "error: Multiple primary keys defined"));
        }
        let mut scope = self.schema.columns.clone();
        scope.push(new.column.clone());
        new.set_expressions(&self.work, &self.name, &scope)?;
        let mut column = new.column.clone();
        // Native Dolt only changes the schema for a column that is NULL in every row; else it writes the table as it was planned.
        let is_plain = column.is_nullable && column.default.is_none() && column.generated.is_none() && !becomes_key;
        let head = if is_plain { None } else { Some(self.work.head_root()?) };
        let (root, ty) = (self.root()?, &column.sql_type);
        column.tag = tags::of_new_column(&self.name, name, ty, &self.schema, &root, head.as_ref())?;
        if !is_plain {
            self.take_planned_order().await?;
            self.take_planned_types(CollationOf::Table);
        }
        self.planned.add(definition, position, self.schema.collation)?;
        let at = self.position(position)?.unwrap_or(self.schema.columns.len());
        let keeps_rows = is_plain && at == self.schema.columns.len();
        self.schema.columns.insert(at, column.clone());
        if self.schema.columns.len() > COLUMNS_MAX {
            return Err(SqlError::too_many_columns());
        }
        check_row_bytes(&self.schema)?;
        self.check_default(&column)?;
        if !is_plain {
            expressions::spell(&mut self.schema, Spelling::Quoted, |_| true);
        }
        if becomes_key {
            self.schema.primary_key = vec![column.tag];
        }
        self.full_text = FullText::Rebuilt;
        if keeps_rows {
            self.store()?;
        } else {
            self.fill_new_column(at, &column, is_plain).await?;
            self.reload();
        }
        self.add_what_it_promises(&new).await?;
        if let Some(references) = new.references {
            self.add_new_foreign_key(&NewForeignKey::of_column(name, references)).await?;
        }
        Ok(())
    }

    /// Puts a value of the new column into every row: the next number, what its expressions give, or what its type begins with.
    async fn fill_new_column(&mut self, at: usize, column: &Column, is_null: bool) -> Result<()> {
        if is_null {
            let insert = self.move_rows(|row, _| {
                let mut row = row.clone();
                row.insert(at, Value::Null);
                Ok(row)
            });
            return insert.await;
        }
        let mut next = self.table.auto_increment();
        let context = self.work.context.clone();
        let may_be_zero = column.default.is_none() && !column.is_nullable && column.generated.is_none();
        self.rewrite(|row, rules| {
            let mut row = row.clone();
            row.insert(at, Value::Null);
            if column.is_auto_increment {
                row[at] = auto_increment::value_of(next, &column.sql_type);
                next += 1;
            } else if may_be_zero {
                row[at] = zero(&column.sql_type);
            } else if column.generated.is_none() {
                let value = rules.default(at, &row, &context)?;
                row[at] = rules.assign(at, &value, &context)?;
            }
            Ok(row)
        })
        .await?;
        if column.is_auto_increment && next > 1 { self.count_from(next) } else { Ok(()) }
    }
}

/// The value of a new NOT NULL column without a default.
fn zero(ty: &SqlType) -> Value<'static> {
    let from = |value: Value<'_>| value::convert::nearest(&value, ty).map(|(value, _)| value).ok();
    let zero = match ty {
        ty if ty.is_text() || ty.is_binary() => from(Value::text("")),
        SqlType::Enum(kind) => Some(Value::Enum(EnumValue { index: 0, kind: kind.clone() })),
        SqlType::Json => from(Value::text("null")),
        _ => from(Value::Int(0)),
    };
    zero.unwrap_or(Value::Null)
}
