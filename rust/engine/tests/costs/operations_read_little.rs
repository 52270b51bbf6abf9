//! No operation reads a whole table or the whole history when its answer does not need it: chunks are counted, each time by a process
//! that has read none, over a table of 200,000 rows and 500 commits.

use std::rc::Rc;

use engine::{Cursor, Session};
use store::Chunks;

use crate::common::{
    self,
    over::{self, Over},
};

const COMMITS: usize = 480;

/// The fixture and what is made of it: `side` left `main` before `COMMITS` commits, one of them of ten rows far from each other,
/// the last one of one row. `other` has one commit of one row besides.
fn history() -> Option<Rc<Over>> {
    let chunks = over::chunks(&common::fixture("g_big")?);
    let engine = common::empty_engine();
    engine.attach("big", over::opened(&chunks));
    let session = engine.session();
    let run = |sql: &str| collect(&session, sql);
    run("CALL dolt_branch('side')");
    for number in 0..COMMITS {
        run(&format!("CALL dolt_commit('--allow-empty', '-m', 'empty {number}')"));
    }
    run("CALL dolt_branch('other')");
    let ids = (0..10).map(|at| (1000 + at * 17_000).to_string()).collect::<Vec<_>>().join(", ");
    run(&format!("DELETE FROM events WHERE id IN ({ids})"));
    run("CALL dolt_commit('-am', 'ten rows less')");
    run("CALL dolt_tag('ten')");
    run("DELETE FROM events WHERE id = 777");
    run("CALL dolt_commit('-am', 'one row less')");
    run("CALL dolt_checkout('other')");
    run("DELETE FROM events WHERE id = 150000");
    run("CALL dolt_commit('-am', 'another row less')");
    run("CALL dolt_checkout('main')");
    Some(chunks)
}

fn collect(session: &Session, sql: &str) -> usize {
    let (_, rows, _) = session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    rows.len()
}

/// Chunks that the last of some statements reads, and the rows that it gives; the others were run by another process.
fn cost(chunks: &Rc<Over>, script: &[&str]) -> (u64, usize) {
    let Some((last, before)) = script.split_last() else { return (0, 0) };
    let process = || {
        let database = over::opened(chunks);
        let objects = database.objects().clone();
        let engine = common::empty_engine();
        engine.attach("big", database);
        (engine.session(), objects)
    };
    let (session, _) = process();
    before.iter().for_each(|sql| {
        collect(&session, sql);
    });
    let (session, objects) = process();
    let rows = collect(&session, last);
    (objects.nodes().stats().chunks_read, rows)
}

#[test]
fn queries_read_what_they_tell() {
    let Some(chunks) = history() else { return };
    // Ten changes are ten paths in either table, of three levels here.
    for (most, sql) in [
        (1, "SELECT 1"),
        (60, "SELECT * FROM dolt_diff('ten~1', 'ten', 'events')"),
        (60, "SELECT * FROM dolt_diff_stat('ten~1', 'ten', 'events')"),
        (20, "SELECT * FROM dolt_diff_summary('ten~1', 'ten')"),
        (20, "SELECT * FROM dolt_schema_diff('ten~1', 'ten')"),
        (60, "SELECT * FROM dolt_patch('ten~1', 'ten', 'events')"),
        (75, "SELECT * FROM dolt_diff_events WHERE from_commit = hashof('ten~1') AND to_commit = hashof('ten')"),
        (75, "SELECT * FROM dolt_commit_diff_events WHERE from_commit = hashof('ten~1') AND to_commit = hashof('ten')"),
        (30, "SELECT * FROM dolt_diff_events WHERE to_commit = hashof('HEAD')"),
        (60, "SELECT COUNT(*) FROM dolt_diff('side', 'HEAD', 'events')"),
        (15, "SELECT * FROM dolt_diff('side', 'HEAD', 'events') WHERE from_id = 777"),
        (15, "SELECT * FROM dolt_diff('side', 'HEAD', 'events') LIMIT 1"),
        (12, "SELECT * FROM dolt_diff WHERE commit_hash = hashof('HEAD')"),
        (60, "SELECT * FROM dolt_diff_stat('side', 'HEAD', 'events')"),
        (6, "SELECT * FROM dolt_diff_stat('HEAD', 'WORKING')"),
        (15, "SELECT * FROM dolt_patch('side', 'HEAD') LIMIT 1"),
        (
            15,
            "SELECT * FROM dolt_commit_diff_events WHERE from_commit = hashof('side') AND to_commit = hashof('HEAD') AND to_id = 9",
        ),
        (12, "SELECT * FROM dolt_history_events WHERE commit_hash = hashof('HEAD') AND id = 777"),
        (12, "SELECT * FROM dolt_history_events LIMIT 1"),
        (12, "SELECT * FROM dolt_reflog('main')"),
        (12, "SELECT * FROM dolt_log LIMIT 1"),
        (12, "SELECT * FROM dolt_log('-n', '1')"),
        (12, "SELECT * FROM dolt_log('HEAD~3..HEAD')"),
        (12, "SELECT * FROM dolt_log('--tables', 'events') LIMIT 1"),
        (12, "SELECT * FROM dolt_commits LIMIT 1"),
        (12, "SELECT * FROM dolt_commit_ancestors LIMIT 1"),
        (12, "SELECT * FROM dolt_diff LIMIT 1"),
        (25, "SELECT * FROM dolt_column_diff LIMIT 1"),
        (12, "SELECT * FROM dolt_branches"),
        (12, "SELECT * FROM dolt_status"),
        (12, "SELECT * FROM dolt_tags"),
        (12, "SELECT * FROM dolt_workspace_events"),
        (12, "SELECT * FROM dolt_conflicts"),
        (12, "SELECT * FROM dolt_merge_status"),
        (12, "SELECT * FROM events AS OF 'HEAD~2' WHERE id = 777"),
        (12, "SELECT * FROM `big/other`.events WHERE id = 777"),
        (12, "SELECT COUNT(*) FROM events AS OF 'ten'"),
        (20, "SELECT dolt_merge_base('main', 'side')"),
        (20, "SELECT dolt_merge_base('main', 'other')"),
        (20, "SELECT has_ancestor('main', 'side')"),
        (12, "SELECT dolt_hashof('HEAD~1'), dolt_hashof_table('events'), dolt_hashof_db()"),
        (20, "SELECT * FROM dolt_log('other..main')"),
        (20, "SELECT * FROM dolt_log('main...other')"),
        (20, "SELECT * FROM dolt_branch_status('main', 'other')"),
        (85, "SELECT * FROM dolt_preview_merge_conflicts_summary('main', 'other')"),
        (85, "SELECT * FROM dolt_preview_merge_conflicts('main', 'other', 'events')"),
        (12, "CALL dolt_verify_constraints()"),
        (20, "CALL dolt_count_commits('--from', 'main', '--to', 'other')"),
        // Each commit, and a path of each version of the table.
        (COMMITS as u64 + 150, "SELECT * FROM dolt_history_events WHERE id = 150000"),
        (COMMITS as u64 + 160, "SELECT * FROM dolt_history_events WHERE id IN (777, 150000)"),
        (COMMITS as u64 + 150, "SELECT * FROM dolt_history_events WHERE id BETWEEN 777 AND 779"),
        (COMMITS as u64 + 150, "SELECT * FROM dolt_blame_events WHERE id = 150000"),
        (COMMITS as u64 + 170, "SELECT * FROM dolt_blame_events LIMIT 1"),
        (COMMITS as u64 + 170, "SELECT * FROM dolt_blame_events WHERE id > 100000 LIMIT 1"),
        (COMMITS as u64 + 160, "SELECT * FROM dolt_blame_events WHERE id IN (777, 150000)"),
        (COMMITS as u64 + 160, "SELECT * FROM dolt_diff_events WHERE to_id IN (779, 150000)"),
        // The commits, to find whose parent it is, but one pair of versions.
        (COMMITS as u64 + 150, "SELECT * FROM dolt_diff_events WHERE from_commit = hashof('HEAD~1')"),
        (
            COMMITS as u64 + 150,
            "SELECT * FROM dolt_diff_events WHERE to_commit = hashof('HEAD') OR from_commit = hashof('HEAD')",
        ),
        (2 * COMMITS as u64 + 300, "SELECT * FROM dolt_diff_events WHERE to_id = 777 OR from_id = 777"),
    ] {
        let (read, rows) = cost(&chunks, &[sql]);
        assert!(read <= most, "{read} chunks for {rows} rows, at most {most}: {sql}");
    }
}

#[test]
fn changes_read_what_they_change() {
    let Some(chunks) = history() else { return };
    let root = chunks.root();
    // Merges and their kin compare `ten rows less` with what the other side did.
    for (most, script) in [
        (20, &["CALL dolt_branch('new')"][..]),
        (20, &["CALL dolt_branch('new', 'side')"]),
        (20, &["CALL dolt_checkout('other')"]),
        (20, &["CALL dolt_checkout('-b', 'new')"]),
        (20, &["CALL dolt_tag('new')"]),
        (20, &["CALL dolt_reset('--soft', 'HEAD~1')"]),
        (20, &["CALL dolt_reset('--hard', 'HEAD~1')"]),
        (20, &["CALL dolt_reset('HEAD~1')"]),
        (20, &["DELETE FROM events WHERE id = 778", "CALL dolt_reset('--hard')"]),
        (20, &["DELETE FROM events WHERE id = 778", "CALL dolt_checkout('events')"]),
        (20, &["DELETE FROM events WHERE id = 778", "CALL dolt_add('-A')"]),
        (20, &["DELETE FROM events WHERE id = 778", "CALL dolt_commit('-am', 'one')"]),
        (20, &["DELETE FROM events WHERE id = 778", "CALL dolt_stash('push', 's')"]),
        (40, &["DELETE FROM events WHERE id = 778", "SELECT * FROM dolt_workspace_events"]),
        (20, &["DELETE FROM events WHERE id = 778", "SELECT * FROM dolt_status"]),
        (20, &["DROP TABLE events", "SELECT * FROM dolt_diff_stat('HEAD', 'WORKING')"]),
        (20, &["CALL dolt_clean()"]),
        (95, &["CALL dolt_merge('other')"]),
        (20, &["CALL dolt_merge('side')"]),
        (95, &["CALL dolt_cherry_pick('other')"]),
        (30, &["CALL dolt_revert('HEAD')"]),
        (190, &["CALL dolt_rebase('other')"]),
    ] {
        let (read, _) = cost(&chunks, script);
        chunks.set_root(root);
        assert!(read <= most, "{read} chunks, at most {most}: {script:?}");
    }
}
