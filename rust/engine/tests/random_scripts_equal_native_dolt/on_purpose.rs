//! Where Varve does not follow native Dolt, so that what is known hides nothing new.
//!
//! The reasons are in docs/decisions/2026-11-21-dialect.md and 2026-11-22-sessions.md. What native Dolt does by accident of a plan
//! is `ACCIDENTS` of `cases_run_in_varve.rs`.

use crate::beside::{Came, Difference, TableApart};
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

    /// Whether tables differ after the statement, and each of them so.
    fn each_table(&self, differs: impl Fn(&TableApart) -> bool) -> bool {
        self.difference.is_of_hashes && !self.difference.tables.is_empty() && self.difference.tables.iter().all(differs)
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
        let names =
            ["dolt_log(", "hashof", "dolt_commits", "dolt_commit_anc", "dolt_tags", "dolt_diff", "as of", "dolt_merge"];
        case.has_several_sessions() && names.iter().any(|name| case.says(name))
    }),
    ("a failed statement with autocommit leaves no transaction open", |case| {
        case.has_several_sessions() && case.difference.is_after_failure
    }),
    ("ROLLBACK TO restores all that the transaction has changed", |case| {
        case.follows("rollback to") && (case.follows("use ") || case.follows("checkout"))
    }),
    ("reading dolt_blame commits nothing", |case| {
        case.has_several_sessions() && (case.follows("dolt_blame") || case.says("dolt_blame"))
    }),
    ("--move looks at the branch of the session", |case| case.says("--move") && case.both_give_rows()),
    ("tables without primary key can be written", |case| case.native_says("keyless tables unsupported")),
    ("a patch has every row of a table without primary key", |case| {
        case.says("dolt_patch") && (case.both_give_rows() || case.native_says("native has 1105: expected string, got "))
    }),
    ("an ENUM or SET that became a text is its text in diffs", |case| {
        case.says("dolt_diff_")
            && [" enum(", " set("].iter().any(|words| case.follows(words))
            && [" modify ", " change "].iter().any(|words| case.follows(words))
            && case.both_give_rows()
    }),
    ("a column that a generated one is computed from stays", |case| case.native_says("as default value of column")),
    ("numbers of AUTO_INCREMENT do not collide", |case| {
        case.each_table(|table| {
            table.rows.is_none()
                && table.definitions.as_ref().is_some_and(|(theirs, ours)| {
                    let ([their_number, theirs], [our_number, ours]) = (counter(theirs), counter(ours));
                    theirs == ours && their_number.parse::<u64>().unwrap_or(1) < our_number.parse::<u64>().unwrap_or(1)
                })
        })
    }),
    ("a table keeps its comment that both sides of a merge have altered, or that gets another key", |case| {
        let is_comment = |table: &TableApart| {
            let other = |text: &str| text.split(" COMMENT='").next().map(str::to_owned);
            table.definitions.as_ref().is_some_and(|(theirs, ours)| other(theirs) == other(ours))
        };
        let is_altered = [" comment 'c", " comment = 'c"].iter().any(|words| case.follows(words));
        let is_made_anew = ["call dolt_", " primary key", " unique "].iter().any(|words| case.says(words));
        is_made_anew && is_altered && (case.both_give_rows() || case.each_table(is_comment))
    }),
    ("a generated column stays one", |case| {
        case.each_table(|table| {
            let count = |text: &str| text.matches(" GENERATED ALWAYS AS ").count();
            table.definitions.as_ref().is_some_and(|(theirs, ours)| count(theirs) < count(ours))
        })
    }),
    ("a generated column follows what it is computed from", |case| {
        let is_generated = |table: &TableApart| {
            let named = |step: &Step| {
                let sql = step.sql.to_lowercase();
                sql.contains(&format!(" {} ", table.name)) && sql.contains(" generated always as ")
            };
            case.before.iter().any(named)
        };
        case.each_table(|table| table.rows.is_some() && table.definitions.is_none() && is_generated(table))
    }),
    ("CHANGE renames a column in checks", |case| {
        case.difference.is_of_hashes && case.native_says("could not be found in any table in scope")
    }),
    ("a table with virtual columns loses its checks as others do, and no others", |case| {
        let loses_checks = |table: &TableApart| {
            let count = |text: &str| text.matches(" CHECK (").count();
            table.definitions.as_ref().is_some_and(|(theirs, ours)| count(theirs) < count(ours))
        };
        case.native_says("does not support check constraint operations")
            || (case.follows(" virtual") && case.each_table(loses_checks))
    }),
    ("a variable without value is NULL", |case| case.native_says("\"&{}\"")),
    ("a joined DELETE runs triggers", |case| case.native_says("explicit target tables does not support triggers")),
    ("MODIFY leaves the text of an ENUM or SET", |case| {
        (case.says(" modify ") || case.says(" change "))
            && (case.follows(" enum(") || case.follows(" set("))
            && case.each_table(|table| table.definitions.is_none() && table.rows.as_ref().is_some_and(has_numbers))
    }),
    ("indexes of tables without primary key are changed with their rows", |case| {
        case.says("on duplicate key update")
            && case.follows("drop primary key")
            && case.each_table(|table| table.definitions.is_none() && table.rows.is_none())
    }),
    ("a rebase that fails leaves its branch as it was", |case| {
        case.says("dolt_rebase") && case.difference.is_of_hashes && matches!(case.difference.ours, Came::Failed(_))
    }),
    ("a table that has not changed has an empty workspace, which can be changed in vain", |case| {
        case.says("dolt_workspace_")
            && case.native_says("native has 1105: table doesn't support")
            && matches!(case.difference.ours, Came::Done)
    }),
    ("SELECT … INTO has no result, not even an empty one", |case| {
        case.says("call p") && case.follows(" into ") && case.native_says("0 columns, native has")
    }),
    ("an OUT parameter begins as NULL", |case| case.follows("out ") && case.native_says("[(NULL)], native has")),
    ("a table that is not there cannot be checked out", |case| {
        case.says("dolt_checkout") && case.difference.is_of_hashes && matches!(case.difference.ours, Came::Failed(_))
    }),
    ("variables are found in blocks within blocks", |case| {
        case.says("call p") && case.native_says("could not be found in any table in scope")
    }),
    ("rows that both branches have lost, or columns, are not converted", |case| {
        case.says("call dolt_")
            && case.follows(" drop column ")
            && case.difference.ours == Came::Rows
            && ["Incorrect datetime value", "is not a valid", "is not valid for this", "Truncated incorrect"]
                .iter()
                .any(|words| case.native_says(words))
    }),
    ("conflicts of a table that both branches have added can be read after ALTER TABLE", |case| {
        case.native_says("expected our schema to equal their schema")
            && matches!(case.difference.ours, Came::Rows | Came::Done)
    }),
    ("the removal of a table is not undone in its workspace", |case| {
        case.says("delete from dolt_workspace_") && case.difference.ours == Came::Failed(1235)
    }),
    ("a table that got or lost its key in one of the versions is taken from there", |case| {
        case.native_says("cannot perform a diff between keyless and keyed schema")
    }),
    ("a merge that cannot be made has no preview", |case| {
        case.says("dolt_preview_merge_conflicts")
            && ["error cannot merge keyless tables with reordered", "error column \""]
                .iter()
                .any(|words| case.native_says(words))
    }),
    ("a preview of conflicts has the columns that one side has lost", |case| {
        let is_other = [" drop column ", " add "].iter().any(|words| case.follows(words));
        case.says("dolt_preview_merge_conflicts(") && is_other && case.both_give_rows()
    }),
    ("foreign keys are reverted with the rest of a commit", |case| {
        case.says("dolt_revert")
            && case.follows(" foreign key ")
            && (case.both_give_rows() || case.native_says("native has 1105: nothing to commit"))
    }),
    ("the history of a table that is gone is that of the commit that is asked", |case| {
        case.says("dolt_history_") && case.says(" as of ") && case.native_says("native has 1146: table not found")
    }),
    ("a step of a rebase that fails is not passed over", |case| {
        let why = ["without parents is not supported", "Constraint violations:"];
        case.says("dolt_rebase") && why.iter().any(|words| case.native_says(words))
    }),
    ("a rebase that cannot go on stays where it stood", |case| {
        case.says("from dolt_status")
            && case.follows("dolt_rebase('--continue'")
            && case.difference.is_after_failure
            && case.both_give_rows()
    }),
    ("the tables of a merge have an order", |case| case.says("dolt_merge_status") && case.both_give_rows()),
    ("arguments of table functions may be calls", |case| case.native_says("only literal values supported")),
    ("a series of reverts that fails leaves nothing behind", |case| {
        case.says("dolt_revert") && case.difference.is_of_hashes && matches!(case.difference.ours, Came::Failed(_))
    }),
    ("violations are counted also beside conflicts of another schema", |case| {
        case.says("dolt_verify_constraints") && case.native_says("conflicts are of a different schema")
    }),
    ("a column with another name is modified where its values are others", |case| {
        case.says("dolt_column_diff") && case.follows(" rename column ") && case.both_give_rows()
    }),
    ("a stash is not applied that has conflicts, or where a foreign key does not allow it", |case| {
        let why = ["Constraint violations:", "would be overwritten by applying stash"];
        case.says("dolt_stash")
            && why.iter().any(|words| case.native_says(words))
            && case.difference.theirs == Came::Rows
    }),
    ("a table that is not there cannot be added, ignored or not", |case| {
        case.says("dolt_add") && case.difference.theirs == Came::Rows && case.difference.text.contains("do not exist")
    }),
    ("a unique index that a merge builds has the rows with NULL", |case| {
        case.says("call dolt_")
            && case.follows("unique")
            && case.each_table(|table| table.definitions.is_none() && table.rows.is_none())
    }),
    ("of rows that share a unique value each is looked at, not only the first", |case| {
        case.says("call dolt_")
            && case.follows("delete from dolt_constraint_violations_")
            && case.native_says("\"conflicts found\")], native has")
            && case.native_says("\"merge successful\"")
    }),
    ("rows that violate constraints stay where they are found", |case| {
        let is_gone = |rows: &(String, String)| rows.0.lines().all(|row| rows.1.contains(row));
        case.says("dolt_verify_constraints")
            && case.each_table(|table| table.definitions.is_none() && table.rows.as_ref().is_some_and(is_gone))
    }),
    ("conflicts outlive the primary key", |case| {
        case.follows(" drop primary key") && case.says("conflict") && case.both_give_rows()
            || case.native_says("are in conflict") && case.follows(" drop primary key")
            || case.native_says("are conflicts by another primary key")
    }),
    ("a table with a full-text index can be verified", |case| {
        case.says("dolt_verify_constraints") && case.native_says("attempted to purge")
    }),
    ("a preview of conflicts has no tables of full-text indexes", |case| {
        case.says("dolt_preview_merge_conflicts_summary") && case.native_says("_fts_")
    }),
    ("a stash leaves no foreign keys of a table that is gone", |case| {
        let is_left =
            case.says("dolt_stash('push'") && case.difference.is_of_hashes && case.difference.tables.is_empty();
        let is_kept =
            case.follows("dolt_stash('push'") && case.native_says("native has 1105: cannot add or update a child row");
        case.follows("foreign key") && (is_left || is_kept)
    }),
    ("a foreign key of a table that is gone refuses nothing", |case| {
        case.native_says("native has 1105: cannot add or update a child row") && case.follows("drop table c")
    }),
    ("a merge takes the columns of a table with generated ones by their names", |case| {
        case.native_says("This should never happen")
    }),
    ("a foreign key follows a column that a merge renames", |case| {
        case.native_says("in foreign key `") && case.native_says("cannot be found")
    }),
    ("words are counted once where there are several full-text indexes", |case| {
        let is_counted = case.says("fulltext") || (case.says("dolt_verify_constraints") && case.follows("fulltext"));
        is_counted && case.difference.is_of_hashes && case.difference.tables.is_empty()
    }),
    ("violations of a table with virtual columns can be read", |case| {
        case.says("dolt_constraint_violations_") && case.native_says("table not found")
    }),
    ("a stash of nothing but the collation of a database would put nothing aside", |case| {
        case.says("dolt_stash('push'") && case.follows("alter database") && case.native_says("No local changes to save")
    }),
    ("rows without key are not written in a form that nobody can read", |case| {
        case.native_says("cannot merge keyless tables whose rows both sides changed")
    }),
    ("the collation of a database is no table", |case| case.native_says("table not found: __DATABASE__")),
    ("trees that ALTER TABLE left behind stay in tables without changes", |case| {
        case.says("dolt_verify_constraints")
            && case.follows(" drop ")
            && case.each_table(|table| table.definitions.is_none() && table.rows.is_none())
    }),
    ("verifying gives a table no old name back", |case| {
        case.says("dolt_verify_constraints") && case.native_says("\n    tables: ")
    }),
    ("a TIME is one of today", |case| {
        let is_today = |rows: &(String, String)| rows.0 != rows.1 && rows.1.contains("202") && rows.0.contains("202");
        case.follows(" time")
            && case.each_table(|table| table.definitions.is_none() && table.rows.as_ref().is_some_and(is_today))
    }),
    ("dolt_diff has the commits that lead to HEAD", |case| {
        case.says("from dolt_diff where commit_hash = ") && case.both_give_rows()
    }),
    ("AFTER INSERT triggers do not run for REPLACE", |case| {
        case.says("replace") && case.follows(" after insert on ") && case.difference.is_of_hashes
    }),
    ("definitions in patches and conflicts can be read again", |case| {
        ["dolt_patch", "dolt_schema_diff", "dolt_schema_conflicts"].iter().any(|name| case.says(name))
            && case.both_give_rows()
            && ["DEFAULT '0x", "DEFAULT 'CURRENT_TIMESTAMP'"].iter().any(|words| case.native_says(words))
    }),
    ("a key that is not there any more is a warning of dolt_diff_…", |case| {
        case.says("dolt_diff_") && case.native_says("could not map primary key column")
    }),
    ("rows of another key are numbered in another order", |case| {
        case.says("dolt_workspace_") && case.follows("primary key") && case.both_give_rows()
    }),
    ("a preview counts the conflict of a table that is gone on one side", |case| {
        case.says("dolt_preview_merge_conflicts") && case.native_says("conflict: table with same name deleted and")
    }),
    ("a TIME has no text", |case| case.native_says("value of type time cannot be converted to longtext")),
    ("a foreign key looks at the rows first", |case| {
        case.native_says("base column of a stored generated column") && case.difference.ours == Came::Failed(1452)
    }),
    ("errors name values as they are written, not Go's types", |case| {
        ["is not a valid value type for", "is not a valid Decimal"].iter().any(|words| case.native_says(words))
    }),
    ("a merge ends with the branch that is put elsewhere", |case| {
        (case.follows("checkout('-b") && case.native_says("you have not committed an active merge"))
            || (case.follows("branch('-f'") && case.native_says("have schema conflicts"))
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
    ("a commit leaves no changes of another branch behind", |case| {
        (case.says("dolt_commit") || case.says("start transaction"))
            && case.native_says("Cannot commit changes on more than one branch")
    }),
    ("a row that one side deleted is compared as the other side has its columns", |case| {
        let is_gone = |rows: &(String, String)| rows.1.lines().all(|row| rows.0.contains(row));
        let is_altered = [" drop ", " add ", " rename "].iter().any(|words| case.follows(words));
        let is_unread = ["native has 1105: Truncated incorrect", "' is too large for column '"];
        case.says("call dolt_")
            && (case.follows("delete from ") || case.follows(" set id = id + "))
            && is_altered
            && (is_unread.iter().any(|words| case.native_says(words))
                || case.each_table(|table| table.definitions.is_none() && table.rows.as_ref().is_some_and(is_gone)))
    }),
    ("a collation that only one side gave to an ENUM or SET is not lost", |case| {
        (case.says("call dolt_merge") || case.says("call dolt_cherry_pick"))
            && case.follows(" collate ")
            && [" enum(", " set("].iter().any(|words| case.follows(words))
            && case.native_says("merge successful")
    }),
    ("what a branch that is put elsewhere had picked is nothing to commit", |case| {
        case.says("dolt_commit")
            && case.follows("branch('-f'")
            && case.native_says("error nothing to commit (1105), native gives")
    }),
    ("columns are compared by their tags", |case| {
        case.says("dolt_column_diff") && case.native_says("native has 1105: Incorrect datetime value")
    }),
    ("triggers of a table that is gone are listed", |case| {
        case.says("information_schema.triggers") && case.native_says("native has 1146: table not found")
    }),
    ("a counter is that of the table, whatever it was before", |case| {
        case.follows(" auto_increment ")
            && case.follows("dolt_stash('push'")
            && case.each_table(|table| {
                let numbers = table.definitions.as_ref().map(|(theirs, ours)| [counter(theirs), counter(ours)]);
                numbers.is_some_and(|[theirs, ours]| theirs[1] == ours[1])
            })
    }),
    ("a foreign key is shown with the names of the columns", |case| {
        case.says("show create table")
            && case.follows(" rename column ")
            && case.follows("foreign key")
            && case.both_give_rows()
    }),
    ("a procedure is stored with the moment in which it was made", |case| {
        case.says("dolt_commit") && case.follows("create procedure") && case.both_give_rows()
    }),
    ("a NULL in a JSON column that a merge converts is no conflict", |case| {
        case.says("dolt_preview_merge_conflicts_summary") && case.follows(" json") && case.both_give_rows()
    }),
    ("a value that another type keeps is no other value", |case| {
        case.says("dolt_column_diff") && case.follows(" modify ") && case.both_give_rows()
    }),
    ("a patch finds rows by documents", |case| {
        case.says("dolt_patch") && case.native_says("native has 1105: expected string, got *types.")
    }),
    ("a NULL in a JSON column stays one in a row that a merge writes", |case| {
        let plain = |text: &str| text.replace(' ', "").replace("NULL", "null");
        let is_null = |rows: &(String, String)| plain(&rows.0) == plain(&rows.1);
        // Of a row that looks alike the conflict alone is stored.
        let is_of_nulls = |table: &TableApart| table.rows.as_ref().map_or_else(|| case.follows(" json"), is_null);
        case.says("call dolt_") && case.each_table(|table| table.definitions.is_none() && is_of_nulls(table))
    }),
    ("a branch that is renamed to its own name stays", |case| {
        let why = ["native has 1049: database not found", "is not a commit and a branch"];
        case.follows("dolt_branch('-m', '-f'") && why.iter().any(|words| case.native_says(words))
    }),
    ("of several branches all are deleted, or none", |case| {
        case.follows("'-d'") && case.native_says("native has 1105: branch not found")
    }),
    ("has_ancestor of NULL is NULL, whatever the type", |case| {
        case.native_says("native has 1105: Invalid argument to HAS_ANCESTOR")
    }),
    ("a definition that fails leaves no table behind", |case| {
        case.says("create table")
            && case.native_says("\n    tables: ")
            && matches!(case.difference.ours, Came::Failed(_))
    }),
    ("there is no AGENT.md that nobody wrote", |case| case.says("dolt_docs") && case.native_says("AGENT.md")),
    ("lists of a join have the order of its plan", |case| {
        (case.says("json_arrayagg(") || case.says("group_concat(")) && case.says(" join ") && case.both_give_rows()
    }),
    ("an empty text is a row of EXCEPT", |case| case.says(" except ") && case.native_says("(\"\")")),
    ("a revert does not take the place of a merge", |case| {
        case.says("dolt_revert") && case.difference.text.contains("are in conflict (1105), native gives")
    }),
    ("a row with NULL is neither equal nor another", |case| case.says(") = (") && case.both_give_rows()),
    ("a group is not made of an aggregate", |case| case.difference.text.contains("Can't group on an aggregate")),
    ("a reversed number keeps its noughts", |case| case.says("reverse(") && case.both_give_rows()),
    ("a TIME below zero has seconds below zero", |case| case.says("time_to_sec(") && case.both_give_rows()),
    ("CAST AS CHAR(n) takes n characters", |case| case.says(" as char(") && case.both_give_rows()),
    ("an ENUM is compared with others in LEAST and GREATEST", |case| {
        case.native_says("unsupported type for greatest/least argument: types.EnumType")
    }),
    ("count(NULL) counts nothing", |case| case.says("count(null")),
    ("a subquery of several rows is no value in WHERE either", |case| case.difference.ours == Came::Failed(1242)),
    ("a row is compared with rows in WHERE, too", |case| case.difference.ours == Came::Failed(1241)),
    ("windows have no windows", |case| case.native_says("You cannot use the window function")),
    ("IN goes by the collation of a column without an index as with one", |case| {
        case.says(" in (") && case.follows(" collate ") && !matches!(case.difference.ours, Came::Failed(_))
    }),
];

/// The number of a definition's AUTO_INCREMENT, and the definition without it.
fn counter(definition: &str) -> [String; 2] {
    let Some((before, rest)) = definition.split_once(" AUTO_INCREMENT=") else { return ["".into(), definition.into()] };
    let (number, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
    [number.into(), format!("{before}{after}")]
}

/// Whether rows have numbers where ours have texts, and are the same otherwise.
fn has_numbers((theirs, ours): &(String, String)) -> bool {
    let same = |(theirs, ours): (&str, &str)| theirs == ours || theirs.parse::<u64>().is_ok();
    let cells = |text: &str| text.split(['|', '\n']).count();
    cells(theirs) == cells(ours) && theirs.split(['|', '\n']).zip(ours.split(['|', '\n'])).all(same)
}

/// Why this difference is on purpose.
pub fn reason(script: &[Step], difference: &Difference) -> Option<&'static str> {
    let sql = script[difference.at].sql.to_lowercase();
    let case = Case { sql, before: &script[..difference.at], difference };
    ON_PURPOSE.iter().find(|(_, is_known)| is_known(&case)).map(|(why, _)| *why)
}
