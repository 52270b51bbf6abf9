//! Conflict resolution by DELETE and UPDATE of conflict tables.

use std::rc::Rc;

use value::Value;
use vcs::NamedConflicts;

use super::{CONFLICTS, Change, SystemRows};
use crate::catalog::{Column, Place, Relation};
use crate::error::{Result, SqlError};
use crate::expr::{Context, Expr};
use crate::session::Session;
use crate::system_tables::merge::artifact_rows;
use crate::write::{Row, RowRules, Stored, Writer, Written, eval_over, null_error};

/// What an UPDATE of conflicts assigns: columns of others than us may be named, and keep their values.
pub(super) fn ours(
    session: &Session,
    place: &Place,
    relation: &dyn Relation,
    set: Vec<(usize, Expr)>,
    context: &Rc<Context>,
) -> Result<Change> {
    let table = &relation.name()[CONFLICTS.len()..];
    let catalog = session.catalog();
    let base = catalog.stored(place, &place.root()?, table)?.ok_or_else(|| SqlError::table_not_found(table))?;
    let rules = Box::new(RowRules::new(&base, context, false)?);
    let own = Relation::columns(&*base);
    let assignments = set.into_iter().filter_map(|(position, value)| {
        let name = relation.columns()[position].name.strip_prefix("our_")?;
        let column = own.iter().position(|column| &*column.name == name)?;
        Some((position, column, value))
    });
    let position = |column: &Column| {
        let name = format!("our_{}", column.name);
        relation.columns().iter().position(|column| *column.name == *name)
    };
    let shown = own.iter().map(position).collect();
    Ok(Change::Ours { assignments: assignments.collect(), rules, shown })
}

impl SystemRows {
    pub(super) fn resolve(&self, context: &Rc<Context>) -> Result<()> {
        let (root, name, table) = self.working()?;
        let Some(conflicts) = NamedConflicts::of(&root, &name)? else { return Ok(()) };
        let known = artifact_rows::conflict_keys(&table)?;
        let keys = self.rows.iter().filter_map(|row| known.get(text(&row[self.names])?));
        let keys: Vec<Box<[u8]>> = keys.map(|known| known.artifact.clone()).collect();
        context.catalog.set_root(&self.place, &conflicts.remove(&keys)?)
    }

    /// Assigns to our side of conflicts; how many of them are not what they were. A row that is gone on our side comes back.
    pub(super) fn write_ours(
        &self,
        rules: &RowRules,
        assignments: &[(usize, usize, Expr)],
        shown: &[Option<usize>],
        context: &Rc<Context>,
    ) -> Result<u64> {
        let (_, name, table) = self.working()?;
        let known = artifact_rows::conflict_keys(&table)?;
        let mut writer = Writer::new(context, self.place.clone())?;
        let at = writer.open(&name)?;
        let columns: Vec<usize> = assignments.iter().map(|(_, column, _)| *column).collect();
        let mut count = 0;
        for row in &self.rows {
            let mut values = row.clone();
            for (position, column, value) in assignments {
                let value = eval_over(value, &values, context)?;
                values[*position] = rules.assign(*column, &value, context)?;
            }
            let ours = |of: &Row| -> Row {
                shown.iter().map(|position| position.map_or(Value::Null, |position| of[position].clone())).collect()
            };
            let (before, mut new) = (ours(row), ours(&values));
            if rules.are_same(&before, &new) {
                continue;
            }
            count += 1;
            let is_refused = |at: &usize| shown[*at].is_some() && new[*at].is_null() && rules.null_error(*at).is_some();
            if let Some(column) = (0..new.len()).find(is_refused) {
                return Err(null_error(&format!("our_{}", rules.column_name(column))));
            }
            let Some(key) = text(&row[self.names]).and_then(|id| known.get(id)) else { continue };
            let old = match writer.editor(at).get(&key.row)? {
                Some(entry) => Some(Stored { row: writer.editor(at).decode(&entry)?, entry }),
                None => None,
            };
            if let Some(old) = &old {
                new = old.row.clone();
                for (position, column, _) in assignments {
                    new[*column] = values[*position].clone();
                }
            }
            let before = old.as_ref().map_or(&before, |old| &old.row);
            rules.touch(before, &mut new, &columns, context)?;
            rules.complete_update(&mut new, context)?;
            if rules.are_same(before, &new) {
                continue;
            }
            let new = writer.stored(at, new)?;
            let written = match &old {
                Some(old) => writer.update(at, old, &new)?,
                None => writer.insert(at, &new)?,
            };
            if let Written::Refused(duplicate) = written {
                return Err(writer.duplicate_error(at, &duplicate, &new.row));
            }
        }
        writer.publish(&context.catalog)?;
        Ok(count)
    }
}

fn text<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}
