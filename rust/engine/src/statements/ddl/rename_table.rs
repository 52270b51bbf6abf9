//! RENAME TABLE, of views too.

use std::rc::Rc;

use codec::Address;
use parse::ast::RenameTable;
use vcs::{SchemaBuilder, is_system_table};

use super::expressions::{self, Spelling};
use super::table_name;
use super::work::Work;
use crate::error::{Result, SqlError};
use crate::expr::Context;
use crate::session::Session;

pub fn run(session: &Session, sql: &str, pairs: &[RenameTable], context: &Rc<Context>) -> Result<()> {
    let Some(first) = pairs.first() else { return Ok(()) };
    let mut work = Work::begin(session, sql, context, first.from.database.as_ref())?;
    for pair in pairs {
        let (from, to) = (&*pair.from.name.text, &*pair.to.name.text);
        if is_system_table(from) {
            let text = format!("Cannot alter table {from}: system tables cannot be dropped or altered");
            return Err(SqlError::general(text).at(pair.from.span));
        }
        table_name::check(to).map_err(|error| error.at(pair.to.span))?;
        let Some((stored, _)) = work.root.find_table(from)? else {
            super::view::rename(&mut work, pair)?;
            continue;
        };
        // A name in other letters is the same name, as for native Dolt.
        if work.root.find_table(to)?.is_some() || session.catalog().view(&work.place, to)?.is_some() {
            return Err(table_name::taken(to).at(pair.to.span));
        }
        rename(&mut work, &stored, to)?;
    }
    work.finish()
}

/// The table with expressions that do not name it: native Dolt leaves its old name in them, and cannot open it any more.
fn without_own_name(work: &Work<'_>, address: &Address) -> Result<Address> {
    let table = work.root.objects().table(address)?;
    let mut schema = SchemaBuilder::from(&**table.schema());
    if !schema.columns.iter().any(expressions::has_table) {
        return Ok(*address);
    }
    expressions::spell(&mut schema, Spelling::Quoted, |_| true);
    Ok(work.with_schema(&table, &schema)?.address())
}

/// Gives a table that is there another name; foreign keys follow.
pub fn rename(work: &mut Work<'_>, from: &str, to: &str) -> Result<()> {
    let (_, address) = work.root.find_table(from)?.ok_or_else(|| SqlError::table_not_found(from))?;
    let table = without_own_name(work, &address)?;
    work.root = work.root.without_table(from)?.with_table_at(to, &table)?;
    let mut keys = work.root.foreign_keys()?;
    let mut is_changed = false;
    // Keys that name another branch's table go on doing so.
    let is_parent = work.place.table_elsewhere(&work.root, from)?.is_none();
    let generated = format!("{}_ibfk_", from.to_lowercase());
    for key in &mut keys {
        // Names that were generated of the table's are generated anew.
        let number = key.name.strip_prefix(&*generated).filter(|_| key.child_table.eq_ignore_ascii_case(from));
        if let Some(number) = number {
            key.name = format!("{}_ibfk_{number}", to.to_lowercase()).into();
        }
        if key.child_table.eq_ignore_ascii_case(from) {
            key.child_table = to.into();
            is_changed = true;
        }
        if is_parent && key.parent_table.eq_ignore_ascii_case(from) {
            key.parent_table = to.into();
            is_changed = true;
        }
    }
    if is_changed {
        work.root = work.root.with_foreign_keys(&keys)?;
    }
    work.place.attached.counters.forget(from);
    work.place.attached.counters.forget(to);
    Ok(())
}
