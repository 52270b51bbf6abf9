//! docs/functions.md is made from the tables of functions; `VARVE_WRITE=1` writes it anew.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use engine::functions::{self, Stability};

/// Functions whose answer is another than on a server.
const ADAPTED: &[(&str, &str)] = &[
    ("get_lock", "never waits: a lock that is taken is refused at once"),
    ("last_insert_uuid", "always empty"),
    ("load_file", "always NULL: there are no server files"),
    ("sleep", "returns at once"),
    ("st_area", "plane only"),
    ("st_distance", "plane only"),
    ("st_length", "plane only"),
    ("st_perimeter", "plane only"),
];

/// Names of the inventory that are syntax, operators or statements' own and have no entry in the tables.
const SYNTAX: &[&str] = &[
    "adddate",
    "if",
    "json_table",
    "mod",
    "subdate",
    "values", // rewritten by the binder
];

fn page() -> String {
    let mut page = String::from(
        "# Functions\n\nWhat SQL may call. A note says where an answer is not native Dolt's, or not the same each time.\n\n\
         The binder rewrites `ADDDATE`, `SUBDATE`, `IF`, `MOD`, `CASE`, `CAST`, `CONVERT(x, type)`, `EXTRACT(unit FROM x)`, \
         `TRIM(… FROM …)`, `x + INTERVAL …` (to `plus_interval`), `x - INTERVAL …` (to `minus_interval`) and \
         `CONVERT(x USING charset)` (to `convert_using`), `MATCH (…) AGAINST (x)` (to `match_against`). Window functions are \
         operators.\n\n\
         This page is made from the tables of functions: \
         `VARVE_WRITE=1 cargo test -p engine functions_page_lists_every_function` writes it anew.\n",
    );
    let mut section = |title: &str, rows: Vec<(&str, (usize, usize), Option<&str>)>| {
        let _ = write!(page, "\n## {title}\n\n| Function | Arguments | Note |\n|---|---|---|\n");
        let mut rows = rows;
        rows.sort_unstable();
        for (name, (least, most), stability) in rows {
            let arguments = match (least, most) {
                (least, most) if least == most => least.to_string(),
                (least, usize::MAX) => format!("{least} or more"),
                (least, most) => format!("{least} to {most}"),
            };
            let adapted = ADAPTED.iter().find(|(adapted, _)| *adapted == name).map(|(_, how)| *how);
            let notes: Vec<&str> = [adapted, stability].into_iter().flatten().collect();
            let _ = writeln!(page, "| `{name}` | {arguments} | {} |", notes.join("; "));
        }
    };
    let inner = |name: &str| functions::is_inner(name).then_some("not called by its name");
    section("Aggregates", functions::aggregates().map(|f| (f.name, f.arity, inner(f.name))).collect());
    for (title, family) in functions::families() {
        let row = |f: &&'static functions::Function| {
            let stability = match f.stability {
                Stability::Immutable => None,
                Stability::Statement => Some("one answer a statement"),
                Stability::Volatile => Some("another answer each time"),
            };
            (f.name, f.arity, inner(f.name).or(stability))
        };
        let mut rows: Vec<_> = family.iter().map(row).collect();
        if title == "JSON" {
            let refused = Some("refused, as native Dolt does");
            rows.extend(functions::REFUSED.map(|(name, count)| (name, (count, count), refused)));
        }
        section(title, rows);
    }
    page
}

fn docs(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page)
}

#[test]
fn the_page_is_up_to_date() {
    let path = docs("functions.md");
    let page = page();
    if std::env::var_os("VARVE_WRITE").is_some() {
        std::fs::write(&path, &page).expect("docs/functions.md is writable");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/functions.md is not up to date: run with VARVE_WRITE=1");
}

#[test]
fn names_are_unique_and_found() {
    let mut names: Vec<&str> =
        functions::scalars().map(|f| f.name).chain(functions::aggregates().map(|f| f.name)).collect();
    for function in functions::scalars() {
        assert!(std::ptr::eq(functions::scalar(function.name).expect("found"), function), "{}", function.name);
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn every_function_of_the_inventory_is_there() {
    let surface = std::fs::read_to_string(docs("format/sql-surface.md")).expect("the inventory is readable");
    let table = surface.split("### 5.1").nth(1).and_then(|rest| rest.split("### 5.2").next()).expect("section 5.1");
    let (mut missing, mut checked) = (Vec::new(), 0);
    for row in table.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [group, names, ..] = cells[..] else { continue };
        if ["Group", "Cast", "Window", "Full-text"].contains(&group) {
            continue;
        }
        // What follows a semicolon is grammar; text in brackets is an example.
        let names = names.split(';').next().unwrap_or_default();
        for name in names
            .split_whitespace()
            .filter(|name| name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'))
        {
            checked += 1;
            let known = functions::scalar(name).is_some() || functions::aggregate(name).is_some();
            if !known && !SYNTAX.contains(&name) && !functions::is_refused(name) {
                missing.push(name.to_owned());
            }
        }
    }
    assert!(checked > 300, "only {checked} names were read");
    assert!(missing.is_empty(), "not built: {missing:?}");
}
