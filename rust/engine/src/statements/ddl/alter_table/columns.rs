//! Columns that come, go, move and change.

use parse::ast::{ColumnDefinition, ColumnPosition, Expr};
use value::{EnumValue, SqlType, Value};
use vcs::{Column, Place, ReferentialAction};

use super::super::column::{self, NewColumn, default_text};
use super::super::expressions::{self, Spelling};
use super::super::foreign_key::{NewForeignKey, no_column};
use super::super::index::{NewIndex, PREFIX_BYTES_MAX, json_in_index, key_too_long, no_length};
use super::super::key_columns;
use super::super::new_table::check_row_bytes;
use super::planned::CollationOf;
use super::{Change, FullText};
use crate::catalog::column_notes::is_computed;
use crate::error::{Result, SqlError};
use crate::write::{auto_increment, tags};

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

    /// The place that FIRST or AFTER says.
    fn position(&self, position: Option<&ColumnPosition>) -> Result<Option<usize>> {
        match position {
            None => Ok(None),
            Some(ColumnPosition::First) => Ok(Some(0)),
            Some(ColumnPosition::After(name)) => {
                let at = self.schema.column(&name.text).ok_or_else(|| no_column(&self.name, &name.text))?;
                Ok(Some(at + 1))
            }
        }
    }

    pub(super) async fn drop_column(&mut self, name: &str, if_exists: bool) -> Result<()> {
        let at = match self.own_column(name) {
            Err(_) if if_exists => return Ok(()),
            at => at?,
        };
        let (tag, name) = (self.schema.columns[at].tag, self.schema.columns[at].name.clone());
        self.take_planned_order().await?;
        let at = self.schema.column(&name).unwrap_or(at);
        let dropped = self.checks_to_drop_with(tag, &name)?;
        self.schema.checks.retain(|check| !dropped.contains(&check.name));
        self.schema.columns.remove(at);
        self.planned.remove(&name);
        self.take_planned_types(CollationOf::Server);
        self.schema.is_key_dropped = self.schema.primary_key == [tag];
        self.schema.primary_key.retain(|known| *known != tag);
        // An index goes with any of its columns, but words are found in those that are left.
        let keeps_words = |index: &&mut vcs::IndexDefinition| index.fulltext.is_some() && index.columns.len() > 1;
        for index in self.schema.indexes.iter_mut().filter(keeps_words) {
            index.columns.retain(|known| *known != tag);
        }
        let hidden: Vec<u64> = self.hidden_columns_of(|index| index.columns.contains(&tag));
        // As in native Dolt the tables behind a full-text index stay.
        self.schema.indexes.retain(|index| !index.columns.contains(&tag));
        let kept: Vec<usize> = (0..=self.schema.columns.len())
            .filter(|known| *known != at)
            .filter(|known| {
                let position = if *known > at { known - 1 } else { *known };
                !hidden.contains(&self.schema.columns[position].tag)
            })
            .collect();
        self.schema.columns.retain(|column| !hidden.contains(&column.tag));
        expressions::spell(&mut self.schema, Spelling::Quoted, |_| true);
        self.rewrite(|row, _| Ok(kept.iter().map(|at| row[*at].clone()).collect())).await?;
        self.reload();
        Ok(())
    }

    /// The checks that go with a column, which are about nothing else.
    ///
    /// # Errors
    /// Where something needs the column, and where it is the last one.
    fn checks_to_drop_with(&self, tag: u64, name: &str) -> Result<Vec<Box<str>>> {
        if let Some(key) = self.keys.iter().find(|key| self.uses(key, tag, name)) {
            let text = format!("cannot drop column `{name}` as it is used in foreign key `{}`", key.name);
            return Err(SqlError::general(text));
        }
        for column in &self.schema.columns {
            let generated = column.generated.as_ref().map(|generated| &generated.expression);
            let text = generated.or(column.default.as_ref());
            if column.tag != tag && text.is_some_and(|text| expressions::names(text).contains(&name.to_lowercase())) {
                let other = &column.name;
                if column.is_hidden {
                    return Err(behind_index(name));
                }
                let text =
                    format!("cannot drop column \"{name}\" as default value of column \"{other}\" references it");
                return Err(SqlError::general(text));
            }
        }
        let mut dropped = Vec::new();
        for check in &self.schema.checks {
            let names = expressions::names(&check.expression);
            let folded = name.to_lowercase();
            if names.contains(&folded) {
                if names.iter().any(|other| *other != folded) {
                    return Err(invalidates(name, &check.name));
                }
                dropped.push(check.name.clone());
            }
        }
        if self.schema.columns.iter().filter(|column| !column.is_hidden).count() == 1 {
            let text = "You can't delete all columns with ALTER TABLE; use DROP TABLE instead";
            return Err(SqlError::general(text));
        }
        Ok(dropped)
    }

    pub(super) fn uses(&self, key: &vcs::ForeignKey, tag: u64, name: &str) -> bool {
        let has = |table: &str, tags: &[u64], names: &[Box<str>]| {
            table.eq_ignore_ascii_case(&self.name)
                && (tags.contains(&tag)
                    || (tags.is_empty() && names.iter().any(|known| known.eq_ignore_ascii_case(name))))
        };
        has(&key.child_table, &key.child_columns, &key.unresolved_child_columns)
            || has(&key.parent_table, &key.parent_columns, &key.unresolved_parent_columns)
    }

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
        let mut new = NewColumn::read(definition, self.schema.collation)?;
        self.planned.change(name, definition, self.schema.collation)?;
        let new_name = new.column.name.clone();
        let is_renamed = new_name != before.name;
        if is_renamed && self.schema.column(&new_name).is_some_and(|other| other != at) {
            return Err(SqlError::general("two different columns with the same name exist"));
        }
        let becomes_key = new.is_primary_key && !before.is_primary_key;
        if becomes_key && !self.schema.primary_key.is_empty() {
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

    /// What AUTO_INCREMENT gives next.
    fn count_from(&mut self, next: u64) -> Result<()> {
        let mut draft = self.table.draft();
        draft.auto_increment = Some(next);
        self.table = draft.write()?;
        Ok(())
    }

    /// The unique index and the checks that a column's definition asks for.
    async fn add_what_it_promises(&mut self, new: &NewColumn<'_>) -> Result<()> {
        if new.is_unique {
            // Not called otherwise where the name is taken: a second MODIFY … UNIQUE is an error.
            self.add_index(&NewIndex::of_column(&new.column.name).called(&new.column.name))?;
        }
        for check in &new.checks {
            self.add_check(check).await?;
        }
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
        let length_max = match &column.sql_type {
            SqlType::Char { length, collation } | SqlType::VarChar { length, collation } => {
                u64::from(*length) * u64::from(collation.charset().character_bytes_max())
            }
            SqlType::Text { size, .. } | SqlType::Blob { size } => size.bytes_max(),
            SqlType::Binary { length } | SqlType::VarBinary { length } => u64::from(*length),
            _ => 0,
        };
        for index in &mut self.schema.indexes {
            for (tag, length) in index.columns.iter().zip(&mut index.prefix_lengths) {
                if *tag == column.tag && u64::from(*length) > length_max {
                    *length = 0;
                }
            }
        }
    }

    pub(super) fn rename_column(&mut self, from: &str, to: &str) -> Result<()> {
        column::name(to)?;
        let at = self.own_column(from)?;
        column::refuse_hidden_name(to)?;
        let folded = from.to_lowercase();
        let is_behind = |column: &Column| {
            let text = column.generated.as_ref().filter(|_| column.is_hidden).map(|generated| &generated.expression);
            text.is_some_and(|text| expressions::names(text).contains(&folded))
        };
        if self.schema.columns.iter().any(is_behind) {
            return Err(behind_index(from));
        }
        if let Some(check) =
            self.schema.checks.iter().find(|check| expressions::names(&check.expression).contains(&folded))
        {
            return Err(invalidates(from, &check.name));
        }
        if self.schema.column(to).is_some_and(|other| other != at) || from == to {
            return Err(SqlError::general(format!("Column \"{to}\" already exists")));
        }
        let before = self.schema.columns[at].name.clone();
        self.schema.columns[at].name = to.into();
        self.planned.rename(from, to);
        let tag = self.schema.columns[at].tag;
        self.rename_in_expressions(&before, to);
        self.rename_in_keys(tag, &before, to);
        self.store_column()
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

    /// Defaults are looked at as a whole when one comes that is an expression.
    fn check_default(&self, new: &Column) -> Result<()> {
        match new.default.as_deref().is_some_and(is_computed) {
            true => expressions::refuse_forward_defaults(&self.schema.columns),
            false => Ok(()),
        }
    }

    /// Native Dolt leaves checks as they are, so that the next INSERT fails.
    fn rename_in_expressions(&mut self, from: &str, to: &str) {
        let mut is_named = false;
        for column in &mut self.schema.columns {
            let generated = column.generated.as_mut().map(|generated| &mut generated.expression);
            for text in generated.into_iter().chain(&mut column.default) {
                is_named |= expressions::rename(text, from, to);
            }
        }
        if is_named {
            expressions::spell(&mut self.schema, Spelling::Quoted, |_| true);
        }
        for check in &mut self.schema.checks {
            expressions::rename(&mut check.expression, from, to);
        }
    }

    /// Foreign keys know their columns by tag and keep the names beside.
    fn rename_in_keys(&mut self, tag: u64, from: &str, to: &str) {
        let rename = |tags: &[u64], names: &mut [Box<str>]| {
            let mut is_changed = false;
            for (at, name) in names.iter_mut().enumerate() {
                if tags.get(at) == Some(&tag) || (tags.is_empty() && name.eq_ignore_ascii_case(from)) {
                    *name = to.into();
                    is_changed = true;
                }
            }
            is_changed
        };
        for key in &mut self.keys {
            if key.child_table.eq_ignore_ascii_case(&self.name) {
                self.are_keys_changed |= rename(&key.child_columns, &mut key.unresolved_child_columns);
            }
            if key.parent_table.eq_ignore_ascii_case(&self.name) {
                self.are_keys_changed |= rename(&key.parent_columns, &mut key.unresolved_parent_columns);
            }
        }
    }

    pub(super) fn set_default(&mut self, name: &str, default: Option<(&Expr, bool)>) -> Result<()> {
        let (at, text) = match default {
            Some((expr, parenthesized)) => {
                let (at, scope) = (self.own_column(name)?, &self.schema.columns);
                (at, Some(default_text(&self.work, &self.name, &scope[at], expr, parenthesized, scope)?))
            }
            // As in native Dolt by a name, too, that the same statement has given.
            None => (self.schema.column(name).ok_or_else(|| no_column(&self.name, name))?, None),
        };
        let column = &mut self.schema.columns[at];
        // What computes a column is its default in native Dolt, which reads it and prints it once more between parentheses.
        if let (None, Some(generated)) = (&text, &mut column.generated) {
            generated.expression = format!("({})", generated.expression).into();
        }
        column.default = text;
        self.store_column()
    }
}

fn invalidates(column: &str, check: &str) -> SqlError {
    SqlError::general(format!(
        "can't alter column \"{column}\" because it would invalidate check constraint \"{check}\""
    ))
}

/// What stands in a new column that may not be NULL and has no default.
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

fn behind_index(column: &str) -> SqlError {
    let text = "has a functional index dependency and cannot be dropped or renamed.";
    SqlError::new(3837, format!("Column '{column}' {text}"))
}
