//! Random scripts are run beside native Dolt, statement by statement: rows, errors, counts and what is stored must be the same.
//!
//! The suite runs a handful of seeds. `cargo xtask beside-native definitions --seeds 1..500` goes hunting: it makes every script
//! that differs as short as it can and prints it, ready for `tests/sessions`. What differs on purpose is in `on_purpose.rs`.
//! With `VARVE_KEEP=folder` it goes on behind each difference, and leaves the scripts there as they are.

#[path = "../common/mod.rs"]
mod common;

mod beside;
mod generators;
mod on_purpose;
mod places;
mod reduce;
mod script;

use std::ops::Range;
use std::path::{Path, PathBuf};

use beside::{Beside, Errors, Hashes, Run};
use common::generate::Random;
use generators::{
    cases, changes, definitions, documents, faults, keys, kinds, large, objects, patches, programs, queries,
    schema_merges, time_travel, transactions, values, versions, workflows,
};
use script::Step;

/// Scripts about one subject.
struct Generator {
    name: &'static str,
    script: fn(&mut Random) -> Vec<Step>,
    hashes: Hashes,
    errors: Errors,
    /// Those of the suite, whose scripts agree.
    seeds: &'static [u64],
}

const GENERATORS: &[Generator] = &[
    Generator {
        name: "values",
        script: values::script,
        hashes: Hashes::Nobody,
        errors: Errors::Numbers,
        seeds: &[3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21],
    },
    Generator {
        name: "queries",
        script: queries::script,
        hashes: Hashes::Nobody,
        errors: Errors::Numbers,
        seeds: &[1, 6, 7, 8, 9, 10, 11, 13],
    },
    Generator {
        name: "definitions",
        script: definitions::script,
        hashes: Hashes::Asker,
        errors: Errors::Numbers,
        seeds: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    },
    Generator {
        name: "changes",
        script: changes::script,
        hashes: Hashes::Asker,
        errors: Errors::Numbers,
        seeds: &[1, 2, 3, 4, 5, 6],
    },
    Generator {
        name: "versions",
        script: versions::script,
        hashes: Hashes::Asker,
        errors: Errors::Numbers,
        seeds: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    },
    Generator {
        name: "transactions",
        script: transactions::script,
        hashes: Hashes::Observer,
        errors: Errors::Numbers,
        seeds: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    },
    Generator {
        name: "programs",
        script: programs::script,
        hashes: Hashes::Nobody,
        errors: Errors::Numbers,
        seeds: &[2, 4, 5, 6, 7, 8],
    },
    Generator {
        name: "schema_merges",
        script: schema_merges::script,
        hashes: Hashes::Asker,
        errors: Errors::Numbers,
        seeds: &[1, 2, 3, 4, 6, 7],
    },
    Generator {
        name: "keys",
        script: keys::script,
        hashes: Hashes::Asker,
        errors: Errors::Numbers,
        seeds: &[1, 2, 3, 4, 5, 6],
    },
    Generator {
        name: "kinds",
        script: kinds::script,
        hashes: Hashes::Asker,
        errors: Errors::Numbers,
        seeds: &[1, 2, 3, 4, 5, 6],
    },
    Generator {
        name: "objects",
        script: objects::script,
        hashes: Hashes::AskerOfMoments,
        errors: Errors::Numbers,
        seeds: &[1, 2, 3, 4],
    },
    Generator {
        name: "documents",
        script: documents::script,
        hashes: Hashes::Asker,
        errors: Errors::Numbers,
        seeds: &[1, 2, 3, 4],
    },
    Generator {
        name: "time_travel",
        script: time_travel::script,
        hashes: Hashes::Asker,
        errors: Errors::Numbers,
        seeds: &[1, 2, 3, 4, 5, 6],
    },
    Generator {
        name: "cases",
        script: cases::script,
        hashes: Hashes::Nobody,
        errors: Errors::Classes,
        seeds: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13],
    },
    Generator {
        name: "version_cases",
        script: cases::versions,
        hashes: Hashes::Asker,
        errors: Errors::Classes,
        seeds: &[1, 2, 3, 4, 5, 6, 7, 8],
    },
    Generator {
        name: "workflows",
        script: workflows::script,
        hashes: Hashes::Asker,
        errors: Errors::Numbers,
        seeds: &[1, 2, 3, 4, 5, 6],
    },
    Generator {
        name: "large",
        script: large::script,
        hashes: Hashes::Asker,
        errors: Errors::Numbers,
        seeds: &[1, 2, 3],
    },
];

#[global_allocator]
static HEAP: region::CountedHeap = region::CountedHeap;

/// A generator that makes many statements that fail finds little.
const ANSWERED_PERCENT_MIN: usize = 60;

/// `VARVE_BESIDE=queries` runs one generator, `VARVE_SEEDS=1..1000` those seeds, `VARVE_BESIDE=some.sql` a script of one's own,
/// or a folder of them; `cargo xtask beside-native` sets both.
#[test]
fn random_scripts_equal_native_dolt() {
    let Some(binary) = native_dolt::binary() else { return };
    let only = std::env::var("VARVE_BESIDE").ok();
    let seeds = std::env::var("VARVE_SEEDS").ok().map(|text| range(&text).collect::<Vec<_>>());
    let mut beside = Beside::new(binary);
    if let Some(file) = only.as_deref().filter(|name| name.ends_with(".sql")) {
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        return beside.print(&script::read(&text));
    }
    if let Some(folder) = only.as_deref().map(Path::new).filter(|folder| folder.is_dir()) {
        return run_folder(folder, &mut beside);
    }
    let keep = std::env::var_os("VARVE_KEEP").map(PathBuf::from);
    let mut differing = 0;
    for generator in GENERATORS.iter().filter(|generator| only.as_ref().is_none_or(|only| only == generator.name)) {
        let seeds = seeds.as_deref().unwrap_or(generator.seeds);
        differing += run(generator, seeds, &mut beside, keep.as_deref());
    }
    assert_eq!(differing, 0, "scripts that differ");
}

/// `VARVE_STATEMENTS=1000000` goes on to that many; `VARVE_BESIDE` and `VARVE_SEEDS` choose scripts, as above.
#[test]
fn statements_without_memory_change_nothing() {
    let only = std::env::var("VARVE_BESIDE").ok();
    let seeds = std::env::var("VARVE_SEEDS").map_or(1..2, |text| range(&text));
    let wanted = std::env::var("VARVE_STATEMENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let generators = GENERATORS.iter().filter(|generator| only.as_ref().is_none_or(|only| only == generator.name));
    let scripts: Vec<_> = generators.map(|generator| (generator.name, generator.script)).collect();
    faults::run(&scripts, seeds, wanted);
}

#[test]
fn scripts_that_change_places_come_back() {
    let is_hunt = std::env::var_os("VARVE_BESIDE").is_some() || std::env::var_os("VARVE_SEEDS").is_some();
    let Some(binary) = native_dolt::binary().filter(|_| !is_hunt) else { return };
    assert!(places::come_back(&binary), "scripts that differ");
}

/// Runs the scripts of some seeds; how many differ.
fn run(generator: &Generator, seeds: &[u64], beside: &mut Beside, keep: Option<&Path>) -> usize {
    let (mut asked, mut answered, mut on_purpose, mut differing) = (0, 0, 0, 0);
    beside.errors = generator.errors;
    for &seed in seeds {
        let mut script = (generator.script)(&mut Random::new(seed));
        let mut run = beside.run(&script, generator.hashes);
        // The whole difference is in a folder, and the rest of the script goes on without the statement.
        while let Some((difference, folder)) = run.difference.as_ref().zip(keep) {
            let name = format!("{}_{seed}_{}.sql", generator.name, difference.at);
            let text =
                format!("{}-- {}\n", script::text(&script[..=difference.at]), difference.text.replace('\n', " "));
            std::fs::write(folder.join(name), text).expect("the folder is there");
            println!("{}_{seed}_{}: {}\n    {}", generator.name, difference.at, script[difference.at], difference.text);
            script.remove(difference.at);
            let rest = beside.run(&script, generator.hashes);
            differing += 1;
            run = Run { asked: run.asked, answered: run.answered, on_purpose: run.on_purpose, ..rest };
        }
        asked += run.asked;
        answered += run.answered;
        on_purpose += run.on_purpose;
        if let Some(difference) = run.difference {
            differing += 1;
            let (script, difference) = reduce::shortest(beside, &script, generator.hashes, &difference);
            println!("\n-- {} {seed}: {}\n{}", generator.name, difference.text, script::text(&script));
        }
    }
    println!(
        "{}: {} scripts, {asked} statements, {answered} answered, {on_purpose} differ on purpose, {differing} scripts differ",
        generator.name,
        seeds.len()
    );
    let enough = answered * 100 >= asked * ANSWERED_PERCENT_MIN;
    assert!(enough, "{}: only {answered} of {asked} have an answer", generator.name);
    differing
}

/// Runs the scripts of a folder, and prints what differs.
fn run_folder(folder: &Path, beside: &mut Beside) {
    let entries = std::fs::read_dir(folder).expect("a folder that can be read");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "sql"));
    files.sort();
    let (mut asked, mut on_purpose, mut differing) = (0, 0, 0);
    for file in &files {
        println!("{}", file.display());
        let text = std::fs::read_to_string(file).expect("a script is text");
        let run = beside.differences(&script::read(&text));
        asked += run.asked;
        on_purpose += run.on_purpose;
        differing += run.differing;
    }
    println!("{} scripts, {asked} statements, {on_purpose} differ on purpose, {differing} differ", files.len());
}

/// `1..100`, or one number.
fn range(text: &str) -> Range<u64> {
    let number = |text: &str| text.trim().parse::<u64>().unwrap_or_else(|_| panic!("{text} is no seed"));
    match text.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => number(text)..number(text) + 1,
    }
}

/// Seeds of the suite, of all generators and of one: tables without primary key that get a column.
const PATCHED: Range<u64> = 1..4;
const PATCHED_TOO: (&str, u64) = ("time_travel", 81_028);

#[test]
fn patches_lead_to_the_rows_of_the_other_commit() {
    let only = std::env::var("VARVE_BESIDE").ok();
    let hunted = std::env::var("VARVE_SEEDS").ok().map(|text| range(&text));
    let seeds = |name: &str| match &hunted {
        Some(seeds) => seeds.clone().collect::<Vec<_>>(),
        None => PATCHED.chain((name == PATCHED_TOO.0).then_some(PATCHED_TOO.1)).collect(),
    };
    let of_versions = ["versions", "workflows", "schema_merges", "keys", "documents", "time_travel"];
    let wanted = |name: &str| of_versions.contains(&name) && only.as_ref().is_none_or(|only| only == name);
    let of_generator = |generator: &Generator| {
        let astray = |seed| patches::astray(generator.name, generator.script, seed);
        seeds(generator.name).into_iter().map(astray).sum::<usize>()
    };
    let astray: usize = GENERATORS.iter().filter(|generator| wanted(generator.name)).map(of_generator).sum();
    assert_eq!(astray, 0, "patches that lead to other rows");
}
