//! The rules of the house hold.

use xtask::tidy;

fn holds(offences: Vec<String>) {
    assert!(offences.is_empty(), "\n{}", offences.join("\n"));
}

#[test]
fn crates_import_downward_only() {
    holds(tidy::crate_imports());
}

#[test]
fn folders_of_the_engine_import_downward_only() {
    holds(tidy::engine_imports());
}

#[test]
fn modules_of_a_crate_import_in_no_circle() {
    holds(tidy::crate_cycles());
}

#[test]
fn folders_have_few_source_files() {
    holds(tidy::folder_sizes());
}

#[test]
fn retired_words_are_gone() {
    holds(tidy::retired_words());
}

#[test]
fn web_folders_import_downward_only() {
    holds(tidy::web_imports());
}

#[test]
fn every_rust_file_is_a_module() {
    holds(tidy::rust_modules());
}

#[test]
fn every_web_file_is_reached() {
    holds(tidy::web_files());
}

#[test]
fn format_pages_and_decoders_name_each_other() {
    holds(tidy::format_pages());
}

#[test]
fn dependencies_are_permissive() {
    holds(tidy::licences());
}

#[test]
fn the_wasm_file_holds_nothing_unwanted() {
    holds(tidy::wasm_tree());
}

#[test]
fn sources_hold_no_notes_to_self() {
    holds(tidy::notes_to_self());
}

#[test]
fn documents_name_what_is_there() {
    holds(tidy::documents());
}

#[test]
fn subjects_of_commits_are_short() {
    holds(tidy::commit_subjects());
}

#[test]
fn only_the_engine_reads_sql() {
    holds(tidy::sql_lexing());
}
