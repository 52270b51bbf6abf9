//! MODIFY and CHANGE COLUMN: another type, another place, another name.

use parse::ast::{ColumnDefinition, ColumnPosition};
use value::{SqlType, Value};
use vcs::{Column, Place, ReferentialAction};

use super::super::column::NewColumn;
use super::super::expressions::{self, Spelling};
use super::super::index::{NewIndex, PREFIX_BYTES_MAX, json_in_index, key_too_long, no_length};
use super::super::key_columns;
use super::super::new_table::check_row_bytes;
use super::planned::CollationOf;
use super::{Change, FullText};
use crate::error::{Result, SqlError};
use crate::write::{auto_increment, tags};

impl Change<'_> {
    pub(super) async fn modify_column(
        &mut self,
        name: &str,
        definition: &ColumnDefinition,
        position: Option<&ColumnPosition>,
    ) -> Result<()> {
        self.own_column(name)?;
        self.take_planned_order().await?;
        let at = self.own_column(name)?;
        let before = self.schema.columns[at].clone();
        let mut new = self.redefined(at, definition)?;
        let new_name = new.column.name.clone();
        let is_renamed = new_name != before.name;
        let becomes_key = new.is_primary_key && !before.is_primary_key;
        let target = self.position(position)?.map_or(at, |wanted| if wanted > at { wanted - 1 } else { wanted });
        let is_written_anew = changes_rows(&before, &new.column) || target != at;
        let must_rewrite = is_written_anew || before.generated != new.column.generated;
        if must_rewrite && is_renamed {
            let named = [(&*new_name, &new.column.sql_type)];
            let head = self.work.head_root()?;
            let fresh = tags::of_columns(&self.name, named.into_iter(), &self.root()?, Some(&head))?;
            self.replace_tag(before.tag, fresh[0]);
            new.column.tag = fresh[0];
        }
        let column = new.column.clone();
        self.schema.columns[at] = column.clone();
        check_row_bytes(&self.schema)?;
        if is_renamed {
            self.rename_in_expressions(&before.name, &new_name);
            self.rename_in_keys(column.tag, &before.name, &new_name);
        }
        self.drop_useless_prefixes(&column);
        let moved = self.schema.columns.remove(at);
        self.schema.columns.insert(target, moved);
        key_columns::check_auto_increment(&self.schema, &self.keyed_columns())?;
        self.check_default(&column)?;
        self.spell_as_changed(column.tag, is_written_anew);
        self.full_text = FullText::Rebuilt;
        if must_rewrite {
            self.take_planned_types(CollationOf::Table);
            self.move_values(at, target).await?;
        } else {
            self.store_column()?;
        }
        if column.is_auto_increment && !before.is_auto_increment && self.table.rows_root().tree_count() > 0 {
            let next = self.next_after_rows(target).await?;
            self.count_from(next)?;
        }
        self.add_what_it_promises(&new).await?;
        if becomes_key {
            self.add_primary_key(&NewIndex::of_column(&new.column.name)).await?;
        }
        Ok(())
    }

    /// The column at `at` as a definition has it; of the one before it keeps what makes it the same column.
    ///
    /// # Errors
    /// What a column that others refer to may not become.
    fn redefined<'d>(&mut self, at: usize, definition: &'d ColumnDefinition) -> Result<NewColumn<'d>> {
        let before = self.schema.columns[at].clone();
        let mut new = NewColumn::read(definition, self.schema.collation)?;
        self.planned.change(&before.name, definition, self.schema.collation)?;
        if self.schema.column(&new.column.name).is_some_and(|other| other != at) {
            return Err(SqlError::general("two different columns with the same name exist"));
        }
        if new.is_primary_key && !before.is_primary_key && !self.schema.primary_key.is_empty() {
            return Err(SqlError::new(1068, "error: Multiple primary keys defined"));
        }
        if before.is_primary_key && matches!(new.column.sql_type, SqlType::Geometry { .. }) {
            key_columns::check_type(&self.name, &new.column)?;
        }
        new.column.tag = before.tag;
        new.column.is_primary_key = before.is_primary_key;
        new.column.is_nullable &= !before.is_primary_key;
        let scope: Vec<Column> = self
            .schema
            .columns
            .iter()
            .map(|column| if column.tag == before.tag { new.column.clone() } else { column.clone() })
            .collect();
        new.set_expressions(&self.work, &self.name, &scope)?;
        self.check_references(&before, &new.column)?;
        self.check_lob_indexes(&new.column)?;
        if vcs::encoding(&before.sql_type) == vcs::encoding(&new.column.sql_type) {
            // Tables from before adaptive encodings keep theirs.
            new.column.encoding = before.encoding;
        }
        Ok(new)
    }

    /// Writes the rows anew: the values of one column at another place, as values of the type that is there now.
    async fn move_values(&mut self, from: usize, to: usize) -> Result<()> {
        let context = self.work.context.clone();
        // AUTO_INCREMENT goes on behind the rows: here alone native Dolt looks at their numbers.
        let counted = self.schema.columns.iter().position(|column| column.is_auto_increment);
        let mut next = 1;
        self.rewrite(|row, rules| {
            let mut row = row.clone();
            let value = row.remove(from);
            row.insert(to, Value::Null);
            row[to] = rules.assign(to, &value, &context)?;
            if let Some(number) = counted.and_then(|at| auto_increment::number_of(&row[at])) {
                next = next.max(number.saturating_add(1));
            }
            Ok(row)
        })
        .await?;
        if next > self.table.auto_increment() {
            self.count_from(next)?;
        }
        self.reload();
        Ok(())
    }

    fn replace_tag(&mut self, from: u64, to: u64) {
        let replace = |tag: &mut u64| {
            if *tag == from {
                *tag = to;
            }
        };
        self.schema.replace_tag(from, to);
        for key in &mut self.keys {
            if key.child_table.eq_ignore_ascii_case(&self.name) {
                key.child_columns.iter_mut().for_each(replace);
            }
            if key.parent_table.eq_ignore_ascii_case(&self.name) {
                key.parent_columns.iter_mut().for_each(replace);
            }
        }
        self.are_keys_changed = true;
    }

    /// What a column of a foreign key may not become.
    fn check_references(&self, before: &Column, after: &Column) -> Result<()> {
        let name = &before.name;
        let mut using = self.keys.iter().filter(|key| self.uses(key, before.tag, name));
        let Some(first) = using.next() else { return Ok(()) };
        if before.sql_type != after.sql_type && !only_longer(&before.sql_type, &after.sql_type) {
            let text = format!("unable to change type of column `{name}` as it is used by foreign keys");
            return Err(SqlError::general(text));
        }
        let sets_null = |key: &&vcs::ForeignKey| {
            [key.on_update, key.on_delete].contains(&ReferentialAction::SetNull)
                && key.child_columns.contains(&before.tag)
        };
        match core::iter::once(first).chain(using).find(sets_null) {
            Some(key) if !after.is_nullable => {
                let key = &key.name;
                let text = format!("column `{name}` must allow NULL values as foreign key `{key}` has SET NULL");
                Err(SqlError::general(text))
            }
            _ => Ok(()),
        }
    }

    /// A column that becomes TEXT, BLOB or JSON must be cut in its indexes.
    fn check_lob_indexes(&self, after: &Column) -> Result<()> {
        if !matches!(after.sql_type, SqlType::Text { .. } | SqlType::Blob { .. } | SqlType::Json) {
            return Ok(());
        }
        let is_json = after.sql_type == SqlType::Json;
        if self.schema.primary_key.contains(&after.tag) {
            return Err(if is_json { json_in_index(&after.name) } else { no_length(&after.name) });
        }
        for index in self.schema.indexes.iter().filter(|index| index.fulltext.is_none()) {
            let Some(at) = index.columns.iter().position(|tag| *tag == after.tag) else { continue };
            if is_json && index.vector.is_none() {
                return Err(json_in_index(&after.name));
            }
            let prefix = index.prefix_lengths.get(at).copied().unwrap_or(0);
            if !index.is_unique && prefix == 0 {
                return Err(no_length(&after.name));
            }
            let unit_bytes =
                after.sql_type.collation().map_or(1, |collation| collation.charset().character_bytes_max());
            if u64::from(prefix) * u64::from(unit_bytes) > PREFIX_BYTES_MAX {
                return Err(key_too_long());
            }
        }
        Ok(())
    }

    /// Prefix lengths that a column's new type cannot have, or that are longer than it, go.
    fn drop_useless_prefixes(&mut self, column: &Column) {
        let length_max = bytes_max(&column.sql_type);
        for index in &mut self.schema.indexes {
            for (tag, length) in index.columns.iter().zip(&mut index.prefix_lengths) {
                if *tag == column.tag && u64::from(*length) > length_max {
                    *length = 0;
                }
            }
        }
    }

    /// Names in expressions as native Dolt spells them when a column was changed.
    fn spell_as_changed(&mut self, tag: u64, is_written_anew: bool) {
        let is_own = |column: &Column| column.tag == tag;
        expressions::spell(&mut self.schema, Spelling::Bare, |column| {
            column.generated.is_none() && (is_written_anew || is_own(column))
        });
        expressions::spell(&mut self.schema, Spelling::Of(&self.name), |column| {
            column.generated.is_some() && is_own(column)
        });
        expressions::spell(&mut self.schema, Spelling::Quoted, |column| {
            column.generated.is_some() && is_written_anew && !is_own(column)
        });
    }
}

/// A CHAR, VARCHAR, BINARY or VARBINARY that only gets longer.
fn only_longer(before: &SqlType, after: &SqlType) -> bool {
    use SqlType::*;
    match (before, after) {
        (Char { length, collation }, Char { length: longer, collation: same })
        | (VarChar { length, collation }, VarChar { length: longer, collation: same }) => {
            longer >= length && collation == same
        }
        (Binary { length }, Binary { length: longer }) | (VarBinary { length }, VarBinary { length: longer }) => {
            longer >= length
        }
        _ => false,
    }
}

/// Whether rows change with their column, where it is computed as before.
fn changes_rows(before: &Column, after: &Column) -> bool {
    let is_stored = |column: &Column| column.place != Place::Virtual && !column.is_virtual();
    if (before.is_nullable && !after.is_nullable) || is_stored(before) == after.is_virtual() {
        return true;
    }
    let (from, to) = (&before.sql_type, &after.sql_type);
    let starts = |from: &[String], to: &[String]| to.starts_with(from);
    match (from, to) {
        (from, to) if from == to => false,
        (SqlType::Enum(from), SqlType::Enum(to)) => {
            from.collation != to.collation || !starts(&from.members, &to.members)
        }
        (SqlType::Set(from), SqlType::Set(to)) => from.collation != to.collation || !starts(&from.members, &to.members),
        (SqlType::Char { .. } | SqlType::VarChar { .. }, SqlType::Char { .. } | SqlType::VarChar { .. })
        | (SqlType::Text { .. }, SqlType::Text { .. }) => {
            from.collation() != to.collation() || bytes_max(from) > bytes_max(to)
        }
        (SqlType::VarBinary { .. } | SqlType::Binary { .. }, SqlType::VarBinary { .. })
        | (SqlType::Blob { .. }, SqlType::Blob { .. }) => bytes_max(from) > bytes_max(to),
        _ => true,
    }
}

fn bytes_max(ty: &SqlType) -> u64 {
    match ty {
        SqlType::Char { length, collation } | SqlType::VarChar { length, collation } => {
            u64::from(*length) * u64::from(collation.charset().character_bytes_max())
        }
        SqlType::Binary { length } | SqlType::VarBinary { length } => u64::from(*length),
        SqlType::Text { size, .. } | SqlType::Blob { size } => size.bytes_max(),
        _ => 0,
    }
}
