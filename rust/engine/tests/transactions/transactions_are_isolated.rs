//! What a transaction changes is its own until it is committed, and then everybody's.

use std::cell::Cell;
use std::rc::Rc;

use engine::Session;
use tree::message::schema::{ClusteredIndex, Column, Schema};
use vcs::TableDraft;

use crate::common::{
    self,
    fresh::{affected, chunks, engine_over, error, rows},
};

/// `CREATE TABLE name (pk int primary key)`, without SQL.
fn create(session: &Session, name: &str) {
    let catalog = session.catalog();
    let place = catalog.place(None).unwrap();
    let root = place.root().unwrap();
    let column = |name: &str, is_primary_key| Column {
        name: name.into(),
        sql_type: "int".into(),
        tag: 7 + u64::from(is_primary_key),
        encoding: tree::Encoding::Int32 as u8,
        is_primary_key,
        is_nullable: !is_primary_key,
        ..Default::default()
    };
    let message = Schema {
        columns: vec![column("pk", true), column("v", false)],
        clustered_index: ClusteredIndex { key_columns: vec![0], value_columns: vec![1] },
        secondary_indexes: Vec::new(),
        checks: Vec::new(),
        collation: 0,
        comment: "".into(),
        target_row_bytes: 2048,
    };
    let schema = vcs::Schema::create(root.objects(), &message).unwrap();
    let table = TableDraft::new(root.objects(), schema).unwrap().write().unwrap();
    catalog.set_root(&place, &root.with_table(name, &table).unwrap()).unwrap();
}

fn tables(session: &Session) -> Vec<String> {
    rows(session, "SHOW TABLES").concat()
}

#[test]
fn what_is_committed_is_seen_by_all_and_stays() {
    let chunks = chunks();
    let engine = engine_over(&chunks);
    let (one, two) = (engine.session(), engine.session());
    rows(&one, "BEGIN");
    create(&one, "t");
    assert_eq!((tables(&one), tables(&two)), (vec!["t".to_owned()], vec![]));
    assert_eq!(rows(&one, "SELECT table_name, status FROM dolt_status"), [["t", "new table"]]);
    rows(&two, "BEGIN");
    rows(&one, "COMMIT");
    assert!(tables(&two).is_empty(), "a snapshot is not moved by others");
    rows(&two, "ROLLBACK");
    assert_eq!(tables(&two), ["t"]);
    assert_eq!(tables(&engine_over(&chunks).session()), ["t"], "and it is there when it is opened again");
}

#[test]
fn rollback_and_savepoints_go_back() {
    let engine = engine_over(&chunks());
    let session = engine.session();
    rows(&session, "START TRANSACTION");
    create(&session, "a");
    rows(&session, "SAVEPOINT one");
    create(&session, "b");
    rows(&session, "SAVEPOINT two");
    create(&session, "c");
    rows(&session, "ROLLBACK TO two");
    assert_eq!(tables(&session), ["a", "b"]);
    rows(&session, "ROLLBACK TO one");
    assert_eq!(tables(&session), ["a"]);
    assert_eq!(error(&session, "ROLLBACK TO two").1, "SAVEPOINT two does not exist");
    rows(&session, "RELEASE SAVEPOINT one");
    assert_eq!(error(&session, "ROLLBACK TO one").1, "SAVEPOINT one does not exist");
    rows(&session, "ROLLBACK");
    assert!(tables(&session).is_empty());
}

#[test]
fn tables_of_two_transactions_are_merged() {
    let engine = engine_over(&chunks());
    let (one, two, three) = (engine.session(), engine.session(), engine.session());
    for session in [&one, &two, &three] {
        rows(session, "BEGIN");
    }
    create(&one, "a");
    create(&two, "b");
    create(&three, "a");
    create(&three, "c");
    rows(&one, "COMMIT");
    rows(&two, "COMMIT");
    assert_eq!(tables(&one), ["a", "b"]);
    rows(&three, "COMMIT");
    assert_eq!(tables(&one), ["a", "b", "c"], "the same table made twice is one");
}

#[test]
fn rows_are_written_read_and_kept() {
    let chunks = chunks();
    let session = engine_over(&chunks).session();
    create(&session, "t");
    session.catalog().transaction.commit().unwrap();
    assert_eq!(affected(&session, "INSERT INTO t VALUES (2, 20), (1, 10), (3, NULL)"), 3);
    assert_eq!(affected(&session, "UPDATE t SET v = pk * 100 WHERE pk >= 2"), 2);
    assert_eq!(affected(&session, "UPDATE t SET v = 300 WHERE pk = 3"), 0);
    assert_eq!(affected(&session, "DELETE FROM t WHERE pk = 1"), 1);
    assert_eq!(
        error(&session, "INSERT INTO t VALUES (4, 4), (2, 2)"),
        (1062, "duplicate primary key given: [2]".into())
    );
    assert_eq!(rows(&session, "SELECT * FROM t"), [["2", "200"], ["3", "300"]]);
    let reopened = engine_over(&chunks).session();
    assert_eq!(rows(&reopened, "SELECT * FROM t"), [["2", "200"], ["3", "300"]]);
}

#[test]
fn one_that_may_have_read_what_others_changed_is_refused_where_that_is_asked() {
    let engine = engine_over(&chunks());
    let (one, two) = (engine.session(), engine.session());
    rows(&one, "CREATE TABLE counters (id INT PRIMARY KEY, n INT)");
    rows(&one, "CREATE TABLE others (id INT PRIMARY KEY, n INT)");
    rows(&one, "INSERT INTO counters VALUES (1, 0)");
    // Both read the same and make the same of it, `what` the first one knows of.
    let race = |unchanged: &str, meanwhile: &str| {
        rows(&one, "UPDATE counters SET n = 0");
        rows(&one, "START TRANSACTION");
        rows(&one, &format!("SET varve_unchanged = '{unchanged}'"));
        rows(&one, "SELECT n FROM counters WHERE id = 1");
        rows(&two, meanwhile);
        rows(&one, "UPDATE counters SET n = 1 WHERE id = 1");
        let outcome = one.query("COMMIT").and_then(engine::Cursor::collect);
        rows(&one, "SET varve_unchanged = ''");
        outcome.err().map(|error| (error.errno, error.sqlstate))
    };
    let conflict = Some((1213, *b"40001"));
    let same = "UPDATE counters SET n = 1 WHERE id = 1";
    assert_eq!(race("", same), None, "merged, as in native Dolt");
    assert_eq!(race("*", same), conflict);
    assert_eq!(race("counters\nselect\n", same), conflict);
    assert_eq!(race("others\n", same), None);
    let beside = "REPLACE INTO others VALUES (1, 1 + (SELECT count(*) FROM counters))";
    assert_eq!(race("counters\n", "CREATE TABLE more (id INT PRIMARY KEY)"), None);
    assert_eq!(race("counters\n", beside), None);
    assert_eq!(race("counters\n", "SELECT 1"), None);
    assert_eq!(race("*", "DELETE FROM others"), conflict);
    assert_eq!(race("*", "CALL dolt_commit('-Am', 'committed')"), None, "a commit changes no rows");
    assert_eq!(race("*", "CALL dolt_branch('b')"), None);
    assert_eq!(race("counters\n", "UPDATE `mydb/b`.counters SET n = 7"), None);
    // A database with views, triggers or procedures may read what is not named.
    rows(&two, "CREATE VIEW v AS SELECT * FROM others");
    assert_eq!(race("counters\n", "INSERT INTO others VALUES (5, 5)"), conflict);
    assert_eq!(rows(&one, "SELECT n FROM counters"), [["0"]], "nothing of it is there");
}

#[test]
fn rows_of_two_transactions_are_merged_and_the_same_cell_is_a_conflict() {
    let engine = engine_over(&chunks());
    let (one, two) = (engine.session(), engine.session());
    create(&one, "t");
    one.catalog().transaction.commit().unwrap();
    rows(&one, "INSERT INTO t VALUES (1, 1), (2, 2)");
    for session in [&one, &two] {
        rows(session, "START TRANSACTION");
    }
    rows(&one, "UPDATE t SET v = 10 WHERE pk = 1");
    rows(&two, "UPDATE t SET v = 20 WHERE pk = 2");
    rows(&two, "INSERT INTO t VALUES (3, 3)");
    rows(&one, "COMMIT");
    rows(&two, "COMMIT");
    assert_eq!(rows(&one, "SELECT * FROM t"), [["1", "10"], ["2", "20"], ["3", "3"]]);
    for session in [&one, &two] {
        rows(session, "START TRANSACTION");
    }
    rows(&one, "UPDATE t SET v = 11 WHERE pk = 1");
    rows(&two, "UPDATE t SET v = 12 WHERE pk = 1");
    rows(&one, "COMMIT");
    let (errno, text) = error(&two, "COMMIT");
    assert_eq!(errno, 1213);
    assert!(text.starts_with("serialization failure: this transaction conflicts"));
    assert_eq!(rows(&two, "SELECT v FROM t WHERE pk = 1"), [["11"]], "the transaction is over and has left nothing");
}

#[test]
fn a_snapshot_outlives_a_garbage_collection() {
    let chunks = chunks();
    let engine = common::empty_engine();
    // Nodes are read anew each time.
    let nodes = tree::NodeStore::new(chunks.clone(), tree::Options { cache_bytes: 1 });
    engine.attach("mydb", vcs::Database::new(nodes, vcs::RepoState::default()));
    let (one, two) = (engine.session(), engine.session());
    rows(&one, "CREATE TABLE t (id int primary key, v int, text varchar(200))");
    rows(&one, "INSERT INTO t VALUES (0, 0, repeat('x', 200))");
    for _ in 0..10 {
        rows(&one, "INSERT INTO t SELECT id + (SELECT count(*) FROM t), id, text FROM t");
    }
    let question = "SELECT count(*), sum(v), max(text) FROM t";
    rows(&two, "BEGIN");
    let before = rows(&two, question);
    rows(&one, "UPDATE t SET v = -1, text = 'y'");
    assert_eq!(rows(&one, "CALL dolt_gc()"), [["0"]]);
    assert_eq!(rows(&two, question), before);
    rows(&two, "COMMIT");
    assert_eq!(rows(&two, question), [["1024", "-1024", "y"]]);
    // Now the old rows are unused.
    let kept = chunks.len();
    assert_eq!(rows(&one, "CALL dolt_gc()"), [["0"]]);
    assert!(chunks.len() < kept);
}

#[test]
fn sessions_that_only_read_write_nothing() {
    let session = common::fresh::session();
    let run = |sql: &str| session.query(sql).and_then(engine::Cursor::collect);
    for sql in ["CREATE TABLE t (id INT PRIMARY KEY)", "INSERT INTO t VALUES (1)", "SET varve_read_only = 1"] {
        run(sql).expect(sql);
    }
    let writes = [
        "INSERT INTO t VALUES (2)",
        "UPDATE t SET id = 3",
        "DELETE FROM t",
        "TRUNCATE TABLE t",
        "ALTER TABLE t ADD COLUMN a INT",
        "CREATE VIEW v AS SELECT 1",
        "CALL dolt_commit('-Am', 'no')",
        "CALL dolt_branch('no')",
        "CALL dolt_tag('no')",
        "CALL dolt_reset('--hard')",
    ];
    for sql in writes {
        assert_eq!(run(sql).map(|_| ()).expect_err(sql).errno, 1792, "{sql}");
    }
    run("SELECT * FROM t").expect("it reads");
    run("SET varve_read_only = 0").expect("a variable");
    run("INSERT INTO t VALUES (2)").expect("it writes again");
}

/// A statement that commits, merges with what others have committed, and has no memory at one of its looks at what is left: whether that
/// ended it.
fn commit_without_memory(sql: &str, look: u64) -> bool {
    let (looks, fails_at) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let (counted, limit) = (looks.clone(), fails_at.clone());
    let bytes_left = move || {
        counted.set(counted.get() + 1);
        if counted.get() == limit.get() { 0 } else { usize::MAX }
    };
    let engine = common::fresh::engine_with(common::ScriptedHost::with_memory(bytes_left), "poor");
    let (one, two) = (engine.session(), engine.session());
    one.state().work.check_always();
    rows(&one, "CREATE TABLE t (id INT PRIMARY KEY, a INT, CHECK (a < 100))");
    rows(&one, "SET autocommit = 0");
    rows(&one, "INSERT INTO t VALUES (1, 1)");
    rows(&two, "INSERT INTO t VALUES (2, 2)");
    looks.set(0);
    fails_at.set(look);
    let committed = one.query(sql).and_then(engine::Cursor::collect);
    fails_at.set(0);
    if let Err(error) = &committed {
        assert_eq!(error.errno, 1041, "{error:?}");
        assert_eq!(rows(&one, "SELECT * FROM t"), [["1", "1"]], "{sql}, look {look}");
        rows(&one, sql);
    }
    assert_eq!(rows(&two, "SELECT id FROM t"), [["1"], ["2"]], "{sql}, look {look}");
    committed.is_err()
}

#[test]
fn a_commit_without_memory_can_be_run_again() {
    for sql in ["COMMIT", "ALTER TABLE t ADD COLUMN b INT", "CALL dolt_commit('-Am', 'both')"] {
        let failed = (1..40).filter(|look| commit_without_memory(sql, *look)).count();
        assert!(failed > 1, "{sql}: {failed}");
    }
}
