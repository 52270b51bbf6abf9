//! GROUP BY … WITH ROLLUP and GROUPING, which native Dolt does not read: the answers are those of MySQL 8.

use crate::common;

/// Rows as lines, cells parted by `|`.
fn rows(sql: &str) -> Vec<String> {
    let session = common::empty_engine().session();
    let sales = "with s(y, c, p) as (values row(2000, 'fi', 1500), row(2000, 'in', 175), row(2000, null, 5), \
                 row(2001, 'fi', 10), row(null, 'us', 7))";
    session.query("set varve_beyond_dolt = 1").and_then(engine::Cursor::collect).expect("a variable");
    let (columns, rows, _) = session.query(&format!("{sales} {sql}")).and_then(engine::Cursor::collect).expect(sql);
    let cell =
        |(value, column): (&value::Value<'_>, &engine::page::ResultColumn)| match value::to_text(value, &column.ty) {
            Some(text) => String::from_utf8_lossy(&text).into_owned(),
            None => "-".to_owned(),
        };
    rows.iter().map(|row| row.iter().zip(columns.iter()).map(cell).collect::<Vec<_>>().join("|")).collect()
}

#[test]
fn what_a_group_is_part_of_comes_behind_it() {
    assert_eq!(
        rows("select y, c, sum(p), count(*) from s group by y, c with rollup"),
        [
            "-|us|7|1",
            "-|-|7|1",
            "2000|-|5|1",
            "2000|fi|1500|1",
            "2000|in|175|1",
            "2000|-|1680|3",
            "2001|fi|10|1",
            "2001|-|10|1",
            "-|-|1697|5"
        ]
    );
}

#[test]
fn grouping_tells_a_null_from_all() {
    assert_eq!(
        rows("select y, grouping(y), grouping(y, c) from s where y is null or y > 2000 group by y, c with rollup"),
        ["-|0|0", "-|0|1", "2001|0|0", "2001|0|1", "-|1|3"]
    );
    assert_eq!(
        rows("select if(grouping(y), 'all', y) as k, max(p) from s group by y with rollup having k is not null"),
        ["2000|1500", "2001|10", "all|1500"]
    );
}

#[test]
fn without_rows_there_is_no_total() {
    assert!(rows("select y, sum(p) from s where p < 0 group by y with rollup").is_empty());
}

#[test]
fn windows_and_orders_see_the_totals() {
    assert_eq!(
        rows(
            "select c, sum(p), rank() over (order by sum(p)) from s group by c with rollup order by sum(p) desc limit 2"
        ),
        ["-|1697|5", "fi|1510|4"]
    );
}

#[test]
fn grouping_is_for_rollups() {
    let session = common::empty_engine().session();
    session.query("set varve_beyond_dolt = 1").and_then(engine::Cursor::collect).expect("a variable");
    for sql in ["select grouping(1)", "select grouping(a) from (select 1 as a) x group by a"] {
        assert_eq!(session.query(sql).and_then(engine::Cursor::collect).expect_err(sql).errno, 1111, "{sql}");
    }
    let sql = "select grouping(b) from (select 1 as a, 2 as b) x group by a with rollup";
    assert_eq!(session.query(sql).and_then(engine::Cursor::collect).expect_err(sql).errno, 3602);
}
