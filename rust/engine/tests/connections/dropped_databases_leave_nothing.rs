//! Sessions that have looked at a database which was dropped hold on to none of it, and one that is made in its place is another.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use engine::{Databases, Engine};
use store::MemoryChunks;
use tree::NodeStore;
use vcs::Database;

use crate::common::fresh::{self, rows as run};

/// Databases in memory: their files, and whether they are still referenced.
#[derive(Default)]
struct Watched(RefCell<Vec<(Rc<MemoryChunks>, Weak<NodeStore>)>>);

impl Databases for Watched {
    fn create(&self, _name: &str) -> engine::Result<Database> {
        let chunks = Rc::new(MemoryChunks::new());
        let database = fresh::open(&chunks);
        self.0.borrow_mut().push((chunks, Rc::downgrade(database.objects().nodes())));
        Ok(database)
    }

    fn remove(&self, _name: &str) -> engine::Result<()> {
        Ok(())
    }

    fn removed(&self) -> engine::Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn restore(&self, _name: &str) -> engine::Result<Option<(String, Database)>> {
        Ok(None)
    }

    fn purge(&self) -> engine::Result<()> {
        Ok(())
    }
}

/// What is asked of a database before it is dropped, beside the table that it has.
const ASKED: &[&str] = &[
    "select 1",
    "select * from d.t",
    "select * from d.t where id = 1",
    "insert into d.t values (1)",
    "insert into d.t values (2), (3)",
    "update d.t set id = id + 10",
    "delete from d.t where id = 4",
    "show create table d.t",
    "explain select * from d.t",
    "create trigger d.r before insert on d.t for each row set @seen = new.id",
    "create view d.v as select * from d.t",
    "select * from information_schema.columns where table_schema = 'd'",
    "select * from d.dolt_log",
    "analyze table d.t",
];

fn engine() -> (Rc<Engine>, Rc<Watched>) {
    let engine = fresh::engine_over(&fresh::chunks());
    let watched = Rc::new(Watched::default());
    engine.set_databases(watched.clone());
    (engine, watched)
}

#[test]
fn nothing_holds_on_to_a_database_that_was_dropped() {
    for asked in ASKED {
        let (engine, watched) = engine();
        let session = engine.session();
        run(&session, "create database d");
        run(&session, "create table d.t (id int primary key)");
        run(&session, asked);
        run(&session, "drop database d");
        run(&session, "select 1");
        assert!(
            watched.0.borrow().iter().all(|(_, nodes)| nodes.upgrade().is_none()),
            "{asked}: {}",
            watched.0.borrow()[0].1.strong_count()
        );
    }
}

#[test]
fn a_database_that_is_made_anew_is_another() {
    let (engine, watched) = engine();
    let (session, other) = (engine.session(), engine.session());
    for time in 0..2 {
        run(&session, "create database d");
        run(&session, "create table d.t (id int primary key, name varchar(20))");
        run(&session, "insert into d.t values (1, 'one'), (2, 'two')");
        assert_eq!(run(&other, "select * from d.t").len(), 2);
        run(&other, "update d.t set name = 'three' where id = 2");
        // The changes are in this one, not in the dropped one, which had a table of the same address.
        let alone = fresh::engine_over(&watched.0.borrow()[time].0).session();
        assert_eq!(run(&alone, "select name from t where id = 2"), [["three"]]);
        run(&session, "drop database d");
    }
}
