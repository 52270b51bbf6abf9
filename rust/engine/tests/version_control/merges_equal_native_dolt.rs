//! Three-way merges as native Dolt 2.2.0 makes them: ./merges/native.jsonl has scripts for the base, our and their branch, and
//! what native Dolt answers: the new commit, the merged root, conflicts of schemas and rows, violated constraints.
//!
//! `VARVE_ONLY=name` runs one.

use serde_json::Value as Json;

use crate::common::fresh;

const VARIABLES: &str = "set @@dolt_author_name = 'A', @@dolt_author_email = 'a@b.c', @@dolt_committer_name = 'A', \
    @@dolt_committer_email = 'a@b.c', @@dolt_author_date = '2024-02-01T00:00:00', \
    @@dolt_committer_date = '2024-02-01T00:00:00'";

/// What is asked after the merge of each script.
const QUESTIONS: [&str; 5] = [
    "call dolt_merge('br')",
    "select dolt_hashof_db('working') as root",
    "select table_name, description from dolt_schema_conflicts order by table_name",
    "select * from dolt_conflicts order by `table`",
    "select * from dolt_constraint_violations order by `table`",
];

#[test]
fn merges_equal_native_dolt() {
    let only = std::env::var("VARVE_ONLY").ok();
    let text = include_str!("../merges/native.jsonl");
    let (mut good, mut bad) = (0, 0);
    for line in text.lines() {
        let merge: Json = serde_json::from_str(line).expect("merges are JSON");
        let name = merge["case"].as_str().unwrap_or_default();
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        match run(&merge) {
            Ok(()) => good += 1,
            Err(why) => {
                bad += 1;
                println!("{name}: {why}");
            }
        }
    }
    println!("{good} merges are the same, {bad} are not");
    assert_eq!(bad, 0, "merges that differ");
}

fn run(merge: &Json) -> Result<(), String> {
    let session = fresh::session_named("db");
    let run = |sql: &str| fresh::objects(&session, sql).map_err(|error| format!("{sql}: {error}"));
    run(VARIABLES)?;
    run("call dolt_commit('--amend', '-m', 'Initialize data repository', '--date', '2024-01-01T00:00:00')")?;
    for (script, commit) in [
        ("base", "call dolt_branch('br')"),
        ("ours", "call dolt_checkout('br')"),
        ("theirs", "call dolt_checkout('main')"),
    ] {
        for sql in merge[script].as_array().into_iter().flatten().filter_map(Json::as_str) {
            run(sql)?;
        }
        run("call dolt_add('-A')")?;
        run(&format!("call dolt_commit('--allow-empty', '-m', '{script}')"))?;
        run(commit)?;
    }
    for sql in
        ["set autocommit = 0", "set @@dolt_allow_commit_conflicts = 1", "set @@dolt_force_transaction_commit = 1"]
    {
        run(sql)?;
    }
    let mut differences = Vec::new();
    for (at, question) in QUESTIONS.into_iter().enumerate() {
        let native = &merge["answers"][at];
        match (fresh::objects(&session, question), merge["error"].as_str().filter(|_| at == 0)) {
            (Err(ours), Some(native)) if ours == native => {}
            (Ok(ours), None) if ours == *native => {}
            (ours, error) => differences
                .push(format!("{question}\n  ours   {ours:?}\n  native {native} {}", error.unwrap_or_default())),
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

/// Native Dolt takes the values of other columns here and fails.
#[test]
fn a_column_goes_on_one_side_and_one_comes_on_the_other() {
    let session = fresh::session_named("db");
    for sql in [
        "create table r (a int primary key, b int, c varchar(10), d int, e text, key kbc (b, c))",
        "insert into r values (1, 10, 'x', 100, 'one'), (2, 20, 'y', 200, 'two'), (3, 30, 'z', 300, 'three')",
        "call dolt_commit('-Am', 'base')",
        "call dolt_branch('br')",
        "update r set b = 11 where a = 1",
        "alter table r drop column d",
        "call dolt_commit('-Am', 'ours')",
        "call dolt_checkout('br')",
        "alter table r add column n int default 3 after a",
        "update r set c = 'yy', n = 4 where a = 2",
        "call dolt_commit('-Am', 'theirs')",
        "call dolt_checkout('main')",
        "call dolt_merge('br')",
    ] {
        fresh::objects(&session, sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    let rows = fresh::rows(&session, "select a, b, c, e, n from r order by b");
    assert_eq!(rows, [["1", "11", "x", "one", "3"], ["2", "20", "yy", "two", "4"], ["3", "30", "z", "three", "3"]]);
    assert_eq!(fresh::rows(&session, "select a from r where b = 20 and c = 'yy'"), [["2"]]);
}
