//! Handle tables: engines, sessions, statements and running cursors that JavaScript holds by number.

use core::cell::RefCell;
use std::rc::Rc;

use engine::{Cursor, Params, Prepared, RowsText, Script, Session};

use crate::attach::OpenEngine;
use crate::failure::Failure;

/// Things by number. Numbers of closed things are given out again.
pub(crate) struct Slots<T> {
    what: &'static str,
    things: RefCell<Vec<Option<T>>>,
}

impl<T> Slots<T> {
    const fn new(what: &'static str) -> Slots<T> {
        Slots { what, things: RefCell::new(Vec::new()) }
    }

    pub(crate) fn put(&self, thing: T) -> i32 {
        let mut things = self.things.borrow_mut();
        let at = things.iter().position(Option::is_none).unwrap_or_else(|| {
            things.push(None);
            things.len() - 1
        });
        things[at] = Some(thing);
        at as i32
    }

    /// Takes a thing out, to be given back with [`Slots::give_back`] unless it is closed.
    ///
    /// # Errors
    /// When there is nothing under the number.
    pub(crate) fn take(&self, number: u32) -> Result<T, Failure> {
        let mut things = self.things.borrow_mut();
        things.get_mut(number as usize).and_then(Option::take).ok_or_else(|| Failure::unknown(self.what))
    }

    pub(crate) fn give_back(&self, number: u32, thing: T) {
        if let Some(slot) = self.things.borrow_mut().get_mut(number as usize) {
            *slot = Some(thing);
        }
    }

    /// Closes what `belongs`, wherever it is.
    fn close_those(&self, belongs: impl Fn(&T) -> bool) {
        let count = self.things.borrow().len();
        for number in 0..count {
            let is_meant = self.things.borrow().get(number).and_then(Option::as_ref).is_some_and(&belongs);
            if is_meant {
                self.close(number as u32);
            }
        }
    }

    /// What was closed already stays so.
    pub(crate) fn close(&self, number: u32) {
        // The thing is dropped after the borrow: its end may close others.
        let closed = self.things.borrow_mut().get_mut(number as usize).and_then(Option::take);
        drop(closed);
    }
}

impl<T: Clone> Slots<T> {
    /// # Errors
    /// When there is nothing under the number.
    pub(crate) fn get(&self, number: u32) -> Result<T, Failure> {
        let things = self.things.borrow();
        things.get(number as usize).cloned().flatten().ok_or_else(|| Failure::unknown(self.what))
    }
}

/// A connection and where it leads.
pub(crate) struct OpenSession {
    pub(crate) session: Session,
    pub(crate) engine: Rc<OpenEngine>,
}

/// A statement and the connection that it belongs to.
pub(crate) struct OpenStatement {
    pub(crate) session: Rc<OpenSession>,
    pub(crate) prepared: Rc<Prepared>,
    /// Values of the last call; the memory serves the next.
    pub(crate) params: RefCell<Params>,
}

/// What runs. Nearly all are statements, and a box would be one more allocation for each.
pub(crate) enum OpenCursor {
    /// A statement; its text is what error positions count in.
    Statement(Cursor, Rc<OpenStatement>),
    /// An INSERT with the piece of text that it takes its rows from.
    Rows(Cursor, Rc<RowsText>, Rc<OpenStatement>),
    Script(Box<Script>, Rc<OpenSession>),
}

impl OpenCursor {
    fn session(&self) -> &OpenSession {
        match self {
            OpenCursor::Statement(_, statement) | OpenCursor::Rows(_, _, statement) => &statement.session,
            OpenCursor::Script(_, session) => session,
        }
    }
}

pub(crate) struct Instance {
    pub(crate) engines: Slots<Rc<OpenEngine>>,
    pub(crate) sessions: Slots<Rc<OpenSession>>,
    pub(crate) statements: Slots<Rc<OpenStatement>>,
    pub(crate) cursors: Slots<OpenCursor>,
}

impl Instance {
    /// Closes an engine with all that JavaScript holds of it: an unclosed session would keep its memory, and other engines
    /// live in the same.
    pub(crate) fn close_engine(&self, number: u32) {
        let Ok(engine) = self.engines.get(number) else { return };
        engine.close();
        let is_its = |session: &OpenSession| Rc::ptr_eq(&session.engine, &engine);
        self.cursors.close_those(|cursor| is_its(cursor.session()));
        self.statements.close_those(|statement| is_its(&statement.session));
        self.sessions.close_those(|session| is_its(session));
        self.engines.close(number);
    }
}

thread_local! {
    static INSTANCE: Instance = const {
        Instance {
            engines: Slots::new("engine"),
            sessions: Slots::new("session"),
            statements: Slots::new("statement"),
            cursors: Slots::new("cursor"),
        }
    };
}

pub(crate) fn with<R>(work: impl FnOnce(&Instance) -> R) -> R {
    INSTANCE.with(work)
}
