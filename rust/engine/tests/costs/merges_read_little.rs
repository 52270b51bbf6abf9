//! Operations of version control cost what changed, not what is there: chunks are counted over a table of 200,000 rows.

use engine::Cursor;

use crate::common::{self, over};

/// Runs a script in a fresh process; the chunks that all of it reads.
fn chunks_of(script: &[&str]) -> Option<u64> {
    let directory = common::fixture("g_big")?;
    let database = over::database(&directory);
    let objects = database.objects().clone();
    let engine = common::empty_engine();
    engine.attach("big", database);
    let session = engine.session();
    for sql in script {
        let before = objects.nodes().stats().chunks_read;
        session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
        println!("{} chunks: {sql}", objects.nodes().stats().chunks_read - before);
    }
    Some(objects.nodes().stats().chunks_read)
}

#[test]
fn a_branch_a_commit_and_a_reset_read_a_few_chunks() {
    let script = [
        "CALL dolt_branch('b')",
        "CALL dolt_checkout('b')",
        "DELETE FROM events WHERE id = 777",
        "CALL dolt_commit('-am', 'one row less')",
        "CALL dolt_tag('t')",
        "CALL dolt_reset('--hard', 'HEAD~1')",
        "CALL dolt_branch('-m', 'b', 'c')",
    ];
    let Some(chunks) = chunks_of(&script) else { return };
    assert!(chunks < 100, "{chunks} chunks");
}

#[test]
fn a_merge_reads_the_paths_of_what_changed() {
    let script = [
        "CALL dolt_branch('b')",
        "DELETE FROM events WHERE id = 777",
        "CALL dolt_commit('-am', 'one row less')",
        "CALL dolt_checkout('b')",
        "DELETE FROM events WHERE id = 150000",
        "CALL dolt_commit('-am', 'another row less')",
        "CALL dolt_checkout('main')",
        "CALL dolt_merge('b')",
    ];
    let Some(chunks) = chunks_of(&script) else { return };
    assert!(chunks < 150, "{chunks} chunks");
}

#[test]
fn a_cherry_pick_a_revert_and_a_stash_read_the_paths_of_what_changed() {
    let script = [
        "CALL dolt_branch('b')",
        "CALL dolt_checkout('b')",
        "DELETE FROM events WHERE id = 777",
        "CALL dolt_commit('-am', 'one row less')",
        "CALL dolt_checkout('main')",
        "CALL dolt_cherry_pick('b')",
        "CALL dolt_revert('HEAD')",
        "DELETE FROM events WHERE id = 778",
        "CALL dolt_stash('push', 's')",
        "CALL dolt_stash('pop', 's')",
    ];
    let Some(chunks) = chunks_of(&script) else { return };
    assert!(chunks < 160, "{chunks} chunks");
}
