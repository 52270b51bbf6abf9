//! Connects a session with the statements that it starts.

use std::rc::{Rc, Weak};

use crate::catalog::Catalog;
use crate::engine::Engine;
use crate::session::Session;
use crate::statements;

impl Engine {
    /// A new connection; it uses the only database, if there is just one.
    pub fn session(self: &Rc<Engine>) -> Session {
        self.session_numbered(self.next_connection())
    }

    /// As [`Engine::session`], with the number that it had in another instance.
    pub(crate) fn session_numbered(self: &Rc<Engine>, connection_id: u64) -> Session {
        let session = Session::new(self.clone(), connection_id, statements::start);
        let reader: Weak<Catalog> = Rc::downgrade(session.catalog());
        self.add_reader(reader);
        if let [only] = &self.databases()[..] {
            session.state().set_database(Some(only.name.clone()));
        }
        session
    }
}
