//! RENAME COLUMN: its name in expressions and keys as well.

use vcs::Column;

use super::super::column;
use super::super::expressions::{self, Spelling};
use super::Change;
use super::columns::{behind_index, invalidates};
use crate::error::{Result, SqlError};

impl Change<'_> {
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

    /// Native Dolt leaves checks as they are, so that the next INSERT fails.
    pub(super) fn rename_in_expressions(&mut self, from: &str, to: &str) {
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
    pub(super) fn rename_in_keys(&mut self, tag: u64, from: &str, to: &str) {
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
}
