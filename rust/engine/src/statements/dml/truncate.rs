//! TRUNCATE TABLE.

use std::rc::Rc;

use parse::ast;
use vcs::{ForeignKey, RootValue, Schema, SchemaBuilder, TableDraft};

use crate::bind::BoundTarget;
use crate::catalog::{BaseTable, Place, Relation, objects};
use crate::cursor::{Cursor, Effect, Outcome, Progress};
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::write::{base_of, full_text};

/// A running TRUNCATE.
struct Truncate(ast::ObjectName);

/// A DELETE of all rows, where there is no difference.
struct Clear {
    database: Rc<str>,
    table: Rc<str>,
}

/// A DELETE without conditions as a TRUNCATE; `None` for a table whose rows, or counter, are observed.
pub fn instead_of_delete(target: &BoundTarget, context: &Rc<Context>) -> Result<Option<Cursor>> {
    let base = base_of(&target.relation)?;
    if base.schema().columns.iter().any(|column| column.is_auto_increment) {
        return Ok(None);
    }
    let place = context.catalog.place_of_table(base)?;
    let root = place.root()?;
    let table = base.name().clone();
    if referring(&root, &table, context)?.is_some() || has_triggers(base, &place, context)? {
        return Ok(None);
    }
    let effect = Clear { database: base.database().clone(), table };
    Ok(Some(Cursor::of_running(Box::new(effect), context.clone())))
}

/// A foreign key of another table that keeps a table from being truncated.
fn referring(root: &RootValue, table: &str, context: &Context) -> Result<Option<ForeignKey>> {
    if context.session.variables.borrow().integer("foreign_key_checks") == 0 {
        return Ok(None);
    }
    let to_it = root.foreign_keys_to(table)?;
    Ok(to_it.into_iter().find(|key| !key.child_table.eq_ignore_ascii_case(table)))
}

fn has_triggers(base: &BaseTable, place: &Place, context: &Context) -> Result<bool> {
    let (database, table) = base.known_as();
    let place = if base.is_nonlocal() { &context.catalog.place(Some(database))? } else { place };
    let triggers = objects::triggers(&context.catalog, place, &place.root()?)?;
    Ok(triggers.iter().any(|trigger| trigger.event == "DELETE" && trigger.table.eq_ignore_ascii_case(table)))
}

/// Puts a table without rows in place of one; how many rows it had.
fn clear(place: &Place, root: &RootValue, name: &str, context: &Context) -> Result<u64> {
    let catalog = &context.catalog;
    let missing = || SqlError::table_not_found(name);
    let (name, address) = root.find_table(name)?.ok_or_else(missing)?;
    catalog.transaction.check_writable()?;
    catalog.transaction.will_write();
    let table = root.objects().table(&address)?;
    // Equal rows of a table without primary key are one entry.
    let rows = table.rows().count();
    // The schema is written anew, too: an ALTER TABLE may have left it as nothing else writes it.
    let schema = Schema::create(root.objects(), &SchemaBuilder::from(&**table.schema()).message())?;
    let new = TableDraft::new(root.objects(), schema)?;
    // Conflicts and violations stay to be resolved, and what an ALTER TABLE left beside the indexes of the schema.
    let mut empty = table.draft();
    (empty.schema, empty.rows, empty.index_roots, empty.auto_increment) = (new.schema, new.rows, new.index_roots, None);
    let empty = empty.write()?;
    let root = root.with_table(&name, &empty)?;
    catalog.set_root(place, &full_text::without_words(root, &table)?)?;
    Ok(rows)
}

impl Effect for Clear {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        let place = context.catalog.place_of(Some(&self.database), &self.table)?;
        let affected = clear(&place, &place.root()?, &self.table, context)?;
        Ok(Progress::Done(Outcome { affected, is_truncation: true, ..Outcome::default() }))
    }
}

pub fn run(name: &ast::ObjectName, context: Rc<Context>) -> Cursor {
    Cursor::of_running(Box::new(Truncate(name.clone())), context)
}

impl Effect for Truncate {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        let catalog = &context.catalog;
        let database = self.0.database.as_ref().map(|database| &*database.text);
        catalog.working_set(&catalog.place(database)?)?;
        let (place, called) = catalog.table_place(database, &self.0.name.text)?;
        if place.attached.is_temporary || vcs::is_system_table(&self.0.name.text) {
            return Err(SqlError::general("table doesn't support TRUNCATE").at(self.0.span));
        }
        let root = place.root()?;
        let written = &self.0.name.text;
        let missing = || SqlError::table_not_found(written).at(self.0.span);
        let (name, _) = root.find_table(&called)?.ok_or_else(missing)?;
        if let Some(key) = referring(&root, &name, context)? {
            let text = format!(
                "cannot truncate table {name} as it is referenced in foreign key {} on table {}",
                key.name, key.child_table
            );
            return Err(SqlError::general(text));
        }
        let affected = clear(&place, &root, &name, context)?;
        place.attached.counters.forget(&name);
        Ok(Progress::Done(Outcome { affected, is_truncation: true, ..Outcome::default() }))
    }
}
