//! Messages of commits keep their blanks, for their bytes are hashed; of tags they are trimmed, as in native Dolt 2.2.0.

use engine::Session;

use crate::common::fresh::{error, rows, session};

fn message(session: &Session) -> String {
    rows(session, "SELECT CONCAT('[', message, ']') FROM dolt_log LIMIT 1").concat().concat()
}

fn check(statements: &[&str], expected: &str) {
    let session = session();
    rows(&session, "CREATE TABLE k (x INT PRIMARY KEY)");
    rows(&session, "CALL dolt_commit('-Am', 'a')");
    statements.iter().for_each(|sql| drop(rows(&session, sql)));
    assert_eq!(message(&session), expected, "{statements:?}");
}

/// A commit on the branch `o`, then main again.
const OTHER: [&str; 4] = [
    "CALL dolt_checkout('-b', 'o')",
    "INSERT INTO k VALUES (1)",
    "CALL dolt_commit('-am', ' o ')",
    "CALL dolt_checkout('main')",
];

#[test]
fn of_commits() {
    check(&["CALL dolt_commit('--allow-empty', '-m', '  hello  ')"], "[  hello  ]");
    check(&["CALL dolt_commit('--allow-empty', '-m', '  ')"], "[  ]");
    check(&["CALL dolt_commit('--allow-empty', '-m', '\\n x\\n y\\n')"], "[\n x\n y\n]");
}

#[test]
fn of_amended_ones() {
    check(&["CALL dolt_commit('--amend', '-m', ' y ')"], "[ y ]");
    check(&["CALL dolt_commit('--amend', '-m', '')"], "[a]");
}

#[test]
fn of_merges_picks_and_reverts() {
    let after = |last: &'static str| OTHER.into_iter().chain([last]).collect::<Vec<_>>();
    check(&after("CALL dolt_merge('--no-ff', 'o', '-m', '  mm ')"), "[  mm ]");
    check(&after("CALL dolt_cherry_pick('o')"), "[ o ]");
    let revert = ["INSERT INTO k VALUES (1)", "CALL dolt_commit('-am', ' o ')", "CALL dolt_revert('HEAD')"];
    check(&revert, "[Revert \" o \"]");
}

#[test]
fn none_is_an_error() {
    let session = session();
    let text = "Aborting commit due to empty commit message.";
    assert_eq!(error(&session, "CALL dolt_commit('--allow-empty', '-m', '')").1, text);
}

#[test]
fn of_tags_and_of_transactions_they_are_trimmed() {
    let session = session();
    rows(&session, "CALL dolt_tag('t1', '-m', '  tt ')");
    assert_eq!(rows(&session, "SELECT CONCAT('[', message, ']') FROM dolt_tags"), [["[tt]"]]);
    rows(&session, "CREATE TABLE k (x INT PRIMARY KEY)");
    rows(&session, "SET dolt_transaction_commit = 1");
    rows(&session, "SET dolt_transaction_commit_message = '  tr  '");
    rows(&session, "INSERT INTO k VALUES (1)");
    assert_eq!(message(&session), "[tr]");
}
