//! ALTER TABLE, CREATE INDEX and DROP INDEX: one action after the other, each giving the next version of the table.

mod add_column;
mod columns;
mod drop_column;
mod keys;
mod modify_column;
mod planned;
mod rename_column;

use std::rc::Rc;

use parse::ast::{
    self, AlterAction, AlterActionKind, AlterTable, CreateIndex, Ident, ObjectName, OptionValue, TableOption,
};
use tree::message::schema::TARGET_ROW_BYTES;
use value::Value;
use vcs::{ForeignKey, RootValue, Schema, SchemaBuilder, Table, is_system_table};

use self::planned::Planned;
use super::foreign_key::no_column;
use super::index::NewIndex;
use super::work::Work;
use super::{key_columns, table_name};
use crate::bind::data_type;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::Session;
use crate::write::{Entry, Row, RowRules};

pub async fn run(session: &Session, sql: &str, alter: &AlterTable, context: &Rc<Context>) -> Result<()> {
    let mut change = Change::begin(session, sql, &alter.name, context)?;
    for action in &alter.actions {
        change.act(action).await.map_err(|error| error.at(action.span))?;
    }
    change.check_auto_increment()?;
    change.finish().await
}

pub async fn create_index(session: &Session, sql: &str, create: &CreateIndex, context: &Rc<Context>) -> Result<()> {
    let mut change = Change::begin(session, sql, &create.table, context)?;
    let new = NewIndex::read(&create.index)?;
    let added = match change.add_index(&new) {
        Ok(()) => change.build_indexes().await,
        error => error,
    };
    added.map_err(|error| error.at(create.index.span))?;
    change.finish().await
}

pub async fn drop_index(
    session: &Session,
    sql: &str,
    name: &Ident,
    if_exists: bool,
    table: &ObjectName,
    context: &Rc<Context>,
) -> Result<()> {
    let mut change = Change::begin(session, sql, table, context)?;
    change.drop_key(&name.text, if_exists).await.map_err(|error| error.at(name.span))?;
    change.finish().await
}

/// A table that is being changed.
struct Change<'a> {
    work: Work<'a>,
    /// As it is stored.
    name: Box<str>,
    /// The name that it has from now on.
    new_name: Option<Box<str>>,
    table: Table,
    schema: SchemaBuilder,
    /// The schema of the table when all its indexes had their entries.
    built: Rc<Schema>,
    keys: Vec<ForeignKey>,
    are_keys_changed: bool,
    /// Columns by name in lower case that were there before the statement: only they may be dropped, changed and renamed.
    initial: Vec<String>,
    planned: Planned,
    adds_columns: bool,
    full_text: FullText,
}

/// What becomes of full-text indexes: they are made anew when rows, their columns or their key are others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FullText {
    Kept,
    Rebuilt,
    /// Native Dolt leaves their own trees empty where it writes a table anew for one of its columns or a new key.
    RebuiltWithoutEntries,
}

impl<'a> Change<'a> {
    fn begin(session: &'a Session, sql: &'a str, name: &ObjectName, context: &Rc<Context>) -> Result<Change<'a>> {
        let work = Work::begin(session, sql, context, name.database.as_ref())?;
        let text = &*name.name.text;
        if is_system_table(text) {
            let text = format!("Cannot alter table {text}: system tables cannot be dropped or altered");
            return Err(SqlError::general(text).at(name.span));
        }
        let Some((stored, address)) = work.root.find_table(text)? else {
            return match session.catalog().view(&work.place, text)? {
                Some(_) => Err(SqlError::general(format!("expected a table and found view: '{text}' ")).at(name.span)),
                None => Err(SqlError::table_not_found(text).at(name.span)),
            };
        };
        let table = work.root.objects().table(&address)?;
        let schema = SchemaBuilder::from(&**table.schema());
        let keys = work.root.foreign_keys()?;
        let initial: Vec<String> = schema.columns.iter().map(|column| column.name.to_lowercase()).collect();
        let planned = Planned::new(initial.clone());
        Ok(Change {
            work,
            name: stored,
            new_name: None,
            built: table.schema().clone(),
            table,
            schema,
            keys,
            are_keys_changed: false,
            initial,
            planned,
            adds_columns: false,
            full_text: FullText::Kept,
        })
    }

    async fn act(&mut self, action: &AlterAction) -> Result<()> {
        use AlterActionKind::*;
        match &action.kind {
            AddColumn { column, position, if_not_exists } => {
                self.add_column(column, position.as_ref(), *if_not_exists).await
            }
            DropColumn { name, if_exists } => self.drop_column(&name.text, *if_exists).await,
            ModifyColumn { column, position } | ChangeColumn { column, position, .. } => {
                let name = if let ChangeColumn { name, .. } = &action.kind { name } else { &column.name };
                self.modify_column(&name.text, column, position.as_ref()).await
            }
            RenameColumn { from, to } => self.rename_column(&from.text, &to.text),
            SetDefault { column, expr, parenthesized } => self.set_default(&column.text, Some((expr, *parenthesized))),
            DropDefault { column } => self.set_default(&column.text, None),
            AddIndex(definition) => self.add_key(definition).await,
            DropIndex { name, if_exists } => self.drop_key(&name.text, *if_exists).await,
            RenameIndex { from, to } => self.rename_index(&from.text, &to.text),
            DropPrimaryKey => self.drop_primary_key().await,
            AddForeignKey(definition) => self.add_foreign_key(definition).await,
            DropForeignKey { name } => self.drop_foreign_key(&name.text),
            AddCheck(check) => self.add_check(check).await,
            DropCheck { name } => self.drop_check(&name.text),
            DropConstraint { name } => self.drop_constraint(&name.text),
            RenameConstraint { from, to } => self.rename_constraint(&from.text, &to.text),
            SetEnforced { name, enforced } => self.set_enforced(&name.text, *enforced),
            Rename { to } => self.rename(to),
            Option(option) => self.set_option(option).await,
            ConvertTo { charset, collation } => {
                let named = data_type::collation(charset.as_ref(), collation.as_ref())?;
                self.set_collation(named)
            }
            OrderBy(_) => Err(SqlError::general("unsupported syntax: ALTER TABLE … ORDER BY")),
            // Not a silent no-op: rows would be expected to go.
            ChangePartition => Err(SqlError::partition_management()),
            // Accepted, without effect, as in the reference.
            SetColumnVisible { .. } | SetIndexVisible { .. } | Ignored => Ok(()),
            DisableKeys | EnableKeys => {
                self.work.warn(1235, "'disable/enable keys' feature is not supported yet".to_owned());
                Ok(())
            }
        }?;
        self.build_indexes().await
    }

    /// Gives the indexes that are new their entries.
    async fn build_indexes(&mut self) -> Result<()> {
        if !Rc::ptr_eq(&self.built, self.table.schema()) {
            self.table = self.work.build_indexes(&self.name, &self.table, &self.built).await?;
            self.built = self.table.schema().clone();
        }
        Ok(())
    }

    /// The next version of the table: the schema as it is now, rows as they lie.
    fn store(&mut self) -> Result<()> {
        self.table = self.work.with_schema(&self.table, &self.schema)?;
        self.reload();
        Ok(())
    }

    /// As [`Change::store`], where one column was changed. The table's comment goes, as in native Dolt.
    fn store_column(&mut self) -> Result<()> {
        self.schema.is_changed_in_place = true;
        self.schema.comment = "".into();
        self.store()
    }

    /// The next version of the table, its rows written anew. As in native Dolt the comment and the target size of rows go, the
    /// sign of a float's zero, and the next AUTO_INCREMENT value of a table without rows.
    async fn rewrite(&mut self, mut convert: impl FnMut(&Row, &RowRules) -> Result<Row>) -> Result<()> {
        self.schema.comment = "".into();
        self.schema.target_row_bytes = TARGET_ROW_BYTES;
        self.rewrite_rows(|row, rules| {
            let mut row = convert(row, rules)?;
            row.iter_mut().for_each(|value| match value {
                Value::Double(number) => *number += 0.0,
                Value::Float(number) => *number += 0.0,
                _ => {}
            });
            Ok(row)
        })
        .await?;
        self.full_text = FullText::RebuiltWithoutEntries;
        if self.table.rows_root().tree_count() == 0 {
            let mut draft = self.table.draft();
            draft.auto_increment = None;
            self.table = draft.write()?;
        }
        Ok(())
    }

    /// As [`Change::rewrite`], and the table keeps its comment.
    async fn rewrite_rows(&mut self, convert: impl FnMut(&Row, &RowRules) -> Result<Row>) -> Result<()> {
        let before = self.table.clone();
        self.move_rows(convert).await?;
        let mut draft = self.table.draft();
        draft.auto_increment = match self.schema.columns.iter().any(|column| column.is_auto_increment) {
            true => self.work.number_after_rewrite(&self.name, &before)?,
            false => None,
        };
        self.table = draft.write()?;
        Ok(())
    }

    /// The rows in other tuples, where native Dolt leaves them as they are.
    async fn move_rows(&mut self, convert: impl FnMut(&Row, &RowRules) -> Result<Row>) -> Result<()> {
        self.full_text = FullText::Rebuilt;
        self.table = self.work.rewrite(&self.name, &self.table, &self.schema, convert).await?;
        self.built = self.table.schema().clone();
        Ok(())
    }

    /// The root with the table as it is now.
    fn root(&self) -> Result<RootValue> {
        Ok(self.work.root.with_table(&self.name, &self.table)?)
    }

    /// Takes the schema from the table, so that columns know their places.
    fn reload(&mut self) {
        self.schema = SchemaBuilder::from(&**self.table.schema());
    }

    /// Position of a column that may be changed: it was there before the statement and still is.
    fn own_column(&self, name: &str) -> Result<usize> {
        let at = self.schema.column(name).filter(|at| !self.schema.columns[*at].is_hidden);
        at.filter(|_| self.initial.contains(&name.to_lowercase())).ok_or_else(|| no_column(&self.name, name))
    }

    async fn finish(mut self) -> Result<()> {
        self.work.root = self.root()?;
        if self.full_text != FullText::Kept && self.schema.indexes.iter().any(|index| index.fulltext.is_some()) {
            let has_entries = self.full_text == FullText::Rebuilt;
            super::full_text::rebuild(&mut self.work, &self.name, &mut self.schema, has_entries).await?;
        }
        if self.are_keys_changed {
            self.work.root = self.work.root.with_foreign_keys(&self.keys)?;
        }
        if let Some(name) = &self.new_name {
            super::rename_table::rename(&mut self.work, &self.name, name)?;
        }
        self.work.finish()
    }

    fn check_auto_increment(&self) -> Result<()> {
        if !self.adds_columns {
            return Ok(());
        }
        key_columns::check_auto_increment(&self.schema, &self.keyed_columns())
    }

    /// Names of the columns of indexes, in lower case.
    fn keyed_columns(&self) -> Vec<String> {
        let tags = self.schema.indexes.iter().flat_map(|index| &index.columns).copied().collect::<Vec<u64>>();
        self.schema.names(&tags).iter().map(|name| name.to_lowercase()).collect()
    }

    fn rename(&mut self, to: &ObjectName) -> Result<()> {
        table_name::check(&to.name.text)?;
        let name = &*to.name.text;
        if self.work.root.find_table(name)?.is_some()
            || self.work.session.catalog().view(&self.work.place, name)?.is_some()
        {
            return Err(table_name::taken(name));
        }
        self.new_name = Some(name.into());
        Ok(())
    }

    async fn set_option(&mut self, option: &TableOption) -> Result<()> {
        let word = || match &option.value {
            OptionValue::Word(word) => Some(word.clone()),
            OptionValue::Text(text) => Some(ast::Ident { text: text.clone(), quoted: true, span: option.span }),
            _ => None,
        };
        match (&*option.name, &option.value) {
            ("COMMENT", OptionValue::Text(comment)) => {
                self.schema.comment = comment.clone();
                self.store()
            }
            ("AUTO_INCREMENT", OptionValue::Integer(next)) => self.set_auto_increment(*next).await,
            ("COLLATE", _) => {
                let named = data_type::collation(None, word().as_ref())?;
                self.set_collation(named)
            }
            ("CHARACTER SET", _) => {
                let named = data_type::collation(word().as_ref(), None)?;
                self.set_collation(named)
            }
            // ENGINE and the like have no effect.
            _ => Ok(()),
        }
    }

    /// The default of new columns; those that are there keep theirs.
    fn set_collation(&mut self, collation: Option<value::Collation>) -> Result<()> {
        if let Some(collation) = collation {
            self.schema.collation = data_type::implemented(collation)?;
            self.store()?;
        }
        Ok(())
    }

    async fn set_auto_increment(&mut self, next: u64) -> Result<()> {
        let Some(at) = self.schema.columns.iter().position(|column| column.is_auto_increment) else { return Ok(()) };
        // Values that are there are not given again: such a number changes nothing.
        let after_rows = self.next_after_rows(at).await?;
        if next < after_rows && self.table.auto_increment() >= after_rows {
            return Ok(());
        }
        let next = next.max(after_rows);
        let mut draft = self.table.draft();
        draft.auto_increment = Some(next).filter(|next| *next > 1);
        self.table = draft.write()?;
        let counters = &self.work.place.attached.counters;
        counters.forget(&self.name);
        Ok(())
    }

    /// One more than the greatest value of a column.
    async fn next_after_rows(&self, at: usize) -> Result<u64> {
        let mut next = 1;
        let each = |row: Row, _: &Entry| {
            let number = crate::write::auto_increment::number_of(&row[at]).unwrap_or_default();
            next = next.max(number.saturating_add(1));
            Ok(1)
        };
        self.work.each_row(&self.name, &self.table, each).await?;
        Ok(next)
    }
}
