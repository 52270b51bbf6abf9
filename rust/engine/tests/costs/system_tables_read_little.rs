//! Conditions on system tables spare reading: chunks are counted.

use std::rc::Rc;

use engine::{Cursor, Session};
use vcs::Objects;

use crate::common;

/// 200,000 rows, 22 commits of few changes each.
fn open() -> Option<(Session, Rc<Objects>)> {
    let directory = common::fixture("g_big")?;
    let database = common::open_database(&directory).expect("the fixture opens");
    let objects = database.objects().clone();
    let engine = common::empty_engine();
    engine.attach("big", database);
    Some((engine.session(), objects))
}

/// Rows that a query gives, and chunks that a fresh process reads for it.
fn cost(sql: &str) -> Option<(usize, u64)> {
    let (session, objects) = open()?;
    let (_, rows, _) = session.query(sql).and_then(Cursor::collect).expect(sql);
    Some((rows.len(), objects.nodes().stats().chunks_read))
}

#[test]
fn the_first_commits_of_the_log_need_no_others() {
    let Some((rows, chunks)) = cost("SELECT commit_hash, message FROM dolt_log LIMIT 2") else { return };
    assert_eq!(rows, 2);
    assert!(chunks < 12, "{chunks} chunks");
}

#[test]
fn one_commit_is_found_by_its_hash() {
    let sql = "SELECT message FROM dolt_log WHERE commit_hash = 'c3rmpekjvd4qh8283ocu4u8jsb4a1rrn'";
    let Some((rows, chunks)) = cost(sql) else { return };
    assert_eq!(rows, 1);
    assert!(chunks < 12, "{chunks} chunks");
}

#[test]
fn the_changes_of_one_commit_need_its_paths_only() {
    let sql = "SELECT * FROM dolt_diff_events WHERE to_commit = 'c3rmpekjvd4qh8283ocu4u8jsb4a1rrn'";
    let Some((rows, chunks)) = cost(sql) else { return };
    assert!(rows > 0);
    assert!(chunks < 60 + 8 * rows as u64, "{chunks} chunks for {rows} rows");
}

#[test]
fn a_difference_of_two_commits_skips_what_they_share() {
    let Some((rows, chunks)) = cost("SELECT * FROM dolt_diff('HEAD~2', 'HEAD', 'events')") else { return };
    assert!(rows > 0);
    assert!(chunks < 60 + 8 * rows as u64, "{chunks} chunks for {rows} rows");
}

#[test]
fn the_history_of_one_row_needs_one_path_a_version() {
    let Some((all, _)) = cost("SELECT commit_hash FROM dolt_log") else { return };
    let Some((rows, chunks)) = cost("SELECT * FROM dolt_history_events WHERE id = 777") else { return };
    assert!(rows > 0 && rows <= all);
    // A commit, its root, its table and three levels of rows.
    assert!(chunks < 12 * all as u64 + 20, "{chunks} chunks for {all} commits");
}

#[test]
fn blame_is_the_same_in_pieces() {
    let Some((session, _)) = open() else { return };
    let texts = |sql: &str| common::fresh::rows(&session, sql);
    // The first pieces have 128 and 2048 rows.
    let blamed = texts("SELECT id, commit FROM dolt_blame_events LIMIT 2500");
    let ids = texts("SELECT id FROM events LIMIT 2500");
    assert!(blamed.iter().zip(&ids).all(|(blamed, id)| blamed[..1] == id[..]) && blamed.len() == ids.len());
    for at in [0, 127, 128, 2175, 2176, 2499] {
        let alone = texts(&format!("SELECT id, commit FROM dolt_blame_events WHERE id = {}", ids[at][0]));
        assert_eq!(alone, &blamed[at..=at]);
    }
}

/// The database is open for reading alone.
#[test]
fn a_past_of_definitions_is_found_where_nothing_is_written() {
    for table in ["dolt_diff_dolt_schemas", "dolt_diff_dolt_procedures", "dolt_history_dolt_procedures"] {
        let Some((rows, _)) = cost(&format!("SELECT * FROM {table}")) else { return };
        assert_eq!(rows, 0, "{table}");
    }
}
