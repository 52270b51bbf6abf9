//! TRUNCATE TABLE.

use std::rc::Rc;

use parse::ast;
use vcs::TableDraft;

use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::{Cursor, Effect, Outcome, Progress};

/// A running TRUNCATE.
struct Truncate(ast::ObjectName);

pub fn run(name: &ast::ObjectName, context: Rc<Context>) -> Cursor {
    Cursor::of_running(Box::new(Truncate(name.clone())), context)
}

impl Effect for Truncate {
    fn next(&mut self, context: &Rc<Context>) -> Result<Progress> {
        let catalog = &context.catalog;
        let place = catalog.place(self.0.database.as_ref().map(|database| &*database.text))?;
        let root = place.root()?;
        let written = &self.0.name.text;
        let missing = || SqlError::table_not_found(written).at(self.0.span);
        let (name, address) = root.find_table(written)?.ok_or_else(missing)?;
        if context.session.variables.borrow().integer("foreign_key_checks") != 0 {
            let to_it = root.foreign_keys_to(&name)?;
            if let Some(key) = to_it.iter().find(|key| !key.child_table.eq_ignore_ascii_case(&name)) {
                let text = format!(
                    "cannot truncate table {name} as it is referenced in foreign key {} on table {}",
                    key.name, key.child_table
                );
                return Err(SqlError::general(text));
            }
        }
        catalog.transaction.check_writable()?;
        catalog.transaction.will_write();
        let table = root.objects().table(&address)?;
        let rows = table.row_count()?;
        let empty = TableDraft::new(root.objects(), table.schema().clone())?.write()?;
        place.attached.counters.forget(&name);
        catalog.set_root(&place, &root.with_table(&name, &empty)?)?;
        Ok(Progress::Done(Outcome { affected: rows, ..Outcome::default() }))
    }
}
