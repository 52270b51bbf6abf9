//! Scripts of ../shared/cases, changed: people judge us by scripts of the same kind that we never saw.
//!
//! `VARVE_CASES=joins,window` takes those areas only.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value as Json;

use crate::common::cases::texts;
use crate::common::generate::Random;
use crate::generators::mutations;
use crate::generators::mutations::{Pool, Pools};
use crate::script::{DATABASE, Step};

/// The areas, each as often as it has steps, and more where answers are made of many parts.
const AREAS: &[(&str, usize)] = &[
    ("aggregates", 8),
    ("collations", 4),
    ("constraints", 16),
    ("cte", 2),
    ("datetime", 8),
    ("ddl", 16),
    ("dml", 16),
    ("errors", 3),
    ("fulltext_spatial", 2),
    ("information_schema", 1),
    ("joins", 8),
    ("json", 12),
    ("numeric", 10),
    ("select", 8),
    ("strings", 12),
    ("subqueries", 4),
    ("transactions", 1),
    ("triggers_procs", 8),
    ("types", 6),
    ("variables", 1),
    ("window", 6),
];

/// What is beyond one database, waits, or is another thing each time.
const LEFT_OUT: &[&str] = &[
    " database",
    " schema ",
    "set global",
    "set persist",
    " user ",
    "grant ",
    "sleep(",
    "benchmark(",
    "_lock(",
    "uuid",
    "rand()",
    "connection_id",
    "dolt_gc",
    "dolt_backup",
    "dolt_remote",
];
const STEPS_MAX: usize = 40;
const QUERIES_MAX: usize = 14;

struct Case {
    /// Scripts with the same home begin with the same statements.
    home: String,
    setup: Vec<Step>,
    steps: Vec<Step>,
    is_independent: bool,
}

struct Area {
    cases: Vec<Case>,
    pool: Pool,
    homes: BTreeMap<String, Pool>,
}

static AREAS_READ: LazyLock<HashMap<&'static str, Area>> = LazyLock::new(|| {
    let Some(shared) = native_dolt::fixtures::shared() else { return HashMap::new() };
    let names = AREAS.iter().map(|(name, _)| *name).chain(["version_control"]);
    names.map(|name| (name, area(&shared.join("cases"), name))).collect()
});

fn area(cases: &Path, name: &str) -> Area {
    let text = std::fs::read_to_string(cases.join(format!("{name}.jsonl"))).expect("cases are readable");
    let mut setups: HashMap<String, Vec<String>> = HashMap::new();
    let mut area = Area { cases: Vec::new(), pool: Pool::default(), homes: BTreeMap::new() };
    for line in text.lines() {
        let script: Json = serde_json::from_str(line).expect("cases are JSON");
        if let Some(name) = script["setup_def"].as_str() {
            setups.insert(name.to_owned(), texts(&script["sql"]));
            continue;
        }
        let named = script["setup_ref"].as_str();
        let mut setup = named.and_then(|name| setups.get(name)).cloned().unwrap_or_default();
        setup.extend(texts(&script["setup"]));
        let setup: Vec<Step> = setup.iter().map(|sql| Step::of('a', sql.replace("mydb", DATABASE))).collect();
        let steps: Vec<Step> =
            script["steps"].as_array().into_iter().flatten().filter_map(|json| step(name, json)).collect();
        let is_left_out = |step: &Step| LEFT_OUT.iter().any(|words| step.sql.to_lowercase().contains(words));
        if !steps.is_empty() && !setup.iter().chain(&steps).any(is_left_out) {
            let home = named.or(script["id"].as_str()).unwrap_or_default().to_owned();
            let is_independent = script["independent"] == true;
            area.cases.push(Case { home, setup, steps, is_independent });
        }
    }
    for case in &area.cases {
        let home = area.homes.entry(case.home.clone()).or_default();
        for step in case.setup.iter().chain(&case.steps) {
            home.learn(&step.sql);
        }
    }
    for case in &area.cases {
        let home = &area.homes[&case.home];
        case.steps.iter().for_each(|step| area.pool.learn_constants(&step.sql, home));
    }
    area
}

/// A step that is judged; its session's first letter.
fn step(name: &str, json: &Json) -> Option<Step> {
    let expect = json.get("expect")?;
    // Without explicit authors, clocks differ.
    if name != "version_control" && texts(&expect["mask"]).iter().any(|mask| mask == "time") {
        return None;
    }
    let letter = json["session"].as_str().and_then(|name| name.chars().next()).filter(char::is_ascii_lowercase);
    Some(Step::of(letter.unwrap_or('a'), json["sql"].as_str()?.replace("mydb", DATABASE)))
}

/// A script of any area but version control.
pub fn script(random: &mut Random) -> Vec<Step> {
    let only = std::env::var("VARVE_CASES").unwrap_or_default();
    let wanted = |name: &str| only.is_empty() || only.split(',').any(|wanted| wanted == name);
    let areas: Vec<&str> =
        AREAS.iter().filter(|(name, _)| wanted(name)).flat_map(|(name, weight)| vec![*name; *weight]).collect();
    assert!(!areas.is_empty(), "no area of {only}");
    let name = *random.pick(&areas);
    of_area(name, random)
}

/// A script of version control, where hashes are compared, too.
pub fn versions(random: &mut Random) -> Vec<Step> {
    of_area("version_control", random)
}

fn of_area(name: &str, random: &mut Random) -> Vec<Step> {
    let Some(area) = AREAS_READ.get(name) else { return Vec::new() };
    let case = random.pick(&area.cases);
    let home = &area.homes[&case.home];
    let pools = Pools { area: &area.pool, home };
    let mut script = case.setup.clone();
    if case.is_independent || area.cases.iter().filter(|other| other.home == case.home).count() > 1 {
        // Any steps over these tables, in any order.
        let siblings: Vec<&Case> = area.cases.iter().filter(|other| other.home == case.home).collect();
        for _ in 0..QUERIES_MAX {
            let steps = &random.pick(&siblings).steps;
            let step = random.pick(steps);
            script.push(mutations::step(step, &pools, random, 85));
        }
        return script;
    }
    for step in case.steps.iter().take(STEPS_MAX) {
        match random.below(100) {
            0..=2 => continue,
            3..=4 => script.push(step.clone()),
            5..=9 => {
                let other = random.pick(&area.cases);
                script.push(random.pick(&other.steps).clone());
            }
            _ => {}
        }
        let percent = if mutations::is_query(&step.sql) { 80 } else { 25 };
        script.push(mutations::step(step, &pools, random, percent));
    }
    script
}
