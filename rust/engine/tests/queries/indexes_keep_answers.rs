//! An index changes how rows are found, not which: values of every type beside columns of every type, asked of a table with an index on
//! each column and of one without, in the same order.

use engine::Session;

use crate::common::fresh;

const COLUMNS: [(&str, &str); 10] = [
    ("i", "int"),
    ("u", "bigint unsigned"),
    ("n", "decimal(10,2)"),
    ("f", "double"),
    ("s", "varchar(20) collate utf8mb4_0900_ai_ci"),
    ("d", "datetime"),
    ("dt", "date"),
    ("y", "year"),
    ("tm", "time"),
    ("b", "varbinary(10)"),
];

const VALUES: [&str; 42] = [
    "5",
    "-1",
    "0",
    "20",
    "2020",
    "20200101",
    "1.5",
    "-2.25",
    "1e1",
    "18446744073709551615",
    "18446744073709551610",
    "99999999999",
    "true",
    "null",
    "'5'",
    "'5.0'",
    "'5abc'",
    "'-1'",
    "'1e0'",
    "''",
    "'a'",
    "'A'",
    "'é'",
    "'abc'",
    "'18446744073709551615'",
    "'18446744073709551616'",
    "'99999999999'",
    "'2020'",
    "'20'",
    "'2020-01-01'",
    "'2020-01-01 10:00:00'",
    "'2020-01-01 00:00:00.5'",
    "'2020-13-01'",
    "'20200101'",
    "'10:00'",
    "'10:00:00.5'",
    "date '2020-01-01'",
    "timestamp '2020-01-01 05:00:00'",
    "time '10:00:00'",
    "x'41'",
    "cast(5 as decimal(5,2))",
    "4.999999999999",
];

fn session() -> Session {
    let session = fresh::session();
    for (table, with_indexes) in [("keyed", true), ("plain", false)] {
        let columns: Vec<String> = COLUMNS.iter().map(|(name, ty)| format!("{name} {ty}")).collect();
        let keys: String = COLUMNS.iter().filter(|_| with_indexes).map(|(name, _)| format!(", key ({name})")).collect();
        fresh::rows(&session, &format!("create table {table} (id int primary key, {}{keys})", columns.join(", ")));
        let texts = ["a", "A", "ab", "5", "5x", "", "zz", "é", "e", "b_c", "10", "2020-01-01"];
        for id in 0..40_i64 {
            let u = if id % 5 == 0 { u64::MAX - id as u64 } else { id as u64 };
            let row = format!(
                "{id}, {}, {u}, {}.{:02}, {}.5, '{}', date_add('2020-01-01', interval {} hour), \
                 date_add('2020-01-01', interval {} day), {}, '{:02}:00:00', '{}'",
                id - 3,
                id % 11 - 3,
                id * 25 % 100,
                id % 7,
                texts[id as usize % texts.len()],
                id - 4,
                id % 9 - 3,
                2015 + id % 10,
                id % 24,
                ["a", "A", "5", ""][id as usize % 4],
            );
            fresh::rows(&session, &format!("insert into {table} values ({row})"));
        }
        fresh::rows(&session, &format!("insert into {table} (id) values (100)"));
    }
    session
}

/// Asks both tables; 1 if they answer.
fn compare(session: &Session, query: &str) -> usize {
    let ask = |table: &str| {
        let text = query.replace('#', table);
        session.query(&text).and_then(engine::Cursor::collect).map(|(_, rows, _)| format!("{rows:?}"))
    };
    // Which row an error is about depends on where a scan begins.
    let (Ok(keyed), Ok(plain)) = (ask("keyed"), ask("plain")) else { return 0 };
    assert_eq!(keyed, plain, "{query}");
    1
}

/// Conditions on what is computed of a column are tested where its index says that they may hold.
#[test]
fn an_index_serves_what_is_computed_of_its_column() {
    let session = session();
    for table in ["keyed", "plain"] {
        for (id, day) in [(200, "9999-12-31"), (201, "1000-01-01"), (202, "0000-00-00"), (203, "2019-12-31")] {
            for time in ["00:00:00", "23:59:59"] {
                let id = id + if time == "00:00:00" { 0 } else { 10 };
                let row = format!("insert into {table} (id, d, dt) values ({id}, '{day} {time}', '{day}')");
                // There may be no such day.
                let _ = session.query(&row).and_then(engine::Cursor::collect);
            }
        }
    }
    let mut asked = 0;
    for column in ["d", "dt", "s"] {
        for computed in ["date(#)", "year(#)", "cast(# as date)"].map(|computed| computed.replace('#', column)) {
            let more =
                ["'2019-12-31'", "'9999-12-31'", "date '9999-12-31'", "9999", "0", "2019", "'0000-00-00'", "'2020'"];
            for value in VALUES.into_iter().chain(more) {
                for condition in [
                    format!("{computed} = {value}"),
                    format!("{computed} < {value}"),
                    format!("{computed} <= {value}"),
                    format!("{value} < {computed}"),
                    format!("{computed} >= {value}"),
                    format!("{computed} <> {value}"),
                    format!("{computed} between {value} and '2020-01-02'"),
                    format!("not ({computed} > {value})"),
                ] {
                    asked += compare(&session, &format!("select id from # where {condition} order by id"));
                }
            }
        }
    }
    assert!(asked > 1_500, "{asked}");
}

#[test]
fn an_index_gives_the_rows_that_a_scan_gives() {
    let session = session();
    let mut asked = 0;
    for (column, _) in COLUMNS {
        for value in VALUES {
            for condition in [
                format!("{column} = {value}"),
                format!("{column} > {value}"),
                format!("{column} >= {value}"),
                format!("{column} < {value}"),
                format!("{value} >= {column}"),
                format!("{column} in ({value}, 7)"),
                format!("{column} between {value} and 30"),
                format!("{column} = {value} or {column} = 7"),
            ] {
                for query in [
                    format!("select id from # where {condition} order by id"),
                    format!("select id from # where {condition} order by {column}, id desc"),
                    format!("select id from # where {condition} order by id desc limit 3"),
                    format!("select count(*) from # where {condition}"),
                ] {
                    asked += compare(&session, &query);
                }
            }
        }
    }
    assert!(asked > 8_000, "{asked}");
}

/// Tables of several nodes, in which groups are few and their indexes have them side by side.
fn grouped_session() -> Session {
    let session = fresh::session();
    let keys = ", key (a, b), key (b, c), key (c), key (n, a), key (a, c, b), key (f)";
    for (table, keys) in [("keyed", keys), ("plain", "")] {
        fresh::rows(
            &session,
            &format!(
                "create table {table} (id int primary key, a int, b varchar(8), c date, n decimal(6,2) not null, f double, \
                 note varchar(40){keys})"
            ),
        );
        for start in (0..2000_i64).step_by(500) {
            let row = |id: i64| {
                let of = |value: String, every: i64| if id % every == 3 { "null".to_owned() } else { value };
                let a = of((id * 7919 % 6 - 2).to_string(), 11);
                let b = of(format!("'{}'", ["x", "", "yy", "é", "z"][(id / 7 % 5) as usize]), 13);
                let c = of(format!("'2020-01-{:02}'", 1 + id * 31 % 9), 17);
                format!("({id}, {a}, {b}, {c}, {}.50, {}.25, 'a note of row {id}')", id % 4 - 2, id % 3)
            };
            let rows: Vec<String> = (start..start + 500).map(row).collect();
            fresh::rows(&session, &format!("insert into {table} values {}", rows.join(",")));
        }
    }
    session
}

#[test]
fn an_index_gives_the_groups_that_a_scan_gives() {
    let session = grouped_session();
    let conditions =
        ["true", "a = 1", "b in ('x', 'z')", "c is null", "a = 1 and b > 'x'", "c >= '2020-01-05'", "a = null"];
    let mut asked = 0;
    for condition in conditions {
        for groups in ["a", "b", "c", "n", "f", "a, b", "b, a", "b, c", "a, c", "n, a", "a, b, c"] {
            for query in [
                format!(
                    "select {groups}, count(*), min(c), max(c) from # where {condition} group by {groups} order by {groups}"
                ),
                format!("select {groups}, max(b), min(b) from # where {condition} group by {groups} order by {groups}"),
                format!("select distinct {groups} from # where {condition} order by {groups}"),
                format!(
                    "select {groups}, count(a), sum(n) from # where {condition} group by {groups} order by {groups} limit 3"
                ),
                format!(
                    "select {groups}, count(distinct b) from # where {condition} group by {groups} having count(*) > 1 \
                     order by {} desc limit 2 offset 1",
                    groups.replace(',', " desc,")
                ),
                format!("select count(distinct {groups}), min(a), max(a) from # where {condition}"),
            ] {
                asked += compare(&session, &query);
            }
        }
        for order in ["a, id", "b, id", "c desc, id desc", "b, c, id", "n, a, id", "id"] {
            for also in ["true", "a in (3, 0, 3)", "b in ('yy', 'x', null)", "a = 0 or a = 1", "note like '%7'"] {
                asked += compare(
                    &session,
                    &format!("select id, a from # where {condition} and {also} order by {order} limit 4 offset 1"),
                );
            }
            asked += compare(
                &session,
                &format!(
                    "select id, a, b, c, n from # where {condition} union all select id, n, b, c, a from # order by {order} limit 5"
                ),
            );
        }
    }
    assert!(asked > 600, "{asked}");
}
