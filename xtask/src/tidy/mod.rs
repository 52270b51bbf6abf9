//! Rules of the house that no compiler checks. Each check returns one line per offence; `xtask/tests/tidy.rs` runs them.

mod commits;
mod crate_cycles;
mod crates;
mod documents;
mod engine_folders;
mod folder_sizes;
mod format_pages;
mod licences;
mod retired_words;
mod rust_modules;
mod sql_lexing;
mod wasm_tree;
mod web;
mod words;

pub use commits::short_subjects as commit_subjects;
pub use crate_cycles::none as crate_cycles;
pub use crates::import_directions as crate_imports;
pub use documents::name_what_is_there as documents;
pub use engine_folders::import_directions as engine_imports;
pub use folder_sizes::are_limited as folder_sizes;
pub use format_pages::linked_both_ways as format_pages;
pub use licences::permissive as licences;
pub use retired_words::are_gone as retired_words;
pub use rust_modules::all_reached as rust_modules;
pub use sql_lexing::by_the_engine_alone as sql_lexing;
pub use wasm_tree::nothing_unwanted as wasm_tree;
pub use web::{all_reached as web_files, import_directions as web_imports};
pub use words::no_notes_to_self as notes_to_self;

/// One rule by its name.
pub type Check = (&'static str, fn() -> Vec<String>);

/// Every rule.
pub const CHECKS: [Check; 15] = [
    ("crate imports", crate_imports),
    ("imports of the engine's folders", engine_imports),
    ("import cycles within crates", crate_cycles),
    ("web imports", web_imports),
    ("unreferenced Rust files", rust_modules),
    ("unreferenced web files", web_files),
    ("format pages", format_pages),
    ("documents", documents),
    ("licences", licences),
    ("crates in the wasm file", wasm_tree),
    ("notes to self", notes_to_self),
    ("SQL read by TypeScript", sql_lexing),
    ("retired words", retired_words),
    ("sizes of folders", folder_sizes),
    ("subjects of commits", commit_subjects),
];

/// Runs every rule and prints what it finds.
///
/// # Errors
/// How many offences there are, when there are any.
pub fn check_all() -> Result<(), String> {
    let mut offences = 0;
    for (name, check) in CHECKS {
        for offence in check() {
            eprintln!("{name}: {offence}");
            offences += 1;
        }
    }
    if offences == 0 { Ok(()) } else { Err(format!("{offences} offences against the rules of the house")) }
}
