//! What the system tables and SHOW say of every branch of every fixture, against native Dolt's answers.

use std::fmt::Write;

use engine::Session;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::common;

/// Rows as text; `None` is NULL.
type Rows = Vec<Vec<Option<String>>>;

struct Checks {
    session: Session,
    place: String,
    checked: usize,
    wrong: Vec<String>,
}

impl Checks {
    fn rows(&self, sql: &str) -> Result<Rows, String> {
        let (columns, rows, _) =
            self.session.query(sql).and_then(engine::Cursor::collect).map_err(|e| e.to_string())?;
        let text = |row: &Vec<value::Value<'static>>| {
            let values = row.iter().zip(columns.iter());
            values
                .map(|(value, column)| {
                    value::to_text(value, &column.ty).map(|text| String::from_utf8_lossy(&text).into_owned())
                })
                .collect()
        };
        Ok(rows.iter().map(text).collect())
    }

    fn check(&mut self, what: &str, got: impl std::fmt::Debug, wanted: impl std::fmt::Debug) {
        self.checked += 1;
        let (got, wanted) = (format!("{got:?}"), format!("{wanted:?}"));
        if got != wanted {
            self.wrong.push(format!("{} {what}:\n  got  {got}\n  want {wanted}", self.place));
        }
    }

    /// Compares with `{columns, types, rows}` of the oracle.
    fn compare(&mut self, sql: &str, expected: &Json) {
        let Some(wanted) = expected["rows"].as_array() else { return };
        let wanted: Rows = wanted
            .iter()
            .map(|row| row.as_array().into_iter().flatten().map(|value| value.as_str().map(normal)).collect())
            .collect();
        let got = self.rows(sql).map(|rows| {
            let normal_row = |row: Vec<Option<String>>| row.into_iter().map(|v| v.as_deref().map(normal)).collect();
            rows.into_iter().map(normal_row).collect::<Rows>()
        });
        self.check(sql, got, Ok::<_, String>(wanted));
    }
}

/// JSON in one form: spaces do not matter.
fn normal(text: &str) -> String {
    match serde_json::from_str::<Json>(text) {
        Ok(json @ (Json::Object(_) | Json::Array(_))) => json.to_string(),
        _ => text.to_owned(),
    }
}

fn sha256(lines: impl Iterator<Item = String>) -> String {
    let mut hash = Sha256::new();
    lines.for_each(|line| hash.update(line.as_bytes()));
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

fn check_database(checks: &mut Checks, expected: &Json) {
    let branches: Rows = expected["branches"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|branch| ["name", "hash", "latest_message"].map(|key| branch[key].as_str().map(str::to_owned)).into())
        .collect();
    let got = checks.rows("SELECT name, hash, latest_commit_message FROM dolt_branches ORDER BY name");
    checks.check("branches", got, Ok::<_, String>(branches));
    checks.compare("SELECT tag_name, tag_hash, tagger, message FROM dolt_tags ORDER BY tag_name", &expected["tags"]);
    // The oracle does not tell where the remote lay.
    checks.compare(
        "SELECT name, concat('file://<dir>/', substring_index(url, '/', -1)) FROM dolt_remotes ORDER BY name",
        &expected["remotes"],
    );
    checks.compare("SELECT name, hash FROM dolt_remote_branches ORDER BY name", &expected["remote_branches"]);
    checks.compare("SELECT table_name, staged, status FROM dolt_status ORDER BY 1, 2, 3", &expected["status"]);
}

fn check_branch(checks: &mut Checks, name: &str, expected: &Json) {
    let log = checks.rows("SELECT commit_hash, committer, date, message FROM dolt_log").expect("a log");
    let sum = sha256(log.iter().map(|row| format!("{}\n", row[0].as_deref().unwrap_or_default())));
    checks.check("log_sha256", &sum, expected["log_sha256"].as_str().unwrap_or_default());
    checks.check("log_count", log.len(), expected["log_count"].as_u64().unwrap_or_default() as usize);
    for (row, wanted) in log.iter().zip(expected["log"].as_array().into_iter().flatten()) {
        let wanted = ["hash", "committer", "date", "message"].map(|key| wanted[key].as_str().unwrap_or_default());
        let date = row[2].as_deref().unwrap_or_default();
        let got = [
            row[0].as_deref().unwrap_or_default(),
            row[1].as_deref().unwrap_or_default(),
            &date[..19],
            row[3].as_deref().unwrap_or_default(),
        ];
        checks.check("log", got, wanted);
    }
    let count = checks.rows("SELECT count(*) FROM dolt_log");
    checks.check("count of the log", count, Ok::<_, String>(vec![vec![Some(log.len().to_string())]]));
    checks.compare("SELECT * FROM dolt_conflicts ORDER BY 1", &expected["conflicts"]);
    checks.compare("SELECT * FROM dolt_constraint_violations ORDER BY 1", &expected["constraint_violations"]);
    checks
        .compare("SELECT table_name, description FROM dolt_schema_conflicts ORDER BY 1", &expected["schema_conflicts"]);
    checks.compare("SELECT is_merging, target FROM dolt_merge_status", &without_last(&expected["merge_status"]));
    checks.compare("SELECT table_name, staged, status FROM dolt_status ORDER BY 1, 2, 3", &expected["status"]);
    checks.compare("SELECT type, name, fragment FROM dolt_schemas ORDER BY 1, 2", &expected["schemas"]);
    checks.compare("SELECT name, create_stmt FROM dolt_procedures ORDER BY 1", &expected["procedures"]);
    let triggers = "SELECT trigger_name, event_manipulation, event_object_table, action_timing, action_statement \
                    FROM information_schema.triggers WHERE trigger_schema = ";
    if name == "main" {
        let database = checks.place.split('/').next().unwrap_or_default().to_owned();
        checks.compare(&format!("{triggers}'{database}' ORDER BY 1"), &expected["triggers"]);
    }
    let changes = &expected["diff_head_parent"];
    checks.compare(
        "SELECT from_table_name, to_table_name, diff_type, data_change, schema_change \
         FROM dolt_diff_summary('HEAD~1', 'HEAD') ORDER BY 1, 2",
        &changes["summary"],
    );
    checks.compare(
        "SELECT table_name, rows_unmodified, rows_added, rows_deleted, rows_modified, cells_added, cells_deleted, \
         cells_modified, old_row_count, new_row_count FROM dolt_diff_stat('HEAD~1', 'HEAD') ORDER BY 1",
        &changes["stat"],
    );
    for (table, expected) in expected["diff_history"].as_object().into_iter().flatten() {
        let sql =
            format!("SELECT diff_type, count(*) FROM {} GROUP BY 1 ORDER BY 1", quoted(&format!("dolt_diff_{table}")));
        checks.compare(&sql, &serde_json::json!({ "rows": expected }));
    }
    for (table, expected) in expected["tables"].as_object().into_iter().flatten() {
        checks.compare(
            &format!("SELECT * FROM {}", quoted(&format!("dolt_conflicts_{table}"))),
            &expected["conflict_rows"],
        );
        let violations = quoted(&format!("dolt_constraint_violations_{table}"));
        checks.compare(&format!("SELECT * FROM {violations}"), &expected["violation_rows"]);
    }
    for (view, expected) in expected["views"].as_object().into_iter().flatten() {
        let created = checks.rows(&format!("SHOW CREATE VIEW {}", quoted(view)));
        let created = created.map(|rows| rows.first().and_then(|row| row[1].clone()));
        checks.check(view, created, Ok::<_, String>(expected["create"].as_str().map(str::to_owned)));
    }
    let mut tables: Vec<&String> = expected["tables"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
    tables.extend(expected["views"].as_object().into_iter().flatten().map(|(name, _)| name));
    tables.sort();
    let shown =
        checks.rows("SHOW TABLES").map(|rows| rows.into_iter().filter_map(|mut row| row.remove(0)).collect::<Vec<_>>());
    checks.check("SHOW TABLES", shown, Ok::<Vec<String>, String>(tables.into_iter().cloned().collect()));
}

/// The order of the names in the last column is random in native Dolt.
fn without_last(result: &Json) -> Json {
    let mut result = result.clone();
    for row in result["rows"].as_array_mut().into_iter().flatten() {
        row.as_array_mut().map(Vec::pop);
    }
    result
}

#[test]
fn every_branch_of_every_fixture() {
    let mut checked = 0;
    let mut wrong = Vec::new();
    for name in common::fixtures() {
        let Some(directory) = common::fixture(name) else { return };
        let oracle =
            native_dolt::fixtures::shared().expect("it is there").join("fixtures").join(format!("{name}.json"));
        let oracle: Json = serde_json::from_slice(&std::fs::read(oracle).expect("an oracle")).expect("JSON");
        let session = common::open(&directory).expect("the fixture opens");
        let mut checks = Checks { session, place: String::new(), checked: 0, wrong: Vec::new() };
        for (database, expected) in oracle["databases"].as_object().expect("databases") {
            let enter = |checks: &mut Checks, place: &str| {
                checks.place = place.to_owned();
                checks.rows(&format!("USE {}", quoted(place))).expect("the place is there");
            };
            enter(&mut checks, database);
            check_database(&mut checks, expected);
            for (branch, expected) in expected["per_branch"].as_object().into_iter().flatten() {
                enter(&mut checks, &format!("{database}/{branch}"));
                check_branch(&mut checks, branch, expected);
            }
        }
        checked += checks.checked;
        wrong.extend(checks.wrong);
    }
    println!("{checked} facts checked, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
