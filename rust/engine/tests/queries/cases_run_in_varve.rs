//! All scripts of ../shared/cases, each in a new database in memory: set-ups, writes and queries are ours.
//!
//! `VARVE_CASES=joins` runs one file, `VARVE_ONLY=joins/003` one script, `VARVE_FAILURES=50` prints more failures.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use engine::Session;
use serde_json::Value as Json;

use crate::common::cases::{self, texts};
use crate::common::fresh;
use crate::common::judge::Verdict;

/// How many steps of each file agree at least. Raise these when more do; none may fall.
const FLOORS: &[(&str, usize)] = &[
    ("aggregates", 833),
    ("collations", 432),
    ("constraints", 2022),
    ("cte", 35),
    ("datetime", 460),
    ("ddl", 1831),
    ("dml", 1898),
    ("errors", 260),
    ("fulltext_spatial", 54),
    ("information_schema", 46),
    ("joins", 900),
    ("json", 1031),
    ("numeric", 1168),
    ("select", 878),
    ("slt", 3850),
    ("strings", 1133),
    ("subqueries", 396),
    ("transactions", 123),
    ("triggers_procs", 810),
    ("types", 529),
    ("variables", 54),
    ("version_control", 4565),
    ("window", 580),
];

/// Steps in which native Dolt 2.2.0 does not do what it does when the same is asked in other words, and why. We answer by the rule.
const ACCIDENTS: &[(&str, &[&str])] = &[
    (
        "a merge join loses the last row of an outer join, or the ORDER BY; with a lookup join the row is there",
        &[
            "joins/001#3",
            "joins/006#1",
            "joins/040#1",
            "joins/135#3",
            "joins/139#3",
            "joins/151#3",
            "joins/156#1",
            "joins/221#0",
        ],
    ),
    (
        "an outer join is moved behind the inner one whose ON reads its columns, and that condition is lost; as WHERE it is not",
        &["joins/098#2", "joins/109#0", "joins/186#1"],
    ),
    (
        "NOT IN (SELECT …) over an index forgets that NULL is neither in nor out; over `column + 0` it does not",
        &["joins/222#1", "subqueries/002#0", "subqueries/029#1", "subqueries/087#1", "subqueries/088#2"],
    ),
    (
        "JSON_ARRAYAGG shows the order of a merge join, which gives the first match of a row last; with a hint for a hash join it is ours",
        &[
            "aggregates/021#0",
            "aggregates/022#4",
            "aggregates/071#1",
            "aggregates/082#4",
            "aggregates/105#4",
            "aggregates/112#4",
            "aggregates/118#3",
        ],
    ),
    (
        "an aggregate in a subquery of HAVING is taken for the same text outside; with an alias for the inner table it is not",
        &["aggregates/163#4"],
    ),
    ("DISTINCT and ORDER BY 1 of an expression: \"This is a bug\"; with an alias it sorts", &["json/046#17"]),
    (
        "IN (…) in WHERE becomes a lookup by other rules than the same IN in the select list",
        &["types/006#14", "types/010#14"],
    ),
    ("an index over FLOAT is searched by the nearest FLOAT", &["types/017#13"]),
    (
        "paths with wildcards over empty arrays and objects: errors and `[]`, depending on the level",
        &["json/002#5", "json/003#8", "json/005#4", "json/005#5"],
    ),
    ("numbers beyond 64 bits become 0", &["numeric/038#4"]),
    ("`invalid type: int`, for a CASE within COALESCE", &["numeric/104#4"]),
    ("a time is read out of `24-1-5`, none out of `24-1-05`", &["datetime/001#6"]),
    ("a joined UPDATE takes the row that came last, by the order of the plan", &["dml/074#6"]),
    (
        "after DELETE … LIMIT without WHERE and a failed INSERT … TABLE t ROW_COUNT() is -1, after others it is not",
        &["dml/069#3", "dml/055#3"],
    ),
    (
        "REPLACE and ON DUPLICATE KEY fire AFTER INSERT with the row that was there before",
        &["triggers_procs/003#11", "triggers_procs/003#17"],
    ),
    (
        "a column that a generated one is computed from can be dropped; then no row can be inserted",
        &["constraints/016#11"],
    ),
    ("`division impossible` for a remainder beyond what its decimals hold", &["numeric/029#4"]),
    ("a reversed number has the type of the argument, and what that cannot hold is its largest", &["strings/009#0"]),
    ("CONVERT(… USING latin1) gives bytes that are sent as if they were UTF-8", &["strings/087#7"]),
    ("the server ended the connection while it made the table", &["ddl/097#9", "ddl/097#17"]),
    ("one view that cannot be read empties information_schema.views", &["triggers_procs/014#30"]),
    ("(1, NULL) IN ((1, 2)) is false, and (1, NULL) = (1, 2) `value not nil: 2`", &["select/165#2"]),
];

/// What became of the steps of one file.
#[derive(Default)]
struct Tally {
    same: usize,
    accidents: usize,
    refused: Vec<String>,
    wrong: Vec<String>,
}

#[test]
fn cases_run_in_varve() {
    let Some(shared) = native_dolt::fixtures::shared() else { return };
    let shown: usize = std::env::var("VARVE_FAILURES").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let only = std::env::var("VARVE_CASES").ok();
    let mut below = Vec::new();
    for (name, floor) in FLOORS.iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name)) {
        let tally = run_file(&shared.join("cases").join(format!("{name}.jsonl")));
        let (same, accidents, refused, wrong) = (tally.same, tally.accidents, tally.refused.len(), tally.wrong.len());
        let all = same + accidents + refused + wrong;
        let percent = 100.0 * same as f64 / all.max(1) as f64;
        println!(
            "{name}: {percent:.1} % of {all}: {same} same, {accidents} accidents of native, {refused} refused, {wrong} wrong"
        );
        tally.refused.iter().take(shown).for_each(|what| println!("  refused: {what}"));
        tally.wrong.iter().take(shown).for_each(|what| println!("  wrong: {what}"));
        if same < *floor && std::env::var("VARVE_ONLY").is_err() {
            below.push(format!("{name}: {same} agree, there were {floor}"));
        }
    }
    assert!(below.is_empty(), "{below:#?}");
}

fn run_file(path: &Path) -> Tally {
    let text = std::fs::read_to_string(path).expect("cases are readable");
    let only = std::env::var("VARVE_ONLY").ok();
    let mut setups: HashMap<String, Vec<String>> = HashMap::new();
    let mut tally = Tally::default();
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
        run_script(id, &setup, script["steps"].as_array().expect("a script has steps"), &mut tally);
    }
    tally
}

fn run_script(id: &str, setup: &[String], steps: &[Json], tally: &mut Tally) {
    // Commits of the same moment have no order.
    let first = match id.starts_with("version_control") {
        true => fresh::ticking_engine("mydb", "tester").session(),
        false => fresh::session(),
    };
    first.query("use mydb").and_then(engine::Cursor::collect).expect("the database is there");
    // A set-up may fail: what follows tells.
    for sql in setup {
        let _ = first.query(sql).and_then(engine::Cursor::collect);
    }
    let engine = first.catalog().engine.clone();
    let mut sessions: BTreeMap<String, Session> = BTreeMap::from([(String::new(), first)]);
    for (at, step) in steps.iter().enumerate() {
        let sql = step["sql"].as_str().expect("a step has a statement");
        let name = step["session"].as_str().unwrap_or_default();
        let session = sessions.entry(name.to_owned()).or_insert_with(|| {
            let session = engine.session();
            session.query("use mydb").and_then(engine::Cursor::collect).expect("the database is there");
            session
        });
        let Some(verdict) = cases::run(session, step) else { continue };
        let is_accident = ACCIDENTS.iter().any(|(_, steps)| steps.contains(&&*format!("{id}#{at}")));
        match verdict {
            Verdict::Same => tally.same += 1,
            _ if is_accident => tally.accidents += 1,
            Verdict::Alone => tally.wrong.push(format!("{id}#{at}: {sql}\n      native refuses it")),
            Verdict::NotSupported(what) => tally.refused.push(format!("{id}#{at}: {sql}\n      {what}")),
            Verdict::Different(why) => tally.wrong.push(format!("{id}#{at}: {sql}\n      {why}")),
        }
    }
}
