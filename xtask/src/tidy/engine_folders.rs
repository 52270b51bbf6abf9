//! Who may import whom among the folders of the engine: downward only (ARCHITECTURE.md, "The engine's folders").

use crate::files;

/// The folders from the top down. Those that stand together describe one thing and may import each other.
const LEVELS: &[&[&str]] = &[
    &["connect"],
    &["statements"],
    &["routine"],
    &["session"],
    &["procedures"],
    &["program"],
    &["prepared"],
    &["cursor"],
    &["system_tables"],
    &["names"],
    &["one_value"],
    &["bind"],
    &["optimizer"],
    &["exec"],
    &["hint"],
    &["page"],
    &["catalog", "transaction", "write", "plan", "expr", "functions"],
    &["state"],
    &["engine"],
    &["host"],
    &["batch"],
    &["vector"],
    &["error"],
    &["name_index"],
];

/// The imports between folders of one level. Every other one is refused, so that the knot does not grow:
///
/// - an expression contains subqueries (plans) and calls (functions), and its context has the catalog, for functions such as HASHOF;
/// - the entry of a window function makes its node of the plan;
/// - a relation takes conditions and a context; the catalog reads through the transaction, whose tables `write` edits;
/// - the transaction merges and validates tables of the catalog, and `write` resolves keys and expressions by their names.
const KNOT: &[(&str, &[&str])] = &[
    ("catalog", &["expr", "transaction", "write"]),
    ("expr", &["catalog", "functions", "plan"]),
    ("functions", &["catalog", "expr", "plan"]),
    ("plan", &["catalog", "expr"]),
    ("transaction", &["catalog", "expr", "write"]),
    ("write", &["catalog", "expr", "transaction"]),
];

/// Imports against the order above, and folders that have no place in it.
pub fn import_directions() -> Vec<String> {
    let source = files::root().join("rust/engine/src");
    let mut offences = Vec::new();
    for path in files::below(&source) {
        let Ok(inside) = path.strip_prefix(&source) else { continue };
        let inside = inside.to_string_lossy().replace('\\', "/");
        let folder = inside.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        if folder == "lib" {
            continue;
        }
        let Some(level) = level_of(folder) else {
            offences.push(format!("rust/engine/src/{folder} has no place in the order of the folders"));
            continue;
        };
        for imported in imports(&std::fs::read_to_string(&path).unwrap_or_default()) {
            if imported != folder
                && level_of(&imported).is_some_and(|other| !may_import(folder, &imported, level, other))
            {
                offences.push(format!("rust/engine/src/{inside} must not import {imported}"));
            }
        }
    }
    offences
}

fn may_import(folder: &str, imported: &str, level: usize, other: usize) -> bool {
    let in_knot = || KNOT.iter().any(|(from, to)| *from == folder && to.contains(&imported));
    level < other || level == other && in_knot()
}

fn level_of(folder: &str) -> Option<usize> {
    LEVELS.iter().position(|level| level.contains(&folder))
}

/// The folders that a file names behind `crate::`.
fn imports(text: &str) -> Vec<String> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let named = code.flat_map(|line| line.split("crate::").skip(1));
    named.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::{imports, level_of, may_import};

    #[test]
    fn imports_are_found_in_code_and_not_in_comments() {
        let text = "use crate::bind::Binder;\n/// See [`x`](crate::session::Session).\nlet y = crate::exec::lower(a);";
        assert_eq!(imports(text), ["bind", "exec"]);
    }

    #[test]
    fn a_session_stands_below_those_who_run_statements_in_theirs() {
        assert!(level_of("statements") < level_of("session") && level_of("routine") < level_of("session"));
        assert!(level_of("system_tables") < level_of("bind") && level_of("bind") < level_of("catalog"));
        assert_eq!(level_of("catalog"), level_of("expr"));
        assert_eq!(level_of("other"), None);
        assert!(may_import("expr", "plan", 1, 1) && may_import("plan", "batch", 1, 2));
        assert!(!may_import("plan", "expr", 2, 1) && !may_import("plan", "write", 1, 1));
    }
}
