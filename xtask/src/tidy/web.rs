//! Who may import whom among the folders of web/src, and that every file there is reached from an entry.

use crate::files;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

const SOURCES: &str = "web/src/";

/// What each folder may import besides itself.
const ALLOWED: [(&str, &[&str]); 7] = [
    ("protocol", &[]),
    ("client", &["protocol"]),
    ("host", &["protocol"]),
    ("lib", &["client", "protocol"]),
    ("node", &["client", "host", "protocol"]),
    ("console", &["lib"]),
    ("offline", &[]),
];

/// Folders of the console that everyone there may import: controls, and SQL as text. The others are features and do not
/// know one another; `app` brings them together.
const SHARED_IN_CONSOLE: [&str; 2] = ["ui", "sql"];

/// Files that are loaded from outside: by the page, by package.json, by `new Worker`, by the runners of tests.
fn is_entry(name: &str) -> bool {
    let entries = ["lib/index.ts", "node/index.ts", "node/main.ts", "host/worker.ts", "offline/service_worker.ts"];
    let is_test = [".test.ts", ".setup.ts", ".d.ts"].iter().any(|part| name.contains(part));
    is_test
        || name.ends_with("tsconfig.json")
        || name.ends_with("tsconfig.package.json")
        || entries.iter().any(|entry| name == format!("{SOURCES}{entry}"))
}

/// Tests, and what they stand on.
fn is_of_tests(name: &str) -> bool {
    name.contains(".test.") || name.contains("/testing/")
}

/// Imports against the tables above, and imports of files that are not there.
pub fn import_directions() -> Vec<String> {
    let mut offences = Vec::new();
    for (name, imports) in imports_by_file() {
        for import in imports {
            offences.extend(judge(&name, &import));
        }
    }
    offences
}

/// Files of web/src that neither an entry nor the page reaches.
pub fn all_reached() -> Vec<String> {
    let imports = imports_by_file();
    let pages = ["web/index.html", "web/testing.html"]
        .map(|page| std::fs::read_to_string(files::root().join(page)).unwrap_or_default());
    let mut waiting: Vec<String> = imports.keys().filter(|name| is_entry(name)).cloned().collect();
    waiting.extend(imports.keys().filter(|name| pages.iter().any(|page| page.contains(&name["web".len()..]))).cloned());
    let mut reached = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        if reached.insert(name.clone()) {
            waiting.extend(imports.get(&name).into_iter().flatten().map(|import| import.target.clone()));
        }
    }
    imports.keys().filter(|name| !reached.contains(*name)).map(|name| format!("{name} is imported by nobody")).collect()
}

/// One file named by another.
#[derive(Debug, PartialEq, Eq)]
struct Import {
    /// Relative to the root of the checkout.
    target: String,
    /// Named by `new URL(…)`: a worker that is started or an asset that is fetched. Nothing of it enters the module.
    is_address: bool,
}

fn judge(name: &str, import: &Import) -> Option<String> {
    let Import { target, is_address } = import;
    // What is built is not there in a fresh checkout.
    if !target.starts_with("dist/") && !files::root().join(target).exists() {
        return Some(format!("{name} imports {target}, which does not exist"));
    }
    let (from, to) = (name.strip_prefix(SOURCES)?, target.strip_prefix(SOURCES)?);
    if *is_address || is_of_tests(name) || name.ends_with(".css") {
        return None; // Tests may build on anything; the one style sheet collects those of the features.
    }
    if is_of_tests(target) {
        return Some(format!("{name} must not import {target}: it is for tests"));
    }
    let (from_folder, from_rest) = from.split_once('/')?;
    let (to_folder, to_rest) = to.split_once('/')?;
    if from_folder != to_folder {
        let allowed = ALLOWED.iter().find(|(folder, _)| *folder == from_folder).map(|(_, allowed)| *allowed);
        let is_allowed = allowed.is_some_and(|allowed| allowed.contains(&to_folder));
        return (!is_allowed)
            .then(|| format!("{name} must not import {target}: {from_folder} does not know {to_folder}"));
    }
    let (from_feature, to_feature) = (from_rest.split_once('/')?.0, to_rest.split_once('/')?.0);
    let is_between_features = from_folder == "console" && from_feature != to_feature && from_feature != "app";
    (is_between_features && !SHARED_IN_CONSOLE.contains(&to_feature))
        .then(|| format!("{name} must not import {target}: features of the console do not know one another"))
}

/// Every file of web/src with the files of the checkout that it imports.
fn imports_by_file() -> BTreeMap<String, Vec<Import>> {
    let mut found = BTreeMap::new();
    for path in files::below(&files::root().join(SOURCES)) {
        let name = files::relative(&path);
        let is_code = [".ts", ".tsx", ".css"].iter().any(|end| name.ends_with(end));
        let text = if is_code { std::fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
        let directory = path.parent().unwrap_or(&path).to_path_buf();
        let imports = specifiers(&text)
            .into_iter()
            .filter(|(_, specifier)| specifier.starts_with('.'))
            .map(|(is_address, specifier)| {
                let path = specifier.split('?').next().unwrap_or_default();
                Import { target: files::relative(&normal(&directory.join(path))), is_address }
            })
            .collect();
        found.insert(name, imports);
    }
    found
}

/// What stands in quotes after `from`, `import`, `import(` and `@import`, and (marked true) after `new URL(`.
fn specifiers(text: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    for (keyword, is_address) in [("from ", false), ("import ", false), ("import(", false), ("new URL(", true)] {
        for (at, _) in text.match_indices(keyword) {
            let rest = text.get(at + keyword.len()..).unwrap_or_default().trim_start();
            let Some(quote) = rest.chars().next().filter(|letter| *letter == '\'' || *letter == '"') else { continue };
            if let Some(specifier) = rest.get(1..).and_then(|rest| rest.split(quote).next()) {
                found.push((is_address, specifier.to_owned()));
            }
        }
    }
    found
}

/// `path` without `.` and `..`, by text alone.
fn normal(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            other => whole.push(other),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::{Import, judge, normal, specifiers};
    use std::path::Path;

    #[test]
    fn every_kind_of_import_is_found() {
        let text = "import { a } from './a.ts';\nimport \"./b.css\";\nconst c = await import('./c.ts');\n\
                    new Worker(new URL('../host/worker.ts', import.meta.url));\nexport * from './d.ts';";
        let mut found: Vec<String> = specifiers(text).into_iter().map(|(_, specifier)| specifier).collect();
        found.sort();
        assert_eq!(found, ["../host/worker.ts", "./a.ts", "./b.css", "./c.ts", "./d.ts"]);
    }

    #[test]
    fn dots_are_resolved() {
        assert_eq!(normal(Path::new("/x/web/src/lib/../client/./a.ts")), Path::new("/x/web/src/client/a.ts"));
    }

    #[test]
    fn an_import_of_nothing_is_reported() {
        let import = Import { target: "web/src/client/never_written.ts".into(), is_address: false };
        let offence = judge("web/src/lib/index.ts", &import);
        assert!(offence.is_some_and(|text| text.contains("does not exist")));
    }
}
