//! How many chunks the usual first questions cost.

mod common;

use common::databases;
use vcs::Head;

#[test]
fn the_newest_commit_costs_two_chunks() {
    for opened in databases("little", &["d_", "g_"]) {
        let nodes = opened.database.objects().nodes().clone();
        let read = || nodes.stats().chunks_read;
        assert_eq!(read(), 0, "opening reads nothing");
        let refs = opened.database.refs().unwrap();
        let branch = opened.database.default_branch(&refs).unwrap().unwrap();
        let mut log = refs.objects().log(&[refs.branch(&branch).unwrap().unwrap()], &[]).unwrap();
        let newest = log.next().unwrap().unwrap();
        assert_eq!(read(), 2, "the store root and the commit");
        log.next().unwrap().unwrap();
        assert_eq!(read(), 2 + newest.parents.len() as u64);
    }
}

#[test]
fn a_table_costs_its_path_and_no_more() {
    for opened in databases("path", &["g_"]) {
        let nodes = opened.database.objects().nodes().clone();
        let refs = opened.database.refs().unwrap();
        let root = refs.named_root("WORKING", &Head::Branch("main".into())).unwrap().root;
        let table = root.table("events").unwrap().unwrap();
        assert!(table.row_count().unwrap() > 199_000);
        // Store root, working set, root value, table, schema.
        assert_eq!(nodes.stats().chunks_read, 5);
        let ordinal = table.row_count().unwrap() / 2;
        table.rows().item(ordinal).unwrap().unwrap();
        let levels = table.rows_root().level() as u64;
        assert!(levels > 0);
        assert_eq!(nodes.stats().chunks_read, 5 + levels);
    }
}

#[test]
fn a_merge_base_does_not_read_the_history() {
    for opened in databases("base", &["d_"]) {
        let nodes = opened.database.objects().nodes().clone();
        let refs = opened.database.refs().unwrap();
        let [main, hotfix] = ["main", "hotfix"].map(|branch| refs.branch_head(branch).unwrap());
        let before = nodes.stats().chunks_read;
        let base = refs.objects().merge_base(&main, &hotfix).unwrap();
        assert_eq!(base, Some(hotfix.address));
        assert!(refs.objects().has_ancestor(&main, &hotfix).unwrap());
        assert!(nodes.stats().chunks_read - before <= 6);
    }
}
