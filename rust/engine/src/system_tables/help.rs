//! `dolt_help`: the procedures of version control, what they take and what they do.

use std::rc::Rc;

use value::json::JsonObject;
use value::{Collation, EnumType, EnumValue, Json, LobSize, SqlType, Value};

use super::relation::at::At;
use super::relation::computed::{Computed, column, key, required};

/// A procedure, its calls, what it does, and its options with what they are for.
type Entry = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

const PROCEDURES: &[Entry] = &[
    ("dolt_add", "dolt_add(table, …)", "Stages changed tables for the next commit", &[("-A", "all tables")]),
    (
        "dolt_reset",
        "dolt_reset([--hard | --soft] [revision])",
        "Unstages tables, or moves the branch to a revision",
        &[("--hard", "forgets all changes"), ("--soft", "moves the branch alone")],
    ),
    (
        "dolt_clean",
        "dolt_clean([--dry-run] [table, …])",
        "Drops tables that no commit has",
        &[("-x", "ignored ones, too")],
    ),
    (
        "dolt_commit",
        "dolt_commit('-m', message)",
        "Makes a commit of what is staged",
        &[
            ("-a", "stages changed tables first"),
            ("-A", "stages new ones, too"),
            ("--amend", "replaces the last commit"),
        ],
    ),
    (
        "dolt_branch",
        "dolt_branch(name [, start])",
        "Makes, copies, renames and deletes branches",
        &[("-c", "copies"), ("-m", "renames"), ("-d", "deletes what is merged"), ("-D", "deletes")],
    ),
    ("dolt_checkout", "dolt_checkout(branch)", "Goes to a branch, or takes tables back", &[("-b", "makes the branch")]),
    (
        "dolt_merge",
        "dolt_merge(branch)",
        "Merges a branch into this one",
        &[("--no-ff", "always makes a commit"), ("--squash", "leaves the history out"), ("--abort", "gives up")],
    ),
    (
        "dolt_conflicts_resolve",
        "dolt_conflicts_resolve('--ours' | '--theirs', table, …)",
        "Takes one side of all conflicts of tables",
        &[],
    ),
    ("dolt_cherry_pick", "dolt_cherry_pick(commit)", "Makes the changes of a commit once more here", &[]),
    ("dolt_revert", "dolt_revert(commit, …)", "Makes commits that undo others", &[]),
    ("dolt_clone", "dolt_clone(url [, name])", "Copies a remote database", &[]),
    ("dolt_fetch", "dolt_fetch([remote])", "Fetches what a remote has", &[]),
    ("dolt_pull", "dolt_pull([remote])", "Fetches and merges", &[]),
    ("dolt_push", "dolt_push([remote [, branch]])", "Gives commits to a remote", &[]),
    ("dolt_remote", "dolt_remote('add', name, url)", "Adds and removes remotes", &[]),
    ("dolt_backup", "dolt_backup('add', name, url)", "Adds, removes and writes backups", &[]),
    ("dolt_tag", "dolt_tag(name [, revision])", "Makes and deletes tags", &[("-m", "a message"), ("-d", "deletes")]),
    (
        "dolt_gc",
        "dolt_gc()",
        "Frees what nothing refers to",
        &[("--shallow", "removes files only"), ("--full", "of all generations")],
    ),
    (
        "dolt_stash",
        "dolt_stash('push' | 'pop' | 'drop' | 'clear', name)",
        "Puts changes aside and takes them back",
        &[],
    ),
    (
        "dolt_rebase",
        "dolt_rebase('-i', upstream)",
        "Makes the commits of the branch anew upon another one",
        &[("--continue", "goes on"), ("--abort", "gives up")],
    ),
    ("dolt_rm", "dolt_rm(table, …)", "Drops tables and stages that", &[("--cached", "stages alone")]),
];

pub fn help(at: At) -> Computed {
    let long = || SqlType::Text { size: LobSize::Long, collation: Collation::UTF8MB4_0900_BIN };
    let members = ["system_table", "procedure", "function", "variable"].map(Into::into).to_vec();
    let kind = Rc::new(EnumType { members, collation: Collation::UTF8MB4_0900_BIN });
    let columns = vec![
        key("name", SqlType::Text { size: LobSize::Tiny, collation: Collation::UTF8MB4_0900_BIN }),
        required(column("type", SqlType::Enum(kind.clone()))),
        required(column("synopsis", long())),
        required(column("short_description", long())),
        required(column("long_description", long())),
        required(column("arguments", SqlType::Json)),
    ];
    let row = |(name, synopsis, description, options): &Entry| {
        let mut arguments = JsonObject::new();
        for (option, what) in *options {
            arguments.insert(*option, Json::String((*what).into()));
        }
        vec![
            Value::text(*name),
            Value::Enum(EnumValue { index: 2, kind: kind.clone() }),
            Value::text(*synopsis),
            Value::text(*description),
            Value::text(*description),
            Value::json(Json::Object(arguments)),
        ]
    };
    Computed::of_rows(at.database(), "dolt_help", columns, PROCEDURES.iter().map(row).collect())
}

/// The names of Dolt's procedures.
pub fn procedure_names() -> impl Iterator<Item = &'static str> {
    PROCEDURES.iter().map(|entry| entry.0)
}
