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

/// A session after some statements.
fn session_after(statements: &[&str]) -> Session {
    let session = common::fresh::session();
    for sql in ["use mydb"].iter().chain(statements) {
        session.query(sql).and_then(Cursor::collect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    session
}

#[test]
fn rows_that_are_looked_up_together_are_those_of_each() {
    let session = session_after(&[
        "create table s (i int primary key)",
        "insert into s with recursive s as (select 0 i union all select i + 1 from s where i < 99) select i from s",
        "create table l (id int primary key, k int, v int)",
        "insert into l select i, if(i % 11 = 3, null, i % 9), i % 5 from s",
        // None of 0, 300 of 1, and some of the others.
        "create table r (id int primary key, k int, v int, key (k))",
        "insert into r select n, case when n < 300 then 1 when n < 310 then n % 4 + 5 when n < 320 then null else n end, n % 7
         from (select a.i * 100 + b.i n from s a, s b) q",
    ]);
    let mut looked_up = 0;
    for on in ["r.k = l.k", "r.k = l.k and r.v > l.v", "r.k = l.k and r.v = 3", "r.k = l.k and r.id + l.v = 12"] {
        for select in [
            format!("select l.id, r.id from l left join r on {on}"),
            format!("select l.id, r.v from l left join r on {on} where r.id is null"),
            format!("select l.id, r.id, b.k from l left join r on {on} left join r b on b.id = r.v and b.k > l.k"),
            format!("select l.id from l where exists (select 1 from r where {on})"),
            format!("select l.id from l where not exists (select 1 from r where {on})"),
        ] {
            assert_eq!(compare_plans(&session, &select), Ok(true));
            let sql = format!("{select} order by l.id desc");
            let ids = rows(&session, &sql).unwrap().into_iter().map(|row| row[0].parse::<i32>().unwrap());
            assert!(ids.rev().is_sorted(), "{sql}");
            let plan = rows(&session, &format!("explain format=tree {sql}")).unwrap().concat().join("\n");
            looked_up += usize::from(plan.contains("lookup"));
        }
    }
    assert!(looked_up >= 10, "{looked_up} of 20");
}

#[test]
fn documents_are_read_as_far_as_somebody_looks() {
    let session = session_after(&[
        "create table j (id int primary key, doc json, other json)",
        r#"insert into j values
           (1, '{"a": 1, "b": {"c": [1, {"d": "x"}], "e": null}, "tags": ["x", "y"]}', '{"a": 2}'),
           (2, '{"a": "1", "b": [{"c": 5}], "tags": [], "z": {"a": 1}}', '[1, 2]'),
           (3, '[{"a": 1}, 2]', null), (4, '"a"', '"b"'), (5, null, '{"b": {"c": 4}}'), (6, 'null', '{}'),
           (7, '{"a \\"b\\"": 12345678901234567890, "b": {"c": 1.5e3, "a": 1}, "é": "\\u00e9"}', '{"a": {"a": {"a": 3}}}')"#,
        "insert into j select id + 10, other, doc from j",
    ]);
    let values = [
        "doc->'$.a'",
        "doc->>'$.b.c'",
        "json_extract(doc, '$.b.c[1].d', '$.a')",
        "json_extract(doc, '$[0].a')",
        "json_extract(doc, '$.\"a \\\\\"b\\\\\"\"')",
        "json_extract(doc, '$.*')",
        "json_extract(doc, '$')",
        "json_value(doc, '$.b.a')",
        "json_keys(doc, '$.b')",
        "json_length(doc, '$.tags')",
        "json_contains(doc, '1', '$.a')",
        "json_contains(doc, '{\"b\": {\"a\": 1}}')",
        "json_contains(doc, '{}')",
        "json_contains(doc, '[2]')",
        "json_contains(doc->'$.tags', '\"x\"')",
        "json_contains_path(doc, 'one', '$.x', '$.b.e')",
        "json_contains(doc->'$.b', other->'$.b')",
        "json_contains(doc, other)",
        "json_set(doc, '$.q', other->'$.a')",
        "json_type(doc)",
        "doc",
    ];
    for (i, value) in values.iter().enumerate() {
        let next = values[(i + 1) % values.len()];
        for sql in [
            format!("select id, {value} from j"),
            format!("select id, {value}, {next} from j where id <> 3"),
            format!("select count(*), min({next}) from j group by {value}"),
            format!("select id from j where cast({value} as char) = '1' or cast({next} as char) > '2'"),
            format!("select id, doc from j where {value} is not null"),
            format!("select id from j where {value} is null order by cast({next} as char), id"),
            format!("select x.id, y.v from j x left join (select id, {value} v, doc from j) y on y.id = x.id + 10"),
            format!("select q.v from (select distinct doc, {value} v from j) q"),
            format!("select id, {value} from j union all select id, {next} from j"),
            format!("select id, (select cast({value} as char) from j b where b.id = a.id + 10) from j a"),
            format!("with c as (select id, doc, other from j) select {value}, {next} from c where id < 10"),
            format!("select id, row_number() over (partition by cast({value} as char) order by id) from j"),
        ] {
            let answer = compare_plans(&session, &sql);
            assert!(answer.is_ok(), "{answer:?}");
        }
    }
    let answered = rows(&session, "select doc->>'$.b.c', json_length(doc, '$.b') from j where doc->'$.a' = 1").unwrap();
    assert_eq!(answered, [[r#"[1, {"d": "x"}]"#, "2"]]);
}
