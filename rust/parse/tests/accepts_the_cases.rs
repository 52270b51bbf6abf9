//! Every statement of `../shared/cases` is accepted, except those that the reference refuses as syntax errors; these are
//! refused too, or marked as going beyond Dolt.

use std::collections::BTreeMap;
use std::path::Path;

use parse::{Options, ParseError, statement};
use serde_json::Value;

/// The reference reads these as a whole and then fails; for us they lack a name.
const UNFINISHED: [&str; 2] = ["use", "explain"];

/// Statement → the syntax error that the reference reports for it, if any.
fn statements() -> Option<BTreeMap<String, Option<String>>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases");
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("skipped: ../shared not found");
        return None;
    };
    let mut statements = BTreeMap::new();
    for file in files.flatten().map(|file| file.path()).filter(|path| path.extension().is_some_and(|e| e == "jsonl")) {
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            let script: Value = serde_json::from_str(line).unwrap();
            let setup = script["sql"].as_array().into_iter().chain(script["setup"].as_array()).flatten();
            for sql in setup.filter_map(Value::as_str) {
                statements.entry(sql.to_owned()).or_insert(None);
            }
            for step in script["steps"].as_array().into_iter().flatten() {
                let message =
                    step["expect"]["message"].as_str().filter(|text| text.contains("syntax error at position"));
                // The same words may be an error only under another sql_mode: one success wins.
                let entry = statements.entry(step["sql"].as_str().unwrap().to_owned());
                let known = entry.or_insert_with(|| message.map(str::to_owned));
                if message.is_none() {
                    *known = None;
                }
            }
        }
    }
    Some(statements)
}

#[test]
fn every_case_is_read_as_the_reference_reads_it() {
    let Some(statements) = statements() else { return };
    assert!(statements.len() > 25_000, "{} statements", statements.len());
    let mut wrong = Vec::new();
    let (mut same_text, mut refused) = (0, 0);
    for (sql, error) in &statements {
        // The failing text of this one is the prepared statement's.
        if sql.starts_with("prepare") && error.is_some() || UNFINISHED.contains(&sql.as_str()) {
            continue;
        }
        let parsed = statement(sql, &Options::default());
        match (error, parsed.errors.first()) {
            (None, Some(ParseError::Unsupported { .. })) => {}
            (None, Some(ours)) => wrong.push(format!("refused: {sql}\n    {ours} at {:?}", ours.span())),
            (Some(_), None) if parsed.beyond_dolt.is_empty() => wrong.push(format!("accepted: {sql}\n    {error:?}")),
            (Some(theirs), Some(ours)) => {
                refused += 1;
                same_text += usize::from(*theirs == ours.to_string());
            }
            _ => {}
        }
    }
    println!("{} statements, {refused} refused, {same_text} with the reference's text", statements.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), statements.len(), wrong[..wrong.len().min(80)].join("\n"));
    assert!(same_text * 100 >= refused * 90, "{same_text} of {refused} error texts are the reference's");
}
