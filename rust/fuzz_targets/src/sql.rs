//! SQL text to plan: parsed, bound and optimised over a few tables, not run.

use std::cell::OnceCell;
use std::rc::Rc;

use engine::{Engine, Host, Session, Step};
use store::MemoryChunks;
use tree::NodeStore;
use vcs::{CommitMeta, Database, Identity, RepoState};

/// A frozen clock, for reproducible answers.
pub struct StillHost;

impl Host for StillHost {
    fn now_microseconds(&self) -> i64 {
        1_700_000_000_000_000
    }

    fn random(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }

    fn zone_offset_seconds(&self, _: &str, _: i64) -> Option<i32> {
        None
    }
}

/// Tables of every kind of column and index that plans tell apart.
const TABLES: &[&str] = &[
    "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(40), c DECIMAL(10,2), d DATETIME, KEY (b), UNIQUE KEY (c, d))",
    "CREATE TABLE u (id BIGINT AUTO_INCREMENT PRIMARY KEY, t INT, j JSON, x TEXT, FULLTEXT KEY (x), FOREIGN KEY (t) REFERENCES t (a))",
    "CREATE VIEW v AS SELECT a, COUNT(*) AS n FROM t GROUP BY a",
    "INSERT INTO t VALUES (1, 'one', 1.5, '2024-01-01'), (2, 'two', 2.5, '2024-01-02'), (3, NULL, NULL, NULL)",
    "INSERT INTO u (t, j, x) VALUES (1, '{\"a\": [1, 2]}', 'some words'), (2, '[]', 'other words')",
];

thread_local! {
    static ENGINE: OnceCell<Rc<Engine>> = const { OnceCell::new() };
}

fn session() -> Session {
    ENGINE.with(|engine| engine.get_or_init(made).session())
}

fn made() -> Rc<Engine> {
    let chunks = Rc::new(MemoryChunks::new());
    let database = Database::new(NodeStore::new(chunks, tree::Options::default()), RepoState::default());
    let author = Identity { name: "A".into(), email: "a@b.c".into() };
    let meta = CommitMeta {
        committer: author.clone(),
        author,
        author_millis: 1_704_067_200_000,
        committer_millis: 1_704_067_200_000,
        description: "Initialize data repository".into(),
        signature: None,
    };
    let first = database.first_refs("main", meta).expect("the first names are written");
    let before = database.refs().expect("a new store has no names");
    let _ = database.commit(&before, &first).expect("committed");
    let engine = Engine::new(Rc::new(StillHost));
    engine.attach("mydb", database);
    let session = engine.session();
    for sql in TABLES {
        let mut cursor = session.query(sql).expect("a statement of the target");
        while !matches!(cursor.next(100_000).expect("it works"), Step::Done(_)) {}
    }
    engine
}

pub(crate) fn plan(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let options = parse::Options::default();
    for piece in parse::split(&text, &options) {
        let _ = parse::statement(&text[piece.span.range()], &options);
    }
    let _ = session().query(&text);
}
