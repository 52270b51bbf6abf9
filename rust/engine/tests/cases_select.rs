//! The scripts of ../shared/cases that query: native Dolt builds the tables, we answer the SELECTs.
//!
//! `VARVE_CASES=joins` runs one file, `VARVE_ONLY=joins/003` one script, `VARVE_FAILURES=50` prints more failures.

mod common;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use common::cases::{texts, verdict};
use common::judge::{self, Verdict};
use common::native;
use engine::Session;
use serde_json::Value as Json;

/// How many steps of each file agree at least. Raise these when more do; none may fall.
const FLOORS: &[(&str, usize)] = &[
    ("select", 877),
    ("joins", 900),
    ("subqueries", 393),
    ("cte", 26),
    ("aggregates", 829),
    ("slt", 3524),
    ("window", 578),
    ("collations", 311),
    ("types", 355),
    ("json", 887),
    ("strings", 1122),
    ("datetime", 439),
    ("numeric", 1146),
    ("fulltext_spatial", 48),
    ("information_schema", 44),
    ("variables", 11),
    ("errors", 160),
];

/// Statements that change something, of one script; what follows is left out. Each makes us open the database again.
const CHANGES_MAX: usize = 40;

struct Databases {
    directory: PathBuf,
    native: native::Connection,
    /// Set-ups that are built already, by their statements.
    built: HashMap<String, String>,
    _server: native::Server,
}

impl Databases {
    fn new(binary: &Path) -> Databases {
        let directory = std::env::temp_dir().join(format!("varve-cases-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a temporary directory");
        let server = native::Server::start(binary, &directory);
        Databases { directory, native: server.connect(), built: HashMap::new(), _server: server }
    }

    /// A database on which the set-up has run; shared by scripts that only read.
    fn build(&mut self, setup: &[String], shared: bool) -> String {
        let key = setup.join(";\n");
        if shared && let Some(name) = self.built.get(&key) {
            self.native.query(&format!("use {name}"));
            return name.clone();
        }
        let name = format!("case_{}", self.built.len());
        self.native.query(&format!("create database {name}"));
        self.native.query(&format!("use {name}"));
        self.native.query("set autocommit = 0");
        for sql in setup {
            self.native.query(sql);
        }
        self.native.query("commit");
        self.native.query("set autocommit = 1");
        self.built.insert(if shared { key } else { format!("{name} alone") }, name.clone());
        name
    }

    fn open(&self, name: &str) -> Session {
        let engine = common::empty_engine();
        engine.attach("mydb", common::open_database(&self.directory.join(name)).expect("the database opens"));
        engine.session()
    }
}

impl Drop for Databases {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

#[test]
fn cases_select() {
    let Some(shared) = common::shared() else { return };
    let Some(binary) = native::binary() else { return };
    let shown: usize = std::env::var("VARVE_FAILURES").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let only = std::env::var("VARVE_CASES").ok();
    // Rare collations come in a file of their own.
    let weights = Path::new(env!("CARGO_MANIFEST_DIR")).join("../value/weights/more.bin");
    value::Collation::install(std::fs::read(weights).expect("weights")).expect("whole weights");
    let mut databases = Databases::new(&binary);
    let mut below = Vec::new();
    for (name, floor) in FLOORS.iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name)) {
        let (passed, not_supported, failures) =
            run_file(&shared.join("cases").join(format!("{name}.jsonl")), &mut databases);
        println!("{name}: {passed} passed, {} not supported, {} failed", not_supported.len(), failures.len());
        not_supported.iter().take(shown).for_each(|what| println!("  not supported: {what}"));
        failures.iter().take(shown).for_each(|failure| println!("  {failure}"));
        if passed < *floor && std::env::var("VARVE_ONLY").is_err() {
            below.push(format!("{name}: {passed} passed, there were {floor}"));
        }
    }
    assert!(below.is_empty(), "{below:#?}");
}

/// How many steps agree, which are not supported, which differ.
fn run_file(path: &Path, databases: &mut Databases) -> (usize, Vec<String>, Vec<String>) {
    let text = std::fs::read_to_string(path).expect("cases are readable");
    let only = std::env::var("VARVE_ONLY").ok();
    let mut setups: HashMap<String, Vec<String>> = HashMap::new();
    let (mut passed, mut not_supported, mut failures) = (0, Vec::new(), Vec::new());
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
        let steps = script["steps"].as_array().expect("a script has steps");
        let mut setup = script["setup_ref"].as_str().and_then(|name| setups.get(name)).cloned().unwrap_or_default();
        setup.extend(texts(&script["setup"]));
        let reads = |step: &Json| reads_only(step["sql"].as_str().unwrap_or_default());
        let name = databases.build(&setup, steps.iter().all(reads));
        let mut session = databases.open(&name);
        let (mut changes, mut stale) = (0, false);
        for step in steps {
            let sql = step["sql"].as_str().expect("a step has a statement");
            if !reads_only(sql) {
                changes += 1;
                if changes > CHANGES_MAX {
                    break;
                }
                databases.native.query(sql);
                stale = true;
                continue;
            }
            if std::mem::take(&mut stale) {
                session = databases.open(&name);
            }
            let Some(expect) = step.get("expect") else { continue };
            match verdict(expect, judge::ask(&session, sql), sql) {
                Verdict::Same | Verdict::Alone => passed += 1,
                Verdict::NotSupported(what) => not_supported.push(format!("{id}: {sql}\n      {what}")),
                Verdict::Different(why) => failures.push(format!("{id}: {sql}\n      {why}")),
            }
        }
    }
    (passed, not_supported, failures)
}

fn reads_only(sql: &str) -> bool {
    let word: String = sql.trim_start_matches(['(', ' ', '\n']).chars().take_while(char::is_ascii_alphabetic).collect();
    ["select", "with", "values", "table", "show", "describe", "desc", "explain"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}
