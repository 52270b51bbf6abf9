//! Programs and triggers that a session has read before.

use std::cell::RefCell;
use std::rc::Rc;

use codec::Address;
use hashbrown::HashMap;
use parse::ast;

use super::Program;

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

    /// All triggers of the `dolt_schemas` with this address.
    pub fn triggers_at(&self, address: &Address) -> Option<Rc<[TriggerDefinition]>> {
        self.triggers.borrow().as_ref().filter(|(known, _)| known == address).map(|(_, triggers)| triggers.clone())
    }

    pub fn put_triggers(&self, address: Address, triggers: Rc<[TriggerDefinition]>) {
        *self.triggers.borrow_mut() = Some((address, triggers));
    }
}
