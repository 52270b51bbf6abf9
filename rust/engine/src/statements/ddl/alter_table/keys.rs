//! Indexes, the primary key, foreign keys and checks.

use parse::ast::{self, CheckConstraint, IndexDefinition, IndexKind};
use vcs::{Column, ForeignKey};

use super::super::expressions::{self, Spelling};
use super::super::foreign_key::NewForeignKey;
use super::super::index::{self, NewIndex, Part};
use super::super::{check, column, full_text, key_columns};
use super::{Change, FullText};
use crate::error::{Result, SqlError};
use crate::write::key_indexes::{best_index, child_has_index, parent_has_index};

fn nothing_to_drop(name: &str) -> SqlError {
    SqlError::new(1091, format!("error: can't drop '{name}'; check that column/key exists"))
}

impl Change<'_> {
    pub(super) async fn add_key(&mut self, definition: &IndexDefinition) -> Result<()> {
        let new = NewIndex::read(definition)?;
        match new.kind {
            IndexKind::Primary => self.add_primary_key(&new).await,
            _ => self.add_index(&new),
        }
    }

    pub(super) fn add_index(&mut self, new: &NewIndex<'_>) -> Result<()> {
        if new.is_there_already(&self.schema) {
            return Ok(());
        }
        new.check(&self.work, &self.schema)?;
        if new.kind == IndexKind::FullText {
            self.work.root = self.root()?;
            full_text::add(&mut self.work, &self.name, new, &mut self.schema)?;
            let stored = self.work.root.table(&self.name)?;
            self.table = stored.ok_or_else(|| SqlError::table_not_found(&self.name))?;
            self.reload();
            return Ok(());
        }
        let name = new.chosen_name(&self.schema);
        if name.eq_ignore_ascii_case("PRIMARY") {
            return Err(SqlError::general(format!("invalid index name '{name}'")));
        }
        let before = self.schema.clone();
        let definition = new.define(&self.work, &self.name, &name, &mut self.schema)?;
        index::warn_of_twin(&self.work, &self.name, &self.schema, &definition);
        let is_expression = !self.hidden_among(&definition.columns).is_empty();
        let had_virtual = before.columns.iter().any(Column::is_virtual);
        match is_expression {
            // The column behind the expression has spelled the others already.
            true if definition.is_unique || !had_virtual => expressions::parenthesize(&mut self.schema, &before),
            false if definition.is_unique => expressions::print_anew(&mut self.schema, Spelling::Of(&self.name)),
            _ => {}
        }
        // Foreign keys use the newest of indexes over the same columns.
        let twins = self.schema.indexes.iter().filter(|known| known.columns == definition.columns);
        let twins: Vec<Box<str>> = twins.map(|known| known.name.clone()).collect();
        index::add(&mut self.schema, definition)?;
        twins.iter().for_each(|twin| self.rename_index_in_keys(twin, &name));
        self.store()
    }

    /// Foreign keys that used one index use another one.
    fn rename_index_in_keys(&mut self, from: &str, to: &str) {
        for key in &mut self.keys {
            if key.child_table.eq_ignore_ascii_case(&self.name) && &*key.child_index == from {
                key.child_index = to.into();
                self.are_keys_changed = true;
            }
            if key.parent_table.eq_ignore_ascii_case(&self.name) && &*key.parent_index == from {
                key.parent_index = to.into();
                self.are_keys_changed = true;
            }
        }
    }

    pub(super) async fn drop_key(&mut self, name: &str, if_exists: bool) -> Result<()> {
        match name.eq_ignore_ascii_case("PRIMARY") {
            true => self.drop_primary_key().await,
            false if if_exists && self.schema.index(name).is_none() => Ok(()),
            false => self.drop_index(name),
        }
    }

    fn drop_index(&mut self, name: &str) -> Result<()> {
        let at = self.schema.index(name).ok_or_else(|| nothing_to_drop(name))?;
        self.refuse_if_needed(name)?;
        let dropped = self.schema.indexes.remove(at);
        if let Some(fulltext) = &dropped.fulltext {
            let is_last = self.schema.indexes.iter().all(|index| index.fulltext.is_none());
            full_text::drop_tables(&mut self.work, fulltext, is_last)?;
        }
        let hidden = self.hidden_columns_of(|index| index.name == dropped.name);
        let hidden = [hidden, self.orphans_of(&dropped)].concat();
        self.schema.columns.retain(|column| !hidden.contains(&column.tag));
        if !hidden.is_empty() {
            expressions::print_anew(&mut self.schema, Spelling::Quoted);
        }
        self.choose_indexes_anew(&dropped.name);
        self.store()
    }

    /// Columns behind expressions that only these indexes use.
    pub(super) fn hidden_columns_of(&self, of: impl Fn(&vcs::IndexDefinition) -> bool) -> Vec<u64> {
        let used: Vec<u64> =
            self.schema.indexes.iter().filter(|index| of(index)).flat_map(|i| i.columns.clone()).collect();
        self.hidden_among(&used)
    }

    fn orphans_of(&self, index: &vcs::IndexDefinition) -> Vec<u64> {
        self.hidden_among(&index.columns)
    }

    fn hidden_among(&self, tags: &[u64]) -> Vec<u64> {
        let is_hidden = |tag: &&u64| self.schema.column_by_tag(**tag).is_some_and(|column| column.is_hidden);
        tags.iter().filter(is_hidden).copied().collect()
    }

    /// An index that a foreign key needs stays, unless another one serves it.
    fn refuse_if_needed(&self, name: &str) -> Result<()> {
        let own = self.keys.iter().filter(|key| key.child_table.eq_ignore_ascii_case(&self.name));
        for key in own {
            let columns = self.tags_of_key(&key.child_columns, &key.unresolved_child_columns);
            if !columns.is_empty() && !child_has_index(&self.schema, &columns, Some(name)) {
                return Err(needed(name, key));
            }
        }
        let referring = self.keys.iter().filter(|key| key.parent_table.eq_ignore_ascii_case(&self.name));
        for key in referring {
            let columns = self.tags_of_key(&key.parent_columns, &key.unresolved_parent_columns);
            if !columns.is_empty() && !parent_has_index(&self.schema, &columns, Some(name)) {
                return Err(needed(name, key));
            }
        }
        Ok(())
    }

    /// The columns of one end of a foreign key, which one that is not resolved has by name.
    fn tags_of_key(&self, tags: &[u64], names: &[Box<str>]) -> Vec<u64> {
        let tag = |name: &str| self.schema.column(name).map(|at| self.schema.columns[at].tag);
        if tags.is_empty() { names.iter().filter_map(|name| tag(name)).collect() } else { tags.to_vec() }
    }

    /// Foreign keys that refer to this table through an index that is gone refer through another one.
    fn choose_indexes_anew(&mut self, gone: &str) {
        for key in &mut self.keys {
            if key.parent_table.eq_ignore_ascii_case(&self.name) && &*key.parent_index == gone {
                let best = best_index(&self.schema, &key.parent_columns);
                key.parent_index = best.map_or_else(Box::default, |index| index.name.clone());
                self.are_keys_changed = true;
            }
            if key.child_table.eq_ignore_ascii_case(&self.name) && &*key.child_index == gone {
                let best = best_index(&self.schema, &key.child_columns);
                key.child_index = best.map_or_else(Box::default, |index| index.name.clone());
                self.are_keys_changed = true;
            }
        }
    }

    pub(super) fn rename_index(&mut self, from: &str, to: &str) -> Result<()> {
        column::name(to)?;
        let at = self.schema.index(from).ok_or_else(|| nothing_to_drop(from))?;
        if self.schema.index(to).is_some_and(|other| other != at) {
            return Err(SqlError::general(format!("Duplicate key name '{to}'")));
        }
        let stored = self.schema.indexes[at].name.clone();
        self.schema.indexes[at].name = to.into();
        self.rename_index_in_keys(&stored, to);
        let before = self.table.schema().index(&stored).cloned();
        let root = before.map(|index| self.table.index_root(&index)).transpose()?;
        // Renamed and not new: its tree goes with it.
        let written = vcs::Schema::create(self.work.root.objects(), &self.schema.message())?;
        let mut draft = self.table.draft();
        draft.schema = written;
        draft.index_roots.insert((*stored).into(), None);
        if let Some(root) = root {
            draft.set_index(to, root.address());
        }
        self.table = draft.write()?;
        self.built = self.table.schema().clone();
        self.reload();
        Ok(())
    }

    pub(super) async fn add_primary_key(&mut self, new: &NewIndex<'_>) -> Result<()> {
        if !self.schema.primary_key.is_empty() {
            return Err(SqlError::new(1068, "error: Multiple primary keys defined"));
        }
        new.check(&self.work, &self.schema)?;
        if self.full_text == FullText::Rebuilt {
            // The key that goes leaves tables with hashes of rows, from which those of the new one take their tags.
            full_text::make_tables_anew(&mut self.work, &mut self.schema, true)?;
        }
        let mut key = Vec::with_capacity(new.parts.len());
        for part in &new.parts {
            let Part::Column { name, prefix_length } = *part else {
                return Err(SqlError::general("the primary key cannot be a functional index"));
            };
            let at = self.schema.column(name).ok_or_else(|| SqlError::internal("a column was checked"))?;
            let column = &mut self.schema.columns[at];
            if column.is_virtual() {
                return Err(SqlError::general("Defining a virtual generated column as primary key is not supported"));
            }
            if prefix_length > 0 {
                return Err(SqlError::general(format!("prefix index on string column '{name}' unsupported")));
            }
            key_columns::check_type(&self.name, column)?;
            column.is_nullable = false;
            column.is_primary_key = true;
            key.push(column.tag);
        }
        self.schema.primary_key = key;
        expressions::spell(&mut self.schema, Spelling::Quoted, |_| true);
        self.rewrite_rows(|row, _| Ok(row.clone())).await?;
        self.full_text = FullText::RebuiltWithoutEntries;
        self.reload();
        Ok(())
    }

    pub(super) async fn drop_primary_key(&mut self) -> Result<()> {
        if self.schema.primary_key.is_empty() {
            return Err(nothing_to_drop("PRIMARY"));
        }
        let counts = self.schema.columns.iter().find(|column| column.is_auto_increment);
        if let Some(column) = counts {
            let is_keyed = self.schema.indexes.iter().any(|index| index.columns.first() == Some(&column.tag));
            if self.schema.primary_key.contains(&column.tag) && !is_keyed {
                let text = "error: incorrect table definition: there can be only one auto column and it must be defined as a key";
                return Err(SqlError::new(1075, text));
            }
        }
        for key in &self.keys {
            let own = key.child_table.eq_ignore_ascii_case(&self.name) && key.child_index.is_empty();
            let referring = key.parent_table.eq_ignore_ascii_case(&self.name) && key.parent_index.is_empty();
            let columns = if own { &key.child_columns } else { &key.parent_columns };
            if (own || referring) && !columns.is_empty() && best_index(&self.schema, columns).is_none() {
                let text = format!("error: can't drop index 'PRIMARY': needed in foreign key constraint {}", key.name);
                return Err(SqlError::new(1553, text));
            }
        }
        self.choose_indexes_anew("");
        self.schema.primary_key.clear();
        for column in &mut self.schema.columns {
            column.is_primary_key = false;
        }
        expressions::spell(&mut self.schema, Spelling::Quoted, |_| true);
        self.rewrite_rows(|row, _| Ok(row.clone())).await?;
        self.reload();
        Ok(())
    }

    pub(super) async fn add_foreign_key(&mut self, definition: &ast::ForeignKey) -> Result<()> {
        self.add_new_foreign_key(&NewForeignKey::read(definition)).await
    }

    pub(super) async fn add_new_foreign_key(&mut self, new: &NewForeignKey<'_>) -> Result<()> {
        let key = new.add(&self.work, &self.name, &mut self.schema, &mut self.keys)?;
        self.are_keys_changed = true;
        self.store()?;
        if key.child_columns.is_empty() {
            return Ok(());
        }
        // The error for rows without parent comes before the key has the name that it gets.
        let named = ForeignKey { name: new.name.unwrap_or_default().into(), ..key };
        self.build_indexes().await?;
        self.work.test_references(&self.name, &self.table, &named).await
    }

    pub(super) fn drop_foreign_key(&mut self, name: &str) -> Result<()> {
        let is_it =
            |key: &ForeignKey| key.child_table.eq_ignore_ascii_case(&self.name) && key.name.eq_ignore_ascii_case(name);
        let at = self.keys.iter().position(is_it);
        let at = at.ok_or_else(|| {
            SqlError::general(format!("foreign key `{name}` was not found on the table `{}`", self.name))
        })?;
        self.keys.remove(at);
        self.are_keys_changed = true;
        Ok(())
    }

    pub(super) async fn add_check(&mut self, definition: &CheckConstraint) -> Result<()> {
        let own = self.keys.iter().filter(|key| key.child_table.eq_ignore_ascii_case(&self.name));
        let names: Vec<Box<str>> = own.map(|key| key.name.clone()).collect();
        check::add(&self.work, &self.name, &mut self.schema, definition, &names)?;
        let name = self.schema.checks.last().map(|check| check.name.clone()).unwrap_or_default();
        let condition = self.work.bind(&self.name, &self.schema.columns, &definition.expr)?;
        self.build_indexes().await?;
        self.work.test_rows(&self.name, &self.table, &name, &condition).await?;
        self.store()
    }

    pub(super) fn drop_check(&mut self, name: &str) -> Result<()> {
        let at = self.schema.checks.iter().position(|check| check.name.eq_ignore_ascii_case(name));
        let at = at.ok_or_else(|| no_constraint(name))?;
        self.schema.checks.remove(at);
        self.store()
    }

    pub(super) fn drop_constraint(&mut self, name: &str) -> Result<()> {
        let has_key = self
            .keys
            .iter()
            .any(|key| key.child_table.eq_ignore_ascii_case(&self.name) && key.name.eq_ignore_ascii_case(name));
        if has_key {
            return self.drop_foreign_key(name);
        }
        if self.schema.checks.iter().any(|check| check.name.eq_ignore_ascii_case(name)) {
            return self.drop_check(name);
        }
        if self.schema.index(name).is_some_and(|at| self.schema.indexes[at].is_unique) {
            return self.drop_index(name);
        }
        Err(no_constraint(name))
    }

    pub(super) fn rename_constraint(&mut self, from: &str, to: &str) -> Result<()> {
        column::name(to)?;
        if let Some(check) = self.schema.checks.iter_mut().find(|check| check.name.eq_ignore_ascii_case(from)) {
            check.name = to.into();
            return self.store();
        }
        let table = self.name.clone();
        let mut own = self.keys.iter_mut().filter(|key| key.child_table.eq_ignore_ascii_case(&table));
        let key = own.find(|key| key.name.eq_ignore_ascii_case(from)).ok_or_else(|| no_constraint(from))?;
        key.name = to.into();
        self.are_keys_changed = true;
        Ok(())
    }

    pub(super) fn set_enforced(&mut self, name: &str, enforced: bool) -> Result<()> {
        let check = self.schema.checks.iter_mut().find(|check| check.name.eq_ignore_ascii_case(name));
        check.ok_or_else(|| no_constraint(name))?.is_enforced = enforced;
        self.store()
    }
}

fn needed(index: &str, key: &ForeignKey) -> SqlError {
    SqlError::general(format!("cannot drop index: `{index}` is used by foreign key `{}`", key.name))
}

fn no_constraint(name: &str) -> SqlError {
    SqlError::general(format!("Constraint \"{name}\" does not exist"))
}
