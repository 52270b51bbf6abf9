//! Where Varve does not follow native Dolt, so that what is known hides nothing new.
//!
//! The reasons are in docs/decisions/2026-11-21-dialect.md and 2026-11-22-sessions.md. What native Dolt does by accident of a plan
//! is `ACCIDENTS` of `cases_run_in_varve.rs`.

use crate::beside::{Came, Difference};
use crate::script::Step;

/// What a difference is judged by.
struct Case<'a> {
    /// The statement, in small letters.
    sql: String,
    before: &'a [Step],
    difference: &'a Difference,
}

impl Case<'_> {
    fn says(&self, words: &str) -> bool {
        self.sql.contains(words)
    }

    /// Whether an earlier statement has these words.
    fn follows(&self, words: &str) -> bool {
        self.before.iter().any(|step| step.sql.to_lowercase().contains(words))
    }

    fn has_several_sessions(&self) -> bool {
        self.before.iter().any(|step| step.session != 'a')
    }

    fn native_says(&self, words: &str) -> bool {
        self.difference.text.contains(words)
    }

    fn both_give_rows(&self) -> bool {
        (self.difference.theirs, self.difference.ours) == (Came::Rows, Came::Rows)
    }
}

type Known = fn(&Case<'_>) -> bool;

const ON_PURPOSE: &[(&str, Known)] = &[
    ("a commit that somebody has built on is not replaced, and what is staged has no hidden conflicts", |case| {
        case.says("dolt_commit") && case.difference.ours == Came::Failed(1213)
    }),
    ("a transaction sees all names as they were when it began", |case| {
        let names = ["dolt_log(", "hashof", "dolt_commits", "dolt_tags", "dolt_diff", "as of", "dolt_merge_base"];
        case.has_several_sessions() && names.iter().any(|name| case.says(name))
    }),
    ("a failed statement with autocommit leaves no transaction open", |case| {
        case.has_several_sessions() && case.difference.is_after_failure
    }),
    ("ROLLBACK TO restores all that the transaction has changed", |case| {
        case.follows("rollback to") && (case.follows("use ") || case.follows("checkout"))
    }),
    ("reading dolt_blame commits nothing", |case| case.has_several_sessions() && case.follows("dolt_blame")),
    ("--move looks at the branch of the session", |case| case.says("--move") && case.both_give_rows()),
    ("tables without primary key can be written", |case| case.native_says("keyless tables unsupported")),
    ("a patch has every row of a table without primary key", |case| case.says("dolt_patch") && case.both_give_rows()),
    ("a column that a generated one is computed from stays", |case| case.native_says("as default value of column")),
    ("numbers of AUTO_INCREMENT do not collide", |case| {
        case.difference.is_of_hashes && case.native_says("AUTO_INCREMENT=")
    }),
    ("a generated column stays one, and follows what it is computed from", |case| {
        case.difference.is_of_hashes && (case.native_says("GENERATED ALWAYS") || case.follows(" generated always as "))
    }),
    ("CHANGE renames a column in checks", |case| {
        case.difference.is_of_hashes && case.native_says("could not be found in any table in scope")
    }),
    ("a table with virtual columns loses its checks as others do", |case| {
        case.native_says("does not support check constraint operations")
    }),
    ("a joined DELETE runs triggers", |case| case.native_says("explicit target tables does not support triggers")),
    ("MODIFY leaves the text of an ENUM or SET", |case| {
        case.difference.is_of_hashes
            && (case.says(" modify ") || case.says(" change "))
            && (case.follows(" enum(") || case.follows(" set("))
    }),
    ("indexes of tables without primary key are changed with their rows", |case| {
        case.difference.is_of_hashes && case.says("on duplicate key update") && case.follows("drop primary key")
    }),
    ("a TIME has no text", |case| case.native_says("value of type time cannot be converted to longtext")),
    ("a foreign key looks at the rows first", |case| {
        case.native_says("base column of a stored generated column") && case.difference.ours == Came::Failed(1452)
    }),
    ("errors name values as they are written, not Go's types", |case| {
        ["is not a valid value type for", "is not a valid Decimal"].iter().any(|words| case.native_says(words))
    }),
    ("a merge ends with the branch that is put elsewhere", |case| {
        case.follows("checkout('-b") && case.native_says("you have not committed an active merge")
    }),
    ("a commit that is amended in a merge keeps both parents", |case| {
        case.says("--amend") && case.follows("call dolt_merge(") && case.both_give_rows()
    }),
    ("a subquery of a group is of its rows", |case| {
        case.says("group by") && case.says("(select") && case.both_give_rows()
    }),
    ("a TIME is no JSON document", |case| case.native_says("value of type time cannot be converted to json")),
    ("only a server keeps branches that are in use, or its first one", |case| {
        case.native_says("branches in use in other sessions")
            || case.native_says("it is the default branch for database")
    }),
    ("a table that is gone has lost its rows in dolt_commit_diff_… as in dolt_diff()", |case| {
        case.says("dolt_commit_diff") && case.both_give_rows()
    }),
    ("NULL is neither in nor out", |case| case.says("not in (select") && case.both_give_rows()),
    ("subqueries of a window are of their row", |case| {
        case.says(" over (") && case.says("(select") && case.both_give_rows()
    }),
    ("count(NULL) counts nothing", |case| case.says("count(null")),
];

/// Why this difference is on purpose.
pub fn reason(script: &[Step], difference: &Difference) -> Option<&'static str> {
    let sql = script[difference.at].sql.to_lowercase();
    let case = Case { sql, before: &script[..difference.at], difference };
    ON_PURPOSE.iter().find(|(_, is_known)| is_known(&case)).map(|(why, _)| *why)
}
