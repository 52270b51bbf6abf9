//! A database made from nothing is the one that `dolt init` makes, and what is committed to it stays.

use std::rc::Rc;

use store::{Chunks, Committed, MemoryChunks};
use tree::NodeStore;
use vcs::{Commit, CommitMeta, Database, Identity, RepoState, TableDraft};

/// 2024-01-01 00:00:00 UTC.
const FIRST_MILLIS: i64 = 1_704_067_200_000;

fn meta(description: &str, millis: i64) -> CommitMeta {
    let author = Identity { name: "A".into(), email: "a@b.c".into() };
    CommitMeta {
        committer: author.clone(),
        author,
        author_millis: millis,
        committer_millis: millis,
        description: description.into(),
        signature: None,
    }
}

fn open(chunks: &Rc<MemoryChunks>) -> Database {
    Database::new(NodeStore::new(chunks.clone(), Default::default()), RepoState::default())
}

/// Hashes of the vectors of database.md, made by native Dolt 2.2.0.
#[test]
fn the_first_commit_has_dolts_hash() {
    let chunks = Rc::new(MemoryChunks::new());
    let database = open(&chunks);
    let before = database.refs().unwrap();
    let first = database.first_refs("main", meta("Initialize data repository", FIRST_MILLIS)).unwrap();
    assert!(!chunks.contains(&before.root()).unwrap() && database.refs().unwrap().branch("main").unwrap().is_none());
    assert_eq!(database.commit(&before, &first).unwrap(), Committed::Done);
    chunks.forget_pending();

    let refs = open(&chunks).refs().unwrap();
    let head = refs.branch_head("main").unwrap();
    assert_eq!(head.address.to_string(), "6dn25gfn09nrf1d50o94nvq6cnumv50n");
    assert_eq!(head.root.to_string(), "vt5n73lho7q40t91ucetlr9qv4eqhasl");
    assert_eq!(refs.working_set("main").unwrap().working, head.root);
    assert_eq!(database.commit(&before, &first).unwrap(), Committed::Moved);
}

#[test]
fn tables_come_and_go_with_the_roots_that_hold_them() {
    let chunks = Rc::new(MemoryChunks::new());
    let database = open(&chunks);
    let first = database.first_refs("main", meta("first", FIRST_MILLIS)).unwrap();
    assert_eq!(database.commit(&database.refs().unwrap(), &first).unwrap(), Committed::Done);
    let objects = database.objects();
    let empty = objects.root_value(&first.branch_head("main").unwrap().root).unwrap();

    let message = tree::message::schema::Schema {
        columns: vec![tree::message::schema::Column {
            name: "pk".into(),
            sql_type: "int".into(),
            tag: 7,
            encoding: tree::Encoding::Int32 as u8,
            is_primary_key: true,
            ..Default::default()
        }],
        clustered_index: tree::message::schema::ClusteredIndex { key_columns: vec![0], value_columns: Vec::new() },
        secondary_indexes: Vec::new(),
        checks: Vec::new(),
        collation: 0,
        comment: "".into(),
        target_row_bytes: 2048,
    };
    let schema = vcs::Schema::create(objects, &message).unwrap();
    let table = TableDraft::new(objects, schema).unwrap().write().unwrap();
    assert_eq!(table.draft().write().unwrap().address(), table.address());
    let with_table = empty.with_table("t", &table).unwrap();
    assert_eq!(with_table.without_table("t").unwrap().address(), empty.address());

    let head = first.branch_head("main").unwrap();
    let commit = Commit::write(objects, &[head], with_table.address(), meta("second", FIRST_MILLIS + 1)).unwrap();
    let mut draft = first.draft();
    draft.set_branch("main", Some(commit.address));
    draft.set_working_set("main", None).unwrap();
    assert_eq!(database.commit(&first, &draft.write().unwrap()).unwrap(), Committed::Done);
    chunks.forget_pending();

    let reopened = open(&chunks);
    let refs = reopened.refs().unwrap();
    let working = refs.working_set("main").unwrap().working;
    let root = reopened.objects().root_value(&working).unwrap();
    assert_eq!(root.table("T").unwrap().unwrap().row_count().unwrap(), 0);
    let log = reopened.objects().log(&[refs.branch("main").unwrap().unwrap()], &[]).unwrap();
    assert_eq!(log.count(), 2);
}
