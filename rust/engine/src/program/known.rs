//! Cache of compiled programs and triggers of a session.

use std::cell::RefCell;
use std::rc::Rc;

use codec::Address;
use hashbrown::HashMap;
use parse::ast::{self, StatementKind};
use vcs::RootValue;

use super::Program;
use crate::catalog::fragments::{self, Fragment};
use crate::catalog::{Catalog, Place};
use crate::error::Result;

/// A trigger's text and what it says.
pub type TriggerDefinition = (Rc<str>, Rc<ast::CreateTrigger>);

/// Stored programs that are kept compiled.
const PROGRAMS_MAX: usize = 256;

#[derive(Default)]
pub struct KnownPrograms {
    by_text: RefCell<HashMap<Rc<str>, Rc<Program>>>,
    /// Those of the `dolt_schemas` with this address.
    triggers: RefCell<Option<(Address, Rc<[TriggerDefinition]>)>>,
}

impl KnownPrograms {
    /// The program of this text.
    pub fn find(&self, text: &str) -> Option<Rc<Program>> {
        self.by_text.borrow().get(text).cloned()
    }

    pub fn put(&self, text: Rc<str>, program: Rc<Program>) {
        let mut programs = self.by_text.borrow_mut();
        if programs.len() >= PROGRAMS_MAX {
            programs.clear();
        }
        programs.insert(text, program);
    }

    /// The triggers of a table in one of the database's roots, by name.
    pub fn triggers(
        &self,
        catalog: &Catalog,
        place: &Place,
        root: &RootValue,
        table: &str,
    ) -> Result<Vec<TriggerDefinition>> {
        let all = self.all_triggers(catalog, place, root)?;
        Ok(all.iter().filter(|(_, trigger)| trigger.table.name.is(table)).cloned().collect())
    }

    /// The triggers of all tables in one of the database's roots.
    pub fn all_triggers(&self, catalog: &Catalog, place: &Place, root: &RootValue) -> Result<Rc<[TriggerDefinition]>> {
        let Some((_, address)) = root.find_table("dolt_schemas")? else { return Ok(Rc::from([])) };
        if let Some((_, all)) = self.triggers.borrow().as_ref().filter(|(known, _)| *known == address) {
            return Ok(all.clone());
        }
        let all: Rc<[_]> = fragments::read(catalog, place, root)?.into_iter().filter_map(definition).collect();
        *self.triggers.borrow_mut() = Some((address, all.clone()));
        Ok(all)
    }
}

/// A trigger as it can be read.
fn definition(fragment: Fragment) -> Option<TriggerDefinition> {
    if fragment.kind != "trigger" {
        return None;
    }
    match parse::kept(&fragment.text, &fragment.sql_mode) {
        Some(StatementKind::CreateTrigger(trigger)) => Some((fragment.text.into(), Rc::from(trigger))),
        _ => None,
    }
}
