//! Sharing of a writer: the statements of a transaction, or of a group, that change rows through one writer.

use std::cell::RefCell;
use std::rc::Rc;

use super::{SharedWriter, Writer};
use crate::catalog::{BaseTable, Relation};
use crate::error::Result;
use crate::expr::Context;

/// A writer for a statement that may leave it to the next ones, and a table there whose version has the schema of `base`: the one
/// that the statements before left, or another. `None` where a statement needs one of its own; so does one that runs triggers, for
/// programs that run between the rows look at tables.
pub fn shared(
    database: Option<&str>,
    base: &BaseTable,
    context: &Rc<Context>,
) -> Result<Option<(SharedWriter, usize)>> {
    let catalog = &context.catalog;
    let writer = match catalog.transaction.open_writer() {
        Some(open) => {
            let name = open.borrow().place.name.clone();
            let is_here = match database {
                Some(database) => *name == *database,
                None => catalog.state.is_database(Some(&name)),
            };
            if !is_here {
                return Ok(None);
            }
            open
        }
        None => {
            let place = catalog.place_of(database, base.name())?;
            if place.attached.is_temporary {
                return Ok(None);
            }
            Rc::new(RefCell::new(Writer::new(context, place)?))
        }
    };
    let table = {
        let mut writer = writer.borrow_mut();
        writer.check_open()?;
        let reaches_elsewhere = base.is_nonlocal() || writer.has_nonlocal_tables || !writer.elsewhere.is_empty();
        let is_alone = !reaches_elsewhere && !writer.has_unresolved_keys(base.name());
        if !is_alone || writer.root.table_address(base.name())?.is_none() {
            return Ok(None);
        }
        let table = writer.open(base.name())?;
        if writer.editor(table).schema().address != base.schema().address {
            return Ok(None);
        }
        table
    };
    Ok(Some((writer, table)))
}
