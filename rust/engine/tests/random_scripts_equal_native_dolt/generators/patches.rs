//! What `dolt_patch` says of two commits makes the rows of the one those of the other: over histories that the generators leave.

use engine::{Cursor, Session};

use crate::common::fresh;
use crate::common::generate::Random;
use crate::common::told::our_text;
use crate::script::{DATABASE, Step};

type Script = fn(&mut Random) -> Vec<Step>;

const COMMITS_MAX: usize = 12;
const PAIRS: usize = 6;
/// So that commits can be looked at one after the other, and rows change in any order.
const SETTLED: &[&str] = &[
    "rollback",
    "set @@autocommit = 1, foreign_key_checks = 0",
    "call dolt_merge('--abort')",
    "call dolt_rebase('--abort')",
    "call dolt_reset('--hard')",
];

/// Patches of some pairs of commits of a script: how many lead to other rows.
pub fn astray(name: &str, script: Script, seed: u64) -> usize {
    let session = fresh::session_named("db");
    for step in script(&mut Random::new(seed)) {
        let _ = session.query(&step.sql.replace(DATABASE, "db")).and_then(Cursor::collect);
    }
    SETTLED.iter().for_each(|sql| {
        our_text(&session, sql);
    });
    let commits = our_text(&session, &format!("select commit_hash from dolt_log('--all') limit {COMMITS_MAX}"));
    let commits: Vec<&str> = commits.lines().collect();
    let mut random = Random::new(seed);
    let pairs: Vec<(&str, &str)> = (0..PAIRS).map(|_| (*random.pick(&commits), *random.pick(&commits))).collect();
    let apart = pairs.into_iter().flat_map(|(from, to)| {
        let tables = our_text(&session, &format!("show tables as of '{to}'"));
        let apart: Vec<String> = tables.lines().filter_map(|table| apart(&session, from, to, table)).collect();
        apart
    });
    apart.map(|what| println!("{name} {seed}: {what}\n")).count()
}

/// Where a table parts from what it is in the other commit after its patch.
fn apart(session: &Session, from: &str, to: &str, table: &str) -> Option<String> {
    let question = format!("select statement from dolt_patch('{from}', '{to}', '{table}')");
    our_text(session, &format!("call dolt_checkout('-B', 'patched', '{from}')"));
    // Views have none; of tables with other keys it has no rows, and says so.
    let Ok((_, statements, summary)) = session.query(&question).and_then(Cursor::collect) else { return None };
    if !summary.warnings.is_empty() {
        return None;
    }
    let statements: Vec<String> = statements.iter().map(|row| told(&row[0])).collect();
    let done: Vec<String> = statements.iter().map(|sql| our_text(session, sql)).collect();
    // Columns may be at other places.
    let columns = our_text(session, &format!("show columns from `{table}`"));
    let columns: Vec<String> =
        columns.lines().filter_map(|line| Some(format!("`{}`", line.split_once('|')?.0))).collect();
    let rows = |of: &str| {
        let text = our_text(session, &format!("select {} from `{table}`{of}", columns.join(", ")));
        let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
        rows.sort_unstable();
        rows
    };
    let (made, wanted) = (rows(""), rows(&format!(" as of '{to}'")));
    our_text(session, "call dolt_reset('--hard')");
    our_text(session, "call dolt_clean('-x')");
    // While rows change one after the other, two may have the same value in a unique key.
    let stopped = done.iter().any(|text| text.starts_with("error 1062"));
    (made != wanted && !stopped).then(|| format!("{table}: {made:?}, wanted {wanted:?}\n{}", statements.join("\n")))
}

fn told(statement: &value::Value<'_>) -> String {
    value::convert::to_string(statement).expect("statements are text").into_owned()
}
