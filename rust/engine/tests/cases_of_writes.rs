//! The scripts of ../shared/cases that change something, each in a new database of our own.
//!
//! `VARVE_CASES=dml` runs one file, `VARVE_ONLY=dml/003` one script, `VARVE_FAILURES=50` prints more failures.

mod common;

use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use common::cases::{self, texts};
use common::fresh;
use common::judge::Verdict;
use engine::{Cursor, Engine, Session};
use serde_json::Value as Json;

/// How many steps of each file agree at least. Raise these when more do; none may fall.
const FLOORS: &[(&str, usize)] = &[
    ("dml", 1895),
    ("constraints", 2022),
    ("transactions", 123),
    ("errors", 258),
    ("version_control", 4565),
    ("ddl", 1821),
    ("information_schema", 46),
    ("fulltext_spatial", 54),
];

struct Sessions {
    engine: Rc<Engine>,
    by_name: HashMap<String, Session>,
}

impl Sessions {
    fn of(&mut self, name: &str) -> &Session {
        let engine = &self.engine;
        self.by_name.entry(name.to_owned()).or_insert_with(|| engine.session())
    }
}

#[test]
fn cases_of_writes() {
    let Some(shared) = common::shared() else { return };
    let shown: usize = std::env::var("VARVE_FAILURES").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let only = std::env::var("VARVE_CASES").ok();
    let mut below = Vec::new();
    let of_writes = FLOORS.iter().map(|(name, floor)| ((*name).to_owned(), *floor));
    let others = only.iter().filter(|only| !FLOORS.iter().any(|(name, _)| name == only)).map(|only| (only.clone(), 0));
    for (name, floor) in of_writes.chain(others).filter(|(name, _)| only.as_ref().is_none_or(|only| only == name)) {
        let (passed, failures) = run_file(&shared.join("cases").join(format!("{name}.jsonl")));
        println!("{name}: {passed} passed, {} failed", failures.len());
        failures.iter().take(shown).for_each(|failure| println!("  {failure}"));
        if passed < floor && std::env::var("VARVE_ONLY").is_err() {
            below.push(format!("{name}: {passed} passed, there were {floor}"));
        }
    }
    assert!(below.is_empty(), "{below:#?}");
}

fn run_file(path: &Path) -> (usize, Vec<String>) {
    let text = std::fs::read_to_string(path).expect("cases are readable");
    let only = std::env::var("VARVE_ONLY").ok();
    let mut setups: HashMap<String, Vec<String>> = HashMap::new();
    let (mut passed, mut failures) = (0, Vec::new());
    for line in text.lines() {
        let script: Json = serde_json::from_str(line).expect("cases are JSON");
        if let Some(name) = script["setup_def"].as_str() {
            setups.insert(name.to_owned(), texts(&script["sql"]));
            continue;
        }
        let id = script["id"].as_str().unwrap_or_default();
        if only.as_ref().is_some_and(|only| only != id) {
            continue;
        }
        let mut setup = script["setup_ref"].as_str().and_then(|name| setups.get(name)).cloned().unwrap_or_default();
        setup.extend(texts(&script["setup"]));
        // Commits of the same moment have no order.
        let engine = match id.starts_with("version_control") {
            true => fresh::ticking_engine("mydb", "tester"),
            false => fresh::engine_over(&fresh::chunks()),
        };
        let mut sessions = Sessions { engine, by_name: HashMap::new() };
        for sql in setup {
            if let Err(error) = sessions.of("").query(&sql).and_then(Cursor::collect) {
                failures.push(format!("{id}: set-up: {sql}\n      {error}"));
            }
        }
        for step in script["steps"].as_array().expect("a script has steps") {
            let sql = step["sql"].as_str().expect("a step has a statement");
            let session = sessions.of(step["session"].as_str().unwrap_or_default());
            match judged(session, step) {
                None => {}
                Some(Ok(())) => passed += 1,
                Some(Err(why)) => failures.push(format!("{id}: {sql}\n      {why}")),
            }
        }
    }
    (passed, failures)
}

/// Whether a step answers as it should; `None` for one that is not judged.
fn judged(session: &Session, step: &Json) -> Option<Result<(), String>> {
    Some(match cases::run(session, step)? {
        Verdict::Same | Verdict::Alone => Ok(()),
        Verdict::NotSupported(why) | Verdict::Different(why) => Err(why),
    })
}
