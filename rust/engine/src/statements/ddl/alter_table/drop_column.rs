//! DROP COLUMN, with the indexes and checks that go with it.

use super::super::expressions::{self, Spelling};
use super::Change;
use super::columns::{behind_index, invalidates};
use super::planned::CollationOf;
use crate::error::{Result, SqlError};

impl Change<'_> {
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
}
