//! Random queries are asked in several ways that must agree: with all rules of the planner and without them (no-optimisation
//! comparison), and whole against the parts that a condition makes of it (ternary-logic partitioning).
//!
//! `VARVE_FUZZ=20000` asks that many; `VARVE_SEED=7` begins with another seed.

use engine::state::Rules;
use engine::{Cursor, Session, SqlError};

use crate::common;
use crate::common::generate::Random;
use crate::common::random_queries::{Queries, Table, tables};

/// Queries over one set of tables.
const QUERIES_OF_A_SCHEMA: usize = 25;

type Rows = Vec<Vec<String>>;

fn rows(session: &Session, sql: &str) -> Result<Rows, SqlError> {
    let (columns, rows, _) = session.query(sql).and_then(Cursor::collect)?;
    let cell =
        |(value, column): (&value::Value<'_>, &engine::page::ResultColumn)| match value::to_text(value, &column.ty) {
            Some(text) => String::from_utf8_lossy(&text).into_owned(),
            None => "NULL".to_owned(),
        };
    Ok(rows.iter().map(|row| row.iter().zip(columns.iter()).map(cell).collect()).collect())
}

fn sorted(mut rows: Rows) -> Rows {
    rows.sort();
    rows
}

fn session_with(tables: &[Table]) -> Session {
    let session = common::fresh::session();
    for sql in std::iter::once("use mydb").chain(tables.iter().flat_map(|table| table.setup.iter().map(String::as_str)))
    {
        session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    session
}

/// The same query with a session's rules set.
fn by(session: &Session, rules: Rules, sql: &str) -> Result<Rows, SqlError> {
    session.state().rules.set(rules);
    let answer = rows(session, sql).map(sorted);
    session.state().rules.set(Rules::All);
    answer
}

/// What two plans of one query differ in; whether there was an answer.
fn compare_plans(session: &Session, sql: &str) -> Result<bool, String> {
    match (by(session, Rules::All, sql), by(session, Rules::Needed, sql)) {
        (Ok(with), Ok(without)) if with == without => Ok(true),
        (Err(with), Err(without)) if with.errno == without.errno => Ok(false),
        (with, without) => Err(format!("{sql}\n  with rules {with:?}\n  without {without:?}")),
    }
}

/// Rows for which a condition is true, false and unknown are all rows.
fn compare_parts(session: &Session, select: &str, condition: &str) -> Result<bool, String> {
    let (Ok(whole), parts) = (
        rows(session, select),
        [
            format!("{select} where {condition}"),
            format!("{select} where not ({condition})"),
            format!("{select} where ({condition}) is null"),
        ],
    ) else {
        return Ok(false);
    };
    let mut together = Vec::new();
    for part in &parts {
        together.extend(rows(session, part).map_err(|error| format!("{part}\n  {error}"))?);
    }
    let (whole, together) = (sorted(whole), sorted(together));
    match whole == together {
        true => Ok(true),
        false => Err(format!("{select} where {condition}\n  whole {whole:?}\n  parts {together:?}")),
    }
}

#[test]
fn rules_keep_answers() {
    let number =
        |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let (wanted, first_seed) = (number("VARVE_FUZZ", 500), number("VARVE_SEED", 1));
    let (mut asked, mut answered, mut seed, mut failed) = (0, 0u64, first_seed, Vec::new());
    while asked < wanted {
        let mut random = Random::new(seed);
        let tables = tables(&mut random);
        let session = session_with(&tables);
        let mut queries = Queries::new(&mut random, &tables);
        for _ in 0..QUERIES_OF_A_SCHEMA {
            let query = queries.query();
            let from = queries.from();
            let condition = queries.condition(&from, 2);
            let select = format!("select {} from {}", from.keys().join(", "), from.text);
            let answers = [compare_plans(&session, &query), compare_parts(&session, &select, &condition)];
            for answer in answers {
                match answer {
                    Ok(is_answered) => answered += u64::from(is_answered),
                    Err(error) => failed.push(format!("seed {seed}: {error}")),
                }
            }
            asked += 2;
        }
        if !failed.is_empty() {
            let setup: Vec<_> = tables.iter().flat_map(|table| table.setup.clone()).collect();
            failed.push(setup.join(";\n"));
            break;
        }
        seed += 1;
    }
    println!("{asked} queries, {answered} answered, {} schemas", seed - first_seed);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(answered * 10 > asked * 9, "only {answered} of {asked} queries have an answer");
}
