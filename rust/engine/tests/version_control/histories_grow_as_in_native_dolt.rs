//! Random scripts of commits, branches, merges, resets, picks, reverts and stashes: ./merges/scripts.jsonl has what native Dolt
//! 2.2.0 answers to each statement, hashes and all.

use serde_json::Value as Json;

use crate::common::fresh;

#[test]
fn histories_grow_as_in_native_dolt() {
    for line in include_str!("../merges/scripts.jsonl").lines() {
        let script: Json = serde_json::from_str(line).expect("scripts are JSON");
        let session = fresh::session_named("db");
        for step in script["steps"].as_array().expect("a script has steps") {
            let sql = step["sql"].as_str().expect("a step has a statement");
            let ours = fresh::objects(&session, sql);
            let context = format!("script {}: {sql}", script["seed"]);
            match (step["error"].as_str(), step.get("rows")) {
                (Some(error), _) => assert_eq!(ours.as_ref().map_err(|error| error.trim()), Err(error), "{context}"),
                (None, Some(rows)) => assert_eq!(ours.as_ref(), Ok(rows), "{context}"),
                (None, None) => assert!(ours.is_ok(), "{context}: {ours:?}"),
            }
        }
    }
}
