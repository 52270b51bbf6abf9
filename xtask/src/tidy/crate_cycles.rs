//! Import cycles between the top-level modules of a crate.

use crate::files;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Crates whose top-level modules must not import each other in a circle, directly or through others.
const CRATES: [&str; 3] = ["store", "tree", "vcs"];

/// Modules that describe one thing, with the reason. They may import each other.
const KNOTS: &[(&str, &[&str])] = &[
    // A store takes part in a copy, and a copy reads from any store.
    ("store", &["chunks", "copy"]),
    // A value out of line is a tree, and the nodes of trees are tuples of values.
    ("tree", &["blob", "error", "map", "message", "node", "nodes", "read", "tuple", "write"]),
];

type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// One line for each pair of modules that are on a common cycle, with a file that imports.
pub fn none() -> Vec<String> {
    CRATES.iter().flat_map(|name| cycles_of(name)).collect()
}

fn cycles_of(name: &str) -> Vec<String> {
    let graph = imports_of(&files::root().join("rust").join(name).join("src"));
    let mut offences = Vec::new();
    for (from, to) in &graph {
        for (module, file) in to {
            let is_knot = |names: &[&str]| names.contains(&&**from) && names.contains(&&**module);
            if KNOTS.iter().any(|(knot, names)| *knot == name && is_knot(names)) {
                continue;
            }
            if reaches(&graph, module, from) {
                offences.push(format!("rust/{name}/src/{file}: {from} imports {module}, which imports {from}"));
            }
        }
    }
    offences
}

/// The modules that each module imports, with a file that does so.
fn imports_of(source: &Path) -> Graph {
    let root = std::fs::read_to_string(source.join("lib.rs")).unwrap_or_default();
    let exports = exports_of(&root);
    let paths = files::below(source);
    let inside: Vec<(String, String)> = paths
        .iter()
        .filter_map(|path| {
            let inside = path.strip_prefix(source).ok()?.to_string_lossy().replace('\\', "/");
            let module = inside.split('/').next()?.trim_end_matches(".rs").to_owned();
            (inside.ends_with(".rs") && module != "lib").then_some((module, inside))
        })
        .collect();
    let modules: BTreeSet<&str> = inside.iter().map(|(module, _)| &**module).collect();
    let mut graph = Graph::new();
    for (module, file) in &inside {
        let text = std::fs::read_to_string(source.join(file)).unwrap_or_default();
        for name in roots_of_imports(without_tests(&text)) {
            let imported = if modules.contains(&*name) { Some(&name) } else { exports.get(&name) };
            if let Some(imported) = imported.filter(|imported| *imported != module) {
                graph.entry(module.clone()).or_default().entry(imported.clone()).or_insert_with(|| file.clone());
            }
        }
    }
    graph
}

/// Whether a chain of imports leads from one module to another.
fn reaches(graph: &Graph, from: &str, to: &str) -> bool {
    let (mut waiting, mut seen) = (vec![from], BTreeSet::new());
    while let Some(module) = waiting.pop() {
        if module == to {
            return true;
        }
        if seen.insert(module) {
            waiting.extend(graph.get(module).into_iter().flat_map(BTreeMap::keys).map(|next| &**next));
        }
    }
    false
}

/// The names that the root of a crate exports, with the top-level module of each.
fn exports_of(root: &str) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    for statement in code_of(root).split(';') {
        let Some((_, path)) = statement.split_once("pub use ") else { continue };
        let module = path.split("::").next().unwrap_or_default().trim();
        for name in path.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty()) {
            exports.insert(name.to_owned(), module.to_owned());
        }
    }
    exports
}

/// The first names after `crate::`, and each of a list in braces.
fn roots_of_imports(text: &str) -> Vec<String> {
    let code = code_of(text);
    let mut names = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        match rest.strip_prefix('{') {
            None => names.push(word(rest)),
            Some(list) => {
                let mut depth = 0;
                let mut begins = true;
                for (at, letter) in list.char_indices() {
                    match letter {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => begins = true,
                        _ if begins && depth == 0 && (letter.is_alphabetic() || letter == '_') => {
                            names.push(word(&list[at..]));
                            begins = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    names
}

fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod ").next().unwrap_or(text)
}

/// `text` without line comments.
fn code_of(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_paths_lists_and_exports() {
        let text = "use crate::a::B;\nuse crate::{c::{D, E}, F};\n// crate::g\nlet x = crate::h::i();";
        assert_eq!(roots_of_imports(text), ["a", "c", "F", "h"]);
        let exports = exports_of("mod a;\npub use a::b::{C, D};\npub use e::F;");
        assert_eq!((&*exports["D"], &*exports["F"]), ("a", "e"));
    }

    #[test]
    fn a_circle_is_found_through_other_modules() {
        let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")];
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry(from.into()).or_default().insert(to.into(), "f.rs".into());
        }
        assert!(reaches(&graph, "b", "a") && !reaches(&graph, "d", "a"));
    }
}
