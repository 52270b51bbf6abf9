//! docs/functions.md and the console's list are made from the entries of functions; `cargo xtask lists` writes them anew.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use engine::functions::{self, Aggregate, Entry, Family, Function, Stability, Traits, Window};

/// Names of the inventory that are syntax and no functions.
const SYNTAX: &[&str] = &["json_table", "values"];

/// A function as documentation needs it.
struct Row {
    heading: &'static str,
    names: Vec<&'static str>,
    arguments: &'static str,
    help: &'static str,
    notes: Vec<&'static str>,
    is_common: bool,
    is_callable: bool,
}

impl Row {
    fn of<F>(heading: &'static str, entry: &Entry<F>, name: &'static str, notes: Vec<&'static str>) -> Row {
        Row {
            heading,
            names: [&[name], entry.aliases].concat(),
            arguments: entry.arguments,
            help: entry.help,
            notes: entry.adapted.into_iter().chain(notes).collect(),
            is_common: entry.is_common,
            is_callable: true,
        }
    }

    fn of_scalar(heading: &'static str, entry: &Entry<Function>) -> Row {
        let function = entry.function;
        let note = match function.stability {
            _ if function.is(Traits::INTERNAL) => Some("not called by its name"),
            _ if function.is(Traits::REFUSED) => Some("refused, as native Dolt does"),
            Stability::Immutable => None,
            Stability::Statement => Some("one answer a statement"),
            Stability::Volatile => Some("another answer each time"),
        };
        let row = Row::of(heading, entry, function.name, note.into_iter().collect());
        Row { is_callable: function.is_callable(), ..row }
    }

    fn of_aggregate(heading: &'static str, entry: &Entry<Aggregate>) -> Row {
        let is_callable = entry.function.is_callable();
        let note = (!is_callable).then_some("not called by its name");
        Row { is_callable, ..Row::of(heading, entry, entry.function.name, note.into_iter().collect()) }
    }

    fn of_window(heading: &'static str, entry: &Entry<Window>) -> Row {
        Row::of(heading, entry, entry.function.name, Vec::new())
    }
}

/// Every entry, by heading and name.
fn rows() -> Vec<Row> {
    fn of<F>(families: &'static [Family<F>], row: fn(&'static str, &Entry<F>) -> Row) -> impl Iterator<Item = Row> {
        families.iter().flat_map(move |family| family.entries.iter().map(move |entry| row(family.heading, entry)))
    }
    let mut rows: Vec<Row> = of(functions::AGGREGATE_FAMILIES, Row::of_aggregate)
        .chain(of(functions::SCALAR_FAMILIES, Row::of_scalar))
        .chain(of(&[functions::WINDOW_FAMILY], Row::of_window))
        .collect();
    rows.sort_by_key(|row| (row.heading, row.names[0]));
    rows
}

fn page() -> String {
    let mut page = String::from(
        "# Functions\n\nWhat SQL may call. A note says where an answer is not native Dolt's, or not the same each time.\n\n\
         `CASE`, `CAST` and `CONVERT(x, type)` are syntax. Other syntax becomes calls of functions that have no name of their own in SQL; \
         they are listed, too, for EXPLAIN shows them.\n\n\
         This page is made from the entries in `rust/engine/src/functions`: `cargo xtask lists` writes it anew.\n",
    );
    let mut heading = "";
    for row in rows() {
        if row.heading != heading {
            heading = row.heading;
            let _ = write!(page, "\n## {heading}\n\n| Function | Gives | Note |\n|---|---|---|\n");
        }
        let calls: Vec<String> = row.names.iter().map(|name| format!("`{name}({})`", row.arguments)).collect();
        let _ = writeln!(page, "| {} | {} | {} |", calls.join(", "), row.help, row.notes.join("; "));
    }
    page
}

/// The list that the console's editor proposes from: a line for each name, common ones first.
fn console_list() -> String {
    let mut list = String::from(
        "/** The functions of the engine: name, arguments, what it gives. Written by `cargo xtask lists`, not by hand. */\n\n\
         type Entry = readonly [name: string, args: string, help: string];\n",
    );
    for (title, constant, is_common) in [
        ("Those that are proposed before others.", "COMMON_FUNCTIONS", true),
        ("All others.", "OTHER_FUNCTIONS", false),
    ] {
        let _ = write!(list, "\n/** {title} */\nexport const {constant}: readonly Entry[] = [\n");
        for row in rows().iter().filter(|row| row.is_callable && row.is_common == is_common) {
            for name in &row.names {
                let _ = writeln!(list, "  ['{name}', {}, {}],", quoted(row.arguments), quoted(row.help));
            }
        }
        list.push_str("];\n");
    }
    list
}

/// A string of TypeScript, in the quotes that the formatter takes.
fn quoted(text: &str) -> String {
    if text.contains('\'') { format!("\"{text}\"") } else { format!("'{text}'") }
}

fn below_root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Compares a generated file with what it should be, or writes it.
fn check_generated(path: &str, text: &str) {
    let file = below_root(path);
    if std::env::var_os("VARVE_WRITE").is_some() {
        std::fs::write(&file, text).expect("generated files are writable");
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(written == text, "{path} is not up to date: run `cargo xtask lists`");
}

#[test]
fn the_page_is_up_to_date() {
    check_generated("docs/functions.md", &page());
}

#[test]
fn the_console_list_is_up_to_date() {
    check_generated("web/src/console/editor/function_list.ts", &console_list());
}

#[test]
fn every_entry_says_what_it_gives() {
    for row in rows() {
        assert!(!row.help.is_empty() && !row.help.ends_with('.'), "{}", row.names[0]);
        assert!(!row.help.contains(['|', '\\', '"']) && !row.arguments.contains(['|', '\\', '"']), "{}", row.names[0]);
    }
}

#[test]
fn names_are_unique_and_found() {
    let scalars = functions::scalars().map(|function| function.name);
    let mut names: Vec<&str> = scalars
        .chain(functions::aggregates().map(|function| function.name))
        .chain([functions::WINDOW_FAMILY].iter().flat_map(|family| family.entries).map(|entry| entry.function.name))
        .collect();
    for function in functions::scalars() {
        assert!(std::ptr::eq(functions::scalar(function.name).expect("found"), function), "{}", function.name);
    }
    for function in functions::aggregates() {
        assert!(std::ptr::eq(functions::aggregate(function.name).expect("found"), function), "{}", function.name);
    }
    for entry in functions::WINDOW_FAMILY.entries {
        assert_eq!(functions::window(entry.function.name).map(|found| found.name), Some(entry.function.name));
    }
    assert!(functions::scalar("").is_none() && functions::scalar("no_such_function").is_none());
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn every_function_of_the_inventory_is_there() {
    let surface = std::fs::read_to_string(below_root("docs/format/sql-surface.md")).expect("the inventory is readable");
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
            if !known && !SYNTAX.contains(&name) {
                missing.push(name.to_owned());
            }
        }
    }
    assert!(checked > 300, "only {checked} names were read");
    assert!(missing.is_empty(), "not built: {missing:?}");
}
