//! Shared parts of column changes, and defaults.

use parse::ast::{ColumnPosition, Expr};
use vcs::Column;

use super::super::column::{NewColumn, default_text};
use super::super::expressions;
use super::super::foreign_key::no_column;
use super::super::index::NewIndex;
use super::Change;
use crate::catalog::column_notes::is_computed;
use crate::error::{Result, SqlError};

impl Change<'_> {
    /// The place that FIRST or AFTER says.
    pub(super) fn position(&self, position: Option<&ColumnPosition>) -> Result<Option<usize>> {
        match position {
            None => Ok(None),
            Some(ColumnPosition::First) => Ok(Some(0)),
            Some(ColumnPosition::After(name)) => {
                let at = self.schema.column(&name.text).ok_or_else(|| no_column(&self.name, &name.text))?;
                Ok(Some(at + 1))
            }
        }
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

    /// What AUTO_INCREMENT gives next.
    pub(super) fn count_from(&mut self, next: u64) -> Result<()> {
        let mut draft = self.table.draft();
        draft.auto_increment = Some(next);
        self.table = draft.write()?;
        Ok(())
    }

    /// The unique index and the checks that a column's definition asks for.
    pub(super) async fn add_what_it_promises(&mut self, new: &NewColumn<'_>) -> Result<()> {
        if new.is_unique {
            // Not called otherwise where the name is taken: a second MODIFY … UNIQUE is an error.
            self.add_index(&NewIndex::of_column(&new.column.name).called(&new.column.name))?;
        }
        for check in &new.checks {
            self.add_check(check).await?;
        }
        Ok(())
    }

    /// Defaults are looked at as a whole when one comes that is an expression.
    pub(super) fn check_default(&self, new: &Column) -> Result<()> {
        match new.default.as_deref().is_some_and(is_computed) {
            true => expressions::refuse_forward_defaults(&self.schema.columns),
            false => Ok(()),
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

pub(super) fn invalidates(column: &str, check: &str) -> SqlError {
    SqlError::general(format!(
        "can't alter column \"{column}\" because it would invalidate check constraint \"{check}\""
    ))
}

pub(super) fn behind_index(column: &str) -> SqlError {
    let text = "has a functional index dependency and cannot be dropped or renamed.";
    SqlError::new(3837, format!("Column '{column}' {text}"))
}
